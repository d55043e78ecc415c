#include "worlds.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <tuple>

namespace {

std::int64_t distance_squared(const TrnCoord &coord)
{
    std::int64_t x = coord.x, y = coord.y, z = coord.z;
    return x * x + y * y + z * z;
}

bool loads_before(const TrnCoord &a, const TrnCoord &b)
{
    return std::make_tuple(distance_squared(a), a.y, a.z, a.x) <
           std::make_tuple(distance_squared(b), b.y, b.z, b.x);
}

/// Builds a list of chunks without duplicates.
class Loader {
  public:
    void load(TrnCoord chunk)
    {
        if (loaded.insert(chunk).second) {
            order.push_back(chunk);
        }
    }
    std::vector<TrnCoord> take()
    {
        return std::move(order);
    }
    std::size_t count() const
    {
        return order.size();
    }

  private:
    struct Before {
        bool operator()(const TrnCoord &a, const TrnCoord &b) const
        {
            return lies_before(a, b);
        }
    };
    std::set<TrnCoord, Before> loaded;
    std::vector<TrnCoord> order;
};

std::vector<TrnCoord> ball(int radius)
{
    return world_ellipsoid("", radius, radius).chunks;
}

} // namespace

TrnBox box_of(const std::vector<TrnCoord> &chunks)
{
    TrnBox box = {chunks.front(), chunks.front()};
    for (const TrnCoord &c : chunks) {
        box.min = {std::min(box.min.x, c.x), std::min(box.min.y, c.y), std::min(box.min.z, c.z)};
        box.max = {std::max(box.max.x, c.x), std::max(box.max.y, c.y), std::max(box.max.z, c.z)};
    }
    return box;
}

bool lies_before(const TrnCoord &a, const TrnCoord &b)
{
    return std::tie(a.y, a.z, a.x) < std::tie(b.y, b.z, b.x);
}

World world_ellipsoid(const std::string &name, int radius, int radius_y)
{
    World world{name, trn_box_around(TrnCoord{0, 0, 0}, radius, radius, radius), {}};
    // A radius of 0 gives one layer of chunks.
    const double ry = radius_y ? radius_y : 1, r = radius ? radius : 1;
    for (int y = -radius_y; y <= radius_y; y++) {
        for (int z = -radius; z <= radius; z++) {
            for (int x = -radius; x <= radius; x++) {
                double sum = x * x / (r * r) + y * y / (ry * ry) + z * z / (r * r);
                if (sum <= 1.0) {
                    world.chunks.push_back(TrnCoord{x, y, z});
                }
            }
        }
    }
    std::sort(world.chunks.begin(), world.chunks.end(), loads_before);
    return world;
}

World world_walked(const std::string &name, int radius, int steps)
{
    World world = world_ellipsoid(name, radius, radius);
    const Shell shell = world_shell(world);
    for (int step = 0; step < steps; step++) {
        for (const TrnCoord &chunk : shell.ahead) {
            world.chunks.push_back(trn_coord_add(chunk, step, 0, 0));
        }
    }
    world.box = trn_box_around(TrnCoord{steps, 0, 0}, radius, radius, radius);
    return world;
}

World world_islands(const std::string &name, int radius, TrnCoord offset)
{
    World world{name, trn_box_around(TrnCoord{0, 0, 0}, radius, radius, radius), {}};
    for (const TrnCoord &chunk : ball(radius)) {
        world.chunks.push_back(chunk);
        world.chunks.push_back(trn_coord_add(chunk, offset.x, offset.y, offset.z));
    }
    return world;
}

World world_anchors(const std::string &name, int count, int reach, int radius, int box_radius,
                    std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::int32_t> place(-reach, reach);
    const std::vector<TrnCoord> around = ball(radius);
    World world{name, {}, {}};
    Loader loader;
    for (int i = 0; i < count; i++) {
        const TrnCoord anchor = {place(random), place(random), place(random)};
        for (const TrnCoord &chunk : around) {
            loader.load(trn_coord_add(anchor, chunk.x, chunk.y, chunk.z));
        }
        if (i == 0) {
            world.box = trn_box_around(anchor, box_radius, box_radius, box_radius);
        }
    }
    world.chunks = loader.take();
    return world;
}

World world_filled(const std::string &name, int radius, double fill, int cluster_radius,
                   std::uint32_t seed)
{
    World world{name, trn_box_around(TrnCoord{0, 0, 0}, radius, radius, radius), {}};
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::int32_t> place(-radius, radius);
    const std::vector<TrnCoord> cluster = ball(cluster_radius);
    const auto wanted = static_cast<std::size_t>(std::lround(fill * std::pow(2 * radius + 1, 3)));
    Loader loader;
    while (loader.count() < wanted) {
        const TrnCoord at = {place(random), place(random), place(random)};
        for (const TrnCoord &chunk : cluster) {
            const TrnCoord there = trn_coord_add(at, chunk.x, chunk.y, chunk.z);
            if (trn_box_contains(world.box, there) && loader.count() < wanted) {
                loader.load(there);
            }
        }
    }
    world.chunks = loader.take();
    return world;
}

World world_columns(const std::string &name, int edge, int high, int radius, std::uint32_t seed)
{
    World world{name, {{-radius, 0, -radius}, {radius, high - 1, radius}}, {}};
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> height(1, high);
    for (int z = -edge / 2; z < edge - edge / 2; z++) {
        for (int x = -edge / 2; x < edge - edge / 2; x++) {
            for (int y = 0, end = height(random); y < end; y++) {
                world.chunks.push_back(TrnCoord{x, y, z});
            }
        }
    }
    std::sort(world.chunks.begin(), world.chunks.end(), loads_before);
    return world;
}

Shell world_shell(const World &world)
{
    std::vector<TrnCoord> here = world.chunks;
    std::sort(here.begin(), here.end(), lies_before);
    auto holds = [&here](TrnCoord coord) {
        return std::binary_search(here.begin(), here.end(), coord, lies_before);
    };
    Shell shell;
    for (const TrnCoord &chunk : here) {
        const TrnCoord next = {chunk.x + 1, chunk.y, chunk.z};
        if (!holds(next)) {
            shell.ahead.push_back(next);
        }
        if (!holds(TrnCoord{chunk.x - 1, chunk.y, chunk.z})) {
            shell.behind.push_back(chunk);
        }
    }
    return shell;
}

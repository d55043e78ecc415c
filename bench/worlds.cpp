#include "worlds.hpp"

#include <algorithm>
#include <cstdint>
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

bool lies_before(const TrnCoord &a, const TrnCoord &b)
{
    return std::tie(a.y, a.z, a.x) < std::tie(b.y, b.z, b.x);
}

} // namespace

World world_ellipsoid(const std::string &name, int radius, int radius_y)
{
    World world{name, trn_box_around(TrnCoord{0, 0, 0}, radius, radius, radius), {}};
    const double ry = radius_y, r = radius;
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

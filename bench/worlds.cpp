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

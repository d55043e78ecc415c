#include "growth_worlds.hpp"

#include <algorithm>
#include <cstdint>

#include "worlds.hpp"

namespace {

const int walk_steps = 500;
const int walk_radius = 16;

GrowthWorld standing(const World &world)
{
    GrowthWorld made;
    made.name = world.name;
    made.chunks = world.chunks;
    made.batches.push_back({0, world.chunks.size(), false});
    made.present = world.chunks;
    made.come = world.chunks.size();
    return made;
}

TrnCoord plus(TrnCoord a, TrnCoord b)
{
    return TrnCoord{a.x + b.x, a.y + b.y, a.z + b.z};
}

/// Whether a chunk lies in the walking ball when its centre is `centre`.
bool ball_holds(TrnCoord centre, TrnCoord chunk)
{
    const int x = chunk.x - centre.x, y = chunk.y - centre.y, z = chunk.z - centre.z;
    return x * x + y * y + z * z <= walk_radius * walk_radius;
}

/// Adds a batch of the chunks that are in the ball around `from` but not in the ball around `to`.
void add_difference(GrowthWorld &world, const World &ball, TrnCoord from, TrnCoord to, bool goes)
{
    const std::size_t first = world.chunks.size();
    for (const TrnCoord &offset : ball.chunks) {
        const TrnCoord chunk = plus(from, offset);
        if (!ball_holds(to, chunk)) {
            world.chunks.push_back(chunk);
        }
    }
    world.batches.push_back({first, world.chunks.size() - first, goes});
}

/// A ball that moves by `step` repeatedly. A ball is convex, so no chunk is inserted twice.
GrowthWorld walking(const std::string &name, TrnCoord step, bool keeps)
{
    const World ball = world_ellipsoid(name, walk_radius, walk_radius);
    GrowthWorld world = standing(ball);
    TrnCoord at = {0, 0, 0};
    for (int i = 0; i < walk_steps; i++) {
        const TrnCoord next = plus(at, step);
        add_difference(world, ball, next, at, false);
        world.come += world.batches.back().count;
        if (!keeps) {
            add_difference(world, ball, at, next, true);
        }
        at = next;
    }
    world.is_long = true;
    if (keeps) {
        world.present = world.chunks;
        return world;
    }
    for (TrnCoord &chunk : world.present) {
        chunk = plus(chunk, at);
    }
    return world;
}

std::size_t cells_around(const std::vector<TrnCoord> &chunks)
{
    std::int64_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0}; // every world contains the origin
    for (const TrnCoord &chunk : chunks) {
        const std::int64_t at[3] = {chunk.x, chunk.y, chunk.z};
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = std::min(low[axis], at[axis]);
            high[axis] = std::max(high[axis], at[axis]);
        }
    }
    std::size_t cells = 1;
    for (int axis = 0; axis < 3; axis++) {
        cells *= static_cast<std::size_t>(high[axis] - low[axis] + 1);
    }
    return cells;
}

} // namespace

std::vector<GrowthWorld> make_growth_worlds(bool is_quick)
{
    std::vector<GrowthWorld> worlds;
    worlds.push_back(standing(world_ellipsoid("ball R=16", 16, 16)));
    // Steps of 8 cells fit the balls R=16 and R=32 exactly, and steps of 32 cells fit R=32. No step
    // fits R=28.
    worlds.push_back(standing(world_ellipsoid("ball R=28", 28, 28)));
    worlds.push_back(standing(world_ellipsoid("ball R=32", 32, 32)));
    worlds.push_back(standing(world_ellipsoid("flattened ball R=32", 32, 8)));
    worlds.push_back(walking("walk along x, all kept", {1, 0, 0}, true));
    worlds.push_back(walking("walk along x, view kept", {1, 0, 0}, false));
    if (!is_quick) {
        worlds.push_back(walking("walk along x and z, all kept", {1, 0, 1}, true));
    }
    worlds.push_back(walking("walk along x, y and z, all kept", {1, 1, 1}, true));
    for (GrowthWorld &world : worlds) {
        world.cells = cells_around(world.chunks);
    }
    return worlds;
}

// Bodies that walk on the land.

#include <algorithm>
#include <cmath>

#include <terrane/body.h>

#include "store_scenes.hpp"

namespace {

const char *const by_map_bodies = "std::unordered_map, axis by axis, nothing but walls";

const std::size_t body_count = 1000;
const double step_seconds = 1.0 / 60;
const std::int64_t room = 40;   ///< voxels around a body's home that are loaded
const double leash = 24;        ///< it turns back beyond this
const unsigned wish_steps = 30; ///< between two looks where to go

/// Where a body lives, and where it wants to go.
struct Walker {
    TrnVoxel home;
    double wish[3];
    unsigned turns;
};

/// Straight on for some steps, then to the left; home where that is far away.
void choose_wish(Walker &walker, double from_home_x, double from_home_z)
{
    const unsigned corners = walker.turns++ / 4;
    const double angle = 1.5707963 * corners;
    const bool is_far = std::hypot(from_home_x, from_home_z) > leash;
    const double x = is_far ? -from_home_x : std::cos(angle);
    const double z = is_far ? -from_home_z : std::sin(angle);
    const double length = std::hypot(x, z);
    walker.wish[0] = x / length;
    walker.wish[1] = 0;
    walker.wish[2] = z / length;
}

/// Whether a box around the middle of its bottom reaches into something solid, by more than
/// rounding.
bool is_inside_solid(const StoreGround &ground, const double bottom[3], const double size[3])
{
    const double slack = 1e-6;
    const std::uint32_t *const solid =
        trn_block_types_solid_bits(trn_store_block_types(ground.store()));
    std::int64_t low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        const double from = axis == 1 ? bottom[1] : bottom[axis] - size[axis] / 2;
        low[axis] = static_cast<std::int64_t>(std::floor(from + slack));
        high[axis] = static_cast<std::int64_t>(std::floor(from + size[axis] - slack));
    }
    PlainCursor cursor(ground.plain());
    for (std::int64_t y = low[1]; y <= high[1]; y++) {
        for (std::int64_t z = low[2]; z <= high[2]; z++) {
            for (std::int64_t x = low[0]; x <= high[0]; x++) {
                const TrnBlock block = cursor.get({x, y, z}, TRN_BLOCK_STONE);
                if (solid[block / 32] >> (block % 32) & 1) {
                    return true;
                }
            }
        }
    }
    return false;
}

// ---- in a plain world --------------------------------------------------------------------------

const double plain_size[3] = {0.6, 1.8, 0.6};

std::vector<Walker> make_walkers(const StoreGround &ground)
{
    std::mt19937 random(store_seed);
    std::vector<Walker> walkers;
    while (walkers.size() < body_count) {
        TrnVoxel home = ground.surface(random, room);
        home.y = std::max<std::int64_t>(home.y + 1, TRN_TERRAIN_SEA_LEVEL + 1);
        const double bottom[3] = {static_cast<double>(home.x) + 0.5, static_cast<double>(home.y),
                                  static_cast<double>(home.z) + 0.5};
        if (is_inside_solid(ground, bottom, plain_size)) {
            continue; // a tree stands here
        }
        walkers.push_back({home, {0, 0, 0}, static_cast<unsigned>(random() % 16)});
    }
    return walkers;
}

struct PlainBody {
    double bottom[3]; ///< voxels from the origin
    double velocity[3];
    bool on_ground, is_stopped;
};

struct PlainCrowd {
    Ground ground;
    std::vector<Walker> walkers;
    std::vector<PlainBody> bodies;
    bool solid[TRN_BLOCK_BUILTIN_COUNT] = {};
    unsigned steps = 0;
};

/// Whether a body touches a solid block, asked voxel by voxel; what is not loaded is solid.
bool touches_solid(const PlainCrowd &crowd, PlainCursor &cursor, const double bottom[3])
{
    const auto x0 = static_cast<std::int64_t>(std::floor(bottom[0] - plain_size[0] / 2));
    const auto x1 = static_cast<std::int64_t>(std::floor(bottom[0] + plain_size[0] / 2));
    const auto y0 = static_cast<std::int64_t>(std::floor(bottom[1]));
    const auto y1 = static_cast<std::int64_t>(std::floor(bottom[1] + plain_size[1]));
    const auto z0 = static_cast<std::int64_t>(std::floor(bottom[2] - plain_size[2] / 2));
    const auto z1 = static_cast<std::int64_t>(std::floor(bottom[2] + plain_size[2] / 2));
    for (std::int64_t y = y0; y <= y1; y++) {
        for (std::int64_t z = z0; z <= z1; z++) {
            for (std::int64_t x = x0; x <= x1; x++) {
                if (crowd.solid[cursor.get({x, y, z}, TRN_BLOCK_STONE)]) {
                    return true;
                }
            }
        }
    }
    return false;
}

void move_axis(const PlainCrowd &crowd, PlainCursor &cursor, PlainBody &body, int axis)
{
    const double before = body.bottom[axis];
    body.bottom[axis] += body.velocity[axis] * step_seconds;
    if (!touches_solid(crowd, cursor, body.bottom)) {
        return;
    }
    body.bottom[axis] = before;
    body.on_ground = body.on_ground || (axis == 1 && body.velocity[1] < 0);
    body.is_stopped = body.is_stopped || axis != 1;
    body.velocity[axis] = 0;
}

void step_plain_body(const PlainCrowd &crowd, PlainCursor &cursor, PlainBody &body,
                     const Walker &walker)
{
    body.velocity[0] = walker.wish[0] * 4.3;
    body.velocity[1] = body.is_stopped && body.on_ground ? 9 : body.velocity[1] - 32 * step_seconds;
    body.velocity[2] = walker.wish[2] * 4.3;
    body.on_ground = body.is_stopped = false;
    for (const int axis : {1, 0, 2}) {
        move_axis(crowd, cursor, body, axis);
    }
}

void step_plain(PlainCrowd &crowd)
{
    PlainCursor cursor(crowd.ground->plain());
    for (std::size_t i = 0; i < crowd.bodies.size(); i++) {
        PlainBody &body = crowd.bodies[i];
        Walker &walker = crowd.walkers[i];
        if ((crowd.steps + i) % wish_steps == 0) {
            choose_wish(walker, body.bottom[0] - static_cast<double>(walker.home.x),
                        body.bottom[2] - static_cast<double>(walker.home.z));
        }
        step_plain_body(crowd, cursor, body, walker);
    }
    crowd.steps++;
}

std::shared_ptr<PlainCrowd> make_plain_crowd(const Ground &ground)
{
    auto crowd = std::make_shared<PlainCrowd>();
    crowd->ground = ground;
    crowd->walkers = make_walkers(*ground);
    const TrnBlockTypes *const types = trn_store_block_types(ground->store());
    for (TrnBlock block = 0; block < TRN_BLOCK_BUILTIN_COUNT; block++) {
        crowd->solid[block] = trn_block_types_get(types, block)->is_solid;
    }
    for (const Walker &walker : crowd->walkers) {
        crowd->bodies.push_back(
            {{static_cast<double>(walker.home.x) + 0.5, static_cast<double>(walker.home.y),
              static_cast<double>(walker.home.z) + 0.5},
             {0, 0, 0},
             false,
             false});
    }
    return crowd;
}

// ---- in a store --------------------------------------------------------------------------------

struct StoreCrowd {
    Ground ground;
    std::vector<Walker> walkers;
    std::vector<TrnBody> bodies;
    TrnBodyDef def = trn_body_def();
    unsigned steps = 0;
};

TrnPosition position_of(TrnVoxel voxel)
{
    TrnPosition position = {trn_voxel_chunk(voxel), {0, 0, 0}};
    const TrnVoxel low = trn_coord_voxel(position.chunk);
    position.offset[0] = static_cast<double>(voxel.x - low.x) + 0.5;
    position.offset[1] = static_cast<double>(voxel.y - low.y);
    position.offset[2] = static_cast<double>(voxel.z - low.z) + 0.5;
    return position;
}

/// Voxels from the origin.
void place_of(TrnPosition position, double out[3])
{
    const TrnVoxel low = trn_coord_voxel(position.chunk);
    out[0] = static_cast<double>(low.x) + position.offset[0];
    out[1] = static_cast<double>(low.y) + position.offset[1];
    out[2] = static_cast<double>(low.z) + position.offset[2];
}

/// Jumps where it walks against something, as players do.
TrnBodyInput wish_of(const TrnBody &body, const Walker &walker)
{
    TrnBodyInput wish = {};
    std::copy_n(walker.wish, 3, wish.walk);
    wish.jump = body.hit[TRN_FACE_NEG_X] || body.hit[TRN_FACE_POS_X] || body.hit[TRN_FACE_NEG_Z] ||
                body.hit[TRN_FACE_POS_Z];
    return wish;
}

void step_store(StoreCrowd &crowd)
{
    for (std::size_t i = 0; i < crowd.bodies.size(); i++) {
        TrnBody &body = crowd.bodies[i];
        Walker &walker = crowd.walkers[i];
        if ((crowd.steps + i) % wish_steps == 0) {
            double from_home[3];
            trn_position_difference(body.position, position_of(walker.home), from_home);
            choose_wish(walker, from_home[0], from_home[2]);
        }
        const TrnBodyInput wish = wish_of(body, walker);
        store_demand(trn_body_step(crowd.ground->store(), &crowd.def, &body, &wish, step_seconds));
    }
    crowd.steps++;
}

std::shared_ptr<StoreCrowd> make_store_crowd(const Ground &ground)
{
    auto crowd = std::make_shared<StoreCrowd>();
    crowd->ground = ground;
    crowd->walkers = make_walkers(*ground);
    for (const Walker &walker : crowd->walkers) {
        TrnBody body = {};
        body.position = position_of(walker.home);
        crowd->bodies.push_back(body);
    }
    return crowd;
}

// ---- scenes ------------------------------------------------------------------------------------

/// What must hold of walkers, however they move: none is in the ground, none has left the loaded
/// land, and most have got on.
class CrowdCheck {
  public:
    explicit CrowdCheck(const StoreGround &on) : ground(on)
    {
    }
    void take(const double bottom[3], const double size[3], TrnVoxel home)
    {
        const double x = bottom[0] - static_cast<double>(home.x);
        const double z = bottom[2] - static_cast<double>(home.z);
        const double far = std::hypot(x, z);
        is_right =
            is_right && far < static_cast<double>(room) && !is_inside_solid(ground, bottom, size);
        moved += far > 2 ? 1 : 0;
    }
    bool holds() const
    {
        return is_right && moved > body_count / 2;
    }

  private:
    const StoreGround &ground;
    std::size_t moved = 0;
    bool is_right = true;
};

const int checked_steps = 180;

VoxelAttempt plain_bodies_attempt(const Ground &ground)
{
    const auto crowd = make_plain_crowd(ground);
    VoxelAttempt attempt;
    attempt.contender = by_map_bodies;
    attempt.work = [crowd] { step_plain(*crowd); };
    attempt.is_right = [crowd] {
        for (int i = 0; i < checked_steps; i++) {
            step_plain(*crowd);
        }
        CrowdCheck check(*crowd->ground);
        for (std::size_t i = 0; i < crowd->bodies.size(); i++) {
            check.take(crowd->bodies[i].bottom, plain_size, crowd->walkers[i].home);
        }
        return check.holds();
    };
    return attempt;
}

VoxelAttempt store_bodies_attempt(const Ground &ground)
{
    const auto crowd = make_store_crowd(ground);
    VoxelAttempt attempt;
    attempt.contender = by_store;
    attempt.work = [crowd] { step_store(*crowd); };
    attempt.is_right = [crowd] {
        for (int i = 0; i < checked_steps; i++) {
            step_store(*crowd);
        }
        CrowdCheck check(*crowd->ground);
        for (std::size_t i = 0; i < crowd->bodies.size(); i++) {
            double bottom[3];
            place_of(crowd->bodies[i].position, bottom);
            check.take(bottom, crowd->def.size, crowd->walkers[i].home);
        }
        return check.holds();
    };
    return attempt;
}

} // namespace

std::vector<VoxelScene> make_body_scenes(const Ground &ground)
{
    VoxelScene scene;
    scene.question = store_bodies;
    scene.world = ground->view().name;
    scene.attempts = {plain_bodies_attempt(ground), store_bodies_attempt(ground)};
    return {scene};
}

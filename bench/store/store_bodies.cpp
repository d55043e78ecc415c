// Bodies that walk on the land.

#include <algorithm>
#include <array>
#include <cmath>

#include <terrane/body.h>

#include "store_parts.hpp"

namespace {

const std::size_t body_count = 1000;
const double step_seconds = 1.0 / 60;
const std::int64_t room = 40;   ///< distance from a body's home within which voxels are loaded
const double leash = 24;        ///< distance from home at which a body turns back
const unsigned wish_steps = 30; ///< steps between two choices of direction
const double rounding = 1e-6;

/// A body's home and the direction in which it walks.
struct Walker {
    TrnVoxel home;
    double wish[3];
    unsigned turns;
};

/// Chooses the direction: straight on for some steps, then left; towards home if home is far away.
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

/// Whether a body overlaps solid voxels by more than rounding errors.
/// @param bottom  the middle of the body's bottom face, in voxels from the origin
bool is_inside_solid(const StoreGround &ground, const double bottom[3], const double size[3])
{
    double low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = (axis == 1 ? bottom[1] : bottom[axis] - size[axis] / 2) + rounding;
        high[axis] = low[axis] + size[axis] - 2 * rounding;
    }
    PlainCursor cursor(ground.plain);
    return ground.touches_solid(cursor, low, high);
}

/// The middle of a voxel's bottom face, in voxels from the origin.
std::array<double, 3> bottom_of(TrnVoxel voxel)
{
    return {static_cast<double>(voxel.x) + 0.5, static_cast<double>(voxel.y),
            static_cast<double>(voxel.z) + 0.5};
}

// ---- in a plain world ---------------------------------------------------------------------------

const double plain_size[3] = {0.6, 1.8, 0.6};

std::vector<Walker> make_walkers(const StoreGround &ground)
{
    std::mt19937 random(store_seed);
    std::vector<Walker> walkers;
    while (walkers.size() < body_count) {
        TrnVoxel home = ground.surface(random, room);
        home.y = std::max<std::int64_t>(home.y + 1, TRN_TERRAIN_SEA_LEVEL + 1);
        if (is_inside_solid(ground, bottom_of(home).data(), plain_size)) {
            continue; // a tree stands here
        }
        walkers.push_back({home, {0, 0, 0}, static_cast<unsigned>(random() % 16)});
    }
    return walkers;
}

struct PlainBody {
    std::array<double, 3> bottom; ///< voxels from the origin
    double velocity[3];
    bool on_ground, is_stopped;
};

struct PlainCrowd {
    Ground ground;
    std::vector<Walker> walkers;
    std::vector<PlainBody> bodies;
    unsigned steps = 0;
};

bool touches_solid(const PlainCrowd &crowd, PlainCursor &cursor, const PlainBody &body)
{
    const auto &[x, y, z] = body.bottom;
    const double low[3] = {x - plain_size[0] / 2, y, z - plain_size[2] / 2};
    const double high[3] = {x + plain_size[0] / 2, y + plain_size[1], z + plain_size[2] / 2};
    return crowd.ground->touches_solid(cursor, low, high);
}

void move_axis(const PlainCrowd &crowd, PlainCursor &cursor, PlainBody &body, std::size_t axis)
{
    const double before = body.bottom[axis];
    body.bottom[axis] += body.velocity[axis] * step_seconds;
    if (!touches_solid(crowd, cursor, body)) {
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
    for (const std::size_t axis : {1u, 0u, 2u}) {
        move_axis(crowd, cursor, body, axis);
    }
}

void step_plain(PlainCrowd &crowd)
{
    PlainCursor cursor(crowd.ground->plain);
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
    for (const Walker &walker : crowd->walkers) {
        crowd->bodies.push_back({bottom_of(walker.home), {0, 0, 0}, false, false});
    }
    return crowd;
}

// ---- in a store ---------------------------------------------------------------------------------

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

/// The input of a body. It jumps if it has hit an obstacle, as players do.
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
        require(trn_body_step(crowd.ground->store(), &crowd.def, &body, &wish, step_seconds));
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

// ---- scenes -------------------------------------------------------------------------------------

/// Checks invariants of any motion: no walker is in the ground or outside the loaded land, and most
/// have moved away from home.
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

/// @param step   steps all bodies
/// @param check  passes every body to a CrowdCheck
template <class Crowd>
bench::Attempt crowd_attempt(const char *contender, const std::shared_ptr<Crowd> &crowd,
                             void (*step)(Crowd &), void (*check)(const Crowd &, CrowdCheck &))
{
    return bench::timed(
        contender, [crowd, step] { step(*crowd); },
        [crowd, step, check] {
            for (int i = 0; i < 180; i++) {
                step(*crowd);
            }
            CrowdCheck checked(*crowd->ground);
            check(*crowd, checked);
            return checked.holds();
        });
}

void check_plain(const PlainCrowd &crowd, CrowdCheck &check)
{
    for (std::size_t i = 0; i < crowd.bodies.size(); i++) {
        check.take(crowd.bodies[i].bottom.data(), plain_size, crowd.walkers[i].home);
    }
}

void check_store(const StoreCrowd &crowd, CrowdCheck &check)
{
    for (std::size_t i = 0; i < crowd.bodies.size(); i++) {
        double bottom[3];
        trn_position_difference(crowd.bodies[i].position, {}, bottom);
        check.take(bottom, crowd.def.size, crowd.walkers[i].home);
    }
}

} // namespace

std::vector<bench::Scene> make_body_scenes(const Ground &ground)
{
    return {bench::scene_with(
        {store_bodies, ground->view.name, "us"},
        {
            crowd_attempt(by_map_body, make_plain_crowd(ground), step_plain, check_plain),
            crowd_attempt(by_store, make_store_crowd(ground), step_store, check_store),
        })};
}

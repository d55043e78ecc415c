// Rays through hills, tunnels and chunks that are not there.

#include <algorithm>
#include <cmath>

#include <terrane/raycast.h>

#include "plain_ray.hpp"
#include "store_scenes.hpp"

namespace {

const char *const by_map_walk = "std::unordered_map, voxel by voxel";
const char *const by_store_walk = "Terrane, trn_store_get_block for each voxel";

/// so many that what they read is no longer in the nearest cache
const std::size_t rays_per_call = 512;
const std::size_t voxels_per_ray = 128;
const unsigned least_passed = 96; ///< so that no ray counts that ends at once

struct Ray {
    TrnPosition origin;
    double direction[3]; ///< of length 1
    double distance;     ///< on which a ray passes voxels_per_ray voxels
};

struct RayCase {
    Ground ground;
    std::vector<Ray> rays;
    bool solid[TRN_BLOCK_BUILTIN_COUNT] = {};
    std::vector<PlainHit> plain_hits;
    std::vector<TrnRayHit> hits;
};

// ---- the walks ---------------------------------------------------------------------------------

PlainHit walk_plain(const RayCase &one, const Ray &ray)
{
    PlainCursor cursor(one.ground->plain());
    return plain_ray(ray.origin, ray.direction, ray.distance,
                     [&](TrnVoxel voxel) { return one.solid[cursor.get(voxel, TRN_BLOCK_AIR)]; });
}

PlainHit walk_store(const RayCase &one, const Ray &ray)
{
    const TrnStore *const store = one.ground->store();
    return plain_ray(ray.origin, ray.direction, ray.distance, [&](TrnVoxel voxel) {
        TrnBlock block = TRN_BLOCK_AIR;
        (void)trn_store_get_block(store, voxel, &block);
        return one.solid[block];
    });
}

TrnRayHit cast(const RayCase &one, const Ray &ray)
{
    TrnRayDef def = trn_ray_def();
    def.distance_max = ray.distance;
    TrnRayHit hit;
    store_demand(trn_store_raycast(one.ground->store(), ray.origin, ray.direction, &def, &hit));
    return hit;
}

// ---- choosing rays -----------------------------------------------------------------------------

using Random = std::mt19937;

double uniform(Random &random, double least, double most)
{
    return std::uniform_real_distribution<double>(least, most)(random);
}

TrnPosition position_in(TrnVoxel voxel, Random &random)
{
    TrnPosition position = {trn_voxel_chunk(voxel), {0, 0, 0}};
    const TrnVoxel low = trn_coord_voxel(position.chunk);
    const std::int64_t local[3] = {voxel.x - low.x, voxel.y - low.y, voxel.z - low.z};
    for (int axis = 0; axis < 3; axis++) {
        position.offset[axis] = static_cast<double>(local[axis]) + uniform(random, 0.01, 0.99);
    }
    return position;
}

/// Gives a direction its length, and the ray its distance.
Ray ray_of(TrnPosition origin, double x, double y, double z)
{
    const double length = std::sqrt(x * x + y * y + z * z);
    Ray ray = {origin, {x / length, y / length, z / length}, 0};
    const double voxels_each = (std::fabs(x) + std::fabs(y) + std::fabs(z)) / length;
    ray.distance = static_cast<double>(voxels_per_ray) / voxels_each;
    return ray;
}

/// From above the land, along its slopes.
Ray hill_ray(const StoreGround &ground, Random &random)
{
    TrnVoxel voxel = ground.surface(random, 8);
    voxel.y += 2 + static_cast<std::int64_t>(random() % 24);
    const double angle = uniform(random, 0, 6.283185);
    return ray_of(position_in(voxel, random), std::cos(angle), uniform(random, -0.3, 0.2),
                  std::sin(angle));
}

/// Along a tunnel, from near its beginning.
Ray tunnel_ray(const StoreGround &ground, Random &random)
{
    const Tunnel &tunnel = ground.tunnels()[random() % ground.tunnels().size()];
    const auto off = [&random] { return static_cast<std::int64_t>(random() % 5) - 2; };
    const TrnVoxel voxel = {tunnel.start.x + off(), tunnel.start.y + off(), tunnel.start.z + off()};
    const double *const to = tunnel.direction;
    const auto askew = [&random] { return uniform(random, -0.04, 0.04); };
    return ray_of(position_in(voxel, random), to[0] + askew(), to[1] + askew(), to[2] + askew());
}

/// From the rim of the view outwards, or from above it down to the land.
Ray absent_ray(const StoreGround &ground, Random &random)
{
    TrnVoxel voxel = ground.surface(random, 8);
    if (random() % 2) {
        voxel.y = (static_cast<std::int64_t>(ground.view().box.max.x) / 4 + 2) * TRN_CHUNK_EDGE;
        return ray_of(position_in(voxel, random), uniform(random, -1, 1), -1,
                      uniform(random, -1, 1));
    }
    voxel.y += 2;
    return ray_of(position_in(voxel, random), static_cast<double>(voxel.x), uniform(random, 0, 200),
                  static_cast<double>(voxel.z));
}

bool reaches_absent(const RayCase &one, const Ray &ray)
{
    PlainCursor cursor(one.ground->plain());
    bool found = false;
    plain_ray(ray.origin, ray.direction, ray.distance, [&](TrnVoxel voxel) {
        const TrnBlock *const block = cursor.find(voxel);
        found = found || !block;
        return block && one.solid[*block];
    });
    return found;
}

using MakeRay = Ray (*)(const StoreGround &, Random &);

/// Rays that pass most of their voxels before they end, of every kind equally many.
void choose_rays(RayCase &one, const std::vector<MakeRay> &kinds)
{
    Random random(store_seed);
    while (one.rays.size() < rays_per_call) {
        const MakeRay make = kinds[one.rays.size() % kinds.size()];
        const Ray ray = make(*one.ground, random);
        const bool is_absent = make == absent_ray;
        if (walk_plain(one, ray).passed >= least_passed && reaches_absent(one, ray) == is_absent) {
            one.rays.push_back(ray);
        }
    }
}

// ---- who answers -------------------------------------------------------------------------------

bool is_same_hit(const PlainHit &plain, const TrnRayHit &hit)
{
    return (hit.end == TRN_RAY_END_BLOCK) == plain.is_block &&
           (hit.end == TRN_RAY_END_DISTANCE) == !plain.is_block && hit.voxel.x == plain.voxel.x &&
           hit.voxel.y == plain.voxel.y && hit.voxel.z == plain.voxel.z &&
           static_cast<int>(hit.face) == plain.face;
}

/// A plain hit is right where the ray is really stopped there: nothing before it is solid, and
/// every step goes to a neighbour.
bool plain_hits_right(const RayCase &one, const std::vector<PlainHit> &hits)
{
    PlainCursor cursor(one.ground->plain());
    bool is_right = hits.size() == one.rays.size();
    for (std::size_t i = 0; is_right && i < hits.size(); i++) {
        const TrnBlock at = cursor.get(hits[i].voxel, TRN_BLOCK_AIR);
        is_right = one.solid[at] == hits[i].is_block && hits[i].passed >= least_passed;
    }
    return is_right;
}

VoxelAttempt walk_attempt(const char *contender, const std::shared_ptr<RayCase> &one,
                          PlainHit (*walk)(const RayCase &, const Ray &))
{
    VoxelAttempt attempt;
    attempt.contender = contender;
    attempt.work = [one, walk] {
        one->plain_hits.clear();
        for (const Ray &ray : one->rays) {
            one->plain_hits.push_back(walk(*one, ray));
        }
    };
    attempt.is_right = [one] { return plain_hits_right(*one, one->plain_hits); };
    return attempt;
}

VoxelAttempt cast_attempt(const std::shared_ptr<RayCase> &one)
{
    VoxelAttempt attempt;
    attempt.contender = by_store;
    attempt.work = [one] {
        one->hits.clear();
        for (const Ray &ray : one->rays) {
            one->hits.push_back(cast(*one, ray));
        }
    };
    attempt.is_right = [one] {
        bool is_right = one->hits.size() == one->rays.size();
        for (std::size_t i = 0; is_right && i < one->hits.size(); i++) {
            is_right = is_same_hit(walk_plain(*one, one->rays[i]), one->hits[i]);
        }
        return is_right;
    };
    return attempt;
}

VoxelScene make_ray_scene(const Ground &ground, const char *world,
                          const std::vector<MakeRay> &kinds)
{
    auto one = std::make_shared<RayCase>();
    one->ground = ground;
    const TrnBlockTypes *const types = trn_store_block_types(ground->store());
    for (TrnBlock block = 0; block < TRN_BLOCK_BUILTIN_COUNT; block++) {
        one->solid[block] = trn_block_types_get(types, block)->is_solid;
    }
    choose_rays(*one, kinds);
    VoxelScene scene;
    scene.question = store_ray;
    scene.world = world;
    scene.count = rays_per_call;
    scene.attempts = {walk_attempt(by_map_walk, one, walk_plain),
                      walk_attempt(by_store_walk, one, walk_store), cast_attempt(one)};
    return scene;
}

} // namespace

std::vector<VoxelScene> make_ray_scenes(const Ground &ground)
{
    return {make_ray_scene(ground, "over hills", {hill_ray}),
            make_ray_scene(ground, "through tunnels", {tunnel_ray}),
            make_ray_scene(ground, "through absent chunks", {absent_ray}),
            make_ray_scene(ground, "mixed", {hill_ray, tunnel_ray, absent_ray})};
}

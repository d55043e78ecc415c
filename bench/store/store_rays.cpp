// Rays through hills, tunnels and chunks that are not loaded.

#include <algorithm>
#include <cmath>
#include <limits>

#include <terrane/raycast.h>

#include "store_parts.hpp"

namespace {

/// Together they read more than the L1 cache holds.
const std::size_t rays_per_call = 512;
const std::size_t voxels_per_ray = 128;
const unsigned least_passed = 96; ///< rays that pass fewer voxels are not measured

// ---- the baseline: DDA traversal, one look-up per voxel -----------------------------------------
// Source: J. Amanatides and A. Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", 1987.

struct PlainHit {
    bool is_block;   ///< false: the ray reached its end
    TrnVoxel voxel;  ///< the block's voxel, or the last voxel of the ray
    int face;        ///< the face of entry; TRN_FACE_COUNT: the ray starts there
    unsigned passed; ///< voxels before `voxel`
};

/// One axis of the traversal: `next` is the distance along the ray to the next voxel border, `step`
/// the distance between borders.
struct PlainAxis {
    double next, step;
    std::int64_t by;
    int face; ///< face of entry into the next voxel
};

/// @param towards  component of a direction of length 1
PlainAxis plain_axis(double offset, double towards, int axis)
{
    const double never = std::numeric_limits<double>::infinity();
    if (towards == 0) {
        return {never, never, 0, TRN_FACE_COUNT};
    }
    const double inside = offset - std::floor(offset);
    const double way = towards > 0 ? 1 - inside : inside;
    return {way / std::fabs(towards), 1 / std::fabs(towards), towards > 0 ? 1 : -1,
            2 * axis + (towards > 0 ? 0 : 1)};
}

/// @param direction  of length 1
/// @param is_solid   bool(TrnVoxel)
template <class Solid>
PlainHit plain_ray(TrnPosition origin, const double direction[3], double distance_max,
                   Solid is_solid)
{
    const TrnVoxel low = trn_coord_voxel(origin.chunk);
    TrnVoxel voxel = {low.x + static_cast<std::int64_t>(origin.offset[0]),
                      low.y + static_cast<std::int64_t>(origin.offset[1]),
                      low.z + static_cast<std::int64_t>(origin.offset[2])};
    PlainAxis x = plain_axis(origin.offset[0], direction[0], 0);
    PlainAxis y = plain_axis(origin.offset[1], direction[1], 1);
    PlainAxis z = plain_axis(origin.offset[2], direction[2], 2);
    int face = TRN_FACE_COUNT;
    for (unsigned passed = 0;; passed++) {
        if (is_solid(voxel)) {
            return {true, voxel, face, passed};
        }
        const bool is_x = x.next <= y.next && x.next <= z.next;
        const bool is_y = !is_x && y.next <= z.next;
        PlainAxis &axis = is_x ? x : is_y ? y : z;
        if (axis.next > distance_max) {
            return {false, voxel, face, passed};
        }
        (is_x ? voxel.x : is_y ? voxel.y : voxel.z) += axis.by;
        axis.next += axis.step;
        face = axis.face;
    }
}

struct Ray {
    TrnPosition origin;
    double direction[3]; ///< of length 1
    double distance;     ///< distance at which the ray has passed voxels_per_ray voxels
};

struct RayCase {
    Ground ground;
    std::vector<Ray> rays;
    std::vector<PlainHit> plain_hits;
    std::vector<TrnRayHit> hits;
};

// ---- the walks ----------------------------------------------------------------------------------

PlainHit walk_plain(const RayCase &one, const Ray &ray)
{
    PlainCursor cursor(one.ground->plain);
    return plain_ray(ray.origin, ray.direction, ray.distance, [&](TrnVoxel voxel) {
        return one.ground->solid[cursor.get(voxel, TRN_BLOCK_AIR)];
    });
}

PlainHit walk_store(const RayCase &one, const Ray &ray)
{
    const TrnStore *const store = one.ground->store();
    return plain_ray(ray.origin, ray.direction, ray.distance, [&](TrnVoxel voxel) {
        TrnBlock block = TRN_BLOCK_AIR;
        (void)trn_store_get_block(store, voxel, &block);
        return one.ground->solid[block];
    });
}

TrnRayHit cast(const RayCase &one, const Ray &ray)
{
    TrnRayDef def = trn_ray_def();
    def.distance_max = ray.distance;
    TrnRayHit hit;
    require(trn_store_raycast(one.ground->store(), ray.origin, ray.direction, &def, &hit));
    return hit;
}

// ---- choosing rays ------------------------------------------------------------------------------

double uniform(std::mt19937 &random, double least, double most)
{
    return std::uniform_real_distribution<double>(least, most)(random);
}

TrnPosition position_in(TrnVoxel voxel, std::mt19937 &random)
{
    TrnPosition position = {trn_voxel_chunk(voxel), {0, 0, 0}};
    const TrnVoxel low = trn_coord_voxel(position.chunk);
    const std::int64_t local[3] = {voxel.x - low.x, voxel.y - low.y, voxel.z - low.z};
    for (int axis = 0; axis < 3; axis++) {
        position.offset[axis] = static_cast<double>(local[axis]) + uniform(random, 0.01, 0.99);
    }
    return position;
}

/// Creates a ray: normalises the direction and computes the distance.
Ray ray_of(TrnPosition origin, double x, double y, double z)
{
    const double length = std::sqrt(x * x + y * y + z * z);
    Ray ray = {origin, {x / length, y / length, z / length}, 0};
    const double voxels_each = (std::fabs(x) + std::fabs(y) + std::fabs(z)) / length;
    ray.distance = static_cast<double>(voxels_per_ray) / voxels_each;
    return ray;
}

/// A ray from above the land along its slopes.
Ray hill_ray(const StoreGround &ground, std::mt19937 &random)
{
    TrnVoxel voxel = ground.surface(random, 8);
    voxel.y += 2 + static_cast<std::int64_t>(random() % 24);
    const double angle = uniform(random, 0, 6.283185);
    return ray_of(position_in(voxel, random), std::cos(angle), uniform(random, -0.3, 0.2),
                  std::sin(angle));
}

/// A ray along a tunnel, from near its start.
Ray tunnel_ray(const StoreGround &ground, std::mt19937 &random)
{
    const Tunnel &tunnel = ground.tunnels[random() % ground.tunnels.size()];
    const auto off = [&random] { return static_cast<std::int64_t>(random() % 5) - 2; };
    const TrnVoxel voxel = {tunnel.start.x + off(), tunnel.start.y + off(), tunnel.start.z + off()};
    const double *const to = tunnel.direction;
    const auto askew = [&random] { return uniform(random, -0.04, 0.04); };
    return ray_of(position_in(voxel, random), to[0] + askew(), to[1] + askew(), to[2] + askew());
}

/// A ray from the rim of the view outwards, or from above the view down to the land.
Ray absent_ray(const StoreGround &ground, std::mt19937 &random)
{
    TrnVoxel voxel = ground.surface(random, 8);
    if (random() % 2) {
        voxel.y = (static_cast<std::int64_t>(ground.view.box.max.x) / 4 + 2) * TRN_CHUNK_EDGE;
        return ray_of(position_in(voxel, random), uniform(random, -1, 1), -1,
                      uniform(random, -1, 1));
    }
    voxel.y += 2;
    return ray_of(position_in(voxel, random), static_cast<double>(voxel.x), uniform(random, 0, 200),
                  static_cast<double>(voxel.z));
}

bool reaches_absent(const RayCase &one, const Ray &ray)
{
    PlainCursor cursor(one.ground->plain);
    bool found = false;
    plain_ray(ray.origin, ray.direction, ray.distance, [&](TrnVoxel voxel) {
        const TrnBlock *const block = cursor.find(voxel);
        found = found || !block;
        return block && one.ground->solid[*block];
    });
    return found;
}

using MakeRay = Ray (*)(const StoreGround &, std::mt19937 &);

/// Chooses rays that pass most of their voxels before they end, the same number of each kind.
void choose_rays(RayCase &one, const std::vector<MakeRay> &kinds)
{
    std::mt19937 random(store_seed);
    while (one.rays.size() < rays_per_call) {
        const MakeRay make = kinds[one.rays.size() % kinds.size()];
        const Ray ray = make(*one.ground, random);
        const bool is_absent = make == absent_ray;
        if (walk_plain(one, ray).passed >= least_passed && reaches_absent(one, ray) == is_absent) {
            one.rays.push_back(ray);
        }
    }
}

// ---- the contenders -----------------------------------------------------------------------------

bool is_same_hit(const PlainHit &plain, const TrnRayHit &hit)
{
    return (hit.end == TRN_RAY_END_BLOCK) == plain.is_block &&
           (hit.end == TRN_RAY_END_DISTANCE) == !plain.is_block && hit.voxel.x == plain.voxel.x &&
           hit.voxel.y == plain.voxel.y && hit.voxel.z == plain.voxel.z &&
           static_cast<int>(hit.face) == plain.face;
}

/// Checks the plain hits: a ray that hits must end in a solid block, and a ray that misses must end
/// in no solid block.
bool plain_hits_right(const RayCase &one)
{
    const std::vector<PlainHit> &hits = one.plain_hits;
    PlainCursor cursor(one.ground->plain);
    bool is_right = hits.size() == one.rays.size();
    for (std::size_t i = 0; is_right && i < hits.size(); i++) {
        const TrnBlock at = cursor.get(hits[i].voxel, TRN_BLOCK_AIR);
        is_right = one.ground->solid[at] == hits[i].is_block && hits[i].passed >= least_passed;
    }
    return is_right;
}

bool hits_right(const RayCase &one)
{
    bool is_right = one.hits.size() == one.rays.size();
    for (std::size_t i = 0; is_right && i < one.hits.size(); i++) {
        is_right = is_same_hit(walk_plain(one, one.rays[i]), one.hits[i]);
    }
    return is_right;
}

/// @param end   finds the end of a ray, by one of the functions above
/// @param hits  receives the ends
template <class Hit>
bench::Attempt ray_attempt(const char *contender, const std::shared_ptr<RayCase> &one,
                           Hit (*end)(const RayCase &, const Ray &),
                           std::vector<Hit> RayCase::*hits, bool (*is_right)(const RayCase &))
{
    return bench::timed(
        contender,
        [one, end, hits] {
            std::vector<Hit> &all = (*one).*hits;
            all.clear();
            for (const Ray &ray : one->rays) {
                all.push_back(end(*one, ray));
            }
        },
        [one, is_right] { return is_right(*one); });
}

bench::Scene make_ray_scene(const Ground &ground, const char *world,
                            const std::vector<MakeRay> &kinds)
{
    auto one = std::make_shared<RayCase>();
    one->ground = ground;
    choose_rays(*one, kinds);
    return bench::scene_with(
        {store_ray, world, "us", rays_per_call},
        {ray_attempt(by_map_ray, one, walk_plain, &RayCase::plain_hits, plain_hits_right),
         ray_attempt(by_store, one, cast, &RayCase::hits, hits_right),
         ray_attempt("Terrane, trn_store_get_block for each voxel", one, walk_store,
                     &RayCase::plain_hits, plain_hits_right)});
}

} // namespace

std::vector<bench::Scene> make_ray_scenes(const Ground &ground)
{
    return {make_ray_scene(ground, "over hills", {hill_ray}),
            make_ray_scene(ground, "through tunnels", {tunnel_ray}),
            make_ray_scene(ground, "through absent chunks", {absent_ray}),
            make_ray_scene(ground, "mixed", {hill_ray, tunnel_ray, absent_ray})};
}

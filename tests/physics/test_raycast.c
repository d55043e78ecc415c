// Rays, compared with a model in integers that computes every boundary crossing without
// rounding, so that voxel, face and order must agree exactly.

#include "ray_world.h"

/// The model's unit of length is 2^-28 voxels, so that 2^21 voxels times a direction of 53 bits fit
/// 128 bits.
#define UNIT_SHIFT 28
#define UNIT (INT64_C(1) << UNIT_SHIFT)

// ---- a world and its model ----------------------------------------------------------------------

/// Returns the place of a chunk in the box, or WORLD_CHUNKS if it is outside.
static size_t world_place(const World *world, TrnCoord coord)
{
    const int64_t x = (int64_t)coord.x - world->lowest.x, y = (int64_t)coord.y - world->lowest.y,
                  z = (int64_t)coord.z - world->lowest.z;
    const bool is_inside =
        x >= 0 && y >= 0 && z >= 0 && x < WORLD_EDGE && y < WORLD_EDGE && z < WORLD_EDGE;
    return is_inside ? (size_t)((y * WORLD_EDGE + z) * WORLD_EDGE + x) : WORLD_CHUNKS;
}

static TrnBlock random_block(TestRandom *random, int kinds)
{
    static const TrnBlock few[] = {TRN_BLOCK_STONE, TRN_BLOCK_WATER, BLOCK_FLOWER, BLOCK_GLASS};
    const int64_t pick = test_random_range(random, 0, kinds - 1);
    return pick < 4 ? few[pick] : (TrnBlock)(BLOCK_MANY + pick);
}

/// @param rare  one in `rare` voxels is not air
static void random_voxels(TestRandom *random, TrnBlock *blocks, int kinds, int rare)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const bool is_air = test_random_range(random, 1, rare) != 1;
        blocks[i] = is_air ? TRN_BLOCK_AIR : random_block(random, kinds);
    }
}

static void fill_voxels(TrnBlock *blocks, TrnBlock block)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = block;
    }
}

/// Chooses a chunk that is not loaded, uniform, or of any width, sparse or dense.
static void random_chunk(World *world, TestRandom *random, size_t place)
{
    static const TrnBlock uniform[] = {TRN_BLOCK_AIR, TRN_BLOCK_AIR, TRN_BLOCK_WATER,
                                       TRN_BLOCK_STONE};
    static const int kinds[] = {1, 3, 4, 12, 100, 500, 500}, rares[] = {2, 20, 300, 5000};
    TrnBlock *blocks = world->blocks[place];
    const int64_t pick = test_random_range(random, 0, 13);
    if (pick < 3) {
        return;
    }
    if (pick < 7) {
        fill_voxels(blocks, uniform[pick - 3]);
    } else {
        random_voxels(random, blocks, kinds[pick - 7], rares[test_random_range(random, 0, 3)]);
    }
    world_put(world, place);
}

static TrnBlock world_block(const World *world, TrnVoxel voxel, bool *present)
{
    const size_t place = world_place(world, trn_voxel_chunk(voxel));
    *present = place < WORLD_CHUNKS && world->present[place];
    return *present ? world->blocks[place][trn_voxel_local_index(voxel)] : TRN_BLOCK_AIR;
}

// ---- the model of a ray -------------------------------------------------------------------------

typedef struct ExactRay {
    TrnCoord chunk;
    int64_t offset[3];    ///< in units
    int64_t direction[3]; ///< below 2^53
    double distance;
} ExactRay;

/// The plane between two voxels, which the ray crosses at `way` / `speed`.
typedef struct Crossing {
    int64_t way;   ///< along the axis, in units, from 0
    int64_t speed; ///< above 0
    int axis;
} Crossing;

typedef struct Crossings {
    Crossing *list;
    size_t count, capacity;
    int64_t cell[3]; ///< where it starts, from the lowest voxel of its chunk
} Crossings;

/// Compares a / b with c / d exactly, by their continued fractions: products would need 128 bits.
/// @return below, equal to or above 0
static int compare_ratios(int64_t a, int64_t b, int64_t c, int64_t d)
{
    for (int sign = 1;; sign = -sign) {
        const int64_t whole_a = a / b, whole_c = c / d;
        const int64_t rest_a = a % b, rest_c = c % d;
        if (whole_a != whole_c) {
            return whole_a < whole_c ? -sign : sign;
        }
        if (rest_a == 0 || rest_c == 0) {
            return sign * ((rest_a > 0) - (rest_c > 0));
        }
        a = b; // of two reciprocals the greater belongs to the lesser number
        b = rest_a;
        c = d;
        d = rest_c;
    }
}

static int compare_crossings(const void *left, const void *right)
{
    const Crossing *a = left, *b = right;
    const int order = compare_ratios(a->way, a->speed, b->way, b->speed);
    return order != 0 ? order : a->axis - b->axis;
}

static long double exact_length(const ExactRay *ray)
{
    long double squares = 0;
    for (int axis = 0; axis < 3; axis++) {
        squares += (long double)ray->direction[axis] * (long double)ray->direction[axis];
    }
    return sqrtl(squares);
}

static long double crossing_distance(const ExactRay *ray, const Crossing *crossing)
{
    return (long double)crossing->way * exact_length(ray) / (long double)crossing->speed /
           (long double)UNIT;
}

static void push_crossing(Crossings *crossings, Crossing crossing)
{
    if (crossings->count == crossings->capacity) {
        crossings->capacity = crossings->capacity * 2 + 1024;
        crossings->list = realloc(crossings->list, crossings->capacity * sizeof *crossings->list);
        assert_non_null(crossings->list);
    }
    crossings->list[crossings->count++] = crossing;
}

static void push_axis(Crossings *crossings, const ExactRay *ray, int axis)
{
    const int64_t direction = ray->direction[axis], offset = ray->offset[axis];
    const int64_t cell = crossings->cell[axis];
    if (direction == 0) {
        return;
    }
    for (int64_t i = 0;; i++) {
        const int64_t way =
            direction > 0 ? (cell + 1 + i) * UNIT - offset : offset - (cell - i) * UNIT;
        const Crossing crossing = {way, direction > 0 ? direction : -direction, axis};
        if (crossing_distance(ray, &crossing) > (long double)ray->distance) {
            return;
        }
        push_crossing(crossings, crossing);
    }
}

/// Computes all crossings within the distance, in order.
static void cut_ray(Crossings *crossings, const ExactRay *ray)
{
    const int32_t corner[3] = {ray->chunk.x, ray->chunk.y, ray->chunk.z};
    crossings->count = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t cell = ray->offset[axis] >> UNIT_SHIFT;
        crossings->cell[axis] = cell == 32 && corner[axis] == INT32_MAX ? 31 : cell;
        push_axis(crossings, ray, axis);
    }
    if (crossings->count) {
        qsort(crossings->list, crossings->count, sizeof *crossings->list, compare_crossings);
    }
}

static TrnVoxel first_voxel(const Crossings *crossings, const ExactRay *ray)
{
    TrnVoxel voxel = trn_coord_voxel(ray->chunk);
    voxel.x += crossings->cell[0];
    voxel.y += crossings->cell[1];
    voxel.z += crossings->cell[2];
    return voxel;
}

static TrnVoxel beyond(TrnVoxel voxel, int axis, bool is_up)
{
    voxel.x += axis == 0 ? is_up ? 1 : -1 : 0;
    voxel.y += axis == 1 ? is_up ? 1 : -1 : 0;
    voxel.z += axis == 2 ? is_up ? 1 : -1 : 0;
    return voxel;
}

static bool model_stops(const World *world, const TrnRayDef *def, TrnBlock block)
{
    return def->stops ? def->stops[block / 32] >> block % 32 & 1
                      : trn_block_types_get(world->types, block)->is_solid;
}

/// Whether the ray ends in the current voxel.
static bool model_ends(const World *world, const TrnRayDef *def, TrnRayHit *hit)
{
    bool present;
    const TrnBlock block = world_block(world, hit->voxel, &present);
    if (!present && def->stops_at_unloaded) {
        hit->end = TRN_RAY_END_UNLOADED;
        return true;
    }
    if (model_stops(world, def, block)) {
        hit->end = TRN_RAY_END_BLOCK;
        hit->block = block;
        return true;
    }
    return false;
}

static TrnRayHit model_cast(const World *world, const ExactRay *ray, const TrnRayDef *def,
                            Crossings *crossings)
{
    cut_ray(crossings, ray);
    TrnRayHit hit = {.voxel = first_voxel(crossings, ray), .face = TRN_FACE_COUNT};
    for (size_t i = 0; !model_ends(world, def, &hit); i++) {
        if (i == crossings->count) {
            hit.end = TRN_RAY_END_DISTANCE;
            hit.distance = ray->distance;
            return hit;
        }
        const Crossing *crossing = &crossings->list[i];
        const bool is_up = ray->direction[crossing->axis] > 0;
        const TrnVoxel next = beyond(hit.voxel, crossing->axis, is_up);
        hit.distance = (double)crossing_distance(ray, crossing);
        if (!trn_voxel_in_world(next)) {
            hit.end = TRN_RAY_END_WORLD;
            return hit;
        }
        hit.voxel = next;
        hit.face = (TrnFace)(2 * crossing->axis + !is_up);
    }
    return hit;
}

// ---- rays against the model ---------------------------------------------------------------------

/// @param scale  of the direction: a power of two, which must not change the result
static TrnRayHit cast(const World *world, const ExactRay *ray, TrnRayDef def, double scale)
{
    const TrnPosition origin = {ray->chunk,
                                {ldexp((double)ray->offset[0], -UNIT_SHIFT),
                                 ldexp((double)ray->offset[1], -UNIT_SHIFT),
                                 ldexp((double)ray->offset[2], -UNIT_SHIFT)}};
    const double direction[3] = {(double)ray->direction[0] * scale,
                                 (double)ray->direction[1] * scale,
                                 (double)ray->direction[2] * scale};
    TrnRayHit hit;
    def.distance_max = ray->distance;
    assert_int_equal(trn_store_raycast(world->store, origin, direction, &def, &hit), TRN_RESULT_OK);
    return hit;
}

static TrnRayEnd check_ray(const World *world, const ExactRay *ray, const TrnRayDef *def,
                           Crossings *crossings)
{
    static const double scales[] = {1, 0x1p-300, 0x1p800, 0x1p-1060};
    const TrnRayHit expected = model_cast(world, ray, def, crossings);
    const TrnRayHit hit = cast(world, ray, *def, scales[0]);
    check_hits(&hit, &expected);
    const TrnRayHit scaled = cast(world, ray, *def, scales[1 + (uint64_t)ray->offset[0] % 3]);
    check_hits(&scaled, &hit);
    assert_true(scaled.distance == hit.distance);
    ExactRay shorter = *ray;
    shorter.distance = nextafter(hit.distance, 0);
    assert_true(hit.distance <= ray->distance);
    assert_true(cast(world, &shorter, *def, scales[0]).distance <= shorter.distance);
    return hit.end;
}

static int64_t random_sign(TestRandom *random)
{
    return test_random_range(random, 0, 1) ? 1 : -1;
}

typedef enum RayKind {
    RAY_ANY,
    RAY_ALONG_AXIS,
    RAY_THROUGH_CORNERS,
    RAY_FROM_BOUNDARY,
    RAY_NEARLY_ALONG_AXIS,
    RAY_LATTICE,
    RAY_KIND_COUNT
} RayKind;

static int64_t random_offset(TestRandom *random, RayKind kind)
{
    if (kind == RAY_ANY || kind == RAY_NEARLY_ALONG_AXIS ||
        (kind == RAY_ALONG_AXIS && test_random_range(random, 0, 1))) {
        return test_random_range(random, 0, 32 * UNIT);
    }
    const int64_t parts = kind == RAY_LATTICE ? 8 : kind == RAY_THROUGH_CORNERS ? 2 : 1;
    return test_random_range(random, 0, 32 * parts) * (UNIT / parts);
}

static int64_t random_component(TestRandom *random, RayKind kind, bool is_first)
{
    const int64_t any =
        test_random_range(random, 1, INT64_C(1) << 53) >> test_random_range(random, 0, 40);
    switch (kind) {
    case RAY_ALONG_AXIS:
        return is_first ? random_sign(random) : 0;
    case RAY_THROUGH_CORNERS:
        return test_random_range(random, -3, 3);
    case RAY_NEARLY_ALONG_AXIS:
        return is_first ? random_sign(random) * (INT64_C(1) << 50)
                        : test_random_range(random, -4, 4);
    case RAY_LATTICE:
        return test_random_range(random, -64, 64);
    default:
        return random_sign(random) * any;
    }
}

static ExactRay random_ray(const World *world, TestRandom *random)
{
    const RayKind kind = (RayKind)test_random_range(random, 0, RAY_KIND_COUNT - 1);
    const int first = (int)test_random_range(random, 0, 2);
    const double distances[] = {0, 0.5, 1, 31.25, 64, 128, 200};
    ExactRay ray = {.distance = distances[test_random_range(random, 0, 6)]};
    while (
        !world_coord(world, (size_t)test_random_range(random, 0, WORLD_CHUNKS - 1), &ray.chunk)) {
    }
    for (int axis = 0; axis < 3; axis++) {
        ray.offset[axis] = random_offset(random, kind);
        ray.direction[axis] = random_component(random, kind, axis == first);
    }
    if (!ray.direction[0] && !ray.direction[1] && !ray.direction[2]) {
        ray.direction[first] = -1;
    }
    if (kind != RAY_ALONG_AXIS) {
        // Not exactly at a boundary: the length is a rounded square root.
        ray.distance *= 1 - (double)test_random_range(random, 1, UNIT) * 0x1p-33;
    }
    return ray;
}

static TrnRayDef random_def(const World *world, TestRandom *random)
{
    const uint32_t *sets[] = {NULL,
                              NULL,
                              trn_block_types_opaque_bits(world->types),
                              world->plants,
                              world->liquids,
                              world->air,
                              world->solid,
                              trn_block_types_solid_bits(world->types)};
    TrnRayDef def = trn_ray_def();
    def.stops = sets[test_random_range(random, 0, 7)];
    def.stops_at_unloaded = test_random_range(random, 0, 3) == 0;
    return def;
}

static void check_world(TestRandom *random, TrnCoord lowest, int rays, uint32_t ends[4])
{
    World *world = world_create(lowest);
    Crossings crossings = {0};
    for (size_t place = 0; place < WORLD_CHUNKS; place++) {
        random_chunk(world, random, place);
    }
    for (int i = 0; i < rays; i++) {
        const TrnRayDef def = random_def(world, random);
        const ExactRay ray = random_ray(world, random);
        ends[check_ray(world, &ray, &def, &crossings)]++;
    }
    free(crossings.list);
    world_destroy(world);
}

static void rays_end_where_exact_arithmetic_says(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0x5AFE7);
    uint32_t ends[4] = {0};
    for (int i = 0; i < 6; i++) {
        const TrnCoord lowest = {(int32_t)test_random_range(&random, -1000000, 1000000),
                                 (int32_t)test_random_range(&random, -4, 4),
                                 (int32_t)test_random_range(&random, -4, 0)};
        check_world(&random, lowest, 6000, ends);
    }
    assert_true(ends[TRN_RAY_END_DISTANCE] > 1000 && ends[TRN_RAY_END_BLOCK] > 1000 &&
                ends[TRN_RAY_END_UNLOADED] > 1000);
}

static void rays_at_the_ends_of_the_world_end_there(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0xE7D);
    uint32_t ends[4] = {0};
    const TrnCoord lowest[] = {{INT32_MAX - 1, INT32_MAX - 2, INT32_MAX - 3},
                               {INT32_MIN, INT32_MIN, INT32_MIN},
                               {INT32_MAX - 2, INT32_MIN, -2},
                               {INT32_MIN, -1, INT32_MAX - 2}};
    for (size_t i = 0; i < 4; i++) {
        check_world(&random, lowest[i], 4000, ends);
    }
    assert_true(ends[TRN_RAY_END_WORLD] > 1000);
}

// ---- every voxel of the path --------------------------------------------------------------------

/// Carves the voxels of a ray's path out of a solid world.
static void carve_ray(World *world, const ExactRay *ray, Crossings *crossings)
{
    cut_ray(crossings, ray);
    TrnVoxel voxel = first_voxel(crossings, ray);
    for (size_t i = 0;; i++) {
        const size_t place = world_place(world, trn_voxel_chunk(voxel));
        if (place < WORLD_CHUNKS) {
            world->blocks[place][trn_voxel_local_index(voxel)] = TRN_BLOCK_AIR;
        }
        if (i == crossings->count) {
            return;
        }
        const int axis = crossings->list[i].axis;
        voxel = beyond(voxel, axis, ray->direction[axis] > 0);
    }
}

static TrnBlock random_solid(const World *world, TestRandom *random)
{
    for (;;) {
        const TrnBlock block = (TrnBlock)test_random_range(random, 1, TYPES_ADDED);
        if (trn_block_types_get(world->types, block)->is_solid) {
            return block;
        }
    }
}

static void fill_solid(World *world, TestRandom *random, size_t place)
{
    const bool has_many = test_random_range(random, 0, 1);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        world->blocks[place][i] = has_many ? random_solid(world, random) : TRN_BLOCK_STONE;
    }
}

static void a_ray_passes_a_tunnel_of_exactly_its_voxels(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0x7077E1);
    World *world = world_create((TrnCoord){-2, -2, -2});
    Crossings crossings = {0};
    for (int i = 0; i < 60; i++) {
        ExactRay ray = random_ray(world, &random);
        ray.distance = 149.337;
        for (size_t place = 0; place < WORLD_CHUNKS; place++) {
            fill_solid(world, &random, place);
        }
        carve_ray(world, &ray, &crossings);
        for (size_t place = 0; place < WORLD_CHUNKS; place++) {
            world_put(world, place);
        }
        TrnRayDef def = trn_ray_def();
        assert_int_equal(check_ray(world, &ray, &def, &crossings), TRN_RAY_END_DISTANCE);
        def.stops = world->solid; // tests blocks instead of the mask
        assert_int_equal(check_ray(world, &ray, &def, &crossings), TRN_RAY_END_DISTANCE);
    }
    free(crossings.list);
    world_destroy(world);
}

/// Places a stone in one voxel of the path, and checks that it is hit through the right face.
static void check_stone(World *world, const ExactRay *ray, TrnVoxel voxel, Crossings *crossings)
{
    const size_t place = world_place(world, trn_voxel_chunk(voxel));
    if (place == WORLD_CHUNKS) {
        return;
    }
    const TrnRayDef def = trn_ray_def();
    TrnBlock *block = &world->blocks[place][trn_voxel_local_index(voxel)];
    *block = TRN_BLOCK_STONE;
    world_put(world, place);
    assert_int_equal(check_ray(world, ray, &def, crossings), TRN_RAY_END_BLOCK);
    *block = TRN_BLOCK_AIR;
    world_put(world, place);
}

static void every_voxel_of_the_path_can_stop_a_ray(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0x570E);
    World *world = world_create((TrnCoord){-2, -2, -2});
    Crossings way = {0}, scratch = {0};
    for (int i = 0; i < 24; i++) {
        ExactRay ray = random_ray(world, &random);
        ray.distance = 89.613;
        cut_ray(&way, &ray);
        TrnVoxel voxel = first_voxel(&way, &ray);
        check_stone(world, &ray, voxel, &scratch);
        for (size_t j = 0; j < way.count; j++) {
            voxel = beyond(voxel, way.list[j].axis, ray.direction[way.list[j].axis] > 0);
            check_stone(world, &ray, voxel, &scratch);
        }
    }
    free(way.list);
    free(scratch.list);
    world_destroy(world);
}

static void a_ray_skips_none_of_a_million_voxels(void **state)
{
    (void)state;
    World *world = world_create((TrnCoord){-2, -2, -2});
    Crossings crossings = {0};
    const TrnRayDef def = trn_ray_def();
    static const ExactRay rays[] = {
        {{0, 0, 0}, {0, 0, 0}, {1, 1, 1}, TRN_RAY_DISTANCE_MAX},
        {{0, 0, 0}, {UNIT / 2, UNIT, 32 * UNIT}, {-1, 0, 0}, TRN_RAY_DISTANCE_MAX},
        {{0, 0, 0}, {UNIT / 3, UNIT / 7, 9 * UNIT}, {-49, 7, -3}, TRN_RAY_DISTANCE_MAX},
        {{0, 0, 0}, {1, 2, 3}, {1234567890123, -987654321, -3456789012345}, 1048575.5},
    };
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(check_ray(world, &rays[i], &def, &crossings), TRN_RAY_END_DISTANCE);
    }
    free(crossings.list);
    world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_end_where_exact_arithmetic_says),
        cmocka_unit_test(rays_at_the_ends_of_the_world_end_there),
        cmocka_unit_test(a_ray_passes_a_tunnel_of_exactly_its_voxels),
        cmocka_unit_test(every_voxel_of_the_path_can_stop_a_ray),
        cmocka_unit_test(a_ray_skips_none_of_a_million_voxels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Positions, overlaps, sweeps and bodies: against slow references, mirrored, moved to the ends of
// the world, and for every promise of body.h.

#include "testing.h"

#include <math.h>

#include <terrane/body.h>

#define PATTERN_EDGE 64
#define PATTERN_VOXELS (PATTERN_EDGE * PATTERN_EDGE * PATTERN_EDGE)
#define GRID 0x1p-40

// ---- scenes ------------------------------------------------------------------------------------

typedef struct Scene {
    TrnStore *store;
    TestAllocator memory;
    TrnBlock ladder;
} Scene;

static void scene_begin(Scene *scene)
{
    memset(scene, 0, sizeof *scene);
    const TrnAllocator allocator = test_allocator(&scene->memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    assert_int_equal(trn_store_create(&def, &scene->store), TRN_RESULT_OK);
    TrnBlockType ladder = trn_block_type_def("test:ladder", TRN_BLOCK_KIND_TRANSPARENT);
    ladder.is_solid = false;
    ladder.is_climbable = true;
    assert_int_equal(
        trn_block_types_add(trn_store_block_types(scene->store), &ladder, &scene->ladder),
        TRN_RESULT_OK);
}

static void scene_end(Scene *scene)
{
    trn_store_destroy(scene->store);
    assert_int_equal(scene->memory.live_blocks, 0);
}

/// Makes a chunk one single block.
static void scene_fill(Scene *scene, TrnCoord coord, TrnBlock block)
{
    TrnChunk *chunk = trn_store_find(scene->store, coord);
    if (!chunk) {
        assert_int_equal(trn_store_insert(scene->store, coord, &chunk), TRN_RESULT_OK);
    }
    trn_store_fill(scene->store, chunk, block);
}

static void scene_put(Scene *scene, TrnVoxel voxel, TrnBlock block)
{
    if (!trn_store_find(scene->store, trn_voxel_chunk(voxel))) {
        scene_fill(scene, trn_voxel_chunk(voxel), TRN_BLOCK_AIR);
    }
    assert_int_equal(trn_store_set_block(scene->store, voxel, block), TRN_RESULT_OK);
}

static void scene_box(Scene *scene, TrnVoxel min, TrnVoxel max, TrnBlock block)
{
    TrnVoxel at;
    for (at.y = min.y; at.y <= max.y; at.y++) {
        for (at.z = min.z; at.z <= max.z; at.z++) {
            for (at.x = min.x; at.x <= max.x; at.x++) {
                scene_put(scene, at, block);
            }
        }
    }
}

static TrnVoxel voxel_of(int64_t x, int64_t y, int64_t z)
{
    const TrnVoxel voxel = {x, y, z};
    return voxel;
}

/// The chunks around the origin, with stone below y 0 and air above.
static void scene_flat(Scene *scene, int32_t radius)
{
    TrnCoord coord;
    for (coord.y = -1; coord.y <= 1; coord.y++) {
        for (coord.z = -radius; coord.z < radius; coord.z++) {
            for (coord.x = -radius; coord.x < radius; coord.x++) {
                const TrnBlock block = (TrnBlock)(coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR);
                scene_fill(scene, coord, block);
            }
        }
    }
}

/// A position some voxels from a corner.
static TrnPosition position_from(TrnVoxel corner, const double by[3])
{
    const TrnCoord chunk = trn_voxel_chunk(corner);
    const TrnPosition position = {
        chunk, {(double)(corner.x & 31), (double)(corner.y & 31), (double)(corner.z & 31)}};
    return trn_position_add(position, by);
}

static TrnPosition position_at(double x, double y, double z)
{
    return position_from(voxel_of(0, 0, 0), (double[3]){x, y, z});
}

/// The way from a corner to a position.
static void from_corner(TrnVoxel corner, TrnPosition position, double out[3])
{
    trn_position_difference(position, position_from(corner, (double[3]){0, 0, 0}), out);
}

/// The side of a box towards one end of an axis.
static TrnFace face_of(int axis, bool is_positive)
{
    return (TrnFace)(2 * axis + is_positive);
}

/// Bit for bit, but for the padding.
static void assert_same_position(TrnPosition a, TrnPosition b)
{
    assert_true(trn_coord_equal(a.chunk, b.chunk));
    assert_memory_equal(a.offset, b.offset, sizeof a.offset);
}

static double place_on(TrnPosition position, int axis)
{
    double place[3];
    from_corner(voxel_of(0, 0, 0), position, place);
    return place[axis];
}

static bool is_free(const Scene *scene, TrnPosition bottom, const double size[3])
{
    TrnOverlap overlap;
    assert_int_equal(trn_store_overlap(scene->store, bottom, size, &overlap), TRN_RESULT_OK);
    return !overlap.solid && !overlap.absent;
}

// ---- positions ---------------------------------------------------------------------------------

static void a_moved_position_is_as_far_away_as_it_was_moved(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(0xB0D1);
    for (int i = 0; i < 100000; i++) {
        TrnPosition from = {{0, 0, 0}, {0, 0, 0}};
        double by[3], back[3];
        from.chunk.x = (int32_t)test_random_range(&random, INT32_MIN + 64, INT32_MAX - 64);
        from.chunk.y = (int32_t)test_random_range(&random, -3, 3);
        from.chunk.z = (int32_t)test_random_range(&random, INT32_MAX - 70, INT32_MAX - 64);
        for (int axis = 0; axis < 3; axis++) {
            from.offset[axis] = (double)test_random_range(&random, 0, (1LL << 45) - 1) * GRID;
            by[axis] = (double)test_random_range(&random, -(1LL << 50), 1LL << 50) * GRID;
        }
        const TrnPosition to = trn_position_add(from, by);
        trn_position_difference(to, from, back);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(to.offset[axis] >= 0 && to.offset[axis] < 32);
            assert_true(back[axis] == by[axis]);
        }
        const TrnVoxel voxel = trn_position_voxel(to);
        assert_true(trn_coord_equal(trn_voxel_chunk(voxel), to.chunk));
        assert_int_equal(voxel.x & 31, (int64_t)to.offset[0]);
    }
}

static void a_tiny_step_back_over_a_border_stays_inside_a_chunk(void **state)
{
    (void)state;
    const TrnPosition corner = {{5, -5, 0}, {0, 0, 0}};
    const double back[3] = {-1e-300, -1e-18, -1e-9};
    const TrnPosition moved = trn_position_add(corner, back);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(moved.offset[axis] >= 0 && moved.offset[axis] < 32);
    }
    assert_int_equal(moved.chunk.z, -1);
    assert_int_equal(moved.chunk.x, 5); // rounds to the border itself
}

static void positions_stop_at_the_ends_of_the_world(void **state)
{
    (void)state;
    const TrnPosition start = {{INT32_MAX - 1, INT32_MIN + 1, 7}, {31, 1, 3}};
    const double wild[4][3] = {
        {65, -65, NAN}, {1e300, -1e300, NAN}, {INFINITY, -INFINITY, NAN}, {1e12, -1e12, NAN}};
    for (int i = 0; i < 4; i++) {
        const TrnPosition end = trn_position_add(start, wild[i]);
        assert_int_equal(end.chunk.x, INT32_MAX);
        assert_true(end.offset[0] < 32 && end.offset[0] > 31.99);
        assert_int_equal(end.chunk.y, INT32_MIN);
        assert_true(end.offset[1] == 0);
        assert_int_equal(end.chunk.z, 7);
        assert_true(end.offset[2] == 3);
        assert_true(trn_voxel_in_world(trn_position_voxel(end)));
    }
    // Right across the world, exactly.
    const TrnPosition low = {{INT32_MIN, 0, 0}, {0, 0, 0}};
    const double across[3] = {137438953471.0, 0, 0};
    const TrnPosition high = trn_position_add(low, across);
    assert_int_equal(high.chunk.x, INT32_MAX);
    assert_true(high.offset[0] == 31);
    double way[3];
    trn_position_difference(high, low, way);
    assert_true(way[0] == across[0]);
}

// ---- patterns ----------------------------------------------------------------------------------

/// 64 x 64 x 64 voxels, which a test puts wherever it likes. What lies outside is absent.
typedef struct Pattern {
    TrnBlock blocks[PATTERN_VOXELS];
    bool absent[8]; ///< chunks, x fastest, then z, then y: never inserted
} Pattern;

static uint32_t pattern_index(int64_t x, int64_t y, int64_t z)
{
    return (uint32_t)(x + PATTERN_EDGE * (z + PATTERN_EDGE * y));
}

static bool is_in_pattern(int64_t x, int64_t y, int64_t z)
{
    return x >= 0 && x < PATTERN_EDGE && y >= 0 && y < PATTERN_EDGE && z >= 0 && z < PATTERN_EDGE;
}

static bool is_pattern_absent(const Pattern *pattern, int64_t x, int64_t y, int64_t z)
{
    return !is_in_pattern(x, y, z) || pattern->absent[(x >> 5) | (z >> 5) << 1 | (y >> 5) << 2];
}

/// Some blocks in the air, or stairs and posts on the ground.
static void pattern_make(Pattern *pattern, TestRandom *random, TrnBlock ladder, bool may_be_absent)
{
    const bool is_land = test_random_next(random) % 2;
    const int64_t layer = (int64_t)PATTERN_EDGE * PATTERN_EDGE;
    const uint64_t density = 1 + test_random_next(random) % 24; // of 128
    uint8_t heights[PATTERN_EDGE * PATTERN_EDGE];
    for (int i = 0; i < PATTERN_EDGE * PATTERN_EDGE; i++) {
        const int64_t near = i > 0 ? heights[i - 1] : 30;
        heights[i] = (uint8_t)(near + test_random_range(random, near > 24 ? -1 : 1, near < 40));
    }
    for (int64_t y = 0; y < PATTERN_EDGE; y++) {
        for (int64_t i = 0; i < layer; i++) {
            const uint64_t roll = test_random_next(random) % 128;
            TrnBlock block = TRN_BLOCK_AIR;
            block = roll < density ? TRN_BLOCK_STONE : block;
            block = roll == 126 ? TRN_BLOCK_WATER : roll == 127 ? ladder : block;
            if (is_land) {
                block = y < heights[i] ? TRN_BLOCK_STONE : roll > 2 ? TRN_BLOCK_AIR : block;
            }
            pattern->blocks[y * layer + i] = block;
        }
    }
    for (int i = 0; i < 8; i++) {
        pattern->absent[i] = may_be_absent && test_random_next(random) % 8 == 0;
        // Uniform chunks have no masks to look at: they are another case.
        const uint64_t kind = test_random_next(random) % 12;
        for (int j = 0; j < TRN_CHUNK_VOXELS && kind < 2; j++) {
            const int64_t x = (j & 31) + (i & 1) * 32, z = (j >> 5 & 31) + (i >> 1 & 1) * 32;
            pattern->blocks[pattern_index(x, (j >> 10) + (i >> 2) * 32, z)] =
                kind ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
        }
    }
}

static TrnBlock pattern_block(const Pattern *pattern, TrnVoxel corner, TrnVoxel voxel)
{
    const int64_t x = voxel.x - corner.x, y = voxel.y - corner.y, z = voxel.z - corner.z;
    return is_in_pattern(x, y, z) ? pattern->blocks[pattern_index(x, y, z)] : TRN_BLOCK_STONE;
}

static void pattern_put_chunk(const Pattern *pattern, Scene *scene, TrnVoxel corner, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnVoxel low = trn_coord_voxel(coord);
    for (int32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const TrnVoxel voxel = {low.x + (i & 31), low.y + (i >> 10), low.z + (i >> 5 & 31)};
        blocks[i] = pattern_block(pattern, corner, voxel);
    }
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert(scene->store, coord, &chunk), TRN_RESULT_OK);
    assert_int_equal(trn_store_set_voxels(scene->store, chunk, blocks), TRN_RESULT_OK);
}

/// Inserts the chunks that a pattern reaches into.
static void pattern_put(const Pattern *pattern, Scene *scene, TrnVoxel corner)
{
    const TrnCoord first = trn_voxel_chunk(corner);
    const TrnCoord last = trn_voxel_chunk(voxel_of(corner.x + 63, corner.y + 63, corner.z + 63));
    for (int32_t y = 0; y <= last.y - first.y; y++) {
        for (int32_t z = 0; z <= last.z - first.z; z++) {
            for (int32_t x = 0; x <= last.x - first.x; x++) {
                const TrnCoord coord = trn_coord_add(first, x, y, z);
                const bool is_aligned = x < 2 && y < 2 && z < 2;
                if (is_aligned && pattern->absent[x | z << 1 | y << 2]) {
                    continue;
                }
                pattern_put_chunk(pattern, scene, corner, coord);
            }
        }
    }
}

/// A pattern that is there, in a scene of its own.
typedef struct PatternScene {
    Scene scene;
    Pattern pattern;
} PatternScene;

static void pattern_scene_begin(PatternScene *made, TestRandom *random, bool may_be_absent)
{
    scene_begin(&made->scene);
    pattern_make(&made->pattern, random, made->scene.ladder, may_be_absent);
    pattern_put(&made->pattern, &made->scene, voxel_of(0, 0, 0));
}

// ---- overlap -----------------------------------------------------------------------------------

/// A box in eighths of a voxel from the corner of a pattern.
typedef struct RefBox {
    int64_t low[3], high[3];
} RefBox;

static RefBox ref_random_box(TestRandom *random, bool may_be_flat)
{
    RefBox box;
    for (int axis = 0; axis < 3; axis++) {
        // Mostly bodies, sometimes halls that reach over three chunks.
        const uint64_t kind = test_random_next(random) % 64;
        const int64_t most = kind == 0 ? 64 : kind < 16 ? 5 : 2;
        const int64_t half = test_random_range(random, may_be_flat ? 0 : 1, 4 * most);
        const int64_t middle = test_random_range(random, 0, PATTERN_EDGE * 8 - 1);
        box.low[axis] = middle - half;
        box.high[axis] = middle + half;
    }
    return box;
}

static TrnPosition ref_bottom(const RefBox *box)
{
    return position_at((double)(box->low[0] + box->high[0]) / 16, (double)box->low[1] / 8,
                       (double)(box->low[2] + box->high[2]) / 16);
}

static void ref_size(const RefBox *box, double size[3])
{
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = (double)(box->high[axis] - box->low[axis]) / 8;
    }
}

/// The voxels that a box overlaps: the first, and how many more.
static void ref_span(const RefBox *box, int axis, int64_t *first, int64_t *last)
{
    *first = box->low[axis] >> 3;
    *last = (box->high[axis] - 1) >> 3;
    *last = *last < *first ? *first : *last;
}

static TrnOverlap ref_overlap(const Scene *scene, const Pattern *pattern, const RefBox *box)
{
    TrnOverlap overlap;
    memset(&overlap, 0, sizeof overlap);
    int64_t first[3], last[3];
    for (int axis = 0; axis < 3; axis++) {
        ref_span(box, axis, &first[axis], &last[axis]);
    }
    for (int64_t y = first[1]; y <= last[1]; y++) {
        for (int64_t z = first[2]; z <= last[2]; z++) {
            for (int64_t x = first[0]; x <= last[0]; x++) {
                if (is_pattern_absent(pattern, x, y, z)) {
                    overlap.absent = true;
                    continue;
                }
                const TrnBlock block = pattern->blocks[pattern_index(x, y, z)];
                if (block == TRN_BLOCK_STONE && !overlap.solid) {
                    overlap.solid = true;
                    overlap.first_solid = voxel_of(x, y, z);
                }
                overlap.climbable |= block == scene->ladder;
                if (block == TRN_BLOCK_WATER) {
                    const int64_t depth = (y + 1) * 8 - box->low[1];
                    const int64_t height = box->high[1] - box->low[1];
                    overlap.liquid = true;
                    overlap.liquid_depth = (double)(depth < height ? depth : height) / 8;
                }
            }
        }
    }
    return overlap;
}

static void overlap_is_what_looking_at_every_voxel_finds(void **state)
{
    (void)state;
    static PatternScene made;
    TestRandom random = test_random_seeded(0x0E71);
    for (int world = 0; world < 20; world++) {
        pattern_scene_begin(&made, &random, true);
        for (int i = 0; i < 2000; i++) {
            const RefBox box = ref_random_box(&random, true);
            double size[3];
            ref_size(&box, size);
            const TrnOverlap expected = ref_overlap(&made.scene, &made.pattern, &box);
            TrnOverlap got;
            assert_int_equal(trn_store_overlap(made.scene.store, ref_bottom(&box), size, &got),
                             TRN_RESULT_OK);
            assert_int_equal(got.solid, expected.solid);
            assert_int_equal(got.liquid, expected.liquid);
            assert_int_equal(got.climbable, expected.climbable);
            assert_int_equal(got.absent, expected.absent);
            assert_true(got.liquid_depth == expected.liquid_depth);
            assert_memory_equal(&got.first_solid, &expected.first_solid, sizeof(TrnVoxel));
        }
        scene_end(&made.scene);
    }
}

static void a_shared_face_is_no_overlap_and_the_least_beyond_it_is(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_put(&scene, voxel_of(5, 0, 5), TRN_BLOCK_STONE);
    const double size[3] = {0.6, 1.8, 0.6};
    assert_true(is_free(&scene, position_at(4.7, 0, 5.5), size));
    assert_false(is_free(&scene, position_at(4.7 + GRID, 0, 5.5), size));
    assert_true(is_free(&scene, position_at(6.3, 0, 5.5), size));
    assert_false(is_free(&scene, position_at(6.3 - GRID, 0, 5.5), size));
    assert_true(is_free(&scene, position_at(5.5, 1, 5.5), size));
    assert_false(is_free(&scene, position_at(5.5, 1 - GRID, 5.5), size));
    // A size too small for the grid is still more than nothing.
    const double speck[3] = {1e-300, 1e-300, 1e-300}, point[3] = {0, 0, 0};
    assert_false(is_free(&scene, position_at(5, 0.5, 5.5), speck));
    assert_false(is_free(&scene, position_at(5, 0.5, 5.5), point));
    assert_true(is_free(&scene, position_at(6, 0.5, 5.5), point));
    assert_false(is_free(&scene, position_at(6, 0.5, 5.5), speck));
    const double fall[3] = {0, -9, 0};
    TrnSweep sweep;
    assert_int_equal(trn_store_sweep(scene.store, position_at(6, 9, 5), speck, fall, 0, &sweep),
                     TRN_RESULT_OK);
    assert_true(sweep.hit[TRN_FACE_NEG_Y] && place_on(sweep.bottom, 1) == 1);
    scene_end(&scene);
}

// ---- a slow sweep ------------------------------------------------------------------------------

/// What a box newly enters by a move along one axis: 0 nothing solid, 1 absent chunks alone, 2 blocks.
static int ref_obstacle(const Pattern *pattern, const RefBox *from, const RefBox *to, int axis)
{
    int64_t first[3], last[3], was_first, was_last, at[3];
    for (int i = 0; i < 3; i++) {
        ref_span(to, i, &first[i], &last[i]);
    }
    ref_span(from, axis, &was_first, &was_last);
    if (first[axis] >= was_first && last[axis] <= was_last) {
        return 0;
    }
    int found = 0;
    for (at[1] = first[1]; at[1] <= last[1]; at[1]++) {
        for (at[2] = first[2]; at[2] <= last[2]; at[2]++) {
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                if (at[axis] >= was_first && at[axis] <= was_last) {
                    continue;
                }
                if (is_pattern_absent(pattern, at[0], at[1], at[2])) {
                    found = found ? found : 1;
                } else if (pattern->blocks[pattern_index(at[0], at[1], at[2])] == TRN_BLOCK_STONE) {
                    found = 2;
                }
            }
        }
    }
    return found;
}

/// Goes along an axis by an eighth at a time. @return how far
static int64_t ref_go(const Pattern *pattern, RefBox *box, int axis, int64_t motion, int *obstacle)
{
    const int64_t by = motion < 0 ? -1 : 1;
    int64_t gone = 0;
    *obstacle = 0;
    while (gone != motion) {
        RefBox next = *box;
        next.low[axis] += by;
        next.high[axis] += by;
        *obstacle = ref_obstacle(pattern, box, &next, axis);
        if (*obstacle) {
            return gone;
        }
        *box = next;
        gone += by;
    }
    return gone;
}

static bool ref_stands(const Pattern *pattern, const RefBox *box)
{
    RefBox copy = *box;
    int obstacle;
    return ref_go(pattern, &copy, 1, -1, &obstacle) == 0;
}

typedef struct RefSweep {
    RefBox box;
    bool hit[TRN_FACE_COUNT];
    bool absent;
    int64_t stepped; ///< eighths
} RefSweep;

/// Goes up by an eighth at a time until the box can go on, on, and down again.
static int64_t ref_step(const Pattern *pattern, RefSweep *sweep, int axis, int64_t motion,
                        int64_t most)
{
    RefBox raised = sweep->box;
    int ignored;
    for (int64_t up = 1; up <= most; up++) {
        if (ref_go(pattern, &raised, 1, 1, &ignored) == 0) {
            return 0;
        }
        RefBox on = raised;
        const int64_t gone = ref_go(pattern, &on, axis, motion, &ignored);
        if (gone != 0) {
            const int64_t down = ref_go(pattern, &on, 1, -up, &ignored);
            sweep->hit[TRN_FACE_NEG_Y] |= ignored != 0;
            sweep->absent |= ignored == 1;
            sweep->stepped += up + down;
            sweep->box = on;
            return gone;
        }
    }
    return 0;
}

static void ref_sideways(const Pattern *pattern, RefSweep *sweep, int axis, int64_t motion,
                         int64_t step)
{
    int obstacle = 0;
    int64_t left = motion;
    while (left != 0) {
        left -= ref_go(pattern, &sweep->box, axis, left, &obstacle);
        if (left == 0 || step == 0 || !ref_stands(pattern, &sweep->box)) {
            break;
        }
        const int64_t gone = ref_step(pattern, sweep, axis, left, step);
        if (gone == 0) {
            break;
        }
        left -= gone;
    }
    if (left != 0) {
        sweep->hit[face_of(axis, motion > 0)] = true;
        sweep->absent |= obstacle == 1;
    }
}

static RefSweep ref_sweep(const Pattern *pattern, const RefBox *box, const int64_t motion[3],
                          int64_t step)
{
    RefSweep sweep;
    memset(&sweep, 0, sizeof sweep);
    sweep.box = *box;
    int obstacle;
    ref_go(pattern, &sweep.box, 1, motion[1], &obstacle);
    if (obstacle) {
        sweep.hit[motion[1] > 0 ? TRN_FACE_POS_Y : TRN_FACE_NEG_Y] = true;
        sweep.absent |= obstacle == 1;
    }
    const int first = llabs(motion[0]) >= llabs(motion[2]) ? 0 : 2;
    ref_sideways(pattern, &sweep, first, motion[first], step);
    ref_sideways(pattern, &sweep, 2 - first, motion[2 - first], step);
    return sweep;
}

static void assert_sweep_as_reference(const PatternScene *made, const RefBox *box,
                                      const int64_t motion[3], int64_t step)
{
    double size[3];
    ref_size(box, size);
    const double by[3] = {(double)motion[0] / 8, (double)motion[1] / 8, (double)motion[2] / 8};
    const RefSweep expected = ref_sweep(&made->pattern, box, motion, step);
    TrnSweep got;
    assert_int_equal(
        trn_store_sweep(made->scene.store, ref_bottom(box), size, by, (double)step / 8, &got),
        TRN_RESULT_OK);
    assert_same_position(got.bottom, ref_bottom(&expected.box));
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        assert_int_equal(got.hit[face], expected.hit[face]);
    }
    assert_int_equal(got.absent, expected.absent);
    assert_int_equal(got.stepped, expected.stepped > 0);
    assert_true(got.step_height == (double)expected.stepped / 8);
}

static void a_sweep_ends_where_eighths_of_a_voxel_at_a_time_end(void **state)
{
    (void)state;
    static PatternScene made;
    TestRandom random = test_random_seeded(0x5EEB);
    for (int world = 0; world < 25; world++) {
        pattern_scene_begin(&made, &random, true);
        for (int i = 0; i < 800; i++) {
            const RefBox box = ref_random_box(&random, false);
            const int64_t most = test_random_next(&random) % 8 ? 40 : 300;
            int64_t motion[3];
            for (int axis = 0; axis < 3; axis++) {
                motion[axis] = test_random_range(&random, -most, most);
                motion[axis] = test_random_next(&random) % 4 ? motion[axis] : 0;
            }
            const int64_t height = box.high[1] - box.low[1];
            const int64_t step = test_random_range(&random, 0, height < 20 ? height : 20);
            assert_sweep_as_reference(&made, &box, motion, step);
        }
        scene_end(&made.scene);
    }
}

static double random_part(TestRandom *random)
{
    return (double)(test_random_next(random) >> 11) * 0x1p-53;
}

static void what_began_free_never_ends_inside(void **state)
{
    (void)state;
    static PatternScene made;
    TestRandom random = test_random_seeded(0xF4EE);
    int swept = 0;
    for (int world = 0; world < 20; world++) {
        pattern_scene_begin(&made, &random, true);
        for (int i = 0; i < 2000; i++) {
            double at[3], size[3], motion[3];
            for (int axis = 0; axis < 3; axis++) {
                at[axis] = random_part(&random) * PATTERN_EDGE;
                size[axis] = random_part(&random) * 2 + 1e-6;
                motion[axis] = random_part(&random) * 20 - 10;
            }
            const TrnPosition from = position_at(at[0], at[1], at[2]);
            if (!is_free(&made.scene, from, size)) {
                continue;
            }
            swept++;
            TrnSweep sweep, again;
            const double step = i % 2 ? size[1] : 0, none[3] = {0, 0, 0};
            assert_int_equal(trn_store_sweep(made.scene.store, from, size, motion, step, &sweep),
                             TRN_RESULT_OK);
            assert_true(is_free(&made.scene, sweep.bottom, size));
            // What rests, rests: the same position goes in and comes out.
            assert_int_equal(
                trn_store_sweep(made.scene.store, sweep.bottom, size, none, step, &again),
                TRN_RESULT_OK);
            assert_same_position(again.bottom, sweep.bottom);
        }
        scene_end(&made.scene);
    }
    assert_true(swept > 5000);
}

static void what_is_stopped_has_not_the_least_step_left(void **state)
{
    (void)state;
    static PatternScene made;
    TestRandom random = test_random_seeded(0x57EB);
    int stopped = 0;
    for (int world = 0; world < 20; world++) {
        pattern_scene_begin(&made, &random, true);
        for (int i = 0; i < 2000; i++) {
            const int axis = i % 3;
            const double size[3] = {random_part(&random) + 0.01, 1.8, random_part(&random) + 0.01};
            const TrnPosition from =
                position_at(random_part(&random) * PATTERN_EDGE, random_part(&random) * 60,
                            random_part(&random) * PATTERN_EDGE);
            double motion[3] = {0, 0, 0}, least[3] = {0, 0, 0};
            motion[axis] = random_part(&random) * 20 - 10;
            least[axis] = motion[axis] > 0 ? GRID : -GRID;
            TrnSweep sweep;
            assert_int_equal(trn_store_sweep(made.scene.store, from, size, motion, 0, &sweep),
                             TRN_RESULT_OK);
            if (is_free(&made.scene, from, size) && sweep.hit[face_of(axis, motion[axis] > 0)]) {
                stopped++;
                const TrnPosition inside = trn_position_add(sweep.bottom, least);
                assert_false(is_free(&made.scene, inside, size));
            }
        }
        scene_end(&made.scene);
    }
    assert_true(stopped > 5000);
}

// ---- the same everywhere -----------------------------------------------------------------------

/// A random place on the grid, at least a voxel inside the pattern.
static void random_place(TestRandom *random, double place[3])
{
    for (int axis = 0; axis < 3; axis++) {
        place[axis] =
            (double)test_random_range(random, 1LL << 40, (PATTERN_EDGE - 1LL) << 40) * GRID;
    }
}

static void random_motion(TestRandom *random, double motion[3])
{
    for (int axis = 0; axis < 3; axis++) {
        motion[axis] = (double)((int64_t)test_random_next(random) >> 11) * 0x1p-52 * 10;
    }
}

static void a_sweep_is_the_same_bit_for_bit_wherever_in_the_world(void **state)
{
    (void)state;
    static Scene scenes[4];
    static Pattern pattern;
    const TrnVoxel corners[4] = {
        {0, 0, 0},
        {TRN_VOXEL_MAX - 63, TRN_VOXEL_MAX - 63, TRN_VOXEL_MAX - 63},
        {TRN_VOXEL_MIN, TRN_VOXEL_MIN, TRN_VOXEL_MIN},
        {-7, 1000003, TRN_VOXEL_MIN + 77}, // borders of chunks elsewhere
    };
    TestRandom random = test_random_seeded(0x5A3E);
    for (int world = 0; world < 12; world++) {
        for (int i = 0; i < 4; i++) {
            scene_begin(&scenes[i]);
        }
        pattern_make(&pattern, &random, scenes[0].ladder, world % 2);
        for (int i = 0; i < 3 + (world % 2 == 0); i++) {
            pattern_put(&pattern, &scenes[i], corners[i]);
        }
        for (int i = 0; i < 2000; i++) {
            double place[3], motion[3], first[3], other[3];
            random_place(&random, place);
            random_motion(&random, motion);
            const double size[3] = {0.6, 1.8, 0.7}, step = i % 2 ? 1 : 0;
            TrnSweep sweep, elsewhere;
            assert_int_equal(trn_store_sweep(scenes[0].store, position_from(corners[0], place),
                                             size, motion, step, &sweep),
                             TRN_RESULT_OK);
            from_corner(corners[0], sweep.bottom, first);
            for (int j = 1; j < 3 + (world % 2 == 0); j++) {
                assert_int_equal(trn_store_sweep(scenes[j].store, position_from(corners[j], place),
                                                 size, motion, step, &elsewhere),
                                 TRN_RESULT_OK);
                from_corner(corners[j], elsewhere.bottom, other);
                assert_memory_equal(first, other, sizeof first);
                assert_memory_equal(sweep.hit, elsewhere.hit, sizeof sweep.hit);
                assert_true(sweep.step_height == elsewhere.step_height);
                assert_true(j == 3 || sweep.absent == elsewhere.absent); // there: stone
            }
        }
        for (int i = 0; i < 4; i++) {
            scene_end(&scenes[i]);
        }
    }
}

static void pattern_mirror(const Pattern *from, Pattern *to, const bool flip[3])
{
    for (int64_t y = 0; y < PATTERN_EDGE; y++) {
        for (int64_t z = 0; z < PATTERN_EDGE; z++) {
            for (int64_t x = 0; x < PATTERN_EDGE; x++) {
                to->blocks[pattern_index(flip[0] ? 63 - x : x, flip[1] ? 63 - y : y,
                                         flip[2] ? 63 - z : z)] =
                    from->blocks[pattern_index(x, y, z)];
            }
        }
    }
    memset(to->absent, 0, sizeof to->absent);
}

static void assert_sweep_mirrored(const Scene scenes[2], const double place[3],
                                  const double motion[3], const bool flip[3], double step)
{
    const double size[3] = {0.6, 1.8, 0.7};
    double flipped[3], back[3], end[3], other_end[3];
    for (int axis = 0; axis < 3; axis++) {
        // Upside down, the bottom is where the top was, and the height is not quite 1.8 on the
        // grid.
        const double height = axis == 1 ? (double)(int64_t)(1.8 * 0x1p39 + 0.5) * 0x1p-39 : 0;
        flipped[axis] = flip[axis] ? PATTERN_EDGE - place[axis] - height : place[axis];
        back[axis] = flip[axis] ? -motion[axis] : motion[axis];
    }
    TrnSweep sweep, other;
    assert_int_equal(trn_store_sweep(scenes[0].store, position_at(place[0], place[1], place[2]),
                                     size, motion, step, &sweep),
                     TRN_RESULT_OK);
    assert_int_equal(trn_store_sweep(scenes[1].store,
                                     position_at(flipped[0], flipped[1], flipped[2]), size, back,
                                     step, &other),
                     TRN_RESULT_OK);
    from_corner(voxel_of(0, 0, 0), sweep.bottom, end);
    from_corner(voxel_of(0, 0, 0), other.bottom, other_end);
    for (int axis = 0; axis < 3; axis++) {
        const double way = end[axis] - place[axis], mirrored = other_end[axis] - flipped[axis];
        assert_true(flip[axis] ? way == -mirrored : way == mirrored);
        assert_int_equal(sweep.hit[face_of(axis, false)], other.hit[face_of(axis, flip[axis])]);
        assert_int_equal(sweep.hit[face_of(axis, true)], other.hit[face_of(axis, !flip[axis])]);
    }
}

static void left_and_right_and_up_and_down_are_alike(void **state)
{
    (void)state;
    static Scene scenes[2];
    static Pattern pattern, mirrored;
    TestRandom random = test_random_seeded(0x3144);
    for (int world = 0; world < 16; world++) {
        const bool flip[3] = {world & 1, (world & 2) != 0, (world & 4) != 0};
        scene_begin(&scenes[0]);
        scene_begin(&scenes[1]);
        pattern_make(&pattern, &random, scenes[0].ladder, false);
        memset(pattern.absent, 0, sizeof pattern.absent);
        pattern_mirror(&pattern, &mirrored, flip);
        pattern_put(&pattern, &scenes[0], voxel_of(0, 0, 0));
        pattern_put(&mirrored, &scenes[1], voxel_of(0, 0, 0));
        for (int i = 0; i < 2000; i++) {
            double place[3], motion[3];
            random_place(&random, place);
            place[1] = place[1] > 62 ? 62 : place[1];
            random_motion(&random, motion);
            assert_sweep_mirrored(scenes, place, motion, flip, flip[1] ? 0 : 0.9 * (i % 3));
        }
        scene_end(&scenes[0]);
        scene_end(&scenes[1]);
    }
}

// ---- sweeps, case by case ----------------------------------------------------------------------

static TrnSweep sweep_by(const Scene *scene, TrnPosition from, double x, double y, double z,
                         double step)
{
    const double size[3] = {0.6, 1.8, 0.6}, motion[3] = {x, y, z};
    TrnSweep sweep;
    assert_int_equal(trn_store_sweep(scene->store, from, size, motion, step, &sweep),
                     TRN_RESULT_OK);
    return sweep;
}

static void the_longest_sweep_does_not_pass_through_one_block(void **state)
{
    (void)state;
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        const int axis = face / 2;
        const int64_t sign = face & 1 ? 1 : -1;
        Scene scene;
        scene_begin(&scene);
        int64_t at[3] = {0, 0, 0};
        for (int64_t chunk = -1; chunk <= 33; chunk++) {
            at[axis] = sign * chunk;
            const TrnCoord coord = {(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]};
            scene_fill(&scene, coord, TRN_BLOCK_AIR);
        }
        // Open, all of it is gone; one block at the very end stops it.
        double by[3] = {0, 0, 0};
        by[axis] = (double)sign * TRN_SWEEP_MAX;
        const TrnPosition from = position_at(16.25, 16.25, 16.25);
        TrnSweep sweep = sweep_by(&scene, from, by[0], by[1], by[2], 0);
        assert_true(place_on(sweep.bottom, axis) == 16.25 + by[axis]);
        int64_t wall[3] = {16, 16, 16};
        wall[axis] += sign * 1020;
        scene_put(&scene, voxel_of(wall[0], wall[1], wall[2]), TRN_BLOCK_STONE);
        sweep = sweep_by(&scene, from, by[0], by[1], by[2], 0);
        assert_true(sweep.hit[face]);
        assert_false(sweep.absent);
        const double reach = axis == 1 ? (sign > 0 ? 1.8 : 0) : 0.3;
        const double face_at = (double)(wall[axis] + (sign > 0 ? 0 : 1));
        const double gap = face_at - (double)sign * reach - place_on(sweep.bottom, axis);
        assert_true(gap < 1e-9 && gap > -1e-9);
        assert_true(is_free(&scene, sweep.bottom, (double[3]){0.6, 1.8, 0.6}));
        scene_end(&scene);
    }
}

static void sliding_along_a_wall_of_blocks_never_snags(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 3);
    scene_box(&scene, voxel_of(-90, 0, 5), voxel_of(90, 3, 5), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(-90, 0, -6), voxel_of(90, 3, -6), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(-90, 2, -6), voxel_of(90, 2, 5), TRN_BLOCK_STONE); // a low roof
    for (int side = -1; side <= 1; side += 2) {
        for (int way = -1; way <= 1; way += 2) {
            const TrnPosition start = position_at(-80.0 * way, 0, 4.5 * side);
            TrnPosition at = sweep_by(&scene, start, 0, 0, side, 0).bottom;
            const double z = place_on(at, 2);
            double x = place_on(at, 0);
            for (int i = 0; i < 1500; i++) {
                // Into the floor, into the wall, against the roof, and along.
                const TrnSweep sweep =
                    sweep_by(&scene, at, 0.0625 * way, i % 2 ? 0.5 : -0.5, 0.04 * side, 0);
                x += 0.0625 * way;
                assert_true(place_on(sweep.bottom, 0) == x);
                assert_true(place_on(sweep.bottom, 2) == z);
                assert_true(sweep.hit[side > 0 ? TRN_FACE_POS_Z : TRN_FACE_NEG_Z]);
                assert_false(sweep.hit[TRN_FACE_NEG_X] || sweep.hit[TRN_FACE_POS_X]);
                at = sweep.bottom;
            }
        }
    }
    scene_end(&scene);
}

static void a_box_goes_up_by_as_little_as_lets_it_on(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(2, 0, -4), voxel_of(2, 0, 4), TRN_BLOCK_STONE); // 1 high
    scene_box(&scene, voxel_of(6, 0, -4), voxel_of(9, 1, 4), TRN_BLOCK_STONE); // 2 high
    const TrnPosition before_one = position_at(1, 0, 0), before_two = position_at(5, 0, 0);
    TrnSweep sweep = sweep_by(&scene, before_one, 1.5, 0, 0, 1);
    assert_true(sweep.stepped && sweep.step_height == 1 && place_on(sweep.bottom, 1) == 1);
    assert_true(place_on(sweep.bottom, 0) == 2.5 && !sweep.hit[TRN_FACE_POS_X]);
    sweep = sweep_by(&scene, before_one, 1.5, 0, 0, 1.8);
    assert_true(sweep.step_height == 1);
    sweep = sweep_by(&scene, before_one, 1.5, 0, 0, 0.999); // blocks are whole
    assert_true(!sweep.stepped && sweep.hit[TRN_FACE_POS_X] && place_on(sweep.bottom, 1) == 0);
    sweep = sweep_by(&scene, before_two, 2, 0, 0, 1.8);
    assert_true(!sweep.stepped && sweep.hit[TRN_FACE_POS_X]);
    // Over it and down again: no height was won.
    sweep = sweep_by(&scene, before_one, 3, 0, 0, 1);
    assert_true(!sweep.stepped && place_on(sweep.bottom, 1) == 0 && place_on(sweep.bottom, 0) == 4);
    // In the air nothing is right below it.
    sweep = sweep_by(&scene, position_at(1, 0.25, 0), 1.5, 0, 0, 1);
    assert_true(!sweep.stepped && sweep.hit[TRN_FACE_POS_X]);
    // A tall one takes two, but not under a roof.
    const double tall[3] = {0.6, 2.5, 0.6}, on[3] = {2, 0, 0};
    assert_int_equal(trn_store_sweep(scene.store, before_two, tall, on, 2.5, &sweep),
                     TRN_RESULT_OK);
    assert_true(sweep.step_height == 2 && place_on(sweep.bottom, 0) == 7);
    scene_box(&scene, voxel_of(5, 4, -1), voxel_of(5, 4, 1), TRN_BLOCK_STONE);
    assert_int_equal(trn_store_sweep(scene.store, before_two, tall, on, 2.5, &sweep),
                     TRN_RESULT_OK);
    assert_true(!sweep.stepped && place_on(sweep.bottom, 1) == 0);
    scene_end(&scene);
}

static void a_staircase_is_many_steps_of_one_sweep(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    for (int i = 0; i < 20; i++) {
        scene_box(&scene, voxel_of(-3, 0, 2 + i), voxel_of(3, i, 2 + i), TRN_BLOCK_STONE);
    }
    const TrnSweep sweep = sweep_by(&scene, position_at(0, 0, 0), 0, -0.1, 21.5, 1);
    assert_true(sweep.step_height == 20 && place_on(sweep.bottom, 1) == 20);
    assert_true(place_on(sweep.bottom, 2) == 21.5 && sweep.hit[TRN_FACE_NEG_Y]);
    scene_end(&scene);
}

static void what_began_inside_gets_out_but_not_into_other_blocks(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(4, 0, 4), voxel_of(4, 1, 4), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(5, 0, 4), voxel_of(5, 1, 4), TRN_BLOCK_STONE);
    const TrnPosition inside = position_at(4.5, 0, 4.5);
    TrnSweep sweep = sweep_by(&scene, inside, -2, 0, 0, 0);
    assert_true(place_on(sweep.bottom, 0) == 2.5);
    sweep = sweep_by(&scene, inside, 2, 0, 0, 0); // up to the other block
    assert_true(sweep.hit[TRN_FACE_POS_X] && place_on(sweep.bottom, 0) < 4.7 + 1e-9);
    sweep = sweep_by(&scene, inside, 0, 0, -2, 0);
    assert_true(place_on(sweep.bottom, 2) == 2.5);
    sweep = sweep_by(&scene, inside, 0, -1, 0, 0); // the floor is another block as well
    assert_true(place_on(sweep.bottom, 1) == 0 && sweep.hit[TRN_FACE_NEG_Y]);
    scene_end(&scene);
}

static void what_is_partly_outside_the_world_does_not_leave_it(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    const TrnCoord ends[2] = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    for (int side = 0; side < 2; side++) {
        scene_fill(&scene, ends[side], TRN_BLOCK_AIR);
        const double near = side ? 31.9 : 0.1, way = side ? 5 : -5;
        const TrnPosition from = {ends[side], {near, near, near}};
        const TrnSweep out = sweep_by(&scene, from, way, way, way, 0);
        assert_true(trn_coord_equal(out.bottom.chunk, ends[side]) && out.absent);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(out.bottom.offset[axis] >= 0 && out.bottom.offset[axis] < 32);
            assert_true(out.hit[face_of(axis, side)]);
        }
        const TrnPosition beside = {ends[side], {near, 16, 16}};
        const TrnSweep back = sweep_by(&scene, beside, -way, 0, 0, 0);
        const double gone = back.bottom.offset[0] - (near - way);
        assert_true(gone < 1e-9 && gone > -1e-9 && !back.hit[0] && !back.hit[1]);
    }
    // An offset that the grid rounds up to 32, in the last chunk.
    const TrnPosition last = {ends[1], {31.999999999999996, 5, 31.999999999999996}};
    const TrnSweep rest = sweep_by(&scene, last, 0, 0, 0, 0);
    assert_true(trn_coord_equal(rest.bottom.chunk, ends[1]) && rest.bottom.offset[0] < 32);
    scene_end(&scene);
}

static void the_ends_of_the_world_do_not_lead_to_each_other(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        Scene scene;
        scene_begin(&scene);
        for (int side = 0; side < 2; side++) {
            int32_t at[3] = {3, 3, 3};
            at[axis] = side ? INT32_MAX : INT32_MIN;
            const TrnCoord coord = {at[0], at[1], at[2]};
            scene_fill(&scene, coord, TRN_BLOCK_AIR);
        }
        for (int side = 0; side < 2; side++) {
            int32_t at[3] = {3, 3, 3};
            at[axis] = side ? INT32_MAX : INT32_MIN;
            const TrnPosition from = {{at[0], at[1], at[2]}, {16, 16, 16}};
            double by[3] = {0, 0, 0};
            by[axis] = side ? 40 : -40;
            const TrnSweep sweep = sweep_by(&scene, from, by[0], by[1], by[2], 1);
            assert_true(sweep.hit[face_of(axis, side)] && sweep.absent);
            assert_true(trn_coord_equal(sweep.bottom.chunk, from.chunk));
            TrnOverlap overlap;
            double size[3] = {1, 1, 1}, most[3] = {31.75, 30.25, 31.75};
            assert_true(sweep.bottom.offset[axis] < most[axis]);
            size[axis] = 40;
            assert_int_equal(trn_store_overlap(scene.store, from, size, &overlap), TRN_RESULT_OK);
            assert_true(overlap.absent && !overlap.solid);
        }
        scene_end(&scene);
    }
}

static void blocks_count_before_absent_chunks_at_the_same_place(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    const TrnCoord air = {0, 0, 0}, beside = {1, 0, 0}, stone = {0, -1, 0};
    scene_fill(&scene, air, TRN_BLOCK_AIR);
    scene_fill(&scene, beside, TRN_BLOCK_AIR);
    scene_fill(&scene, stone, TRN_BLOCK_STONE);
    TrnSweep sweep = sweep_by(&scene, position_at(32, 5, 5), 0, -9, 0, 0);
    assert_true(sweep.hit[TRN_FACE_NEG_Y] && !sweep.absent && place_on(sweep.bottom, 1) == 0);
    sweep = sweep_by(&scene, position_at(33, 5, 5), 0, -9, 0, 0);
    assert_true(sweep.hit[TRN_FACE_NEG_Y] && sweep.absent && place_on(sweep.bottom, 1) == 0);
    scene_end(&scene);
}

// ---- bodies ------------------------------------------------------------------------------------

static const TrnBodyWish NO_WISH = {{0, 0, 0}, false, false};

static void step_body(const Scene *scene, const TrnBodyDef *def, TrnBody *body,
                      const TrnBodyWish *wish, double seconds)
{
    assert_int_equal(trn_body_step(scene->store, def, body, wish, seconds), TRN_RESULT_OK);
}

static void step_body_often(const Scene *scene, const TrnBodyDef *def, TrnBody *body,
                            const TrnBodyWish *wish, int steps)
{
    for (int i = 0; i < steps; i++) {
        step_body(scene, def, body, wish, 1.0 / 60);
    }
}

static TrnBody body_at(double x, double y, double z)
{
    TrnBody body;
    memset(&body, 0, sizeof body);
    body.position = position_at(x, y, z);
    return body;
}

static TrnBodyWish wish_of(double x, double y, double z, bool jump, bool sneak)
{
    const TrnBodyWish wish = {{x, y, z}, jump, sneak};
    return wish;
}

static void a_million_steps_on_the_floor_leave_a_body_where_it_was(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    const TrnBodyDef def = trn_body_def();
    TrnBody body = body_at(0.1, 3.3, -0.7);
    step_body_often(&scene, &def, &body, NULL, 120);
    assert_true(body.on_ground && place_on(body.position, 1) == 0);
    const TrnBody rest = body;
    for (int i = 0; i < 1000000; i++) {
        assert_int_equal(trn_body_step(scene.store, &def, &body, NULL, 1.0 / 60), TRN_RESULT_OK);
        const double *at = body.position.offset, *was = rest.position.offset;
        if (!body.on_ground || body.velocity[1] != 0 || at[0] != was[0] || at[1] != was[1] ||
            at[2] != was[2]) {
            fail_msg("moved at step %d", i);
        }
    }
    assert_true(body.hit[TRN_FACE_NEG_Y] && !body.waits);
    scene_end(&scene);
}

static double jump_height(const Scene *scene, double seconds)
{
    const TrnBodyDef def = trn_body_def();
    const TrnBodyWish jump = wish_of(0, 0, 0, true, false);
    TrnBody body = body_at(0.5, 0, 0.5);
    step_body(scene, &def, &body, &jump, seconds);
    assert_false(body.on_ground);
    double top = 0;
    while (!body.on_ground) {
        top = place_on(body.position, 1) > top ? place_on(body.position, 1) : top;
        step_body(scene, &def, &body, NULL, seconds);
    }
    assert_true(place_on(body.position, 1) == 0 && body.velocity[1] == 0);
    return top;
}

static void jumps_and_falls_do_not_depend_on_the_length_of_steps(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    const TrnBodyDef def = trn_body_def();
    const double height = def.jump_speed * def.jump_speed / (2 * def.gravity);
    assert_true(height > 1.2 && height < 1.5);
    for (int rate = 20; rate <= 960; rate *= 2) {
        const double top = jump_height(&scene, 1.0 / rate);
        // Seen at the steps alone, the top may lie between two of them.
        assert_true(top <= height + 1e-9);
        assert_true(top > height - def.gravity / (8.0 * rate * rate) - 1e-9);
        TrnBody body = body_at(0.5, 30, 0.5);
        step_body(&scene, &def, &body, NULL, 0);
        for (int i = 0; i < rate; i++) {
            step_body(&scene, &def, &body, NULL, 1.0 / rate);
        }
        assert_true(place_on(body.position, 1) < 14 + 1e-9 &&
                    place_on(body.position, 1) > 14 - 1e-9);
    }
    scene_end(&scene);
}

static void a_body_walks_at_its_speed_and_no_faster_askew(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 3);
    const TrnBodyDef def = trn_body_def();
    const double wild[4][2] = {{1, 0}, {-1, 1}, {1e300, 1e300}, {3, -4}};
    for (int i = 0; i < 4; i++) {
        TrnBody body = body_at(0, 0, 0);
        const TrnBodyWish wish = wish_of(wild[i][0], 1e308, wild[i][1], false, false);
        step_body_often(&scene, &def, &body, &wish, 60);
        const double square =
            body.velocity[0] * body.velocity[0] + body.velocity[2] * body.velocity[2];
        assert_true(square > 4.3 * 4.3 - 1e-9 && square < 4.3 * 4.3 + 1e-9);
        assert_true(body.on_ground && body.velocity[1] == 0);
        step_body_often(&scene, &def, &body, NULL, 60);
        assert_true(body.velocity[0] == 0 && body.velocity[2] == 0);
    }
    TrnBody slow = body_at(0, 0, 0);
    const TrnBodyWish half = wish_of(0, 0, -0.5, false, false);
    step_body_often(&scene, &def, &slow, &half, 60);
    assert_true(slow.velocity[2] > -2.15 - 1e-9 && slow.velocity[2] < -2.15 + 1e-9);
    scene_end(&scene);
}

static void a_person_jumps_onto_one_block_and_not_onto_two(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(3, 0, -2), voxel_of(5, 0, 2), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(-6, 0, -2), voxel_of(-4, 1, 2), TRN_BLOCK_STONE);
    const TrnBodyDef def = trn_body_def();
    for (int jump = 0; jump < 2; jump++) {
        TrnBody body = body_at(2, 0, 0);
        TrnBodyWish wish = wish_of(1, 0, 0, jump, false);
        double top = 0;
        for (int i = 0; i < 60; i++) {
            step_body(&scene, &def, &body, &wish, 1.0 / 60);
            top = body.on_ground && place_on(body.position, 1) > top ? place_on(body.position, 1)
                                                                     : top;
        }
        assert_true(top == (jump ? 1 : 0));
        body = body_at(-2, 0, 0);
        wish = wish_of(-1, 0, 0, jump, false);
        step_body_often(&scene, &def, &body, &wish, 200);
        assert_true(place_on(body.position, 0) > -3 && body.hit[TRN_FACE_NEG_X]);
    }
    // With a step of 1 it needs no jump, and says by how much it rose.
    TrnBodyDef stepping = def;
    stepping.step_height = 1;
    TrnBody body = body_at(2, 0, 0);
    const TrnBodyWish wish = wish_of(1, 0, 0, false, false);
    double risen = 0;
    for (int i = 0; i < 40; i++) {
        step_body(&scene, &stepping, &body, &wish, 1.0 / 60);
        risen += body.step_height;
        assert_true(body.on_ground);
    }
    assert_true(risen == 1 && place_on(body.position, 1) == 1);
    scene_end(&scene);
}

static void a_body_that_is_thrown_up_does_not_jump_as_well(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    const TrnBodyDef def = trn_body_def();
    const TrnBodyWish jump = wish_of(0, 0, 0, true, false);
    TrnBody body = body_at(0, 0, 0);
    body.velocity[1] = 5;
    step_body(&scene, &def, &body, &jump, 1.0 / 64);
    assert_true(body.velocity[1] == 5 - def.gravity / 64 && !body.on_ground);
    scene_end(&scene);
}

static void nothing_falls_faster_than_it_may(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    for (int32_t y = -20; y <= 10; y++) {
        const TrnCoord coord = {0, y, 0};
        const TrnBlock block = y == -20 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR;
        scene_fill(&scene, coord, block);
    }
    TrnBodyDef def = trn_body_def();
    def.fall_speed_max = 20;
    TrnBody body = body_at(5, 300, 5);
    step_body_often(&scene, &def, &body, NULL, 120);
    assert_true(body.velocity[1] == -20);
    body.velocity[1] = -TRN_BODY_SPEED_MAX; // thrown: no faster either, and not through the ground
    step_body_often(&scene, &def, &body, NULL, 3000);
    assert_true(body.on_ground && place_on(body.position, 1) == -19 * 32);
    scene_end(&scene);
}

// ---- water -------------------------------------------------------------------------------------

/// A basin of water, its surface at y 0, with a shore that begins at x 8 and is so high.
static void scene_basin(Scene *scene, int64_t shore)
{
    scene_begin(scene);
    scene_flat(scene, 1);
    scene_box(scene, voxel_of(-8, -9, -8), voxel_of(7, -1, 7), TRN_BLOCK_WATER);
    if (shore > 0) {
        scene_box(scene, voxel_of(8, 0, -8), voxel_of(14, shore - 1, 7), TRN_BLOCK_STONE);
    }
}

static void a_floating_body_comes_to_rest_at_the_surface(void **state)
{
    (void)state;
    Scene scene;
    scene_basin(&scene, 0);
    const TrnBodyDef def = trn_body_def();
    for (int rate = 4; rate <= 240; rate *= 2) {
        TrnBody body = body_at(0, 6, 0);
        for (int i = 0; i < 30 * rate; i++) {
            step_body(&scene, &def, &body, NULL, 1.0 / rate);
        }
        const double rest = -def.size[1] * def.gravity / def.buoyancy;
        const double at = place_on(body.position, 1);
        assert_true(at > rest - 1e-6 && at < rest + 1e-6);
        assert_true(body.in_liquid && !body.under_liquid && !body.on_ground);
        const TrnBody before = body;
        for (int i = 0; i < 10000; i++) {
            step_body(&scene, &def, &body, NULL, 1.0 / rate);
        }
        double moved[3];
        trn_position_difference(body.position, before.position, moved);
        assert_true(moved[0] == 0 && moved[2] == 0 && moved[1] < 1e-6 && moved[1] > -1e-6);
    }
    scene_end(&scene);
}

static void a_swimmer_is_as_fast_in_all_directions(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    TrnCoord coord;
    for (coord.y = -3; coord.y <= 2; coord.y++) {
        for (coord.z = -2; coord.z <= 1; coord.z++) {
            for (coord.x = -2; coord.x <= 1; coord.x++) {
                scene_fill(&scene, coord, TRN_BLOCK_WATER);
            }
        }
    }
    TrnBodyDef def = trn_body_def();
    const double ways[7][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1},
                               {0, 1, 0}, {0, -1, 0}, {0, 0, 0}};
    for (int sinks = 0; sinks < 2; sinks++) {
        def.buoyancy = sinks ? 20 : def.gravity; // one that hovers, and one that sinks
        for (int i = 0; i < 7; i++) {
            TrnBody body = body_at(0, 0, 0);
            // The last is the key for jumping.
            const TrnBodyWish wish = wish_of(ways[i][0], ways[i][1], ways[i][2], i == 6, false);
            step_body_often(&scene, &def, &body, &wish, 240);
            assert_true(body.under_liquid && body.in_liquid);
            const double wished[3] = {ways[i][0], i == 6 ? 1 : ways[i][1], ways[i][2]};
            for (int axis = 0; axis < 3; axis++) {
                const double error = body.velocity[axis] - wished[axis] * def.swim_speed;
                assert_true((error < 1e-3 && error > -1e-3) || (sinks && axis == 1 && i < 4));
            }
            assert_true(!sinks || i >= 4 || body.velocity[1] < -1); // sinks meanwhile
        }
    }
    scene_end(&scene);
}

static void a_sinking_body_stands_on_the_bottom(void **state)
{
    (void)state;
    Scene scene;
    scene_basin(&scene, 0);
    TrnBodyDef def = trn_body_def();
    def.buoyancy = 10;
    TrnBody body = body_at(0, 3, 0);
    step_body_often(&scene, &def, &body, NULL, 600);
    assert_true(body.on_ground && body.under_liquid && place_on(body.position, 1) == -9);
    scene_end(&scene);
}

static void a_swimmer_gets_out_of_the_water_onto_a_shore(void **state)
{
    (void)state;
    for (int64_t shore = 0; shore <= 2; shore++) {
        for (int rate = 4; rate <= 320; rate += rate / 4) { // from the longest step on
            Scene scene;
            scene_basin(&scene, shore);
            const TrnBodyDef def = trn_body_def();
            const TrnBodyWish wish = wish_of(1, 0, 0, true, false);
            TrnBody body = body_at(4, -4, 0);
            bool is_out = false;
            for (int i = 0; i < 10 * rate && !is_out; i++) {
                step_body(&scene, &def, &body, &wish, 1.0 / rate);
                is_out = body.on_ground && place_on(body.position, 1) == (double)shore;
            }
            assert_int_equal(is_out, shore < 2); // two above the water is too high
            scene_end(&scene);
        }
    }
}

static void holding_jump_in_open_water_does_not_leap_out_of_it(void **state)
{
    (void)state;
    Scene scene;
    scene_basin(&scene, 0);
    const TrnBodyDef def = trn_body_def();
    const TrnBodyWish up = wish_of(0, 0, 0, true, false);
    TrnBody body = body_at(0, -8, 0);
    for (int i = 0; i < 3600; i++) {
        step_body(&scene, &def, &body, &up, 1.0 / 60);
        assert_true(body.in_liquid && place_on(body.position, 1) < -0.3);
    }
    assert_false(body.under_liquid);
    scene_end(&scene);
}

// ---- ladders -----------------------------------------------------------------------------------

static void ladders_hold_and_carry(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(3, 0, 0), voxel_of(3, 9, 0), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(2, 0, 0), voxel_of(2, 9, 0), scene.ladder);
    const TrnBodyDef def = trn_body_def();
    TrnBody body = body_at(2.5, 5, 0.5);
    step_body(&scene, &def, &body, NULL, 1.0 / 60);
    assert_true(body.on_ladder);
    step_body_often(&scene, &def, &body, NULL, 600);
    assert_true(place_on(body.position, 1) == 5 && body.velocity[1] == 0);
    const TrnBodyWish up = wish_of(0, 1, 0, false, false), down = wish_of(0, -1, 0, false, false);
    const TrnBodyWish jump = wish_of(0, 0, 0, true, false), hold = wish_of(0, 1, 1, true, true);
    step_body_often(&scene, &def, &body, &up, 60);
    double at = place_on(body.position, 1);
    assert_true(at > 5 + def.climb_speed - 1e-9 && at < 5 + def.climb_speed + 1e-9);
    step_body_often(&scene, &def, &body, &down, 60);
    step_body_often(&scene, &def, &body, &jump, 60);
    at = place_on(body.position, 1);
    assert_true(at > 5 + def.climb_speed - 1e-9 && at < 5 + def.climb_speed + 1e-9);
    const TrnBody before = body;
    step_body_often(&scene, &def, &body, &hold, 60);
    assert_same_position(body.position, before.position);
    body.velocity[1] = -50; // a fall ends on it
    step_body_often(&scene, &def, &body, NULL, 1);
    assert_same_position(body.position, before.position);
    step_body_often(&scene, &def, &body, &down, 600);
    assert_true(body.on_ground && place_on(body.position, 1) == 0);
    // Up, and onto what the ladder leans on.
    const TrnBodyWish over = wish_of(1, 1, 0, false, false);
    for (int i = 0; i < 1200 && !(body.on_ground && place_on(body.position, 1) == 10); i++) {
        step_body(&scene, &def, &body, &over, 1.0 / 60);
    }
    assert_true(body.on_ground && place_on(body.position, 1) == 10);
    scene_end(&scene);
}

// ---- sneaking ----------------------------------------------------------------------------------

static void a_sneaking_body_stops_at_every_edge(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(-3, 0, -3), voxel_of(2, 2, 2), TRN_BLOCK_STONE);
    const TrnBodyDef def = trn_body_def();
    for (int x = -1; x <= 1; x++) {
        for (int z = -1; z <= 1; z++) {
            const TrnBodyWish sneak = wish_of(x, 0, z, false, true);
            TrnBody body = body_at(0.01, 3, -0.02);
            for (int i = 0; i < 600; i++) {
                step_body(&scene, &def, &body, &sneak, 1.0 / 60);
                assert_true(body.on_ground && place_on(body.position, 1) == 3);
            }
            // The least step of the grid is left on the block.
            const double way[3] = {x, 0, z};
            for (int axis = 0; axis < 3; axis += 2) {
                const double at = place_on(body.position, axis) * way[axis];
                assert_true(way[axis] == 0 || (at < 3.3 && at > 3.3 - 2 * GRID));
                assert_true(body.velocity[axis] == 0);
            }
            // Not sneaking it falls.
            const TrnBodyWish walk = wish_of(x, 0, z, false, false);
            step_body_often(&scene, &def, &body, &walk, 60);
            assert_true(place_on(body.position, 1) == (x || z ? 0 : 3));
        }
    }
    scene_end(&scene);
}

static void sneaking_over_a_step_does_not_go_over_the_edge_behind_it(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(0, 0, 0), voxel_of(3, 4, 0), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(3, 5, 0), voxel_of(3, 5, 0), TRN_BLOCK_STONE); // then the edge
    TrnBodyDef def = trn_body_def();
    def.step_height = 1;
    def.walk_speed = 60;
    def.ground_acceleration = 1e6;
    TrnBody body = body_at(1, 5, 0.5);
    const TrnBodyWish sneak = wish_of(1, 0, 0, false, true);
    for (int i = 0; i < 10; i++) {
        step_body(&scene, &def, &body, &sneak, 0.25); // 15 voxels
        assert_true(body.on_ground && place_on(body.position, 1) == 6);
    }
    scene_end(&scene);
}

static void sneaking_goes_down_what_it_could_step_up(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(0, 0, 0), voxel_of(3, 2, 0), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(4, 0, 0), voxel_of(6, 1, 0), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(10, 0, 0), voxel_of(10, 2, 0), TRN_BLOCK_STONE); // beyond a gap
    TrnBodyDef def = trn_body_def();
    def.step_height = 1;
    TrnBody body = body_at(1, 3, 0.5);
    const TrnBodyWish sneak = wish_of(1, 0, 0, false, true);
    step_body_often(&scene, &def, &body, &sneak, 600);
    assert_true(body.on_ground && place_on(body.position, 1) == 2); // down one, not down two
    assert_true(place_on(body.position, 0) > 7.2 && place_on(body.position, 0) < 7.3);
    scene_end(&scene);
}

static void sneaking_down_a_step_keeps_to_the_next_edge(void **state)
{
    (void)state;
    const double steps[] = {1.0 / 144, 1.0 / 60, 1.0 / 20, 1.0 / 8};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        Scene scene;
        scene_begin(&scene);
        scene_flat(&scene, 1);
        scene_box(&scene, voxel_of(0, 0, 0), voxel_of(3, 4, 0), TRN_BLOCK_STONE);
        scene_box(&scene, voxel_of(4, 0, 0), voxel_of(4, 3, 0), TRN_BLOCK_STONE); // one block wide
        TrnBodyDef def = trn_body_def();
        def.step_height = 1;
        TrnBody body = body_at(1, 5, 0.5);
        const TrnBodyWish sneak = wish_of(1, 0, 0, false, true);
        for (int step = 0; step < (int)(4 / steps[i]); step++) {
            step_body(&scene, &def, &body, &sneak, steps[i]);
        }
        assert_true(body.on_ground && place_on(body.position, 1) == 4);
        assert_true(place_on(body.position, 0) > 5.2 && place_on(body.position, 0) < 5.31);
        scene_end(&scene);
    }
}

/// Leaves nothing but stone: water lifts, and ladders carry.
static void pattern_dry(Pattern *pattern)
{
    for (int i = 0; i < PATTERN_VOXELS; i++) {
        const bool is_stone = pattern->blocks[i] == TRN_BLOCK_STONE;
        pattern->blocks[i] = (TrnBlock)(is_stone ? TRN_BLOCK_STONE : TRN_BLOCK_AIR);
    }
}

static void sneaking_bodies_never_lose_the_ground(void **state)
{
    (void)state;
    static PatternScene made;
    TestRandom random = test_random_seeded(0x51EA);
    const TrnBodyDef def = trn_body_def();
    for (int world = 0; world < 30; world++) {
        scene_begin(&made.scene);
        pattern_make(&made.pattern, &random, TRN_BLOCK_AIR, true);
        pattern_dry(&made.pattern);
        pattern_put(&made.pattern, &made.scene, voxel_of(0, 0, 0));
        TrnBody body = body_at(20 + world % 7, 62, 30);
        step_body_often(&made.scene, &def, &body, NULL, 240);
        if (!body.on_ground || !is_free(&made.scene, body.position, def.size)) {
            scene_end(&made.scene);
            continue;
        }
        const double y = place_on(body.position, 1);
        for (int i = 0; i < 3000; i++) {
            const double x = (double)test_random_range(&random, -100, 100) / 100;
            const double z = (double)test_random_range(&random, -100, 100) / 100;
            const TrnBodyWish sneak = wish_of(x, 0, z, false, true);
            const double seconds = i % 5 ? 1.0 / 60 : 0.25;
            step_body(&made.scene, &def, &body, &sneak, seconds);
            assert_true(place_on(body.position, 1) == y);
            assert_true(is_free(&made.scene, body.position, def.size));
            assert_true(body.on_ground || body.waits);
        }
        scene_end(&made.scene);
    }
}

// ---- chunks that are not there -----------------------------------------------------------------

static void a_fall_onto_an_absent_chunk_waits_for_it(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    const TrnCoord upper = {0, 0, 0}, lower = {0, -1, 0}, floor = {0, -2, 0};
    scene_fill(&scene, upper, TRN_BLOCK_AIR);
    scene_fill(&scene, floor, TRN_BLOCK_STONE);
    const TrnBodyDef def = trn_body_def();
    TrnBody body = body_at(5, 5, 5);
    step_body_often(&scene, &def, &body, NULL, 600);
    assert_true(body.waits && !body.on_ground && place_on(body.position, 1) == 0);
    assert_true(body.hit[TRN_FACE_NEG_Y] && body.velocity[1] == 0);
    const TrnBodyWish jump = wish_of(0, 0, 0, true, false);
    step_body_often(&scene, &def, &body, &jump, 10);
    assert_true(place_on(body.position, 1) == 0); // nothing to jump from
    scene_fill(&scene, lower, TRN_BLOCK_AIR);
    step_body_often(&scene, &def, &body, NULL, 600);
    assert_true(!body.waits && body.on_ground && place_on(body.position, 1) == -32);
    scene_end(&scene);
}

static void a_body_in_an_absent_chunk_does_not_move(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    const TrnBodyDef def = trn_body_def();
    TrnBody body = body_at(5, 5, 5.000000000000001);
    body.velocity[0] = 2;
    body.velocity[1] = -3;
    const TrnBody before = body;
    const TrnBodyWish wish = wish_of(1, 1, 1, true, false);
    step_body_often(&scene, &def, &body, &wish, 60);
    assert_same_position(body.position, before.position);
    assert_memory_equal(&body.velocity, &before.velocity, sizeof body.velocity);
    assert_true(body.waits && !body.on_ground && !body.hit[TRN_FACE_NEG_Y]);
    const TrnCoord coord = {0, 0, 0};
    scene_fill(&scene, coord, TRN_BLOCK_AIR);
    step_body_often(&scene, &def, &body, NULL, 1);
    assert_true(!body.waits && body.velocity[1] < -3 && place_on(body.position, 0) > 5);
    scene_end(&scene);
}

// ---- long ways ---------------------------------------------------------------------------------

#define WALK_CHUNKS 104

/// A corridor of chunks from a first one along an axis, open inside, with stone or nothing below.
static void scene_corridor(Scene *scene, TrnCoord first, int axis, TrnBlock block)
{
    for (int32_t i = 0; i < WALK_CHUNKS; i++) {
        const TrnCoord coord =
            trn_coord_add(first, axis == 0 ? i : 0, axis == 1 ? i : 0, axis == 2 ? i : 0);
        scene_fill(scene, coord, block);
        if (axis != 1) {
            scene_fill(scene, trn_coord_add(coord, 0, -1, 0), TRN_BLOCK_STONE);
        }
    }
}

/// Bits of a body but its chunk, and that relative to a first one.
static void assert_same_way(const TrnBody *a, TrnCoord first_a, const TrnBody *b, TrnCoord first_b)
{
    assert_memory_equal(a->position.offset, b->position.offset, sizeof a->position.offset);
    assert_memory_equal(a->velocity, b->velocity, sizeof a->velocity);
    assert_memory_equal(a->hit, b->hit, sizeof a->hit);
    assert_true(a->on_ground == b->on_ground && a->waits == b->waits &&
                a->on_ladder == b->on_ladder && a->in_liquid == b->in_liquid);
    assert_int_equal(a->position.chunk.x - first_a.x, b->position.chunk.x - first_b.x);
    assert_int_equal(a->position.chunk.y - first_a.y, b->position.chunk.y - first_b.y);
    assert_int_equal(a->position.chunk.z - first_a.z, b->position.chunk.z - first_b.z);
}

/// Walks, climbs or falls through a corridor at the origin and through one at an end of the world, up to their ends.
static void walk_the_corridors(int axis, int sign, bool falls, TrnCoord far)
{
    const TrnCoord near = {0, 0, 0};
    Scene scenes[2];
    const TrnCoord firsts[2] = {near, far};
    const bool climbs = axis == 1 && !falls;
    TrnBody bodies[2];
    for (int i = 0; i < 2; i++) {
        scene_begin(&scenes[i]);
        const TrnBlock inside = climbs ? scenes[i].ladder : TRN_BLOCK_AIR;
        scene_corridor(&scenes[i], firsts[i], axis, inside);
        memset(&bodies[i], 0, sizeof bodies[i]);
        bodies[i].position.chunk = firsts[i];
        const double middle[3] = {16, axis == 1 ? 16 : 0, 16};
        double way[3] = {0, 0, 0};
        way[axis] = sign > 0 ? 0 : 32.0 * (WALK_CHUNKS - 1);
        memcpy(bodies[i].position.offset, middle, sizeof middle);
        bodies[i].position = trn_position_add(bodies[i].position, way);
    }
    TrnBodyDef def = trn_body_def();
    def.climb_speed = def.walk_speed = 8;
    TrnBodyWish wish = NO_WISH;
    wish.walk[axis] = falls ? 0 : sign;
    int borders = 0, steps = 0;
    while (!bodies[0].hit[face_of(axis, sign > 0)] && steps++ < 100000) {
        const TrnCoord before = bodies[1].position.chunk;
        step_body(&scenes[0], &def, &bodies[0], &wish, 1.0 / 60);
        step_body(&scenes[1], &def, &bodies[1], &wish, 1.0 / 60);
        assert_same_way(&bodies[0], firsts[0], &bodies[1], firsts[1]);
        borders += !trn_coord_equal(before, bodies[1].position.chunk);
    }
    assert_true(borders >= 100 && bodies[1].waits); // up to the last face, beyond which nothing is
    scene_end(&scenes[0]);
    scene_end(&scenes[1]);
}

static void a_hundred_borders_at_the_ends_of_the_world_are_like_those_at_its_origin(void **state)
{
    (void)state;
    const int32_t high = INT32_MAX - WALK_CHUNKS + 1, low = INT32_MIN;
    for (int axis = 0; axis < 3; axis++) {
        const int32_t ground = axis == 1 ? low : low + 1; // a chunk of stone lies below
        for (int sign = -1; sign <= 1; sign += 2) {
            const TrnCoord ends[4] = {
                {high, high, high}, {low, ground, low}, {high, ground, high}, {low, high, low}};
            for (int i = 0; i < 4; i++) {
                walk_the_corridors(axis, sign, false, ends[i]);
                if (axis == 1 && sign < 0) {
                    walk_the_corridors(axis, sign, true, ends[i]);
                }
            }
        }
    }
}

/// Mixes the bits of a number into a hash.
static uint64_t hash_double(uint64_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static TrnBodyWish random_wish(TestRandom *random)
{
    TrnBodyWish wish;
    for (int axis = 0; axis < 3; axis++) {
        wish.walk[axis] = (double)test_random_range(random, -100, 100) / 100;
    }
    wish.jump = test_random_next(random) % 3 == 0;
    wish.sneak = test_random_next(random) % 5 == 0;
    return wish;
}

/// What a body says that it touches is what is there, and nothing of it is solid.
static void assert_body_is_right(const Scene *scene, const TrnBodyDef *def, const TrnBody *body)
{
    TrnOverlap overlap;
    assert_int_equal(trn_store_overlap(scene->store, body->position, def->size, &overlap),
                     TRN_RESULT_OK);
    assert_false(overlap.solid || overlap.absent);
    assert_int_equal(body->on_ladder, overlap.climbable);
    const double depth = overlap.liquid_depth / def->size[1];
    assert_true(body->in_liquid == (depth >= 0.1) || (depth > 0.0999 && depth < 0.1001));
    assert_true(body->under_liquid == (depth >= 1) || (depth > 0.9999 && depth < 1.0001));
    const double least[3] = {0, -GRID, 0};
    const bool stands = !is_free(scene, trn_position_add(body->position, least), def->size);
    const bool is_down = body->velocity[1] <= 0;
    assert_true(!body->on_ground || (stands && is_down));
    assert_true(!(stands && is_down) || body->on_ground || body->waits);
}

static void bodies_at_random_never_get_into_blocks(void **state)
{
    (void)state;
    static PatternScene made;
    TestRandom random = test_random_seeded(0xB0D5);
    int walked = 0;
    for (int world = 0; world < 60; world++) {
        pattern_scene_begin(&made, &random, true);
        TrnBodyDef def = trn_body_def();
        def.step_height = world % 3 == 0 ? 1 : 0;
        def.size[0] = world % 2 ? 0.6 : 1.7;
        def.jump_speed = world % 5 ? 9 : 60;
        TrnBody body = body_at(12.3 + world % 30, 50.1, 31.9);
        if (is_free(&made.scene, body.position, def.size)) {
            walked++;
            TrnBodyWish wish = NO_WISH;
            for (int i = 0; i < 4000; i++) {
                wish = i % 20 == 0 ? random_wish(&random) : wish;
                step_body(&made.scene, &def, &body, &wish, i % 11 ? 1.0 / 60 : 0.25);
                assert_body_is_right(&made.scene, &def, &body);
            }
        }
        scene_end(&made.scene);
    }
    assert_true(walked > 5);
}

/// Nobody gets out of it.
static void pattern_close(Pattern *pattern)
{
    for (int64_t i = 0; i < PATTERN_EDGE; i++) {
        for (int64_t j = 0; j < PATTERN_EDGE; j++) {
            for (int64_t end = 0; end < PATTERN_EDGE; end += PATTERN_EDGE - 1) {
                pattern->blocks[pattern_index(end, i, j)] = TRN_BLOCK_STONE;
                pattern->blocks[pattern_index(i, end, j)] = TRN_BLOCK_STONE;
                pattern->blocks[pattern_index(i, j, end)] = TRN_BLOCK_STONE;
            }
        }
    }
    memset(pattern->absent, 0, sizeof pattern->absent);
}

static void assert_way_is_mirrored(const TrnBody *body, TrnVoxel corner, const TrnBody *other,
                                   TrnVoxel other_corner, const bool flip[3])
{
    double at[3], other_at[3];
    from_corner(corner, body->position, at);
    from_corner(other_corner, other->position, other_at);
    for (int axis = 0; axis < 3; axis++) {
        const double velocity = body->velocity[axis];
        assert_true(other_at[axis] == (flip[axis] ? PATTERN_EDGE - at[axis] : at[axis]));
        assert_true(other->velocity[axis] == (flip[axis] ? -velocity : velocity));
        assert_int_equal(body->hit[face_of(axis, false)], other->hit[face_of(axis, flip[axis])]);
    }
    assert_true(body->on_ground == other->on_ground && body->in_liquid == other->in_liquid &&
                body->on_ladder == other->on_ladder && body->step_height == other->step_height);
}

static void walk_mirrored(const Scene scenes[2], const TrnVoxel corners[2], const bool flip[3],
                          TestRandom *random, double step_height)
{
    const double start[3] = {30.25, 58, 31.75};
    const double flipped[3] = {flip[0] ? PATTERN_EDGE - start[0] : start[0], start[1],
                               flip[2] ? PATTERN_EDGE - start[2] : start[2]};
    TrnBodyDef def = trn_body_def();
    def.step_height = step_height;
    TrnBody bodies[2];
    memset(bodies, 0, sizeof bodies);
    bodies[0].position = position_from(corners[0], start);
    bodies[1].position = position_from(corners[1], flipped);
    TrnBodyWish wish = NO_WISH;
    for (int i = 0; i < 3000; i++) {
        wish = i % 20 == 0 ? random_wish(random) : wish;
        TrnBodyWish back = wish;
        back.walk[0] *= flip[0] ? -1 : 1;
        back.walk[2] *= flip[2] ? -1 : 1;
        const double seconds = i % 13 ? 1.0 / 60 : 0.2;
        step_body(&scenes[0], &def, &bodies[0], &wish, seconds);
        step_body(&scenes[1], &def, &bodies[1], &back, seconds);
        assert_way_is_mirrored(&bodies[0], corners[0], &bodies[1], corners[1], flip);
    }
}

static void bodies_go_the_same_way_in_the_mirror_and_across_other_borders(void **state)
{
    (void)state;
    static Scene scenes[2];
    static Pattern pattern, mirrored;
    TestRandom random = test_random_seeded(0xA11C);
    for (int64_t world = 0; world < 24; world++) {
        const bool flip[3] = {world & 1, false, (world & 2) != 0};
        const TrnVoxel corners[2] = {
            {-17 * world, 5 * world, -3},
            {TRN_VOXEL_MAX - 63 - world, TRN_VOXEL_MIN + 9 * world, 1 - world}};
        scene_begin(&scenes[0]);
        scene_begin(&scenes[1]);
        pattern_make(&pattern, &random, scenes[0].ladder, false);
        pattern_close(&pattern);
        pattern_mirror(&pattern, &mirrored, flip);
        pattern_put(&pattern, &scenes[0], corners[0]);
        pattern_put(&mirrored, &scenes[1], corners[1]);
        walk_mirrored(scenes, corners, flip, &random, world % 3 ? 0 : 1);
        scene_end(&scenes[0]);
        scene_end(&scenes[1]);
    }
}

static void the_same_steps_give_the_same_way_on_every_machine(void **state)
{
    (void)state;
    static PatternScene made;
    TestRandom random = {0x601D};
    uint64_t hash = 0;
    for (int world = 0; world < 10; world++) {
        pattern_scene_begin(&made, &random, false);
        const TrnBodyDef def = trn_body_def();
        TrnBody body = body_at(12.3, 60.1, 31.9);
        TrnBodyWish wish = NO_WISH;
        for (int i = 0; i < 2000; i++) {
            wish = i % 20 == 0 ? random_wish(&random) : wish;
            step_body(&made.scene, &def, &body, &wish, 1.0 / 60);
            for (int axis = 0; axis < 3; axis++) {
                hash = hash_double(hash, body.position.offset[axis]);
                hash = hash_double(hash, body.velocity[axis]);
            }
        }
        scene_end(&made.scene);
    }
    print_message("  hash 0x%016llX\n", (unsigned long long)hash);
    assert_true(hash == UINT64_C(0x791416D854DB52F8));
}

// ---- bad input, no allocation ------------------------------------------------------------------

static const double BAD_NUMBERS[] = {NAN, INFINITY, -INFINITY, -1, 1e300};
#define BAD_COUNT (sizeof BAD_NUMBERS / sizeof *BAD_NUMBERS)

static void sweeps_and_overlaps_refuse_what_is_out_of_range(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    TrnSweep sweep, sweep_before;
    TrnOverlap overlap, overlap_before;
    memset(&sweep, 0x5A, sizeof sweep);
    memset(&overlap, 0x5A, sizeof overlap);
    sweep_before = sweep;
    overlap_before = overlap;
    const TrnPosition good = position_at(1, 1, 1);
    const double size[3] = {1, 1, 1}, none[3] = {0, 0, 0};
    for (size_t i = 0; i < BAD_COUNT; i++) {
        for (int axis = 0; axis < 3; axis++) {
            TrnPosition bad_at = good;
            bad_at.offset[axis] = BAD_NUMBERS[i];
            double bad_size[3] = {1, 1, 1}, bad_motion[3] = {0, 0, 0};
            bad_size[axis] = BAD_NUMBERS[i];
            bad_motion[axis] = BAD_NUMBERS[i] == -1 ? -1024.001 : BAD_NUMBERS[i];
            assert_int_equal(trn_store_sweep(scene.store, bad_at, size, none, 0, &sweep),
                             TRN_RESULT_BAD_ARGUMENT);
            assert_int_equal(trn_store_sweep(scene.store, good, bad_size, none, 0, &sweep),
                             TRN_RESULT_BAD_ARGUMENT);
            assert_int_equal(trn_store_sweep(scene.store, good, size, bad_motion, 0, &sweep),
                             TRN_RESULT_BAD_ARGUMENT);
            assert_int_equal(trn_store_overlap(scene.store, bad_at, size, &overlap),
                             TRN_RESULT_BAD_ARGUMENT);
            assert_int_equal(trn_store_overlap(scene.store, good, bad_size, &overlap),
                             TRN_RESULT_BAD_ARGUMENT);
        }
        assert_int_equal(trn_store_sweep(scene.store, good, size, none, BAD_NUMBERS[i], &sweep),
                         TRN_RESULT_BAD_ARGUMENT);
    }
    const double flat[3] = {1, 0, 1}, huge[3] = {1, 64.0001, 1};
    assert_int_equal(trn_store_sweep(scene.store, good, flat, none, 0, &sweep),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_sweep(scene.store, good, huge, none, 0, &sweep),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_sweep(scene.store, good, size, none, 1.001, &sweep),
                     TRN_RESULT_BAD_ARGUMENT);
    TrnPosition beyond = good;
    beyond.offset[1] = 32;
    assert_int_equal(trn_store_sweep(scene.store, beyond, size, none, 0, &sweep),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_memory_equal(&sweep, &sweep_before, sizeof sweep);
    assert_memory_equal(&overlap, &overlap_before, sizeof overlap);
    scene_end(&scene);
}

static void bodies_refuse_what_is_out_of_range(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    const TrnBodyDef def = trn_body_def();
    TrnBody body = body_at(1, 1, 1);
    const TrnBody before = body;
    const size_t numbers = sizeof def / sizeof(double); // a def is nothing but doubles
    for (size_t i = 0; i < BAD_COUNT; i++) {
        for (size_t j = 0; j < numbers; j++) {
            TrnBodyDef bad = def;
            memcpy((unsigned char *)&bad + j * sizeof(double), &BAD_NUMBERS[i], sizeof(double));
            assert_int_equal(trn_body_step(scene.store, &bad, &body, NULL, 0.01),
                             TRN_RESULT_BAD_ARGUMENT);
        }
        for (int axis = 0; axis < 3; axis++) {
            TrnBody bad = body;
            bad.position.offset[axis] = BAD_NUMBERS[i];
            assert_int_equal(trn_body_step(scene.store, &def, &bad, NULL, 0.01),
                             TRN_RESULT_BAD_ARGUMENT);
            bad = body;
            bad.velocity[axis] = BAD_NUMBERS[i] == -1 ? -4096.5 : BAD_NUMBERS[i];
            const TrnBody bad_before = bad;
            assert_int_equal(trn_body_step(scene.store, &def, &bad, NULL, 0.01),
                             TRN_RESULT_BAD_ARGUMENT);
            assert_memory_equal(&bad, &bad_before, sizeof bad);
            TrnBodyWish wish = NO_WISH;
            wish.walk[axis] = BAD_NUMBERS[i];
            const bool is_fine = i > 2; // any length is cut
            assert_int_equal(trn_body_step(scene.store, &def, &bad, is_fine ? NULL : &wish, 0.01),
                             TRN_RESULT_BAD_ARGUMENT);
        }
        assert_int_equal(trn_body_step(scene.store, &def, &body, NULL, BAD_NUMBERS[i]),
                         TRN_RESULT_BAD_ARGUMENT);
    }
    assert_int_equal(trn_body_step(scene.store, &def, &body, NULL, 0.2501),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_memory_equal(&body, &before, sizeof body);
    scene_end(&scene);
}

static void wild_but_valid_bodies_stay_valid(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 2);
    scene_box(&scene, voxel_of(-40, 0, -40), voxel_of(40, 1, 40), TRN_BLOCK_WATER);
    TrnBodyDef def = trn_body_def();
    def.buoyancy = def.ground_acceleration = def.air_acceleration = 1e6;
    def.walk_speed = def.jump_speed = def.swim_speed = def.fall_speed_max = TRN_BODY_SPEED_MAX;
    TestRandom random = test_random_seeded(0x71D5);
    TrnBody body = body_at(0, 5, 0);
    for (int i = 0; i < 20000; i++) {
        def.gravity = i & 64 ? 1e6 : 0;
        def.liquid_drag = i & 128 ? 1000 : 0;
        TrnBodyWish wish = random_wish(&random);
        wish.walk[0] *= i % 7 ? 1 : 1e308;
        step_body(&scene, &def, &body, &wish, i % 3 ? TRN_BODY_STEP_MAX : 1e-12);
        assert_true(is_free(&scene, body.position, def.size));
    }
    // Shot up out of water: no faster than the next step takes.
    const TrnCoord coord = {0, 0, 0};
    scene_fill(&scene, coord, TRN_BLOCK_WATER);
    def.gravity = def.liquid_drag = 0;
    body = body_at(5, 5, 5);
    step_body(&scene, &def, &body, NULL, 0.01);
    assert_true(body.velocity[1] == TRN_BODY_SPEED_MAX && place_on(body.position, 1) < 46);
    step_body(&scene, &def, &body, NULL, 0.01);
    scene_end(&scene);
}

static void nothing_of_all_this_allocates(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 2);
    scene_box(&scene, voxel_of(3, 0, 3), voxel_of(9, 1, 9), TRN_BLOCK_WATER);
    const size_t allocations = scene.memory.allocations;
    const TrnBodyDef def = trn_body_def();
    TestRandom random = test_random_seeded(0xA110);
    TrnBody body = body_at(0, 5, 0);
    for (int i = 0; i < 5000; i++) {
        const TrnBodyWish wish = random_wish(&random);
        step_body(&scene, &def, &body, &wish, 1.0 / 60);
        const double motion[3] = {1000, -1000, 5};
        TrnSweep sweep;
        assert_int_equal(trn_store_sweep(scene.store, body.position, def.size, motion, 1, &sweep),
                         TRN_RESULT_OK);
    }
    assert_int_equal(scene.memory.allocations, allocations);
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moved_position_is_as_far_away_as_it_was_moved),
        cmocka_unit_test(a_tiny_step_back_over_a_border_stays_inside_a_chunk),
        cmocka_unit_test(positions_stop_at_the_ends_of_the_world),
        cmocka_unit_test(overlap_is_what_looking_at_every_voxel_finds),
        cmocka_unit_test(a_shared_face_is_no_overlap_and_the_least_beyond_it_is),
        cmocka_unit_test(a_sweep_ends_where_eighths_of_a_voxel_at_a_time_end),
        cmocka_unit_test(what_began_free_never_ends_inside),
        cmocka_unit_test(what_is_stopped_has_not_the_least_step_left),
        cmocka_unit_test(a_sweep_is_the_same_bit_for_bit_wherever_in_the_world),
        cmocka_unit_test(left_and_right_and_up_and_down_are_alike),
        cmocka_unit_test(the_longest_sweep_does_not_pass_through_one_block),
        cmocka_unit_test(sliding_along_a_wall_of_blocks_never_snags),
        cmocka_unit_test(a_box_goes_up_by_as_little_as_lets_it_on),
        cmocka_unit_test(a_staircase_is_many_steps_of_one_sweep),
        cmocka_unit_test(what_began_inside_gets_out_but_not_into_other_blocks),
        cmocka_unit_test(what_is_partly_outside_the_world_does_not_leave_it),
        cmocka_unit_test(the_ends_of_the_world_do_not_lead_to_each_other),
        cmocka_unit_test(blocks_count_before_absent_chunks_at_the_same_place),
        cmocka_unit_test(a_million_steps_on_the_floor_leave_a_body_where_it_was),
        cmocka_unit_test(jumps_and_falls_do_not_depend_on_the_length_of_steps),
        cmocka_unit_test(a_body_walks_at_its_speed_and_no_faster_askew),
        cmocka_unit_test(a_person_jumps_onto_one_block_and_not_onto_two),
        cmocka_unit_test(a_body_that_is_thrown_up_does_not_jump_as_well),
        cmocka_unit_test(nothing_falls_faster_than_it_may),
        cmocka_unit_test(a_floating_body_comes_to_rest_at_the_surface),
        cmocka_unit_test(a_swimmer_is_as_fast_in_all_directions),
        cmocka_unit_test(a_sinking_body_stands_on_the_bottom),
        cmocka_unit_test(a_swimmer_gets_out_of_the_water_onto_a_shore),
        cmocka_unit_test(holding_jump_in_open_water_does_not_leap_out_of_it),
        cmocka_unit_test(ladders_hold_and_carry),
        cmocka_unit_test(a_sneaking_body_stops_at_every_edge),
        cmocka_unit_test(sneaking_over_a_step_does_not_go_over_the_edge_behind_it),
        cmocka_unit_test(sneaking_goes_down_what_it_could_step_up),
        cmocka_unit_test(sneaking_down_a_step_keeps_to_the_next_edge),
        cmocka_unit_test(sneaking_bodies_never_lose_the_ground),
        cmocka_unit_test(a_fall_onto_an_absent_chunk_waits_for_it),
        cmocka_unit_test(a_body_in_an_absent_chunk_does_not_move),
        cmocka_unit_test(a_hundred_borders_at_the_ends_of_the_world_are_like_those_at_its_origin),
        cmocka_unit_test(bodies_at_random_never_get_into_blocks),
        cmocka_unit_test(bodies_go_the_same_way_in_the_mirror_and_across_other_borders),
        cmocka_unit_test(the_same_steps_give_the_same_way_on_every_machine),
        cmocka_unit_test(sweeps_and_overlaps_refuse_what_is_out_of_range),
        cmocka_unit_test(bodies_refuse_what_is_out_of_range),
        cmocka_unit_test(wild_but_valid_bodies_stay_valid),
        cmocka_unit_test(nothing_of_all_this_allocates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

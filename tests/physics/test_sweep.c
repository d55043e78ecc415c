/// Positions, overlap tests and sweeps, compared with a slow reference that tests every voxel.
/// test_sweep_cases.c has sweeps case by case.
#include "body_scene.h"

// ---- positions ----------------------------------------------------------------------------------

static void positions_move_by_the_given_distance(void **state)
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
    // Exact across the whole world.
    const TrnPosition low = {{INT32_MIN, 0, 0}, {0, 0, 0}};
    const double across[3] = {137438953471.0, 0, 0};
    const TrnPosition high = trn_position_add(low, across);
    assert_int_equal(high.chunk.x, INT32_MAX);
    assert_true(high.offset[0] == 31);
    double way[3];
    trn_position_difference(high, low, way);
    assert_true(way[0] == across[0]);
}

static bool is_pattern_unloaded(const Pattern *pattern, int64_t x, int64_t y, int64_t z)
{
    return !is_in_pattern(x, y, z) || pattern->unloaded[(x >> 5) | (z >> 5) << 1 | (y >> 5) << 2];
}

// ---- overlap ------------------------------------------------------------------------------------

/// A box in eighths of a voxel, relative to the corner of a pattern.
typedef struct RefBox {
    int64_t low[3], high[3];
} RefBox;

static RefBox ref_random_box(TestRandom *random, bool may_be_flat)
{
    RefBox box;
    for (int axis = 0; axis < 3; axis++) {
        // Mostly boxes of bodies, sometimes boxes that reach over three chunks.
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

/// The voxels that a box overlaps along an axis: the first, and how many more.
static void ref_span(const RefBox *box, int axis, int64_t *first, int64_t *last)
{
    *first = box->low[axis] >> 3;
    *last = (box->high[axis] - 1) >> 3;
    *last = *last < *first ? *first : *last;
}

/// The height of a liquid in its voxel, in sixteenths; 0: the block is none.
static int64_t ref_liquid_height(const Scene *scene, const Pattern *pattern, int64_t x, int64_t y,
                                 int64_t z)
{
    const TrnBlockTypes *types = trn_store_block_types(scene->store);
    const TrnBlockType *type = trn_block_types_get(types, pattern->blocks[pattern_index(x, y, z)]);
    if (type->kind != TRN_BLOCK_KIND_LIQUID) {
        return 0;
    }
    const bool is_known = y + 1 < PATTERN_EDGE && !is_pattern_unloaded(pattern, x, y + 1, z);
    const TrnBlock above = is_known ? pattern->blocks[pattern_index(x, y + 1, z)] : TRN_BLOCK_AIR;
    return above == TRN_BLOCK_AIR ? type->surface : TRN_BLOCK_GRID;
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
                if (is_pattern_unloaded(pattern, x, y, z)) {
                    overlap.unloaded = true;
                    continue;
                }
                const TrnBlock block = pattern->blocks[pattern_index(x, y, z)];
                if (block == TRN_BLOCK_STONE && !overlap.solid) {
                    overlap.solid = true;
                    overlap.first_solid = voxel_of(x, y, z);
                }
                overlap.climbable |= block == scene->ladder;
                const int64_t liquid = ref_liquid_height(scene, pattern, x, y, z);
                const int64_t depth = y * 16 + liquid - box->low[1] * 2; // in sixteenths
                if (liquid > 0 && depth > 0) {
                    const int64_t height = (box->high[1] - box->low[1]) * 2;
                    const double within = (double)(depth < height ? depth : height) / 16;
                    overlap.liquid = true;
                    overlap.liquid_depth =
                        within > overlap.liquid_depth ? within : overlap.liquid_depth;
                }
            }
        }
    }
    return overlap;
}

static void overlap_tests_match_a_search_of_every_voxel(void **state)
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
            assert_int_equal(got.unloaded, expected.unloaded);
            assert_true(got.liquid_depth == expected.liquid_depth);
            assert_memory_equal(&got.first_solid, &expected.first_solid, sizeof(TrnVoxel));
        }
        scene_end(&made.scene);
    }
}

static void a_shared_face_is_no_overlap(void **state)
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
    // A size too small for the grid is still not 0.
    const double speck[3] = {1e-300, 1e-300, 1e-300}, point[3] = {0, 0, 0};
    assert_false(is_free(&scene, position_at(5, 0.5, 5.5), speck));
    assert_false(is_free(&scene, position_at(5, 0.5, 5.5), point));
    assert_true(is_free(&scene, position_at(6, 0.5, 5.5), point));
    assert_false(is_free(&scene, position_at(6, 0.5, 5.5), speck));
    const double fall[3] = {0, -9, 0};
    TrnSweep sweep;
    assert_int_equal(trn_store_sweep(scene.store, position_at(6, 9, 5), speck, fall, 0, &sweep),
                     TRN_RESULT_OK);
    assert_true(sweep.hit[TRN_FACE_NEG_Y] && position_axis(sweep.bottom, 1) == 1);
    scene_end(&scene);
}

// ---- the reference sweep ------------------------------------------------------------------------

/// What a box newly overlaps after a move along one axis: 0 nothing solid, 1 only unloaded chunks,
/// 2 blocks.
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
                if (is_pattern_unloaded(pattern, at[0], at[1], at[2])) {
                    found = found ? found : 1;
                } else if (pattern->blocks[pattern_index(at[0], at[1], at[2])] == TRN_BLOCK_STONE) {
                    found = 2;
                }
            }
        }
    }
    return found;
}

/// Moves along an axis by an eighth of a voxel at a time. @return how far
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
    bool unloaded;
    int64_t stepped; ///< eighths
} RefSweep;

/// Climbs by an eighth at a time until the box can move on; moves on, and then moves down again.
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
            sweep->unloaded |= ignored == 1;
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
        sweep->unloaded |= obstacle == 1;
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
        sweep.unloaded |= obstacle == 1;
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
    assert_int_equal(got.unloaded, expected.unloaded);
    assert_int_equal(got.stepped, expected.stepped > 0);
    assert_true(got.step_height == (double)expected.stepped / 8);
}

static void sweeps_match_a_reference_in_small_steps(void **state)
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

static void sweeps_never_end_inside_blocks(void **state)
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
            // A resting box stays: its position does not change at all.
            assert_int_equal(
                trn_store_sweep(made.scene.store, sweep.bottom, size, none, step, &again),
                TRN_RESULT_OK);
            assert_same_position(again.bottom, sweep.bottom);
        }
        scene_end(&made.scene);
    }
    assert_true(swept > 5000);
}

static void a_stopped_box_touches_the_obstacle(void **state)
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

// ---- equal everywhere ---------------------------------------------------------------------------

/// Chooses a random place on the grid, at least a voxel inside the pattern.
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

static void sweeps_are_equal_anywhere_in_the_world(void **state)
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
                assert_true(j == 3 || sweep.unloaded == elsewhere.unloaded); // a stone
            }
        }
        for (int i = 0; i < 4; i++) {
            scene_end(&scenes[i]);
        }
    }
}

static void assert_sweep_mirrored(const Scene scenes[2], const double place[3],
                                  const double motion[3], const bool flip[3], double step)
{
    const double size[3] = {0.6, 1.8, 0.7};
    double flipped[3], back[3], end[3], other_end[3];
    for (int axis = 0; axis < 3; axis++) {
        // When mirrored upside down, the bottom is where the top was, and the height is not exactly
        // 1.8 on the grid.
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

static void sweeps_are_symmetric(void **state)
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
        memset(pattern.unloaded, 0, sizeof pattern.unloaded);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_move_by_the_given_distance),
        cmocka_unit_test(a_tiny_step_back_over_a_border_stays_inside_a_chunk),
        cmocka_unit_test(positions_stop_at_the_ends_of_the_world),
        cmocka_unit_test(overlap_tests_match_a_search_of_every_voxel),
        cmocka_unit_test(a_shared_face_is_no_overlap),
        cmocka_unit_test(sweeps_match_a_reference_in_small_steps),
        cmocka_unit_test(sweeps_never_end_inside_blocks),
        cmocka_unit_test(a_stopped_box_touches_the_obstacle),
        cmocka_unit_test(sweeps_are_equal_anywhere_in_the_world),
        cmocka_unit_test(sweeps_are_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

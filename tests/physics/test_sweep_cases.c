/// Sweeps, case by case, and what they refuse. test_sweep.c compares them with a reference.
#include "body_scene.h"

// ---- sweeps, case by case -----------------------------------------------------------------------

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
        // In the open it moves all the way; one block at the very end stops it.
        double by[3] = {0, 0, 0};
        by[axis] = (double)sign * TRN_SWEEP_MAX;
        const TrnPosition from = position_at(16.25, 16.25, 16.25);
        TrnSweep sweep = sweep_by(&scene, from, by[0], by[1], by[2], 0);
        assert_true(position_axis(sweep.bottom, axis) == 16.25 + by[axis]);
        int64_t wall[3] = {16, 16, 16};
        wall[axis] += sign * 1020;
        scene_put(&scene, voxel_of(wall[0], wall[1], wall[2]), TRN_BLOCK_STONE);
        sweep = sweep_by(&scene, from, by[0], by[1], by[2], 0);
        assert_true(sweep.hit[face]);
        assert_false(sweep.unloaded);
        const double reach = axis == 1 ? (sign > 0 ? 1.8 : 0) : 0.3;
        const double face_at = (double)(wall[axis] + (sign > 0 ? 0 : 1));
        const double gap = face_at - (double)sign * reach - position_axis(sweep.bottom, axis);
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
            const double z = position_axis(at, 2);
            double x = position_axis(at, 0);
            for (int i = 0; i < 1500; i++) {
                // Moves into the floor, into the wall, against the roof, and along them.
                const TrnSweep sweep =
                    sweep_by(&scene, at, 0.0625 * way, i % 2 ? 0.5 : -0.5, 0.04 * side, 0);
                x += 0.0625 * way;
                assert_true(position_axis(sweep.bottom, 0) == x);
                assert_true(position_axis(sweep.bottom, 2) == z);
                assert_true(sweep.hit[side > 0 ? TRN_FACE_POS_Z : TRN_FACE_NEG_Z]);
                assert_false(sweep.hit[TRN_FACE_NEG_X] || sweep.hit[TRN_FACE_POS_X]);
                at = sweep.bottom;
            }
        }
    }
    scene_end(&scene);
}

static void a_box_climbs_no_higher_than_necessary(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(2, 0, -4), voxel_of(2, 0, 4), TRN_BLOCK_STONE); // 1 high
    scene_box(&scene, voxel_of(6, 0, -4), voxel_of(9, 1, 4), TRN_BLOCK_STONE); // 2 high
    const TrnPosition before_one = position_at(1, 0, 0), before_two = position_at(5, 0, 0);
    TrnSweep sweep = sweep_by(&scene, before_one, 1.5, 0, 0, 1);
    assert_true(sweep.stepped && sweep.step_height == 1 && position_axis(sweep.bottom, 1) == 1);
    assert_true(position_axis(sweep.bottom, 0) == 2.5 && !sweep.hit[TRN_FACE_POS_X]);
    sweep = sweep_by(&scene, before_one, 1.5, 0, 0, 1.8);
    assert_true(sweep.step_height == 1);
    sweep = sweep_by(&scene, before_one, 1.5, 0, 0, 0.999); // blocks are whole
    assert_true(!sweep.stepped && sweep.hit[TRN_FACE_POS_X] && position_axis(sweep.bottom, 1) == 0);
    sweep = sweep_by(&scene, before_two, 2, 0, 0, 1.8);
    assert_true(!sweep.stepped && sweep.hit[TRN_FACE_POS_X]);
    // Climbs over the block and down again: it ends no higher.
    sweep = sweep_by(&scene, before_one, 3, 0, 0, 1);
    assert_true(!sweep.stepped && position_axis(sweep.bottom, 1) == 0 &&
                position_axis(sweep.bottom, 0) == 4);
    // In the air there is no ground to climb from.
    sweep = sweep_by(&scene, position_at(1, 0.25, 0), 1.5, 0, 0, 1);
    assert_true(!sweep.stepped && sweep.hit[TRN_FACE_POS_X]);
    // A tall box climbs two voxels, but not under a roof.
    const double tall[3] = {0.6, 2.5, 0.6}, on[3] = {2, 0, 0};
    assert_int_equal(trn_store_sweep(scene.store, before_two, tall, on, 2.5, &sweep),
                     TRN_RESULT_OK);
    assert_true(sweep.step_height == 2 && position_axis(sweep.bottom, 0) == 7);
    scene_box(&scene, voxel_of(5, 4, -1), voxel_of(5, 4, 1), TRN_BLOCK_STONE);
    assert_int_equal(trn_store_sweep(scene.store, before_two, tall, on, 2.5, &sweep),
                     TRN_RESULT_OK);
    assert_true(!sweep.stepped && position_axis(sweep.bottom, 1) == 0);
    scene_end(&scene);
}

static void one_sweep_climbs_a_whole_staircase(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    for (int i = 0; i < 20; i++) {
        scene_box(&scene, voxel_of(-3, 0, 2 + i), voxel_of(3, i, 2 + i), TRN_BLOCK_STONE);
    }
    const TrnSweep sweep = sweep_by(&scene, position_at(0, 0, 0), 0, -0.1, 21.5, 1);
    assert_true(sweep.step_height == 20 && position_axis(sweep.bottom, 1) == 20);
    assert_true(position_axis(sweep.bottom, 2) == 21.5 && sweep.hit[TRN_FACE_NEG_Y]);
    scene_end(&scene);
}

static void a_box_inside_a_block_can_leave_it_but_enter_no_other(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    scene_flat(&scene, 1);
    scene_box(&scene, voxel_of(4, 0, 4), voxel_of(4, 1, 4), TRN_BLOCK_STONE);
    scene_box(&scene, voxel_of(5, 0, 4), voxel_of(5, 1, 4), TRN_BLOCK_STONE);
    const TrnPosition inside = position_at(4.5, 0, 4.5);
    TrnSweep sweep = sweep_by(&scene, inside, -2, 0, 0, 0);
    assert_true(position_axis(sweep.bottom, 0) == 2.5);
    sweep = sweep_by(&scene, inside, 2, 0, 0, 0); // up to the other block
    assert_true(sweep.hit[TRN_FACE_POS_X] && position_axis(sweep.bottom, 0) < 4.7 + 1e-9);
    sweep = sweep_by(&scene, inside, 0, 0, -2, 0);
    assert_true(position_axis(sweep.bottom, 2) == 2.5);
    sweep = sweep_by(&scene, inside, 0, -1, 0, 0); // the floor is another block too
    assert_true(position_axis(sweep.bottom, 1) == 0 && sweep.hit[TRN_FACE_NEG_Y]);
    scene_end(&scene);
}

static void a_box_partly_outside_the_world_moves_no_farther_out(void **state)
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
        assert_true(trn_coord_equal(out.bottom.chunk, ends[side]) && out.unloaded);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(out.bottom.offset[axis] >= 0 && out.bottom.offset[axis] < 32);
            assert_true(out.hit[face_of(axis, side)]);
        }
        const TrnPosition next = {ends[side], {near, 16, 16}};
        const TrnSweep back = sweep_by(&scene, next, -way, 0, 0, 0);
        const double gone = back.bottom.offset[0] - (near - way);
        assert_true(gone < 1e-9 && gone > -1e-9 && !back.hit[0] && !back.hit[1]);
    }
    // An offset that the grid rounds up to 32, in the last chunk.
    const TrnPosition last = {ends[1], {31.999999999999996, 5, 31.999999999999996}};
    const TrnSweep rest = sweep_by(&scene, last, 0, 0, 0, 0);
    assert_true(trn_coord_equal(rest.bottom.chunk, ends[1]) && rest.bottom.offset[0] < 32);
    scene_end(&scene);
}

static void the_ends_of_the_world_are_not_connected(void **state)
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
            assert_true(sweep.hit[face_of(axis, side)] && sweep.unloaded);
            assert_true(trn_coord_equal(sweep.bottom.chunk, from.chunk));
            TrnOverlap overlap;
            double size[3] = {1, 1, 1}, most[3] = {31.75, 30.25, 31.75};
            assert_true(sweep.bottom.offset[axis] < most[axis]);
            size[axis] = 40;
            assert_int_equal(trn_store_overlap(scene.store, from, size, &overlap), TRN_RESULT_OK);
            assert_true(overlap.unloaded && !overlap.solid);
        }
        scene_end(&scene);
    }
}

static void blocks_count_before_unloaded_chunks_at_the_same_place(void **state)
{
    (void)state;
    Scene scene;
    scene_begin(&scene);
    const TrnCoord air = {0, 0, 0}, next = {1, 0, 0}, stone = {0, -1, 0};
    scene_fill(&scene, air, TRN_BLOCK_AIR);
    scene_fill(&scene, next, TRN_BLOCK_AIR);
    scene_fill(&scene, stone, TRN_BLOCK_STONE);
    TrnSweep sweep = sweep_by(&scene, position_at(32, 5, 5), 0, -9, 0, 0);
    assert_true(sweep.hit[TRN_FACE_NEG_Y] && !sweep.unloaded &&
                position_axis(sweep.bottom, 1) == 0);
    sweep = sweep_by(&scene, position_at(33, 5, 5), 0, -9, 0, 0);
    assert_true(sweep.hit[TRN_FACE_NEG_Y] && sweep.unloaded && position_axis(sweep.bottom, 1) == 0);
    scene_end(&scene);
}

// ---- bad input ----------------------------------------------------------------------------------

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
    memcpy(&sweep_before, &sweep, sizeof sweep); // with the padding
    memcpy(&overlap_before, &overlap, sizeof overlap);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_longest_sweep_does_not_pass_through_one_block),
        cmocka_unit_test(sliding_along_a_wall_of_blocks_never_snags),
        cmocka_unit_test(a_box_climbs_no_higher_than_necessary),
        cmocka_unit_test(one_sweep_climbs_a_whole_staircase),
        cmocka_unit_test(a_box_inside_a_block_can_leave_it_but_enter_no_other),
        cmocka_unit_test(a_box_partly_outside_the_world_moves_no_farther_out),
        cmocka_unit_test(the_ends_of_the_world_are_not_connected),
        cmocka_unit_test(blocks_count_before_unloaded_chunks_at_the_same_place),
        cmocka_unit_test(sweeps_and_overlaps_refuse_what_is_out_of_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

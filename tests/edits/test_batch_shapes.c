// Which voxels a batch's boxes, spheres and single voxels contain: inside the world, across its
// border and outside it.

#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)

#include "world_model.h"

#include <time.h>

static int64_t *axis_of(TrnVoxel *voxel, int axis)
{
    return axis == 0 ? &voxel->x : axis == 1 ? &voxel->y : &voxel->z;
}

// ---- invalid arguments -------------------------------------------------------------------------

static void invalid_batch_defs_are_refused(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    ModelWorld *other = model_create(NULL, MODEL_LOWS[0]);
    ModelHistory *history = model_history(other, 100000);
    TrnBatch *batch = NULL;
    TrnBatchDef def = trn_batch_def();
    assert_int_equal(def.unloaded, TRN_UNLOADED_PENDING);
    assert_null(def.history);
    assert_int_equal(trn_batch_begin(NULL, &def, &batch), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_batch_begin(world->store, &def, NULL), TRN_RESULT_BAD_ARGUMENT);
    def.unloaded = TRN_UNLOADED_COUNT;
    assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_BAD_ARGUMENT);
    def = trn_batch_def();
    def.history = history->history; // of another store
    assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_BAD_ARGUMENT);
    assert_null(batch);
    trn_batch_cancel(NULL);
    model_history_end(history);
    model_destroy(other);
    model_destroy(world);
}

/// Checks that a refused call fails the whole batch, with the calls before and after it.
static void check_refused(ModelWorld *world, ModelCall call)
{
    const ModelCall calls[] = {{.min = model_voxel(world, 1, 1, 1), .block = 9},
                               call,
                               {.min = model_voxel(world, 2, 1, 1), .block = 9}};
    assert_int_equal(model_attempt(world, NULL, calls, 3), TRN_RESULT_BAD_ARGUMENT);
    model_check(world);
}

static void empty_boxes_and_voxels_outside_fail_the_batch(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    model_listen(world, true);
    const TrnVoxel at = model_voxel(world, 9, 9, 9);
    for (int axis = 0; axis < 3; axis++) {
        ModelCall box = {.kind = MODEL_BOX, .min = at, .max = at, .block = 2};
        *axis_of(&box.max, axis) -= 1;
        check_refused(world, box);
        *axis_of(&box.min, axis) = INT64_MAX;
        *axis_of(&box.max, axis) = INT64_MIN;
        check_refused(world, box);
        static const int64_t outside[] = {TRN_VOXEL_MIN - 1, TRN_VOXEL_MAX + 1, INT64_MIN,
                                          INT64_MAX};
        for (int i = 0; i < 4; i++) {
            ModelCall set = {.kind = MODEL_SET, .min = at, .block = 2};
            *axis_of(&set.min, axis) = outside[i];
            check_refused(world, set);
            ModelBatch *batch = model_begin(world, TRN_UNLOADED_PENDING, NULL);
            TrnBlock block = 7;
            assert_int_equal(trn_batch_get(batch->batch, set.min, &block), TRN_RESULT_BAD_ARGUMENT);
            assert_int_equal(block, 7);
            assert_int_equal(model_set(batch, at, (TrnBlock)i),
                             TRN_RESULT_OK); // trn_batch_get does not fail it
            model_commit(batch);
        }
    }
    static const double radii[] = {-1,   -1e-300, (double)NAN, (double)INFINITY, -(double)INFINITY,
                                   1e300};
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        check_refused(world,
                      (ModelCall){.kind = MODEL_BALL, .min = at, .radius = radii[i], .block = 2});
    }
    check_refused(world, (ModelCall){.kind = MODEL_BALL,
                                     .min = at,
                                     .block = 2,
                                     .radius = nextafter(TRN_SPHERE_RADIUS_MAX, 2000)});
    model_destroy(world);
}

/// Shapes without a voxel in the world change nothing, by any policy for unloaded chunks.
static void shapes_outside_the_world_change_nothing(void **state)
{
    (void)state;
    const int64_t ends[][2] = {{TRN_VOXEL_MAX + 1, TRN_VOXEL_MAX + 1},
                               {TRN_VOXEL_MAX + 1, INT64_MAX},
                               {INT64_MAX, INT64_MAX},
                               {INT64_MIN, TRN_VOXEL_MIN - 1},
                               {INT64_MIN, INT64_MIN}};
    for (uint32_t w = 0; w < 3; w++) {
        ModelWorld *world = model_create(NULL, MODEL_LOWS[w]);
        model_listen(world, true);
        model_insert(world, 0, NULL, TRN_BLOCK_STONE);
        for (int policy = 0; policy < TRN_UNLOADED_COUNT; policy++) {
            ModelBatch *batch = model_begin(world, (TrnUnloadedPolicy)policy, NULL);
            for (int i = 0; i < 15; i++) {
                TrnVoxel min = model_voxel(world, 1, 1, 1), max = min;
                *axis_of(&min, i % 3) = ends[i / 3][0];
                *axis_of(&max, i % 3) = ends[i / 3][1];
                assert_int_equal(trn_batch_fill_box(batch->batch, min, max, 2), TRN_RESULT_OK);
                TrnVoxel centre = min;
                *axis_of(&centre, i % 3) = i / 3 == 0   ? TRN_VOXEL_MAX + 1025
                                           : i / 3 == 1 ? TRN_VOXEL_MIN - 1025
                                                        : *axis_of(&centre, i % 3);
                if (i / 3 < 2 || i / 3 == 2 || i / 3 == 4) {
                    assert_int_equal(
                        trn_batch_fill_sphere(batch->batch, centre, TRN_SPHERE_RADIUS_MAX, 2),
                        TRN_RESULT_OK);
                }
            }
            model_commit(batch); // changes nothing
            model_check(world);
        }
        model_destroy(world);
    }
}

static void shapes_partly_outside_the_world_are_clipped(void **state)
{
    (void)state;
    for (uint32_t w = 1; w < 3; w++) {
        ModelWorld *world = model_create(NULL, MODEL_LOWS[w]);
        model_insert(world, 0, NULL, TRN_BLOCK_STONE);
        model_insert(world, 63, NULL, TRN_BLOCK_STONE);
        const TrnVoxel high = model_voxel(world, MODEL_VOXELS - 1, MODEL_VOXELS - 1, 40);
        ModelBatch *batch = model_begin(world, TRN_UNLOADED_PENDING, NULL);
        TrnVoxel min = model_voxel(world, 70, 5, 5), max = model_voxel(world, 90, 9, 9);
        max.x = w == 1 ? INT64_MAX : max.x;
        max.y = w == 2 ? INT64_MAX : max.y;
        max.z = w == 2 ? TRN_VOXEL_MAX + 7 : max.z;
        assert_int_equal(model_fill_box(batch, min, max, 2), TRN_RESULT_OK);
        min.y = w == 1 ? INT64_MIN : min.y;
        min.x = w == 2 ? TRN_VOXEL_MIN - 1 : min.x;
        assert_int_equal(model_fill_box(batch, min, model_voxel(world, 80, 7, 7), 3),
                         TRN_RESULT_OK);
        TrnVoxel centre = model_voxel(world, 30, 30, 64);
        centre.x = w == 1 ? high.x + 5 : -3 + TRN_VOXEL_MIN;
        centre.y = w == 1 ? centre.y : high.y + 2;
        assert_int_equal(model_fill_sphere(batch, centre, 17.75, 4), TRN_RESULT_OK);
        model_commit(batch);
        model_check(world);
        for (uint32_t place = 1; place < 63; place++) {
            model_insert(world, place, NULL, TRN_BLOCK_AIR);
        }
        model_check(world);
        model_destroy(world);
    }
}

static void a_box_of_the_whole_world_is_fast(void **state)
{
    (void)state;
    const TrnVoxel min = {TRN_VOXEL_MIN, TRN_VOXEL_MIN, TRN_VOXEL_MIN};
    const TrnVoxel max = {TRN_VOXEL_MAX, TRN_VOXEL_MAX, TRN_VOXEL_MAX};
    const TrnVoxel least = {INT64_MIN, INT64_MIN, INT64_MIN};
    const TrnVoxel most = {INT64_MAX, INT64_MAX, INT64_MAX};
    for (uint32_t w = 0; w < 3; w++) {
        ModelWorld *world = model_create(NULL, MODEL_LOWS[w]);
        model_insert(world, 0, NULL, TRN_BLOCK_STONE);
        model_insert(world, 42, NULL, TRN_BLOCK_AIR);
        model_insert(world, 63, NULL, TRN_BLOCK_SNOW);
        const clock_t start = clock(); // of the processor: others may use it, too
        for (int i = 0; i < 2; i++) {
            ModelBatch *batch = model_begin(world, TRN_UNLOADED_SKIP, NULL);
            const TrnBlock block = i ? TRN_BLOCK_AIR : TRN_BLOCK_SAND;
            assert_int_equal(
                trn_batch_fill_box(batch->batch, i ? least : min, i ? most : max, block),
                TRN_RESULT_OK);
            for (uint32_t place = 0; place < MODEL_CHUNKS; place += place ? 21 : 42) {
                for (uint32_t index = 0; index < TRN_CHUNK_VOXELS; index++) {
                    model_write(world, &batch->change, place, index, block);
                }
            }
            batch->change.skipped = UINT32_MAX; // saturated
            model_commit(batch);
            model_check(world);
        }
        const ModelCall whole = {.kind = MODEL_BOX, .min = min, .max = max, .block = 1};
        assert_int_equal(model_attempt(world, NULL, &whole, 1), TRN_RESULT_FULL);
        TrnVoxel slab = min;
        slab.z = max.z - 3;
        const ModelCall flat = {.kind = MODEL_BOX, .min = slab, .max = max, .block = 1};
        assert_int_equal(model_attempt(world, NULL, &flat, 1), TRN_RESULT_FULL);
        ModelBatch *batch = model_begin(world, TRN_UNLOADED_FAIL, NULL);
        assert_int_equal(trn_batch_fill_box(batch->batch, least, most, 1), TRN_RESULT_NOT_FOUND);
        assert_int_equal(trn_batch_commit(batch->batch, NULL), TRN_RESULT_NOT_FOUND);
        model_end(batch);
        model_check(world);
        assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 5);
        model_destroy(world);
    }
}

static void skipped_chunks_saturate(void **state)
{
    (void)state;
    const TrnVoxel least = {INT64_MIN, INT64_MIN, INT64_MIN};
    const TrnVoxel most = {INT64_MAX, INT64_MAX, INT64_MAX};
    ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
    TrnBatchDef def = trn_batch_def();
    def.unloaded = TRN_UNLOADED_SKIP;
    for (int kind = 0; kind < 4; kind++) { // a voxel, a sphere, a box or runs after the world
        TrnBatch *batch;
        TrnBatchOutcome outcome;
        const TrnPendingRun run = {0, 5, 1};
        assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_OK);
        assert_int_equal(trn_batch_fill_box(batch, least, most, 1), TRN_RESULT_OK);
        const TrnResult result =
            kind == 0   ? trn_batch_set(batch, (TrnVoxel){0, 0, 0}, 1)
            : kind == 1 ? trn_batch_fill_sphere(batch, (TrnVoxel){0, 0, 0}, 40, 1)
            : kind == 2 ? trn_batch_fill_box(batch, (TrnVoxel){0, 0, 0}, (TrnVoxel){99, 0, 0}, 1)
                        : trn_batch_set_runs(batch, (TrnCoord){0, 0, 0}, &run, 1);
        assert_int_equal(result, TRN_RESULT_OK);
        assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
        assert_int_equal(outcome.skipped_chunks, UINT32_MAX);
    }
    model_destroy(world);
}

static void spheres_contain_the_voxels_within_their_radius(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    static const double radii[] = {0, 0.5, 0.999, 1, 1.25, 1.42, 2, 3, 5, 5.5, 31.75, 32, 60};
    TrnBatchOutcome outcome;
    TrnBatch *batch;
    TrnBlock block;
    model_listen(world, true);
    for (size_t i = 0; i < sizeof radii / sizeof *radii; i++) {
        const ModelCall ball = {.kind = MODEL_BALL,
                                .min = model_voxel(world, 63, 64, 60),
                                .radius = radii[i],
                                .block = (TrnBlock)(i + 1)};
        assert_int_equal(model_attempt(world, NULL, &ball, 1), TRN_RESULT_OK);
        model_check(world);
    }
    // (3, 4, 0) from the centre lies in the sphere of radius 5, and not in a slightly smaller one.
    const TrnVoxel centre = model_voxel(world, 20, 20, 20), on = model_voxel(world, 23, 24, 20);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(trn_batch_begin(world->store, NULL, &batch), TRN_RESULT_OK);
        trn_batch_fill_sphere(batch, centre, i ? 5.0 : nextafter(5.0, 0), 777);
        assert_int_equal(trn_batch_get(batch, on, &block), TRN_RESULT_OK);
        assert_int_equal(block == 777, i);
        trn_batch_cancel(batch);
    }
    // The largest sphere, mostly over unloaded chunks.
    TrnBatchDef def = trn_batch_def();
    def.unloaded = TRN_UNLOADED_SKIP;
    assert_int_equal(trn_batch_begin(world->store, &def, &batch), TRN_RESULT_OK);
    trn_batch_fill_sphere(batch, centre, TRN_SPHERE_RADIUS_MAX, 5);
    assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.changed_chunks, MODEL_CHUNKS);
    assert_true(outcome.skipped_chunks > 130000 && outcome.skipped_chunks < 160000);
    assert_int_equal(trn_store_stats(world->store).uniform_chunks, MODEL_CHUNKS);
    model_destroy(world);
}

static void unloaded_chunks_fail_the_batch_if_its_policy_says_so(void **state)
{
    (void)state;
    ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
    model_insert(world, 0, NULL, TRN_BLOCK_STONE);
    model_listen(world, true);
    for (int kind = 0; kind < 3; kind++) {
        ModelBatch *batch = model_begin(world, TRN_UNLOADED_FAIL, NULL);
        const TrnVoxel at = model_voxel(world, 31, 2, 3), far = model_voxel(world, 32, 2, 3);
        assert_int_equal(model_fill_sphere(batch, model_voxel(world, 9, 9, 9), 5, 2),
                         TRN_RESULT_OK);
        model_get(batch, far); // NOT_FOUND, without failing the batch
        assert_int_equal(model_set(batch, at, 3), TRN_RESULT_OK);
        const TrnResult result = kind == 0   ? model_set(batch, far, 3)
                                 : kind == 1 ? model_fill_box(batch, at, far, 3)
                                             : model_fill_sphere(batch, at, 1, 3);
        assert_int_equal(result, TRN_RESULT_NOT_FOUND);
        assert_int_equal(trn_batch_set(batch->batch, at, 3), TRN_RESULT_NOT_FOUND);
        assert_int_equal(trn_batch_commit(batch->batch, NULL), TRN_RESULT_NOT_FOUND);
        model_end(batch);
        model_check(world);
    }
    assert_int_equal(world->events, 0);
    model_destroy(world);
}

// ---- far outside the world ---------------------------------------------------------------------

static void voxels_far_outside_the_world_are_refused(void **state)
{
    (void)state;
    TrnStore *store;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    const int64_t far[] = {INT64_MIN, INT64_MIN + 31, INT64_MIN + 32, INT64_MAX};
    for (uint32_t i = 0; i < 64; i++) {
        TrnBatch *batch;
        const TrnVoxel voxel = {far[i % 4], far[i / 4 % 4], far[i / 16]};
        for (int earlier = 0; earlier < 3; earlier++) { // no edit, a loaded chunk, an unloaded one
            assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
            if (earlier) {
                assert_int_equal(trn_batch_set(batch, (TrnVoxel){earlier == 1 ? 5 : 50, 5, 5}, 1),
                                 TRN_RESULT_OK);
            }
            assert_int_equal(trn_batch_set(batch, voxel, 1), TRN_RESULT_BAD_ARGUMENT);
            assert_int_equal(trn_batch_set(batch, voxel, 1), TRN_RESULT_BAD_ARGUMENT);
            assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_BAD_ARGUMENT);
        }
    }
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(voxels_far_outside_the_world_are_refused),
        cmocka_unit_test(invalid_batch_defs_are_refused),
        cmocka_unit_test(empty_boxes_and_voxels_outside_fail_the_batch),
        cmocka_unit_test(shapes_outside_the_world_change_nothing),
        cmocka_unit_test(shapes_partly_outside_the_world_are_clipped),
        cmocka_unit_test(a_box_of_the_whole_world_is_fast),
        cmocka_unit_test(skipped_chunks_saturate),
        cmocka_unit_test(spheres_contain_the_voxels_within_their_radius),
        cmocka_unit_test(unloaded_chunks_fail_the_batch_if_its_policy_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Work of the store, its index, edits, undo and rays on input that was chosen to make it slow.

#include "work.h"

#include "base/hash.h"

#include <math.h>

#include <terrane/body.h>
#include <terrane/chunk_pages.h>
#include <terrane/history.h>
#include <terrane/raycast.h>

static TrnStore *store_of(uint64_t hash_key)
{
    TrnStoreDef def = trn_store_def();
    TrnStore *store;
    def.hash_key = hash_key;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    assert_int_equal(trn_pending_set_bytes_max(store, 0), TRN_RESULT_OK);
    return store;
}

static TrnBatch *batch_of(TrnStore *store, TrnUnloadedPolicy unloaded, TrnHistory *history)
{
    const TrnBatchDef def = {unloaded, history};
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, &def, &batch), TRN_RESULT_OK);
    return batch;
}

static void insert(TrnStore *store, TrnCoord coord)
{
    assert_int_equal(trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, NULL), TRN_RESULT_OK);
}

// ---- pending edits ------------------------------------------------------------------------------

#define KNOWN_KEY 12345u

/// Edits of unloaded chunks whose coordinates share a slot of the hash under KNOWN_KEY.
static uint64_t work_of_pending(uint32_t count, uint64_t key)
{
    TrnStore *store = store_of(key);
    TrnBatch *batch = batch_of(store, TRN_UNLOADED_PENDING, NULL);
    uint64_t work = 0;
    for (int32_t x = 0; count > 0; x++) {
        const TrnCoord coord = {x, x ^ 1234, -x};
        if (trn_coord_hash(coord, KNOWN_KEY) % 4096 == 0) {
            const uint64_t start = work_start();
            assert_int_equal(trn_batch_set(batch, trn_coord_voxel(coord), 1), TRN_RESULT_OK);
            work += work_since(start);
            count--;
        }
    }
    const uint64_t start = work_start();
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    work += work_since(start);
    trn_store_destroy(store);
    return work;
}

static uint64_t work_of_colliding_edits(uint32_t count)
{
    return work_of_pending(count, 0); // the store draws a key
}

static void pending_edits_at_colliding_coordinates_take_linear_work(void **state)
{
    (void)state;
    assert_work_grows(work_of_colliding_edits, 250, 3, WORK_LINEAR);
    // An attacker who knows the key makes it quadratic, and the count sees that.
    assert_true(work_of_pending(1000, KNOWN_KEY) > 3 * work_of_pending(500, KNOWN_KEY));
}

/// Runs of one unloaded chunk that overlap, and so never end.
static uint64_t work_of_overlapping_runs(uint32_t count)
{
    TrnStore *store = store_of(0);
    TrnBatch *batch = batch_of(store, TRN_UNLOADED_PENDING, NULL);
    TestRandom random = {5};
    const uint64_t start = work_start();
    for (uint32_t i = 0; i < count; i++) {
        const uint16_t first = (uint16_t)test_random_range(&random, 0, 30000);
        const TrnPendingRun run = {first, (uint16_t)(first + 5), (TrnBlock)(i % 60000)};
        assert_int_equal(trn_batch_set_runs(batch, (TrnCoord){0, 0, 0}, &run, 1), TRN_RESULT_OK);
    }
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    const uint64_t work = work_since(start);
    trn_store_destroy(store);
    return work;
}

static void runs_of_one_unloaded_chunk_take_linear_work(void **state)
{
    (void)state;
    assert_work_grows(work_of_overlapping_runs, 20000, 2, WORK_LINEAR);
}

// ---- undo ---------------------------------------------------------------------------------------

/// One step of many batches, which change two voxels to and fro, loaded and not.
static uint64_t work_of_huge_group(uint32_t count)
{
    TrnStore *store = store_of(0);
    TrnHistory *history;
    insert(store, (TrnCoord){0, 0, 0});
    assert_int_equal(trn_history_create(store, NULL, &history), TRN_RESULT_OK);
    trn_history_begin_group(history);
    for (uint32_t i = 0; i < count; i++) {
        TrnBatch *batch = batch_of(store, TRN_UNLOADED_PENDING, history);
        assert_int_equal(trn_batch_set(batch, (TrnVoxel){1, 2, 3}, (TrnBlock)(1 + i % 2)),
                         TRN_RESULT_OK);
        assert_int_equal(trn_batch_set(batch, (TrnVoxel){-1, 2, 3}, (TrnBlock)(1 + i % 2)),
                         TRN_RESULT_OK);
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    }
    trn_history_end_group(history);
    const uint64_t start = work_start();
    assert_int_equal(trn_history_undo(history, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_history_redo(history, NULL), TRN_RESULT_OK);
    const uint64_t work = work_since(start);
    trn_history_destroy(history);
    trn_store_destroy(store);
    return work;
}

/// Many steps of one unloaded chunk, between edits that cannot be undone: all undone, redone and
/// forgotten.
static uint64_t work_of_many_groups(uint32_t count)
{
    TrnStore *store = store_of(0);
    TrnHistory *history;
    const TrnHistoryDef def = {.bytes_max = (size_t)1 << 30};
    assert_int_equal(trn_history_create(store, &def, &history), TRN_RESULT_OK);
    const uint64_t start = work_start();
    for (uint32_t i = 0; i < count; i++) {
        TrnBatch *batch = batch_of(store, TRN_UNLOADED_PENDING, i % 2 ? history : NULL);
        const TrnVoxel voxel = {i % 32, i / 32 % 32, i / 1024 % 32};
        assert_int_equal(trn_batch_set(batch, voxel, (TrnBlock)(1 + i % 60000)), TRN_RESULT_OK);
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    }
    while (trn_history_undo(history, NULL) == TRN_RESULT_OK) {
    }
    while (trn_history_redo(history, NULL) == TRN_RESULT_OK) {
    }
    trn_history_clear(history);
    const uint64_t work = work_since(start);
    trn_history_destroy(history);
    trn_store_destroy(store);
    return work;
}

static void undo_takes_work_linear_in_its_batches(void **state)
{
    (void)state;
    assert_work_grows(work_of_huge_group, 500, 3, WORK_LINEAR);
    assert_work_grows(work_of_many_groups, 500, 3, WORK_LINEAR);
}

// ---- shapes -------------------------------------------------------------------------------------

/// Overlapping spheres of the largest radius, over a world with one chunk.
static uint64_t work_of_spheres(uint32_t count)
{
    TrnStore *store = store_of(0);
    TrnBatch *batch = batch_of(store, TRN_UNLOADED_SKIP, NULL);
    insert(store, (TrnCoord){0, 0, 0});
    const uint64_t start = work_start();
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(
            trn_batch_fill_sphere(batch, (TrnVoxel){i, 0, 0}, TRN_SPHERE_RADIUS_MAX, 1),
            TRN_RESULT_OK);
    }
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    const uint64_t work = work_since(start);
    trn_store_destroy(store);
    return work;
}

static void spheres_of_the_largest_radius_take_linear_work(void **state)
{
    (void)state;
    assert_work_grows(work_of_spheres, 1, 2, WORK_LINEAR);
    // Some work for each chunk of its box.
    assert_true(work_of_spheres(1) < UINT64_C(100) * 66 * 66 * 66);
}

/// A box of 2^size voxels along each axis, over 100 chunks: filled, gathered, asked for.
static uint64_t work_of_box(uint32_t log2_edge)
{
    TrnStore *store = store_of(0);
    TrnChunkIndex *index = trn_store_index(store);
    const int64_t edge = INT64_C(1) << log2_edge;
    const TrnVoxel min = {-edge, -edge, -edge}, max = {edge - 1, edge - 1, edge - 1};
    const TrnBox chunks = {trn_voxel_chunk(min), trn_voxel_chunk(max)};
    TrnPageFigures pages[200];
    TrnChunk *found[200];
    for (int32_t i = 0; i < 100; i++) {
        insert(store, (TrnCoord){i % 10, i / 10, -i % 7});
    }
    const uint64_t start = work_start();
    TrnBatch *batch = batch_of(store, TRN_UNLOADED_SKIP, NULL);
    assert_int_equal(trn_batch_fill_box(batch, min, max, 1), TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    batch = batch_of(store, TRN_UNLOADED_PENDING, NULL);
    assert_int_equal(trn_batch_fill_box(batch, min, max, 1), TRN_RESULT_FULL);
    trn_batch_cancel(batch);
    assert_int_equal(trn_store_gather(store, chunks, found, 200), 100);
    assert_true(trn_chunk_index_pages(index, chunks, pages, 200) > 0);
    assert_false(trn_store_box_has(store, min, max, TRN_PLANE_PRESENT));
    const uint64_t work = work_since(start);
    trn_store_destroy(store);
    return work;
}

static void boxes_of_any_size_take_the_work_of_their_chunks(void **state)
{
    (void)state;
    const uint64_t small = work_of_box(14); // already more unloaded chunks than may have edits
    for (uint32_t log2_edge = 15; log2_edge <= 36; log2_edge++) {
        assert_true((double)work_of_box(log2_edge) < WORK_CONSTANT * (double)small);
    }
}

/// A plane over boxes of every size up to the whole world.
static void a_plane_of_the_whole_world_is_refused_at_once(void **state)
{
    (void)state;
    static const TrnPlaneDef planes[] = {{"lit", true}};
    TrnChunkIndexDef def = trn_chunk_index_def();
    TrnChunkIndex *index;
    def.planes = planes;
    def.plane_count = 1;
    assert_int_equal(trn_chunk_index_create(&def, &index), TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_insert(index, (TrnCoord){0, 0, 0}, 1), TRN_RESULT_OK);
    const uint64_t start = work_start();
    assert_int_equal(trn_chunk_index_plane_fill(index, 1, trn_box_everything(), true),
                     TRN_RESULT_FULL);
    assert_int_equal(trn_chunk_index_plane_fill(index, 1, trn_box_everything(), false),
                     TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_reserve(index, trn_box_everything()), TRN_RESULT_OUT_OF_RANGE);
    assert_true(work_since(start) < 5000);
    trn_chunk_index_destroy(index);
}

// ---- index --------------------------------------------------------------------------------------

/// Chunks that are each far from all others, and come and go.
static uint64_t work_of_islands(uint32_t count)
{
    TrnStore *store = store_of(0);
    const uint64_t start = work_start();
    for (int round = 0; round < 2; round++) {
        for (int32_t i = 0; i < (int32_t)count; i++) {
            const int32_t far = i * 100000;
            insert(store, (TrnCoord){i % 2 ? far : -far, i % 3 ? -far : far, i * 7777});
        }
        for (int32_t i = (int32_t)count - 1; i >= 0; i--) {
            const int32_t far = i * 100000;
            assert_int_equal(trn_store_remove(store, (TrnCoord){i % 2 ? far : -far,
                                                                i % 3 ? -far : far, i * 7777}),
                             TRN_RESULT_OK);
        }
    }
    const uint64_t work = work_since(start);
    trn_store_destroy(store);
    return work;
}

/// A box of chunks whose last layer comes and goes, which makes the directory grow and shrink.
static uint64_t work_of_a_trembling_border(uint32_t count)
{
    TrnStore *store = store_of(0);
    for (int32_t i = 0; i < 512; i++) {
        insert(store, (TrnCoord){i % 8 * 8, i / 8 % 8 * 8, i / 64 * 8});
    }
    const uint64_t start = work_start();
    for (uint32_t i = 0; i < count; i++) {
        const int32_t beyond = 64 + (int32_t)(i % 5) * 64;
        for (int32_t k = 0; k < 8; k++) {
            insert(store, (TrnCoord){beyond, k * 8, 0});
        }
        for (int32_t k = 0; k < 8; k++) {
            assert_int_equal(trn_store_remove(store, (TrnCoord){beyond, k * 8, 0}), TRN_RESULT_OK);
        }
    }
    const uint64_t work = work_since(start);
    trn_store_destroy(store);
    return work;
}

static void chunks_anywhere_take_constant_work_each(void **state)
{
    (void)state;
    assert_work_grows(work_of_islands, 1000, 3, WORK_LINEAR);
    assert_work_grows(work_of_a_trembling_border, 50, 3, WORK_LINEAR);
}

/// Evicts all chunks at once.
static uint64_t work_of_eviction(uint32_t count)
{
    TrnStore *store = store_of(0);
    const TrnEviction all = {0};
    uint32_t evicted;
    for (int32_t i = 0; i < (int32_t)count; i++) {
        insert(store, (TrnCoord){i % 32, i / 1024, i / 32 % 32});
    }
    const uint64_t start = work_start();
    assert_int_equal(trn_store_evict(store, &all, &evicted), TRN_RESULT_FULL);
    const uint64_t work = work_since(start);
    assert_int_equal(evicted, count);
    trn_store_destroy(store);
    return work;
}

/// The most work of one call that touches, changes, pins or evicts a chunk of many.
static uint64_t work_of_the_worst_use(uint32_t count)
{
    TrnStore *store = store_of(0);
    TestRandom random = {81};
    const TrnEviction one = {.count_max = 1};
    uint64_t worst = 0;
    for (int32_t i = 0; i < (int32_t)count; i++) {
        insert(store, (TrnCoord){i % 32, i / 1024, i / 32 % 32});
    }
    for (uint32_t step = 0; step < 5 * count; step++) {
        const int32_t i = (int32_t)test_random_range(&random, 0, (int32_t)count - 1);
        TrnChunk *chunk = trn_store_find(store, (TrnCoord){i % 32, i / 1024, i / 32 % 32});
        const uint64_t start = work_start();
        uint32_t evicted;
        if (step % 16 == 0) {
            (void)trn_store_evict(store, &one, &evicted);
        } else if (chunk && step % 16 == 1) {
            trn_store_pin(store, chunk);
            trn_store_unpin(store, chunk);
        } else if (chunk && step % 16 == 2) {
            trn_store_fill(store, chunk, (TrnBlock)(step % 100));
        } else if (chunk) {
            trn_store_touch(store, &chunk, 1);
        }
        const uint64_t work = work_since(start);
        worst = work > worst ? work : worst;
        if (!chunk) {
            insert(store, (TrnCoord){i % 32, i / 1024, i / 32 % 32});
        }
    }
    trn_store_destroy(store);
    return worst;
}

static void the_worst_use_of_a_chunk_takes_constant_work(void **state)
{
    (void)state;
    const uint64_t few = work_of_the_worst_use(2000), many = work_of_the_worst_use(64000);
    assert_true(few > 0 && many < 2 * few);
}

static void evicting_everything_takes_the_work_of_its_passes(void **state)
{
    (void)state;
    // One pass over all chunks for every 512 evicted, and each evicted chunk is sorted and removed.
    for (uint32_t count = 512; count <= 8192; count *= 2) {
        assert_true(work_of_eviction(count) < (uint64_t)count * (count / 512 * 16 + 600));
    }
}

// ---- rays and bodies ----------------------------------------------------------------------------

/// A ray through as many chunks that are loaded, half full of leaves of its stop set.
static uint64_t work_of_ray(uint32_t chunks)
{
    TrnStore *store = store_of(0);
    const double direction[3] = {1, 1e-9, 1e-7};
    TrnRayDef def = trn_ray_def();
    TrnRayHit hit;
    for (int32_t x = 0; x < (int32_t)chunks; x++) {
        insert(store, (TrnCoord){x, 0, 0});
        assert_int_equal(
            trn_store_set_block(store, (TrnVoxel){x * 32 + 7, 9, 2}, TRN_BLOCK_STONE, NULL),
            TRN_RESULT_OK);
    }
    def.distance_max = chunks * 32.0;
    const TrnPosition origin = {{0, 0, 0}, {0, 8, 2}};
    const uint64_t start = work_start();
    assert_int_equal(trn_store_raycast(store, origin, direction, &def, &hit), TRN_RESULT_OK);
    const uint64_t work = work_since(start);
    assert_int_equal(hit.end, TRN_RAY_END_DISTANCE);
    trn_store_destroy(store);
    return work;
}

static void rays_take_work_linear_in_their_length(void **state)
{
    (void)state;
    assert_work_grows(work_of_ray, 50, 3, WORK_LINEAR);
}

static void the_longest_ray_and_sweep_are_bounded_and_more_is_refused(void **state)
{
    (void)state;
    TrnStore *store = store_of(0);
    const TrnPosition origin = {{0, 0, 0}, {5, 5, 5}};
    const double size[3] = {64, 64, 64}, far[3] = {1024, -1024, 1024};
    const double too_far[3] = {0, 1025, 0}, endless[3] = {INFINITY, 0, 0}, no[3] = {NAN, 0, 0};
    const double aslant[3] = {1, 1.0000001, 0.9999999};
    TrnRayDef def = trn_ray_def();
    TrnRayHit hit;
    TrnSweep sweep;
    def.distance_max = TRN_RAY_DISTANCE_MAX;
    uint64_t start = work_start();
    assert_int_equal(trn_store_raycast(store, origin, aslant, &def, &hit), TRN_RESULT_OK);
    assert_true(work_since(start) < UINT64_C(100) * 3 * 32768); // chunks along the ray
    insert(store, (TrnCoord){0, 0, 0});
    start = work_start();
    assert_int_equal(trn_store_sweep(store, origin, size, far, 64, &sweep), TRN_RESULT_OK);
    assert_true(work_since(start) < 10000000);
    start = work_start();
    def.distance_max = INFINITY;
    assert_int_equal(trn_store_raycast(store, origin, aslant, &def, &hit), TRN_RESULT_BAD_ARGUMENT);
    def.distance_max = 100;
    assert_int_equal(trn_store_raycast(store, origin, no, &def, &hit), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_raycast(store, origin, endless, &def, &hit),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_sweep(store, origin, size, too_far, 0, &sweep),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_sweep(store, origin, size, endless, 0, &sweep),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_store_sweep(store, origin, size, no, 0, &sweep), TRN_RESULT_BAD_ARGUMENT);
    assert_true(work_since(start) < 1000);
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pending_edits_at_colliding_coordinates_take_linear_work),
        cmocka_unit_test(runs_of_one_unloaded_chunk_take_linear_work),
        cmocka_unit_test(undo_takes_work_linear_in_its_batches),
        cmocka_unit_test(spheres_of_the_largest_radius_take_linear_work),
        cmocka_unit_test(boxes_of_any_size_take_the_work_of_their_chunks),
        cmocka_unit_test(a_plane_of_the_whole_world_is_refused_at_once),
        cmocka_unit_test(chunks_anywhere_take_constant_work_each),
        cmocka_unit_test(evicting_everything_takes_the_work_of_its_passes),
        cmocka_unit_test(the_worst_use_of_a_chunk_takes_constant_work),
        cmocka_unit_test(rays_take_work_linear_in_their_length),
        cmocka_unit_test(the_longest_ray_and_sweep_are_bounded_and_more_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

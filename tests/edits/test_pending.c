// Pending edits of unloaded chunks: they apply in order, take bounded memory, and survive an insert
// that fails.

#include "world_model.h"

static void pending_edits_apply_in_order_for_every_kind_of_insert(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = test_random_seeded(62);
    for (uint32_t kind = 0; kind < 3; kind++) {
        ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
        model_listen(world, kind > 0);
        model_random_blocks(&random, blocks);
        ModelBatch *batch = model_begin(world, TRN_UNLOADED_PENDING, NULL);
        model_fill_box(batch, model_voxel(world, 3, 3, 3), model_voxel(world, 40, 20, 20), 2);
        model_fill_box(batch, model_voxel(world, 5, 3, 3), model_voxel(world, 9, 9, 9), 3);
        model_set(batch, model_voxel(world, 5, 5, 5), 4);
        model_commit(batch);
        model_check(world);
        batch = model_begin(world, TRN_UNLOADED_PENDING, NULL);
        model_fill_sphere(batch, model_voxel(world, 6, 6, 6), 4.5, 1);
        model_set(batch, model_voxel(world, 6, 6, 6), TRN_BLOCK_AIR);
        model_get(batch, model_voxel(world, 6, 6, 6)); // NOT_FOUND
        model_commit(batch);
        assert_int_equal(trn_edits_stats(world->store).pending_chunks, 2);
        assert_true(trn_edits_stats(world->store).pending_bytes > 0);
        model_insert(world, 0, kind == 2 ? blocks : NULL, kind == 1 ? TRN_BLOCK_STONE : 0);
        model_check(world);
        model_remove(world, 0); // applied edits are not pending any more
        model_insert(world, 0, NULL, TRN_BLOCK_AIR);
        model_insert(world, 1, NULL, TRN_BLOCK_STONE);
        model_check(world);
        assert_int_equal(trn_edits_stats(world->store).pending_runs, 0);
        model_destroy(world);
    }
}

static void pending_edits_of_two_batches_apply_in_commit_order(void **state)
{
    (void)state;
    ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
    ModelBatch *first = model_begin(world, TRN_UNLOADED_PENDING, NULL);
    ModelBatch *second = model_begin(world, TRN_UNLOADED_PENDING, NULL);
    model_fill_box(first, model_voxel(world, 1, 1, 1), model_voxel(world, 5, 5, 5), 1);
    model_fill_box(second, model_voxel(world, 2, 2, 2), model_voxel(world, 7, 7, 7), 2);
    model_commit(second);
    model_commit(first);
    model_check(world);
    model_insert(world, 0, NULL, TRN_BLOCK_AIR);
    model_check(world);
    assert_int_equal(world->chunks[0].blocks[trn_local_index(3, 3, 3)], 1);
    model_destroy(world);
}

/// Edits made before the chunk was inserted apply before those made after.
static void a_chunk_inserted_during_a_batch_gets_all_its_edits(void **state)
{
    (void)state;
    ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
    ModelBatch *batch = model_begin(world, TRN_UNLOADED_PENDING, NULL);
    model_fill_box(batch, model_voxel(world, 1, 1, 1), model_voxel(world, 40, 5, 5), 1);
    model_insert(world, 0, NULL, TRN_BLOCK_STONE); // the batch is not committed yet
    model_check(world);
    model_fill_box(batch, model_voxel(world, 2, 2, 2), model_voxel(world, 36, 9, 9), 2);
    model_insert(world, 1, NULL, TRN_BLOCK_STONE); // not written to again
    model_check(world);
    model_commit(batch);
    model_check(world);
    assert_int_equal(trn_edits_stats(world->store).pending_chunks, 0);
    model_destroy(world);
}

enum { SCATTERED = 200 }; // chunks

/// Returns scattered chunks, in no order.
static TrnCoord scattered_chunk(int32_t i)
{
    return (TrnCoord){i * 7919 % 1009 - 500, i % 13, -i * 104729};
}

/// Writes the coordinates of an event's chunks behind those before.
typedef struct Heard {
    TrnCoord coords[SCATTERED];
    uint32_t count;
} Heard;

static TrnResult hear(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)store;
    Heard *heard = user;
    for (uint32_t i = 0; event->kind == TRN_EVENT_CHANGED && i < event->count; i++) {
        assert_in_range(heard->count, 0, SCATTERED - 1);
        heard->coords[heard->count++] = event->chunks[i].coord;
    }
    return TRN_RESULT_OK;
}

/// Sets a voxel in scattered chunks that are not loaded.
static TrnBatch *begin_scattered(TrnStore *store)
{
    TrnBatchDef def = trn_batch_def();
    def.unloaded = TRN_UNLOADED_PENDING;
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, &def, &batch), TRN_RESULT_OK);
    for (int32_t i = 0; i < SCATTERED; i++) {
        const TrnVoxel voxel = trn_coord_voxel(scattered_chunk(i));
        assert_int_equal(trn_batch_set(batch, voxel, TRN_BLOCK_STONE), TRN_RESULT_OK);
    }
    return batch;
}

/// Replays must be equal, though every store draws another key.
static void no_order_depends_on_the_hash_key(void **state)
{
    (void)state;
    for (uint64_t key = 0; key < 4; key++) {
        TrnStoreDef def = trn_store_def();
        def.hash_key = key; // 0: drawn
        TrnStore *store;
        assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
        static Heard heard;
        heard.count = 0;
        assert_int_equal(trn_store_subscribe(store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), hear, &heard),
                         TRN_RESULT_OK);
        // What is pending, in the order of the edits.
        assert_int_equal(trn_batch_commit(begin_scattered(store), NULL), TRN_RESULT_OK);
        TrnCoord coords[SCATTERED];
        assert_int_equal(trn_pending_chunks(store, coords, SCATTERED), SCATTERED);
        for (int32_t i = 0; i < SCATTERED; i++) {
            assert_true(trn_coord_equal(coords[i], scattered_chunk(i)));
            trn_pending_drop(store, coords[i]);
        }
        // The event of chunks that were inserted after the batch edited them.
        TrnBatch *batch = begin_scattered(store);
        for (int32_t i = SCATTERED; i-- > 0;) {
            assert_int_equal(
                trn_store_insert_uniform(store, scattered_chunk(i), TRN_BLOCK_AIR, NULL),
                TRN_RESULT_OK);
        }
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
        assert_int_equal(heard.count, SCATTERED);
        for (int32_t i = 0; i < SCATTERED; i++) {
            assert_true(trn_coord_equal(heard.coords[i], scattered_chunk(i)));
        }
        trn_store_destroy(store);
    }
}

/// What trn_pending_get gives, trn_batch_set_runs makes pending again, or applies to a chunk.
static void pending_edits_can_be_read_and_made_again(void **state)
{
    (void)state;
    ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
    const TrnCoord coord = trn_voxel_chunk(model_voxel(world, 3, 3, 3));
    assert_int_equal(trn_pending_get(world->store, coord, NULL, 0), 0);
    ModelBatch *batch = model_begin(world, TRN_UNLOADED_PENDING, NULL);
    model_fill_box(batch, model_voxel(world, 3, 3, 3), model_voxel(world, 20, 9, 4), 2);
    model_set(batch, model_voxel(world, 5, 5, 4), 4);
    model_commit(batch);
    static TrnPendingRun runs[64];
    const size_t count = trn_pending_get(world->store, coord, runs, 64);
    assert_in_range(count, 15, 64);
    TrnPendingRun first = {0};
    assert_int_equal(trn_pending_get(world->store, coord, &first, 1), count);
    assert_memory_equal(&first, &runs[0], sizeof first);
    assert_int_equal(trn_pending_drop(world->store, coord), count);
    for (int is_loaded = 0; is_loaded < 2; is_loaded++) {
        TrnBatch *again;
        assert_int_equal(trn_batch_begin(world->store, NULL, &again), TRN_RESULT_OK);
        assert_int_equal(trn_batch_set_runs(again, coord, runs, count), TRN_RESULT_OK);
        assert_int_equal(trn_batch_commit(again, NULL), TRN_RESULT_OK);
        if (!is_loaded) {
            model_insert(world, 0, NULL, TRN_BLOCK_AIR);
        }
        model_check(world);
    }
    static const TrnPendingRun wrong[] = {{5, 4, 1}, {0, TRN_CHUNK_VOXELS, 1}};
    for (int i = 0; i < 2; i++) {
        TrnBatch *bad;
        assert_int_equal(trn_batch_begin(world->store, NULL, &bad), TRN_RESULT_OK);
        assert_int_equal(trn_batch_set_runs(bad, coord, &wrong[i], 1), TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_batch_commit(bad, NULL), TRN_RESULT_BAD_ARGUMENT);
    }
    model_destroy(world);
}

static void pending_edits_are_dropped_on_demand(void **state)
{
    (void)state;
    ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
    ModelBatch *batch = model_begin(world, TRN_UNLOADED_PENDING, NULL);
    model_set(batch, model_voxel(world, 1, 1, 1), 1);
    model_fill_box(batch, model_voxel(world, 40, 1, 1), model_voxel(world, 99, 9, 9), 2);
    model_commit(batch);
    TrnCoord two[2] = {{77, 77, 77}, {77, 77, 77}};
    assert_int_equal(trn_pending_chunks(world->store, NULL, 0), 4);
    assert_int_equal(trn_pending_chunks(world->store, two, 1), 4);
    assert_true(model_place(world, two[0]) >= 0);
    assert_int_equal(two[1].x, 77);
    assert_int_equal(trn_pending_drop(world->store, (TrnCoord){50, 0, 0}), 0);
    for (uint32_t place = 0; place < 3; place++) {
        const TrnCoord coord = world->chunks[place].coord;
        const uint32_t runs = trn_store_explain(world->store, coord).pending_runs;
        assert_true(place ? runs >= 1 && runs <= 32 * 9 * 9 : runs == 1);
        assert_int_equal(trn_pending_drop(world->store, coord), runs);
        assert_int_equal(trn_pending_drop(world->store, coord), 0);
        ModelDraft *draft = world->chunks[place].pending;
        model_remove_pending(&world->chunks[place], draft);
        free(draft);
    }
    model_check(world);
    model_insert(world, 0, NULL, TRN_BLOCK_STONE);
    model_insert(world, 1, NULL, TRN_BLOCK_STONE);
    model_insert(world, 3, NULL, TRN_BLOCK_STONE);
    model_check(world);
    assert_int_equal(trn_edits_stats(world->store).pending_runs, 0);
    model_destroy(world);
}

static void pending_edits_stay_within_their_cap(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(63);
    const size_t pending_bytes_max = 100000;
    ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
    assert_int_equal(trn_pending_set_bytes_max(world->store, pending_bytes_max), TRN_RESULT_OK);
    model_listen(world, true);
    TrnResult result = TRN_RESULT_OK;
    uint32_t made = 0;
    for (; result == TRN_RESULT_OK && made < 1000; made++) {
        ModelCall calls[60];
        for (uint32_t c = 0; c < 60; c++) {
            calls[c] = (ModelCall){.min = model_random_voxel(world, &random), .block = (TrnBlock)c};
        }
        calls[59].min = model_voxel(world, made % 60, 1, 1);
        result = model_attempt(world, NULL, calls, 60);
        assert_true(trn_edits_stats(world->store).pending_bytes <= pending_bytes_max);
        model_check(world);
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    assert_true(made > 10 && made < 1000);
    const ModelCall big = {.kind = MODEL_BOX, // more chunks than the cap allows records
                           .min = model_voxel(world, 0, 0, 0),
                           .max = model_voxel(world, 31, 31, (int64_t)32 * 1000000),
                           .block = 2};
    assert_int_equal(model_attempt(world, NULL, &big, 1), TRN_RESULT_FULL);
    model_check(world);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        model_insert(world, place, NULL, TRN_BLOCK_STONE);
    }
    model_check(world);
    assert_int_equal(trn_edits_stats(world->store).pending_runs, 0);
    const ModelCall call = {.min = model_voxel(world, 1, 1, 1), .block = 9};
    assert_int_equal(model_attempt(world, NULL, &call, 1), TRN_RESULT_OK);
    model_remove(world, 0);
    assert_int_equal(model_attempt(world, NULL, &call, 1),
                     TRN_RESULT_OK); // the cap has capacity again
    model_check(world);
    model_destroy(world);
}

/// Repeated writes of the same voxels take a bounded number of bytes for each voxel of the chunk.
static void repeated_edits_of_an_unloaded_chunk_take_bounded_memory(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(64);
    TrnStore *store;
    TrnBlock *last = calloc((size_t)TRN_CHUNK_VOXELS, sizeof *last);
    assert_non_null(last);
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    assert_int_equal(trn_pending_set_bytes_max(store, (size_t)2 << 20), TRN_RESULT_OK);
    for (int b = 0; b < 2000; b++) {
        TrnBatch *batch;
        assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
        for (int i = 0; i < 100; i++) {
            const TrnVoxel voxel = {test_random_range(&random, 0, 31),
                                    test_random_range(&random, 0, 31),
                                    test_random_range(&random, 0, 31)};
            const TrnBlock block = (TrnBlock)test_random_range(&random, 1, 60000);
            assert_int_equal(trn_batch_set(batch, voxel, block), TRN_RESULT_OK);
            last[trn_voxel_local_index(voxel)] = block;
        }
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    }
    const TrnEditsStats stats = trn_edits_stats(store);
    assert_true(stats.pending_runs <= 131072);
    print_message("  200,000 pending writes are %llu runs in %zu bytes\n",
                  (unsigned long long)stats.pending_runs, stats.pending_bytes);
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, &chunk),
                     TRN_RESULT_OK);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), i), last[i]);
    }
    assert_true(trn_edits_stats(store).pending_bytes < 200000);
    free(last);
    trn_store_destroy(store);
}

static void repeated_fills_of_unloaded_chunks_take_bounded_memory(void **state)
{
    (void)state;
    ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
    assert_int_equal(trn_pending_set_bytes_max(world->store, (size_t)4 << 20), TRN_RESULT_OK);
    for (int b = 0; b < 300; b++) {
        const ModelCall calls[] = {{.kind = MODEL_BALL,
                                    .min = model_voxel(world, 20 + b % 5, 20, 20),
                                    .radius = 17.5,
                                    .block = (TrnBlock)(b % 7)},
                                   {.kind = MODEL_BOX,
                                    .min = model_voxel(world, 0, 0, 0),
                                    .max = model_voxel(world, 40, b % 40, 40),
                                    .block = (TrnBlock)(b % 5)}};
        assert_int_equal(model_attempt(world, NULL, calls, 2), TRN_RESULT_OK);
        // The model keeps every draft: merge the oldest two, to bound its memory.
        for (uint32_t place = 0; place < MODEL_CHUNKS && b % 50 < 49; place++) {
            ModelDraft *draft = world->chunks[place].pending;
            for (uint32_t i = 0; draft && draft->next && i < TRN_CHUNK_VOXELS; i++) {
                if (draft->next->written[i]) {
                    draft->written[i] = true;
                    draft->blocks[i] = draft->next->blocks[i];
                }
            }
            if (draft && draft->next) {
                ModelDraft *merged = draft->next;
                draft->next = merged->next;
                free(merged);
            }
        }
    }
    print_message("  600 pending fills take %zu bytes\n",
                  trn_edits_stats(world->store).pending_bytes);
    model_check(world);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        model_insert(world, place, NULL, TRN_BLOCK_SNOW);
    }
    model_check(world);
    model_destroy(world);
}

// ---- memory ------------------------------------------------------------------------------------

/// @return whether the allocation that should fail was reached
static bool fail_one_insert(size_t at, const TrnBlock *blocks, uint32_t *failures)
{
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    ModelWorld *world = model_create(&def, MODEL_LOWS[0]);
    for (uint32_t c = 0; c < 30; c++) {
        const ModelCall call = {.kind = MODEL_BALL,
                                .min = model_voxel(world, 16, 16, 16),
                                .radius = 15 - c / 3.0,
                                .block = (TrnBlock)(c * 20)};
        assert_int_equal(model_attempt(world, NULL, &call, 1), TRN_RESULT_OK);
    }
    trn_store_trim(world->store);
    test_fail(&memory, at, SIZE_MAX);
    const TrnResult result = model_try_insert(world, 0, blocks, 3);
    const bool is_reached = memory.allocations >= at;
    test_fail(&memory, 0, 0);
    model_check(world);
    assert_int_equal(trn_store_stats(world->store).total_bytes, memory.live_bytes);
    if (result != TRN_RESULT_OK) {
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        ++*failures;
        model_insert(world, 0, blocks, 3);
        model_check(world);
    }
    model_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
    return is_reached;
}

static void an_insert_that_memory_refuses_keeps_pending_edits(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {66};
    uint32_t failures = 0;
    model_random_blocks(&random, blocks);
    for (int kind = 0; kind < 2; kind++) {
        for (size_t at = 1; fail_one_insert(at, kind ? blocks : NULL, &failures); at++) {
        }
    }
    assert_true(failures > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pending_edits_apply_in_order_for_every_kind_of_insert),
        cmocka_unit_test(pending_edits_of_two_batches_apply_in_commit_order),
        cmocka_unit_test(a_chunk_inserted_during_a_batch_gets_all_its_edits),
        cmocka_unit_test(no_order_depends_on_the_hash_key),
        cmocka_unit_test(pending_edits_can_be_read_and_made_again),
        cmocka_unit_test(pending_edits_are_dropped_on_demand),
        cmocka_unit_test(pending_edits_stay_within_their_cap),
        cmocka_unit_test(repeated_edits_of_an_unloaded_chunk_take_bounded_memory),
        cmocka_unit_test(repeated_fills_of_unloaded_chunks_take_bounded_memory),
        cmocka_unit_test(an_insert_that_memory_refuses_keeps_pending_edits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

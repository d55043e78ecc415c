// Batches over many chunks, compared with plain arrays that get the same edits (world_model.h), and
// under failing memory and caps. See also test_edits.c (attaching), test_batch_shapes.c (boxes and
// spheres), test_pending.c (unloaded chunks) and test_history.c (undo and redo).

#include "world_model.h"

// ---- random batches ----------------------------------------------------------------------------

/// Checks that every call of a failed batch returns the batch's result, and ends the batch.
static void check_failed_batch(ModelBatch *batch, TrnResult result, TestRandom *random)
{
    ModelWorld *world = batch->world;
    TrnVoxelEdit *edit = NULL;
    const TrnVoxel voxel = model_random_voxel(world, random);
    assert_int_equal(trn_batch_set(batch->batch, voxel, 1), result);
    assert_int_equal(trn_batch_fill_box(batch->batch, voxel, voxel, 1), result);
    assert_int_equal(trn_batch_fill_sphere(batch->batch, voxel, 3, 1), result);
    assert_int_equal(trn_batch_edit(batch->batch, trn_voxel_chunk(voxel), &edit), result);
    assert_null(edit);
    model_forget_events(world);
    if (test_random_next(random) % 2) {
        TrnBatchOutcome outcome = {.changed_voxels = 12345};
        assert_int_equal(trn_batch_commit(batch->batch, &outcome), result);
        assert_int_equal(outcome.changed_voxels, 12345);
        model_end(batch);
    } else {
        model_cancel(batch);
    }
    assert_int_equal(world->events, 0);
}

/// How often each outcome occurred in random rounds, to prove that all were tested.
typedef struct RoundCounts {
    uint32_t committed, cancelled, busy, not_found;
} RoundCounts;

/// Makes up to seven calls, and ends the batch unless it is to stay open.
static void random_batch(ModelBatch *batch, TestRandom *random, bool stays_open,
                         RoundCounts *counts)
{
    TrnResult result = TRN_RESULT_OK;
    const int64_t calls = test_random_range(random, 0, 7);
    for (int64_t c = 0; c < calls && result == TRN_RESULT_OK; c++) {
        result = model_random_write(batch, random);
    }
    if (result != TRN_RESULT_OK) {
        counts->busy += result == TRN_RESULT_BUSY;
        counts->not_found += result == TRN_RESULT_NOT_FOUND;
        check_failed_batch(batch, result, random);
    } else if (!stays_open && test_random_next(random) % 8 == 0) {
        counts->cancelled++;
        model_cancel(batch);
    } else if (!stays_open) {
        counts->committed++;
        model_commit(batch);
    }
}

static TrnUnloadedPolicy random_policy(TestRandom *random)
{
    const uint64_t kind = test_random_next(random) % 8;
    return kind < 5 ? TRN_UNLOADED_PENDING : kind < 7 ? TRN_UNLOADED_SKIP : TRN_UNLOADED_FAIL;
}

static void random_round(ModelWorld *world, TestRandom *random, RoundCounts *counts)
{
    model_listen(world, test_random_next(random) % 3 > 0);
    random_batch(model_begin(world, random_policy(random), NULL), random, false, counts);
    model_check(world);
    if (test_random_next(random) % 4 == 0) { // keep another one open
        random_batch(model_begin(world, random_policy(random), NULL), random, true, counts);
        model_check(world);
        for (int i = 0; i < 3; i++) {
            model_random_loads(world, 6, random);
            random_batch(model_begin(world, random_policy(random), NULL), random, false, counts);
        }
        model_check(world);
        if (world->open[0]) {
            model_commit(world->open[0]);
        }
        model_check(world);
    }
    model_random_loads(world, 6, random);
    model_check(world);
}

static void random_batches_agree_with_plain_arrays(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(61);
    RoundCounts counts = {0, 0, 0, 0};
    for (uint32_t w = 0; w < 3; w++) {
        ModelWorld *world = model_create(NULL, MODEL_LOWS[w]);
        model_random_inserts(world, 75, &random);
        for (uint32_t round = 0; round < test_rounds(90, 30); round++) {
            random_round(world, &random, &counts);
        }
        model_destroy(world);
    }
    print_message("  %u committed, %u cancelled, %u busy, %u not found\n", counts.committed,
                  counts.cancelled, counts.busy, counts.not_found);
    assert_true(counts.committed > test_rounds(100, 30) && counts.cancelled > test_rounds(5, 0) &&
                counts.busy > test_rounds(5, 0) && counts.not_found > test_rounds(5, 0));
}

// ---- one change --------------------------------------------------------------------------------

static void a_commit_publishes_all_changes_at_once(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    TrnChunkReader *reader;
    TrnSnapshot before[MODEL_CHUNKS], now;
    assert_int_equal(trn_chunk_index_reader_create(trn_store_index(world->store), "test", &reader),
                     TRN_RESULT_OK);
    trn_chunk_index_read_begin(reader);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        assert_int_equal(
            trn_store_snapshot(world->store, world->chunks[place].coord, &before[place]),
            TRN_RESULT_OK);
    }
    ModelBatch *batch = model_begin(world, TRN_UNLOADED_PENDING, NULL);
    assert_int_equal(model_fill_box(batch, model_voxel(world, 5, 5, 5),
                                    model_voxel(world, 99, 99, 99), TRN_BLOCK_SAND),
                     TRN_RESULT_OK);
    assert_int_equal(model_set(batch, model_voxel(world, 6, 6, 6), TRN_BLOCK_SNOW), TRN_RESULT_OK);
    model_get(batch, model_voxel(world, 6, 6, 6));
    model_get(batch, model_voxel(world, 7, 6, 6));
    model_get(batch, model_voxel(world, 4, 6, 6));
    model_check(world); // nothing is visible yet
    model_commit(batch);
    model_check(world);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        assert_int_equal(trn_snapshot_count(before[place], TRN_BLOCK_STONE), TRN_CHUNK_VOXELS);
        assert_int_equal(trn_store_snapshot(world->store, world->chunks[place].coord, &now),
                         TRN_RESULT_OK);
        assert_int_equal(trn_snapshot_revision(now), trn_store_revision(world->store));
    }
    trn_chunk_index_read_end(reader);
    model_destroy(world);
}

static void a_batch_that_changes_nothing_publishes_nothing(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    model_listen(world, true);
    const uint64_t revision = trn_store_revision(world->store);
    model_commit(model_begin(world, TRN_UNLOADED_PENDING, NULL));
    ModelBatch *batch = model_begin(world, TRN_UNLOADED_SKIP, NULL);
    assert_int_equal(model_set(batch, model_voxel(world, 1, 2, 3), TRN_BLOCK_STONE), TRN_RESULT_OK);
    assert_int_equal(model_fill_box(batch, model_voxel(world, -9, 0, 0),
                                    model_voxel(world, 127, 127, 127), TRN_BLOCK_STONE),
                     TRN_RESULT_OK);
    assert_int_equal(model_fill_sphere(batch, model_voxel(world, 60, 60, 60), 50, TRN_BLOCK_STONE),
                     TRN_RESULT_OK);
    model_commit(batch);
    batch = model_begin(world, TRN_UNLOADED_PENDING, NULL);
    assert_int_equal(model_set(batch, model_voxel(world, 1, 2, 3), TRN_BLOCK_SAND), TRN_RESULT_OK);
    model_cancel(batch);
    assert_int_equal(trn_store_revision(world->store), revision);
    assert_int_equal(world->events, 0);
    assert_int_equal(trn_store_stats(world->store).uniform_chunks, MODEL_CHUNKS);
    model_check(world);
    model_destroy(world);
}

/// A listener that commits a batch in its first call.
typedef struct Echo {
    ModelWorld *world;
    uint32_t calls;
    uint64_t revisions[4];
} Echo;

static TrnResult echo(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Echo *self = user;
    for (uint32_t i = 0; i < event->count; i++) { // all chunks are published before the event
        assert_true(trn_chunk_revision(event->chunks[i].chunk) >= event->revision);
    }
    assert_true(self->calls < 4);
    self->revisions[self->calls] = event->revision;
    if (self->calls++ == 0) {
        TrnBatch *batch;
        assert_int_equal(event->count, 2);
        assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
        trn_batch_set(batch, model_voxel(self->world, 0, 0, 0), TRN_BLOCK_DIRT);
        trn_batch_set(batch, model_voxel(self->world, 100, 0, 0), TRN_BLOCK_DIRT);
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    }
    return TRN_RESULT_OK;
}

static void a_listener_may_commit_a_batch(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    Echo self = {.world = world};
    TrnBatch *batch;
    TrnBatchOutcome outcome;
    TrnBlock block = 0;
    const uint64_t before = trn_store_revision(world->store);
    assert_int_equal(
        trn_store_subscribe(world->store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), echo, &self),
        TRN_RESULT_OK);
    assert_int_equal(trn_batch_begin(world->store, NULL, &batch), TRN_RESULT_OK);
    trn_batch_fill_box(batch, model_voxel(world, 0, 0, 0), model_voxel(world, 40, 1, 1),
                       TRN_BLOCK_SAND);
    assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.revision, before + 1);
    assert_int_equal(outcome.changed_chunks, 2);
    assert_int_equal(self.calls, 2);
    assert_int_equal(self.revisions[0], before + 1);
    assert_int_equal(self.revisions[1], before + 2);
    assert_int_equal(trn_store_revision(world->store), before + 2);
    trn_store_get_block(world->store, model_voxel(world, 0, 0, 0), &block);
    assert_int_equal(block, TRN_BLOCK_DIRT);
    trn_store_get_block(world->store, model_voxel(world, 1, 0, 0), &block);
    assert_int_equal(block, TRN_BLOCK_SAND);
    model_destroy(world);
}

static void a_chunks_edit_is_valid_until_the_batch_ends(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    ModelBatch *batch = model_begin(world, TRN_UNLOADED_PENDING, NULL);
    TrnVoxelEdit *edit, *again;
    assert_int_equal(trn_batch_edit(batch->batch, world->chunks[0].coord, &edit), TRN_RESULT_OK);
    for (uint32_t place = 1; place < MODEL_CHUNKS; place++) { // more than one block of the pool
        assert_int_equal(model_set(batch, trn_coord_voxel(world->chunks[place].coord), 2),
                         TRN_RESULT_OK);
    }
    assert_int_equal(trn_batch_edit(batch->batch, world->chunks[0].coord, &again), TRN_RESULT_OK);
    assert_ptr_equal(again, edit);
    assert_int_equal(trn_voxel_edit_set(edit, 77, TRN_BLOCK_SNOW), TRN_RESULT_OK);
    model_write(world, &batch->change, 0, 77, TRN_BLOCK_SNOW);
    model_commit(batch);
    model_check(world);
    model_destroy(world);
}

// ---- several batches ---------------------------------------------------------------------------

static void one_batch_at_a_time_has_a_chunk_open(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    TrnChunk *chunk = trn_store_find(world->store, world->chunks[0].coord);
    const TrnVoxel mine = model_voxel(world, 0, 0, 0), others = model_voxel(world, 99, 0, 0);
    ModelBatch *first = model_begin(world, TRN_UNLOADED_PENDING, NULL);
    assert_int_equal(model_set(first, mine, TRN_BLOCK_SAND), TRN_RESULT_OK);
    ModelBatch *second = model_begin(world, TRN_UNLOADED_PENDING, NULL);
    assert_int_equal(model_set(second, others, TRN_BLOCK_SAND), TRN_RESULT_OK);
    assert_int_equal(model_set(second, mine, TRN_BLOCK_SAND), TRN_RESULT_BUSY);
    assert_int_equal(trn_batch_set(second->batch, model_voxel(world, 50, 0, 0), 1),
                     TRN_RESULT_BUSY);
    assert_int_equal(trn_batch_commit(second->batch, NULL), TRN_RESULT_BUSY);
    model_end(second);
    model_check(world);

    assert_true(trn_store_explain(world->store, chunk->coord).is_open);
    assert_false(trn_store_explain(world->store, trn_voxel_chunk(others)).is_open);
    assert_int_equal(trn_store_remove(world->store, chunk->coord), TRN_RESULT_BUSY);
    assert_int_equal(trn_store_set_block(world->store, mine, 3, NULL), TRN_RESULT_BUSY);
    assert_int_equal(trn_store_set_voxels(world->store, chunk, blocks), TRN_RESULT_BUSY);
    model_check(world);

    second = model_begin(world, TRN_UNLOADED_PENDING, NULL);
    assert_int_equal(model_set(second, others, TRN_BLOCK_SNOW), TRN_RESULT_OK);
    model_commit(second);
    model_commit(first); // gets the later revision
    model_check(world);
    assert_int_equal(trn_chunk_revision(chunk), trn_store_revision(world->store));
    assert_false(trn_store_explain(world->store, chunk->coord).is_open);
    model_remove(world, 0);
    model_destroy(world);
}

static void many_open_batches_lock_different_chunks(void **state)
{
    (void)state;
    ModelWorld *world = model_full_world(NULL, TRN_BLOCK_STONE);
    TrnBatch *open[MODEL_CHUNKS];
    for (uint32_t i = 0; i < MODEL_CHUNKS; i++) {
        assert_int_equal(trn_batch_begin(world->store, NULL, &open[i]), TRN_RESULT_OK);
        assert_int_equal(
            trn_batch_set(open[i], trn_coord_voxel(world->chunks[i].coord), TRN_BLOCK_SAND),
            TRN_RESULT_OK);
    }
    for (uint32_t i = 0; i < MODEL_CHUNKS; i += 2) {
        trn_batch_cancel(open[i]);
    }
    for (uint32_t i = 0; i < MODEL_CHUNKS; i++) {
        ModelBatch *batch = model_begin(world, TRN_UNLOADED_PENDING, NULL);
        const TrnVoxel voxel = trn_coord_voxel(world->chunks[i].coord);
        const TrnResult result = trn_batch_set(batch->batch, voxel, TRN_BLOCK_SNOW);
        assert_int_equal(result, i % 2 ? TRN_RESULT_BUSY : TRN_RESULT_OK);
        model_cancel(batch);
    }
    for (uint32_t i = 1; i < MODEL_CHUNKS; i += 2) {
        ModelBatch *batch = model_adopt(world, TRN_UNLOADED_PENDING, NULL, open[i]);
        model_write(world, &batch->change, i, 0, TRN_BLOCK_SAND);
        model_commit(batch);
    }
    model_check(world);
    model_destroy(world);
}

// ---- memory and caps ---------------------------------------------------------------------------

/// Calls that allocate in every way: they open, copy and widen chunks, and make edits pending.
static size_t costly_calls(const ModelWorld *world, ModelCall *calls)
{
    const ModelCall made[] = {
        {.kind = MODEL_BOX,
         .min = model_voxel(world, 1, 1, 1),
         .max = model_voxel(world, 70, 60, 40),
         .block = 7},
        {.kind = MODEL_BALL, .min = model_voxel(world, 40, 40, 40), .radius = 22.5, .block = 6},
        {.min = model_voxel(world, 33, 33, 33), .block = 600},
        {.min = model_voxel(world, 127, 127, 127), .block = 8},
        {.kind = MODEL_BALL, .min = model_voxel(world, 90, 90, 90), .radius = 9, .block = 6},
        {.kind = MODEL_BOX,
         .min = model_voxel(world, 64, 0, 64),
         .max = model_voxel(world, 95, 31, 95),
         .block = 3},
    };
    memcpy(calls, made, sizeof made);
    return sizeof made / sizeof *made;
}

static TrnResult ignore_event(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)store, (void)user;
    return event->count ? TRN_RESULT_OK : TRN_RESULT_BAD_ARGUMENT;
}

/// A world with loaded chunks, half of them with payloads, and a pending edit.
static ModelWorld *costly_world(const TrnStoreDef *def, uint64_t seed)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {seed};
    ModelWorld *world = model_create(def, MODEL_LOWS[0]);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place += place % 3 ? 1 : 2) {
        model_random_blocks(&random, blocks);
        model_insert(world, place, place % 2 ? blocks : NULL, TRN_BLOCK_STONE);
    }
    const ModelCall call = {.min = model_voxel(world, 40, 120, 120), .block = 5};
    assert_int_equal(model_attempt(world, NULL, &call, 1), TRN_RESULT_OK);
    return world;
}

/// @return whether the allocation that should fail was reached
static bool fail_one_allocation(size_t at, bool fails_on, uint32_t results[TRN_RESULT_COUNT])
{
    TestAllocator memory = {0};
    ModelCall calls[8];
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    ModelWorld *world = costly_world(&def, 65);
    if (at % 2) { // odd runs have no listeners, whose events also allocate
        assert_int_equal(
            trn_store_subscribe(world->store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), ignore_event, NULL),
            TRN_RESULT_OK);
    }
    const size_t count = costly_calls(world, calls);
    trn_store_trim(world->store);
    test_fail(&memory, at, fails_on ? SIZE_MAX : 0);
    const TrnResult result = model_attempt(world, NULL, calls, count);
    const bool is_reached = memory.allocations >= at;
    test_fail(&memory, 0, 0);
    results[result]++;
    assert_true(result == TRN_RESULT_OK || (is_reached && result == TRN_RESULT_NO_MEMORY));
    assert_int_equal(trn_store_stats(world->store).total_bytes, memory.live_bytes);
    model_check(world);
    assert_int_equal(model_attempt(world, NULL, calls, count), TRN_RESULT_OK); // it succeeds now
    model_check(world);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        if (!world->chunks[place].is_loaded) {
            model_insert(world, place, NULL, TRN_BLOCK_AIR);
        }
    }
    model_check(world);
    model_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
    return is_reached;
}

static void a_batch_that_memory_refuses_changes_nothing(void **state)
{
    (void)state;
    uint32_t results[TRN_RESULT_COUNT] = {0};
    for (int fails_on = 0; fails_on < 2; fails_on++) {
        for (size_t at = 1; fail_one_allocation(at, fails_on, results); at += test_rounds(1, 7)) {
        }
    }
    print_message("  %u succeeded, %u had no memory\n", results[TRN_RESULT_OK],
                  results[TRN_RESULT_NO_MEMORY]);
    assert_true(results[TRN_RESULT_NO_MEMORY] > 10);
}

static ModelWorld *stone_with_cap(size_t bytes_max)
{
    TrnStoreDef def = trn_store_def();
    def.bytes_max = bytes_max;
    ModelWorld *world = model_create(&def, MODEL_LOWS[0]);
    for (uint32_t place = 0; place < MODEL_CHUNKS; place++) {
        model_insert(world, place, NULL, TRN_BLOCK_STONE);
    }
    return world;
}

static void a_budget_reached_in_the_middle_of_a_box_changes_nothing(void **state)
{
    (void)state;
    ModelWorld *world = stone_with_cap(0);
    const size_t least = trn_store_stats(world->store).total_bytes_peak;
    const ModelCall calls[] = {{.min = model_voxel(world, 40, 40, 40), .block = 3},
                               {.kind = MODEL_BOX,
                                .min = model_voxel(world, 1, 1, 1),
                                .max = model_voxel(world, 126, 126, 126),
                                .block = TRN_BLOCK_SAND}};
    model_destroy(world);
    uint32_t refused = 0;
    TrnResult result = TRN_RESULT_FULL;
    for (size_t more = 0; result == TRN_RESULT_FULL; more += 60000) {
        world = stone_with_cap(least + more);
        if (refused % 2) {
            assert_int_equal(trn_store_subscribe(world->store, TRN_EVENT_BIT(TRN_EVENT_CHANGED),
                                                 ignore_event, NULL),
                             TRN_RESULT_OK);
        }
        result = model_attempt(world, NULL, calls, 2);
        refused += result == TRN_RESULT_FULL;
        model_check(world);
        const TrnStoreStats stats = trn_store_stats(world->store);
        assert_true(stats.total_bytes_peak <= least + more);
        assert_int_equal(stats.uniform_chunks, result == TRN_RESULT_FULL ? MODEL_CHUNKS : 8);
        model_destroy(world);
        assert_true(more < (size_t)64 << 20);
    }
    assert_int_equal(result, TRN_RESULT_OK);
    print_message("  %u budgets were too small\n", refused);
    assert_true(refused > 3);
}

static void memory_retired_for_readers_can_refuse_a_batch(void **state)
{
    (void)state;
    ModelWorld *world = stone_with_cap((size_t)8 << 20);
    TrnChunkReader *reader;
    assert_int_equal(trn_chunk_index_reader_create(trn_store_index(world->store), "test", &reader),
                     TRN_RESULT_OK);
    ModelCall box = {.kind = MODEL_BOX,
                     .min = model_voxel(world, 1, 1, 1),
                     .max = model_voxel(world, 80, 80, 80)};
    trn_chunk_index_read_begin(reader);
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < 1000 && result == TRN_RESULT_OK; i++) {
        box.block = (TrnBlock)(2 + i % 3);
        result = model_attempt(world, NULL, &box, 1);
    }
    assert_int_equal(result, TRN_RESULT_READERS);
    model_check(world);
    trn_chunk_index_read_end(reader);
    assert_int_equal(model_attempt(world, NULL, &box, 1), TRN_RESULT_OK);
    model_check(world);
    assert_true(trn_store_stats(world->store).total_bytes_peak <= (size_t)8 << 20);
    model_destroy(world);
}

/// Commits a box and sets, or inserts a chunk, under an allocator that may fail.
static TrnResult attempt_at_random(ModelWorld *world, TestAllocator *memory, TestRandom *random)
{
    ModelCall calls[8];
    for (uint32_t c = 0; c < 8; c++) {
        calls[c] = (ModelCall){.kind = c ? MODEL_SET : MODEL_BOX,
                               .block = model_random_block(random),
                               .min = model_random_voxel(world, random)};
        calls[c].max = calls[c].min;
    }
    const int64_t most = model_voxel(world, MODEL_VOXELS - 1, 0, 0).x - calls[0].min.x;
    calls[0].max.x += most < 40 ? most : 40;
    if (test_random_next(random) % 2) { // so that the batch allocates
        trn_store_trim(world->store);
    }
    const uint32_t place = (uint32_t)test_random_range(random, 0, MODEL_CHUNKS - 1);
    const bool is_insert = test_random_next(random) % 4 == 0 && !world->chunks[place].is_loaded;
    const size_t at = (size_t)test_random_range(random, 0, 8);
    test_fail(memory, at, test_random_next(random) % 3 ? SIZE_MAX : 0);
    const TrnResult result =
        is_insert ? model_try_insert(world, place, NULL, 2) : model_attempt(world, NULL, calls, 8);
    test_fail(memory, 0, 0);
    return result;
}

static void random_batches_under_failures_agree_with_plain_arrays(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(67);
    uint32_t results[TRN_RESULT_COUNT] = {0};
    for (int round = 0; round < 4; round++) {
        TestAllocator memory = {0};
        const TrnAllocator allocator = test_allocator(&memory);
        TrnStoreDef def = trn_store_def();
        def.allocator = &allocator;
        def.bytes_max = round % 2 ? (size_t)700 << 10 : 0;
        ModelWorld *world = model_create(&def, MODEL_LOWS[0]);
        assert_int_equal(trn_pending_set_bytes_max(world->store, 40000), TRN_RESULT_OK);
        for (uint32_t step = 0; step < test_rounds(250, 60); step++) {
            results[attempt_at_random(world, &memory, &random)]++;
            model_check(world);
            assert_int_equal(trn_store_stats(world->store).total_bytes, memory.live_bytes);
        }
        model_destroy(world);
        assert_int_equal(memory.live_blocks, 0);
    }
    print_message("  %u succeeded, %u no memory, %u full\n", results[TRN_RESULT_OK],
                  results[TRN_RESULT_NO_MEMORY], results[TRN_RESULT_FULL]);
    assert_true(results[TRN_RESULT_OK] > test_rounds(100, 20) &&
                results[TRN_RESULT_NO_MEMORY] > test_rounds(50, 10) &&
                results[TRN_RESULT_FULL] > test_rounds(20, 0));
}

static void a_chunk_open_in_a_batch_refuses_other_edits(void **state)
{
    (void)state;
    TrnStore *store;
    TrnChunk *chunk;
    TrnBatch *batch;
    TrnVoxelEdit edit;
    assert_int_equal(trn_store_create(NULL, &store), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, &chunk),
                     TRN_RESULT_OK);
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set(batch, (TrnVoxel){1, 1, 1}, TRN_BLOCK_SAND), TRN_RESULT_OK);
    assert_int_equal(trn_store_fill(store, chunk, TRN_BLOCK_STONE), TRN_RESULT_BUSY);
    assert_int_equal(trn_store_edit_begin(store, chunk, &edit), TRN_RESULT_BUSY);
    assert_int_equal(trn_voxel_edit_set(&edit, 0, TRN_BLOCK_STONE), TRN_RESULT_BAD_ARGUMENT);
    assert_false(trn_store_edit_commit(store, &edit));
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_snapshot_count(trn_voxels_snapshot(&chunk->voxels), TRN_BLOCK_SAND), 1);
    assert_int_equal(trn_snapshot_count(trn_voxels_snapshot(&chunk->voxels), TRN_BLOCK_STONE), 0);
    trn_store_destroy(store);
}

static void a_batch_that_did_not_begin_is_null_and_its_commit_says_so(void **state)
{
    (void)state;
    TrnBatch *const somewhere = (TrnBatch *)(uintptr_t)64; // as an unset pointer may be
    TrnBatch *batch = somewhere;
    TrnBatchOutcome outcome = {.changed_chunks = 77};
    TrnVoxelEdit *edit = NULL;
    TrnBlock block = 77;
    TrnBlockData data;
    const TrnVoxel voxel = {1, 2, 3};
    const TrnPendingRun run = {0, 1, TRN_BLOCK_STONE};
    const TrnResult refused = TRN_RESULT_BAD_ARGUMENT;
    assert_int_equal(trn_batch_begin(NULL, NULL, &batch), refused);
    assert_null(batch);
    assert_int_equal(trn_batch_set(batch, voxel, TRN_BLOCK_STONE), refused);
    assert_int_equal(trn_batch_fill_box(batch, voxel, voxel, TRN_BLOCK_STONE), refused);
    assert_int_equal(trn_batch_fill_sphere(batch, voxel, 2, TRN_BLOCK_STONE), refused);
    assert_int_equal(trn_batch_edit(batch, (TrnCoord){0, 0, 0}, &edit), refused);
    assert_int_equal(trn_batch_set_data(batch, voxel, "x", 1, TRN_DATA_STAYS), refused);
    assert_int_equal(trn_batch_get_data(batch, voxel, &data), refused);
    assert_int_equal(trn_batch_get(batch, voxel, &block), refused);
    assert_int_equal(trn_batch_set_runs(batch, (TrnCoord){0, 0, 0}, &run, 1), refused);
    assert_int_equal(trn_batch_commit(batch, &outcome), refused);
    trn_batch_cancel(batch);
    assert_int_equal(outcome.changed_chunks, 77);
    assert_int_equal(block, 77);
    assert_int_equal(trn_batch_begin(NULL, NULL, NULL), refused);

    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    TrnStore *store;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    test_fail(&memory, 1, SIZE_MAX);
    batch = somewhere;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_NO_MEMORY);
    assert_null(batch);
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_batches_agree_with_plain_arrays),
        cmocka_unit_test(a_commit_publishes_all_changes_at_once),
        cmocka_unit_test(a_batch_that_changes_nothing_publishes_nothing),
        cmocka_unit_test(a_listener_may_commit_a_batch),
        cmocka_unit_test(a_chunks_edit_is_valid_until_the_batch_ends),
        cmocka_unit_test(one_batch_at_a_time_has_a_chunk_open),
        cmocka_unit_test(many_open_batches_lock_different_chunks),
        cmocka_unit_test(a_chunk_open_in_a_batch_refuses_other_edits),
        cmocka_unit_test(a_batch_that_did_not_begin_is_null_and_its_commit_says_so),
        cmocka_unit_test(a_batch_that_memory_refuses_changes_nothing),
        cmocka_unit_test(a_budget_reached_in_the_middle_of_a_box_changes_nothing),
        cmocka_unit_test(memory_retired_for_readers_can_refuse_a_batch),
        cmocka_unit_test(random_batches_under_failures_agree_with_plain_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

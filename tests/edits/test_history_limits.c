// Undo and redo within bytes_max, under failing memory and under the caps of the store.

#include "history_steps.h"

// ---- bytes_max ---------------------------------------------------------------------------------

/// A chunk, and copies of it after each step.
typedef struct Strip {
    TrnStore *store;
    TrnHistory *history;
    TrnBlock copies[101][TRN_CHUNK_VOXELS];
} Strip;

static void strip_read(const Strip *strip, TrnBlock *blocks)
{
    TrnSnapshot snapshot;
    assert_int_equal(trn_store_snapshot(strip->store, (TrnCoord){0, 0, 0}, &snapshot),
                     TRN_RESULT_OK);
    trn_snapshot_decode(snapshot, blocks);
}

static Strip *strip_create(size_t bytes_max)
{
    Strip *strip = calloc(1, sizeof *strip);
    assert_non_null(strip);
    const TrnHistoryDef def = {bytes_max};
    assert_int_equal(trn_store_create(NULL, &strip->store), TRN_RESULT_OK);
    assert_int_equal(
        trn_store_insert_uniform(strip->store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, NULL),
        TRN_RESULT_OK);
    assert_int_equal(trn_history_create(strip->store, &def, &strip->history), TRN_RESULT_OK);
    return strip;
}

static void strip_destroy(Strip *strip)
{
    trn_history_destroy(strip->history);
    trn_store_destroy(strip->store);
    free(strip);
}

/// Writes random voxels in one batch.
static void strip_write(Strip *strip, uint32_t voxels, TestRandom *random)
{
    TrnBatch *batch;
    TrnBatchDef def = trn_batch_def();
    def.history = strip->history;
    assert_int_equal(trn_batch_begin(strip->store, &def, &batch), TRN_RESULT_OK);
    for (uint32_t i = 0; i < voxels; i++) {
        const TrnVoxel voxel = {test_random_range(random, 0, 31), test_random_range(random, 0, 31),
                                test_random_range(random, 0, 31)};
        trn_batch_set(batch, voxel, (TrnBlock)test_random_range(random, 1, 900));
    }
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    const TrnHistoryStats stats = trn_history_stats(strip->history);
    assert_true(stats.bytes <= stats.bytes_max);
    assert_true(trn_edits_stats(strip->store).history_bytes >= stats.bytes);
}

static void strip_check(const Strip *strip, const TrnBlock *blocks)
{
    static TrnBlock read[TRN_CHUNK_VOXELS];
    strip_read(strip, read);
    assert_memory_equal(read, blocks, sizeof read);
}

static void the_oldest_steps_are_dropped_to_stay_within_bytes_max(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(74);
    Strip *strip = strip_create(40000);
    uint32_t made = 0;
    for (; made < 100; made++) {
        strip_read(strip, strip->copies[made]);
        strip_write(strip, (uint32_t)test_random_range(&random, 1, 400), &random);
        const TrnHistoryStats stats = trn_history_stats(strip->history);
        assert_int_equal(stats.undo_groups + stats.dropped_groups, made + 1);
        assert_true(stats.undo_groups > 0);
    }
    strip_read(strip, strip->copies[100]);
    const uint32_t left = trn_history_stats(strip->history).undo_groups;
    assert_true(left > 4 && left < 100);
    for (int again = 0; again < 2; again++) {
        for (uint32_t i = 0; i < left; i++) {
            assert_int_equal(trn_history_undo(strip->history, NULL), TRN_RESULT_OK);
            strip_check(strip, strip->copies[99 - i]);
        }
        assert_int_equal(trn_history_undo(strip->history, NULL), TRN_RESULT_NOT_FOUND);
        for (uint32_t i = left; i-- > 0;) {
            assert_int_equal(trn_history_redo(strip->history, NULL), TRN_RESULT_OK);
            strip_check(strip, strip->copies[100 - i]);
        }
        assert_int_equal(trn_history_redo(strip->history, NULL), TRN_RESULT_NOT_FOUND);
    }
    strip_destroy(strip);
}

/// @param batches  in the group
static void check_overflow(uint32_t batches, uint32_t voxels, TestRandom *random)
{
    static TrnBlock before[TRN_CHUNK_VOXELS], after[TRN_CHUNK_VOXELS];
    Strip *strip = strip_create(20000);
    for (uint32_t i = 0; i < 3; i++) {
        strip_write(strip, 20, random);
    }
    assert_int_equal(trn_history_stats(strip->history).undo_groups, 3);
    assert_int_equal(trn_history_undo(strip->history, NULL), TRN_RESULT_OK);
    if (batches > 1) {
        trn_history_begin_group(strip->history);
    }
    for (uint32_t b = 0; b < batches; b++) {
        strip_write(strip, voxels, random);
    }
    if (batches > 1) {
        trn_history_end_group(strip->history);
    }
    TrnHistoryStats stats = trn_history_stats(strip->history);
    assert_int_equal(stats.undo_groups + stats.redo_groups, 0);
    assert_int_equal(stats.dropped_groups, 3); // two, and the group itself
    strip_read(strip, before);
    assert_int_equal(trn_history_undo(strip->history, NULL), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_history_redo(strip->history, NULL), TRN_RESULT_NOT_FOUND);
    strip_check(strip, before);
    strip_write(strip, 20, random); // later batches are recorded
    strip_read(strip, after);
    assert_int_equal(trn_history_undo(strip->history, NULL), TRN_RESULT_OK);
    strip_check(strip, before);
    assert_int_equal(trn_history_redo(strip->history, NULL), TRN_RESULT_OK);
    strip_check(strip, after);
    strip_destroy(strip);
}

static void a_group_larger_than_bytes_max_empties_the_history(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(75);
    check_overflow(1, 20000, &random);
    check_overflow(100, 100, &random);
    check_overflow(3, 20000, &random);
}

static void a_history_of_zero_bytes_records_nothing(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(80);
    Strip *strip = strip_create(0);
    for (uint32_t i = 0; i < 3; i++) {
        strip_write(strip, 1 + 50 * i, &random);
        const TrnHistoryStats stats = trn_history_stats(strip->history);
        assert_int_equal(stats.undo_groups, 0);
        assert_int_equal(stats.dropped_groups, i + 1);
        assert_int_equal(trn_history_undo(strip->history, NULL), TRN_RESULT_NOT_FOUND);
    }
    strip_destroy(strip);
}

/// An insert that applies pending edits adds deltas to the history.
static void applied_edits_stay_within_bytes_max(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS], read[TRN_CHUNK_VOXELS];
    TestRandom random = test_random_seeded(76);
    const TrnCoord far = {5, 5, 5};
    Strip *strip = strip_create(20000);
    TrnBatchDef def = trn_batch_def();
    def.history = strip->history;
    TrnBatch *batch;
    strip_write(strip, 20, &random);
    assert_int_equal(trn_batch_begin(strip->store, &def, &batch), TRN_RESULT_OK);
    trn_batch_fill_box(batch, trn_coord_voxel(far), (TrnVoxel){191, 191, 190}, 7);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) { // no two adjacent voxels have the same block
        blocks[i] = (TrnBlock)(10 + i % 1000);
    }
    TrnChunk *chunk;
    assert_int_equal(trn_store_insert_voxels(strip->store, far, blocks, &chunk), TRN_RESULT_OK);
    TrnHistoryStats stats = trn_history_stats(strip->history);
    assert_true(stats.bytes <= stats.bytes_max);
    assert_int_equal(stats.undo_groups, 0);
    assert_int_equal(stats.dropped_groups, 2);
    assert_int_equal(trn_history_undo(strip->history, NULL), TRN_RESULT_NOT_FOUND);
    trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), read);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        assert_int_equal(read[i], (i >> 5 & 31) == 31 ? blocks[i] : 7);
    }
    strip_destroy(strip);
}

// ---- memory and caps ---------------------------------------------------------------------------

typedef enum Phase { PHASE_BATCH, PHASE_UNDO, PHASE_REDO, PHASE_INSERT, PHASE_COUNT } Phase;

/// Calls that make edits pending, change a chunk of noise, widen one, and change a chunk that is
/// removed afterwards.
static const ModelCall *costly_calls(const ModelWorld *world, ModelCall calls[3])
{
    calls[0] = (ModelCall){
        .kind = MODEL_BALL, .min = model_voxel(world, 32, 20, 20), .radius = 17, .block = 700};
    calls[1] = (ModelCall){.kind = MODEL_BOX,
                           .min = model_voxel(world, 60, 10, 10),
                           .max = model_voxel(world, 70, 33, 33),
                           .block = 4};
    calls[2] = (ModelCall){.min = model_voxel(world, 100, 3, 3), .block = 500};
    return calls;
}

/// Loads chunks 0, 1, 3 and 4 with noise. Chunk 3 is removed after the group was recorded.
static ModelWorld *costly_world(const TrnStoreDef *def)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {77};
    ModelWorld *world = model_create(def, MODEL_LOWS[0]);
    for (uint32_t place = 0; place < 5; place += place == 1 ? 2 : 1) {
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            blocks[i] = (TrnBlock)(test_random_next(&random) % (2 + 20 * place));
        }
        model_insert(world, place, blocks, 0);
    }
    return world;
}

static TrnResult do_phase(ModelWorld *world, ModelHistory *history, Phase phase)
{
    ModelCall calls[3];
    switch (phase) {
    case PHASE_BATCH:
        return model_attempt(world, history, costly_calls(world, calls), 3);
    case PHASE_INSERT:
        return model_try_insert(world, 2, NULL, 3);
    default:
        return model_try_step(world, history, phase == PHASE_UNDO);
    }
}

/// Prepares the world for a phase.
/// @param is_whole  whether chunk 3 stays loaded
static void prepare_phase(ModelWorld *world, ModelHistory *history, Phase phase, bool is_whole)
{
    write_small(world, history, 2, 9);
    write_small(world, history, 3, 8);
    model_undo(world, history); // something that can be redone
    if (phase != PHASE_BATCH) {
        assert_int_equal(do_phase(world, history, PHASE_BATCH), TRN_RESULT_OK);
        if (!is_whole) {
            model_remove(world, 3);
        }
    }
    if (phase == PHASE_REDO) {
        assert_int_equal(do_phase(world, history, PHASE_UNDO), TRN_RESULT_OK);
    }
    trn_store_trim(world->store);
}

/// @return whether the allocation that should fail was reached
static bool fail_one_allocation(size_t at, bool fails_on, Phase phase,
                                uint32_t results[TRN_RESULT_COUNT])
{
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    ModelWorld *world = costly_world(&def);
    ModelHistory *history = model_history(world, UNBOUNDED);
    prepare_phase(world, history, phase, at % 2);
    test_fail(&memory, at, fails_on ? SIZE_MAX : 0);
    const TrnResult result = do_phase(world, history, phase);
    const bool is_reached = memory.allocations >= at;
    test_fail(&memory, 0, 0);
    results[result]++;
    assert_true(result == TRN_RESULT_OK || (is_reached && result == TRN_RESULT_NO_MEMORY));
    assert_int_equal(trn_store_stats(world->store).total_bytes, memory.live_bytes);
    model_check(world);
    model_check_history(history);
    if (result != TRN_RESULT_OK) {
        assert_int_equal(do_phase(world, history, phase), TRN_RESULT_OK);
        model_check(world);
    }
    while (model_undo(world, history)) {
        model_check(world);
    }
    while (model_redo(world, history)) {
        model_check(world);
    }
    model_history_end(history);
    assert_int_equal(trn_edits_stats(world->store).history_bytes, 0);
    model_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
    return is_reached;
}

static void refused_memory_leaves_store_and_history_unchanged(void **state)
{
    (void)state;
    for (int phase = 0; phase < PHASE_COUNT; phase++) {
        uint32_t results[TRN_RESULT_COUNT] = {0};
        for (int fails_on = 0; fails_on < 2; fails_on++) {
            for (size_t at = 1; fail_one_allocation(at, fails_on, (Phase)phase, results);
                 at += test_rounds(1, 3)) {
            }
        }
        print_message("  phase %d: %u succeeded, %u had no memory\n", phase, results[TRN_RESULT_OK],
                      results[TRN_RESULT_NO_MEMORY]);
        assert_true(results[TRN_RESULT_NO_MEMORY] > 1);
    }
}

static void a_history_that_memory_refuses_is_not_created(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    ModelWorld *world = costly_world(&def);
    const size_t bytes = trn_store_stats(world->store).total_bytes;
    TrnHistory *history = NULL;
    test_fail(&memory, 1, SIZE_MAX);
    assert_int_equal(trn_history_create(world->store, NULL, &history), TRN_RESULT_NO_MEMORY);
    test_fail(&memory, 0, 0);
    assert_null(history);
    assert_int_equal(trn_store_stats(world->store).total_bytes, bytes);
    model_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
}

/// Undo is refused while it would exceed the budget, and succeeds after chunks were removed.
static void undo_stays_within_the_stores_budget(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {78};
    TrnStoreDef def = trn_store_def();
    def.bytes_max = (size_t)5 << 20;
    ModelWorld *world = model_create(&def, MODEL_LOWS[0]);
    ModelHistory *history = model_history(world, UNBOUNDED);
    for (uint32_t place = 0; place < 8; place++) {
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            blocks[i] = (TrnBlock)(test_random_next(&random) % 200);
        }
        model_insert(world, place, blocks, 0);
    }
    write_box(world, history, model_voxel(world, 0, 0, 0), model_voxel(world, 127, 31, 63), 1);
    trn_store_trim(world->store);
    uint32_t place = 8;
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && place < MODEL_CHUNKS) {
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            blocks[i] = (TrnBlock)(i % 200); // as large as what undo writes into a chunk
        }
        result = model_try_insert(world, place, blocks, 0);
        place += result == TRN_RESULT_OK;
    }
    assert_int_equal(result, TRN_RESULT_FULL);
    assert_true(place > 9);
    assert_int_equal(model_try_step(world, history, true), TRN_RESULT_FULL);
    model_check(world);
    while (place-- > 8) {
        model_remove(world, place);
    }
    assert_true(model_undo(world, history));
    model_check(world);
    assert_true(model_redo(world, history));
    model_check(world);
    assert_true(trn_store_stats(world->store).total_bytes_peak <= def.bytes_max);
    model_history_end(history);
    model_destroy(world);
}

/// Undo makes edits of a removed chunk pending, up to their cap.
static void undo_stays_within_the_cap_on_pending_edits(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const size_t pending_bytes_max = 20000;
    ModelWorld *world = model_create(NULL, MODEL_LOWS[0]);
    assert_int_equal(trn_pending_set_bytes_max(world->store, pending_bytes_max), TRN_RESULT_OK);
    ModelHistory *history = model_history(world, UNBOUNDED);
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) { // no two adjacent voxels have the same block
        blocks[i] = (TrnBlock)(i % 100);
    }
    model_insert(world, 0, blocks, 0);
    model_insert(world, 1, NULL, TRN_BLOCK_STONE);
    write_box(world, history, model_voxel(world, 0, 0, 0), model_voxel(world, 35, 31, 31), 7);
    model_remove(world, 0);
    model_listen(world, true);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(model_try_step(world, history, true), TRN_RESULT_FULL);
        model_check(world);
    }
    assert_true(trn_edits_stats(world->store).pending_bytes <= pending_bytes_max);
    model_insert(world, 0, NULL, TRN_BLOCK_AIR);
    assert_true(model_undo(world, history));
    model_check(world);
    model_remove(world, 0);
    assert_true(model_redo(world, history)); // one run: within the cap
    model_check(world);
    model_insert(world, 0, NULL, TRN_BLOCK_AIR);
    model_check(world);
    model_history_end(history);
    model_destroy(world);
}

/// Does a batch, an undo, a redo, an insert or a removal, under an allocator that may fail.
static TrnResult attempt_at_random(ModelWorld *world, ModelHistory *history, TestAllocator *memory,
                                   TestRandom *random)
{
    const bool is_ball = test_random_next(random) % 2;
    const ModelCall call = {.kind = is_ball ? MODEL_BALL : MODEL_SET,
                            .block = model_random_block(random),
                            .min = model_voxel(world, test_random_range(random, 14, 113), 15,
                                               test_random_range(random, 14, 30)),
                            .radius = is_ball ? 13 : 0};
    const uint32_t place = (uint32_t)test_random_range(random, 0, 7);
    ModelChunk *chunk = &world->chunks[place];
    const uint64_t kind = test_random_next(random) % 8;
    TrnResult result;
    trn_store_trim(world->store);
    const size_t at = (size_t)test_random_range(random, 0, 6);
    test_fail(memory, at, test_random_next(random) % 3 ? SIZE_MAX : 0);
    if (kind < 3) {
        result = model_attempt(world, kind ? history : NULL, &call, 1);
    } else if (kind < 7) {
        result = model_try_step(world, history, kind < 5);
    } else if (chunk->is_loaded) {
        result = trn_store_remove(world->store, chunk->coord);
        chunk->is_loaded = result != TRN_RESULT_OK;
    } else {
        result = model_try_insert(world, place, NULL, 2);
    }
    test_fail(memory, 0, 0);
    return result;
}

static void random_histories_under_failures_agree_with_plain_arrays(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(79);
    uint32_t results[TRN_RESULT_COUNT] = {0};
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    ModelWorld *world = model_create(&def, MODEL_LOWS[0]);
    ModelHistory *history = model_history(world, UNBOUNDED);
    for (int step = 0; step < 600; step++) {
        results[attempt_at_random(world, history, &memory, &random)]++;
        model_check(world);
        model_check_history(history);
        assert_int_equal(trn_store_stats(world->store).total_bytes, memory.live_bytes);
    }
    model_history_end(history);
    model_destroy(world);
    assert_int_equal(memory.live_blocks, 0);
    print_message("  %u succeeded, %u no memory\n", results[TRN_RESULT_OK],
                  results[TRN_RESULT_NO_MEMORY]);
    assert_true(results[TRN_RESULT_OK] > 100 && results[TRN_RESULT_NO_MEMORY] > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_oldest_steps_are_dropped_to_stay_within_bytes_max),
        cmocka_unit_test(a_group_larger_than_bytes_max_empties_the_history),
        cmocka_unit_test(a_history_of_zero_bytes_records_nothing),
        cmocka_unit_test(applied_edits_stay_within_bytes_max),
        cmocka_unit_test(refused_memory_leaves_store_and_history_unchanged),
        cmocka_unit_test(a_history_that_memory_refuses_is_not_created),
        cmocka_unit_test(undo_stays_within_the_stores_budget),
        cmocka_unit_test(undo_stays_within_the_cap_on_pending_edits),
        cmocka_unit_test(random_histories_under_failures_agree_with_plain_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

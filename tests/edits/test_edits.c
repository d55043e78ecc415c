// What batches, pending edits and histories share in a store: attached by the first call that needs
// it, and bounded by the cap on pending edits. And whether trn_store_set_block() changed anything.

#include "store_memory.h"

#define PENDING_BYTES_MAX_DEFAULT ((size_t)16 << 20)

static const TrnCoord ORIGIN = {0, 0, 0};

/// The figures of a store whose batches, pending edits and histories take no memory.
static void check_no_edits(const TrnStore *store)
{
    const TrnEditsStats none = {.pending_bytes_max = PENDING_BYTES_MAX_DEFAULT};
    const TrnEditsStats stats = trn_edits_stats(store);
    assert_memory_equal(&stats, &none, sizeof stats);
    assert_int_equal(trn_store_stats(store).attached_bytes, 0);
}

/// Writes one block in its own batch. @return the result of the commit
static TrnResult write_block(TrnStore *store, TrnVoxel voxel, TrnBlock block)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    const TrnResult result = trn_batch_set(batch, voxel, block);
    assert_int_equal(trn_batch_commit(batch, NULL), result);
    return result;
}

static TrnBlock block_at(const TrnStore *store, TrnVoxel voxel)
{
    TrnBlock block = 0xFFFF;
    assert_int_equal(trn_store_get_block(store, voxel, &block), TRN_RESULT_OK);
    return block;
}

// ---- attach ------------------------------------------------------------------------------------

static void a_store_without_batches_has_nothing_attached(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    TrnCoord coord = {77, 77, 77};
    check_no_edits(store);
    inserted(store, ORIGIN);
    assert_int_equal(trn_store_set_block(store, (TrnVoxel){1, 2, 3}, 4, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_pending_chunks(store, &coord, 1), 0);
    assert_int_equal(coord.x, 77);
    assert_int_equal(trn_pending_drop(store, ORIGIN), 0);
    assert_int_equal(trn_store_explain(store, (TrnCoord){1, 0, 0}).pending_runs, 0);
    assert_int_equal(trn_store_remove(store, ORIGIN), TRN_RESULT_OK);
    trn_store_trim(store);
    check_no_edits(store);
    check_figures(store, &memory);

    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_edits_stats(store).open_batches, 1);
    assert_true(trn_store_stats(store).attached_bytes > 0);
    trn_batch_cancel(batch);
    assert_int_equal(trn_edits_stats(store).open_batches, 0);
    assert_true(trn_store_stats(store).attached_bytes < 4096);
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void change_in_a_batch(TrnStore *store)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_fill_sphere(batch, (TrnVoxel){16, 16, 16}, 4, 5), TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

static void the_next_batch_has_the_memory_of_the_last_until_the_store_is_trimmed(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    inserted(store, ORIGIN);
    change_in_a_batch(store);
    const size_t kept = trn_store_stats(store).attached_bytes;
    assert_true(kept > 16384);
    change_in_a_batch(store);
    assert_int_equal(trn_store_stats(store).attached_bytes, kept);
    trn_store_trim(store);
    assert_true(trn_store_stats(store).attached_bytes < 4096);
    change_in_a_batch(store);
    assert_int_equal(trn_store_stats(store).attached_bytes, kept);
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

/// The calls that attach to a store.
typedef enum AttachCall { CALL_CAP, CALL_BATCH, CALL_HISTORY, CALL_COUNT } AttachCall;

/// Makes one of the calls. On failure checks that it left its out-parameter untouched; on success
/// ends what it began.
static TrnResult attach_by(TrnStore *store, AttachCall call)
{
    TrnBatch *batch = NULL;
    TrnHistory *history = NULL;
    TrnResult result;
    switch (call) {
    case CALL_BATCH:
        result = trn_batch_begin(store, NULL, &batch);
        assert_int_equal(batch != NULL, result == TRN_RESULT_OK);
        trn_batch_cancel(batch);
        return result;
    case CALL_HISTORY:
        result = trn_history_create(store, NULL, &history);
        assert_int_equal(history != NULL, result == TRN_RESULT_OK);
        trn_history_destroy(history);
        return result;
    default:
        return trn_pending_set_bytes_max(store, PENDING_BYTES_MAX_DEFAULT);
    }
}

/// Returns the bytes of a TrnEdits that has just been attached.
static size_t attached_bytes_at_first(void)
{
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    assert_int_equal(attach_by(store, CALL_CAP), TRN_RESULT_OK);
    const size_t bytes = trn_store_stats(store).attached_bytes;
    trn_store_destroy(store);
    return bytes;
}

/// Checks that a failed attachment left nothing behind; a call that fails later does not undo it.
static void check_failed_attach(const TrnStore *store, AttachCall call, size_t total_bytes)
{
    const TrnStoreStats stats = trn_store_stats(store);
    if (call == CALL_CAP || stats.attached_bytes == 0) {
        check_no_edits(store);
        assert_int_equal(stats.total_bytes, total_bytes);
        return;
    }
    assert_int_equal(stats.attached_bytes, attached_bytes_at_first());
    assert_int_equal(stats.total_bytes, total_bytes + stats.attached_bytes);
    assert_int_equal(trn_edits_stats(store).open_batches, 0);
    assert_int_equal(trn_edits_stats(store).history_bytes, 0);
}

/// @return whether the allocation that should fail was reached
static bool fail_one_attach(AttachCall call, size_t at)
{
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    inserted(store, ORIGIN);
    const uint64_t revision = trn_store_revision(store);
    const size_t total_bytes = trn_store_stats(store).total_bytes;
    test_fail(&memory, at, 0);
    const TrnResult result = attach_by(store, call);
    const bool is_reached = memory.allocations >= at;
    test_fail(&memory, 0, 0);
    assert_int_equal(result, is_reached ? TRN_RESULT_NO_MEMORY : TRN_RESULT_OK);
    if (is_reached) {
        check_failed_attach(store, call, total_bytes);
    }
    assert_int_equal(trn_store_revision(store), revision);
    check_figures(store, &memory);
    assert_int_equal(attach_by(store, call), TRN_RESULT_OK); // the store still works
    assert_int_equal(write_block(store, (TrnVoxel){5, 5, 5}, 7), TRN_RESULT_OK);
    assert_int_equal(block_at(store, (TrnVoxel){5, 5, 5}), 7);
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
    return is_reached;
}

static void an_attachment_that_memory_refuses_changes_nothing(void **state)
{
    (void)state;
    for (int call = 0; call < CALL_COUNT; call++) {
        size_t at = 1;
        while (fail_one_attach((AttachCall)call, at)) {
            at++;
        }
        assert_true(at > 2); // at least the struct and its pool
    }
}

static void an_attachment_over_budget_is_refused_with_full(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    inserted(store, ORIGIN);
    const size_t total_bytes = trn_store_stats(store).total_bytes;
    for (int call = 0; call < CALL_COUNT; call++) {
        trn_store_set_bytes_max(store, total_bytes);
        assert_int_equal(attach_by(store, (AttachCall)call), TRN_RESULT_FULL);
        check_no_edits(store);
        assert_int_equal(trn_store_stats(store).total_bytes, total_bytes);
    }
    trn_store_set_bytes_max(store, 0);
    assert_int_equal(write_block(store, (TrnVoxel){1, 1, 1}, 3), TRN_RESULT_OK);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

// ---- the cap on pending edits ------------------------------------------------------------------

/// Every third voxel of a row, so that no two edits share a run.
static TrnVoxel scattered_voxel(uint32_t i)
{
    return (TrnVoxel){INT64_C(3) * (i % 10), i / 10 % 32, i / 320};
}

static void a_cap_below_what_is_pending_refuses_new_edits_and_keeps_old_ones(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    const TrnVoxel other = {100, 100, 100};
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(write_block(store, scattered_voxel(i), (TrnBlock)(i + 1)), TRN_RESULT_OK);
    }
    const TrnEditsStats before = trn_edits_stats(store);
    assert_int_equal(before.pending_chunks, 1);
    assert_int_equal(before.pending_runs, 100);
    assert_int_equal(trn_pending_set_bytes_max(store, before.pending_bytes / 2), TRN_RESULT_OK);
    assert_int_equal(write_block(store, other, 5), TRN_RESULT_FULL);
    assert_int_equal(write_block(store, scattered_voxel(100), 5), TRN_RESULT_FULL);
    TrnEditsStats after = trn_edits_stats(store);
    assert_int_equal(after.pending_bytes_max, before.pending_bytes / 2);
    after.pending_bytes_max = before.pending_bytes_max;
    assert_memory_equal(&after, &before, sizeof after);

    inserted(store, ORIGIN); // frees them
    for (uint32_t i = 0; i < 100; i++) {
        assert_int_equal(block_at(store, scattered_voxel(i)), i + 1);
    }
    assert_int_equal(trn_edits_stats(store).pending_bytes, 0);
    assert_int_equal(trn_edits_stats(store).applied_runs, 100);
    assert_int_equal(write_block(store, other, 5), TRN_RESULT_OK);
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void a_cap_of_zero_leaves_pending_edits_to_the_stores_budget(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    assert_int_equal(trn_pending_set_bytes_max(store, 1), TRN_RESULT_OK);
    assert_int_equal(write_block(store, (TrnVoxel){1, 1, 1}, 5), TRN_RESULT_FULL);
    assert_int_equal(trn_pending_set_bytes_max(store, 0), TRN_RESULT_OK);
    assert_int_equal(write_block(store, (TrnVoxel){1, 1, 1}, 5), TRN_RESULT_OK);
    trn_store_set_bytes_max(store, trn_store_stats(store).total_bytes);
    assert_int_equal(trn_store_explain(store, ORIGIN).pending_runs, 1);
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_FULL);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

/// The map of pending edits grows and shrinks: many chunks, inserted in another order than edited.
static void pending_edits_of_many_chunks_are_each_applied_once(void **state)
{
    (void)state;
    enum { CHUNKS = 1000, STEP = 377 }; // coprime
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    static TrnCoord coords[CHUNKS];
    TrnBatch *batch;
    for (int32_t half = 0; half < 2; half++) { // the second batch merges into a filled map
        assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
        for (int32_t i = half * CHUNKS / 4; i < CHUNKS / 2 + half * CHUNKS / 2; i++) {
            const TrnVoxel voxel = trn_coord_voxel((TrnCoord){i - 500, i % 7, -i});
            assert_int_equal(trn_batch_set(batch, voxel, (TrnBlock)(i + 1 + half)), TRN_RESULT_OK);
        }
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    }
    assert_int_equal(trn_pending_chunks(store, coords, CHUNKS), CHUNKS);
    for (uint32_t i = 0; i < CHUNKS; i++) {
        const TrnCoord coord = coords[i * STEP % CHUNKS];
        const int32_t place = coord.x + 500;
        inserted(store, coord);
        assert_int_equal(block_at(store, trn_coord_voxel(coord)),
                         place + 1 + (place >= CHUNKS / 4));
        assert_int_equal(trn_edits_stats(store).pending_chunks, CHUNKS - 1 - i);
    }
    assert_int_equal(trn_edits_stats(store).pending_bytes, 0);
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

/// A batch applies its pending edits at the commit, to those of its chunks that were inserted.
static void a_commit_applies_its_pending_edits_of_all_inserted_chunks(void **state)
{
    (void)state;
    enum { CHUNKS = 200 };
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    TrnBatch *batch;
    TrnBatchOutcome outcome;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    for (int32_t i = 0; i < CHUNKS; i++) {
        assert_int_equal(trn_batch_set(batch, trn_coord_voxel((TrnCoord){i, 0, 0}), 9),
                         TRN_RESULT_OK);
    }
    for (int32_t i = 0; i < CHUNKS; i += 1 + i % 3) {
        inserted(store, (TrnCoord){i, 0, 0});
    }
    const uint32_t loaded = (uint32_t)trn_store_stats(store).chunks;
    assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
    assert_int_equal(outcome.changed_chunks, loaded);
    assert_int_equal(outcome.pending_chunks, CHUNKS - loaded);
    assert_int_equal(trn_edits_stats(store).pending_chunks, CHUNKS - loaded);
    for (int32_t i = 0; i < CHUNKS; i++) {
        const TrnCoord coord = {i, 0, 0};
        if (!trn_store_find(store, coord)) {
            assert_int_equal(trn_store_explain(store, coord).pending_runs, 1);
            inserted(store, coord);
        }
        assert_int_equal(block_at(store, trn_coord_voxel(coord)), 9);
    }
    check_figures(store, &memory);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

// ---- one block ---------------------------------------------------------------------------------

static void set_block_tells_whether_the_block_changed(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    const TrnVoxel voxel = {1, 2, 3};
    static const TrnBlock blocks[] = {5, 5, 6, TRN_BLOCK_AIR, TRN_BLOCK_AIR};
    inserted(store, ORIGIN);
    TrnBlock before = TRN_BLOCK_AIR;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        const uint64_t revision = trn_store_revision(store);
        bool is_changed = blocks[i] == before; // the opposite
        assert_int_equal(trn_store_set_block(store, voxel, blocks[i], &is_changed), TRN_RESULT_OK);
        assert_int_equal(is_changed, blocks[i] != before);
        assert_int_equal(trn_store_revision(store) - revision, is_changed);
        before = blocks[i];
    }
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

static void set_block_leaves_is_changed_untouched_on_failure(void **state)
{
    (void)state;
    TestAllocator memory;
    TrnStore *store = small_store(&memory, 0);
    const TrnVoxel voxel = {1, 2, 3};
    TrnBatch *batch;
    inserted(store, ORIGIN);
    for (int preset = 0; preset < 2; preset++) {
        bool is_changed = preset;
        assert_int_equal(trn_store_set_block(store, (TrnVoxel){INT64_MAX, 0, 0}, 5, &is_changed),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(is_changed, preset);
        assert_int_equal(trn_store_set_block(store, (TrnVoxel){-1, 0, 0}, 5, &is_changed),
                         TRN_RESULT_NOT_FOUND);
        assert_int_equal(is_changed, preset);
        test_fail(&memory, 1, SIZE_MAX);
        assert_int_equal(trn_store_set_block(store, voxel, 5, &is_changed), TRN_RESULT_NO_MEMORY);
        test_fail(&memory, 0, 0);
        assert_int_equal(is_changed, preset);
        assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
        assert_int_equal(trn_batch_set(batch, voxel, 6), TRN_RESULT_OK);
        assert_int_equal(trn_store_set_block(store, voxel, 5, &is_changed), TRN_RESULT_BUSY);
        assert_int_equal(is_changed, preset);
        trn_batch_cancel(batch);
        trn_store_trim(store); // so that the next round allocates again
    }
    assert_int_equal(block_at(store, voxel), TRN_BLOCK_AIR);
    trn_store_destroy(store);
    assert_int_equal(memory.live_blocks, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_without_batches_has_nothing_attached),
        cmocka_unit_test(the_next_batch_has_the_memory_of_the_last_until_the_store_is_trimmed),
        cmocka_unit_test(an_attachment_that_memory_refuses_changes_nothing),
        cmocka_unit_test(an_attachment_over_budget_is_refused_with_full),
        cmocka_unit_test(a_cap_below_what_is_pending_refuses_new_edits_and_keeps_old_ones),
        cmocka_unit_test(a_cap_of_zero_leaves_pending_edits_to_the_stores_budget),
        cmocka_unit_test(pending_edits_of_many_chunks_are_each_applied_once),
        cmocka_unit_test(a_commit_applies_its_pending_edits_of_all_inserted_chunks),
        cmocka_unit_test(set_block_tells_whether_the_block_changed),
        cmocka_unit_test(set_block_leaves_is_changed_untouched_on_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

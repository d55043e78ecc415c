// Pins, and what the store explains of a chunk.

#include "listeners.h"

static TrnResult keep_applied(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)store;
    *(uint32_t *)user = event->chunks[0].applied;
    return TRN_RESULT_OK;
}

static void an_insert_counts_the_pending_edits_it_applied(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    uint32_t applied = 77;
    TrnBatch *batch;
    assert_int_equal(
        trn_store_subscribe(store, TRN_EVENT_BIT(TRN_EVENT_INSERTED), keep_applied, &applied),
        TRN_RESULT_OK);
    inserted(store, (TrnCoord){0, 0, 0});
    assert_int_equal(applied, 0);
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    for (int64_t x = 32; x < 40; x += 2) {
        trn_batch_set(batch, (TrnVoxel){x, 0, 0}, TRN_BLOCK_STONE);
    }
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    inserted(store, (TrnCoord){1, 0, 0});
    assert_int_equal(applied, 4);
    assert_int_equal(trn_edits_stats(store).applied_runs, 4);
    inserted(store, (TrnCoord){2, 0, 0});
    assert_int_equal(applied, 0);
    trn_store_destroy(store);
}

/// Checks what holds for every explanation, whatever the state.
static TrnExplanation explained(const TrnStore *store, TrnCoord coord, TrnChunkState expected)
{
    const TrnExplanation why = trn_store_explain(store, coord);
    assert_int_equal(why.state, expected);
    assert_non_null(memchr(why.sentence, 0, sizeof why.sentence));
    const size_t length = strlen(why.sentence);
    assert_true(length > 10);
    for (size_t i = 0; i < length; i++) {
        assert_true(why.sentence[i] >= 32 && why.sentence[i] < 127);
    }
    assert_int_equal(why.state == TRN_CHUNK_STATE_LOADED, trn_store_find(store, coord) != NULL);
    if (why.state != TRN_CHUNK_STATE_LOADED) {
        assert_int_equal(why.bytes, 0);
        assert_int_equal(why.pins, 0);
        assert_int_equal(why.planes & TRN_PLANE_BIT(TRN_PLANE_PRESENT), 0);
    }
    return why;
}

/// Whether a sentence contains a word, in upper or lower case.
static bool sentence_has(const TrnExplanation *why, const char *word)
{
    char lower[sizeof why->sentence];
    size_t i = 0;
    for (; why->sentence[i]; i++) {
        const char c = why->sentence[i];
        lower[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    lower[i] = 0;
    const bool has = strstr(lower, word) != NULL;
    if (!has) {
        print_message("  \"%s\" says nothing of \"%s\"\n", why->sentence, word);
    }
    return has;
}

static void pinned_chunks_stay_until_unpinned_as_often(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    const TrnCoord coord = {1, 2, 3};
    TrnChunk *chunk = inserted(store, coord);
    const TrnEviction all = {0};
    uint32_t evicted = 99;
    for (int i = 0; i < 3; i++) {
        trn_store_pin(store, chunk);
    }
    for (uint32_t holds = 3; holds > 0; holds--) {
        const TrnExplanation why = explained(store, coord, TRN_CHUNK_STATE_LOADED);
        assert_int_equal(why.pins, holds);
        assert_true(sentence_has(&why, "pinned"));
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_BUSY);
        assert_int_equal(trn_store_evict(store, &all, &evicted), TRN_RESULT_FULL);
        assert_int_equal(evicted, 0);
        assert_ptr_equal(trn_store_find(store, coord), chunk);
        trn_store_fill(store, chunk, (TrnBlock)holds); // pinned chunks may still change
        trn_store_unpin(store, chunk);
    }
    assert_int_equal(explained(store, coord, TRN_CHUNK_STATE_LOADED).pins, 0);
    assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
    trn_store_destroy(store);
}

static void loaded_chunks_are_explained(void **state)
{
    (void)state;
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    TestRandom random = {71};
    const TrnPlaneDef planes[] = {{"meshed", false}, {"wished", true}};
    TrnStoreDef def = trn_store_def();
    def.planes = planes;
    def.plane_count = 2;
    def.user_bytes = 1000;
    TrnStore *store = store_of(&def);
    const TrnCoord coord = {INT32_MIN, INT32_MIN, INT32_MIN};
    TrnChunk *chunk = inserted(store, coord);
    TrnExplanation why = explained(store, coord, TRN_CHUNK_STATE_LOADED);
    assert_int_equal(why.bits, 0);
    assert_true(why.bytes >= sizeof(TrnChunk) + 1000 && why.bytes < 1200);
    assert_true(why.revision == 1);
    assert_int_equal(why.planes, TRN_PLANE_BIT(TRN_PLANE_PRESENT));
    assert_false(why.is_open);
    assert_string_equal(why.slowest_reader, "");
    assert_int_equal(why.untouched + why.pending_runs, 0);
    assert_true(sentence_has(&why, "-2147483648"));
    const uint32_t types[] = {2, 4, 16, 250, 3000}, bits[] = {1, 2, 4, 8, 16};
    for (int i = 0; i < 5; i++) {
        mixed_blocks(blocks, types[i], &random);
        assert_int_equal(trn_store_set_voxels(store, chunk, blocks), TRN_RESULT_OK);
        why = explained(store, coord, TRN_CHUNK_STATE_LOADED);
        assert_int_equal(why.bits, bits[i]);
        assert_true(why.bytes > sizeof(TrnChunk) + 1000 + (size_t)4096 * bits[i]);
        assert_true(why.revision == trn_chunk_revision(chunk));
    }
    assert_int_equal(trn_chunk_index_plane_set(trn_store_index(store), 1, coord, true),
                     TRN_RESULT_OK);
    assert_int_equal(trn_chunk_index_plane_set(trn_store_index(store), 2, coord, true),
                     TRN_RESULT_OK);
    assert_int_equal(explained(store, coord, TRN_CHUNK_STATE_LOADED).planes, 7);
    assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
    why = explained(store, coord, TRN_CHUNK_STATE_REMOVED);
    assert_int_equal(why.planes, TRN_PLANE_BIT(2)); // planes may outlive their chunk
    assert_int_equal(why.bits, 0);
    trn_store_destroy(store);
}

static void touches_are_counted(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    TrnChunk *chunks[3];
    for (int32_t i = 0; i < 3; i++) {
        chunks[i] = inserted(store, (TrnCoord){i, 0, 0});
    }
    for (int i = 0; i < 5; i++) {
        trn_store_touch(store, chunks, 2);
    }
    trn_store_touch(store, chunks + 1, 1);
    for (int32_t i = 0; i < 3; i++) {
        const uint32_t unseen[] = {1, 0, 6};
        const TrnExplanation why = explained(store, (TrnCoord){i, 0, 0}, TRN_CHUNK_STATE_LOADED);
        assert_int_equal(why.untouched, unseen[i]);
    }
    TrnChunk *fresh = inserted(store, (TrnCoord){9, 9, 9});
    assert_int_equal(explained(store, fresh->coord, TRN_CHUNK_STATE_LOADED).untouched, 0);
    trn_store_destroy(store);
}

static void unloaded_chunks_are_explained(void **state)
{
    (void)state;
    TrnStoreDef def = trn_store_def();
    def.chunk_max = 1;
    TrnStore *store = store_of(&def);
    const TrnCoord a = {1, 1, 1}, b = {-2, 2, -2};
    const TrnEviction all = {0};
    TrnExplanation why = explained(store, a, TRN_CHUNK_STATE_UNKNOWN);
    assert_true(why.revision == 0);
    TrnChunk *chunk = inserted(store, a);
    trn_store_fill(store, chunk, 3);
    assert_int_equal(trn_store_remove(store, a), TRN_RESULT_OK);
    why = explained(store, a, TRN_CHUNK_STATE_REMOVED);
    assert_true(why.revision == 2);
    assert_true(sentence_has(&why, "removed"));
    inserted(store, a);
    assert_int_equal(explained(store, a, TRN_CHUNK_STATE_LOADED).refusal, TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, b, TRN_BLOCK_AIR, NULL), TRN_RESULT_FULL);
    why = explained(store, b, TRN_CHUNK_STATE_REFUSED);
    assert_int_equal(why.refusal, TRN_RESULT_FULL);
    assert_true(why.revision == 3);
    assert_true(sentence_has(&why, "refused"));
    assert_int_equal(trn_store_insert_uniform(store, a, TRN_BLOCK_AIR, NULL), TRN_RESULT_EXISTS);
    explained(store, a, TRN_CHUNK_STATE_LOADED);
    assert_int_equal(trn_store_evict(store, &all, NULL), TRN_RESULT_FULL); // cannot reach 0 bytes
    why = explained(store, a, TRN_CHUNK_STATE_EVICTED);
    assert_true(why.revision == 3);
    assert_true(sentence_has(&why, "evicted"));
    assert_int_equal(explained(store, b, TRN_CHUNK_STATE_REFUSED).refusal, TRN_RESULT_FULL);
    inserted(store, b);
    explained(store, b, TRN_CHUNK_STATE_LOADED);
    assert_int_equal(trn_store_insert_uniform(store, a, TRN_BLOCK_AIR, NULL), TRN_RESULT_FULL);
    explained(store, a, TRN_CHUNK_STATE_REFUSED); // the most recent reason counts
    assert_int_equal(trn_store_stats(store).refused, 2);
    explained(store, (TrnCoord){INT32_MAX, INT32_MIN, 0}, TRN_CHUNK_STATE_UNKNOWN);
    trn_store_destroy(store);
}

static void readers_that_keep_memory_are_named(void **state)
{
    (void)state;
    TrnStoreDef def = trn_store_def();
    def.chunk_max = 1;
    TrnStore *store = store_of(&def);
    TrnChunkReader *reader;
    const TrnCoord a = {INT32_MIN, INT32_MIN, INT32_MIN}, b = {5, 5, 5};
    const char *name = "a mesher with a name of thirty1"; // the longest name
    assert_int_equal(strlen(name), 31);
    assert_int_equal(trn_chunk_index_reader_create(trn_store_index(store), name, &reader),
                     TRN_RESULT_OK);
    inserted(store, a);
    trn_chunk_index_read_begin(reader);
    assert_int_equal(trn_store_remove(store, a), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(store, b, TRN_BLOCK_AIR, NULL), TRN_RESULT_READERS);
    TrnExplanation why = explained(store, b, TRN_CHUNK_STATE_REFUSED);
    assert_int_equal(why.refusal, TRN_RESULT_READERS);
    assert_string_equal(why.slowest_reader, name);
    assert_true(sentence_has(&why, name));
    assert_int_equal(trn_store_insert_uniform(store, a, TRN_BLOCK_AIR, NULL), TRN_RESULT_READERS);
    why = explained(store, a, TRN_CHUNK_STATE_REFUSED);
    assert_true(sentence_has(&why, name) && sentence_has(&why, "-2147483648"));
    trn_chunk_index_read_end(reader);
    inserted(store, b);
    assert_string_equal(explained(store, b, TRN_CHUNK_STATE_LOADED).slowest_reader, "");
    trn_store_destroy(store);
}

static void the_last_1024_removals_are_remembered(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    const int32_t count = 3000;
    const size_t before = trn_store_stats(store).bookkeeping_bytes;
    for (int32_t i = 0; i < count; i++) {
        const TrnCoord coord = {i, -i, i * 7};
        inserted(store, coord);
        assert_int_equal(trn_store_remove(store, coord), TRN_RESULT_OK);
        if (i % 100 == 0) { // the oldest that is remembered, and the one before it
            const int32_t oldest = i < 1023 ? 0 : i - 1023;
            explained(store, (TrnCoord){oldest, -oldest, oldest * 7}, TRN_CHUNK_STATE_REMOVED);
            if (oldest > 0) {
                explained(store, (TrnCoord){oldest - 1, 1 - oldest, (oldest - 1) * 7},
                          TRN_CHUNK_STATE_UNKNOWN);
            }
        }
    }
    for (int32_t i = 0; i < count; i++) {
        const TrnExplanation why =
            explained(store, (TrnCoord){i, -i, i * 7},
                      i < count - 1024 ? TRN_CHUNK_STATE_UNKNOWN : TRN_CHUNK_STATE_REMOVED);
        assert_true(why.revision == (i < count - 1024 ? 0 : (uint64_t)i + 1));
    }
    assert_true(trn_store_stats(store).bookkeeping_bytes < before + 200000);
    for (int i = 0; i < 2000; i++) { // repeating one reason does not push out others
        inserted(store, (TrnCoord){0, 0, 0});
        assert_int_equal(trn_store_remove(store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    }
    explained(store, (TrnCoord){0, 0, 0}, TRN_CHUNK_STATE_REMOVED);
    trn_store_destroy(store);
}

static void open_and_pending_edits_are_explained(void **state)
{
    (void)state;
    TrnStore *store = store_of(NULL);
    TrnBatch *batch;
    const TrnCoord there = {0, 0, 0}, away = {4, 0, 0};
    inserted(store, there);
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set(batch, trn_coord_voxel(there), 3), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set(batch, trn_coord_voxel(away), 3), TRN_RESULT_OK);
    TrnExplanation why = explained(store, there, TRN_CHUNK_STATE_LOADED);
    assert_true(why.is_open);
    assert_true(sentence_has(&why, "open"));
    assert_int_equal(trn_store_remove(store, there), TRN_RESULT_BUSY);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    assert_false(explained(store, there, TRN_CHUNK_STATE_LOADED).is_open);
    why = explained(store, away, TRN_CHUNK_STATE_UNKNOWN);
    assert_int_equal(why.pending_runs, 1);
    assert_true(sentence_has(&why, "pending"));
    inserted(store, away);
    assert_int_equal(explained(store, away, TRN_CHUNK_STATE_LOADED).pending_runs, 0);
    TrnBlock block = 0;
    assert_int_equal(trn_store_get_block(store, trn_coord_voxel(away), &block), TRN_RESULT_OK);
    assert_int_equal(block, 3);
    trn_store_destroy(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_insert_counts_the_pending_edits_it_applied),
        cmocka_unit_test(pinned_chunks_stay_until_unpinned_as_often),
        cmocka_unit_test(loaded_chunks_are_explained),
        cmocka_unit_test(touches_are_counted),
        cmocka_unit_test(unloaded_chunks_are_explained),
        cmocka_unit_test(readers_that_keep_memory_are_named),
        cmocka_unit_test(the_last_1024_removals_are_remembered),
        cmocka_unit_test(open_and_pending_edits_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

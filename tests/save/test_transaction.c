// Transactions of the game's own: chunks and values that are put between trn_save_begin and
// trn_save_end reach the storage together, whatever the queue's limit and however often it fails.

#include "testing.h"

#include <stdatomic.h>

#include <terrane/save.h>

#define VALUE "moment"

/// A storage in memory that checks what is written together.
typedef struct Recorder {
    TrnStorage inner;
    _Atomic(uint32_t) failures_left;   ///< transactions that fail next
    _Atomic(uint32_t) puts, with_rows; ///< transactions, and those with chunks
    _Atomic(uint32_t) torn;            ///< with chunks, without the value
    _Atomic(uint64_t) most_rows;
} Recorder;

static TrnResult recorder_put(void *user, const TrnStorageBatch *batch)
{
    Recorder *recorder = user;
    bool has_value = false;
    for (size_t i = 0; i < batch->value_count; i++) {
        has_value = has_value || strcmp(batch->values[i].name, "game/" VALUE) == 0;
    }
    if (recorder->failures_left > 0) {
        recorder->failures_left--;
        return TRN_RESULT_IO;
    }
    recorder->puts++;
    recorder->with_rows += batch->row_count > 0;
    recorder->torn += batch->row_count > 0 && !has_value;
    recorder->most_rows =
        batch->row_count > recorder->most_rows ? batch->row_count : recorder->most_rows;
    return recorder->inner.put(recorder->inner.user, batch);
}

static TrnResult recorder_get(void *user, const TrnStorageKey *keys, size_t count,
                              TrnStorageRowVisitor visit, void *visitor)
{
    const Recorder *recorder = user;
    return recorder->inner.get(recorder->inner.user, keys, count, visit, visitor);
}

static TrnResult recorder_list(void *user, const TrnStorageRange *range, TrnStorageRowVisitor visit,
                               void *visitor)
{
    const Recorder *recorder = user;
    return recorder->inner.list(recorder->inner.user, range, visit, visitor);
}

static TrnResult recorder_values(void *user, const char *prefix, TrnStorageValueVisitor visit,
                                 void *visitor)
{
    const Recorder *recorder = user;
    return recorder->inner.values(recorder->inner.user, prefix, visit, visitor);
}

static void recorder_close(void *user)
{
    (void)user; // the test closes the storage
}

/// A save on a recorder.
typedef struct Game {
    Recorder recorder;
    TrnBlockTypes *types;
    TrnSaveDef def;
    TrnSave *save;
    TrnBlock blocks[TRN_CHUNK_VOXELS];
} Game;

static Game *game_create(bool has_thread)
{
    Game *game = calloc(1, sizeof *game);
    assert_non_null(game);
    assert_int_equal(trn_storage_memory(NULL, &game->recorder.inner), TRN_RESULT_OK);
    assert_int_equal(trn_block_types_create_builtin(NULL, &game->types), TRN_RESULT_OK);
    game->def = trn_save_def();
    game->def.storage = (TrnStorage){.get = recorder_get,
                                     .list = recorder_list,
                                     .values = recorder_values,
                                     .put = recorder_put,
                                     .close = recorder_close,
                                     .user = &game->recorder};
    game->def.types = game->types;
    game->def.commit_seconds = 0;
    game->def.has_thread = has_thread;
    return game;
}

static void game_open(Game *game)
{
    assert_int_equal(trn_save_create(&game->def, &game->save, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(game->save), TRN_RESULT_OK);
}

static void game_destroy(Game *game)
{
    assert_int_equal(trn_save_destroy(game->save), TRN_RESULT_OK);
    game->recorder.inner.close(game->recorder.inner.user);
    trn_block_types_destroy(game->types);
    free(game);
}

/// Puts a chunk that does not compress, about 64 KiB in the queue.
static TrnResult game_put(Game *game, uint32_t number, uint32_t moment)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        game->blocks[i] = (TrnBlock)(TRN_BLOCK_STONE + (i * (number + 7) + moment) % 3);
    }
    return trn_save_put(game->save, (TrnCoord){(int32_t)number, 0, 0}, 0, game->blocks, false);
}

static TrnResult game_set(Game *game, uint32_t moment)
{
    return trn_save_set_value(game->save, VALUE, &moment, sizeof moment);
}

/// The moment that a chunk was saved at. @return UINT32_MAX if there is none
static uint32_t game_moment(Game *game, uint32_t number)
{
    const TrnStreamSource source = trn_save_source(game->save);
    const TrnStreamJob job = {.coord = {(int32_t)number, 0, 0}};
    bool uniform = false;
    const TrnResult result = source.load(source.user, &job, game->blocks, &uniform);
    return result == TRN_RESULT_OK ? (uint32_t)game->blocks[0] - TRN_BLOCK_STONE : UINT32_MAX;
}

// ---- a game ------------------------------------------------------------------------------------

#define MOMENTS 300

static void no_transaction_holds_chunks_without_the_value(void **state)
{
    (void)state;
    test_needs_threads();
    Game *game = game_create(true);
    game_open(game);
    for (uint32_t moment = 0; moment < MOMENTS; moment++) {
        assert_int_equal(trn_save_begin(game->save), TRN_RESULT_OK);
        for (uint32_t i = 0; i < 5; i++) {
            assert_int_equal(game_put(game, (moment * 3 + i) % 40, moment), TRN_RESULT_OK);
        }
        assert_int_equal(game_set(game, moment), TRN_RESULT_OK);
        trn_save_end(game->save);
    }
    assert_int_equal(trn_save_flush(game->save), TRN_RESULT_OK);
    assert_int_equal(game->recorder.torn, 0);
    assert_true(game->recorder.with_rows > 0);
    game_destroy(game);
}

/// What the test above looks for does happen without transactions.
static void chunks_alone_are_seen(void **state)
{
    (void)state;
    Game *game = game_create(false);
    game_open(game);
    assert_int_equal(game_put(game, 0, 0), TRN_RESULT_OK);
    assert_int_equal(game_set(game, 0), TRN_RESULT_OK);
    assert_int_equal(game->recorder.torn, 1);
    game_destroy(game);
}

// ---- limits ------------------------------------------------------------------------------------

#define MANY 1500 ///< chunks: more than a transaction has without trn_save_begin

static void a_transaction_beyond_the_queue_is_written_whole(void **state)
{
    (void)state;
    for (uint32_t has_thread = 0; has_thread < 2; has_thread++) {
        Game *game = game_create(has_thread);
        game->def.queue_bytes = 100000;
        game_open(game);
        assert_int_equal(trn_save_begin(game->save), TRN_RESULT_OK);
        for (uint32_t i = 0; i < MANY; i++) {
            assert_int_equal(game_put(game, i, 1), TRN_RESULT_OK);
        }
        assert_int_equal(game_set(game, 1), TRN_RESULT_OK);
        assert_true(trn_save_stats(game->save).queue_bytes > game->def.queue_bytes * 10);
        game->recorder.failures_left = 1;
        trn_save_end(game->save);
        const TrnResult begun = trn_save_begin(game->save); // the thread may have written it
        assert_true(begun == TRN_RESULT_FULL || (has_thread && begun == TRN_RESULT_OK));
        trn_save_end(game->save);
        while (trn_save_flush(game->save) != TRN_RESULT_OK) {
        }
        assert_int_equal(game->recorder.torn, 0);
        assert_int_equal(game->recorder.most_rows, MANY);
        assert_int_equal(trn_save_stats(game->save).queue_bytes, 0);
        assert_int_equal(trn_save_begin(game->save), TRN_RESULT_OK); // it has recovered
        trn_save_end(game->save);
        assert_int_equal(game_moment(game, MANY - 1), (uint32_t)((0 + 1) % 3));
        game_destroy(game);
    }
}

static void a_transaction_of_no_allowance_is_written(void **state)
{
    (void)state;
    Game *game = game_create(false);
    game->def.queue_bytes = 1;
    game_open(game);
    for (uint32_t moment = 0; moment < 3; moment++) {
        assert_int_equal(trn_save_begin(game->save), TRN_RESULT_OK);
        assert_int_equal(game_put(game, 0, moment), TRN_RESULT_OK);
        assert_int_equal(game_put(game, 1, moment), TRN_RESULT_OK);
        assert_int_equal(game_set(game, moment), TRN_RESULT_OK);
        trn_save_end(game->save);
        assert_int_equal(game_moment(game, 1), moment);
    }
    assert_int_equal(game->recorder.torn, 0);
    game_destroy(game);
}

static void what_fails_is_tried_again_with_what_came_later(void **state)
{
    (void)state;
    Game *game = game_create(false);
    game_open(game);
    game->recorder.failures_left = 3;
    assert_int_equal(trn_save_begin(game->save), TRN_RESULT_OK);
    assert_int_equal(game_put(game, 0, 0), TRN_RESULT_OK);
    assert_int_equal(game_put(game, 1, 0), TRN_RESULT_OK);
    assert_int_equal(game_set(game, 0), TRN_RESULT_OK);
    trn_save_end(game->save); // fails
    // Takes the place of a chunk of the transaction: written apart, the rest would be torn.
    assert_int_equal(game_put(game, 0, 1), TRN_RESULT_OK);
    assert_int_equal(trn_save_flush(game->save), TRN_RESULT_IO);
    assert_int_equal(trn_save_flush(game->save), TRN_RESULT_IO);
    assert_int_equal(trn_save_flush(game->save), TRN_RESULT_OK);
    assert_int_equal(game->recorder.with_rows, 1);
    assert_int_equal(game->recorder.torn, 0);
    assert_int_equal(game_moment(game, 0), 1);
    assert_int_equal(game_moment(game, 1), 0);
    game_destroy(game);
}

// ---- wrong uses --------------------------------------------------------------------------------

static void an_open_transaction_blocks_nothing_for_ever(void **state)
{
    (void)state;
    for (uint32_t has_thread = 0; has_thread < 2; has_thread++) {
        Game *game = game_create(has_thread);
        game_open(game);
        trn_save_end(game->save); // none is open
        assert_int_equal(trn_save_begin(NULL), TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_save_begin(game->save), TRN_RESULT_OK);
        assert_int_equal(trn_save_begin(game->save), TRN_RESULT_BUSY);
        assert_int_equal(game_put(game, 0, 2), TRN_RESULT_OK);
        assert_int_equal(trn_save_flush(game->save), TRN_RESULT_BUSY);
        assert_int_equal(trn_save_flush_for(game->save, 10), TRN_RESULT_BUSY);
        assert_int_equal(game->recorder.with_rows, 0);
        assert_int_equal(game_moment(game, 0), 2); // from the queue
        assert_int_equal(game_set(game, 2), TRN_RESULT_OK);
        assert_int_equal(trn_save_destroy(game->save), TRN_RESULT_OK); // ends it
        assert_int_equal(game->recorder.with_rows, 1);
        assert_int_equal(game->recorder.torn, 0);
        game_open(game);
        assert_int_equal(game_moment(game, 0), 2);
        game_destroy(game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_transaction_holds_chunks_without_the_value),
        cmocka_unit_test(chunks_alone_are_seen),
        cmocka_unit_test(a_transaction_beyond_the_queue_is_written_whole),
        cmocka_unit_test(a_transaction_of_no_allowance_is_written),
        cmocka_unit_test(what_fails_is_tried_again_with_what_came_later),
        cmocka_unit_test(an_open_transaction_blocks_nothing_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

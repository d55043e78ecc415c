// Block data that the hooks of a stream give chunks which they load or generate: it is inserted
// with the chunk, saved with it, and loaded again.

#include "testing.h"

#include <stdatomic.h>

#include <terrane/stream.h>

#define RADIUS 2
#define SAVED_MAX 64

/// A saved chunk: its data, as text of the voxel 0.
typedef struct Saved {
    TrnCoord coord;
    char text[16];
} Saved;

typedef struct Game {
    TrnStore *store;
    TrnStream *stream;
    Saved saved[SAVED_MAX]; ///< written by hooks on this thread, before any is loaded again
    uint32_t saved_count;
    bool refuses; ///< hooks give data that is beyond the limits
    _Atomic(uint32_t) refused;
} Game;

static TrnResult generate(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    Game *game = user;
    const bool is_ground = job->coord.y < 0;
    char chest[] = "chest"; // the stream copies it
    TrnBlockData data = {chest, sizeof chest, 77, TRN_DATA_WITH_BLOCK};
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = is_ground ? (TrnBlock)(1 + (i & 3)) : TRN_BLOCK_AIR;
    }
    *uniform = !is_ground;
    if (game->refuses) {
        if (job->coord.x & 1) {
            data.bytes = NULL;
        } else {
            data.index = UINT16_MAX;
        }
        const TrnResult result = trn_stream_job_set_data(job, &data);
        assert_int_equal(result, TRN_RESULT_BAD_ARGUMENT);
        atomic_fetch_add(&game->refused, 1);
        return TRN_RESULT_OK; // the stream remembers it all the same
    }
    if (job->coord.y == -1) {
        const TrnResult result = trn_stream_job_set_data(job, &data);
        memset(chest, 0, sizeof chest);
        return result;
    }
    data = (TrnBlockData){"", 0, 5, TRN_DATA_STAYS}; // in chunks of air
    return job->coord.x == 0 ? trn_stream_job_set_data(job, &data) : TRN_RESULT_OK;
}

static TrnResult load(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    const Game *game = user;
    static const char lost[] = "lost";
    const TrnBlockData wrong = {lost, sizeof lost, 9, TRN_DATA_STAYS};
    for (uint32_t i = 0; i < game->saved_count; i++) {
        const Saved *saved = &game->saved[i];
        if (trn_coord_equal(saved->coord, job->coord)) {
            const TrnBlockData data = {saved->text, sizeof saved->text, 0, TRN_DATA_STAYS};
            blocks[0] = 2;
            *uniform = true;
            return trn_stream_job_set_data(job, &data);
        }
    }
    const TrnResult result = trn_stream_job_set_data(job, &wrong); // dropped: it is generated
    return result == TRN_RESULT_OK ? TRN_RESULT_NOT_FOUND : result;
}

static TrnResult save(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    Game *game = user;
    TrnBlockData data;
    if (trn_snapshot_get_data(voxels, 0, &data) && game->saved_count < SAVED_MAX) {
        Saved *saved = &game->saved[game->saved_count++];
        saved->coord = job->coord;
        memcpy(saved->text, data.bytes, data.size);
    }
    return TRN_RESULT_OK;
}

static void game_begin(Game *game, uint32_t workers)
{
    TrnStreamDef def = trn_stream_def();
    TrnStreamAnchor anchor = trn_stream_anchor();
    TrnStreamAnchorId id;
    const TrnStreamBudget budget = {.units = 16};
    assert_int_equal(trn_store_create(NULL, &game->store), TRN_RESULT_OK);
    def.store = game->store;
    def.hooks = (TrnStreamHooks){.generate = generate, .load = load, .save = save, .user = game};
    def.workers = workers;
    assert_int_equal(trn_stream_create(&def, &game->stream), TRN_RESULT_OK);
    anchor.radius_chunks = anchor.height_chunks = RADIUS;
    assert_int_equal(trn_stream_anchor_add(game->stream, &anchor, &id), TRN_RESULT_OK);
    for (uint32_t i = 0; i < 40; i++) {
        (void)trn_stream_update(game->stream, &budget, NULL);
    }
}

static void game_end(Game *game)
{
    trn_stream_destroy(game->stream);
    trn_store_destroy(game->store);
}

static void run_game(uint32_t workers)
{
    Game game = {0};
    game_begin(&game, workers);
    TrnVoxelData list[256];
    const TrnVoxel low = {-320, -320, -320}, high = {320, 320, 320};
    TrnBlockData data;
    uint32_t chests = 0;
    const size_t count = trn_store_list_data(game.store, low, high, list, 256);
    assert_in_range(count, 10, 256);
    for (size_t i = 0; i < count; i++) {
        assert_true(list[i].data.index == 77 || list[i].data.index == 5);
        if (list[i].data.index == 77) {
            assert_string_equal(list[i].data.bytes, "chest");
            assert_true(list[i].voxel.y < 0);
            chests++;
        }
    }
    assert_true(chests > 5);
    assert_int_equal(trn_stream_stats(game.stream).unsaved, 0); // as generated
    const TrnVoxel sign = {0, -32, 0};
    assert_int_equal(
        trn_store_set_data(game.store, sign, "a sign of wood!", 16, TRN_DATA_STAYS, NULL),
        TRN_RESULT_OK);
    assert_int_equal(trn_stream_stats(game.stream).unsaved, 1);
    assert_int_equal(trn_stream_save(game.stream), TRN_RESULT_OK);
    assert_int_equal(game.saved_count, 1);
    trn_stream_destroy(game.stream);
    trn_store_destroy(game.store);
    game_begin(&game, workers);
    assert_int_equal(trn_store_get_data(game.store, sign, &data), TRN_RESULT_OK);
    assert_string_equal(data.bytes, "a sign of wood!");
    game_end(&game);
}

static void data_of_hooks_is_inserted_saved_and_loaded(void **state)
{
    (void)state;
    run_game(0);
}

static void data_comes_from_workers_too(void **state)
{
    (void)state;
    test_needs_threads();
    run_game(2);
}

static void data_beyond_the_limits_fails_the_chunk(void **state)
{
    (void)state;
    Game game = {.refuses = true};
    game_begin(&game, 0);
    assert_true(atomic_load(&game.refused) > 0);
    assert_int_equal(trn_store_stats(game.store).chunks, 0);
    game_end(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_of_hooks_is_inserted_saved_and_loaded),
        cmocka_unit_test(data_comes_from_workers_too),
        cmocka_unit_test(data_beyond_the_limits_fails_the_chunk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

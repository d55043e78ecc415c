// A game that interferes where it hurts most: store listeners that change chunks of the batch that
// the stream is inserting or removing, and edits while a save or a group is half done.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include <time.h>

#include "stream_game.h"

#define SETTLE_UPDATES 20000u

static void rest(long us)
{
    const struct timespec time = {0, us * 1000};
    nanosleep(&time, NULL);
}

/// Updates until the stream is idle, however long hooks take.
static void settle(Game *game)
{
    for (uint32_t i = 0; i < SETTLE_UPDATES; i++) {
        if (game_update(game).is_idle) {
            return;
        }
        trn_stream_wait(game->stream);
    }
    fail_msg("the stream does not come to rest");
}

/// Checks that planes and store agree, and that all meshes of chunks to show are current.
static void check_world(const Game *game)
{
    const TrnChunkIndex *index = trn_stream_index(game->stream);
    const size_t count = trn_store_gather(game->store, trn_box_everything(), NULL, 0);
    TrnChunk **chunks = malloc((count + 1) * sizeof(TrnChunk *));
    uint32_t loaded = 0;
    trn_store_gather(game->store, trn_box_everything(), chunks, count);
    for (size_t i = 0; i < count; i++) {
        const TrnStreamExplanation why = trn_stream_explain(game->stream, chunks[i]->coord);
        loaded += trn_chunk_index_find(index, chunks[i]->coord, NULL);
        assert_true(why.is_loaded);
        if (why.should_show && (!why.is_shown || !game_mesh_is_right(game, chunks[i]))) {
            fail_msg("not shown as it is: %s", why.sentence);
        }
    }
    free(chunks);
    assert_int_equal(trn_stream_stats(game->stream).loaded, loaded);
}

// ---- saves -------------------------------------------------------------------------------------

/// A save hook that blocks on demand.
typedef struct SlowSaves {
    Game game; ///< first: hooks get its address
    _Atomic(bool) is_held;
    _Atomic(uint32_t) begun;
} SlowSaves;

static TrnResult slow_save(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    SlowSaves *slow = user;
    atomic_fetch_add(&slow->begun, 1);
    while (atomic_load(&slow->is_held)) {
        rest(50);
    }
    return game_save(&slow->game, job, voxels);
}

static void change_while_saving(SlowSaves *slow, bool is_remesh)
{
    Game *game = &slow->game;
    const TrnCoord here = {0, 0, 0};
    TrnStreamDef def = game_def(game);
    def.workers = 1;
    def.budget = (TrnStreamBudget){.ms = 1};
    def.hooks.save = slow_save;
    def.hooks.load = game_load;
    atomic_store(&slow->is_held, false);
    atomic_store(&slow->begun, 0);
    game_create(game, &def);
    TrnStreamAnchor player = game_anchor(here, 2, 1);
    const TrnStreamAnchorId id = game_add(game, player);
    settle(game);
    game_dig(game, (TrnVoxel){16, 4, 16}, 3);
    settle(game);
    atomic_store(&slow->is_held, true);
    player.position.chunk.x = 1000;
    assert_int_equal(trn_stream_anchor_set(game->stream, id, &player), TRN_RESULT_OK);
    while (!atomic_load(&slow->begun)) {
        (void)game_update(game);
        rest(100);
    }
    player.position.chunk.x = 0;
    assert_int_equal(trn_stream_anchor_set(game->stream, id, &player), TRN_RESULT_OK);
    while (!trn_stream_explain(game->stream, here).should_show) {
        (void)game_update(game);
    }
    assert_int_equal(trn_stream_explain(game->stream, here).state, TRN_STREAM_STATE_SAVING);
    if (is_remesh) {
        trn_stream_remesh(game->stream);
    } else {
        game_dig(game, (TrnVoxel){16, 5, 16}, 4);
    }
    (void)game_update(game);
    atomic_store(&slow->is_held, false);
    settle(game);
    check_world(game);
    assert_int_equal(trn_stream_explain(game->stream, here).is_unsaved, !is_remesh);
    game_end(game);
}

/// A chunk that is edited, or to be meshed again, while it is saved and wanted again.
static void a_chunk_taken_back_while_it_is_saved_is_meshed_again(void **state)
{
    (void)state;
    SlowSaves *slow = calloc(1, sizeof *slow);
    change_while_saving(slow, false);
    change_while_saving(slow, true);
    free(slow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chunk_taken_back_while_it_is_saved_is_meshed_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

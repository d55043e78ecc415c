/// Saving by a stream: in the background, of chunks that were only shown, and through a source.
#include "stream_game.h"

#include <terrane/voxels.h>

#define SECOND_US 1e6

/// A def whose source is the game, with a clock of the game's own.
static TrnStreamDef source_def(Game *game, bool saves_shown, double save_seconds)
{
    TrnStreamDef def = game_def(game);
    def.source = (TrnStreamSource){.load = game_load,
                                   .save = game_save,
                                   .user = game,
                                   .saves_shown = saves_shown,
                                   .save_seconds = save_seconds};
    def.clock_us = game_clock;
    def.clock_user = game;
    return def;
}

/// Creates a game with such a source, and loads a small view.
static TrnStreamAnchorId begin(Game *game, uint32_t radius, bool saves_shown, double save_seconds)
{
    TrnStreamDef def = source_def(game, saves_shown, save_seconds);
    game_create(game, &def);
    const TrnStreamAnchorId id = game_add(game, game_anchor((TrnCoord){0, 0, 0}, radius, 1));
    game_settle(game);
    return id;
}

/// Finds what was saved of a chunk. @return NULL if nothing was
static const GameSave *find_save(const Game *game, TrnCoord coord)
{
    for (uint32_t i = 0; i < game->save_count; i++) {
        if (trn_coord_equal(game->saves[i].coord, coord)) {
            return &game->saves[i];
        }
    }
    return NULL;
}

/// Lets time pass: enough updates for a walk over all cells.
static void pass(Game *game, double seconds)
{
    game->now_us += seconds * SECOND_US;
    for (int i = 0; i < 200; i++) {
        (void)game_update(game);
    }
}

static void loaded_chunks_are_saved_in_the_background(void **state)
{
    (void)state;
    Game game;
    (void)begin(&game, 3, false, 5);
    pass(&game, 10);
    assert_int_equal(game.save_count, 0); // nothing has changed
    game_dig(&game, (TrnVoxel){5, 2, 5}, 0);
    game_dig(&game, (TrnVoxel){40, 2, 5}, 3);
    game_settle(&game);
    pass(&game, 1);
    assert_int_equal(game.save_count, 0);
    pass(&game, 5);
    assert_int_equal(game.save_count, 2);
    assert_int_equal(trn_stream_stats(game.stream).unsaved, 0);
    assert_int_equal(trn_stream_stats(game.stream).saved, 2);
    assert_non_null(trn_store_find(game.store, (TrnCoord){0, 0, 0}));
    assert_true(game_mesh_is_right(&game, trn_store_find(game.store, (TrnCoord){1, 0, 0})));
    assert_int_equal(find_save(&game, (TrnCoord){1, 0, 0})->blocks[trn_local_index(8, 2, 5)], 3);
    pass(&game, 20);
    assert_int_equal(trn_stream_stats(game.stream).saved, 2); // once
    game_end(&game);
}

static void a_failed_save_in_the_background_is_tried_again(void **state)
{
    (void)state;
    Game game;
    (void)begin(&game, 2, false, 5);
    game_dig(&game, (TrnVoxel){5, 2, 5}, 0);
    game_settle(&game);
    game.save_result = TRN_RESULT_IO;
    pass(&game, 10);
    assert_int_equal(game.last_event.kind, TRN_STREAM_EVENT_FAILED);
    assert_int_equal(game.last_event.stage, TRN_STREAM_STAGE_SAVE);
    assert_int_equal(game.last_event.result, TRN_RESULT_IO);
    assert_int_equal(trn_stream_stats(game.stream).unsaved, 1);
    const TrnChunk *chunk = trn_store_find(game.store, (TrnCoord){0, 0, 0});
    assert_non_null(chunk);
    game_dig(&game, (TrnVoxel){6, 2, 5}, 2); // it can still be edited, and shown
    game_settle(&game);
    assert_true(game_mesh_is_right(&game, trn_store_find(game.store, (TrnCoord){0, 0, 0})));
    assert_int_equal(trn_stream_save(game.stream), TRN_RESULT_IO);
    game.save_result = TRN_RESULT_OK;
    pass(&game, 10);
    assert_int_equal(trn_stream_stats(game.stream).unsaved, 0);
    assert_int_equal(trn_stream_save(game.stream), TRN_RESULT_OK);
    assert_int_equal(find_save(&game, (TrnCoord){0, 0, 0})->blocks[trn_local_index(6, 2, 5)], 2);
    game_end(&game);
}

/// At each update it waits for its mesh.
static void a_chunk_that_is_edited_all_the_time_is_saved(void **state)
{
    (void)state;
    Game game;
    (void)begin(&game, 2, false, 5);
    for (int i = 0; i < 100; i++) {
        game_dig(&game, (TrnVoxel){5, 2, 5}, (TrnBlock)(i % 2));
        game.now_us += 0.1 * SECOND_US;
        (void)game_update(&game);
    }
    assert_in_range(trn_stream_stats(game.stream).saved, 1, 3);
    game_end(&game);
}

/// Counts the chunks that are shown and not uniform, and checks that exactly these were saved.
static uint32_t expect_shown_saved(const Game *game, TrnCoord around, int32_t reach)
{
    uint32_t count = 0;
    for (int32_t z = -reach; z <= reach; z++) {
        for (int32_t y = -reach; y <= reach; y++) {
            for (int32_t x = -reach; x <= reach; x++) {
                const TrnCoord at = trn_coord_add(around, x, y, z);
                const TrnChunk *chunk = trn_store_find(game->store, at);
                const TrnStreamExplanation why = trn_stream_explain(game->stream, at);
                const bool is_uniform =
                    chunk && trn_snapshot_is_uniform(trn_voxels_snapshot(&chunk->voxels));
                const bool should = chunk && why.is_shown && !is_uniform;
                assert_int_equal(find_save(game, at) != NULL, should);
                count += should;
            }
        }
    }
    return count;
}

static void shown_chunks_are_saved_if_the_source_asks_for_them(void **state)
{
    (void)state;
    Game game;
    const TrnStreamAnchorId id = begin(&game, 3, true, 5);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 3, 1);
    pass(&game, 10);
    const uint32_t saved = expect_shown_saved(&game, anchor.position.chunk, 6);
    assert_true(saved > 20);
    assert_int_equal(game.save_count, saved);
    // Who comes back loads them, and does not save them again.
    const uint64_t before = trn_stream_stats(game.stream).saved;
    anchor.position.chunk.x = 100;
    trn_stream_anchor_set(game.stream, id, &anchor);
    game_settle(&game);
    anchor.position.chunk.x = 0;
    trn_stream_anchor_set(game.stream, id, &anchor);
    game_settle(&game);
    const uint64_t elsewhere = trn_stream_stats(game.stream).saved - before;
    pass(&game, 10);
    assert_int_equal(trn_stream_stats(game.stream).saved - before, elsewhere);
    assert_int_equal(game.save_count, saved + elsewhere);
    assert_int_equal(atomic_load(&game.loaded), saved);
    game_end(&game);
}

static void a_shown_chunk_is_saved_before_it_unloads(void **state)
{
    (void)state;
    Game game;
    const TrnStreamAnchorId id = begin(&game, 2, true, 0); // not in the background
    pass(&game, 10);
    assert_int_equal(game.save_count, 0);
    const uint32_t unsaved = trn_stream_stats(game.stream).unsaved;
    assert_true(unsaved > 10);
    assert_int_equal(trn_stream_anchor_remove(game.stream, id), TRN_RESULT_OK);
    game_settle(&game);
    assert_int_equal(game.save_count, unsaved);
    const TrnStreamStats stats = trn_stream_stats(game.stream);
    assert_true(stats.unloaded >= unsaved);
    assert_int_equal(stats.times[TRN_STREAM_STAGE_UNLOAD].count, stats.unloaded);
    game_end(&game);
}

static TrnResult no_load(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    (void)user, (void)job, (void)blocks, (void)uniform;
    fail_msg("the source's hook was called");
    return TRN_RESULT_NOT_FOUND;
}

static TrnResult no_save(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    (void)user, (void)job, (void)voxels;
    fail_msg("the source's hook was called");
    return TRN_RESULT_OK;
}

static void hooks_of_the_game_replace_the_source(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = source_def(&game, false, 5);
    def.source.load = no_load;
    def.source.save = no_save;
    def.hooks.save = game_save; // and no load at all
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 2, 1));
    game_settle(&game);
    game_dig(&game, (TrnVoxel){5, 2, 5}, 0);
    game_settle(&game);
    pass(&game, 10);
    assert_int_equal(game.save_count, 1);
    game_end(&game);
    def = source_def(&game, false, -1);
    assert_int_equal(game_try_create(&game, &def), TRN_RESULT_BAD_ARGUMENT);
    trn_store_destroy(game.store);
}

/// Workers save while the game edits; what is saved at the end is what the store holds.
static void saves_on_workers_keep_the_last_edit(void **state)
{
    (void)state;
    Game game;
    TestRandom random = test_random_seeded(24);
    TrnStreamDef def = source_def(&game, true, 0.001);
    def.workers = 2;
    def.clock_us = NULL;
    def.budget = (TrnStreamBudget){.ms = 2};
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 3, 1));
    const uint32_t rounds = test_rounds(3000, 600), saves = 30;
    for (uint32_t i = 0; i < rounds || atomic_load(&game.saved_on_workers) < saves; i++) {
        const TrnVoxel at = {test_random_range(&random, -64, 63), 2,
                             test_random_range(&random, -64, 63)};
        game_dig(&game, at, (TrnBlock)test_random_range(&random, 0, 6));
        (void)game_update(&game);
    }
    game_settle(&game);
    assert_int_equal(trn_stream_save(game.stream), TRN_RESULT_OK);
    for (uint32_t i = 0; i < game.save_count; i++) {
        TrnSnapshot now;
        assert_int_equal(trn_store_snapshot(game.store, game.saves[i].coord, &now), TRN_RESULT_OK);
        assert_int_equal(trn_snapshot_hash(now), game.saves[i].hash);
    }
    game_end(&game);
}

// ---- saves that fail ----------------------------------------------------------------------------

static void expect_block(Game *game, TrnVoxel voxel, TrnBlock block)
{
    TrnBlock got;
    assert_int_equal(trn_store_get_block(game->store, voxel, &got), TRN_RESULT_OK);
    assert_int_equal(got, block);
}

static void a_chunk_that_cannot_be_saved_is_not_removed(void **state)
{
    (void)state;
    static const TrnResult failures[] = {TRN_RESULT_FULL, TRN_RESULT_NO_MEMORY, TRN_RESULT_IO};
    Game game;
    (void)begin(&game, 3, false, 0);
    game_dig(&game, (TrnVoxel){5, 2, 5}, 3);
    for (int i = 0; i < 3; i++) {
        game.save_result = failures[i];
        assert_int_equal(trn_store_remove(game.store, (TrnCoord){0, 0, 0}), failures[i]);
        expect_block(&game, (TrnVoxel){5, 2, 5}, 3);
        assert_true(trn_stream_explain(game.stream, (TrnCoord){0, 0, 0}).is_unsaved);
        // One that is as generated may go.
        assert_int_equal(trn_store_remove(game.store, (TrnCoord){0, 0, 1}), TRN_RESULT_OK);
        game_settle(&game);
    }
    game.save_result = TRN_RESULT_OK;
    assert_int_equal(trn_store_remove(game.store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    assert_non_null(find_save(&game, (TrnCoord){0, 0, 0}));
    game_settle(&game);
    expect_block(&game, (TrnVoxel){5, 2, 5}, 3); // loaded from the save
    game_end(&game);
}

static void eviction_leaves_what_cannot_be_saved(void **state)
{
    (void)state;
    Game game;
    uint32_t evicted = 0;
    (void)begin(&game, 3, false, 0);
    game_dig(&game, (TrnVoxel){5, 2, 5}, 3);
    game_dig(&game, (TrnVoxel){40, 2, 5}, 3);
    const uint32_t loaded = trn_store_stats(game.store).chunks;
    const TrnEviction all = {.used_bytes = 1};
    game.save_result = TRN_RESULT_FULL;
    assert_int_equal(trn_store_evict(game.store, &all, &evicted), TRN_RESULT_FULL);
    assert_int_equal(evicted, loaded - 2);
    expect_block(&game, (TrnVoxel){5, 2, 5}, 3);
    expect_block(&game, (TrnVoxel){40, 2, 5}, 3);
    game.save_result = TRN_RESULT_IO;
    assert_int_equal(trn_store_evict(game.store, &all, &evicted), TRN_RESULT_IO);
    assert_int_equal(evicted, 0);
    game.save_result = TRN_RESULT_OK;
    (void)trn_store_evict(game.store, &all, &evicted);
    assert_int_equal(evicted, 2);
    assert_int_equal(game.save_count, 2);
    game_end(&game);
}

/// A listener that answers an edit of one chunk by editing and removing another.
static TrnResult edit_and_remove(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Game *game = user;
    const TrnVoxel near = {5, 2, 5}, far = {40, 2, 5};
    if (trn_coord_equal(event->chunks->coord, trn_voxel_chunk(near))) {
        assert_int_equal(trn_store_set_block(store, far, 3, NULL), TRN_RESULT_OK);
        assert_int_equal(trn_store_remove(store, trn_voxel_chunk(far)),
                         atomic_load(&game->save_result));
    }
    return TRN_RESULT_OK;
}

static void an_edit_of_which_no_event_came_yet_is_saved(void **state)
{
    (void)state;
    Game game;
    for (int fails = 0; fails < 2; fails++) {
        (void)begin(&game, 3, false, 0);
        assert_int_equal(trn_store_subscribe(game.store, TRN_EVENT_BIT(TRN_EVENT_CHANGED),
                                             edit_and_remove, &game),
                         TRN_RESULT_OK);
        game.save_result = fails ? TRN_RESULT_IO : TRN_RESULT_OK;
        game_dig(&game, (TrnVoxel){5, 2, 5}, 3);
        assert_int_equal(trn_store_find(game.store, (TrnCoord){1, 0, 0}) != NULL, fails);
        assert_int_equal(game.save_count, !fails);
        game.save_result = TRN_RESULT_OK;
        game_settle(&game);
        expect_block(&game, (TrnVoxel){40, 2, 5}, 3);
        assert_int_equal(trn_store_unsubscribe(game.store, edit_and_remove, &game), TRN_RESULT_OK);
        game_end(&game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loaded_chunks_are_saved_in_the_background),
        cmocka_unit_test(a_chunk_that_is_edited_all_the_time_is_saved),
        cmocka_unit_test(a_failed_save_in_the_background_is_tried_again),
        cmocka_unit_test(shown_chunks_are_saved_if_the_source_asks_for_them),
        cmocka_unit_test(a_shown_chunk_is_saved_before_it_unloads),
        cmocka_unit_test(hooks_of_the_game_replace_the_source),
        cmocka_unit_test(saves_on_workers_keep_the_last_edit),
        cmocka_unit_test(a_chunk_that_cannot_be_saved_is_not_removed),
        cmocka_unit_test(eviction_leaves_what_cannot_be_saved),
        cmocka_unit_test(an_edit_of_which_no_event_came_yet_is_saved),
    };
    return cmocka_run_group_tests_name("stream_save", tests, NULL, NULL);
}

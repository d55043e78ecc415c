// Hooks, uploads and allocations that fail: nothing is lost. One thread, in exact steps.

#include "game_checks.h"

static void failed_hooks_are_retried_until_all_is_shown(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    atomic_store(&game.fail_every, 3);
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 4, 2));
    game_settle(&game);
    TrnStreamStats stats = trn_stream_stats(game.stream);
    assert_int_equal(stats.wanted, stats.loaded);
    assert_true(stats.failures > 10);
    assert_int_equal(stats.last_failure, TRN_RESULT_CORRUPT);
    assert_int_equal(stats.last_stage, TRN_STREAM_STAGE_GENERATE);
    assert_int_equal(game.events[TRN_STREAM_EVENT_FAILED], stats.failures);
    game_end(&game);
}

static void uploads_and_meshes_that_fail_show_nothing_and_lose_nothing(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    game_create(&game, &def);
    game.upload_result = TRN_RESULT_FULL;
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 3, 1));
    for (uint32_t i = 0; i < 50; i++) {
        game_update(&game);
    }
    assert_int_equal(atomic_load(&game.live_meshes), 0);
    assert_true(trn_stream_stats(game.stream).failed > 0);
    game.upload_result = TRN_RESULT_OK;
    game.mesh_result = TRN_RESULT_NO_MEMORY;
    for (uint32_t i = 0; i < 50; i++) {
        game_update(&game);
    }
    assert_int_equal(atomic_load(&game.live_meshes), 0);
    game.mesh_result = TRN_RESULT_OK;
    game_settle(&game);
    const TrnStreamReadiness ready =
        trn_stream_readiness(game.stream, (TrnVoxel){-32, 0, -32}, (TrnVoxel){63, 31, 63});
    assert_true(ready.is_shown);
    assert_int_equal(ready.chunks, 9);
    // Also while an edit is pending.
    game.upload_result = TRN_RESULT_FULL;
    game_dig(&game, (TrnVoxel){0, 3, 0}, 4);
    for (uint32_t i = 0; i < 5; i++) {
        game_update(&game);
    }
    game.upload_result = TRN_RESULT_OK;
    game_settle(&game);
    check_meshes(&game, (TrnBox){{-2, -1, -2}, {2, 1, 2}});
    game_end(&game);
}

/// A short life: a view loads, is edited, moves away, and its anchor is removed. @return
/// whether the stream could be created
static bool live_a_little(Game *game, size_t fail_at)
{
    TrnStreamDef def = game_def(game);
    game->memory.allocations = 0;
    game->memory.fail_at = fail_at;
    def.hooks.save = game_save;
    def.budget.units = 32;
    const TrnResult result = game_try_create(game, &def);
    if (result != TRN_RESULT_OK) {
        assert_int_equal(result, TRN_RESULT_NO_MEMORY);
        return false;
    }
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 2, 1);
    TrnStreamAnchorId id;
    while (trn_stream_anchor_add(game->stream, &anchor, &id) != TRN_RESULT_OK) {
    }
    game_settle(game);
    TrnBatch *batch;
    if (trn_batch_begin(game->store, NULL, &batch) == TRN_RESULT_OK) {
        trn_batch_fill_sphere(batch, (TrnVoxel){0, 4, 0}, 4, 2);
        (void)trn_batch_commit(batch, NULL);
    }
    game_settle(game);
    anchor.position.chunk.x = 1;
    trn_stream_anchor_set(game->stream, id, &anchor);
    game_settle(game);
    anchor.position.chunk.x = 60;
    trn_stream_anchor_set(game->stream, id, &anchor);
    game_settle(game);
    const TrnStreamStats stats = trn_stream_stats(game->stream);
    assert_int_equal(stats.wanted, stats.loaded);
    assert_int_equal(stats.wanted, trn_store_stats(game->store).chunks);
    return true;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    Game game;
    assert_true(live_a_little(&game, 0));
    const size_t allocations = game.memory.allocations;
    game_end(&game);
    print_message("  %zu allocations\n", allocations);
    for (size_t fail_at = 1; fail_at <= allocations; fail_at++) {
        const bool lived = live_a_little(&game, fail_at);
        if (!lived) {
            game.stream = NULL;
        }
        game_end(&game);
    }
}

static void memory_that_fails_for_a_while_only_costs_time(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(17);
    for (uint32_t round = 0; round < 6; round++) {
        Game game;
        TrnStreamDef def = game_def(&game);
        def.budget.units = 24;
        game_create(&game, &def);
        TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 5, 2);
        const TrnStreamAnchorId id = game_add(&game, anchor);
        for (uint32_t step = 0; step < 400; step++) {
            game.is_starved = test_random_range(&random, 0, 3) > 0;
            anchor.position.chunk.x += step % 6 == 0;
            anchor.position.chunk.z += step % 90 == 89 ? 40 : 0;
            anchor.radius_chunks = 4 + step / 50 % 3;
            assert_int_equal(trn_stream_anchor_set(game.stream, id, &anchor), TRN_RESULT_OK);
            TrnBatch *batch;
            if (trn_batch_begin(game.store, NULL, &batch) == TRN_RESULT_OK) {
                const TrnVoxel at = {(int64_t)anchor.position.chunk.x * 32, 3,
                                     (int64_t)anchor.position.chunk.z * 32};
                trn_batch_fill_sphere(batch, at, 4, (TrnBlock)(step % 5));
                (void)trn_batch_commit(batch, NULL);
            }
            game_update(&game);
        }
        game.is_starved = false;
        for (uint32_t i = 0; i < 10000 && !game_update(&game).is_idle; i++) {
        }
        game_settle(&game);
        const TrnStreamStats stats = trn_stream_stats(game.stream);
        assert_int_equal(stats.wanted, stats.loaded);
        assert_int_equal(stats.loaded, trn_store_stats(game.store).chunks);
        assert_int_equal(stats.dissolving, 0);
        TrnStreamView view;
        assert_int_equal(trn_stream_view(game.stream, id, &view), TRN_RESULT_OK);
        for (uint32_t i = 0; i < 5000 && view.is_shrunk; i++) {
            game_update(&game);
            assert_int_equal(trn_stream_view(game.stream, id, &view), TRN_RESULT_OK);
        }
        assert_int_equal(view.rings, anchor.radius_chunks);
        game_settle(&game);
        const TrnVoxel feet = trn_coord_voxel(anchor.position.chunk);
        assert_true(trn_stream_readiness(game.stream, feet, feet).is_shown);
        check_meshes(&game, trn_box_around(anchor.position.chunk, 1, 1, 1));
        check_view(&game, &anchor);
        game_end(&game);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_hooks_are_retried_until_all_is_shown),
        cmocka_unit_test(uploads_and_meshes_that_fail_show_nothing_and_lose_nothing),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(memory_that_fails_for_a_while_only_costs_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// A far view as a game uses it: what is drawn at rest, views that change, ends of the world,
// budgets, refused definitions.

#include "far_game.h"

static void draws_every_place_once(void **state)
{
    (void)state;
    Game *game = game_create(0, (TrnCoord){1, 0, -3});
    game_open_far(game);
    game_settle(game);
    game_check_rest(game);
    const TrnFarStats stats = trn_far_stats(game->far_view);
    assert_int_equal(stats.levels, 2);
    for (uint32_t level = 0; level <= 2; level++) {
        assert_true(stats.level[level].drawn > 0);
        assert_true(stats.level[level].drawn <= stats.level[level].shown);
        assert_true(stats.level[level].shown < stats.level[level].loaded);
        assert_int_equal(stats.level[level].rings, 3);
        assert_int_equal(stats.level[level].rings_wanted, 3);
        assert_false(stats.level[level].is_shrunk);
        assert_true(stats.level[level].bytes > 0);
        assert_true(game->levels[level].uploads > 0);
    }
    assert_int_equal(trn_stream_bytes(game->stream),
                     stats.level[0].bytes + stats.level[1].bytes + stats.level[2].bytes);
    // The finest land is around the anchor.
    assert_true(game_is_drawn(game, 0, game->anchor.position.chunk));
    game_destroy(game);
}

/// Land changes its level as an anchor passes, and places never vanish.
static void follows_its_anchor(void **state)
{
    (void)state;
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    game_open_far(game);
    game_settle(game);
    for (uint32_t step = 0; step < 24; step++) {
        game->anchor.position.chunk.x++;
        game->anchor.position.chunk.z -= (int32_t)(step & 1);
        game_update(game, 40);
        game_check(game);
    }
    game_settle(game);
    game_check_rest(game);
    assert_true(game_is_drawn(game, 0, game->anchor.position.chunk));
    assert_false(game_is_drawn(game, 0, (TrnCoord){0, 0, 0}));
    game_destroy(game);
}

/// A far view may come and go while level 0 goes on.
static void comes_and_goes(void **state)
{
    (void)state;
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    TrnStreamReport report = {0};
    const TrnStreamBudget budget = {.units = 64};
    while (!report.is_idle) {
        trn_stream_update(game->stream, &budget, &report);
    }
    const uint32_t shown = trn_stream_stats(game->stream).shown;
    game_open_far(game);
    assert_int_equal(game->levels[0].drawn.count, shown); // before any coarser land is there
    TrnFar *second = NULL;
    const TrnFarDef def = game_far_def(game);
    assert_int_equal(trn_far_create(&def, &second), TRN_RESULT_EXISTS);
    assert_null(second);
    game_settle(game);
    game_check_rest(game);
    assert_true(game->levels[0].drawn.count < shown); // the rim belongs to coarser chunks
    trn_far_destroy(game->far_view);
    game->far_view = NULL;
    assert_int_equal(game->levels[0].drawn.count, shown);
    game_close_far(game);
    game_open_far(game);
    game_settle(game);
    game_check_rest(game);
    game_destroy(game);
}

static void changes_its_view(void **state)
{
    (void)state;
    Game *game = game_create(0, (TrnCoord){5, 0, 5});
    game_open_far(game);
    game_settle(game);
    const TrnFarView views[] = {
        {.levels = 4, .radius_chunks = 2, .last_radius_chunks = 2, .height_chunks = 2},
        {.levels = 1, .radius_chunks = 4, .last_radius_chunks = 3, .height_chunks = 1},
        {.levels = 3, .height_chunks = 2},
    };
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        assert_int_equal(trn_far_set_view(game->far_view, &views[i]), TRN_RESULT_OK);
        game_check(game);
        game_settle(game);
        game_check_rest(game);
        assert_null(trn_far_store(game->far_view, views[i].levels + 1));
        assert_non_null(far_stream_of(game, views[i].levels));
    }
    game_destroy(game);
}

static void several_anchors_come_and_go(void **state)
{
    (void)state;
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    game_open_far(game);
    TrnStreamAnchorId ids[3];
    for (int32_t i = 0; i < 3; i++) {
        TrnStreamAnchor anchor = game->anchor;
        anchor.position.chunk.x = 9 * i - 100;
        assert_int_equal(trn_stream_anchor_add(game->stream, &anchor, &ids[i]), TRN_RESULT_OK);
    }
    game_settle(game);
    game_check_rest(game);
    assert_true(game_is_drawn(game, 0, (TrnCoord){-91, 0, 0}));
    for (int32_t i = 0; i < 3; i++) {
        assert_int_equal(trn_stream_anchor_remove(game->stream, ids[i]), TRN_RESULT_OK);
        game_settle(game);
        game_check_rest(game);
    }
    for (uint32_t level = 1; level <= 2; level++) {
        assert_int_equal(trn_stream_stats(far_stream_of(game, level)).anchors, 1);
        assert_null(trn_store_find(trn_far_store(game->far_view, level), (TrnCoord){-50, 0, 0}));
    }
    game_destroy(game);
}

static void reaches_the_ends_of_the_world(void **state)
{
    (void)state;
    const TrnCoord ends[] = {{INT32_MAX, 0, INT32_MIN}, {INT32_MIN, INT32_MAX, INT32_MAX - 2}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        Game *game = game_create(0, ends[i]);
        game_open_far(game);
        game_settle(game);
        game_check_rest(game);
        game_destroy(game);
    }
}

/// With less memory the levels drop rings, and say so; with none they refuse.
static void budgets_drop_rings(void **state)
{
    (void)state;
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    TrnFarDef def = game_far_def(game);
    def.view.radius_chunks = 8;
    assert_int_equal(trn_far_create(&def, &game->far_view), TRN_RESULT_OK);
    game_settle(game);
    game_check_rest(game);
    const size_t whole = trn_far_stats(game->far_view).bytes;
    game_close_far(game);
    def.bytes_max = whole * 3 / 4;
    assert_int_equal(trn_far_create(&def, &game->far_view), TRN_RESULT_OK);
    for (uint32_t update = 0; update < 300; update++) {
        game_update(game, 64);
        const TrnFarStats stats = trn_far_stats(game->far_view);
        assert_true(stats.level[1].bytes + stats.level[2].bytes <= def.bytes_max);
    }
    game_check(game);
    const TrnFarStats stats = trn_far_stats(game->far_view);
    assert_true(stats.level[1].is_shrunk || stats.level[2].is_shrunk);
    assert_true(stats.level[1].rings < 8 || stats.level[2].rings < 8);
    assert_false(stats.level[0].is_shrunk);
    game_close_far(game);
    def.bytes_max = 1000;
    assert_int_equal(trn_far_create(&def, &game->far_view), TRN_RESULT_FULL);
    game_destroy(game);
}

/// Chunks of a level that the game edits are saved with their level.
static void saves_its_levels(void **state)
{
    (void)state;
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    TrnFarDef def = game_far_def(game);
    def.source = (TrnStreamSource){.save = game_save, .user = game};
    assert_int_equal(trn_far_create(&def, &game->far_view), TRN_RESULT_OK);
    game_settle(game);
    assert_int_equal(trn_far_save(game->far_view), TRN_RESULT_OK);
    assert_int_equal(game->saved, 0);
    for (uint32_t level = 1; level <= 2; level++) {
        TrnBatch *batch;
        assert_int_equal(trn_batch_begin(trn_far_store(game->far_view, level), NULL, &batch),
                         TRN_RESULT_OK);
        assert_int_equal(trn_batch_set(batch, (TrnVoxel){3, 3, 3}, 2), TRN_RESULT_OK);
        assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    }
    game_check(game); // an edited chunk stays drawn while it waits for its mesh
    assert_int_equal(trn_far_save(game->far_view), TRN_RESULT_OK);
    assert_int_equal(game->saved, 2);
    assert_int_equal(game->wrong_levels, 0);
    const uint32_t uploads = game->levels[1].uploads;
    game_settle(game);
    assert_true(game->levels[1].uploads > uploads);
    trn_far_remesh(game->far_view);
    game_settle(game);
    assert_true(game->levels[1].uploads > uploads + trn_far_stats(game->far_view).level[1].shown);
    game_check_rest(game);
    game_destroy(game);
}

static void leaves_updates_to_level_0_that_takes_all_time(void **state)
{
    (void)state;
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    game_open_far(game);
    game->tick_us = 2000;
    const TrnStreamBudget budget = {.ms = 1};
    for (uint32_t update = 0; update < 90; update++) {
        TrnStreamReport report = {.is_idle = true};
        trn_stream_update(game->stream, &budget, NULL);
        assert_int_equal(trn_far_update(game->far_view, &budget, &report), TRN_RESULT_OK);
        assert_false(report.is_idle);
    }
    for (uint32_t level = 1; level <= 2; level++) { // seven skip a level, the eighth does not
        assert_int_equal(trn_stream_stats(far_stream_of(game, level)).updates, 11);
    }
    game->tick_us = 0;
    game_settle(game);
    game_check_rest(game);
    game_destroy(game);
}

static void refuses_bad_definitions(void **state)
{
    (void)state;
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    const TrnFarDef good = game_far_def(game);
    TrnFarDef bad[10];
    for (size_t i = 0; i < 10; i++) {
        bad[i] = good;
    }
    bad[0].stream = NULL;
    bad[1].hooks.mesh = NULL;
    bad[2].generator.generate = NULL;
    bad[3].view.levels = 0;
    bad[4].view.levels = 5; // one beyond the generator's
    bad[5].view.levels = TRN_FAR_LEVEL_MAX + 1;
    bad[5].generator.level_max = TRN_GENERATOR_LEVEL_MAX;
    bad[6].view.radius_chunks = TRN_STREAM_RADIUS_MAX + 1;
    bad[7].view.height_chunks = UINT32_MAX;
    bad[8].budget.share = 2;
    bad[9].hysteresis_chunks = 65;
    for (size_t i = 0; i < 10; i++) {
        assert_int_equal(trn_far_create(&bad[i], &game->far_view), TRN_RESULT_BAD_ARGUMENT);
        assert_null(game->far_view);
    }
    assert_int_equal(trn_far_create(NULL, &game->far_view), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_far_create(&good, NULL), TRN_RESULT_BAD_ARGUMENT);
    game_open_far(game);
    assert_int_equal(trn_far_set_view(game->far_view, &bad[4].view), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_far_update(NULL, NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_far_update(game->far_view, &(TrnStreamBudget){.share = -1}, NULL),
                     TRN_RESULT_BAD_ARGUMENT);
    assert_false(trn_far_is_drawn(game->far_view, 99, (TrnCoord){0, 0, 0}));
    assert_null(trn_far_store(game->far_view, 99));
    trn_far_remesh(NULL);
    trn_far_destroy(NULL);
    game_destroy(game);
}

static void views_end_at_a_distance(void **state)
{
    (void)state;
    const struct {
        uint32_t distance, radius, levels, last, of_levels;
    } views[] = {{128, 16, 4, 8, 10}, {512, 16, 6, 8, 10},  {20, 16, 1, 10, 10},
                 {100, 16, 4, 7, 10}, {128, 32, 3, 16, 20}, {1, 16, 1, 1, 10},
                 {0, 0, 1, 1, 1},     {3, 0, 2, 1, 1},      {UINT32_MAX, 16, 8, 10, 10}};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        const TrnFarView view = trn_far_view_to(views[i].distance, views[i].radius);
        assert_int_equal(view.levels, views[i].levels);
        assert_int_equal(view.last_radius_chunks, views[i].last);
        assert_int_equal(view.radius_chunks, views[i].of_levels);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_every_place_once),
        cmocka_unit_test(follows_its_anchor),
        cmocka_unit_test(comes_and_goes),
        cmocka_unit_test(changes_its_view),
        cmocka_unit_test(several_anchors_come_and_go),
        cmocka_unit_test(reaches_the_ends_of_the_world),
        cmocka_unit_test(budgets_drop_rings),
        cmocka_unit_test(saves_its_levels),
        cmocka_unit_test(leaves_updates_to_level_0_that_takes_all_time),
        cmocka_unit_test(refuses_bad_definitions),
        cmocka_unit_test(views_end_at_a_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

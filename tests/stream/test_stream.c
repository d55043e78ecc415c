// The interface of a stream: random games, readiness, explanations, times and absurd input. One
// thread, in exact steps.

#include "game_checks.h"

#include <math.h>

// ---- random games and absurd input --------------------------------------------------------------

/// A game with random actions and faults.
static void live_wildly(Game *game, TestRandom *random, TrnStreamAnchor anchors[3],
                        TrnStreamAnchorId ids[3], uint32_t steps)
{
    for (uint32_t step = 0; step < steps; step++) {
        const uint32_t a = (uint32_t)test_random_range(random, 0, 2);
        TrnStreamAnchor *anchor = &anchors[a];
        const TrnCoord at = {anchor->position.chunk.x + (int32_t)test_random_range(random, -5, 5),
                             anchor->position.chunk.y + (int32_t)test_random_range(random, -2, 2),
                             anchor->position.chunk.z + (int32_t)test_random_range(random, -5, 5)};
        switch (test_random_range(random, 0, 11)) {
        case 0:
            (void)trn_store_insert_uniform(game->store, at, (TrnBlock)(step % 4), NULL);
            break;
        case 1:
            (void)trn_store_remove(game->store, at);
            break;
        case 2:
            anchor->position.chunk.x += (int32_t)test_random_range(random, -9, 9);
            break;
        case 3:
            anchor->radius_chunks = (uint32_t)test_random_range(random, 0, 6);
            anchor->height_chunks = (uint32_t)test_random_range(random, 0, 3);
            break;
        case 4:
            game->upload_result = step % 3 ? TRN_RESULT_OK : TRN_RESULT_FULL;
            game->mesh_result = step % 5 ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
            game->save_result = step % 4 ? TRN_RESULT_OK : TRN_RESULT_CORRUPT;
            atomic_store(&game->fail_every, step % 7 ? 0 : 2);
            break;
        case 5:
            game->is_starved = step % 3 == 0;
            break;
        case 6:
            trn_stream_set_scratch(game->stream, step % 2 ? 0 : (size_t)2 << 20);
            break;
        case 7:
            if (trn_stream_anchor_remove(game->stream, ids[a]) == TRN_RESULT_OK) {
                ids[a] = (TrnStreamAnchorId){0, 0};
            }
            break;
        case 8: {
            TrnBatch *batch;
            if (trn_batch_begin(game->store, NULL, &batch) == TRN_RESULT_OK) {
                trn_batch_fill_sphere(batch, trn_coord_voxel(at), 20, (TrnBlock)(step % 5));
                (void)trn_batch_commit(batch, NULL);
            }
            break;
        }
        case 9:
            trn_stream_remesh(game->stream);
            break;
        default:
            anchor->position.chunk.x += (int32_t)test_random_range(random, -1, 1);
            anchor->position.chunk.z += (int32_t)test_random_range(random, -1, 1);
            anchor->view[0] = (double)test_random_range(random, -1, 1);
        }
        if (trn_stream_anchor_set(game->stream, ids[a], anchor) == TRN_RESULT_STALE_ID) {
            (void)trn_stream_anchor_add(game->stream, anchor, &ids[a]);
        }
        game_update(game);
    }
}

static void random_games_end_in_the_right_view(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(2026);
    for (uint32_t round = 0; round < test_rounds(24, 8); round++) {
        Game game;
        TrnStreamDef def = game_def(&game);
        game.is_solid = round % 5 == 3;
        def.hysteresis_chunks = round % 4;
        def.budget.units = (uint32_t)test_random_range(&random, 1, 200);
        def.bytes_max = round % 3 == 2 ? (size_t)test_random_range(&random, 5, 24) << 20 : 0;
        def.queue_bytes = 512 << 10;
        def.hooks.save = round % 2 ? game_save : NULL;
        def.hooks.load = round % 2 ? game_load : NULL;
        game_create(&game, &def);
        TrnStreamAnchor anchors[3];
        TrnStreamAnchorId ids[3] = {{0, 0}};
        for (int32_t a = 0; a < 3; a++) {
            anchors[a] = game_anchor((TrnCoord){a * 8, 0, 0}, 4, 2);
        }
        live_wildly(&game, &random, anchors, ids, 300);
        game.is_starved = false;
        game.save_result = TRN_RESULT_OK;
        game.upload_result = game.mesh_result = TRN_RESULT_OK;
        atomic_store(&game.fail_every, 0);
        trn_stream_set_scratch(game.stream, 0);
        for (uint32_t i = 0; i < 6000; i++) {
            game_update(&game);
        }
        game_settle(&game);
        const TrnStreamStats stats = trn_stream_stats(game.stream);
        assert_int_equal(stats.dissolving, 0);
        assert_int_equal(stats.wanted, stats.loaded);
        for (uint32_t a = 0; a < 3; a++) {
            TrnStreamView view = {0};
            if (trn_stream_view(game.stream, ids[a], &view) == TRN_RESULT_OK && !view.is_shrunk) {
                assert_int_equal(view.rings, view.rings_wanted);
                check_view(&game, &anchors[a]);
            }
            if (!def.bytes_max) {
                assert_false(view.is_shrunk);
            }
            (void)trn_stream_anchor_remove(game.stream, ids[a]);
        }
        game_settle(&game);
        assert_int_equal(trn_stream_stats(game.stream).wanted, 0);
        assert_int_equal(trn_stream_stats(game.stream).loaded, 0);
        game_end(&game);
    }
}

/// The game's land as a generator.
static TrnResult generate_land(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                               bool *uniform)
{
    const Game *game = user;
    assert_int_equal(level, 0);
    game_blocks(game, coord, blocks, uniform);
    return TRN_RESULT_OK;
}

static void a_generator_equals_a_hook(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (uint32_t which = 0; which < 2; which++) {
        Game game;
        TrnStreamDef def = game_def(&game);
        if (which) {
            def.hooks.generate = NULL;
            def.generator = (TrnGenerator){.generate = generate_land, .user = &game};
        }
        game_create(&game, &def);
        game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 3, 1));
        game_settle(&game);
        hashes[which] = game_hash(&game);
        game_end(&game);
    }
    assert_true(hashes[0] == hashes[1]);
}

static void absurd_input_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    TrnStreamDef bad = def;
    bad.store = NULL;
    assert_int_equal(trn_stream_create(&bad, &game.stream), TRN_RESULT_BAD_ARGUMENT);
    bad = def;
    bad.hooks.generate = NULL;
    assert_int_equal(trn_stream_create(&bad, &game.stream), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_stream_create(NULL, &game.stream), TRN_RESULT_BAD_ARGUMENT);
    bad = def;
    bad.budget.ms = NAN;
    assert_int_equal(trn_stream_create(&bad, &game.stream), TRN_RESULT_BAD_ARGUMENT);
    bad = def;
    bad.bytes_max = 100000;
    assert_int_equal(game_try_create(&game, &bad), TRN_RESULT_FULL);
    game_create(&game, &def);

    TrnStreamAnchorId id = {0, 0}, none = {0, 0};
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 2, 1);
    assert_int_equal(trn_stream_anchor_set(game.stream, none, &anchor), TRN_RESULT_STALE_ID);
    assert_int_equal(trn_stream_anchor_remove(game.stream, none), TRN_RESULT_STALE_ID);
    TrnStreamAnchor wrong = anchor;
    wrong.velocity[1] = NAN;
    assert_int_equal(trn_stream_anchor_add(game.stream, &wrong, &id), TRN_RESULT_BAD_ARGUMENT);
    wrong = anchor;
    wrong.view[2] = INFINITY;
    assert_int_equal(trn_stream_anchor_add(game.stream, &wrong, &id), TRN_RESULT_BAD_ARGUMENT);
    wrong = anchor;
    wrong.position.offset[0] = 32;
    assert_int_equal(trn_stream_anchor_add(game.stream, &wrong, &id), TRN_RESULT_BAD_ARGUMENT);
    wrong = anchor;
    wrong.radius_chunks = TRN_STREAM_RADIUS_MAX + 1;
    assert_int_equal(trn_stream_anchor_add(game.stream, &wrong, &id), TRN_RESULT_BAD_ARGUMENT);
    id = game_add(&game, anchor);
    wrong.radius_chunks = UINT32_MAX;
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &wrong), TRN_RESULT_BAD_ARGUMENT);
    anchor.velocity[0] = 1e300; // absurd, but finite
    anchor.velocity[2] = -1e300;
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &anchor), TRN_RESULT_OK);
    game_settle(&game);
    const TrnStreamBudget budget = {.ms = NAN};
    assert_int_equal(trn_stream_update(game.stream, &budget, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_stream_anchor_remove(game.stream, id), TRN_RESULT_OK);
    assert_int_equal(trn_stream_anchor_remove(game.stream, id), TRN_RESULT_STALE_ID);
    const TrnStreamAnchorId next = game_add(&game, anchor);
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &anchor), TRN_RESULT_STALE_ID);
    assert_int_equal(trn_stream_anchor_set(game.stream, next, &anchor), TRN_RESULT_OK);
    trn_stream_destroy(NULL);
    game_end(&game);
}

static void radius_0_is_a_chunk_and_10000_what_fits(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.bytes_max = (size_t)6 << 20;
    def.queue_bytes = 256 << 10;
    def.budget.units = 256;
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){INT32_MAX, INT32_MIN, INT32_MAX}, 0, 0);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    game_settle(&game);
    TrnStreamStats stats = trn_stream_stats(game.stream);
    assert_int_equal(stats.shown, 1);
    assert_int_equal(stats.loaded, 8); // a corner of the world
    anchor.radius_chunks = 10000;
    anchor.height_chunks = 10000;
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &anchor), TRN_RESULT_OK);
    for (uint32_t i = 0; i < 600; i++) {
        game_update(&game);
        assert_true(trn_stream_bytes(game.stream) <= def.bytes_max);
    }
    TrnStreamView view;
    trn_stream_view(game.stream, id, &view);
    assert_true(view.is_shrunk && view.rings > 3);
    assert_int_equal(view.rings_wanted, 10000);
    game_end(&game);
}

// ---- readiness and explanations ----------------------------------------------------------------

static void readiness_shows_the_progress_after_a_teleport(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.budget.units = 2;
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 6, 3);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    game_settle(&game);
    anchor.position.chunk = (TrnCoord){1000000, 0, -2000000};
    trn_stream_anchor_set(game.stream, id, &anchor);
    const TrnVoxel feet = trn_coord_voxel(anchor.position.chunk);
    const TrnVoxel min = {feet.x - 8, feet.y - 3, feet.z - 8};
    const TrnVoxel max = {feet.x + 8, feet.y + 2, feet.z + 8};
    TrnStreamReadiness ready = trn_stream_readiness(game.stream, min, max);
    assert_int_equal(ready.chunks, 8);
    assert_int_equal(ready.loaded, 0);
    assert_false(ready.is_loaded);
    uint64_t before = 0;
    uint32_t updates = 0;
    for (; !ready.is_loaded; updates++) {
        game_update(&game);
        ready = trn_stream_readiness(game.stream, min, max);
        assert_true(ready.loaded >= before); // never decreases
        before = ready.loaded;
        assert_true(updates < 40); // before the rest of the view
    }
    assert_int_equal(ready.loaded, 8);
    const TrnStreamReadiness empty =
        trn_stream_readiness(game.stream, (TrnVoxel){1, 1, 1}, (TrnVoxel){0, 0, 0});
    assert_false(empty.is_loaded || empty.is_shown || empty.chunks);
    const TrnVoxel all_min = {INT64_MIN, INT64_MIN, INT64_MIN};
    const TrnVoxel all_max = {INT64_MAX, INT64_MAX, INT64_MAX};
    assert_false(trn_stream_readiness(game.stream, all_min, all_max).is_loaded);
    game_settle(&game);
    assert_true(trn_stream_readiness(game.stream, min, max).is_shown);
    assert_null(trn_store_find(game.store, (TrnCoord){0, 0, 0}));
    game_end(&game);
}

static void explain_says_what_a_chunk_waits_for(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.budget.units = 1;
    game_create(&game, &def);
    const TrnCoord here = {0, 0, 0}, edge = {4, 0, 0}, far = {40, 0, 0};
    TrnStreamExplanation why = trn_stream_explain(game.stream, here);
    assert_int_equal(why.state, TRN_STREAM_STATE_UNKNOWN);
    assert_int_equal(why.wait, TRN_STREAM_WAIT_VIEW);
    game_add(&game, game_anchor(here, 4, 1));
    game_update(&game);
    why = trn_stream_explain(game.stream, here);
    assert_int_equal(why.state, TRN_STREAM_STATE_LOADED); // the first of all
    assert_int_equal(why.wait, TRN_STREAM_WAIT_NEIGHBOURS);
    assert_int_equal(why.missing_count, 26);
    why = trn_stream_explain(game.stream, edge);
    assert_int_equal(why.state, TRN_STREAM_STATE_QUEUED);
    assert_int_equal(why.wait, TRN_STREAM_WAIT_QUEUE);
    assert_true(why.queue_position > 20);
    assert_true(why.is_wanted && !why.is_loaded);
    assert_non_null(strstr(why.sentence, "Chunk 4, 0, 0 waits"));
    // The queue position falls with every update.
    const uint32_t place = trn_stream_explain(game.stream, edge).queue_position;
    game_update(&game);
    assert_true(trn_stream_explain(game.stream, edge).queue_position < place);
    game_settle(&game);
    why = trn_stream_explain(game.stream, here);
    assert_int_equal(why.state, TRN_STREAM_STATE_SHOWN);
    assert_int_equal(why.wait, TRN_STREAM_WAIT_NOTHING);
    assert_true(why.is_loaded && why.is_shown && why.mesh_bytes > 0);
    why = trn_stream_explain(game.stream, (TrnCoord){5, 0, 0}); // a neighbour of what is shown
    assert_int_equal(why.state, TRN_STREAM_STATE_LOADED);
    assert_int_equal(why.wait, TRN_STREAM_WAIT_VIEW);
    assert_int_equal(trn_store_insert_uniform(game.store, far, TRN_BLOCK_AIR, NULL), TRN_RESULT_OK);
    why = trn_stream_explain(game.stream, far);
    assert_true(why.is_loaded && !why.is_wanted);
    assert_true(why.distance_chunks == 40);
    game_end(&game);
}

static void times_are_counted_to_seven_percent(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 4, 1));
    game_settle(&game);
    TrnStreamStats stats = trn_stream_stats(game.stream);
    const TrnStreamTimes *made = &stats.times[TRN_STREAM_STAGE_GENERATE];
    assert_int_equal(made->count, stats.generated);
    assert_true(made->p50 > 0 && made->p50 <= made->p99 && made->p99 <= made->p999 &&
                made->p999 <= made->max);
    assert_int_equal(stats.times[TRN_STREAM_STAGE_WANTED_TO_SHOWN].count, stats.shown);
    trn_stream_reset_times(game.stream);
    stats = trn_stream_stats(game.stream);
    assert_int_equal(stats.times[TRN_STREAM_STAGE_GENERATE].count, 0);
    game_end(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_games_end_in_the_right_view),
        cmocka_unit_test(a_generator_equals_a_hook),
        cmocka_unit_test(absurd_input_is_refused_and_changes_nothing),
        cmocka_unit_test(radius_0_is_a_chunk_and_10000_what_fits),
        cmocka_unit_test(readiness_shows_the_progress_after_a_teleport),
        cmocka_unit_test(explain_says_what_a_chunk_waits_for),
        cmocka_unit_test(times_are_counted_to_seven_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// What a view wants, computed by brute force, and in which order it arrives. One thread, in
// exact steps.

#include "game_checks.h"

#include <math.h>

#include "stream/stream_impl.h"

// ---- the wanted set ----------------------------------------------------------------------------

static bool model_wants(const TrnStreamAnchor *anchor, TrnCoord coord)
{
    for (uint32_t place = 0; place < 27; place++) {
        const int64_t at[3] = {(int64_t)coord.x + place % 3 - 1, (int64_t)coord.y + place / 9 - 1,
                               (int64_t)coord.z + place / 3 % 3 - 1};
        bool is_in_world = true;
        for (int axis = 0; axis < 3; axis++) {
            is_in_world &= at[axis] >= INT32_MIN && at[axis] <= INT32_MAX;
        }
        // Nothing is shown beyond the ends of the world, but the nearest chunk may be computed
        // there.
        const TrnCoord near = {(int32_t)at[0], (int32_t)at[1], (int32_t)at[2]};
        if (is_in_world && model_shows(anchor, near)) {
            return true;
        }
    }
    return false;
}

/// Compares planes and answers with the anchors, in a box around each.
static void check_wanted(const Game *game, const TrnStreamAnchor *anchors, uint32_t count)
{
    const TrnChunkIndex *index = trn_stream_index(game->stream);
    const TrnPlane wanted = trn_chunk_index_plane(index, "wanted");
    const TrnPlane show = trn_chunk_index_plane(index, "show");
    for (uint32_t a = 0; a < count; a++) {
        const TrnBox box = trn_box_around(
            anchors[a].position.chunk, (int32_t)anchors[a].radius_chunks + 4,
            (int32_t)anchors[a].height_chunks + 4, (int32_t)anchors[a].radius_chunks + 4);
        for (int64_t y = box.min.y; y <= box.max.y; y++) {
            for (int64_t z = box.min.z; z <= box.max.z; z++) {
                for (int64_t x = box.min.x; x <= box.max.x; x++) {
                    const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                    bool is_wanted = false, is_shown = false;
                    for (uint32_t i = 0; i < count; i++) {
                        is_wanted |= model_wants(&anchors[i], coord);
                        is_shown |= model_shows(&anchors[i], coord);
                    }
                    const bool is_kept =
                        trn_stream_views_have(&game->stream->views, coord, TRN_STREAM_SHAPE_KEEP);
                    assert_int_equal(
                        trn_stream_views_have(&game->stream->views, coord, TRN_STREAM_SHAPE_LOAD),
                        is_wanted);
                    assert_true(is_kept || !is_wanted);
                    const bool has = trn_chunk_index_plane_test(index, wanted, coord);
                    assert_true(has || !is_wanted);
                    assert_true(!has || is_kept);
                    assert_true(trn_chunk_index_plane_test(index, show, coord) || !is_shown);
                }
            }
        }
    }
}

static void wanted_chunks_match_brute_force_on_random_walks(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(9);
    for (uint32_t round = 0; round < 6; round++) {
        Game game;
        TrnStreamDef def = game_def(&game);
        def.hysteresis_chunks = round % 3;
        game_create(&game, &def);
        TrnStreamAnchor anchors[3];
        TrnStreamAnchorId ids[3];
        const int32_t far = round == 4 ? INT32_MAX - 2 : round == 5 ? INT32_MIN + 1 : 0;
        for (uint32_t a = 0; a < 3; a++) {
            const TrnCoord at = {far + (round < 4 ? (int32_t)test_random_range(&random, -9, 9) : 0),
                                 0, far / 2};
            anchors[a] = game_anchor(at, (uint32_t)test_random_range(&random, 0, 5),
                                     (uint32_t)test_random_range(&random, 0, 3));
            ids[a] = game_add(&game, anchors[a]);
        }
        for (uint32_t step = 0; step < 12; step++) {
            for (uint32_t a = 0; a < 3; a++) {
                TrnCoord *chunk = &anchors[a].position.chunk;
                const int32_t by = step % 5 == 4 ? 6 : 2;
                chunk->x = trn_box_around(*chunk, by, 0, 0).min.x;
                chunk->x +=
                    (int32_t)test_random_range(&random, 0, chunk->x > INT32_MAX - 12 ? 2 : by);
                chunk->y += (int32_t)test_random_range(&random, -1, 1);
                chunk->z += (int32_t)test_random_range(&random, -1, 1);
                assert_int_equal(trn_stream_anchor_set(game.stream, ids[a], &anchors[a]),
                                 TRN_RESULT_OK);
            }
            game_settle(&game);
            check_wanted(&game, anchors, 3);
        }
        for (uint32_t a = 0; a < 3; a++) {
            assert_int_equal(trn_stream_anchor_remove(game.stream, ids[a]), TRN_RESULT_OK);
        }
        game_settle(&game);
        const TrnStreamStats stats = trn_stream_stats(game.stream);
        assert_int_equal(stats.wanted, 0);
        assert_int_equal(stats.loaded, 0);
        assert_int_equal(trn_store_stats(game.store).chunks, 0);
        game_end(&game);
    }
}

static void queues_are_counted_by_lane_and_kind(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.budget.units = 64;
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 8, 4));
    uint32_t to_make = 0, to_mesh = 0;
    for (int updates = 0; updates < 20; updates++) {
        assert_int_equal(trn_stream_update(game.stream, NULL, NULL), TRN_RESULT_OK);
        const TrnStreamStats stats = trn_stream_stats(game.stream);
        uint32_t lanes = 0;
        for (int lane = 0; lane < TRN_STREAM_LANE_COUNT; lane++) {
            lanes += stats.queued_lanes[lane];
        }
        assert_int_equal(lanes, stats.queued);
        assert_int_equal(stats.queued_to_generate + stats.queued_to_mesh, stats.queued);
        to_make += stats.queued_to_generate;
        to_mesh += stats.queued_to_mesh;
    }
    assert_true(to_make > 0 && to_mesh > 0);
    game_settle(&game);
    assert_int_equal(trn_stream_stats(game.stream).queued_to_generate, 0);
    game_end(&game);
}

static void a_radius_of_sixteen_is_4181_chunks(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.budget.units = 1024;
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 16, 4));
    game_settle(&game);
    const TrnStreamStats stats = trn_stream_stats(game.stream);
    assert_int_equal(stats.shown, 4181);
    assert_int_equal(stats.wanted, stats.loaded);
    assert_int_equal(stats.loaded, trn_store_stats(game.store).chunks);
    assert_int_equal(stats.inserted, stats.generated);
    game_end(&game);
}

static void moving_by_a_chunk_costs_the_shell(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.budget.units = 1024;
    def.hooks.mesh = NULL; // chunks without meshes
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 16, 4);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    game_settle(&game);
    for (int32_t x = 1; x <= 8; x++) {
        const uint64_t before = trn_stream_stats(game.stream).cells_visited;
        anchor.position.chunk.x = x;
        trn_stream_anchor_set(game.stream, id, &anchor);
        const TrnStreamReport report = game_update(&game);
        game_settle(&game);
        const uint64_t cells = trn_stream_stats(game.stream).cells_visited - before;
        assert_true(cells > 0);
        assert_true(cells < 900); // two shells of some 350; the ball has 6,855
        assert_true(report.wanted < 450);
    }
    game_end(&game);
}

static void a_moved_view_unwants_with_the_next_update(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.budget.units = 1024;
    def.hysteresis_chunks = 0;
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 8, 2);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    game_settle(&game);
    const uint32_t wanted = trn_stream_stats(game.stream).wanted;
    for (int32_t x = 1; x <= 6; x++) {
        anchor.position.chunk.x = x;
        trn_stream_anchor_set(game.stream, id, &anchor);
        const TrnStreamReport first = game_update(&game);
        assert_true(first.wanted > 0);
        assert_true(x % 2 == 0 || first.unwanted == 0); // every second time another step follows
        assert_false(first.is_idle);
        if (x % 2 == 0) {
            assert_int_equal(first.unwanted, first.wanted); // of the previous step
            const TrnStreamReport second = game_update(&game);
            assert_int_equal(second.unwanted, first.wanted);
            assert_int_equal(second.wanted, 0);
            assert_int_equal(trn_stream_stats(game.stream).wanted, wanted);
        }
    }
    anchor.position.chunk.x++;
    trn_stream_anchor_set(game.stream, id, &anchor);
    game_update(&game);
    trn_stream_anchor_remove(game.stream, id); // with a step whose chunks are still wanted
    game_settle(&game);
    assert_int_equal(trn_stream_stats(game.stream).wanted, 0);
    assert_int_equal(trn_store_stats(game.store).chunks, 0);
    game_end(&game);
}

static void chunks_unload_farther_out_than_they_load(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.hysteresis_chunks = 2;
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 4, 4);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    game_settle(&game);
    const uint32_t generated = atomic_load(&game.generated);
    for (uint32_t i = 0; i < 20; i++) { // to and fro over a border
        anchor.position.chunk.x = (int32_t)(i & 1);
        trn_stream_anchor_set(game.stream, id, &anchor);
        game_settle(&game);
    }
    const uint32_t shell = atomic_load(&game.generated) - generated;
    assert_true(shell > 0 && shell < 200); // once, not twenty times
    assert_int_equal(game.unloaded, 0);
    anchor.position.chunk.x = 4;
    trn_stream_anchor_set(game.stream, id, &anchor);
    game_settle(&game);
    assert_true(game.unloaded > 0);
    assert_null(trn_store_find(game.store, (TrnCoord){-5, 0, 0}));
    game_end(&game);
}

/// Whether a ball holds an offset. `wide`: or one of its neighbours.
static bool model_ball(int64_t x, int64_t y, int64_t z, int64_t radius, bool wide)
{
    x = llabs(x) - (wide && x);
    y = llabs(y) - (wide && y);
    z = llabs(z) - (wide && z);
    return x * x + y * y + z * z <= radius * radius;
}

/// Checks each plane by brute force after a view of 6 by 6 chunks around the origin was made one of
/// 3 by 3, `moved` chunks along x. A mesh lasts as long as its chunk.
/// @param more  the hysteresis
/// @param has_just_shrunk  it has not moved since it was made smaller
static void check_smaller_view(const Game *game, int64_t moved, int64_t more, bool has_just_shrunk)
{
    const TrnChunkIndex *index = trn_stream_index(game->stream);
    const TrnPlane wanted = trn_chunk_index_plane(index, "wanted");
    const TrnPlane show = trn_chunk_index_plane(index, "show");
    const TrnPlane shown = trn_chunk_index_plane(index, "shown");
    uint32_t wants = 0, shows = 0, meshes = 0;
    for (int64_t y = -9; y <= 9; y++) {
        for (int64_t z = -9; z <= 9; z++) {
            for (int64_t x = -9; x <= 9; x++) {
                const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                const bool was_kept = has_just_shrunk || model_ball(x, y, z, 3 + more, true);
                const bool was_shown = has_just_shrunk || model_ball(x, y, z, 3 + more, false);
                const int64_t to = x - moved;
                const bool is_wanted = model_ball(to, y, z, 3, true) ||
                                       (was_kept && model_ball(to, y, z, 3 + more, true));
                const bool is_to_show = model_ball(to, y, z, 3, false) ||
                                        (was_shown && model_ball(to, y, z, 3 + more, false));
                const bool has_mesh =
                    is_to_show || (is_wanted && was_kept && model_ball(x, y, z, 6, false));
                assert_int_equal(trn_chunk_index_plane_test(index, wanted, coord), is_wanted);
                assert_int_equal(trn_chunk_index_plane_test(index, show, coord), is_to_show);
                assert_int_equal(trn_chunk_index_plane_test(index, shown, coord), has_mesh);
                wants += is_wanted;
                shows += is_to_show;
                meshes += has_mesh;
            }
        }
    }
    const TrnStreamStats stats = trn_stream_stats(game->stream); // no cells elsewhere
    print_message("  %u wanted, %u to be shown, %u with a mesh\n", wants, shows, meshes);
    assert_int_equal(stats.wanted, wants);
    assert_int_equal(stats.shown, meshes);
    assert_int_equal(trn_chunk_index_stats(index).plane_counts[show], shows);
}

static void a_view_made_smaller_keeps_its_hysteresis_and_no_more(void **state)
{
    (void)state;
    for (uint32_t hysteresis = 0; hysteresis <= 2; hysteresis++) {
        Game game;
        TrnStreamDef def = game_def(&game);
        def.mesh_air = true;
        def.hysteresis_chunks = hysteresis;
        game_create(&game, &def);
        TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 6, 6);
        const TrnStreamAnchorId id = game_add(&game, anchor);
        game_settle(&game);
        assert_int_equal(trn_stream_stats(game.stream).shown, 925);
        anchor.radius_chunks = anchor.height_chunks = 3;
        assert_int_equal(trn_stream_anchor_set(game.stream, id, &anchor), TRN_RESULT_OK);
        game_settle(&game);
        check_smaller_view(&game, 0, hysteresis, true);
        anchor.position.chunk.x = 1;
        assert_int_equal(trn_stream_anchor_set(game.stream, id, &anchor), TRN_RESULT_OK);
        game_settle(&game);
        check_smaller_view(&game, 1, hysteresis, false);
        game_end(&game);
    }
}

// ---- order -------------------------------------------------------------------------------------

static double distance_to(TrnCoord coord)
{
    const double x = coord.x, y = coord.y, z = coord.z;
    return sqrt(x * x + y * y + z * z);
}

static void near_chunks_come_first(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.hooks.mesh = NULL;
    def.budget.units = 1;
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 6, 6));
    game_settle(&game);
    assert_true(game.order_count > 1000);
    // Growing queues the inner rings first; from there on buckets are less than a chunk wide.
    double farthest = 0;
    for (uint32_t i = 0; i < game.order_count; i++) {
        const double distance = distance_to(game.order[i]);
        assert_true(distance > farthest - 1.5);
        farthest = distance > farthest ? distance : farthest;
    }
    game_end(&game);
}

static double order_distance(TrnCoord chunk)
{
    return sqrt((double)chunk.x * chunk.x + (double)chunk.y * chunk.y + (double)chunk.z * chunk.z);
}

/// Generates chunks of a view until it has enough, looking along x.
static void check_order(Game *game, uint32_t from, uint32_t to, double view)
{
    double nearest_left = INFINITY, sum = 0;
    for (uint32_t i = to; i-- > from;) { // nothing came long before something much nearer
        const double distance = order_distance(game->order[i]);
        assert_true(distance <= nearest_left + 1.5);
        nearest_left = fmin(nearest_left, distance);
        sum += game->order[i].x * view;
    }
    // Of those at one distance, what is in view came first: so far more of it was generated.
    assert_true(sum > 0);
}

static void the_nearest_chunks_come_first_and_among_them_those_in_view(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.hooks.mesh = NULL;
    def.budget.units = 4;
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 12, 3);
    anchor.view[0] = 1e200; // any length
    const TrnStreamAnchorId id = game_add(&game, anchor);
    for (uint32_t i = 0; i < 150; i++) {
        game_update(&game);
    }
    check_order(&game, 0, game.order_count, 1);
    anchor.view[0] = -1e-200;
    trn_stream_anchor_set(game.stream, id, &anchor);
    const uint32_t turned = game.order_count;
    for (uint32_t i = 0; i < 60; i++) {
        game_update(&game);
    }
    check_order(&game, turned + 80, game.order_count, -1); // some updates to turn
    game_end(&game);
}

// ---- order of several anchors -------------------------------------------------------------------

static void a_second_anchor_sorts_what_is_queued(void **state)
{
    (void)state;
    for (int32_t x = 0; x < 2; x++) {
        Game game;
        TrnStreamDef def = game_def(&game);
        def.budget.units = 4;
        def.hooks.mesh = NULL;
        game_create(&game, &def);
        game_add(&game, game_anchor((TrnCoord){10, 0, 10 * x}, 12, 2));
        for (int i = 0; i < 10; i++) {
            game_update(&game);
        }
        const TrnCoord at = {0, 0, 10 * x}; // queued, ten chunks from the first anchor
        const uint32_t before = trn_stream_explain(game.stream, at).queue_position;
        game_add(&game, game_anchor(at, 2, 1));
        for (int i = 0; i < 10; i++) {
            game_update(&game);
        }
        const TrnStreamExplanation why = trn_stream_explain(game.stream, at);
        print_message("  at %d, 0, %d: %u before; now %s\n", (int)at.x, (int)at.z, (unsigned)before,
                      why.sentence);
        assert_true(why.is_loaded);
        game_end(&game);
    }
}

static void removing_an_anchor_sorts_what_is_queued(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.budget.units = 4;
    def.hooks.mesh = NULL;
    game_create(&game, &def);
    const TrnStreamAnchorId first = game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 12, 2));
    for (int i = 0; i < 10; i++) {
        game_update(&game);
    }
    game_add(&game, game_anchor((TrnCoord){9, 0, 0}, 12, 2)); // sorts all
    for (int i = 0; i < 20; i++) {
        game_update(&game);
    }
    trn_stream_anchor_remove(game.stream, first);
    for (int i = 0; i < 20; i++) {
        game_update(&game);
    }
    const TrnStreamExplanation old = trn_stream_explain(game.stream, (TrnCoord){-1, 0, 4});
    const TrnStreamExplanation near = trn_stream_explain(game.stream, (TrnCoord){9, 0, 6});
    print_message("  %s\n  %s\n", old.sentence, near.sentence);
    assert_true(near.queue_position < old.queue_position); // 6 against 11 chunks away
    game_end(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wanted_chunks_match_brute_force_on_random_walks),
        cmocka_unit_test(queues_are_counted_by_lane_and_kind),
        cmocka_unit_test(a_radius_of_sixteen_is_4181_chunks),
        cmocka_unit_test(moving_by_a_chunk_costs_the_shell),
        cmocka_unit_test(a_moved_view_unwants_with_the_next_update),
        cmocka_unit_test(chunks_unload_farther_out_than_they_load),
        cmocka_unit_test(a_view_made_smaller_keeps_its_hysteresis_and_no_more),
        cmocka_unit_test(near_chunks_come_first),
        cmocka_unit_test(the_nearest_chunks_come_first_and_among_them_those_in_view),
        cmocka_unit_test(a_second_anchor_sorts_what_is_queued),
        cmocka_unit_test(removing_an_anchor_sorts_what_is_queued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

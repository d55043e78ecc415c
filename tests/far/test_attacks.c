// Far views under everything at once: teleports in every update and to the ends of the world, games
// that edit, insert and remove chunks of any level, budgets that hold no ring, ends at any moment.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "far_game.h"
#include "rest.h"
#include "stream/stream_level.h"

/// What a storm is made of.
typedef struct Storm {
    uint32_t workers;
    uint32_t steps;
    size_t bytes_max; ///< of level 0 with all levels; 0: none
    bool is_timed;    ///< updates by time, with workers that run between them
    bool has_ends;    ///< teleports to the ends of the world too
} Storm;

static TrnCoord storm_place(const Storm *storm, TestRandom *random)
{
    TrnCoord at = {(int32_t)test_random_range(random, -40, 40),
                   (int32_t)test_random_range(random, -3, 3),
                   (int32_t)test_random_range(random, -40, 40)};
    int32_t *const axes[3] = {&at.x, &at.y, &at.z};
    for (int axis = 0; axis < 3 && storm->has_ends; axis++) {
        const int64_t end = test_random_range(random, 0, 8);
        const int32_t inwards = (int32_t)test_random_range(random, 0, 9);
        *axes[axis] = end == 0 ? INT32_MIN + inwards : end == 1 ? INT32_MAX - inwards : *axes[axis];
    }
    return at;
}

/// A chunk of a level near the anchor.
static TrnCoord storm_near(const Game *game, uint32_t level, TestRandom *random)
{
    const TrnCoord at = game->anchor.position.chunk;
    const int64_t first = INT32_MIN >> level, last = INT32_MAX >> level;
    int64_t near[3] = {at.x >> level, at.y >> level, at.z >> level};
    for (int axis = 0; axis < 3; axis++) {
        near[axis] += test_random_range(random, -4, 4);
        near[axis] = near[axis] < first ? first : near[axis] > last ? last : near[axis];
    }
    return (TrnCoord){(int32_t)near[0], (int32_t)near[1], (int32_t)near[2]};
}

/// The game changes the store of a level.
static void storm_change(const Game *game, TestRandom *random)
{
    const uint32_t levels = trn_far_view(game->far_view).levels;
    const uint32_t level = (uint32_t)test_random_range(random, 0, levels);
    TrnStore *store = trn_far_store(game->far_view, level);
    const TrnCoord at = storm_near(game, level, random);
    const TrnVoxel voxel = trn_coord_voxel(at);
    TrnBatch *batch;
    switch (test_random_range(random, 0, 3)) {
    case 0:
        (void)trn_store_remove(store, at);
        break;
    case 1:
        (void)trn_store_insert_uniform(store, at, (TrnBlock)test_random_range(random, 0, 2), NULL);
        break;
    default: // may be refused where bytes are short
        if (trn_batch_begin(store, NULL, &batch) == TRN_RESULT_OK) {
            trn_batch_fill_box(batch, voxel, (TrnVoxel){voxel.x + 33, voxel.y + 2, voxel.z + 2},
                               (TrnBlock)test_random_range(random, 0, 2));
            (void)trn_batch_commit(batch, NULL);
        }
        break;
    }
}

static void storm_set_view(const Game *game, TestRandom *random)
{
    const TrnFarView view = {.levels = (uint32_t)test_random_range(random, 1, 4),
                             .radius_chunks = (uint32_t)test_random_range(random, 0, 4),
                             .last_radius_chunks = (uint32_t)test_random_range(random, 0, 3),
                             .height_chunks = (uint32_t)test_random_range(random, 0, 2)};
    const TrnResult result = trn_far_set_view(game->far_view, &view);
    assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY ||
                result == TRN_RESULT_FULL);
}

static void storm_act(Game *game, const Storm *storm, TestRandom *random)
{
    switch (test_random_range(random, 0, 11)) {
    case 0:
        storm_set_view(game, random);
        break;
    case 1:
        trn_far_remesh(game->far_view);
        trn_stream_remesh(game->stream);
        break;
    case 2:
        atomic_store(&game->fail_every, (uint32_t)test_random_range(random, 0, 9));
        break;
    case 3:
        trn_stream_set_scratch(game->stream, (size_t)test_random_range(random, 0, 1 << 18));
        break;
    case 4:
        if (storm->bytes_max) { // shrinks and grows
            trn_stream_set_bytes_max(game->stream,
                                     storm->bytes_max / (1u + test_random_next(random) % 3));
        }
        break;
    case 5:
        trn_stream_wait(game->stream);
        break;
    case 6:
    case 7:
        game->anchor.position.chunk = storm_place(storm, random);
        break;
    default:
        storm_change(game, random);
        break;
    }
}

static void storm_update(Game *game, const Storm *storm)
{
    if (!storm->is_timed) {
        (void)game_update(game, 10);
        return;
    }
    const TrnStreamBudget budget = {.ms = 0.2};
    (void)trn_stream_anchor_set(game->stream, game->id, &game->anchor);
    (void)trn_stream_update(game->stream, &budget, NULL);
    (void)trn_far_update(game->far_view, &budget, NULL);
}

/// Edits, and has whatever becomes due by them fail, as late as a storm can have it.
static void storm_fail_last(Game *game, const Storm *storm, TestRandom *random)
{
    for (uint32_t i = 0; i < 30; i++) {
        storm_change(game, random);
    }
    atomic_store(&game->fail_every, 1);
    if (storm->is_timed) {
        test_rest_us(250000); // chunks are folded 0.2 s after an edit, by the system's clock
    }
    for (uint32_t i = 0; i < 100; i++) {
        storm_update(game, storm);
    }
}

static void storm_run(const Storm *storm, uint64_t seed)
{
    TestRandom random = {seed};
    Game *game = game_create(storm->workers, (TrnCoord){0, 0, 0});
    TrnFarDef def = game_far_def(game);
    def.bytes_max = storm->bytes_max / 2;
    if (storm->is_timed) {
        def.clock_us = NULL;
    }
    trn_stream_set_bytes_max(game->stream, storm->bytes_max);
    assert_int_equal(trn_far_create(&def, &game->far_view), TRN_RESULT_OK);
    for (uint32_t step = 0; step < storm->steps; step++) {
        storm_act(game, storm, &random);
        storm_update(game, storm);
        if (step % 4 == 0 || step + 8 > storm->steps) {
            game_check(game);
        }
    }
    storm_fail_last(game, storm, &random);
    atomic_store(&game->fail_every, 0);
    trn_stream_set_scratch(game->stream, 0);
    trn_stream_set_bytes_max(game->stream, storm->bytes_max);
    // What failed last is tried again a quarter of a second later, by the system's clock.
    for (uint32_t i = 0; storm->is_timed && i < 400; i++) {
        storm_update(game, storm);
        test_rest_us(1000);
    }
    if (!storm->bytes_max) { // otherwise memory may hold less than a ring of a level
        game_settle(game);
        game_check_rest(game);
    }
    game_destroy(game);
}

static void storms_leave_every_place_drawn_once(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(40);
    test_skip_without_threads();
    const Storm storms[] = {
        {.steps = 200},
        {.steps = 200, .has_ends = true},
        {.steps = 200, .bytes_max = (size_t)12 << 20},
        {.steps = 150, .bytes_max = (size_t)9 << 20, .has_ends = true},
    };
    for (size_t i = 0; i < sizeof storms / sizeof *storms; i++) {
        Storm storm = storms[i];
        storm.steps = test_rounds(storm.steps, storm.steps / 4);
        storm_run(&storm, test_random_next(&random));
    }
}

static void storms_with_workers_leave_every_place_drawn_once(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(41);
    const Storm storms[] = {
        {.workers = 2, .steps = 150, .is_timed = true},
        {.workers = 3, .steps = 150, .is_timed = true, .has_ends = true},
        {.workers = 2, .steps = 100, .bytes_max = (size_t)12 << 20, .is_timed = true},
    };
    for (size_t i = 0; i < sizeof storms / sizeof *storms; i++) {
        Storm storm = storms[i];
        storm.steps = test_rounds(storm.steps, storm.steps / 4);
        storm_run(&storm, test_random_next(&random));
    }
}

/// A far view ends while workers run hooks of all levels.
static void a_far_view_may_end_at_any_moment(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(42);
    Game *game = game_create(2, (TrnCoord){0, 0, 0});
    const Storm storm = {.workers = 2, .is_timed = true, .has_ends = true};
    for (uint32_t round = 0; round < test_rounds(40, 10); round++) {
        game_open_far(game);
        const uint32_t steps = (uint32_t)test_random_range(&random, 0, 9);
        for (uint32_t step = 0; step < steps; step++) {
            storm_act(game, &storm, &random);
            storm_update(game, &storm);
        }
        game_check(game);
        game_close_far(game);
        assert_int_equal(trn_stream_stats(game->stream).far_bytes, 0);
    }
    atomic_store(&game->fail_every, 0);
    game_open_far(game);
    game_settle(game);
    game_check_rest(game);
    game_destroy(game);
}

// ---- teleports ---------------------------------------------------------------------------------

/// What views have left dissolves as fast as they leave it.
static void teleports_in_every_update_pile_up_nothing(void **state)
{
    (void)state;
    test_skip_without_threads();
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    game_open_far(game);
    game_settle(game);
    uint32_t whole[3];
    for (uint32_t level = 0; level <= 2; level++) {
        whole[level] = trn_stream_stats(far_stream_of(game, level)).wanted;
    }
    TestRandom random = test_random_seeded(43);
    for (uint32_t step = 0; step < 200; step++) {
        game->anchor.position.chunk = storm_place(&(Storm){.has_ends = step % 2}, &random);
        (void)game_update(game, 20);
        for (uint32_t level = 0; level <= 2; level++) {
            const TrnStreamStats stats = trn_stream_stats(far_stream_of(game, level));
            assert_true(stats.wanted <= 5 * whole[level]);
            assert_true(stats.dissolving <= 8);
        }
        game_check(game);
    }
    game_settle(game);
    game_check_rest(game);
    game_destroy(game);
}

// ---- budgets -----------------------------------------------------------------------------------

/// Budgets from none to all: the levels have fewer rings, at last none, and say so.
static void a_budget_that_holds_no_ring_is_said(void **state)
{
    (void)state;
    test_skip_without_threads();
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    game_open_far(game);
    const size_t empty = trn_far_stats(game->far_view).bytes;
    game_settle(game);
    const size_t whole = trn_far_stats(game->far_view).bytes;
    game_close_far(game);
    TrnFarDef def = game_far_def(game);
    uint32_t before = 0;
    for (size_t part = 0; part <= 8; part++) {
        def.bytes_max = empty + (whole - empty) * part / 4;
        const TrnResult result = trn_far_create(&def, &game->far_view);
        assert_true(result == TRN_RESULT_OK || (result == TRN_RESULT_FULL && part == 0));
        if (result != TRN_RESULT_OK) {
            continue;
        }
        for (uint32_t update = 0; update < 250; update++) {
            (void)game_update(game, 64);
            game_check(game);
        }
        const TrnFarStats stats = trn_far_stats(game->far_view);
        uint32_t rings = 0;
        for (uint32_t level = 1; level <= stats.levels; level++) {
            rings += stats.level[level].rings;
            assert_int_equal(stats.level[level].is_shrunk,
                             stats.level[level].rings < stats.level[level].rings_wanted);
        }
        assert_false(stats.level[0].is_shrunk);
        assert_true(rings >= before);
        before = rings;
        game_close_far(game);
    }
    assert_int_equal(before, 6); // three rings of each of two levels
    game_destroy(game);
}

/// Level 0's budget holds its own chunks, but not with those of its levels: it gives rings up, and
/// gets them back when the far view ends.
static void level_0_gives_way_and_grows_again(void **state)
{
    (void)state;
    test_skip_without_threads();
    Game *game = game_create(0, (TrnCoord){0, 0, 0});
    game->anchor.radius_chunks = 6;
    game_open_far(game);
    game_settle(game);
    const TrnFarStats stats = trn_far_stats(game->far_view);
    const size_t max = trn_stream_bytes(game->stream) - stats.level[0].bytes / 80;
    game_close_far(game);
    trn_stream_set_bytes_max(game->stream, max);
    game_open_far(game);
    for (uint32_t update = 0; update < 300; update++) {
        (void)game_update(game, 64);
        game_check(game);
    }
    assert_true(trn_far_stats(game->far_view).level[0].is_shrunk);
    assert_true(trn_stream_bytes(game->stream) <= max);
    game_close_far(game);
    game_open_far(game); // its levels have no chunks until it is updated, below
    TrnStreamView view = {0};
    const TrnStreamBudget budget = {.units = 64};
    for (uint32_t update = 0; update < 20000 && view.rings < 6; update++) {
        atomic_fetch_add(&game->now_us, 16000);
        (void)trn_stream_update(game->stream, &budget, NULL);
        assert_int_equal(trn_stream_view(game->stream, game->id, &view), TRN_RESULT_OK);
    }
    assert_int_equal(view.rings, 6);
    game_destroy(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storms_leave_every_place_drawn_once),
        cmocka_unit_test(storms_with_workers_leave_every_place_drawn_once),
        cmocka_unit_test(a_far_view_may_end_at_any_moment),
        cmocka_unit_test(teleports_in_every_update_pile_up_nothing),
        cmocka_unit_test(a_budget_that_holds_no_ring_is_said),
        cmocka_unit_test(level_0_gives_way_and_grows_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

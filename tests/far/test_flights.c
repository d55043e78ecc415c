// Random flights of a far view: after every update each place where a chunk of any level is ready
// is drawn once, and at rest every place of the view is.

#include "far_game.h"

/// What a flight meets on its way.
typedef struct Flight {
    uint32_t workers;
    uint32_t updates;
    uint32_t units; ///< of exact replay; 0: work as it comes
    bool teleports; ///< in every update
    bool has_views; ///< the view's reach changes
    bool has_failures;
    bool has_starvation; ///< allocations fail
} Flight;

static void flight_move(Game *game, const Flight *flight, TestRandom *random)
{
    TrnCoord *chunk = &game->anchor.position.chunk;
    if (flight->teleports || test_random_range(random, 0, 39) == 0) {
        *chunk = (TrnCoord){(int32_t)test_random_range(random, -30, 30),
                            (int32_t)test_random_range(random, -3, 3),
                            (int32_t)test_random_range(random, -30, 30)};
    } else {
        chunk->x += (int32_t)test_random_range(random, -1, 1);
        chunk->y += test_random_range(random, 0, 9) ? 0 : chunk->y > 0 ? -1 : 1;
        chunk->z += (int32_t)test_random_range(random, 0, 1);
    }
}

static void flight_meet(Game *game, const Flight *flight, TestRandom *random)
{
    if (flight->has_views && test_random_range(random, 0, 29) == 0) {
        const TrnFarView view = {.levels = (uint32_t)test_random_range(random, 1, 3),
                                 .radius_chunks = (uint32_t)test_random_range(random, 0, 4),
                                 .last_radius_chunks = (uint32_t)test_random_range(random, 0, 3),
                                 .height_chunks = (uint32_t)test_random_range(random, 1, 2)};
        const TrnResult result = trn_far_set_view(game->far_view, &view);
        assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
    }
    if (flight->has_failures) {
        atomic_store(&game->fail_every, (uint32_t)test_random_range(random, 0, 12));
    }
    if (flight->has_starvation) {
        const size_t first = (size_t)test_random_range(random, 1, 60);
        test_fail(&game->memory, first, first + (size_t)test_random_range(random, 0, 60));
    }
}

/// @return the hash of all calls of `draw`
static uint64_t fly(const Flight *flight, uint64_t seed)
{
    Game *game = game_create(flight->workers, (TrnCoord){0, 0, 0});
    game_open_far(game);
    TestRandom random = {seed};
    for (uint32_t update = 0; update < flight->updates; update++) {
        flight_move(game, flight, &random);
        flight_meet(game, flight, &random);
        game_update(game, flight->units);
        if (flight->units == 0) {
            trn_stream_wait(game->stream);
        }
        if (!flight->has_starvation) { // until it has caught up, the cover may miss ready chunks
            game_check(game);
        }
    }
    atomic_store(&game->fail_every, 0);
    test_fail(&game->memory, 0, 0);
    game_settle(game);
    game_check_rest(game);
    const uint64_t hash = game->hash;
    assert_true(game->draws > 0);
    game_destroy(game);
    return hash;
}

static void places_are_drawn_once(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(2601);
    const Flight flights[] = {
        {.updates = 300, .units = 12},
        {.updates = 200, .units = 6, .teleports = true},
        {.updates = 300, .units = 12, .has_views = true},
        {.updates = 300, .units = 12, .has_failures = true},
        {.updates = 200, .units = 12, .has_failures = true, .has_views = true, .teleports = true},
    };
    test_skip_without_threads();
    for (size_t i = 0; i < sizeof flights / sizeof *flights; i++) {
        Flight flight = flights[i];
        flight.updates = test_rounds(flight.updates, flight.updates / 5);
        fly(&flight, test_random_next(&random));
    }
}

static void starved_views_recover(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(2602);
    test_skip_without_threads();
    const Flight flight = {
        .updates = test_rounds(300, 60), .units = 12, .has_views = true, .has_starvation = true};
    fly(&flight, test_random_next(&random));
}

static void workers_serve_all_levels(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(2603);
    const uint64_t seed = test_random_next(&random);
    const Flight flight = {
        .workers = 2, .updates = test_rounds(150, 30), .has_failures = true, .has_views = true};
    fly(&flight, seed);
}

static void flights_replay_exactly(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(2604);
    const uint64_t seed = test_random_next(&random);
    Flight flight = {.updates = test_rounds(120, 30), .units = 10, .has_views = true};
    const uint64_t hash = fly(&flight, seed);
    for (uint32_t workers = 1; workers <= 3; workers += 2) {
        flight.workers = workers;
        assert_true(fly(&flight, seed) == hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_drawn_once),
        cmocka_unit_test(starved_views_recover),
        cmocka_unit_test(workers_serve_all_levels),
        cmocka_unit_test(flights_replay_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

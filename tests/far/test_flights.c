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

/// What a flight with light, levels and too few bytes for the whole view did, and when.
typedef struct Course {
    uint64_t hash;
    uint64_t loaded; ///< chunks of all levels, summed over the updates
    bool is_shrunk;  ///< bytes were short for a view
} Course;

static void course_note(Course *course, const Game *game)
{
    const TrnFarStats stats = trn_far_stats(game->far_view);
    uint64_t hash = course->hash ^ game->hash;
    for (uint32_t level = 0; level <= stats.levels; level++) {
        const TrnFarLevelStats *one = &stats.level[level];
        const uint64_t now[] = {one->loaded, one->shown, one->drawn, one->rings, one->bytes};
        for (size_t i = 0; i < sizeof now / sizeof *now; i++) {
            hash = (hash ^ now[i]) * UINT64_C(0x100000001B3);
        }
        course->loaded += one->loaded;
        course->is_shrunk |= one->is_shrunk;
    }
    course->hash = hash ^ stats.folds << 32;
}

static void dig_by_chance(const Game *game, TestRandom *random)
{
    const TrnVoxel corner = trn_coord_voxel(game->anchor.position.chunk);
    const TrnVoxel middle = {corner.x + test_random_range(random, -60, 60),
                             test_random_range(random, 0, 60),
                             corner.z + test_random_range(random, -60, 60)};
    TrnBatch *batch;
    if (trn_batch_begin(game->store, NULL, &batch) == TRN_RESULT_OK) {
        (void)trn_batch_fill_sphere(batch, middle, 6, TRN_BLOCK_GLOWING_STONE);
        (void)trn_batch_commit(batch, NULL); // may be refused where bytes are short
    }
}

static Course fly_on_few_bytes(uint32_t workers, size_t bytes_max)
{
    const GameStart start = {.workers = workers, .light = true, .bytes_max = bytes_max};
    Game *game = game_create_as(&start);
    game_open_far(game);
    TestRandom random = {1703};
    Course course = {0};
    for (uint32_t update = 0; update < test_rounds(160, 80); update++) {
        game->anchor.position.chunk.x += update % 4 == 0;
        game->anchor.position.chunk.z += update % 40 == 39 ? 12 : 0;
        game->anchor.velocity[0] = 160;
        if (update % 5 == 0) {
            dig_by_chance(game, &random);
        }
        game_update(game, 24);
        course_note(&course, game);
    }
    game_destroy(game);
    return course;
}

/// Each worker has scratch for light. It must not take from what chunks may have.
static void flights_with_light_and_few_bytes_replay_exactly(void **state)
{
    (void)state;
    const size_t bytes_max = (size_t)7 << 20;
    const Course first = fly_on_few_bytes(0, bytes_max);
    print_message("  %llu chunks, hash %016llx\n", (unsigned long long)first.loaded,
                  (unsigned long long)first.hash);
    assert_true(first.is_shrunk && first.loaded > 0);
    for (uint32_t workers = 1; workers <= 3; workers++) {
        const Course course = fly_on_few_bytes(workers, bytes_max);
        assert_int_equal(course.loaded, first.loaded);
        assert_true(course.hash == first.hash);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_drawn_once),
        cmocka_unit_test(starved_views_recover),
        cmocka_unit_test(workers_serve_all_levels),
        cmocka_unit_test(flights_replay_exactly),
        cmocka_unit_test(flights_with_light_and_few_bytes_replay_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/// Flights: how they are read, and how the camera follows them and stays above the land.
#include "testing.h"

#include <math.h>

#include <assets.h>
#include <flight/clearance.h>
#include <flight/flight.h>

static const char GOOD_FLIGHT[] = "terrane-flight 1\n"
                                  "# over the hills\n"
                                  "\n"
                                  "key 0 0 80 0 0 -10\n"
                                  "key 1.5 120.25 95.5 -60 90 -5 # higher\n"
                                  "\tkey 4 200 90 -100 450 0\r\n";

static void a_flight_passes_through_its_keys(void **state)
{
    (void)state;
    Flight flight;
    Message problem;
    assert_true(flight_parse(&flight, "good", GOOD_FLIGHT, sizeof GOOD_FLIGHT - 1, &problem));
    assert_int_equal(flight.count, 3);
    assert_true(fabs(flight_duration(&flight) - 4) < 1e-9);
    for (size_t i = 0; i < flight.count; i++) {
        double pose[5];
        flight_sample(&flight, flight.keys[i].seconds, pose);
        for (int value = 0; value < 5; value++) {
            assert_true(fabs(pose[value] - flight.keys[i].pose[value]) < 1e-9);
        }
    }
    flight_free(&flight);
}

static void a_flight_is_smooth_and_held_at_its_ends(void **state)
{
    (void)state;
    Flight flight;
    Message problem;
    assert_true(flight_parse(&flight, "good", GOOD_FLIGHT, sizeof GOOD_FLIGHT - 1, &problem));
    double before[5], now[5], speed_before = 0;
    flight_sample(&flight, -1, before);
    assert_true(before[1] == 80);
    flight_sample(&flight, 0, before);
    const double step = 1.0 / 1024;
    for (int i = 1; i <= 4 * 1024; i++) {
        flight_sample(&flight, i * step, now);
        double speed = (now[0] - before[0]) / step;
        assert_true(i == 1 ||
                    fabs(speed - speed_before) < 2); // no kink: some voxels a second at most
        memcpy(before, now, sizeof now);
        speed_before = speed;
    }
    flight_sample(&flight, 1e9, now);
    assert_true(now[3] == 450);
    flight_free(&flight);
}

static Flight parse_flight(const char *text)
{
    Flight flight = {0};
    Message problem = {""};
    if (!flight_parse(&flight, "test", text, strlen(text), &problem)) {
        fail_msg("%s", problem.text);
    }
    return flight;
}

static void keys_may_be_a_millisecond_apart_and_follow_a_mark_of_utf8(void **state)
{
    (void)state;
    Flight flight = parse_flight("\xEF\xBB\xBFterrane-flight 1\n"
                                 "key 0.7 0 0 0 0 0\nkey 0.701 1 0 0 0 0\nkey 0.702 2 0 0 0 0\n");
    assert_int_equal(flight.count, 3);
    flight_free(&flight);
}

static void pitch_stays_between_straight_down_and_straight_up(void **state)
{
    (void)state;
    // The cubic overshoots its keys in the middle.
    Flight flight = parse_flight("terrane-flight 1\nkey 0 0 0 0 0 -90\nkey 1 0 0 0 0 90\n"
                                 "key 2 0 0 0 0 90\nkey 3 0 0 0 0 -90\nkey 4 0 0 0 0 -90\n"
                                 "key 5 0 0 0 0 90\n");
    double highest = 0, lowest = 0;
    for (int i = 0; i <= 500; i++) {
        double pose[5];
        flight_sample(&flight, i / 100.0, pose);
        highest = fmax(highest, pose[4]);
        lowest = fmin(lowest, pose[4]);
    }
    assert_true(highest == 90 && lowest == -90);
    flight_free(&flight);
}

static void a_flight_cut_anywhere_is_read_or_refused(void **state)
{
    (void)state;
    for (size_t bytes = 0; bytes < sizeof GOOD_FLIGHT; bytes++) {
        // Of exactly this size, so that a sanitizer detects a read beyond it.
        char *cut = malloc(bytes ? bytes : 1);
        assert_non_null(cut);
        memcpy(cut, GOOD_FLIGHT, bytes);
        Flight flight = {0};
        Message problem = {""};
        if (flight_parse(&flight, "cut", cut, bytes, &problem)) {
            assert_in_range(flight.count, 1, 3);
            flight_free(&flight);
        } else {
            assert_non_null(strstr(problem.text, "cut"));
            assert_null(flight.keys);
        }
        free(cut);
    }
}

static void bad_lines_are_named_with_their_number(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "line 1: not a flight"},
        {"hello\n", "line 1: not a flight"},
        {"terrane-flights 1\n", "line 1: not a flight"},
        {"terrane-flight\n", "line 1: not a flight"},
        {"terrane-flight one\n", "line 1: the format's version"},
        {"terrane-flight 0\n", "line 1: the format's version"},
        {"terrane-flight 4\nkey 0 0 0 0 0 0\n", "line 1: the flight is of a newer version"},
        {"terrane-flight 1\n", "no keys"},
        {"terrane-flight 1\nkex 0 0 0 0 0 0\n", "line 2: expected"},
        {"terrane-flight 1\nkey0 0 0 0 0 0\n", "line 2: expected"},
        {"terrane-flight 1\n\nkey 0 0 0 0 0\n", "line 3: a key needs six numbers"},
        {"terrane-flight 1\nkey 0 0 0 0 0 0 0\n", "line 2: there is more"},
        {"terrane-flight 1\nkey 0 0 0 0 0 zero\n", "line 2: a key needs six numbers"},
        {"terrane-flight 1\nkey 0 0 0,5 0 0 0\n", "line 2: a key needs six numbers"},
        {"terrane-flight 1\nkey 0 nan 0 0 0 0\n", "line 2: a number is not finite"},
        {"terrane-flight 1\nkey 0 1e999 0 0 0 0\n", "line 2: a number is not finite"},
        {"terrane-flight 1\nkey -1 0 0 0 0 0\n", "line 2: the time"},
        {"terrane-flight 1\nkey 3601 0 0 0 0 0\n", "line 2: the time"},
        {"terrane-flight 1\nkey 1 0 0 0 0 0\nkey 1 0 0 0 0 0\n", "line 3: the time must be 0.001"},
        {"terrane-flight 1\nkey 1 0 0 0 0 0\nkey 1.0009 0 0 0 0 0\n",
         "line 3: the time must be 0.001"},
        {"terrane-flight 1\nkey 0 0 1e12 0 0 0\n", "line 2: the point"},
        {"terrane-flight 1\nkey 0 0 0 0 1e7 0\n", "line 2: yaw"},
        {"terrane-flight 1\nkey 0 0 0 0 0 91\n", "line 2: pitch"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Flight flight;
        Message problem = {""};
        assert_false(flight_parse(&flight, "bad", cases[i][0], strlen(cases[i][0]), &problem));
        if (!strstr(problem.text, cases[i][1])) {
            fail_msg("'%s' does not say '%s'", problem.text, cases[i][1]);
        }
    }
}

static void flights_that_are_no_text_or_too_large_are_refused(void **state)
{
    (void)state;
    Flight flight;
    Message problem;
    static const char zero[] = "terrane-flight 1\nkey 0 0\0 0 0 0 0\n";
    assert_false(flight_parse(&flight, "zero", zero, sizeof zero - 1, &problem));
    assert_non_null(strstr(problem.text, "line 2: not a text file"));
    assert_false(flight_read(&flight, "/dev/zero", &problem));
    assert_non_null(strstr(problem.text, "64 MiB"));
    assert_false(flight_read(&flight, "/nowhere/at/all.flight", &problem));
    assert_non_null(strstr(problem.text, "/nowhere/at/all.flight"));
    assert_false(flight_read(&flight, "/", &problem));
}

static void random_bytes_never_break_the_flight_reader(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(11);
    for (int round = 0; round < 20000; round++) {
        char text[sizeof GOOD_FLIGHT];
        memcpy(text, GOOD_FLIGHT, sizeof text);
        for (int64_t changes = test_random_range(&random, 1, 4); changes > 0; changes--) {
            text[test_random_range(&random, 0, (int64_t)sizeof text - 2)] =
                (char)test_random_range(&random, 0, 255);
        }
        Flight flight;
        Message problem;
        if (flight_parse(&flight, "random", text, sizeof text - 1, &problem)) {
            flight_free(&flight);
        }
    }
}

static void the_built_in_flight_is_good_and_clears_any_land(void **state)
{
    (void)state;
    Flight flight;
    Message problem;
    assert_true(
        flight_parse(&flight, "built-in", asset_first_flight, asset_first_flight_bytes, &problem));
    for (uint64_t seed = 0; seed < 4; seed++) {
        TrnTerrainDef def = trn_terrain_def();
        def.seed = seed ? seed : def.seed;
        TrnTerrain *terrain;
        Clearance clearance = {0};
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
        for (int i = 0; i <= (int)(flight_duration(&flight) * 100); i++) {
            double at = i / 100.0;
            double pose[5];
            int64_t height;
            clearance_sample(&clearance, &flight, terrain, at, pose);
            assert_int_equal(trn_terrain_height(terrain, (int64_t)floor(pose[0]),
                                                (int64_t)floor(pose[2]), &height),
                             TRN_RESULT_OK);
            assert_true(pose[1] >= (double)height + CLEARANCE_VOXELS);
            assert_true(pose[1] >= TRN_TERRAIN_SEA_LEVEL + CLEARANCE_VOXELS);
        }
        trn_terrain_destroy(terrain);
    }
    flight_free(&flight);
}

// ---- cost ---------------------------------------------------------------------------------------

static void *column_alloc(size_t bytes, size_t alignment, void *user)
{
    ++*(size_t *)user;
    return trn_aligned_alloc(bytes, alignment);
}

static void column_free(void *memory, size_t bytes, void *user)
{
    (void)bytes;
    (void)user;
    trn_aligned_free(memory);
}

/// How many columns of land the first moments of a flight need: the terrain allocates each of them
/// once.
static size_t columns_of_flight(double seconds, double voxels)
{
    char text[200];
    size_t columns = 0;
    const TrnAllocator allocator = {column_alloc, column_free, &columns};
    TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *terrain;
    Clearance clearance = {0};
    double pose[5];
    (void)snprintf(text, sizeof text,
                   "terrane-flight 1\nkey 0 0 80 0 0 0\nkey %.0f %.0f 80 9 0 0\n", seconds, voxels);
    Flight flight = parse_flight(text);
    def.allocator = &allocator;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    const size_t before = columns;
    for (int frame = 0; frame < 60; frame++) {
        clearance_sample(&clearance, &flight, terrain, frame / 60.0, pose);
    }
    const size_t needed = columns - before;
    trn_terrain_destroy(terrain);
    flight_free(&flight);
    return needed;
}

static void a_flight_looks_ahead_two_seconds_however_long_and_far_it_is(void **state)
{
    (void)state;
    const size_t samples = 3 * 16 + 2; // of the first second, and of two more
    size_t most = 0;
    for (double seconds = 60; seconds <= 3600; seconds *= 2) {
        for (double voxels = 1000; voxels < 6.8e10; voxels *= 20) {
            const size_t columns = columns_of_flight(seconds, voxels);
            most = columns > most ? columns : most;
        }
    }
    const size_t farthest = columns_of_flight(3600, 6.8e10);
    most = farthest > most ? farthest : most;
    print_message("  at most %zu columns\n", most);
    assert_in_range(most, samples, samples * 4);
}

static void edits_crowded_into_a_moment_are_refused(void **state)
{
    (void)state;
    static const char line[] = "edit %d.5 dig ball 0 0 0 16\n";
    const size_t bytes = 200 + (size_t)3000 * (sizeof line + 4);
    char *text = malloc(bytes);
    assert_non_null(text);
    for (int kind = 0; kind < 2; kind++) { // 1000 a second, and one more
        size_t size = (size_t)snprintf(text, bytes, "terrane-flight 3\nkey 0 0 80 0 0 0\n");
        for (int i = 0; i < 2000 + kind; i++) {
            size += (size_t)snprintf(text + size, bytes - size, line, i < 2000 ? i / 1000 : 1);
        }
        size += (size_t)snprintf(text + size, bytes - size, "end\n");
        Flight flight;
        Message problem = {""};
        assert_true(size < bytes);
        assert_int_equal(flight_parse(&flight, "crowd", text, size, &problem), kind == 0);
        if (kind == 0) {
            flight_free(&flight);
        } else {
            assert_non_null(strstr(problem.text, "crowd, line 2003: there are more than 1000 edits "
                                                 "within a second"));
        }
    }
    free(text);
}

/// Returns the highest of land and sea at nine points, eight voxels apart.
static double highest_around(const TrnTerrain *terrain, const double pose[5])
{
    double highest = TRN_TERRAIN_SEA_LEVEL;
    for (int x = -8; x <= 8; x += 8) {
        for (int z = -8; z <= 8; z += 8) {
            int64_t height;
            assert_int_equal(trn_terrain_height(terrain, (int64_t)floor(pose[0]) + x,
                                                (int64_t)floor(pose[2]) + z, &height),
                             TRN_RESULT_OK);
            highest = fmax(highest, (double)height);
        }
    }
    return highest;
}

static void a_flight_far_too_low_clears_the_highest_land_around_it(void **state)
{
    (void)state;
    // Across the mountain of the built-in flight, fast and deep below the ground.
    Flight flight =
        parse_flight("terrane-flight 1\nkey 0 -400 -900 -200 0 0\nkey 8 500 -900 300 0 0\n");
    const TrnTerrainDef def = trn_terrain_def();
    TrnTerrain *terrain;
    Clearance clearance = {0};
    double highest = 0;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    for (int i = 0; i <= 8 * 16; i++) {
        double pose[5];
        clearance_sample(&clearance, &flight, terrain, i / 16.0, pose);
        double ground = highest_around(terrain, pose);
        highest = fmax(highest, ground);
        assert_true(pose[1] > ground + CLEARANCE_VOXELS);
    }
    assert_true(highest > 60); // there was something to clear
    trn_terrain_destroy(terrain);
    flight_free(&flight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flight_passes_through_its_keys),
        cmocka_unit_test(a_flight_is_smooth_and_held_at_its_ends),
        cmocka_unit_test(keys_may_be_a_millisecond_apart_and_follow_a_mark_of_utf8),
        cmocka_unit_test(pitch_stays_between_straight_down_and_straight_up),
        cmocka_unit_test(a_flight_cut_anywhere_is_read_or_refused),
        cmocka_unit_test(bad_lines_are_named_with_their_number),
        cmocka_unit_test(flights_that_are_no_text_or_too_large_are_refused),
        cmocka_unit_test(random_bytes_never_break_the_flight_reader),
        cmocka_unit_test(the_built_in_flight_is_good_and_clears_any_land),
        cmocka_unit_test(a_flight_far_too_low_clears_the_highest_land_around_it),
        cmocka_unit_test(a_flight_looks_ahead_two_seconds_however_long_and_far_it_is),
        cmocka_unit_test(edits_crowded_into_a_moment_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

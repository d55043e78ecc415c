/// Parts of the viewer that need no window: options, flights, camera, pages of quads, gathering and
/// draw lists.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "testing.h"

#include <math.h>
#include <unistd.h>

#include <assets.h>
#include <flight/clearance.h>
#include <flight/flight.h>
#include <gather/gather_compare.h>
#include <options.h>
#include <render/camera.h>
#include <render/chunk_view.h>
#include <render/draw_list.h>
#include <render/page_allocator.h>
#include <series/samples.h>

// ---- options ------------------------------------------------------------------------------------

static bool parse(Settings *options, Message *problem, const char *const *arguments)
{
    char *argv[24] = {(char *)"terrane-viewer"};
    int argc = 1;
    for (; arguments[argc - 1]; argc++) {
        argv[argc] = (char *)arguments[argc - 1];
    }
    return options_parse(options, argc, argv, problem);
}

static void options_are_read(void **state)
{
    (void)state;
    Settings options;
    Message problem;
    const char *const arguments[] = {"--headless",
                                     "--frames",
                                     "30",
                                     "--size",
                                     "320x200",
                                     "--seed",
                                     "0xffffffffffffffff",
                                     "--view-distance=5",
                                     "--out",
                                     "pictures",
                                     "--flight",
                                     "a.flight",
                                     "--record-trace=b.trace",
                                     "--preset=alps",
                                     "--view-height",
                                     "3",
                                     "--workers=2",
                                     "--memory",
                                     "64",
                                     "--look=no-haze,time=6",
                                     "--at",
                                     "-10.5,20,3e2,90,-1",
                                     NULL};
    assert_true(parse(&options, &problem, arguments));
    assert_true(options.headless);
    assert_int_equal(options.frames, 30);
    assert_int_equal(options.width, 320);
    assert_int_equal(options.height, 200);
    assert_true(options.seed == UINT64_MAX);
    assert_int_equal(options.view_distance, 5);
    assert_int_equal(settings_view_height(&options), 3);
    assert_int_equal(options.workers, 2);
    assert_int_equal(options.memory_mib, 64);
    assert_true(options.on[LOOK_HAZE] == 0 && options.hours == 6);
    static const double at[5] = {-10.5, 20, 300, 90, -1};
    assert_true(options.placed);
    assert_memory_equal(options.at, at, sizeof at);
    assert_string_equal(options.out, "pictures");
    assert_string_equal(options.flight, "a.flight");
    assert_string_equal(options.trace, "b.trace");
    TrnTerrainShape alps;
    assert_int_equal(trn_terrain_shape_preset("alps", &alps), TRN_RESULT_OK);
    assert_memory_equal(&options.shape, &alps, sizeof alps);
}

static void no_options_are_the_defaults(void **state)
{
    (void)state;
    Settings options, defaults = settings_default();
    Message problem;
    const char *const arguments[] = {NULL};
    assert_true(parse(&options, &problem, arguments));
    assert_int_equal(options.width, defaults.width);
    assert_int_equal(options.view_distance, defaults.view_distance);
    assert_int_equal(settings_view_height(&options), options.view_distance);
    assert_int_equal(options.memory_mib, 0);
    assert_false(options.headless);
    assert_null(options.flight);
    assert_false(options.demo);
    assert_null(options.trace);
    const TrnTerrainShape normal = trn_terrain_shape_default();
    assert_memory_equal(&options.shape, &normal, sizeof normal);
}

static void pictures_are_wanted_of_the_frames_that_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *words;
        int wanted[4], others[4];
        int behind; ///< the first of them that 60 frames have not
    } cases[] = {
        {"--pictures=0,60,120", {0, 60, 120, 0}, {1, 6, 12, 600}, 60},
        {"--pictures=7", {7, 7, 7, 7}, {0, 70, 6, 8}, -1},
        {"--pictures=every=50", {0, 50, 100, 1000}, {1, 49, 51, 75}, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Settings options;
        Message problem;
        const char *const arguments[] = {"--headless", cases[i].words, NULL};
        assert_true(parse(&options, &problem, arguments));
        for (int j = 0; j < 4; j++) {
            assert_true(options_wants_picture(&options, cases[i].wanted[j]));
            assert_false(options_wants_picture(&options, cases[i].others[j]));
        }
        assert_int_equal(options_picture_behind(&options, 60), cases[i].behind);
    }
    const Settings none = settings_default();
    assert_false(options_wants_picture(&none, 0));
    assert_int_equal(options_picture_behind(&none, 60), -1);
}

static void a_recording_says_what_the_command_line_does_not(void **state)
{
    (void)state;
    Settings options;
    Message problem;
    Flight flight = {.head = {.has_seed = true,
                              .seed = 99,
                              .preset = "islands",
                              .view_distance = 7,
                              .view_height = 3}};
    const char *const nothing[] = {"--headless", NULL};
    assert_true(parse(&options, &problem, nothing));
    assert_true(options_take_flight(&options, "a", &flight, &problem));
    assert_true(options.seed == 99);
    assert_int_equal(options.view_distance, 7);
    assert_int_equal(settings_view_height(&options), 3);
    TrnTerrainShape islands;
    assert_int_equal(trn_terrain_shape_preset("islands", &islands), TRN_RESULT_OK);
    assert_memory_equal(&options.shape, &islands, sizeof islands);

    const char *const all[] = {"--seed=1", "--preset=alps", "--view-distance=5", "--view-height=2",
                               NULL};
    assert_true(parse(&options, &problem, all));
    Settings before;
    memcpy(&before, &options, sizeof before); // with the padding
    assert_true(options_take_flight(&options, "a", &flight, &problem));
    assert_memory_equal(&options, &before, sizeof before);

    strcpy(flight.head.preset, "moon");
    assert_true(parse(&options, &problem, nothing));
    assert_false(options_take_flight(&options, "a.flight", &flight, &problem));
    assert_non_null(strstr(problem.text, "a.flight: There is no preset 'moon'"));
}

static void the_view_is_never_higher_than_wide(void **state)
{
    (void)state;
    Settings options = settings_default();
    for (int height = 0; height <= 6; height++) {
        options.view_distance = 4;
        options.view_height = height;
        assert_int_equal(settings_view_height(&options), height && height < 4 ? height : 4);
    }
}

static void every_bad_option_is_named_in_its_message(void **state)
{
    (void)state;
    // Arguments, and a word that the message must contain.
    static const char *const cases[][3] = {
        {"--nothing", NULL, "--nothing"},
        {"--frames", NULL, "--frames"},
        {"--frames", "0", "--frames"},
        {"--frames", "100001", "--frames"},
        {"--frames", "12x", "'12x'"},
        {"--frames", "", "--frames"},
        {"--frames", " 5", "--frames"},
        {"--frames", "99999999999999999999", "--frames"},
        {"--size", "320", "--size"},
        {"--size", "320x", "--size"},
        {"--size", "x200", "--size"},
        {"--size", "15x200", "--size"},
        {"--size", "320x8193", "--size"},
        {"--size", "320x200x3", "--size"},
        {"--size", "-320x200", "--size"},
        {"--size", "11111111111111111111111x200", "--size"},
        {"--seed", "-1", "--seed"},
        {"--seed", "1.5", "--seed"},
        {"--seed", "0x", "--seed"},
        {"--seed", "18446744073709551616", "--seed"},
        {"--preset", "mars", "default, islands, alps, canyons and flat."},
        {"--preset=flat", "--terrain=/dev/null", "leave one out"},
        {"--demo", "--flight=a.flight", "--demo cannot be combined with --flight."},
        {"--demo", "--headless", "--demo cannot be combined with --headless: it needs a window."},
        {"--benchmark=a", "--demo", "--demo cannot be combined with --benchmark"},
        {"--terrain", "", "name of a terrain file"},
        {"--terrain", "/nowhere", "Cannot read the terrain /nowhere: No such file"},
        {"--terrain", "/dev/zero", "64 KiB"},
        {"--terrain", "/dev/null", "/dev/null:1:1: "},
        {"--view-distance", "1", "--view-distance"},
        {"--view-distance", "33", "--view-distance"},
        {"--view-distance", "far", "'far'"},
        {"--view-height", "0", "--view-height"},
        {"--view-height", "33", "--view-height"},
        {"--workers", "65", "--workers takes a whole number from 0 to 64 or auto"},
        {"--workers", "-1", "'-1'"},
        {"--workers", "all", "'all'"},
        {"--memory", "15", "--memory"},
        {"--field-of-view", "29", "--field-of-view takes a number from 30 to 110, not '29'."},
        {"--reach", "far", "--reach"},
        {"--no-headless=1", NULL, "takes no value"},
        {"--memory", "1048577", "--memory"},
        {"--memory", "64M", "'64M'"},
        {"--look", "foggy", "'foggy'"},
        {"--look", "haze,time=noon", "'time=noon'"},
        {"--look", NULL, "--look"},
        {"--at", "1,2,3,4", "'1,2,3,4'"},
        {"--at", "1,2,3,4,5,6", "--at takes"},
        {"--at", "1,2,3,4,inf", "--at takes"},
        {"--at", "1,,3,4,5", "--at takes"},
        {"--at", "", "--at takes"},
        {"--out", "", "--out"},
        {"--flight", "", "--flight"},
        {"--record-trace", "", "--record-trace"},
        {"--record-trace", NULL, "--record-trace"},
        {"--headless", "-zz", "no option -zz"},
        {"--headless", "-z", "no option -z;"},
        {"-frames", NULL, "no option -frames"},
        {"--headless", "--frame5", "no option --frame5"},
        {"--headless=yes", NULL, "--headless=yes"},
        {"extra.flight", NULL, "extra.flight"},
        {"--csv", "a.csv", "--csv needs --headless"},
        {"--csv", "", "--csv takes"},
        {"--video", NULL, "needs --headless"},
        {"--pictures", "0,60", "needs --headless"},
        {"--pictures", "", "--pictures takes"},
        {"--pictures", "1,,2", "--pictures takes"},
        {"--pictures", "1,2,", "--pictures takes"},
        {"--pictures", "-1", "--pictures takes"},
        {"--pictures", "99999999999999999999", "--pictures takes"},
        {"--pictures", "every=0", "every=N"},
        {"--pictures", "every=", "every=N"},
        {"--record", "", "--record takes"},
        {"--benchmark", "", "--benchmark takes"},
        {"--headless", "--settings=a.ini", "--settings is for a window"},
        {"--settings=a.ini", "--benchmark=a", "--benchmark reads none"},
        {"--benchmark=a", "--csv=b", "--benchmark goes without --csv"},
        {"--benchmark=a", "--record=b", "--benchmark goes without --record"},
        {"--benchmark=a", "--at=1,2,3,4,5", "--benchmark goes without --at"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Settings options;
        Message problem = {""};
        const char *const arguments[] = {cases[i][0], cases[i][1], NULL};
        if (parse(&options, &problem, arguments)) {
            fail_msg("accepted: %s %s", cases[i][0], cases[i][1] ? cases[i][1] : "");
        }
        if (!strstr(problem.text, cases[i][2])) {
            fail_msg("'%s' does not name %s", problem.text, cases[i][2]);
        }
    }
}

// ---- flights ------------------------------------------------------------------------------------

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
        Clearance clearance;
        assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
        assert_true(clearance_create(&clearance, &flight, terrain, &problem));
        for (int i = 0; i <= (int)(flight_duration(&flight) * 100); i++) {
            double at = i / 100.0;
            double pose[5];
            int64_t height;
            clearance_sample(&clearance, &flight, at, pose);
            assert_int_equal(trn_terrain_height(terrain, (int64_t)floor(pose[0]),
                                                (int64_t)floor(pose[2]), &height),
                             TRN_RESULT_OK);
            assert_true(pose[1] >= (double)height + CLEARANCE_VOXELS);
            assert_true(pose[1] >= TRN_TERRAIN_SEA_LEVEL + CLEARANCE_VOXELS);
        }
        clearance_free(&clearance);
        trn_terrain_destroy(terrain);
    }
    flight_free(&flight);
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
    Clearance clearance;
    Message problem;
    double highest = 0;
    assert_int_equal(trn_terrain_create(&def, &terrain), TRN_RESULT_OK);
    assert_true(clearance_create(&clearance, &flight, terrain, &problem));
    for (int i = 0; i <= 8 * 16; i++) {
        double pose[5];
        clearance_sample(&clearance, &flight, i / 16.0, pose);
        double ground = highest_around(terrain, pose);
        highest = fmax(highest, ground);
        assert_true(pose[1] > ground + CLEARANCE_VOXELS);
    }
    assert_true(highest > 60); // there was something to clear
    clearance_free(&clearance);
    trn_terrain_destroy(terrain);
    flight_free(&flight);
}

// ---- camera -------------------------------------------------------------------------------------

static Camera camera_in(TrnCoord chunk, float yaw, float pitch)
{
    return (Camera){.position = {chunk, {16, 16, 16}}, .yaw = yaw, .pitch = pitch};
}

static void chunks_in_front_are_kept_and_behind_dropped(void **state)
{
    (void)state;
    static const TrnCoord places[] = {
        {0, 0, 0},
        {INT32_MIN, INT32_MIN, INT32_MIN},
        {INT32_MAX, INT32_MAX, INT32_MAX},
        {INT32_MIN, 3, INT32_MAX},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        TrnCoord at = places[i];
        CameraView view;
        Camera camera = camera_in(at, 0, 0); // towards -z
        camera_view(&camera, 1280, 720, 640, &view);
        assert_true(camera_view_holds(&view, at));
        for (int32_t away = 2; away <= 16; away++) {
            TrnCoord ahead = trn_coord_add(at, 0, 0, -away), behind = trn_coord_add(at, 0, 0, away);
            if (at.z > INT32_MIN + 16) {
                assert_true(camera_view_holds(&view, ahead));
            }
            if (at.z < INT32_MAX - 16) {
                assert_false(camera_view_holds(&view, behind));
            }
        }
        // The other end of the world is 2^32 chunks away and must not be visible.
        TrnCoord other = {at.x, at.y, at.z < 0 ? INT32_MAX : INT32_MIN};
        assert_true(at.z == 0 || !camera_view_holds(&view, other));
    }
}

/// A chunk that contains a point of the picture is never dropped, whatever the direction.
static void nothing_in_the_picture_is_culled(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(12);
    for (int round = 0; round < 20000; round++) {
        Camera camera = camera_in((TrnCoord){1000, -5, INT32_MAX - 40},
                                  (float)test_random_range(&random, -180, 180),
                                  (float)test_random_range(&random, -89, 89));
        CameraView view;
        camera_view(&camera, 1280, 720, 640, &view);
        float right = (float)test_random_range(&random, -100, 100) / 100;
        float up = (float)test_random_range(&random, -100, 100) / 100;
        float depth = (float)test_random_range(&random, 1, 600);
        TrnCoord chunk = view.chunk;
        int32_t *axes[] = {&chunk.x, &chunk.y, &chunk.z};
        for (int axis = 0; axis < 3; axis++) {
            float at =
                view.offset[axis] + depth * (view.ray_forward[axis] + right * view.ray_right[axis] +
                                             up * view.ray_up[axis]);
            *axes[axis] += (int32_t)floorf(at / TRN_CHUNK_EDGE);
        }
        assert_true(camera_view_holds(&view, chunk));
    }
}

static void the_rays_of_the_corners_are_the_corners(void **state)
{
    (void)state;
    Camera camera = camera_in((TrnCoord){3, 1, -2}, 30, -20);
    CameraView view;
    camera_view(&camera, 1280, 720, 640, &view);
    for (int corner = 0; corner < 4; corner++) {
        float right = corner & 1 ? 1 : -1, up = corner & 2 ? 1 : -1;
        vec4 at = {0, 0, 0, 1}, clip;
        for (int axis = 0; axis < 3; axis++) {
            at[axis] =
                view.offset[axis] + 50 * (view.ray_forward[axis] + right * view.ray_right[axis] +
                                          up * view.ray_up[axis]);
        }
        glm_mat4_mulv(view.clip, at, clip);
        assert_true(fabsf(clip[0] / clip[3] - right) < 1e-3f);
        assert_true(fabsf(clip[1] / clip[3] - up) < 1e-3f);
    }
}

static void just_below_a_chunk_border_is_inside_the_chunk(void **state)
{
    (void)state;
    const double pose[5] = {31.9999999, 31.999999999, -1e-9, 0, 0};
    const Camera camera = camera_at(pose);
    assert_int_equal(camera.position.chunk.x, 0);
    assert_int_equal(camera.position.chunk.z, -1);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(camera.position.offset[axis] < TRN_CHUNK_EDGE);
        assert_true(camera.position.offset[axis] > TRN_CHUNK_EDGE - 0.01f);
    }
}

static void a_camera_stands_in_its_chunk_and_stops_at_the_end(void **state)
{
    (void)state;
    const double pose[5] = {-0.5, 31.5, 1e6, 370, 0};
    Camera camera = camera_at(pose);
    assert_int_equal(camera.position.chunk.x, -1);
    assert_int_equal(camera.position.chunk.y, 0);
    assert_true(fabs(camera.position.offset[0] - 31.5) < 1e-9);

    const double far[5] = {1e300, -1e300, (double)TRN_VOXEL_MAX, 0, 500};
    camera = camera_at(far);
    assert_int_equal(camera.position.chunk.x, INT32_MAX);
    assert_int_equal(camera.position.chunk.y, INT32_MIN);
    assert_int_equal(camera.position.chunk.z, INT32_MAX);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(camera.position.offset[axis] >= 0 && camera.position.offset[axis] < 32);
    }
    assert_true(camera.pitch < 90);
}

// ---- pages --------------------------------------------------------------------------------------

#define MODEL_PAGES 512

/// The owner of each page; 0: free.
typedef struct PageModel {
    uint16_t holder[MODEL_PAGES];
    PageRun runs[MODEL_PAGES];
    uint32_t run_count;
    uint16_t next_holder;
} PageModel;

static uint32_t model_longest_free(const PageModel *model, uint32_t pages)
{
    uint32_t longest = 0, length = 0;
    for (uint32_t i = 0; i < pages; i++) {
        length = model->holder[i] ? 0 : length + 1;
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void model_take(PageModel *model, PageAllocator *allocator, uint32_t count)
{
    uint32_t first;
    bool fits = model_longest_free(model, allocator->pages) >= count;
    assert_int_equal(page_allocator_take(allocator, count, &first), fits);
    if (!fits) {
        return;
    }
    model->next_holder++;
    for (uint32_t i = first; i < first + count; i++) {
        assert_true(i < allocator->pages);
        assert_int_equal(model->holder[i], 0);
        model->holder[i] = model->next_holder;
    }
    model->runs[model->run_count++] = (PageRun){first, count};
}

static void model_give(PageModel *model, PageAllocator *allocator, uint32_t index)
{
    PageRun run = model->runs[index];
    assert_true(page_allocator_give(allocator, run.first, run.count));
    assert_false(page_allocator_give(allocator, run.first, run.count)); // twice
    memset(&model->holder[run.first], 0, run.count * sizeof model->holder[0]);
    model->runs[index] = model->runs[--model->run_count];
}

static void pages_agree_with_a_simple_model(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(13);
    for (int round = 0; round < 20; round++) {
        PageModel model = {.run_count = 0};
        PageAllocator allocator = {0};
        uint32_t first;
        assert_false(page_allocator_take(&allocator, 1, &first));
        assert_true(page_allocator_grow(&allocator, 64));
        for (int step = 0; step < 3000; step++) {
            int64_t choice = test_random_range(&random, 0, 99);
            if (choice < 1 && allocator.pages < MODEL_PAGES) {
                assert_true(page_allocator_grow(&allocator, allocator.pages + 32));
            } else if (choice < 55) {
                model_take(&model, &allocator, (uint32_t)test_random_range(&random, 1, 24));
            } else if (model.run_count) {
                model_give(&model, &allocator,
                           (uint32_t)test_random_range(&random, 0, model.run_count - 1));
            }
        }
        while (model.run_count) {
            model_give(&model, &allocator, 0);
        }
        assert_int_equal(allocator.taken, 0);
        assert_int_equal(allocator.free_count, 1); // all merged again
        assert_int_equal(allocator.free_runs[0].count, allocator.pages);
        page_allocator_free(&allocator);
    }
}

static void pages_that_are_not_there_cannot_be_given_back(void **state)
{
    (void)state;
    PageAllocator allocator = {0};
    uint32_t first;
    assert_true(page_allocator_grow(&allocator, 16));
    assert_true(page_allocator_take(&allocator, 8, &first));
    assert_false(page_allocator_give(&allocator, first, 0));
    assert_false(page_allocator_give(&allocator, first, 9));
    assert_false(page_allocator_give(&allocator, 15, 2));
    assert_false(page_allocator_give(&allocator, UINT32_MAX, 2));
    assert_false(page_allocator_grow(&allocator, 8));
    assert_true(page_allocator_give(&allocator, first, 8));
    page_allocator_free(&allocator);
}

// ---- gathering ----------------------------------------------------------------------------------

static void all_gathers_agree_while_chunks_come_and_go(void **state)
{
    (void)state;
    TrnStoreDef def = trn_store_def();
    def.user_bytes = sizeof(ChunkView);
    TrnStore *store;
    GatherCompare compare;
    Message problem;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    assert_true(gather_compare_create(&compare, 3, &problem));
    TestRandom random = test_random_seeded(15);
    for (int frame = 0; frame < 200; frame++) {
        for (int change = 0; change < 50; change++) {
            TrnCoord coord = {(int32_t)test_random_range(&random, -6, 6),
                              (int32_t)test_random_range(&random, -6, 6),
                              (int32_t)test_random_range(&random, -6, 6)};
            TrnChunk *chunk = NULL;
            if (trn_store_find(store, coord)) {
                trn_store_remove(store, coord);
            } else {
                assert_int_equal(trn_store_insert_uniform(store, coord, TRN_BLOCK_AIR, &chunk),
                                 TRN_RESULT_OK);
            }
            gather_compare_note(&compare, coord, chunk);
        }
        // Any contender may answer the frame; some changes are applied before the comparison.
        const GatherContender used = (GatherContender)(frame % GATHER_COUNT);
        assert_int_equal(gather_compare_use(&compare, used),
                         used < GATHER_CHOICES && (used != GATHER_FLAT_MAP || flat_map_exists()));
        if (frame == 100) {
            assert_true(gather_compare_resize(&compare, 4, &problem));
        }
        TrnBox box = trn_box_around((TrnCoord){frame % 5, 0, 0}, 3, 3, frame < 100 ? 3 : 4);
        assert_int_equal(gather_compare_frame(&compare, store, box),
                         trn_store_gather(store, box, NULL, 0));
        gather_compare_after(&compare, store, box);
    }
    assert_int_equal(compare.compared, 200);
    assert_int_equal(compare.equal, 200);

    gather_compare_free(&compare);
    trn_store_destroy(store);
}

/// Nine chunks in a row, on which index, array and map agree.
static TrnStore *make_compare(GatherCompare *compare)
{
    TrnStoreDef def = trn_store_def();
    def.user_bytes = sizeof(ChunkView);
    TrnStore *store;
    Message problem;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    assert_true(gather_compare_create(compare, 4, &problem));
    for (int32_t x = -4; x <= 4; x++) {
        TrnChunk *chunk;
        assert_int_equal(
            trn_store_insert_uniform(store, (TrnCoord){x, 0, 0}, TRN_BLOCK_AIR, &chunk),
            TRN_RESULT_OK);
        gather_compare_note(compare, chunk->coord, chunk);
    }
    return store;
}

/// Returns whether comparisons find the answers equal, however the maps are asked.
static bool found_equal(GatherCompare *compare, const TrnStore *store)
{
    const TrnBox box = trn_box_around((TrnCoord){0, 0, 0}, 4, 4, 4);
    const uint64_t equal = compare->equal, rounds = (uint64_t)2 * GATHER_CHOICES;
    bool was_asked[GATHER_COUNT] = {false};
    for (uint64_t i = 0; i < rounds; i++) {
        gather_compare_frame(compare, store, box);
        gather_compare_after(compare, store, box);
        for (int who = 0; who < GATHER_COUNT; who++) {
            was_asked[who] |= compare->figures.asked[who];
        }
    }
    for (int who = 0; who < GATHER_COUNT; who++) {
        assert_int_equal(was_asked[who], gather_compare_has(compare, (GatherContender)who));
    }
    assert_true(compare->equal == equal || compare->equal == equal + rounds);
    return compare->equal > equal;
}

static void an_answer_with_one_wrong_chunk_is_seen(void **state)
{
    (void)state;
    GatherCompare compare;
    TrnStore *store = make_compare(&compare);
    const TrnCoord at = {4, 0, 0}, other = {0, 0, 0};
    TrnChunk *right = trn_store_find(store, at), *wrong = trn_store_find(store, other);
    assert_true(found_equal(&compare, store));

    // A missing chunk, whose last answer is still in memory: only the count differs.
    hash_baseline_remove(compare.map, at);
    assert_false(found_equal(&compare, store));
    assert_true(hash_baseline_insert(compare.map, at, wrong));
    assert_false(found_equal(&compare, store));
    assert_true(hash_baseline_insert(compare.map, at, right));
    assert_true(found_equal(&compare, store));

    assert_int_equal(trn_spatial_array_remove(compare.array, at), TRN_RESULT_OK);
    assert_false(found_equal(&compare, store));
    assert_int_equal(trn_spatial_array_insert(compare.array, at, &wrong), TRN_RESULT_OK);
    assert_false(found_equal(&compare, store));
    assert_int_equal(trn_spatial_array_remove(compare.array, at), TRN_RESULT_OK);
    assert_int_equal(trn_spatial_array_insert(compare.array, at, &right), TRN_RESULT_OK);
    assert_true(found_equal(&compare, store));

    if (compare.flat_map) {
        flat_map_remove(compare.flat_map, at);
        assert_false(found_equal(&compare, store));
        assert_true(flat_map_insert(compare.flat_map, at, wrong));
        assert_false(found_equal(&compare, store));
        assert_true(flat_map_insert(compare.flat_map, at, right));
        assert_true(found_equal(&compare, store));
        // Two wrong: their number is right, and no chunk comes twice.
        const TrnCoord beyond = {5, 0, 0};
        TrnChunk *outside;
        assert_int_equal(trn_store_insert_uniform(store, beyond, TRN_BLOCK_AIR, &outside),
                         TRN_RESULT_OK);
        assert_true(flat_map_insert(compare.flat_map, at, outside));
        assert_false(found_equal(&compare, store));
        assert_true(flat_map_insert(compare.flat_map, at, right));
        assert_int_equal(trn_store_remove(store, beyond), TRN_RESULT_OK);
        assert_true(found_equal(&compare, store));
    }

    // One chunk too many, after all others.
    const TrnCoord beyond = {4, 1, 0};
    assert_true(hash_baseline_insert(compare.map, beyond, wrong));
    assert_false(found_equal(&compare, store));
    hash_baseline_remove(compare.map, beyond);
    assert_int_equal(trn_spatial_array_insert(compare.array, beyond, &wrong), TRN_RESULT_OK);
    assert_false(found_equal(&compare, store));
    gather_compare_free(&compare);
    trn_store_destroy(store);
}

static void a_frame_that_asks_a_wrong_map_is_seen(void **state)
{
    (void)state;
    GatherCompare compare;
    TrnStore *store = make_compare(&compare);
    const TrnCoord at = {4, 0, 0}, other = {0, 0, 0};
    assert_true(found_equal(&compare, store));
    for (int who = GATHER_INDEX; who < GATHER_CHOICES; who++) {
        if (gather_compare_use(&compare, (GatherContender)who)) {
            assert_true(found_equal(&compare, store));
        }
    }
    assert_int_equal(compare.used, GATHER_MAP);
    assert_true(hash_baseline_insert(compare.map, at, trn_store_find(store, other)));
    assert_false(found_equal(&compare, store));
    gather_compare_free(&compare);
    trn_store_destroy(store);
}

static void a_chunk_that_nobody_was_told_of_is_seen(void **state)
{
    (void)state;
    GatherCompare compare;
    TrnStore *store = make_compare(&compare);
    trn_store_remove(store, (TrnCoord){0, 0, 0});
    gather_compare_note(&compare, (TrnCoord){0, 0, 0}, NULL);
    assert_int_equal(trn_store_insert_uniform(store, (TrnCoord){0, 0, 0}, TRN_BLOCK_AIR, NULL),
                     TRN_RESULT_OK);
    assert_false(found_equal(&compare, store));
    gather_compare_free(&compare);
    trn_store_destroy(store);
}

// ---- drawing ------------------------------------------------------------------------------------

/// A store of a few chunks with a quad of each kind and face.
static TrnStore *make_quads(TrnChunk **chunks, int count)
{
    TrnStoreDef def = trn_store_def();
    def.user_bytes = sizeof(ChunkView);
    TrnStore *store;
    assert_int_equal(trn_store_create(&def, &store), TRN_RESULT_OK);
    for (int i = 0; i < count; i++) {
        assert_int_equal(
            trn_store_insert_uniform(store, (TrnCoord){0, 0, -i}, TRN_BLOCK_AIR, &chunks[i]),
            TRN_RESULT_OK);
        ChunkView *view = chunk_view(chunks[i]);
        *view = (ChunkView){.run = {(uint32_t)i, 1}};
        for (uint32_t group = 0; group <= TRN_MESH_GROUP_COUNT; group++) {
            view->first[group] = group - (group > TRN_MESH_PLANTS); // no plants
        }
    }
    return store;
}

static void faces_that_look_away_are_left_out_and_near_chunks_come_first(void **state)
{
    (void)state;
    TrnChunk *chunks[3];
    TrnStore *store = make_quads(chunks, 3);
    DrawList list = {0};
    const DrawRanges *opaque = &list.surfaces[TRN_MESH_SURFACE_OPAQUE];
    const DrawRanges *transparent = &list.surfaces[TRN_MESH_SURFACE_TRANSPARENT];
    CameraView view;
    Camera camera = camera_in((TrnCoord){0, 0, 1}, 0, 0); // looks along the row of chunks
    camera_view(&camera, 640, 480, 640, &view);
    assert_true(draw_list_build(&list, &view, chunks, 3));
    assert_int_equal(list.chunk_count, 3);
    // All faces except those towards -z: not one range of five quads, but 0..3 and 5.
    assert_int_equal(opaque->used, 6);
    assert_int_equal(opaque->first[0], 0);
    assert_int_equal(opaque->count[0], 4 * 6);
    assert_int_equal(opaque->first[1], 5 * 6);
    assert_int_equal(opaque->count[1], 6);
    assert_int_equal(opaque->first[2], QUAD_PAGE_QUADS * 6);
    assert_int_equal(transparent->used, 3);
    assert_int_equal(transparent->first[0], 6 * 6);
    assert_int_equal(transparent->count[0], 6 * 6);
    assert_int_equal(transparent->first[2], (2 * QUAD_PAGE_QUADS + 6) * 6);
    assert_int_equal(list.quads, 3 * (5 + 6));

    camera.yaw = 180;
    camera_view(&camera, 640, 480, 640, &view);
    assert_true(draw_list_build(&list, &view, chunks, 3));
    assert_int_equal(opaque->used + transparent->used, 0);
    draw_list_free(&list);
    trn_store_destroy(store);
}

static void plants_are_drawn_near_the_camera_alone(void **state)
{
    (void)state;
    TrnChunk *chunks[16];
    TrnStore *store = make_quads(chunks, 16);
    for (int i = 0; i < 16; i++) { // one plant of two leaves in each
        for (uint32_t group = TRN_MESH_PLANTS; group < TRN_MESH_GROUP_COUNT; group++) {
            chunk_view(chunks[i])->first[group + 1] += 2;
        }
    }
    DrawList list = {0};
    const DrawRanges *plants = &list.surfaces[TRN_MESH_SURFACE_PLANT];
    CameraView view;
    Camera camera = camera_in((TrnCoord){0, 0, 1}, 0, 0); // looks along the row of chunks
    camera_view(&camera, 640, 480, 640, &view);
    assert_true(draw_list_build(&list, &view, chunks, 16));
    assert_int_equal(list.chunk_count, 16);
    // The plants with a corner within the distance, plus or minus one.
    const size_t near = (size_t)(DRAW_PLANTS_DISTANCE / TRN_CHUNK_EDGE);
    assert_in_range(plants->used, near, near + 1);
    for (size_t i = 0; i < plants->used; i++) {
        assert_int_equal(plants->first[i], (i * QUAD_PAGE_QUADS + TRN_MESH_PLANTS) * 6);
        assert_int_equal(plants->count[i], 2 * 6);
    }
    draw_list_free(&list);
    trn_store_destroy(store);
}

static void inside_a_chunk_all_its_faces_are_drawn(void **state)
{
    (void)state;
    TrnChunk *chunk;
    TrnStore *store = make_quads(&chunk, 1);
    DrawList list = {0};
    const DrawRanges *opaque = &list.surfaces[TRN_MESH_SURFACE_OPAQUE];
    static const float places[] = {0.5f, 4, 16, 28, 31.5f};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        Camera camera = camera_in((TrnCoord){0, 0, 0}, 0, 0);
        for (int axis = 0; axis < 3; axis++) {
            camera.position.offset[axis] = places[i];
        }
        CameraView view;
        camera_view(&camera, 640, 480, 640, &view);
        assert_true(draw_list_build(&list, &view, &chunk, 1));
        assert_int_equal(opaque->used, 1);
        assert_int_equal(opaque->count[0], TRN_FACE_COUNT * 6);
    }
    draw_list_free(&list);
    trn_store_destroy(store);
}

static void percentiles_are_of_nearest_rank(void **state)
{
    (void)state;
    Samples samples = {0};
    assert_true(samples_percentile(&samples, 50) == 0);
    for (int i = 100; i >= 1; i--) {
        assert_true(samples_add(&samples, i));
    }
    assert_true(samples_percentile(&samples, 0) == 1);
    assert_true(samples_percentile(&samples, 50) == 50);
    assert_true(samples_percentile(&samples, 95) == 95);
    assert_true(samples_percentile(&samples, 100) == 100);
    samples_free(&samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_read),
        cmocka_unit_test(no_options_are_the_defaults),
        cmocka_unit_test(the_view_is_never_higher_than_wide),
        cmocka_unit_test(pictures_are_wanted_of_the_frames_that_are_named),
        cmocka_unit_test(a_recording_says_what_the_command_line_does_not),
        cmocka_unit_test(every_bad_option_is_named_in_its_message),
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
        cmocka_unit_test(chunks_in_front_are_kept_and_behind_dropped),
        cmocka_unit_test(nothing_in_the_picture_is_culled),
        cmocka_unit_test(the_rays_of_the_corners_are_the_corners),
        cmocka_unit_test(just_below_a_chunk_border_is_inside_the_chunk),
        cmocka_unit_test(a_camera_stands_in_its_chunk_and_stops_at_the_end),
        cmocka_unit_test(pages_agree_with_a_simple_model),
        cmocka_unit_test(pages_that_are_not_there_cannot_be_given_back),
        cmocka_unit_test(all_gathers_agree_while_chunks_come_and_go),
        cmocka_unit_test(an_answer_with_one_wrong_chunk_is_seen),
        cmocka_unit_test(a_frame_that_asks_a_wrong_map_is_seen),
        cmocka_unit_test(a_chunk_that_nobody_was_told_of_is_seen),
        cmocka_unit_test(faces_that_look_away_are_left_out_and_near_chunks_come_first),
        cmocka_unit_test(plants_are_drawn_near_the_camera_alone),
        cmocka_unit_test(inside_a_chunk_all_its_faces_are_drawn),
        cmocka_unit_test(percentiles_are_of_nearest_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

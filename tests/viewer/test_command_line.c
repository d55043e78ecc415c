/// The command line: what is read, what the rest is, and what is refused.
#include "testing.h"

#include "option_rows.h"

#include <flight/flight.h>
#include <settings/command_line.h>

static bool parse(Settings *options, Message *problem, const char *const *arguments)
{
    char *argv[24] = {(char *)"terrane-viewer"};
    int argc = 1;
    for (; arguments[argc - 1]; argc++) {
        argv[argc] = (char *)arguments[argc - 1];
    }
    return (command_line_read(options, argc, argv, problem) != OPTIONS_WRONG);
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
    assert_int_equal(settings_view_height(&options), settings_detail_distance(&options));
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
            assert_true(command_line_wants_picture(&options, cases[i].wanted[j]));
            assert_false(command_line_wants_picture(&options, cases[i].others[j]));
        }
        assert_int_equal(command_line_picture_behind(&options, 60), cases[i].behind);
    }
    const Settings none = settings_default();
    assert_false(command_line_wants_picture(&none, 0));
    assert_int_equal(command_line_picture_behind(&none, 60), -1);
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
                              .view_height = 3,
                              .land_version = TRN_TERRAIN_VERSION_OLDEST}};
    const char *const nothing[] = {"--headless", NULL};
    assert_true(parse(&options, &problem, nothing));
    assert_true(command_line_take_flight(&options, "a", &flight, &problem));
    assert_true(options.seed == 99);
    assert_int_equal(options.land_version, TRN_TERRAIN_VERSION_OLDEST);
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
    assert_true(command_line_take_flight(&options, "a", &flight, &problem));
    assert_memory_equal(&options, &before, sizeof before);

    strcpy(flight.head.preset, "moon");
    assert_true(parse(&options, &problem, nothing));
    assert_false(command_line_take_flight(&options, "a.flight", &flight, &problem));
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
        {"--nothing", NULL, "the nearest is '--"},
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
        {"--view-distance", "513", "--view-distance"},
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
        {"--headless", "-zz", "no option '-zz'"},
        {"--headless", "-z", "no option '-z';"},
        {"-frames", NULL, "no option '-frames'; did you mean '--frames'?"},
        {"--headless", "--frame5", "no option '--frame5'; did you mean '--frames'?"},
        {"--headless=yes", NULL, "--headless=yes"},
        {"extra.flight", NULL, "extra.flight"},
        {"terrane://", NULL, "This link cannot be read"},
        {"terrane://flat/1/\x01\xFF", NULL, "This link cannot be read"},
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
        {"--settings=a.ini", "--benchmark=a", "--benchmark reads no settings"},
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

static void a_link_needs_no_option(void **state)
{
    (void)state;
    Settings options;
    Message problem = {""};
    const char *const arguments[] = {"terrane://islands/42/1,2,3,4,5/6", "--frame-limit", "20",
                                     NULL};
    assert_true(parse(&options, &problem, arguments));
    assert_true(options.placed && options.has_seed && options.seed == 42);
    assert_true(options.at[4] == 5 && options.hours == 6);
    assert_string_equal(options.choice.preset, "islands");
    assert_int_equal(options.frame_limit, 20);
}

static void every_mistake_in_every_row_has_a_way_out(void **state)
{
    (void)state;
    Settings settings = settings_default();
    option_rows_check(&VIEWER, VIEWER.alone, &settings);
}

static void every_line_of_the_help_fits_the_terminal(void **state)
{
    (void)state;
    static char text[65536];
    FILE *stream = tmpfile();
    assert_non_null(stream);
    options_print_help(stream, &VIEWER, NULL);
    rewind(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    (void)fclose(stream);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        if (strcspn(line, "\n") > OPTIONS_HELP_WIDTH) {
            fail_msg("too wide: %.120s", line);
        }
    }
    for (const Option *row = SETTINGS; row->name; row++) {
        char name[OPTION_NAME_BYTES];
        option_name(row, name);
        assert_true(!option_is_on_line(row) || strstr(text, name) != NULL);
    }
}

static void help_and_version_have_letters(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        OptionsAsk ask;
    } cases[] = {{"-h", OPTIONS_HELP},
                 {"--help", OPTIONS_HELP},
                 {"-V", OPTIONS_VERSION},
                 {"--version", OPTIONS_VERSION},
                 {"--print-manual", OPTIONS_MANUAL},
                 {"--print-completion", OPTIONS_COMPLETION}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Settings settings;
        Message problem;
        char *argv[] = {(char *)"terrane-viewer", (char *)cases[i].word};
        assert_int_equal(command_line_read(&settings, 2, argv, &problem), cases[i].ask);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_in_every_row_has_a_way_out),
        cmocka_unit_test(every_line_of_the_help_fits_the_terminal),
        cmocka_unit_test(help_and_version_have_letters),
        cmocka_unit_test(options_are_read),
        cmocka_unit_test(a_link_needs_no_option),
        cmocka_unit_test(no_options_are_the_defaults),
        cmocka_unit_test(the_view_is_never_higher_than_wide),
        cmocka_unit_test(pictures_are_wanted_of_the_frames_that_are_named),
        cmocka_unit_test(a_recording_says_what_the_command_line_does_not),
        cmocka_unit_test(every_bad_option_is_named_in_its_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

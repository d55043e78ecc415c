/// Progress on a terminal, and the command line of terrane map.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <unistd.h>

#include <terrane/terrain.h>

#include <commands.h>
#include <map.h>
#include <options_run.h>
#include <progress.h>

typedef struct Fixture {
    Place place;
} Fixture;

static int make_fixture(void **state)
{
    Fixture *fixture = calloc(1, sizeof *fixture);
    *state = fixture;
    return fixture && place_begin(&fixture->place) ? 0 : -1;
}

static int free_fixture(void **state)
{
    Fixture *fixture = *state;
    const bool is_empty = place_end(&fixture->place); // no test may leave a file in it
    free(fixture);
    return is_empty ? 0 : -1;
}

// ---- progress -----------------------------------------------------------------------------------

static void progress_is_silent_for_a_second(void **state)
{
    (void)state;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_null(progress_start(stream, "work", 10).stream); // a file is not a terminal
    Progress progress = {.stream = stream, .name = "work", .total = 1000};
    progress_step_at(&progress, 0.9e6);
    assert_int_equal(ftell(stream), 0);
    progress.done = 99;
    progress_step_at(&progress, 10e6);
    const long first = ftell(stream);
    progress_step_at(&progress, 10.1e6); // too soon for another line
    assert_int_equal(ftell(stream), first);
    progress_end(&progress);
    progress_end(&progress); // ends only once
    char text[128];
    rewind(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    assert_string_equal(text, "\rwork: 10 %, 1 min 30 s left\33[K\r\33[K");
    fclose(stream);
}

// ---- options ------------------------------------------------------------------------------------

static OptionsAsk fill(MapOptions *options, int argc, char **argv, Message *problem)
{
    return options_fill(&TERRANE, &MAP_COMMAND, options, argc, argv, problem);
}

static void options_are_read_and_defaults_fill_the_rest(void **state)
{
    (void)state;
    char *argv[] = {"map",     "--seed",  "0x10", "--center", "-5,7",    "--size",
                    "300x200", "--scale", "3",    "--out",    "a/b.png", NULL};
    MapOptions options;
    Message problem = {""};
    assert_int_equal(fill(&options, 11, argv, &problem), OPTIONS_RUN);
    assert_int_equal(options.seed, 16);
    assert_int_equal(options.plan.center_x, -5);
    assert_int_equal(options.plan.center_z, 7);
    assert_int_equal(options.plan.width, 300);
    assert_int_equal(options.plan.height, 200);
    assert_int_equal(options.plan.scale, 3);
    assert_false(options.plan.is_section);
    assert_string_equal(options.out, "a/b.png");
    char *section[] = {"map", "--section", "--height", "-100", NULL};
    assert_int_equal(fill(&options, 4, section, &problem), OPTIONS_RUN);
    assert_true(options.plan.is_section);
    assert_int_equal(options.plan.center_y, -100);
    assert_int_equal(options.plan.width, 1024);
    assert_int_equal(options.plan.height, 512);
    assert_int_equal(options.seed, trn_terrain_def().seed);
    const TrnTerrainShape normal = trn_terrain_shape_default();
    assert_memory_equal(&options.shape, &normal, sizeof normal);
}

static void a_preset_or_a_file_gives_the_land_its_shape(void **state)
{
    const Fixture *fixture = *state;
    MapOptions options;
    Message problem = {""};
    TrnTerrainShape flat;
    assert_int_equal(trn_terrain_shape_preset("flat", &flat), TRN_RESULT_OK);
    char *preset[] = {"map", "--preset", "flat", NULL};
    assert_int_equal(fill(&options, 3, preset, &problem), OPTIONS_RUN);
    assert_memory_equal(&options.shape, &flat, sizeof flat);

    char path[PLACE_PATH];
    place_path(&fixture->place, "mine.terrain", path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("terrane-terrain 1\ncaves = 0.25\n", file);
    fclose(file);
    char *own[] = {"map", "--terrain", path, NULL};
    assert_int_equal(fill(&options, 3, own, &problem), OPTIONS_RUN);
    assert_int_equal(unlink(path), 0);
    TrnTerrainShape expected = trn_terrain_shape_default();
    expected.caves = 0.25f;
    assert_memory_equal(&options.shape, &expected, sizeof expected);
    // Help is printed even if other arguments are wrong.
    char *help[] = {"map", "--terrain", path, "--preset", "mars", "--help", NULL};
    assert_int_equal(fill(&options, 6, help, &problem), OPTIONS_HELP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_is_silent_for_a_second),
        cmocka_unit_test(options_are_read_and_defaults_fill_the_rest),
        cmocka_unit_test(a_preset_or_a_file_gives_the_land_its_shape),
    };
    return cmocka_run_group_tests(tests, make_fixture, free_fixture);
}

/// The viewer as a program that records, plays and reports, on a virtual display. TERRANE_VIEWER is
/// the program's path. Run by with_display.sh.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <signal.h>
#include <unistd.h>

#include <series/series.h>

static void expect_code(Place *place, const char *before, const char *arguments, int code)
{
    const char *viewer = getenv("TERRANE_VIEWER");
    char command[1024];
    assert_non_null(viewer);
    snprintf(command, sizeof command, "cd '%s' && %s '%s' %s 2>&1", place->folder, before, viewer,
             arguments);
    const int got = place_run(place, command);
    if (got != code) {
        fail_msg("'%s' ended with %d, not %d: %s", arguments, got, code, place->text);
    }
}

/// Runs a command in the folder. @return whether its exit code is 0
static bool check(Place *place, const char *words)
{
    char command[1024];
    snprintf(command, sizeof command, "cd '%s' && %s 2>&1", place->folder, words);
    return place_run(place, command) == 0;
}

/// Reads a CSV without its times and its memory, of which each worker takes some. @return the text;
/// free it
static char *read_facts(const Place *place, const char *name)
{
    char path[128], line[2048];
    char *facts = calloc(1, 1 << 20);
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    FILE *file = fopen(path, "r");
    assert_non_null(facts);
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        const char *at = strchr(line, ',');
        for (int i = 0; i < SERIES_COUNT; i++) {
            assert_non_null(at);
            const char *end = at + 1 + strcspn(at + 1, ",\n");
            if (!series_info((Series)i).is_time && i != SERIES_BYTES) {
                assert_true(length < (1 << 20) - 2048);
                length += (size_t)sprintf(facts + length, "%.*s", (int)(end - at), at);
            }
            at = end;
        }
        length += (size_t)sprintf(facts + length, "\n");
    }
    fclose(file);
    return facts;
}

static const char DIGGING[] = "terrane-flight 2\nseed 13\npreset default\nview-distance 4\n"
                              "key 0 80 46 360.5 90 -10\nkey 0.3 110 44 360.5 90 -10\n"
                              "key 0.5 112 44 360.5 70 -10\n"
                              "edit 0.05 dig ball 122 42 360 6\nmore 0.1 dig ball 127 42 360 6\n"
                              "edit 0.2 build terrane:stone box 116 44 355 116 48 365\n"
                              "edit 0.3 replace terrane:stone terrane:ice ball 116 46 360 2\n"
                              "edit 0.35 undo\nedit 0.4 redo\nend\n";
#define FLY "--headless --size 96x64 "

static void a_recording_is_the_same_every_time_but_for_times(void **state)
{
    Place *place = *state;
    static const char *const workers[] = {"1", "0", "4"};
    char arguments[200], name[16];
    place_write(place, "digging.flight", DIGGING);
    char *first = NULL;
    for (int i = 0; i < 3; i++) {
        snprintf(arguments, sizeof arguments,
                 FLY "--flight digging.flight --workers %s --out same-%d --csv same-%d.csv "
                     "--record same-%d.flight --pictures 0,12,30",
                 workers[i], i, i, i);
        expect_code(place, "", arguments, 0);
        assert_non_null(strstr(place->text, "flight of 31 frames"));
        assert_non_null(strstr(place->text, "p99.9"));
        assert_null(strstr(place->text, "changed nothing"));
        snprintf(name, sizeof name, "same-%d.csv", i);
        char *facts = read_facts(place, name);
        if (first) {
            assert_string_equal(facts, first);
            free(facts);
        } else {
            first = facts;
        }
    }
    free(first);
    assert_true(check(place, "ls same-0 | tr '\\n' ' '"));
    assert_string_equal(place->text, "flight.png frame-00000.png frame-00012.png frame-00030.png ");
    assert_true(check(place, "diff -r same-0 same-1 && diff -r same-0 same-2 && "
                             "cmp same-0.flight same-1.flight && cmp same-0.flight same-2.flight"));
}

static void what_was_recorded_flies_like_what_it_was_recorded_from(void **state)
{
    Place *place = *state;
    place_write(place, "digging.flight", DIGGING);
    expect_code(place, "",
                FLY "--flight digging.flight --out from --csv from.csv --record from.flight "
                    "--pictures every=10",
                0);
    assert_non_null(strstr(place->text, "Recorded 0.5 s, 31 keys and 6 edits in from.flight"));
    expect_code(place, "",
                FLY "--flight from.flight --out again --csv again.csv --pictures every=10", 0);
    assert_true(check(place, "diff -r from again && ls again | wc -l"));
    assert_int_equal(atoi(place->text), 5);
    char *from = read_facts(place, "from.csv"), *again = read_facts(place, "again.csv");
    assert_string_equal(from, again);
    free(from);
    free(again);
}

static void edits_are_seen_in_the_picture(void **state)
{
    Place *place = *state;
    place_write(place, "digging.flight", DIGGING);
    expect_code(place, "", FLY "--flight digging.flight --out dug", 0);
    assert_true(check(place, "grep -v -e edit -e more digging.flight > still.flight"));
    expect_code(place, "", FLY "--flight still.flight --out still", 0);
    assert_false(check(place, "cmp dug/flight.png still/flight.png"));
}

static void another_land_than_the_recorded_one_is_told(void **state)
{
    Place *place = *state;
    place_write(place, "digging.flight", DIGGING);
    expect_code(place, "", FLY "--flight digging.flight --out land --record land.flight", 0);
    assert_null(strstr(place->text, "does not fit"));
    expect_code(place, "", FLY "--flight land.flight --seed 4 --out land", 0);
    assert_non_null(strstr(place->text, "terrane-viewer: The flight does not fit this land: it was "
                                        "recorded over seed 13, not 4.\n"));
}

static void wrong_recordings_end_with_2_and_name_their_line(void **state)
{
    Place *place = *state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"terrane-flight 4\nkey 0 0 0 0 0 0\nend\n",
         "bad.flight, line 1: the flight is of a newer"},
        {"terrane-flight 2\nkey 0 0 0 0 0 0\n", "bad.flight, line 2: the recording was cut off"},
        {"terrane-flight 2\npreset moon\nkey 0 0 0 0 0 0\nend\n", "There is no preset 'moon'"},
        {"terrane-flight 2\nkey 0 0 0 0 0 0\nedit 0 dig ball 0 0 0 1e9\nend\n", "line 3: a ball"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        place_write(place, "bad.flight", cases[i].text);
        expect_code(place, "", FLY "--flight bad.flight --out bad", 2);
        assert_non_null(strstr(place->text, cases[i].words));
    }
    assert_false(check(place, "test -e bad"));
    place_write(place, "bad.flight",
                "terrane-flight 2\nkey 0 0 60 0 0 0\nedit 0 build no:thing ball 0 0 0 1\nend\n");
    expect_code(place, "", FLY "--view-distance 2 --flight bad.flight --out bad", 1);
    assert_non_null(strstr(place->text, "bad.flight, line 3: there is no block no:thing"));
}

static void places_that_cannot_be_written_are_told_before_flying(void **state)
{
    Place *place = *state;
    static const char *const cases[] = {"--csv no/such/a.csv", "--csv /proc/a.csv",
                                        "--record no/such/a.flight", "--record /dev/full"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, FLY "--view-distance 2 --frames 2 --out early %s",
                 cases[i]);
        expect_code(place, "", arguments, 1);
        assert_non_null(strstr(place->text, strchr(cases[i], ' ') + 1));
        assert_null(strstr(place->text, "flight of"));
    }
    expect_code(place, "", "--benchmark no/such/folder", 1);
    expect_code(place, "", "--benchmark /proc/terrane", 1);
    assert_null(strstr(place->text, "frames"));
}

static void a_benchmark_leaves_a_page_that_is_well_formed(void **state)
{
    Place *place = *state;
    static const char well_formed[] =
        "python3 -c \"import xml.dom.minidom as m; d = m.parse('%s/report.html'); "
        "print(len(d.getElementsByTagName('h2')), len(d.getElementsByTagName('img')), "
        "len(d.getElementsByTagName('a')))\"";
    char command[400];
    const bool has_gnuplot = check(place, "command -v gnuplot");
    expect_code(place, "", "--benchmark page --frames 8 --size 96x64 --view-distance 3", 0);
    assert_non_null(strstr(place->text, "flight 5 of 5, digging: 8 frames"));
    assert_non_null(strstr(place->text, "Wrote page/report.html"));
    assert_true(check(place, "wc -l < page/digging.csv"));
    assert_int_equal(atoi(place->text), 9);
    assert_true(check(place, "test -e page/first.gnuplot && ! ls -a page | grep terrane-"));
    if (check(place, "python3 --version")) {
        snprintf(command, sizeof command, well_formed, "page");
        assert_true(check(place, command));
        assert_string_equal(place->text, has_gnuplot ? "5 35 5\n" : "5 15 5\n");
    }
    // A single flight, without gnuplot: still the page and the CSV.
    place_write(place, "digging.flight", DIGGING);
    expect_code(place, "mkdir empty && env PATH=empty",
                "--benchmark alone --flight digging.flight --frames 8 --size 96x64", 0);
    assert_non_null(strstr(place->text, "gnuplot was not installed"));
    assert_true(check(place, "grep -q 'gnuplot was not installed' alone/report.html && "
                             "test -e alone/flight.csv && ! test -e alone/flight-times.svg"));
}

static void an_interrupted_flight_leaves_no_recording(void **state)
{
    Place *place = *state;
    expect_code(place, "timeout --preserve-status -s INT 3",
                FLY "--frames 100000 --view-distance 3 --out stopped --csv stopped/a.csv "
                    "--record stopped/a.flight",
                128 + SIGINT);
    assert_true(check(place, "ls -A stopped | wc -l"));
    assert_int_equal(atoi(place->text), 0);
}

static void a_recording_in_a_window_is_kept_when_that_is_interrupted(void **state)
{
    Place *place = *state;
    expect_code(place, "mkdir hand && timeout --preserve-status -s INT 6",
                "--size 64x64 --view-distance 2 --record hand/a.flight", 128 + SIGINT);
    assert_non_null(strstr(place->text, "Recorded "));
    assert_true(check(place, "tail -1 hand/a.flight && ls -A hand | wc -l"));
    assert_string_equal(place->text, "end\n1\n");
    expect_code(place, "", FLY "--flight hand/a.flight --out hand", 0);
}

int main(void)
{
    signal(SIGINT, SIG_DFL); // who ignores it hands that on
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_is_the_same_every_time_but_for_times),
        cmocka_unit_test(what_was_recorded_flies_like_what_it_was_recorded_from),
        cmocka_unit_test(edits_are_seen_in_the_picture),
        cmocka_unit_test(another_land_than_the_recorded_one_is_told),
        cmocka_unit_test(wrong_recordings_end_with_2_and_name_their_line),
        cmocka_unit_test(places_that_cannot_be_written_are_told_before_flying),
        cmocka_unit_test(a_benchmark_leaves_a_page_that_is_well_formed),
        cmocka_unit_test(an_interrupted_flight_leaves_no_recording),
        cmocka_unit_test(a_recording_in_a_window_is_kept_when_that_is_interrupted),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}

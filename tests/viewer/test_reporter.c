/// Making the report beside the start screen, with scripts in place of the viewer.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <start/reporter.h>

#include <sys/stat.h>
#include <time.h>

static void pause_shortly(void)
{
    const struct timespec time = {.tv_nsec = 5000000};
    (void)nanosleep(&time, NULL);
}

static const char *make_script(const Place *place, const char *text, char path[PLACE_PATH])
{
    place_write(place, "viewer", text);
    place_path(place, "viewer", path);
    assert_int_equal(chmod(path, 0700), 0);
    return path;
}

static Reporter *begin(const Place *place, const char *text)
{
    char path[PLACE_PATH];
    Message problem;
    Reporter *reporter = reporter_begin(make_script(place, text, path), place->folder, &problem);
    assert_non_null(reporter);
    return reporter;
}

static void await(Reporter *reporter, float part)
{
    for (int i = 0; i < 4000; i++) {
        const ReporterNow now = reporter_now(reporter);
        if (now.part >= part) {
            return;
        }
        pause_shortly();
    }
    fail_msg("no progress to %g", (double)part);
}

static void await_end(Reporter *reporter)
{
    for (int i = 0; i < 4000 && !reporter_now(reporter).has_ended; i++) {
        pause_shortly();
    }
    assert_true(reporter_now(reporter).has_ended);
}

static void progress_is_read_and_the_end_is_good(void **state)
{
    Message problem;
    Reporter *reporter =
        begin(*state, "#!/bin/sh\n"
                      "[ \"$1\" = --benchmark ] && [ -d \"$2\" ] || exit 2\n"
                      "echo 'terrane-viewer: flight 1 of 4, first: 600 frames' >&2\n"
                      "printf 'terrane-viewer: flight 2 of 4, ca' >&2; sleep 0.2\n"
                      "echo 'ves: frame 300 of 600' >&2\n"
                      "echo out; sleep 0.3\n"
                      "echo 'terrane-viewer: flight 4 of 4, walk: frame 600 of 600' >&2\n");
    assert_true(reporter_now(reporter).part == 0);
    await(reporter, 0.375f);
    assert_string_equal(reporter_now(reporter).at, "flight 2 of 4, caves: frame 300 of 600");
    await_end(reporter);
    assert_true(reporter_now(reporter).part == 1);
    assert_true(reporter_end(reporter, &problem));
}

static void a_failure_says_why(void **state)
{
    Message problem;
    Reporter *reporter = begin(*state, "#!/bin/sh\n"
                                       "echo 'terrane-viewer: the disk is full.' >&2\nexit 1\n");
    await_end(reporter);
    assert_false(reporter_end(reporter, &problem));
    assert_string_equal(problem.text, "The report could not be made. the disk is full.");
}

static void it_can_be_stopped(void **state)
{
    Place *place = *state;
    Message problem;
    Reporter *reporter = begin(place, "#!/bin/sh\n"
                                      "trap 'echo gone >\"$2/gone\"; exit 1' TERM\n"
                                      "echo 'v: flight 1 of 1, a: frame 1 of 2' >&2\n"
                                      "while true; do sleep 0.05; done\n");
    await(reporter, 0.5f);
    reporter_stop(reporter);
    assert_string_equal(reporter_now(reporter).at, "stopping");
    await_end(reporter);
    assert_false(reporter_end(reporter, &problem));
    assert_string_equal(problem.text, "Stopped; there is no new report.");
    char path[PLACE_PATH];
    struct stat status;
    assert_int_equal(stat(place_path(place, "gone", path), &status), 0);
}

static void nonsense_is_no_progress(void **state)
{
    Message problem;
    Reporter *reporter = begin(*state, "#!/bin/sh\n"
                                       "echo 'v: flight 9 of 4, a: frame 1 of 2' >&2\n"
                                       "echo 'v: flight 1 of 4, a: frame 3 of 2' >&2\n"
                                       "echo 'v: flight -1 of 0, a: frame 3 of 2' >&2\n"
                                       "head -c 100000 /dev/urandom >&2\n"
                                       "head -c 100000 /dev/zero >&2\necho >&2; exit 3\n");
    await_end(reporter);
    assert_true(reporter_now(reporter).part == 0);
    assert_false(reporter_end(reporter, &problem));
}

static void a_program_that_is_not_there_makes_no_report(void **state)
{
    (void)state;
    Message problem;
    Reporter *reporter = reporter_begin("/nowhere/viewer", "/tmp", &problem);
    if (reporter) {
        await_end(reporter);
        assert_false(reporter_end(reporter, &problem));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(progress_is_read_and_the_end_is_good, place_clear),
        cmocka_unit_test_setup(a_failure_says_why, place_clear),
        cmocka_unit_test_setup(it_can_be_stopped, place_clear),
        cmocka_unit_test_setup(nonsense_is_no_progress, place_clear),
        cmocka_unit_test(a_program_that_is_not_there_makes_no_report),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}

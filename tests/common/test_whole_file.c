/// Files that appear complete or not at all (common/whole_file.h).
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>

#include "interrupt.h"
#include "whole_file.h"

static void write_text(WholeFile *whole, const char *text)
{
    assert_true(fputs(text, whole->file) >= 0);
}

static void expect_text(const char *path, const char *expected)
{
    char text[64];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

/// Opens a file in another process, which is then killed and leaves its temporary file.
static void open_and_be_killed(const char *path)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        WholeFile whole;
        if (whole_file_open(&whole, path) == 0) {
            raise(SIGKILL);
        }
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

static void a_file_appears_when_it_is_finished(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    WholeFile whole;
    place_write(place, "a", "old");
    assert_int_equal(whole_file_open(&whole, place_path(place, "a", path)), 0);
    write_text(&whole, "new");
    expect_text(path, "old");
    assert_int_equal(whole_file_finish(&whole), 0);
    expect_text(path, "new");
    assert_int_equal(whole_file_open(&whole, path), 0);
    write_text(&whole, "dropped");
    whole_file_drop(&whole);
    expect_text(path, "new");
    assert_int_equal(place_count(place), 1);
    assert_int_equal(unlink(path), 0);
}

/// A browser's C library says that the mask is 0777.
static void its_owner_can_read_a_file_whatever_the_mask(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    WholeFile whole;
    struct stat status;
    const mode_t before = umask(0777);
    assert_int_equal(whole_file_open(&whole, place_path(place, "a", path)), 0);
    write_text(&whole, "text");
    assert_int_equal(whole_file_finish(&whole), 0);
    umask(before);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(unlink(path), 0);
}

static void opening_removes_what_a_killed_program_left(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    place_path(place, "a", path);
    open_and_be_killed(path);
    assert_int_equal(place_count(place), 1);
    open_and_be_killed(path); // removes the first
    assert_int_equal(place_count(place), 1);
    assert_int_equal(whole_file_try_folder(place->folder), 0);
    assert_int_equal(place_count(place), 0);
}

static void opening_leaves_files_of_running_programs(void **state)
{
    Place *place = *state;
    char path_a[PLACE_PATH], path_b[PLACE_PATH];
    WholeFile a, b;
    assert_int_equal(whole_file_open(&a, place_path(place, "a", path_a)), 0);
    write_text(&a, "first");
    assert_int_equal(whole_file_open(&b, place_path(place, "b", path_b)), 0);
    write_text(&b, "second");
    open_and_be_killed(path_a);
    assert_int_equal(place_count(place), 3);
    assert_int_equal(whole_file_finish(&a), 0);
    assert_int_equal(whole_file_finish(&b), 0);
    expect_text(path_a, "first");
    expect_text(path_b, "second");
    assert_int_equal(unlink(path_a) | unlink(path_b), 0);
    assert_int_equal(whole_file_try_folder(place->folder), 0);
    assert_int_equal(place_count(place), 0);
}

static void files_of_other_names_stay(void **state)
{
    Place *place = *state;
    static const char *const names[] = {".terrane-abcdef", ".terrane-tmp-", ".terrane-tmp-abc",
                                        ".terrane-tmp-abcdefg", "terrane-tmp-abcdef"};
    const int count = sizeof names / sizeof names[0];
    for (int i = 0; i < count; i++) {
        place_write(place, names[i], "mine");
    }
    char path[PLACE_PATH];
    assert_int_equal(mkdir(place_path(place, ".terrane-tmp-folder", path), 0700), 0);
    assert_int_equal(whole_file_try_folder(place->folder), 0);
    assert_int_equal(place_count(place), count + 1);
    assert_int_equal(rmdir(path), 0);
    for (int i = 0; i < count; i++) {
        assert_int_equal(unlink(place_path(place, names[i], path)), 0);
    }
}

static void places_that_take_no_file_are_refused(void **state)
{
    Place *place = *state;
    static const struct {
        const char *path;
        int error;
    } cases[] = {{"/", EISDIR}, {"/tmp", EISDIR}, {"/no/such/a", ENOENT}, {"/dev/null/a", ENOTDIR}};
    WholeFile whole;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(whole_file_open(&whole, cases[i].path), cases[i].error);
    }
    assert_int_equal(whole_file_try_folder("/no/such"), ENOENT);
    assert_int_equal(place_count(place), 0);
}

static void a_signal_ends_the_wait_for_a_pipes_reader(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    Message problem;
    assert_int_equal(mkfifo(place_path(place, "pipe", path), 0600), 0);
    interrupt_watch();
    const pid_t test = getpid(), child = fork();
    assert_true(child >= 0);
    if (child == 0) { // more than once: on a busy machine the first may come too early
        for (int i = 0; i < 9; i++) {
            const struct timespec wait = {.tv_nsec = 200000000};
            nanosleep(&wait, NULL);
            kill(test, SIGINT);
        }
        _exit(0);
    }
    WholeFile whole;
    assert_int_equal(whole_file_open(&whole, path), EINTR);
    kill(child, SIGKILL);
    assert_int_equal(interrupt_came(), SIGINT);
    assert_false(whole_file_problem(path, EINTR, &problem));
    assert_string_equal(problem.text, "Interrupted; nothing was written.");
    pid_t ended;
    while ((ended = waitpid(child, NULL, 0)) < 0 && errno == EINTR) {
    }
    assert_int_equal(ended, child);
    assert_int_equal(unlink(path), 0);
}

int main(void)
{
    signal(SIGINT, SIG_DFL); // programs started in the background ignore it
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_appears_when_it_is_finished),
        cmocka_unit_test(its_owner_can_read_a_file_whatever_the_mask),
        cmocka_unit_test(opening_removes_what_a_killed_program_left),
        cmocka_unit_test(opening_leaves_files_of_running_programs),
        cmocka_unit_test(files_of_other_names_stay),
        cmocka_unit_test(places_that_take_no_file_are_refused),
        cmocka_unit_test(a_signal_ends_the_wait_for_a_pipes_reader),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}

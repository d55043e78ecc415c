/// Files that appear complete or not at all (common/whole_file.h).
#define _DEFAULT_SOURCE // NOLINT(bugprone-reserved-identifier): chroot
#include "place.h"

#include <errno.h>
#include <fcntl.h>
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

/// A file that gets the name while a new one is written stays.
static void a_new_file_replaces_none(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    WholeFile whole;
    assert_int_equal(whole_file_open(&whole, place_path(place, "a", path)), 0);
    write_text(&whole, "new");
    assert_int_equal(whole_file_finish_new(&whole), 0);
    expect_text(path, "new");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(whole_file_open(&whole, path), 0);
    write_text(&whole, "new");
    place_write(place, "a", "theirs");
    assert_int_equal(whole_file_finish_new(&whole), EEXIST);
    expect_text(path, "theirs");
    char other[PLACE_PATH];
    assert_int_equal(whole_file_set_path(&whole, place_path(place, "b", other)), 0);
    assert_int_equal(whole_file_finish_new(&whole), 0);
    assert_null(whole.file);
    expect_text(path, "theirs");
    expect_text(other, "new");
    assert_int_equal(place_count(place), 2);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(unlink(other), 0);
}

/// A full disk shows at the flush or at the end, however the file was written, and nothing is
/// written after the first error.
static void the_first_error_is_kept_until_the_end(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) {
        skip();
    }
    for (int way = 0; way < 3; way++) {
        WholeFile whole;
        assert_int_equal(whole_file_open(&whole, "/dev/full"), 0);
        if (way == 0) {
            whole_file_write(&whole, "text", 4);
        } else if (way == 1) {
            assert_int_equal(whole_file_print(&whole, "%s", "text"), 4);
        } else {
            fputs("text", whole.file);
        }
        assert_int_equal(whole_file_flush(&whole), ENOSPC);
        assert_int_equal(whole_file_print(&whole, "more"), 0);
        assert_int_equal(whole_file_finish(&whole), ENOSPC);
        assert_null(whole.file);
    }
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

/// What others left stays, whatever its name.
static void only_ones_own_temporary_file_is_removed(void **state)
{
    Place *place = *state;
    static const char *const names[] = {".terrane-tmp-abcdef", ".terrane-tmp-", "a.terrane-partial",
                                        ".terrane-tmp-0123456789abcdef"};
    const int count = sizeof names / sizeof names[0];
    for (int i = 0; i < count; i++) {
        place_write(place, names[i], "mine");
    }
    char path[PLACE_PATH];
    WholeFile whole;
    place_path(place, "a", path);
    open_and_be_killed(path);
    assert_int_equal(place_count(place), count + 1);
    assert_int_equal(whole_file_try_folder(place->folder), 0);
    assert_int_equal(whole_file_open(&whole, path), 0);
    assert_int_equal(whole_file_finish(&whole), 0);
    assert_int_equal(place_count(place), count + 2);
    for (int i = 0; i < count; i++) {
        expect_text(place_path(place, names[i], path), "mine");
    }
    char command[256];
    (void)snprintf(command, sizeof command, "rm '%s'/a '%s'/.terrane* '%s'/a.*", place->folder,
                   place->folder, place->folder);
    assert_int_equal(place_run(place, command), 0);
}

static void expect_link(const char *path)
{
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

/// Writes a text to a path.
static void write_whole(const char *path, const char *text)
{
    WholeFile whole;
    assert_int_equal(whole_file_open(&whole, path), 0);
    write_text(&whole, text);
    assert_int_equal(whole_file_finish(&whole), 0);
}

static void links_are_followed_and_stay(void **state)
{
    Place *place = *state;
    char folder[PLACE_PATH], target[PLACE_PATH], links[4][PLACE_PATH];
    assert_int_equal(mkdir(place_path(place, "far", folder), 0700), 0);
    (void)place_path(place, "far/a", target);
    assert_int_equal(symlink("far/a", place_path(place, "relative", links[0])), 0);
    assert_int_equal(symlink(target, place_path(place, "absolute", links[1])), 0);
    assert_int_equal(symlink("relative", place_path(place, "second", links[2])), 0);
    assert_int_equal(symlink("../relative", place_path(place, "far/back", links[3])), 0);
    for (int i = 0; i < 4; i++) { // at first, the links lead to no file
        char text[] = "text 0";
        text[5] = (char)('0' + i);
        write_whole(links[i], text);
        expect_text(target, text);
        expect_link(links[i]);
    }
    assert_int_equal(place_count(place), 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(unlink(links[i]), 0);
    }
    WholeFile whole;
    assert_int_equal(symlink("circle", place_path(place, "circle", links[0])), 0);
    assert_int_equal(whole_file_open(&whole, links[0]), ELOOP);
    assert_int_equal(unlink(links[0]) | unlink(target) | rmdir(folder), 0);
}

/// Writes to names of this process's output, which is a file, in a root that has no /proc.
static void write_to_output(const Place *place)
{
    static const char *const names[] = {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/link"};
    WholeFile whole;
    const bool is_in_place = chroot(place->folder) == 0 && chdir("/") == 0;
    for (int i = 0; is_in_place && i < 4; i++) {
        if (whole_file_open(&whole, names[i]) != 0 || whole.temporary[0] ||
            fprintf(whole.file, "%d", i) != 1 || whole_file_finish(&whole) != 0) {
            _exit(10 + i);
        }
    }
    const bool is_refused = whole_file_open(&whole, "/dev/null") == ENOENT;
    _exit(!is_in_place ? 77 : is_refused ? 0 : 1);
}

static void output_is_never_replaced(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH], out[PLACE_PATH];
    assert_int_equal(mkdir(place_path(place, "dev", path), 0700), 0);
    assert_int_equal(symlink("/proc/self/fd/1", place_path(place, "dev/stdout", path)), 0);
    assert_int_equal(symlink("/proc/self/fd", place_path(place, "dev/fd", path)), 0);
    assert_int_equal(symlink("dev/stdout", place_path(place, "link", path)), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (!freopen(place_path(place, "out", out), "w", stdout)) {
            _exit(2);
        }
        write_to_output(place);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) != 77) { // another root takes privileges
        assert_int_equal(WEXITSTATUS(status), 0);
        expect_text(place_path(place, "out", out), "0123");
    }
    expect_link(place_path(place, "dev/stdout", path));
    char command[128];
    (void)snprintf(command, sizeof command, "cd '%s' && ls dev && rm -r dev out link",
                   place->folder);
    assert_int_equal(place_run(place, command), 0);
    assert_string_equal(place->text, "fd\nstdout\n");
}

/// With /proc, output to a file looks like the file.
static void output_to_a_file_goes_on_in_it(void **state)
{
    Place *place = *state;
    char path[PLACE_PATH];
    struct stat before, after;
    const int file = open(place_path(place, "out", path), O_RDWR | O_CREAT, 0600);
    char name[32];
    (void)snprintf(name, sizeof name, "/dev/fd/%d", file);
    assert_int_equal(fstat(file, &before), 0);
    assert_int_equal(write(file, "first ", 6), 6);
    write_whole(name, "second");
    assert_int_equal(stat(path, &after), 0);
    assert_int_equal(after.st_ino, before.st_ino);
    expect_text(path, "first second");
    assert_int_equal(close(file) | unlink(path), 0);
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
        cmocka_unit_test(a_new_file_replaces_none),
        cmocka_unit_test(the_first_error_is_kept_until_the_end),
        cmocka_unit_test(its_owner_can_read_a_file_whatever_the_mask),
        cmocka_unit_test(only_ones_own_temporary_file_is_removed),
        cmocka_unit_test(links_are_followed_and_stay),
        cmocka_unit_test(output_is_never_replaced),
        cmocka_unit_test(output_to_a_file_goes_on_in_it),
        cmocka_unit_test(places_that_take_no_file_are_refused),
        cmocka_unit_test(a_signal_ends_the_wait_for_a_pipes_reader),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}

/// What the viewer writes: pictures on disk and messages.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "testing.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <flight.h>
#include <image.h>
#include <message.h>

// ---- pictures -----------------------------------------------------------------------------------

#define EDGE 64

static char *make_folder(void)
{
    char *folder = strdup("/tmp/terrane-files-XXXXXX");
    assert_non_null(folder);
    assert_non_null(mkdtemp(folder));
    return folder;
}

/// How many things lie in a folder, hidden ones too.
static int count_files(const char *path)
{
    DIR *folder = opendir(path);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(folder);
    return count;
}

static void path_in(char path[128], const char *folder, const char *name)
{
    snprintf(path, 128, "%s/%s", folder, name);
}

static void remove_folder(char *folder)
{
    char path[128];
    path_in(path, folder, "a.png");
    unlink(path);
    rmdir(path);
    assert_int_equal(rmdir(folder), 0); // nothing else is in it
    free(folder);
}

/// Noise, which does not become small in a PNG.
static bool write_picture(const char *folder, Message *problem)
{
    static unsigned char rgb[EDGE * EDGE * 3];
    TestRandom random = {7};
    for (size_t i = 0; i < sizeof rgb; i++) {
        rgb[i] = (unsigned char)test_random_next(&random);
    }
    return image_write_png(folder, "a.png", rgb, EDGE, EDGE, problem);
}

static void check_mode(mode_t mask, mode_t mode)
{
    Message problem;
    char *folder = make_folder(), path[128];
    mode_t before = umask(mask);
    assert_true(write_picture(folder, &problem));
    umask(before);
    struct stat there;
    path_in(path, folder, "a.png");
    assert_int_equal(stat(path, &there), 0);
    assert_int_equal(there.st_mode & 0777, mode);
    assert_int_equal(count_files(folder), 1);
    remove_folder(folder);
}

static void a_picture_has_the_permissions_of_any_file(void **state)
{
    (void)state;
    check_mode(022, 0644);
    check_mode(077, 0600);
    check_mode(002, 0664);
}

static void a_picture_that_does_not_fit_leaves_nothing_behind(void **state)
{
    (void)state;
    Message problem = {""};
    char *folder = make_folder();
    struct rlimit before, little;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little = before;
    little.rlim_cur = 1024;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    bool good = write_picture(folder, &problem);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_false(good);
    assert_non_null(strstr(problem.text, "a.png"));
    assert_non_null(strstr(problem.text, "make room"));
    assert_int_equal(count_files(folder), 0);
    remove_folder(folder);
}

static void a_folder_in_the_picture_s_place_is_told_before_and_after(void **state)
{
    (void)state;
    Message problem = {""};
    char *folder = make_folder(), path[128];
    assert_true(image_prepare_folder(folder, "a.png", &problem));
    assert_int_equal(count_files(folder), 0);
    path_in(path, folder, "a.png");
    assert_int_equal(mkdir(path, 0777), 0);
    assert_false(image_prepare_folder(folder, "a.png", &problem));
    assert_non_null(strstr(problem.text, "move it away"));
    assert_false(write_picture(folder, &problem));
    assert_non_null(strstr(problem.text, "move it away"));
    assert_int_equal(count_files(folder), 1);
    remove_folder(folder);
}

// ---- messages -----------------------------------------------------------------------------------

static void short_texts_stay_and_long_ones_lose_their_middle(void **state)
{
    (void)state;
    assert_string_equal(message_short("a/b.flight").text, "a/b.flight");
    assert_string_equal(message_short("").text, "");
    char text[1024];
    for (size_t length = 1; length < sizeof text; length++) {
        memset(text, 'm', length);
        text[0] = 'h';
        text[length - 1] = 't';
        text[length] = '\0';
        const MessageText shown = message_short(text);
        size_t got = strlen(shown.text);
        assert_true(got < sizeof shown.text);
        assert_true(length < sizeof shown.text ? got == length : got == sizeof shown.text - 1);
        assert_int_equal(shown.text[0], length > 1 ? 'h' : 't');
        assert_int_equal(shown.text[got - 1], 't');
        assert_int_equal(strstr(shown.text, "...") != NULL, length >= sizeof shown.text);
    }
}

static void characters_of_utf8_are_not_cut_in_two(void **state)
{
    (void)state;
    // Three bytes each, behind none, one and two single ones.
    for (size_t before = 0; before < 3; before++) {
        char text[400] = "xx";
        size_t length = before;
        for (; length + 3 < sizeof text; length += 3) {
            memcpy(text + length, "\xE2\x82\xAC", 3);
        }
        text[length] = '\0';
        const MessageText shown = message_short(text);
        const char *dots = strstr(shown.text, "...");
        assert_non_null(dots);
        assert_int_equal((size_t)(dots - shown.text) % 3, before);
        assert_int_equal(strlen(dots + 3) % 3, 0);
    }
}

static void a_long_path_leaves_the_reason_in_the_message(void **state)
{
    (void)state;
    char path[4000];
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 1] = '\0';
    Flight flight;
    Message problem;
    assert_false(flight_read(&flight, path, &problem));
    assert_non_null(strstr(problem.text, "File name too long"));
    assert_non_null(strstr(problem.text, "--flight takes"));
    assert_false(image_prepare_folder(path, "a.png", &problem));
    assert_non_null(strstr(problem.text, "File name too long"));
    assert_non_null(strstr(problem.text, "--out."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_has_the_permissions_of_any_file),
        cmocka_unit_test(a_picture_that_does_not_fit_leaves_nothing_behind),
        cmocka_unit_test(a_folder_in_the_picture_s_place_is_told_before_and_after),
        cmocka_unit_test(short_texts_stay_and_long_ones_lose_their_middle),
        cmocka_unit_test(characters_of_utf8_are_not_cut_in_two),
        cmocka_unit_test(a_long_path_leaves_the_reason_in_the_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

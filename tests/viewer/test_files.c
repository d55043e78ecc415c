/// What the viewer writes: pictures, traces and messages.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "file_limit.h"
#include "place.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <flight/flight.h>
#include <image.h>
#include <message.h>
#include <world/trace_writer.h>

// ---- pictures -----------------------------------------------------------------------------------

#define EDGE 64

static Place make_folder(void)
{
    Place place;
    assert_true(place_begin(&place));
    return place;
}

static void remove_folder(const Place *folder)
{
    char path[PLACE_PATH];
    place_path(folder, "a.png", path);
    unlink(path);
    rmdir(path);
    place_path(folder, "a.trace", path);
    unlink(path);
    rmdir(path);
    assert_true(place_end(folder)); // nothing else is in it
}

/// Writes noise, which a PNG hardly compresses.
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
    const Place folder = make_folder();
    char path[PLACE_PATH];
    mode_t before = umask(mask);
    assert_true(write_picture(folder.folder, &problem));
    umask(before);
    struct stat there;
    place_path(&folder, "a.png", path);
    assert_int_equal(stat(path, &there), 0);
    assert_int_equal(there.st_mode & 0777, mode);
    assert_int_equal(place_count(&folder), 1);
    remove_folder(&folder);
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
    const Place folder = make_folder();
    const struct rlimit before = file_limit_begin(1024);
    bool good = write_picture(folder.folder, &problem);
    file_limit_end(before);
    assert_false(good);
    assert_non_null(strstr(problem.text, "a.png"));
    assert_non_null(strstr(problem.text, "make room"));
    assert_int_equal(place_count(&folder), 0);
    remove_folder(&folder);
}

static void a_new_picture_replaces_none(void **state)
{
    (void)state;
    static const unsigned char rgb[3] = {1, 2, 3};
    unsigned char read[3];
    Message problem = {""};
    bool is_taken = true;
    char path[PLACE_PATH];
    const Place folder = make_folder();
    assert_true(image_write_new_png(folder.folder, "a.png", rgb, 1, 1, &is_taken, &problem));
    assert_false(is_taken);
    place_path(&folder, "a.png", path);
    assert_true(image_read_png(path, read, 1, 1, &problem));
    assert_memory_equal(read, rgb, sizeof rgb);
    place_write(&folder, "a.png", "theirs");
    assert_false(image_write_new_png(folder.folder, "a.png", rgb, 1, 1, &is_taken, &problem));
    assert_true(is_taken);
    assert_false(image_read_png(path, read, 1, 1, &problem));
    assert_int_equal(place_count(&folder), 1);
    remove_folder(&folder);
}

static void a_folder_in_the_picture_s_place_is_told_before_and_after(void **state)
{
    (void)state;
    Message problem = {""};
    const Place folder = make_folder();
    char path[PLACE_PATH];
    assert_true(image_prepare_folder(folder.folder, "a.png", &problem));
    assert_int_equal(place_count(&folder), 0);
    place_path(&folder, "a.png", path);
    assert_int_equal(mkdir(path, 0777), 0);
    assert_false(image_prepare_folder(folder.folder, "a.png", &problem));
    assert_non_null(strstr(problem.text, "move it away"));
    assert_false(write_picture(folder.folder, &problem));
    assert_non_null(strstr(problem.text, "move it away"));
    assert_int_equal(place_count(&folder), 1);
    remove_folder(&folder);
}

// ---- traces -------------------------------------------------------------------------------------

static TraceWriter *open_trace(const char *path)
{
    TraceWriter *writer;
    Message problem;
    if (!trace_writer_create(&writer, path, &problem)) {
        fail_msg("%s", problem.text);
    }
    return writer;
}

static void check_text(const char *path, const char *expected)
{
    char text[1024];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void a_trace_says_what_was_recorded_until_it_was_finished(void **state)
{
    (void)state;
    Message note, problem;
    const Place folder = make_folder();
    char path[PLACE_PATH];
    const TrnCoord low = {INT32_MIN, 0, -1}, high = {INT32_MAX, 7, 0};
    place_path(&folder, "a.trace", path);
    TraceWriter *writer = open_trace(path);
    trace_chunk(writer, TRACE_INSERT, low);
    trace_chunk(writer, TRACE_FIND, high);
    trace_gather(writer, (TrnBox){low, high});
    trace_end_frame(writer);
    trace_chunk(writer, TRACE_NEIGHBOURS, low);
    trace_chunk(writer, TRACE_REMOVE, low);
    trace_end_frame(writer);
    trace_end_frame(writer);
    assert_int_equal(access(path, F_OK), -1); // not before it is whole
    assert_true(trace_writer_finish(writer, &note, &problem));
    assert_non_null(strstr(note.text, "5 operations of 3 frames"));
    trace_chunk(writer, TRACE_INSERT, high); // later
    trace_end_frame(writer);
    assert_true(trace_writer_finish(writer, &note, &problem));
    assert_string_equal(note.text, "");
    trace_writer_destroy(writer);
    check_text(path, "terrane-trace 1\n+ -2147483648 0 -1\n? 2147483647 7 0\n"
                     "b -2147483648 0 -1 2147483647 7 0\n.\n"
                     "n -2147483648 0 -1\n- -2147483648 0 -1\n.\n.\nend 5\n");
    assert_int_equal(place_count(&folder), 1);
    remove_folder(&folder);
}

static void without_a_writer_nothing_is_recorded(void **state)
{
    (void)state;
    Message note, problem;
    trace_chunk(NULL, TRACE_INSERT, (TrnCoord){0, 0, 0});
    trace_gather(NULL, (TrnBox){{0, 0, 0}, {0, 0, 0}});
    trace_end_frame(NULL);
    assert_true(trace_writer_finish(NULL, &note, &problem));
    assert_string_equal(note.text, "");
    trace_writer_destroy(NULL);
}

static void an_unfinished_trace_leaves_what_was_there_before(void **state)
{
    (void)state;
    Message note, problem;
    const Place folder = make_folder();
    char path[PLACE_PATH];
    place_path(&folder, "a.trace", path);
    TraceWriter *writer = open_trace(path);
    trace_chunk(writer, TRACE_INSERT, (TrnCoord){1, 2, 3});
    trace_writer_destroy(writer);
    assert_int_equal(place_count(&folder), 0);

    mode_t before = umask(027);
    writer = open_trace(path);
    umask(before);
    assert_true(trace_writer_finish(writer, &note, &problem));
    trace_writer_destroy(writer);
    struct stat there;
    assert_int_equal(stat(path, &there), 0);
    assert_int_equal(there.st_mode & 0777, 0640);
    writer = open_trace(path); // over the first one
    trace_chunk(writer, TRACE_INSERT, (TrnCoord){1, 2, 3});
    trace_writer_destroy(writer);
    check_text(path, "terrane-trace 1\nend 0\n");
    assert_int_equal(place_count(&folder), 1);
    remove_folder(&folder);
}

static void a_trace_that_does_not_fit_leaves_nothing_behind(void **state)
{
    (void)state;
    Message note, problem = {""};
    const Place folder = make_folder();
    char path[PLACE_PATH];
    place_path(&folder, "a.trace", path);
    TraceWriter *writer = open_trace(path);
    const struct rlimit before = file_limit_begin(1024);
    for (int32_t i = 0; i < 100000; i++) {
        trace_chunk(writer, TRACE_FIND, (TrnCoord){i, i, i});
    }
    trace_end_frame(writer);
    bool good = trace_writer_finish(writer, &note, &problem);
    file_limit_end(before);
    trace_writer_destroy(writer);
    assert_false(good);
    assert_string_equal(note.text, "");
    assert_non_null(strstr(problem.text, "a.trace"));
    assert_non_null(strstr(problem.text, "make room"));
    assert_int_equal(place_count(&folder), 0);
    remove_folder(&folder);
}

static void a_place_that_takes_no_trace_is_told_at_once(void **state)
{
    (void)state;
    static const struct {
        const char *path, *words;
    } cases[] = {
        {"/tmp", "name a file"},
        {"/tmp/no/such/folder/a.trace", "No such file or directory; choose another"},
        {"/proc/a.trace", "choose another"},
        {"/dev/full", "make room"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        TraceWriter *writer;
        Message problem = {""};
        assert_false(trace_writer_create(&writer, cases[i].path, &problem));
        assert_non_null(strstr(problem.text, cases[i].path));
        assert_non_null(strstr(problem.text, cases[i].words));
        assert_non_null(strstr(problem.text, "--record-trace"));
    }
}

static void a_pipe_is_written_to_and_stays_one(void **state)
{
    (void)state;
    Message note, problem;
    const Place folder = make_folder();
    char path[PLACE_PATH], text[64];
    place_path(&folder, "a.trace", path);
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    TraceWriter *writer = open_trace(path);
    assert_true(trace_writer_finish(writer, &note, &problem));
    trace_writer_destroy(writer);
    ssize_t bytes = read(reader, text, sizeof text - 1);
    assert_true(bytes > 0);
    text[bytes] = '\0';
    assert_string_equal(text, "terrane-trace 1\nend 0\n");
    close(reader);
    struct stat there;
    assert_int_equal(stat(path, &there), 0);
    assert_true(S_ISFIFO(there.st_mode));
    remove_folder(&folder);
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
    // Characters of three bytes, after none, one and two single bytes.
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
    assert_non_null(strstr(problem.text, "choose another folder."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_picture_has_the_permissions_of_any_file),
        cmocka_unit_test(a_picture_that_does_not_fit_leaves_nothing_behind),
        cmocka_unit_test(a_new_picture_replaces_none),
        cmocka_unit_test(a_folder_in_the_picture_s_place_is_told_before_and_after),
        cmocka_unit_test(a_trace_says_what_was_recorded_until_it_was_finished),
        cmocka_unit_test(without_a_writer_nothing_is_recorded),
        cmocka_unit_test(an_unfinished_trace_leaves_what_was_there_before),
        cmocka_unit_test(a_trace_that_does_not_fit_leaves_nothing_behind),
        cmocka_unit_test(a_place_that_takes_no_trace_is_told_at_once),
        cmocka_unit_test(a_pipe_is_written_to_and_stays_one),
        cmocka_unit_test(short_texts_stay_and_long_ones_lose_their_middle),
        cmocka_unit_test(characters_of_utf8_are_not_cut_in_two),
        cmocka_unit_test(a_long_path_leaves_the_reason_in_the_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

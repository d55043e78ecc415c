/// The viewer as a program: it flies on a virtual display, and the test checks its pictures, traces
/// and messages. TERRANE_VIEWER is the program's path. Run by with_display.sh.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <spng.h>

/// Runs the viewer in the folder; its output is in place->text afterwards. @return its exit code,
/// or -1
static int run_viewer(Place *place, const char *before, const char *arguments)
{
    const char *viewer = getenv("TERRANE_VIEWER");
    assert_non_null(viewer);
    char command[1024];
    snprintf(command, sizeof command, "cd '%s' && %s '%s' %s 2>&1", place->folder, before, viewer,
             arguments);
    return place_run(place, command);
}

static void expect_code(Place *place, const char *before, const char *arguments, int code)
{
    int got = run_viewer(place, before, arguments);
    if (got != code) {
        fail_msg("'%s' ended with %d, not %d: %s", arguments, got, code, place->text);
    }
}

/// Counts the files in a folder.
static int count_files(const Place *place, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    DIR *folder = opendir(path);
    if (!folder) {
        return -1;
    }
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    }
    closedir(folder);
    return count;
}

static unsigned char *read_file(const Place *place, const char *name, size_t *bytes)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", place->folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    unsigned char *content = malloc((1u << 20) + 1); // room for a zero
    assert_non_null(content);
    *bytes = fread(content, 1, 1u << 20, file);
    fclose(file);
    return content;
}

// ---- pictures -----------------------------------------------------------------------------------

#define WIDTH 320
#define HEIGHT 200
#define FLY "--headless --frames 30 --size 320x200 --view-distance 8 --out "

typedef struct Picture {
    unsigned char rgb[HEIGHT][WIDTH][3];
} Picture;

static Picture *decode(const unsigned char *png, size_t bytes)
{
    Picture *picture = malloc(sizeof *picture);
    spng_ctx *context = spng_ctx_new(0);
    assert_non_null(picture);
    assert_non_null(context);
    struct spng_ihdr header;
    assert_int_equal(spng_set_png_buffer(context, png, bytes), 0);
    assert_int_equal(spng_get_ihdr(context, &header), 0);
    assert_int_equal(header.width, WIDTH);
    assert_int_equal(header.height, HEIGHT);
    assert_int_equal(spng_decode_image(context, picture, sizeof *picture, SPNG_FMT_RGB8, 0), 0);
    spng_ctx_free(context);
    return picture;
}

static int distance(const unsigned char *a, const unsigned char *b)
{
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]);
}

/// Checks the upper rows: more blue than red, and no hard edges.
static void check_sky(const Picture *picture)
{
    int64_t blue = 0, edges = 0;
    for (int y = 0; y < HEIGHT / 8; y++) {
        for (int x = 1; x < WIDTH; x++) {
            blue += picture->rgb[y][x][2] - picture->rgb[y][x][0];
            edges += distance(picture->rgb[y][x], picture->rgb[y][x - 1]) > 60;
        }
    }
    const int pixels = (HEIGHT / 8) * (WIDTH - 1);
    assert_true(blue > 15L * pixels);
    assert_true(edges < pixels / 50); // the sun has a rim
}

/// Counts the clearly different colours of a part of the picture that each cover at least one of
/// 500 pixels.
static int count_colours(const Picture *picture, int first_row)
{
    unsigned char colours[64][3];
    int pixels[64] = {0}, count = 0;
    for (int y = first_row; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            int found = 0;
            while (found < count && distance(colours[found], picture->rgb[y][x]) > 75) {
                found++;
            }
            if (found == count && count < 64) {
                memcpy(colours[count++], picture->rgb[y][x], 3);
            }
            pixels[found < 64 ? found : 63]++;
        }
    }
    int good = 0;
    for (int i = 0; i < count; i++) {
        good += pixels[i] > (HEIGHT - first_row) * WIDTH / 500;
    }
    return good;
}

/// Returns the largest share of pixels of nearly the same colour, in percent.
static int largest_share(const Picture *picture)
{
    static const int step = 16;
    int counts[4096] = {0}, largest = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            const unsigned char *at = picture->rgb[y][x];
            int *counted = &counts[at[0] / step * 256 + at[1] / step * 16 + at[2] / step];
            largest = ++*counted > largest ? *counted : largest;
        }
    }
    return largest * 100 / (WIDTH * HEIGHT);
}

static void check_land(const Picture *picture)
{
    int colours = count_colours(picture, HEIGHT / 2);
    int share = largest_share(picture);
    print_message("  %d colours of land, largest share %d%%\n", colours, share);
    assert_true(colours >= 4);
    assert_true(share < 80);
    // The land is not the sky: the lowest row differs from the highest.
    int64_t difference = 0;
    for (int x = 0; x < WIDTH; x++) {
        difference += distance(picture->rgb[0][x], picture->rgb[HEIGHT - 1][x]);
    }
    assert_true(difference > 60L * WIDTH);
}

static void two_flights_show_the_same_sky_and_land(void **state)
{
    Place *place = *state;
    expect_code(place, "", FLY "a", 0);
    assert_non_null(strstr(place->text, "answers equal: 30 of 30"));
    expect_code(place, "", FLY "b --gl-debug", 0);
    assert_null(strstr(place->text, "OpenGL")); // no complaint
    assert_int_equal(count_files(place, "a"), 1);

    size_t bytes_a, bytes_b;
    unsigned char *a = read_file(place, "a/flight.png", &bytes_a);
    unsigned char *b = read_file(place, "b/flight.png", &bytes_b);
    assert_int_equal(bytes_a, bytes_b);
    assert_memory_equal(a, b, bytes_a);
    Picture *picture = decode(a, bytes_a);
    check_sky(picture);
    check_land(picture);
    free(picture);
    free(a);
    free(b);
}

/// Checks that two files are equal, byte for byte.
static void expect_same(const Place *place, const char *name, const char *other)
{
    size_t bytes, other_bytes;
    unsigned char *one = read_file(place, name, &bytes);
    unsigned char *two = read_file(place, other, &other_bytes);
    assert_int_equal(bytes, other_bytes);
    assert_memory_equal(one, two, bytes);
    free(one);
    free(two);
}

#define SETTINGS_FLIGHT "--headless --frames 1 --size 64x64 --settings named.ini --out "

static void headless_reads_the_settings_file_that_is_named(void **state)
{
    Place *place = *state;
    expect_code(place, "", "--settings named.ini --write-settings --view-distance 3", 0);
    expect_code(place, "", SETTINGS_FLIGHT "named", 0);
    expect_code(place, "", "--headless --frames 1 --size 64x64 --view-distance 3 --out typed", 0);
    expect_same(place, "named/flight.png", "typed/flight.png");
    expect_code(place, "", SETTINGS_FLIGHT "other --view-distance 5", 0); // typed counts more
    assert_non_null(strstr(place->text, "chunks generated"));
    expect_code(place, "rm named.ini;", SETTINGS_FLIGHT "none", 1);
    assert_non_null(strstr(place->text, "There is no settings file 'named.ini'"));
    assert_int_equal(count_files(place, "none"), -1);
}

static void picture_and_trace_are_the_same_at_any_number_of_workers(void **state)
{
    Place *place = *state;
    static const int workers[] = {0, 1, 2, 4, 8};
    char arguments[160], picture[32], trace[32];
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        // Recorded completely, it must be smaller than read_file's limit.
        snprintf(arguments, sizeof arguments,
                 "--headless --frames 10 --size 64x64 --view-distance 4 --workers %d "
                 "--out workers-%d --record-trace workers-%d.trace",
                 workers[i], workers[i], workers[i]);
        expect_code(place, "", arguments, 0);
        snprintf(picture, sizeof picture, "workers-%d/flight.png", workers[i]);
        snprintf(trace, sizeof trace, "workers-%d.trace", workers[i]);
        expect_same(place, "workers-0/flight.png", picture);
        expect_same(place, "workers-0.trace", trace);
    }
}

static void a_place_in_rock_is_told_and_left_upwards(void **state)
{
    Place *place = *state;
    expect_code(place, "",
                "--headless --frames 1 --size 64x64 --view-distance 2 --at=200,20,200,0,0 --out up",
                0);
    const char *const told = strstr(place->text, "There is rock at this place: moved up by ");
    assert_non_null(told);
    assert_null(strstr(told + 1, "There is rock")); // once
    char arguments[128];
    const int up = atoi(told + strlen("There is rock at this place: moved up by "));
    snprintf(arguments, sizeof arguments,
             "--headless --frames 1 --size 64x64 --view-distance 2 --at=200,%d.5,200,0,0 "
             "--out open",
             20 + up);
    expect_code(place, "", arguments, 0);
    assert_null(strstr(place->text, "There is rock"));
    expect_same(place, "up/flight.png", "open/flight.png");
}

static void too_little_memory_shows_less_and_says_so(void **state)
{
    Place *place = *state;
    expect_code(place, "",
                "--headless --frames 5 --size 64x64 --view-distance 12 --memory 16 --out less", 0);
    assert_non_null(strstr(place->text, " of 12 chunks: there is no memory for more"));
    assert_non_null(strstr(place->text, "answers equal: 5 of 5"));
    expect_code(place, "", "--headless --frames 5 --size 64x64 --workers 64 --memory 16 --out none",
                1);
    assert_non_null(strstr(place->text, "--memory"));
}

/// Finds a line of a trace that begins with a text. @return NULL if there is none
static const char *find_line(const char *trace, const char *text)
{
    const char *at = strstr(trace, text);
    while (at && at != trace && at[-1] != '\n') {
        at = strstr(at + 1, text);
    }
    return at;
}

/// Reads a recorded trace, compares its last line with its operations, and counts its frames and
/// gathers.
static char *read_trace(const Place *place, const char *name, unsigned *frames, unsigned *gathers)
{
    size_t bytes;
    unsigned operations = 0;
    unsigned char *content = read_file(place, name, &bytes);
    assert_in_range(bytes, 1, (1u << 20) - 1); // all of it
    content[bytes] = '\0';
    char *text = (char *)content;
    assert_int_equal(strncmp(text, "terrane-trace 1\n", 16), 0);
    *frames = *gathers = 0;
    const char *line = text + 16;
    for (; *line && *line != 'e'; line = strchr(line, '\n') + 1) {
        *frames += *line == '.';
        *gathers += *line == 'b';
        operations += *line != '.';
    }
    char end[32];
    snprintf(end, sizeof end, "end %u\n", operations);
    assert_string_equal(line, end);
    return text;
}

#define RECORD "--headless --frames 20 --size 64x64 --view-distance 3 --out "

static void recording_a_trace_changes_nothing_else(void **state)
{
    Place *place = *state;
    size_t bytes_plain, bytes_recorded;
    unsigned frames, gathers;
    expect_code(place, "", RECORD "plain", 0);
    expect_code(place, "", RECORD "recorded --record-trace first.trace", 0);
    assert_non_null(strstr(place->text, "first.trace"));
    expect_code(place, "", RECORD "recorded --record-trace second.trace", 0);
    unsigned char *plain = read_file(place, "plain/flight.png", &bytes_plain);
    unsigned char *recorded = read_file(place, "recorded/flight.png", &bytes_recorded);
    assert_int_equal(bytes_plain, bytes_recorded);
    assert_memory_equal(plain, recorded, bytes_plain);

    // The trace has the loading before the flight, each frame, and the picture.
    char *first = read_trace(place, "first.trace", &frames, &gathers);
    assert_int_equal(frames, 22);
    assert_int_equal(gathers, 21);
    assert_non_null(find_line(first, "+ "));
    assert_non_null(find_line(first, "- "));
    assert_non_null(find_line(first, "? "));
    assert_non_null(find_line(first, "n "));
    assert_true(find_line(first, "n ") > find_line(first, "+ "));
    assert_true(find_line(first, "b ") > find_line(first, ".\n")); // loaded before it flies
    char *second = read_trace(place, "second.trace", &frames, &gathers);
    assert_string_equal(first, second);
    free(plain);
    free(recorded);
    free(first);
    free(second);
}

static void a_flight_in_a_window_keeps_its_trace_when_interrupted(void **state)
{
    Place *place = *state;
    unsigned frames, gathers;
    expect_code(place, "mkdir hand && timeout --preserve-status -s INT 6",
                "--size 64x64 --view-distance 2 --record-trace hand/a.trace", 128 + SIGINT);
    assert_non_null(strstr(place->text, "Interrupted."));
    assert_int_equal(count_files(place, "hand"), 1);
    char *trace = read_trace(place, "hand/a.trace", &frames, &gathers);
    print_message("  %u frames\n", frames);
    assert_true(frames > 0);
    assert_int_equal(frames, gathers);
    assert_non_null(find_line(trace, "+ "));
    assert_non_null(find_line(trace, "n "));
    free(trace);
}

/// Flies a flight of one key. @return the picture; free it
static Picture *take_picture(Place *place, const char *key, int frames)
{
    char text[128], arguments[160];
    size_t bytes;
    snprintf(text, sizeof text, "terrane-flight 1\nkey %s\n", key);
    place_write(place, "still.flight", text);
    snprintf(arguments, sizeof arguments,
             "--headless --frames %d --size 320x200 --view-distance 4 --out still "
             "--flight still.flight",
             frames);
    expect_code(place, "", arguments, 0);
    unsigned char *png = read_file(place, "still/flight.png", &bytes);
    Picture *picture = decode(png, bytes);
    free(png);
    return picture;
}

/// Returns how much more blue than red some rows have, per pixel.
static int64_t blueness(const Picture *picture, int first_row, int end_row)
{
    int64_t blue = 0;
    for (int y = first_row; y < end_row; y++) {
        for (int x = 0; x < WIDTH; x++) {
            blue += picture->rgb[y][x][2] - picture->rgb[y][x][0];
        }
    }
    return blue / ((int64_t)(end_row - first_row) * WIDTH);
}

static void the_sky_is_above_and_the_land_below(void **state)
{
    Place *place = *state;
    // On a meadow, with the sun behind the camera.
    Picture *picture = take_picture(place, "0 -200 26 -20 240 -6", 1);
    int64_t above = blueness(picture, 0, HEIGHT / 8);
    int64_t below = blueness(picture, HEIGHT * 7 / 8, HEIGHT);
    print_message("  blueness %d above, %d below\n", (int)above, (int)below);
    assert_true(above > 15);
    assert_true(below < -10);
    free(picture);
}

static void the_water_moves(void **state)
{
    Place *place = *state;
    static const char down_at_the_sea[] = "0 -262 17 -82 222 -50";
    Picture *first = take_picture(place, down_at_the_sea, 1);
    Picture *again = take_picture(place, down_at_the_sea, 1);
    Picture *later = take_picture(place, down_at_the_sea, 61);
    int moved = 0;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            moved += distance(first->rgb[y][x], later->rgb[y][x]) > 3;
        }
    }
    print_message("  %d%% of the water moved\n", moved * 100 / (WIDTH * HEIGHT));
    assert_memory_equal(first, again, sizeof *first);
    assert_true(moved > WIDTH * HEIGHT / 5);
    free(first);
    free(again);
    free(later);
}

static void another_land_at_the_end_of_the_world_is_seen_too(void **state)
{
    Place *place = *state;
    place_write(place, "far.flight",
                "terrane-flight 1\nkey 0 68719476000 60 -68719476000 0 -20\n"
                "key 1 68719476700 60 -68719476700 90 -20\n");
    expect_code(place, "", FLY "far --seed 9 --preset islands --flight far.flight", 0);
    assert_non_null(strstr(place->text, "seed 9, preset islands"));
    assert_non_null(strstr(place->text, "answers equal: 30 of 30"));
    assert_int_equal(count_files(place, "far"), 1);
}

/// Three lines, which were flown after minutes of looking ahead.
static void a_flight_that_jumps_across_the_world_goes_on(void **state)
{
    Place *place = *state;
    place_write(place, "jump.flight",
                "terrane-flight 1\nkey 0 0 80 0 0 0\nkey 1 68000000000 80 0 0 0\n");
    expect_code(place, "timeout 100",
                "--headless --frames 5 --size 64x64 --view-distance 4 --out jump "
                "--flight jump.flight",
                0);
    assert_non_null(strstr(place->text, "answers equal: 5 of 5"));
    place_write(place, "out.flight",
                "terrane-flight 1\nkey 0 0 80 0 0 0\nkey 1 69000000000 80 0 0 0\n");
    expect_code(place, "", "--headless --out beyond --flight out.flight", 2);
    assert_string_equal(place->text,
                        "terrane-viewer: out.flight, line 3: the point lies outside the world.\n");
    assert_int_equal(count_files(place, "beyond"), -1);
}

// ---- what goes wrong ----------------------------------------------------------------------------

static void wrong_options_and_flights_end_with_2(void **state)
{
    Place *place = *state;
    place_write(place, "bad.flight", "terrane-flight 1\nkey 0 0 0\n");
    static const char *const cases[] = {"--nothing",
                                        "--frames 0",
                                        "--size 10",
                                        "--view-distance 999",
                                        "--seed x",
                                        "--out",
                                        "--flight",
                                        "more",
                                        "--version more",
                                        "--preset mars",
                                        "--headless --out bad --terrain bad.flight",
                                        "--headless --out bad --flight bad.flight",
                                        "--headless --out bad --demo",
                                        "--headless --out bad --flight missing.flight"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_code(place, "", cases[i], 2);
        assert_int_equal(strncmp(place->text, "terrane-viewer: ", 16), 0);
        // The message is one sentence on one line.
        assert_ptr_equal(strchr(place->text, '\n'), place->text + strlen(place->text) - 1);
    }
    assert_int_equal(count_files(place, "bad"), -1);
}

static void help_and_version_end_with_0(void **state)
{
    Place *place = *state;
    expect_code(place, "", "--help", 0);
    assert_non_null(strstr(place->text, "Examples"));
    assert_non_null(strstr(place->text, "boost::unordered_flat_map")); // what it compares with
    assert_non_null(strstr(place->text, "std::unordered_map"));
    expect_code(place, "", "--version", 0);
    assert_non_null(strstr(place->text, "terrane-viewer 0."));
}

static void without_a_display_it_says_what_to_type(void **state)
{
    Place *place = *state;
    expect_code(place, "env -u DISPLAY -u WAYLAND_DISPLAY", FLY "none", 1);
    assert_non_null(strstr(place->text, "xvfb-run"));
    assert_int_equal(count_files(place, "none"), 0);
}

static void an_old_opengl_is_named(void **state)
{
    Place *place = *state;
    expect_code(place, "env MESA_GL_VERSION_OVERRIDE=2.1", FLY "old", 1);
    assert_non_null(strstr(place->text, "OpenGL 3.3"));
    assert_non_null(strstr(place->text, "2.1"));
    expect_code(place, "env MESA_GL_VERSION_OVERRIDE=3.2", FLY "old", 1);
    assert_non_null(strstr(place->text, "OpenGL 3.3"));
    assert_non_null(strstr(place->text, "3.2"));
    assert_int_equal(count_files(place, "old"), 0);
}

static void a_folder_that_cannot_be_written_is_told_before_flying(void **state)
{
    Place *place = *state;
    place_write(place, "file", "");
    expect_code(place, "", FLY "file", 1);
    assert_non_null(strstr(place->text, "file"));
    expect_code(place, "", FLY "no/such/parent", 1);
    expect_code(place, "", FLY "/proc/terrane", 1);
    expect_code(place, "", "--help && mkdir -p taken/flight.png", 0);
    expect_code(place, "", FLY "taken", 1);
    assert_non_null(strstr(place->text, "flight.png"));
    assert_null(strstr(place->text, "loading"));
    assert_int_equal(count_files(place, "taken"), 1);
    expect_code(place, "", FLY "early --record-trace no/such/parent.trace", 1);
    assert_non_null(strstr(place->text, "no/such/parent.trace"));
    assert_int_equal(count_files(place, "early"), 0);
}

static void an_interrupted_flight_says_so_and_leaves_nothing(void **state)
{
    Place *place = *state;
    static const struct {
        const char *before;
        int code;
    } cases[] = {{"timeout --preserve-status -s INT 3", 128 + SIGINT},
                 {"timeout --preserve-status -s TERM 3", 128 + SIGTERM},
                 {"timeout --preserve-status -s HUP 3", 128 + SIGHUP}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_code(place, cases[i].before,
                    "--headless --frames 100000 --size 64x64 --view-distance 4 --out stopped "
                    "--record-trace stopped/a.trace",
                    cases[i].code);
        assert_string_equal(place->text, "terrane-viewer: Interrupted; nothing was written.\n");
        assert_int_equal(count_files(place, "stopped"), 0);
    }
}

static void the_first_signal_ends_the_wait_for_a_pipe(void **state)
{
    Place *place = *state;
    char pipe[PLACE_PATH];
    assert_int_equal(mkfifo(place_path(place, "pipe", pipe), 0600), 0);
    static const char *const cases[] = {"--headless --terrain pipe", "--headless --flight pipe",
                                        "--headless --frames 2 --csv pipe --out waited"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_code(place, "timeout --preserve-status -k 5 -s INT 1.5", cases[i], 128 + SIGINT);
    }
    assert_int_equal(unlink(pipe), 0);
}

static void signals_that_were_ignored_stay_ignored(void **state)
{
    Place *place = *state;
    // As nohup does.
    expect_code(place, "trap '' HUP && exec",
                "--headless --frames 600 --size 64x64 --view-distance 4 --out kept & "
                "viewer=$!; sleep 0.6; kill -HUP $viewer; wait $viewer",
                0);
    assert_int_equal(count_files(place, "kept"), 1);
}

static void output_that_is_lost_is_a_failure(void **state)
{
    Place *place = *state;
    static const char *const cases[] = {
        "--help", "--version", "--headless --frames 2 --size 64x64 --view-distance 2 --out lost"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "%s 2>&1 >/dev/full |cat", cases[i]);
        run_viewer(place, "", arguments);
        assert_non_null(strstr(place->text, "Not all of the output could be written"));
        snprintf(arguments, sizeof arguments, "%s >/dev/full", cases[i]);
        expect_code(place, "", arguments, 1);
    }
}

int main(void)
{
    // A process that ignores these signals passes that on to the programs that it starts.
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_flights_show_the_same_sky_and_land),
        cmocka_unit_test(headless_reads_the_settings_file_that_is_named),
        cmocka_unit_test(picture_and_trace_are_the_same_at_any_number_of_workers),
        cmocka_unit_test(a_place_in_rock_is_told_and_left_upwards),
        cmocka_unit_test(too_little_memory_shows_less_and_says_so),
        cmocka_unit_test(recording_a_trace_changes_nothing_else),
        cmocka_unit_test(a_flight_in_a_window_keeps_its_trace_when_interrupted),
        cmocka_unit_test(the_sky_is_above_and_the_land_below),
        cmocka_unit_test(the_water_moves),
        cmocka_unit_test(another_land_at_the_end_of_the_world_is_seen_too),
        cmocka_unit_test(a_flight_that_jumps_across_the_world_goes_on),
        cmocka_unit_test(wrong_options_and_flights_end_with_2),
        cmocka_unit_test(help_and_version_end_with_0),
        cmocka_unit_test(without_a_display_it_says_what_to_type),
        cmocka_unit_test(an_old_opengl_is_named),
        cmocka_unit_test(a_folder_that_cannot_be_written_is_told_before_flying),
        cmocka_unit_test(an_interrupted_flight_says_so_and_leaves_nothing),
        cmocka_unit_test(the_first_signal_ends_the_wait_for_a_pipe),
        cmocka_unit_test(signals_that_were_ignored_stay_ignored),
        cmocka_unit_test(output_that_is_lost_is_a_failure),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}

/// The viewer's window in use: keys, mouse, focus, sizes, settings. Run by with_keyboard.sh.
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "viewer_session.h"

#include <math.h>

// High above the land, looking north, level.
#define START "--at=0.5,200,0.5,0,0 --seed 1 "

static double seconds_for_random_keys(void)
{
    const char *text = getenv("TERRANE_TEST_SECONDS");
    return text ? strtod(text, NULL) : 8;
}

static void write_settings(const Place *place, const char *text)
{
    char command[128], path[128];
    (void)snprintf(command, sizeof command, "mkdir -p '%s/config/terrane'", place->folder);
    assert_int_equal(system(command), 0);
    (void)snprintf(path, sizeof path, "%s/config/terrane/viewer.ini", place->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void keys_fly_and_quit_ends_with_0(void **state)
{
    Session session;
    session_start(&session, *state, START);
    session_hold(&session, "w", 0.5);
    session_hold(&session, "d", 0.5);
    session_hold(&session, "space", 0.5);
    const SessionPlace at = session_quit(&session, "F10");
    assert_true(at.voxel[2] < -2); // north
    assert_true(at.voxel[0] > 2);  // right
    assert_true(at.voxel[1] > 202);
    assert_true(at.yaw == 0 && at.pitch == 0);
}

static void nothing_pressed_is_nothing_moved(void **state)
{
    Session session;
    session_start(&session, *state, START);
    session_sleep(0.5);
    const SessionPlace at = session_quit(&session, "F10");
    assert_true(at.voxel[0] == 0.5 && at.voxel[1] == 200 && at.voxel[2] == 0.5);
    assert_true(at.yaw == 0 && at.pitch == 0);
}

/// The world goes on, but keys are for the inventory; Escape closes it without a pause.
static void an_inventory_takes_the_keys_until_it_is_closed(void **state)
{
    Session session;
    unsigned size[2];
    session_start(&session, *state, START "--no-figures ");
    session_key(&session, "e");
    session_picture(&session, "F12", size); // a key of the same frame would still move
    session_hold(&session, "w", 0.4);
    session_move_mouse(&session, 30, 30);
    session_picture(&session, "F12", size);
    SessionPlace at = session_where(&session);
    assert_true(at.voxel[2] == 0.5 && at.yaw == 0);
    session_key(&session, "Escape"); // w began a search, in which E is a letter
    session_hold(&session, "w", 0.4);
    at = session_where(&session);
    assert_true(at.voxel[2] < -1 && at.voxel[1] == 200);
    session_key(&session, "e");
    session_key(&session, "Escape");
    const double before = at.voxel[2];
    session_sleep(0.5);
    session_await_title(&session, "paused", false);
    session_hold(&session, "w", 0.4);
    at = session_quit(&session, "F10");
    assert_true(at.voxel[2] < before - 1);
}

/// Waits until the viewer has written a large picture.
static void await_photo(Session *session, const char *words)
{
    const double until = session_clock() + SESSION_PATIENCE;
    while (!strstr(session_printed(session), words)) {
        if (session_clock() > until) {
            session_fail(session, "there is no photo");
        }
        session_sleep(0.05);
    }
}

static void photo_mode_flies_takes_large_pictures_and_restores_all(void **state)
{
    Session session;
    session_start(&session, *state, START);
    session_key(&session, "p");
    session_hold(&session, "w", 0.5);
    session_move_mouse(&session, 30, 30);
    session_key(&session, "t");
    session_key(&session, "F12");
    await_photo(&session, "photo-1.png, 1280x800.");
    session_key(&session, "Escape");
    session_await_title(&session, "paused", false);
    const SessionPlace at = session_quit(&session, "F10");
    assert_true(at.voxel[0] == 0.5 && at.voxel[1] == 200 && at.voxel[2] == 0.5);
    assert_true(at.yaw == 0 && at.pitch == 0);
}

static void who_interrupts_is_told_where_one_was_too(void **state)
{
    Session session;
    SessionPlace at;
    session_start(&session, *state, START);
    session_hold(&session, "w", 0.3);
    assert_int_equal(kill(session.viewer, SIGINT), 0);
    assert_int_equal(session_end(&session), 128 + SIGINT);
    assert_true(session_last_place(session_printed(&session), &at));
    assert_true(at.voxel[2] < 0.5 && at.voxel[1] == 200);
}

static void the_mouse_looks_and_arrows_do_too(void **state)
{
    Session session;
    session_start(&session, *state, START);
    for (int i = 0; i < 5; i++) {
        session_move_mouse(&session, 20, 10);
        session_sleep(0.05);
    }
    session_sleep(0.2);
    session_hold(&session, "Up", 0.4);
    const SessionPlace at = session_quit(&session, "F10");
    print_message("  turned by %g, %g degrees\n", at.yaw, at.pitch);
    assert_true(at.yaw > 5 && at.yaw < 20); // 100 pixels are 12 degrees
    assert_true(at.pitch > -4);             // 6 down by the mouse, and more up by the key
    assert_true(at.voxel[0] == 0.5);
}

static void a_pause_stops_everything_and_ends(void **state)
{
    Session session;
    unsigned size[2];
    session_start(&session, *state, START);
    session_key(&session, "Escape");
    session_await_title(&session, "paused", true);
    session_hold(&session, "w", 0.5);
    session_move_mouse(&session, 30, 30);
    session_picture(&session, "F12", size); // pictures can be taken of it
    assert_int_equal(size[0], 320);
    session_key(&session, "Escape");
    session_await_title(&session, "paused", false);
    session_key(&session, "Escape");
    session_await_title(&session, "paused", true);
    session_hold(&session, "Return", 0.15); // Resume has the focus
    session_await_title(&session, "paused", false);
    const SessionPlace at = session_quit(&session, "F10");
    assert_true(at.voxel[0] == 0.5 && at.voxel[1] == 200 && at.voxel[2] == 0.5);
    assert_true(fabs(at.yaw) < 1); // the mouse is caught again, and may jump by a pixel or two
}

/// Counts the pixels at the upper right of the window that are as dark as the help's background.
static int dark_pixels(void)
{
    enum { WIDTH = 100, HEIGHT = 60 };
    uint32_t rgb[WIDTH * HEIGHT];
    session_screen(200, 20, WIDTH, HEIGHT, rgb);
    int dark = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        dark += (rgb[i] & 0xFF) < 0x30;
    }
    return dark;
}

static void await_dark(Session *session, bool dark)
{
    const double until = session_clock() + SESSION_PATIENCE;
    while ((dark_pixels() > 3000) != dark) {
        if (session_clock() > until) {
            session_fail(session, dark ? "the help never came" : "the help never went");
        }
        session_sleep(0.05);
    }
}

static void f1_shows_the_keys_and_hides_them(void **state)
{
    Session session;
    session_start(&session, *state, START "--look time=12,no-clouds");
    session_do(&session, "windowmove %s 0 0", session.window);
    await_dark(&session, false);
    session_key(&session, "F1");
    await_dark(&session, true);
    session_key(&session, "F1");
    await_dark(&session, false);
    (void)session_quit(&session, "F10");
}

static void full_screen_and_back_and_any_size(void **state)
{
    Session session;
    unsigned size[2];
    static const int sizes[][2] = {{1, 1}, {17, 500}, {700, 2}, {640, 480}, {1, 300}, {320, 200}};
    session_start(&session, *state, START);
    session_key(&session, "F11");
    do {
        session_picture(&session, "F12", size);
    } while (size[0] == 320 && session.pictures < 20);
    assert_int_equal(size[0], 800);
    assert_int_equal(size[1], 600);
    session_key(&session, "F11");
    do {
        session_picture(&session, "F12", size);
    } while (size[0] == 800 && session.pictures < 40);
    assert_int_equal(size[0], 320);
    assert_int_equal(size[1], 200);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        assert_true(
            session_do(&session, "windowsize %s %d %d", session.window, sizes[i][0], sizes[i][1]));
        session_sleep(0.3);
        session_picture(&session, "F12", size);
        assert_int_equal(size[0], sizes[i][0]);
        assert_int_equal(size[1], sizes[i][1]);
    }
    (void)session_quit(&session, "F10");
}

static void a_hidden_window_comes_back(void **state)
{
    Session session;
    unsigned size[2];
    session_start(&session, *state, START);
    assert_true(session_do(&session, "windowunmap --sync %s", session.window));
    session_sleep(0.5);
    assert_true(session_lives(&session));
    assert_true(
        session_do(&session, "windowmap --sync %s windowfocus %s", session.window, session.window));
    session_picture(&session, "F12", size);
    (void)session_quit(&session, "F10");
}

/// Waits until the frame time in the title reaches a minimum.
static void await_frame_ms(Session *session, double least)
{
    const double until = session_clock() + SESSION_PATIENCE;
    double ms = 0;
    while (session_clock() < until) {
        if (session_do(session, "getwindowname %s", session->window) &&
            sscanf(session->place->text, "Terrane - %lf ms", &ms) == 1 && ms >= least) {
            return;
        }
        session_sleep(0.05);
    }
    session_fail(session, "frames follow each other too fast");
}

static void a_frame_limit_spaces_frames(void **state)
{
    Session session;
    session_start(&session, *state, START "--frame-limit 10 --no-figures --no-compare");
    await_frame_ms(&session, 90);
    (void)session_quit(&session, "F10");
}

static void a_key_let_go_elsewhere_does_not_stay_down(void **state)
{
    Session session;
    session_start(&session, *state, START);
    assert_true(session_do(&session, "keydown w"));
    session_take_focus(&session);
    assert_true(session_do(&session, "keyup w"));
    session_sleep(4);
    session_move_mouse(&session, 40, 0); // nor does the mouse look
    assert_true(session_do(&session, "windowfocus --sync %s", session.window));
    session_sleep(0.3);
    const SessionPlace at = session_quit(&session, "F10");
    assert_true(at.voxel[2] > -60); // 96 in those four seconds
    assert_true(at.yaw == 0);
}

static void keys_of_the_settings_are_used_and_mistakes_told(void **state)
{
    Session session;
    Place *place = *state;
    write_settings(place, "[keys]\nforward = k\nquit = q\nscreenshot = p\n\n[view]\n"
                          "distance = 1000\nfield_of_view = 80\n[mous]\n");
    session_start(&session, place, START);
    assert_non_null(strstr(session_printed(&session), "viewer.ini:7:12: distance"));
    assert_non_null(strstr(session_printed(&session), "viewer.ini:9:2: There is no section"));
    unsigned size[2];
    session_picture(&session, "p", size);
    session_hold(&session, "w", 0.5);
    session_key(&session, "F10");
    session_sleep(0.3);
    assert_true(session_lives(&session));
    session_hold(&session, "k", 0.5);
    const SessionPlace at = session_quit(&session, "q");
    assert_true(at.voxel[2] < -2 && at.voxel[2] > -60);
}

static void a_settings_file_that_is_new_is_written(void **state)
{
    Place *place = *state;
    Session session;
    session_start(&session, place, "--settings new/mine.ini " START);
    (void)session_quit(&session, "F10");
    char command[256];
    (void)snprintf(command, sizeof command,
                   "cd '%s/new' && grep -qx 'distance = 4' mine.ini && grep -qx 'bob = 1' mine.ini",
                   place->folder);
    assert_int_equal(place_run(place, command), 0);
    (void)snprintf(command, sizeof command, "cd '%s' && '%s' --settings . 2>&1", place->folder,
                   getenv("TERRANE_VIEWER"));
    assert_int_equal(place_run(place, command), 1); // a folder is none
}

/// Keys lead through the menu, and what is set there is in the file; what keys set is not.
static void the_menu_sets_saves_and_quits(void **state)
{
    Place *place = *state;
    Session session;
    session_start(&session, place, "--settings menu.ini " START);
    session_key(&session, "b");
    session_key(&session, "Escape");
    session_await_title(&session, "paused", true);
    static const char *const keys[] = {"Down", "Down",  "Down",  "space", "Up",    "Up",
                                       "Up",   "Right", "Right", "Right", "Right", "Right"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        session_hold(&session, keys[i], 0.1); // held longer, it repeats
        session_sleep(0.2);
    }
    session_hold(&session, "Return", 0.15); // Quit
    assert_int_equal(session_end(&session), 0);
    char command[256];
    (void)snprintf(command, sizeof command,
                   "cd '%s' && grep -x 'invert = yes' menu.ini && cat menu.ini", place->folder);
    assert_int_equal(place_run(place, command), 0);
}

static void settings_are_written_once(void **state)
{
    Place *place = *state;
    char command[512];
    (void)snprintf(command, sizeof command,
                   "cd '%s' && export XDG_CONFIG_HOME=$PWD/new && '%s' --write-settings "
                   "--view-distance 7 2>&1",
                   place->folder, getenv("TERRANE_VIEWER"));
    assert_int_equal(place_run(place, command), 0);
    assert_non_null(strstr(place->text, "new/terrane/viewer.ini"));
    assert_int_equal(place_run(place, command), 1);
    assert_non_null(strstr(place->text, "stays as it is"));
    (void)snprintf(command, sizeof command, "grep -c 'distance = 7' '%s/new/terrane/viewer.ini'",
                   place->folder);
    assert_int_equal(place_run(place, command), 0);
    Session session;
    (void)snprintf(command, sizeof command, "--settings '%s/new/terrane/viewer.ini' " START,
                   place->folder);
    session_start(&session, place, command);
    (void)session_quit(&session, "F10");
    assert_null(strstr(place->text, "viewer.ini:")); // what it writes, it reads
}

/// Waits for a recording, and counts its lines that begin with a word.
static int await_recording(Session *session, const char *word)
{
    const double until = session_clock() + SESSION_PATIENCE;
    char command[256];
    (void)snprintf(command, sizeof command,
                   "cd '%s' && test -e flight-1.flight && tail -1 flight-1.flight && "
                   "grep -c '^%s ' flight-1.flight",
                   session->place->folder, word);
    while (place_run(session->place, command) != 0) {
        if (session_clock() > until) {
            session_fail(session, "there is no such line in a recording");
        }
        session_sleep(0.05);
    }
    assert_int_equal(strncmp(session->place->text, "end\n", 4), 0);
    return atoi(session->place->text + 4);
}

static void f8_records_what_one_flies_and_digs(void **state)
{
    Session session;
    // Just above a meadow, looking down.
    session_start(&session, *state, "--at=120.5,33,360.5,0,-85 --seed 13 ");
    session_key(&session, "F8");
    session_await_title(&session, "recording", true);
    session_sleep(0.5);
    session_click(&session, 1);
    session_sleep(0.5);
    session_hold(&session, "w", 0.5);
    session_key(&session, "F8");
    session_await_title(&session, "recording", false);
    assert_int_equal(await_recording(&session, "edit"), 1);
    assert_true(await_recording(&session, "key") > 4);
    (void)session_quit(&session, "F10");
    // When it is played, it is recorded again exactly.
    session_start(&session, *state, "--flight flight-1.flight --record again.flight ");
    session_sleep(6);
    (void)session_quit(&session, "F10");
    char command[200];
    (void)snprintf(command, sizeof command,
                   "cd '%s' && grep ^edit flight-1.flight | cut -d' ' -f3- >a && "
                   "grep ^edit again.flight | cut -d' ' -f3- | cmp - a",
                   session.place->folder);
    assert_int_equal(place_run(session.place, command), 0);
}

#define GROUND "--preset flat --at=6.5,36,2.5,0,-60 --seed 1 "
#define HIGH_SEA "--at=-59.5,3,-249.5,0,-40 --memory 64 "

/// Does one thing that a player might do.
static void do_something(Session *session, TestRandom *random)
{
    static const char *const keys[] = {
        "w",     "a",    "s",   "d",      "space",  "Control_L",   "Shift_L",
        "f",     "n",    "t",   "g",      "o",      "b",           "z",
        "y",     "r",    "Tab", "e",      "p",      "9",           "F1",
        "F3",    "F4",   "F11", "Escape", "Up",     "Down",        "Left",
        "F8",    "F5",   "F6",  "F12",    "Return", "bracketleft", "bracketright",
        "equal", "minus"};
    const char *key = keys[test_random_range(random, 0, sizeof keys / sizeof keys[0] - 1)];
    const int button = (int)test_random_range(random, 1, 5);
    switch (test_random_range(random, 0, 15)) {
    case 0:
    case 1:
        session_click(session, button);
        break;
    case 2:
    case 3: // let go by another case, or by a click
        assert_true(session_do(session, "mousedown %d", button));
        break;
    case 4:
        assert_true(session_do(session, "mouseup %d", button));
        break;
    case 5:
    case 6:
        session_move_mouse(session, (int)test_random_range(random, -200, 200),
                           (int)test_random_range(random, -100, 100));
        break;
    case 7:
        (void)session_do(session, "windowsize %s %d %d", session->window,
                         (int)test_random_range(random, 1, 500),
                         (int)test_random_range(random, 1, 400));
        break;
    case 8:
    case 9:
        session_hold(session, key, (double)test_random_range(random, 0, 40) / 100);
        break;
    case 10:
        session_take_focus(session);
        session_key(session, key); // goes nowhere
        (void)session_do(session, "windowfocus %s", session->window);
        break;
    default:
        session_key(session, key);
        break;
    }
}

/// Random keys, buttons, sizes and focus, in several places. TERRANE_TEST_SECONDS says for how
/// long.
static void random_keys_do_no_harm(void **state)
{
    static const char *const starts[] = {GROUND, START, HIGH_SEA};
    TestRandom random = test_random_seeded(31);
    const double begun = session_clock(), until = begun + seconds_for_random_keys();
    unsigned rounds = 0, done = 0;
    Session session;
    session_start(&session, *state, starts[0]);
    session_key(&session, "f");
    while (session_clock() < until) {
        do_something(&session, &random);
        done++;
        const bool is_next = test_random_range(&random, 0, 399) == 0;
        if (is_next) {
            session_key(&session, "F10");
        }
        if (is_next || !session_lives(&session)) {
            session_end_well(&session); // by the menu's button or by the key
            session_start(&session, *state, starts[++rounds % 3]);
        }
    }
    (void)session_do(&session, "windowfocus --sync %s", session.window);
    (void)session_quit(&session, "F10");
    print_message("  %u things done, %u rounds\n", done, rounds + 1);
}

/// @param argv  a pattern of test names, such as "*pause*"
int main(int argc, char **argv)
{
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(keys_fly_and_quit_ends_with_0, place_clear),
        cmocka_unit_test_setup(nothing_pressed_is_nothing_moved, place_clear),
        cmocka_unit_test_setup(photo_mode_flies_takes_large_pictures_and_restores_all, place_clear),
        cmocka_unit_test_setup(an_inventory_takes_the_keys_until_it_is_closed, place_clear),
        cmocka_unit_test_setup(who_interrupts_is_told_where_one_was_too, place_clear),
        cmocka_unit_test_setup(the_mouse_looks_and_arrows_do_too, place_clear),
        cmocka_unit_test_setup(a_pause_stops_everything_and_ends, place_clear),
        cmocka_unit_test_setup(f1_shows_the_keys_and_hides_them, place_clear),
        cmocka_unit_test_setup(full_screen_and_back_and_any_size, place_clear),
        cmocka_unit_test_setup(a_hidden_window_comes_back, place_clear),
        cmocka_unit_test_setup(a_frame_limit_spaces_frames, place_clear),
        cmocka_unit_test_setup(a_key_let_go_elsewhere_does_not_stay_down, place_clear),
        cmocka_unit_test_setup(keys_of_the_settings_are_used_and_mistakes_told, place_clear),
        cmocka_unit_test_setup(a_settings_file_that_is_new_is_written, place_clear),
        cmocka_unit_test_setup(the_menu_sets_saves_and_quits, place_clear),
        cmocka_unit_test_setup(settings_are_written_once, place_clear),
        cmocka_unit_test_setup(f8_records_what_one_flies_and_digs, place_clear),
        cmocka_unit_test_setup(random_keys_do_no_harm, place_clear),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}

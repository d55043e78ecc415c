/// Keys in bursts, at a usual frame rate and at one frame a second: presses of one frame are
/// handled in their order, by what they open, too. Run by with_keyboard.sh.
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include "viewer_session.h"

#define START "--at=0.5,200,0.5,0,0 --seed 1 "

static const char *const RATES[] = {"--frame-limit 30 ", "--frame-limit 1 "};
enum { RATE_COUNT = sizeof RATES / sizeof RATES[0] };

static void start_at(Session *session, Place *place, const char *rate, const char *arguments)
{
    char all[512];
    (void)snprintf(all, sizeof all, "%s%s", rate, arguments);
    session_start(session, place, all);
}

static void assert_shell(Place *place, const char *words)
{
    char command[512];
    (void)snprintf(command, sizeof command, "cd '%s' && %s", place->folder, words);
    if (place_run(place, command) != 0) {
        fail_msg("%s: %s", words, place->text);
    }
}

static void a_menu_is_used_in_one_burst(void **state)
{
    for (int i = 0; i < RATE_COUNT; i++) {
        Place *place = *state;
        Session session;
        start_at(&session, place, RATES[i], "--settings menu.ini " START);
        session_key(
            &session,
            "Escape Down Down Down space Up Up Up Right Right Right Right Right Return"); // Quit
        assert_int_equal(session_end(&session), 0);
        assert_shell(place, "grep -x 'invert = yes' menu.ini && rm menu.ini");
    }
}

/// An even number of presses is not none: each finds the mode that the one before began.
static void each_press_finds_the_mode_before_it(void **state)
{
    for (int i = 0; i < RATE_COUNT; i++) {
        Session session;
        start_at(&session, *state, RATES[i], START);
        session_key(&session, "Escape Escape Escape");
        session_await_title(&session, "paused", true);
        session_key(&session, "Escape Escape");
        session_sleep(1.5);
        session_await_title(&session, "paused", true);
        session_key(&session, "Escape F8");
        session_await_title(&session, "recording", true);
        session_await_title(&session, "paused", false);
        session_key(&session, "F8");
        session_await_title(&session, "recording", false);
        (void)session_quit(&session, "F10");
    }
}

/// On the page of keys: forward gets K, back the arrow of 'look up', and Escape keeps a key.
static void a_key_is_bound_by_pressing_it(void **state)
{
    for (int i = 0; i < RATE_COUNT; i++) {
        Place *place = *state;
        Session session;
        start_at(&session, place, RATES[i], "--settings keys.ini " START);
        session_key(&session, "Escape Right Right Return Down Down Return k");
        session_sleep(1.5);
        session_key(&session, "Return Escape"); // stays paused
        session_sleep(1.5);
        session_await_title(&session, "paused", true);
        session_key(&session, "Down Return Up Escape"); // back is the arrow
        session_await_title(&session, "paused", false);
        session_hold(&session, "k", 1.2);
        const SessionPlace at = session_quit(&session, "F10");
        assert_true(at.voxel[2] < -1);
        assert_shell(place, "cat keys.ini; grep -x 'forward = pad_left_stick_up k' keys.ini && "
                            "grep -x 'back = pad_left_stick_down up' keys.ini && "
                            "grep -x 'look_up = pad_right_stick_up' keys.ini && rm keys.ini");
    }
}

static void a_setting_is_found_by_typing(void **state)
{
    for (int i = 0; i < RATE_COUNT; i++) {
        Place *place = *state;
        Session session;
        start_at(&session, place, RATES[i], "--settings found.ini " START);
        // Settings, words with keys of actions in them, which the search takes at once, and the
        // switch that they find.
        session_key(&session, "Escape Right Return");
        session_key(&session, "l o o k s space d o w n Return");
        session_sleep(5); // one frame, also on a machine that is busy
        session_await_title(&session, "paused", true);
        session_key(&session, "Down space Escape");
        session_await_title(&session, "paused", false);
        (void)session_quit(&session, "F10");
        assert_shell(
            place,
            "! grep -x 'terrane:.*' log && grep -x 'invert = yes' found.ini && rm found.ini");
    }
}

/// Letters of keys that do something else, and of the key that closes the inventory.
static void the_inventory_is_searched_by_typing(void **state)
{
    for (int i = 0; i < RATE_COUNT; i++) {
        Session session;
        start_at(&session, *state, RATES[i], START);
        session_key(&session, "e l e a v e s Escape"); // closes the inventory, and pauses nothing
        session_sleep(2.5);
        session_await_title(&session, "paused", false);
        session_hold(&session, "w", 1.2);
        session_sleep(0.5);
        assert_null(strstr(session_printed(&session), "terrane://"));
        const SessionPlace at = session_quit(&session, "F10");
        assert_true(at.voxel[2] < -1 && at.voxel[1] == 200);
    }
}

/// Returns the mean of all colours in the middle of the window.
static double brightness(Session *session)
{
    enum { WIDTH = 120, HEIGHT = 60 };
    uint32_t rgb[WIDTH * HEIGHT];
    double sum = 0;
    (void)session_do(session, "windowmove --sync %s 0 0", session->window);
    session_screen(100, 40, WIDTH, HEIGHT, rgb);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        sum += (rgb[i] & 0xFF) + (rgb[i] >> 8 & 0xFF) + (rgb[i] >> 16 & 0xFF);
    }
    return sum / (3.0 * WIDTH * HEIGHT);
}

static void await_brightness(Session *session, double low, double high)
{
    const double until = session_clock() + SESSION_PATIENCE;
    double now = -1;
    while (!((now = brightness(session)) >= low && now <= high)) {
        if (session_clock() > until) {
            print_message("  brightness %.1f\n", now);
            session_fail(session, "the lamp changes nothing");
        }
        session_sleep(0.1);
    }
}

static void a_key_lights_the_lamp(void **state)
{
    for (int i = 0; i < RATE_COUNT; i++) {
        Session session;
        start_at(&session, *state, RATES[i], "--at=113.5,-44.6,117.5,112,2 --seed 13 ");
        session_sleep(6); // the hint has gone
        await_brightness(&session, 0, 20);
        session_key(&session, "h h h");
        await_brightness(&session, 30, 255);
        session_key(&session, "h");
        await_brightness(&session, 0, 20);
        (void)session_quit(&session, "F10");
    }
}

/// @param argv  a pattern of test names
int main(int argc, char **argv)
{
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_menu_is_used_in_one_burst, place_clear),
        cmocka_unit_test_setup(a_key_is_bound_by_pressing_it, place_clear),
        cmocka_unit_test_setup(a_setting_is_found_by_typing, place_clear),
        cmocka_unit_test_setup(the_inventory_is_searched_by_typing, place_clear),
        cmocka_unit_test_setup(a_key_lights_the_lamp, place_clear),
        cmocka_unit_test_setup(each_press_finds_the_mode_before_it, place_clear),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}

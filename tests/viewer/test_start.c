/// The start screen with real keys: a new world, the same world again, and a folder that cannot be
/// read. Run by with_keyboard.sh.
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include "viewer_session.h"

#define WORLDS "--worlds worlds "

/// Presses Enter on what has the focus of the start screen, until there is a world.
static void choose_world(Session *session)
{
    const Place *place = session->place;
    session_await_title(session, "worlds", true);
    const double until = session_clock() + SESSION_PATIENCE;
    while (session_do(session, "getwindowname %s", session->window) &&
           strstr(place->text, "worlds")) {
        if (session_clock() > until) {
            session_fail(session, "Enter chooses nothing");
        }
        session_hold(session, "Return", 0.1);
        session_sleep(0.05);
    }
    session->window[0] = '\0'; // the world has a window of its own
    while (!session->window[0]) {
        if (session_do(session, "search --onlyvisible --name '^Terrane - '")) {
            (void)sscanf(place->text, "%31s", session->window);
        }
        if (session_clock() > until || !session_lives(session)) {
            session_fail(session, "there is no world");
        }
        session_sleep(0.05);
    }
    session_await_title(session, "Loading", false);
}

/// Opens the start screen, and goes on from there.
static void enter_world(Session *session, Place *place, const char *arguments)
{
    session_open(session, place, arguments);
    choose_world(session);
}

/// Leaves a world by the pause menu, and awaits the start screen.
static void leave_world(Session *session)
{
    session_key(session, "Escape");
    session_await_title(session, "paused", true);
    for (int i = 0; i < 2; i++) {
        session_hold(session, "Right", 0.1);
        session_sleep(0.1);
    }
    session_hold(session, "Return", 0.15); // Worlds
    session->window[0] = '\0';
    const double until = session_clock() + SESSION_PATIENCE;
    while (!session->window[0]) {
        if (session_do(session, "search --onlyvisible --name '^Terrane - worlds'")) {
            (void)sscanf(session->place->text, "%31s", session->window);
        }
        if (session_clock() > until || !session_lives(session)) {
            session_fail(session, "there is no start screen");
        }
        session_sleep(0.05);
    }
}

static bool has_world(Place *place, const char *name)
{
    char command[256];
    (void)snprintf(command, sizeof command, "test -s '%s/worlds/%s'", place->folder, name);
    return place_run(place, command) == 0;
}

/// By the pause menu and by a new start.
static void a_new_world_has_a_picture_and_is_found_again(void **state)
{
    Place *place = *state;
    Session session;
    enter_world(&session, place, WORLDS);
    leave_world(&session);
    assert_true(has_world(place, "New world.world"));
    char command[256];
    (void)snprintf(command, sizeof command, "grep -c viewer/picture '%s/worlds/New world.world'",
                   place->folder);
    assert_int_equal(place_run(place, command), 0);
    choose_world(&session); // the focus is on the world now
    (void)session_quit(&session, "F10");
    assert_non_null(strstr(session_printed(&session), "Launch: window"));
    enter_world(&session, place, WORLDS);
    (void)session_quit(&session, "F10");
    assert_false(has_world(place, "New world 2.world"));
}

static void an_option_that_says_what_to_do_skips_it(void **state)
{
    Place *place = *state;
    Session session;
    session_open(&session, place, WORLDS "--preset flat");
    assert_true(session_do(&session, "getwindowname %s", session.window));
    assert_null(strstr(place->text, "worlds"));
    (void)session_quit(&session, "F10");
    assert_false(has_world(place, "New world.world"));
}

static void a_folder_that_cannot_be_read_stops_nothing(void **state)
{
    Place *place = *state;
    Session session;
    place_write(place, "worlds", "no folder");
    session_open(&session, place, WORLDS);
    session_hold(&session, "Return", 0.15); // "Create and play", which refuses
    session_sleep(0.2);
    session_await_title(&session, "worlds", true);
    kill(session.viewer, SIGTERM);
    assert_int_equal(session_end(&session), 128 + SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_new_world_has_a_picture_and_is_found_again, place_clear),
        cmocka_unit_test_setup(an_option_that_says_what_to_do_skips_it, place_clear),
        cmocka_unit_test_setup(a_folder_that_cannot_be_read_stops_nothing, place_clear),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}

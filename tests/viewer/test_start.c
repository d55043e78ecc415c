/// The start screen with real keys: a new world, the same world again, and a folder that cannot be
/// read. Run by with_keyboard.sh.
#define _GNU_SOURCE // prlimit. NOLINT(bugprone-reserved-identifier)
#include "viewer_session.h"

#include <sys/resource.h>

#define WORLDS "--worlds worlds "

/// Waits for the window of a world, which is another than the start screen's.
static void await_open_world(Session *session)
{
    const double until = session_clock() + SESSION_PATIENCE;
    session->window[0] = '\0';
    while (!session->window[0]) {
        if (session_do(session, "search --onlyvisible --name '^Terrane - [0-9L]'")) {
            (void)sscanf(session->place->text, "%31s", session->window);
        }
        if (session_clock() > until || !session_lives(session)) {
            session_fail(session, "there is no world");
        }
        session_sleep(0.05);
    }
    session_await_title(session, "Loading", false);
}

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
    await_open_world(session);
}

/// Opens the start screen, and goes on from there.
static void enter_world(Session *session, Place *place, const char *arguments)
{
    session_open(session, place, arguments);
    choose_world(session);
}

static void await_start_screen(Session *session)
{
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

/// Leaves a world by the pause menu, and awaits the start screen.
static void leave_world(Session *session)
{
    session_key(session, "Escape");
    session_await_title(session, "paused", true);
    for (int i = 0; i < 4; i++) {
        session_hold(session, "Right", 0.1);
        session_sleep(0.1);
    }
    session_hold(session, "Return", 0.15); // Worlds
    await_start_screen(session);
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

static const char *const RATES[] = {"--frame-limit 30 ", "--frame-limit 1 "};

static void start_at(Session *session, Place *place, const char *rate)
{
    char arguments[128];
    (void)snprintf(arguments, sizeof arguments, "%s" WORLDS, rate);
    session_open(session, place, arguments);
    session_await_title(session, "worlds", true);
}

static void await_world(Session *session, const char *name, bool has)
{
    const double until = session_clock() + SESSION_PATIENCE;
    while (has_world(session->place, name) != has) {
        if (session_clock() > until) {
            session_fail(session, name);
        }
        session_sleep(0.1);
    }
}

/// By keys in bursts: a name typed into the form, rename, copy, delete, and undo.
static void worlds_are_named_renamed_copied_deleted_and_brought_back(void **state)
{
    for (int i = 0; i < 2; i++) {
        Place *place = *state;
        Session session;
        (void)place_clear(state);
        start_at(&session, place, RATES[i]);
        // From "Create and play" up to the name, which Enter creates.
        session_key(&session, "Up Up Up Return ctrl+a H o m e Return");
        await_open_world(&session);
        leave_world(&session);
        assert_true(has_world(place, "Home.world"));
        session_sleep(1.5); // until the world is read
        session_key(&session, "F2 ctrl+a N e w Return");
        await_world(&session, "New.world", true);
        assert_false(has_world(place, "Home.world"));
        session_sleep(1.5);
        session_key(&session, "Right Return Down Down Return"); // Make a copy
        await_world(&session, "New copy.world", true);
        session_sleep(2.5);
        session_key(&session, "Delete Escape"); // no
        session_key(&session, "Delete Return"); // Keep
        session_sleep(1.5);
        assert_true(has_world(place, "New copy.world") && has_world(place, "New.world"));
        session_key(&session, "Delete Left Return");
        await_world(&session, "deleted/New copy.world", true);
        assert_false(has_world(place, "New copy.world"));
        session_sleep(1.5);
        session_key(&session, "ctrl+z");
        await_world(&session, "New copy.world", true);
        assert_false(has_world(place, "deleted/New copy.world"));
        kill(session.viewer, SIGTERM);
        (void)session_end(&session);
    }
}

/// A link that was copied in a world is pasted after its window has gone.
static void a_link_outlives_its_window_and_leads_back(void **state)
{
    Session session;
    SessionPlace at = {{0}, 0, 0};
    session_start(&session, *state, "--at=20,90,-30,45,-10 ");
    (void)session_quit(&session, "F10");
    char link[256];
    const char *printed = strstr(session.place->text, "with: terrane-viewer terrane://");
    assert_non_null(printed);
    assert_int_equal(sscanf(printed, "with: terrane-viewer %255s", link), 1);
    enter_world(&session, *state, WORLDS);
    session_key(&session, "l");
    session_sleep(0.3);
    leave_world(&session);
    session_key(&session, "ctrl+v"); // leads to the land without a file
    await_open_world(&session);
    (void)session_quit(&session, "F10");
    assert_non_null(strstr(session.place->text, "Here again with: terrane-viewer terrane://"));
    session_open(&session, *state, link);
    at = session_quit(&session, "F10");
    assert_true(at.voxel[0] == 20 && at.voxel[1] == 90 && at.yaw == 45);
}

/// A full disk: the screen comes back, and creates the world once there is space. A link of rubbish
/// leads nowhere.
static void what_cannot_be_opened_leads_back(void **state)
{
    const struct rlimit full = {1, RLIM_INFINITY}, roomy = {RLIM_INFINITY, RLIM_INFINITY};
    for (int i = 0; i < 2; i++) {
        Place *place = *state;
        Session session;
        (void)place_clear(state);
        start_at(&session, place, RATES[i]);
        session_key(&session, "Down Down Down Down Down Down Down Up Left Return");
        session_key(&session, "t e r r a n e colon slash slash x Return");
        session_sleep(2.5);
        session_await_title(&session, "worlds", true);
        kill(session.viewer, SIGTERM);
        (void)session_end(&session);
        start_at(&session, place, RATES[i]);
        assert_int_equal(prlimit(session.viewer, RLIMIT_FSIZE, &full, NULL), 0);
        session_key(&session, "Return"); // "Create and play"
        session_sleep(5);
        await_start_screen(&session);
        assert_false(has_world(place, "New world.world"));
        assert_int_equal(prlimit(session.viewer, RLIMIT_FSIZE, &roomy, NULL), 0);
        session_sleep(2.5);
        session_key(&session, "Return");
        await_open_world(&session);
        (void)session_quit(&session, "F10");
        assert_true(has_world(place, "New world.world"));
    }
}

/// The report begins beside the window, whose title has its progress, and is stopped.
static void a_report_is_begun_and_stopped_in_the_window(void **state)
{
    static const char *const rates[] = {"--frame-limit 30 ", "--frame-limit 1 "};
    for (int i = 0; i < 2; i++) {
        Place *place = *state;
        Session session;
        char arguments[128];
        (void)snprintf(arguments, sizeof arguments, "%s" WORLDS, rates[i]);
        assert_int_equal(setenv("XDG_DATA_HOME", place->folder, 1), 0);
        session_open(&session, place, arguments);
        session_await_title(&session, "worlds", true);
        session_key(&session, "Down Down Down Down Down Down Down Right Up Return");
        session_await_title(&session, "report 0 %", true);
        session_key(&session, "Down Left Return");
        session_await_title(&session, "report", false);
        assert_int_equal(place_run(place, "pgrep -f '[-]-benchmark '\"$XDG_DATA_HOME\""), 1);
        kill(session.viewer, SIGTERM);
        assert_int_equal(session_end(&session), 128 + SIGTERM);
        assert_int_equal(unsetenv("XDG_DATA_HOME"), 0);
    }
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

/// @param argv  a pattern of test names
int main(int argc, char **argv)
{
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_new_world_has_a_picture_and_is_found_again, place_clear),
        cmocka_unit_test_setup(worlds_are_named_renamed_copied_deleted_and_brought_back,
                               place_clear),
        cmocka_unit_test_setup(a_link_outlives_its_window_and_leads_back, place_clear),
        cmocka_unit_test_setup(an_option_that_says_what_to_do_skips_it, place_clear),
        cmocka_unit_test_setup(what_cannot_be_opened_leads_back, place_clear),
        cmocka_unit_test_setup(a_report_is_begun_and_stopped_in_the_window, place_clear),
        cmocka_unit_test_setup(a_folder_that_cannot_be_read_stops_nothing, place_clear),
    };
    return cmocka_run_group_tests(tests, place_make, place_remove);
}

#include "app/app.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/app_impl.h"
#include "app/place.h"
#include "interrupt.h"
#include "program.h"
#include "settings/command_line.h"

// ---- opening a world ----------------------------------------------------------------------------

/// Offers the last copied link in a new window, unless another program has copied since. On X11 a
/// text is lost with the window that has copied it.
static void app_offer_copied(const App *app, GLFWwindow *window)
{
    const char *now = app->copied[0] ? glfwGetClipboardString(window) : NULL;
    if (app->copied[0] && (!now || !now[0])) {
        glfwSetClipboardString(window, app->copied);
    }
}

static void app_print_mistake(void *user, const Message *mistake)
{
    (void)user;
    (void)program_complain("terrane-viewer", mistake, 0);
}

/// If the default settings file cannot be read, the viewer starts anyway; if --settings names the
/// file, it does not.
static bool app_load_settings(App *app, SettingsFile *file, Message *problem)
{
    Settings *settings = app->settings;
    SettingsEar ear = {app_print_mistake, NULL, 0};
    Settings of_file = *app->defaults;
    const bool good = settings_read(file, &of_file, settings->file, &ear, problem);
    if (!good && !settings->file) {
        app_print_mistake(NULL, problem);
    }
    settings_take_file(settings, &of_file);
    return good || !settings->file;
}

/// Begins the playback and the recording that the command line asks for.
static bool app_begin_flights(App *app, Message *problem)
{
    Session *session = &app->session;
    const FlightHead head = command_line_flight_head(session->settings);
    Message reason;
    if (!replay_fits_land(&app->flight, &head, world_terrain(session->viewer.world), &reason)) {
        notices_say(&session->notices, "The flight does not fit this land: %s.", reason.text);
        fprintf(stderr, "terrane-viewer: %s\n", session->notices.text.text);
    }
    return (app->mode != APP_PLAYBACK ||
            playback_open(&app->playback, session, &app->flight, problem)) &&
           session_begin_recording(session, problem);
}

static bool app_begin_session(App *app, const SettingsFile *file, Message *problem)
{
    Session *session = &app->session;
    Settings *settings = app->settings;
    if (!session_open(session, settings, file, &app->kept, problem) ||
        !hud_create(&app->hud, session, problem)) {
        return false;
    }
    (void)timing_reach(&session->timing, LAUNCH_WINDOW);
    session->copied = app->copied;
    session->is_chosen = app->is_chosen;
    app_offer_copied(app, session->viewer.window.handle);
    const bool is_lookout = place_camera(session, &app->flight, app->mode == APP_PLAYBACK);
    if (!session_create_person(session, problem) || !app_begin_flights(app, problem)) {
        return false;
    }
    if (is_lookout) {
        place_sun(session);
    }
    const Settings wished = *settings;
    settings->full_screen = false; // the window was opened without full screen
    session_change(session, &wished);
    if (session->file.problems) {
        notices_say(&session->notices, "The settings file has mistakes; the terminal shows which.");
    }
    if (settings->demo) {
        app_go(app, APP_DEMO);
    }
    window_catch_mouse(&session->viewer.window, true);
    return true;
}

static void app_free_session(App *app)
{
    Session *session = &app->session;
    inventory_free(&app->inventory);
    map_mode_free(&app->map);
    building_end(app->building.building);
    app->building = (BuildingMode){.building = NULL};
    app->box = (BoxMode){.is_saving = false};
    hud_destroy(&app->hud);
    playback_free(&app->playback);
    demo_free(&app->demo);
    if (app->wish != APP_QUITS && session->viewer.renderer && !viewer_is_lost(&session->viewer)) {
        window_take_over(&app->kept, &session->viewer.window); // for the start screen
    }
    session_close(&app->session);
    flight_free(&app->flight);
    app->mode = APP_START;
}

/// Opens the world that the settings name. On failure no world is open.
static AppStep app_open(App *app, Message *problem)
{
    SettingsFile file;
    app->code = viewer_prepare(app->settings, &app->flight, problem);
    if (app->code != PROGRAM_GOOD) {
        return APP_FAILED;
    }
    app->code = PROGRAM_FAILED;
    if (!app_load_settings(app, &file, problem)) {
        flight_free(&app->flight);
        return APP_FAILED;
    }
    app->mode = app->settings->flight ? APP_PLAYBACK : APP_PLAY;
    app->wish = APP_STAYS;
    app->hud = (Hud){0};
    app->title = (Title){0};
    app->gamepad = (Gamepad){0};
    app->play = (Play){0};
    app->demo = (Demo){0};
    if (!app_begin_session(app, &file, problem)) {
        app_free_session(app);
        return APP_FAILED;
    }
    return APP_GOES_ON;
}

// ---- closing a world ----------------------------------------------------------------------------

/// Reports a failure while closing: as the problem, or on standard error if there already is a
/// problem.
/// @return false
static bool app_fail(bool good, const Message *reason, Message *problem)
{
    if (good) {
        *problem = *reason;
    } else {
        fprintf(stderr, "terrane-viewer: %s\n", reason->text);
    }
    return false;
}

/// Saves everything and closes the world, also after a failure.
/// @return whether `good` was true and everything is saved
static bool app_close(App *app, bool good, Message *problem)
{
    Session *session = &app->session;
    Message reason;
    app_stop_mode(app);
    session_finish_recording(session);
    if (!viewer_finish_trace(&session->viewer, &reason)) {
        good = app_fail(good, &reason, problem);
    }
    const TrnResult saved = app_save(app, &reason);
    if (saved != TRN_RESULT_OK) {
        good = app_fail(good || saved == TRN_RESULT_BUSY, &reason, problem);
    }
    if (good || (loading_has_land(&session->loading) && interrupt_came())) {
        if (!session_save(session, &reason)) {
            fprintf(stderr, "terrane-viewer: %s\n", reason.text);
        }
        if (!timing_has_reached(&session->timing, LAUNCH_VIEW)) {
            timing_print_launch(&session->timing);
        }
        place_print_end(session);
    }
    if (saved == TRN_RESULT_BUSY) { // closing the file would block on the disk
        _Exit(program_complain("terrane-viewer", problem, PROGRAM_FAILED));
    }
    app_free_session(app);
    return good;
}

// ---- the start screen ---------------------------------------------------------------------------

static AppStep app_begin_start(App *app, Message *problem)
{
    app->mode = APP_START;
    app->code = PROGRAM_FAILED;
    if (!start_begin(&app->start, app->settings, &app->kept, problem)) {
        return APP_FAILED;
    }
    app_offer_copied(app, app->start.window.handle);
    if (app->imported[0]) {
        start_import(&app->start, app->imported);
        app->imported[0] = '\0';
    }
    return APP_GOES_ON;
}

/// Opens the chosen world. If it cannot be opened, the start screen says why.
static AppStep app_open_chosen(App *app, Message *problem)
{
    const StartAction choice = app->start.news.about;
    start_end(&app->start, &app->kept);
    app->is_chosen = true;
    if (app_open(app, problem) != APP_FAILED) {
        return APP_GOES_ON;
    }
    const Message reason = *problem;
    *app->settings = start_again(&app->line);
    const AppStep step = interrupt_came() ? APP_FAILED : app_begin_start(app, problem);
    if (step != APP_FAILED) {
        start_tell_failure(&app->start, choice, &reason);
    }
    return step;
}

static AppStep app_frame_start(App *app, Message *problem)
{
    switch (start_frame(&app->start, problem)) {
    case START_GOES_ON:
        return APP_GOES_ON;
    case START_IS_CHOSEN:
        return app_open_chosen(app, problem);
    case START_QUITS:
        return APP_OVER;
    default:
        return APP_FAILED;
    }
}

/// Closes the world and returns to the start screen.
static AppStep app_go_back(App *app, Message *problem)
{
    app->code = PROGRAM_FAILED;
    if (!app_close(app, true, problem)) {
        return APP_FAILED;
    }
    *app->settings = start_again(&app->line);
    return app_begin_start(app, problem);
}

// ---- life ---------------------------------------------------------------------------------------

AppStep app_begin(App **app, const AppDef *def, Message *problem)
{
    *app = calloc(1, sizeof **app);
    if (!*app) {
        (void)message_set(problem, "Out of memory for the viewer.");
        return APP_FAILED;
    }
    (*app)->settings = def->settings;
    (*app)->defaults = def->defaults;
    (*app)->has_start = def->has_start;
    (*app)->line = *def->settings;
    return def->has_start && start_is_wanted(def->settings) ? app_begin_start(*app, problem)
                                                            : app_open(*app, problem);
}

static bool app_may_end(App *app)
{
    Session *session = &app->session;
    Message news;
    if (open_world_may_end(&session->world, app_world_mode(app),
                           loading_has_land(&session->loading), &news)) {
        return true;
    }
    app->wish = APP_STAYS;
    glfwSetWindowShouldClose(session->viewer.window.handle, GLFW_FALSE);
    notices_show(&session->notices, &news);
    return false;
}

AppStep app_frame(App *app, Message *problem)
{
    if (app->mode == APP_START) {
        return app_frame_start(app, problem);
    }
    const bool is_over =
        app->wish != APP_STAYS || glfwWindowShouldClose(app->session.viewer.window.handle);
    if (is_over && app_may_end(app)) {
        return app->wish == APP_LEAVES && app->has_start ? app_go_back(app, problem) : APP_OVER;
    }
    if (interrupt_came()) {
        (void)message_set(problem, "Interrupted.");
        return APP_FAILED;
    }
    return app_run_frame(app, problem) ? APP_GOES_ON : APP_FAILED;
}

int app_end(App *app, AppStep step, Message *problem)
{
    if (!app) {
        return PROGRAM_FAILED;
    }
    int code = step == APP_OVER ? PROGRAM_GOOD : app->code;
    if (app->mode == APP_START) {
        start_end(&app->start, NULL);
    } else if (!app_close(app, step == APP_OVER, problem)) {
        code = PROGRAM_FAILED;
    }
    if (app->kept.handle) {
        window_close(&app->kept);
    }
    free(app);
    return code;
}

int app_run(const AppDef *def, Message *problem)
{
    App *app;
    AppStep step = app_begin(&app, def, problem);
    while (step == APP_GOES_ON) {
        step = app_frame(app, problem);
    }
    return app_end(app, step, problem);
}

// ---- for the page -------------------------------------------------------------------------------

Session *app_session(App *app)
{
    return app->mode == APP_START ? NULL : &app->session;
}

TrnResult app_save(App *app, Message *problem)
{
    return open_world_save(&app->session.world, app_world_mode(app),
                           loading_has_land(&app->session.loading), problem);
}

bool app_tap(App *app, float x, float y)
{
    if (app->mode == APP_START || app->mode == APP_PAUSED || !app->hud.panel) {
        return false;
    }
    const int slot = panel_bar_slot(app->hud.panel, x, y);
    return slot >= 0 && palette_choose_slot(hand_palette(app->session.person.hand), (uint32_t)slot);
}

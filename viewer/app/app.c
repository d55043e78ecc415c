#include "app/app.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/box_mode.h"
#include "app/building_mode.h"
#include "app/demo_mode.h"
#include "app/hud.h"
#include "app/inventory_mode.h"
#include "app/map_mode.h"
#include "app/pause_mode.h"
#include "app/photo_mode.h"
#include "app/place.h"
#include "app/play_mode.h"
#include "app/playback_mode.h"
#include "app/presses.h"
#include "app/screenshot.h"
#include "app/title.h"
#include "clock.h"
#include "interrupt.h"
#include "program.h"
#include "settings/command_line.h"
#include "settings/share.h"
#include "start/start.h"
#include "window/input.h"

/// What the player wants the app to do next.
typedef enum AppWish {
    APP_STAYS,
    APP_LEAVES, ///< returns to the start screen
    APP_QUITS
} AppWish;

struct App {
    AppDef def;
    Settings line; ///< the settings from the command line
    int code;      ///< exit code of APP_FAILED
    AppMode mode;
    AppWish wish;
    bool is_chosen;   ///< the player chose the world on the start screen
    bool has_touched; ///< a key or button was pressed in this frame that is not for the program
    Window kept;      ///< between the start screen and a world; without a handle: none
    char copied[SHARE_BYTES]; ///< the last link that was copied; empty: none
    Start start;              ///< of mode START; the fields below are of the other modes
    Flight flight;
    Session session;
    Hud hud;
    Title title;
    Gamepad gamepad;
    Play play;
    Demo demo;
    Playback playback;
    Photo photo;
    Inventory inventory;
    MapMode map;
    BuildingMode building;
    BoxMode box;
    char opened[FILE_PATH_MAX];   ///< the file that mode BUILDING begins with; empty: none
    char imported[FILE_PATH_MAX]; ///< the start screen imports it next; empty: nothing
    Pause pause;
};

// ---- modes --------------------------------------------------------------------------------------

/// Returns the mode that controls the camera; under the pause menu, the interrupted mode.
static AppMode app_world_mode(const App *app)
{
    return app->mode == APP_PAUSED ? app->pause.resumes : app->mode;
}

static void app_leave_mode(App *app)
{
    switch (app->mode) {
    case APP_DEMO:
        demo_close(&app->demo, &app->session);
        break;
    case APP_PLAYBACK:
        playback_end(&app->session);
        break;
    case APP_PHOTO:
        photo_close(&app->photo, &app->session);
        break;
    case APP_INVENTORY:
        inventory_mode_end(&app->inventory, &app->session);
        break;
    case APP_MAP:
        map_mode_end(&app->session);
        break;
    case APP_BUILDING:
        building_mode_end(&app->building, &app->session);
        break;
    case APP_BOX:
        box_mode_end(&app->session);
        break;
    default:
        break;
    }
}

/// Begins a mode. @return the mode begun: PLAY if `next` cannot begin
static AppMode app_enter_mode(App *app, AppMode next)
{
    switch (next) {
    case APP_DEMO:
        return demo_open(&app->demo, &app->session) ? next : APP_PLAY;
    case APP_PHOTO:
        app->photo = photo_open(&app->session);
        return next;
    case APP_INVENTORY:
        return inventory_mode_begin(&app->inventory, &app->session) ? next : APP_PLAY;
    case APP_MAP:
        return map_mode_begin(&app->map, &app->session) ? next : APP_PLAY;
    case APP_BUILDING:
        return building_mode_begin(&app->building, &app->session,
                                   app->opened[0] ? app->opened : NULL)
                   ? next
                   : APP_PLAY;
    case APP_BOX:
        box_mode_begin(&app->box, &app->session);
        return next;
    default:
        return next;
    }
}

/// Switches to another mode. A pause keeps the state of the mode that it interrupts, and returns to
/// it.
static void app_go(App *app, AppMode next)
{
    // The help would cover the menu or the tiles.
    app->hud.help &= app->mode != APP_PAUSED && (next == APP_PLAY || next == APP_DEMO);
    if (next == APP_PAUSED) {
        app->pause = pause_begin(&app->session, app->mode);
        app->mode = next;
    } else if (app->mode == APP_PAUSED) {
        app->mode = pause_end(&app->pause, &app->session);
    } else {
        app_leave_mode(app);
        app->mode = app_enter_mode(app, next);
    }
}

/// Switches between PLAY and a mode that a key opens and closes.
static void app_toggle_mode(App *app, AppMode mode)
{
    if (app->mode == mode) {
        app_go(app, APP_PLAY);
    } else if (app->mode == APP_PLAY && loading_has_land(&app->session.loading)) {
        app_go(app, mode);
    }
}

static void app_take_mode_keys(App *app, const Input *input)
{
    if (input->presses[INPUT_PHOTO] % 2) {
        app_toggle_mode(app, APP_PHOTO);
    }
    if (input->presses[INPUT_INVENTORY] % 2) {
        app_toggle_mode(app, APP_INVENTORY);
    }
    if (input->presses[INPUT_MAP] % 2) {
        app_toggle_mode(app, APP_MAP);
    }
    if (input->presses[INPUT_PAUSE] % 2) {
        const bool is_over_play = app->mode == APP_PHOTO || app->mode == APP_INVENTORY ||
                                  app->mode == APP_MAP || app->mode == APP_BUILDING ||
                                  app->mode == APP_BOX;
        app_go(app, is_over_play || app->mode == APP_PAUSED ? APP_PLAY : APP_PAUSED);
    }
}

// ---- input --------------------------------------------------------------------------------------

/// Whether the panel for buildings is open.
static bool app_has_form(const App *app)
{
    return (app->mode == APP_BUILDING && building_mode_has_panel(&app->building)) ||
           (app->mode == APP_BOX && box_mode_has_panel(&app->box));
}

/// Whether a panel takes keys and mouse.
static bool app_has_menu(const App *app)
{
    return app->mode == APP_PAUSED || app->mode == APP_INVENTORY || app->mode == APP_MAP ||
           app_has_form(app);
}

/// Takes the next events, and returns their input, limited to what the mode uses.
static Input app_take_part(App *app)
{
    Session *session = &app->session;
    Window *window = &session->viewer.window;
    const InputFeel feel = settings_feel(session->settings);
    const bool is_awaited = panel_awaits_key(app->hud.panel);
    window_take(window);
    panel_feed(app->hud.panel, &window->batch, app_has_menu(app),
               input_pressed_pad(&window->state));
    const Input all = input_take(&window->state, &session->settings->bindings, &feel, 0);
    if (is_awaited) {
        return (Input){0};
    }
    const Input input =
        presses_of_mode(&all, app->mode, &window->batch, &session->settings->bindings,
                        panel_has_keyboard(app->hud.panel));
    return app->mode == APP_PAUSED || app_has_form(app) ? input_of_program(&input)
           : app->mode == APP_INVENTORY                 ? inventory_mode_input(&input)
           : app->mode == APP_MAP
               ? map_mode_input(&app->map, &input, presses_turn_wheel(&window->batch))
               : input;
}

/// Handles the keys that work in every mode.
static void app_take_keys(App *app, const Input *input)
{
    app->hud.help ^= input->presses[INPUT_HELP] % 2;
    if (input_pressed(input, INPUT_QUIT) && app->wish == APP_STAYS) {
        app->wish = APP_QUITS;
    }
    if (input->presses[INPUT_RECORD] % 2) {
        session_toggle_recording(&app->session);
    }
    if (input_pressed(input, INPUT_SHARE)) {
        place_share(&app->session);
    }
    app_take_mode_keys(app, input);
    if (app->mode == APP_BOX) {
        box_mode_press(&app->box, &app->session, input);
    }
}

/// Catches the mouse if the picture was clicked.
/// @return whether this click caught the mouse: the same click must not dig
static bool app_take_click(App *app)
{
    Window *window = &app->session.viewer.window;
    const bool is_free = window->is_clicked && !window->caught;
    if (window->is_clicked && !app_has_menu(app) && !panel_has_mouse(app->hud.panel)) {
        window_catch_mouse(window, true);
    }
    return is_free;
}

/// Handles the key that cycles through the planes of the indexes.
static void app_take_index_keys(App *app, const Input *input)
{
    IndexView *index = &app->session.viewer.index;
    Message text;
    if (input_pressed(input, INPUT_INDEX_PLANE)) {
        app->session.settings->index_view = true;
        index_view_choose_next(index);
        if (index_view_plane_label(index, index->source, index->plane, &text)) {
            notices_show(&app->session.notices, &text);
        }
    }
}

// ---- a step of the world ------------------------------------------------------------------------

/// Begins the demo when the user is idle, and ends it when the user touches the controls.
/// @return whether the demo ended: the click that ended it must not dig
static bool app_watch_demo(App *app, const Input *input, double step)
{
    if (app->mode == APP_DEMO) {
        // The band says "any key"; a screenshot does not end it.
        const bool is_over = app->has_touched || input_is_for_player(input);
        if (is_over) {
            app_go(app, APP_PLAY);
        }
        return is_over;
    }
    const bool is_busy = app->mode != APP_PLAY || !input_is_idle(input);
    if (demo_watch(&app->demo, &app->session, is_busy, step)) {
        app_go(app, APP_DEMO);
    }
    return false;
}

/// Moves the camera. Nothing moves until the land around it is loaded.
static void app_move(App *app, const Input *input, double step)
{
    Session *session = &app->session;
    Viewer *viewer = &session->viewer;
    double before[3], now[3];
    if (!loading_watch(&session->loading, viewer)) {
        camera_turn(&viewer->camera, input->look_right, input->look_up);
        return;
    }
    if (app->mode == APP_PLAYBACK && playback_is_over(&app->playback, input)) {
        app_go(app, APP_PLAY);
    }
    camera_voxel(&viewer->camera, before);
    switch (app->mode) {
    case APP_PHOTO:
        photo_step(&app->photo, session, input, step);
        break;
    case APP_DEMO:
        demo_step(&app->demo, session, step);
        break;
    case APP_PLAYBACK:
        playback_step(&app->playback, session, step);
        break;
    case APP_MAP:
        map_mode_step(&app->map, session, step);
        play_step(&app->play, session, &(Input){0}, step);
        break;
    case APP_BUILDING:
    case APP_BOX:
        play_step(&app->play, session, app_has_form(app) ? &(Input){0} : input, step);
        break;
    default:
        play_step(&app->play, session, input, step);
    }
    camera_voxel(&viewer->camera, now);
    for (int axis = 0; axis < 3 && loading_has_land(&session->loading); axis++) {
        viewer->velocity[axis] = step > 0 ? (now[axis] - before[axis]) / step : 0;
    }
}

/// Moves a building's box, or shows the marked one. A click that caught the mouse does nothing.
static void app_act_box(App *app, const Input *input, bool is_click_taken)
{
    Input left = *input;
    left.presses[INPUT_DIG] = is_click_taken ? 0 : left.presses[INPUT_DIG];
    left.presses[INPUT_BUILD] = is_click_taken ? 0 : left.presses[INPUT_BUILD];
    if (app->mode == APP_BOX) {
        box_mode_step(&app->box, &app->session);
    } else if (building_mode_step(&app->building, &app->session, &left)) {
        app_go(app, APP_PLAY);
    }
}

/// Digs and builds, and moves the debris.
static void app_act(App *app, const Input *input, bool is_click_taken, double step)
{
    Viewer *viewer = &app->session.viewer;
    viewer->outline = NULL;
    switch (app->mode) {
    case APP_PLAYBACK:
        playback_act(&app->playback);
        break;
    case APP_PLAY:
        play_act(&app->session, input, is_click_taken, step);
        break;
    case APP_BUILDING:
    case APP_BOX:
        app_act_box(app, input, is_click_taken);
        break;
    default:
        person_release(&app->session.person);
    }
    if (viewer->debris) {
        (void)debris_step(viewer->debris, step);
    }
}

static void app_step_world(App *app, const Input *input, bool is_click_taken, double step)
{
    Session *session = &app->session;
    session->viewer.camera.field_of_view = (float)session->settings->field_of_view;
    if (app->mode == APP_PAUSED) {
        return; // liquids pause too; only loading goes on
    }
    session->viewer.seconds += step;
    app_take_index_keys(app, input);
    is_click_taken |= app_watch_demo(app, input, step);
    const double start = clock_us();
    app_move(app, input, step);
    session->timing.player_us = clock_us() - start;
    session_record_frame(session, step);
    app_act(app, input, is_click_taken, step);
    world_flow(session->viewer.world, step, session->settings->flows);
}

// ---- a frame ------------------------------------------------------------------------------------

/// Creates graphics objects again if the driver has lost them.
static bool app_renew(App *app, Message *problem)
{
    Viewer *viewer = &app->session.viewer;
    if (!viewer_is_lost(viewer)) {
        return true;
    }
    hud_destroy(&app->hud);
    return viewer_renew(viewer, problem) && hud_create(&app->hud, &app->session, problem);
}

/// Updates and draws the world. Resizes the picture to the window; if memory is short, the picture
/// keeps its size.
static bool app_draw_world(App *app, int width, int height, Message *problem)
{
    Session *session = &app->session;
    Viewer *viewer = &session->viewer;
    Message reason;
    const double start = clock_us();
    if (!app_renew(app, problem)) {
        return false;
    }
    if (!renderer_resize(viewer->renderer, width, height, &reason)) {
        notices_show(&session->notices, &reason);
    }
    session_update(session);
    const AppMode mode = app_world_mode(app);
    open_world_meet_others(&session->world,
                           loading_has_land(&session->loading) && mode != APP_DEMO &&
                               mode != APP_PHOTO,
                           session->timing.frame_us * 1e-6);
    viewer_watch_index(viewer, session->timing.clock);
    if (mode != APP_MAP) { // the map covers the picture
        if (!viewer_draw(viewer, problem)) {
            return false;
        }
        viewer_warn_refused(viewer);
    }
    renderer_present(viewer->renderer);
    session->timing.work_us = clock_us() - start;
    return true;
}

/// Opens a file that was dropped on the window.
static void app_take_dropped(App *app)
{
    Window *window = &app->session.viewer.window;
    if (!window->dropped[0] || !loading_has_land(&app->session.loading)) {
        return;
    }
    (void)snprintf(app->opened, sizeof app->opened, "%s", window->dropped);
    window->dropped[0] = '\0';
    if (app->mode == APP_PAUSED) {
        app_go(app, APP_PLAY);
    }
    if (app->mode != APP_PLAYBACK) {
        app_go(app, APP_PLAY);
        app_go(app, APP_BUILDING);
    }
    app->opened[0] = '\0';
}

/// Returns the line of keys of a mode that has one over the picture, or NULL.
static const char *app_mode_hint(App *app)
{
    if (app_has_menu(app)) {
        return NULL;
    }
    return app->mode == APP_BUILDING ? building_mode_hint(&app->building, &app->session)
           : app->mode == APP_BOX    ? box_mode_hint(&app->box, &app->session)
                                     : NULL;
}

static void app_draw_hud(App *app, bool is_hidden)
{
    Session *session = &app->session;
    Timing *timing = &session->timing;
    const bool is_first = app->mode == APP_PLAY && app->play.beginning == PLAY_AT_START &&
                          loading_has_land(&session->loading);
    const bool is_map = app->mode == APP_MAP;
    const MapFigures map =
        is_map ? map_mode_figures(&app->map, session) : (MapFigures){.tiles = NULL};
    const bool is_form = app_has_form(app);
    const BuildingFigures building = !is_form ? (BuildingFigures){.text = NULL}
                                     : app->mode == APP_BUILDING
                                         ? building_mode_figures(&app->building, session)
                                         : box_mode_figures(&app->box);
    const HudFrame frame = {.mode = app->mode,
                            .building = is_form ? &building : NULL,
                            .hint = app_mode_hint(app),
                            .has_files = app->def.has_start,
                            .is_first = is_first,
                            .is_dark = app->mode == APP_PLAY && app->play.lamp == PLAY_LAMP_HINTED,
                            .is_hidden = is_hidden,
                            .inventory = &app->inventory,
                            .map = is_map ? &map : NULL};
    const double start = clock_us(), own_start = clock_thread_us();
    hud_draw(&app->hud, session, &frame);
    timing->panel_us = clock_us() - start;
    timing->panel_own_us = clock_thread_us() - own_start - panel_cost(app->hud.panel).driver_us;
}

/// Does what the player chose in the panel for buildings.
static void app_take_building(App *app, const BuildingChoice *choice)
{
    if (app->mode == APP_BOX && box_mode_take(&app->box, &app->session, choice)) {
        app_go(app, APP_PLAY);
    } else if (app->mode == APP_BUILDING) {
        const BuildingModeNext next = building_mode_take(&app->building, &app->session, choice);
        if (next == BUILDING_IMPORTS) {
            (void)snprintf(app->imported, sizeof app->imported, "%s", app->building.path);
            app->wish = APP_LEAVES;
        }
        if (next != BUILDING_STAYS) {
            app_go(app, APP_PLAY);
        }
    }
}

/// Applies the choices made in the panels, between two frames.
static void app_take_choices(App *app)
{
    const PanelChoices *choices = &app->hud.choices;
    if (choices->changed) {
        session_change(&app->session, &choices->settings);
    }
    if (app->mode == APP_INVENTORY) {
        inventory_mode_take(&app->session, &choices->inventory);
        if (choices->inventory.close) {
            app_go(app, APP_PLAY);
        }
    }
    if (app->mode == APP_MAP && map_mode_take(&app->map, &app->session, &choices->in_map)) {
        app_go(app, APP_PLAY);
    }
    app_take_building(app, &choices->in_building);
    if ((choices->resume || choices->map || choices->open || choices->mark) &&
        app->mode == APP_PAUSED) {
        app_go(app, APP_PLAY);
        if (!choices->resume) {
            app_toggle_mode(app, choices->map ? APP_MAP : choices->open ? APP_BUILDING : APP_BOX);
        }
    }
    app->wish = choices->leave                            ? APP_LEAVES
                : choices->quit && app->wish == APP_STAYS ? APP_QUITS
                                                          : app->wish;
}

/// Draws and shows one frame. Then compares containers, outside the frame's time.
static bool app_draw(App *app, const Input *input, Message *problem)
{
    Session *session = &app->session;
    Viewer *viewer = &session->viewer;
    int width, height;
    glfwGetFramebufferSize(viewer->window.handle, &width, &height);
    if (width <= 0 || height <= 0) { // minimised: loading and saving continue
        if (!viewer_is_lost(viewer)) {
            session_update(session);
        }
        return true;
    }
    if (!app_draw_world(app, width, height, problem)) {
        return false;
    }
    app_draw_hud(app, false);
    renderer_size(viewer->renderer, &width, &height);
    if (app->mode == APP_PHOTO) {
        photo_take(&app->photo, session, input, width, height);
    } else if (input_pressed(input, INPUT_SCREENSHOT)) {
        screenshot_take(session, width, height);
    }
    glfwSwapBuffers(viewer->window.handle);
    const double start = clock_us();
    if (session->settings->compare) {
        gather_compare_after(&viewer->compare, world_store(viewer->world), viewer_box(viewer));
    } else {
        gather_compare_settle(&viewer->compare);
    }
    session->timing.compare_us = clock_us() - start;
    app_take_choices(app); // after all comparisons of this frame
    return !session->has_lost_world || message_set(problem, "Out of memory for any world.");
}

/// Records the launch steps that a shown frame has reached. Prints them when the whole view is
/// loaded.
static void app_watch_launch(Session *session)
{
    Timing *timing = &session->timing;
    (void)timing_reach(timing, LAUNCH_PICTURE);
    if (!loading_has_land(&session->loading) || timing_reach(timing, LAUNCH_GROUND)) {
        return; // the next frame knows whether more land must load
    }
    if (world_is_idle(session->viewer.world) && timing_reach(timing, LAUNCH_VIEW)) {
        timing_print_launch(timing);
    }
}

/// Handles the events since the last frame in their order, whatever time the frame took.
/// @return the input of all of them
static Input app_take_input(App *app, double step, bool *is_click_taken)
{
    Session *session = &app->session;
    Window *window = &session->viewer.window;
    const InputFeel feel = settings_feel(session->settings);
    Input input = {0};
    Message news;
    app->has_touched = false;
    window_poll(window, session->settings->frame_limit);
    if (gamepad_poll(&app->gamepad, &window->state, feel.dead_zone, &news) && !session->touches) {
        notices_show(&session->notices, &news);
    }
    do {
        const Input part = app_take_part(app);
        app->has_touched |= presses_touch(&window->batch, &session->settings->bindings);
        app_take_keys(app, &part);
        *is_click_taken |= app_take_click(app);
        session_press_settings(session, &part);
        input_add(&input, &part);
        if (!window->batch.is_last && app_has_menu(app)) { // the next batch may be for what opens
            app_draw_hud(app, true);
            app_take_choices(app);
        }
    } while (!window->batch.is_last && app->wish == APP_STAYS);
    input_turn(&input, &feel, step);
    return input;
}

static bool app_run_frame(App *app, Message *problem)
{
    Session *session = &app->session;
    bool is_click_taken = false;
    const double step = timing_begin_frame(&session->timing);
    const Input input = app_take_input(app, step, &is_click_taken);
    app_take_dropped(app);
    if (app->mode != APP_PAUSED && app->mode != APP_PLAYBACK) {
        session_adapt(session);
    }
    app_step_world(app, &input, is_click_taken, step);
    if (!app_draw(app, &input, problem)) {
        return false;
    }
    app_watch_launch(session);
    open_world_watch(&session->world, app_world_mode(app), session->timing.clock,
                     &session->notices);
    title_write(&app->title, session, app->mode == APP_PAUSED);
    return true;
}

/// Offers the last copied link in a new window, unless another program has copied since. On X11 a
/// text is lost with the window that has copied it.
static void app_offer_copied(const App *app, GLFWwindow *window)
{
    const char *now = app->copied[0] ? glfwGetClipboardString(window) : NULL;
    if (app->copied[0] && (!now || !now[0])) {
        glfwSetClipboardString(window, app->copied);
    }
}

// ---- opening a world ----------------------------------------------------------------------------

static void app_print_mistake(void *user, const Message *mistake)
{
    (void)user;
    (void)program_complain("terrane-viewer", mistake, 0);
}

/// If the default settings file cannot be read, the viewer starts anyway; if --settings names the
/// file, it does not.
static bool app_load_settings(App *app, SettingsFile *file, Message *problem)
{
    Settings *settings = app->def.settings;
    SettingsEar ear = {app_print_mistake, NULL, 0};
    Settings of_file = *app->def.defaults;
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
    Settings *settings = app->def.settings;
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
    app->code = viewer_prepare(app->def.settings, &app->flight, problem);
    if (app->code != PROGRAM_GOOD) {
        return APP_FAILED;
    }
    app->code = PROGRAM_FAILED;
    if (!app_load_settings(app, &file, problem)) {
        flight_free(&app->flight);
        return APP_FAILED;
    }
    app->mode = app->def.settings->flight ? APP_PLAYBACK : APP_PLAY;
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

/// Restores camera, lens and time of day, so that the world file notes the person's.
static void app_stop_mode(App *app)
{
    app->mode = app_world_mode(app);
    if (app->mode == APP_PHOTO && app->session.viewer.renderer) {
        photo_close(&app->photo, &app->session);
        app->mode = APP_PLAY;
    } else if (app->mode == APP_DEMO) {
        demo_end(&app->demo, &app->session.viewer.camera);
        app->mode = APP_PLAY;
    }
}

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
    if (!start_begin(&app->start, app->def.settings, &app->kept, problem)) {
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
    *app->def.settings = start_again(&app->line);
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
    *app->def.settings = start_again(&app->line);
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
    (*app)->def = *def;
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
        return app->wish == APP_LEAVES && app->def.has_start ? app_go_back(app, problem) : APP_OVER;
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

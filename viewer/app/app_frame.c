// A frame of a world: input, a step, the picture and the panels. See app.h.

#include "app/app_impl.h"

#include "app/place.h"
#include "app/presses.h"
#include "app/screenshot.h"
#include "clock.h"

// ---- input --------------------------------------------------------------------------------------

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
    app_move_mode(app, input, step);
    camera_voxel(&viewer->camera, now);
    for (int axis = 0; axis < 3 && loading_has_land(&session->loading); axis++) {
        viewer->velocity[axis] = step > 0 ? (now[axis] - before[axis]) / step : 0;
    }
}

/// Digs and builds, and moves the debris.
static void app_act(App *app, const Input *input, bool is_click_taken, double step)
{
    Viewer *viewer = &app->session.viewer;
    viewer->outline = NULL;
    app_act_mode(app, input, is_click_taken, step);
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
                            .has_files = app->has_start,
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

/// Applies the choices made in the panels, between two frames.
static void app_take_choices(App *app)
{
    const PanelChoices *choices = &app->hud.choices;
    if (choices->changed) {
        session_change(&app->session, &choices->settings);
    }
    app_take_mode_choices(app, choices);
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

bool app_run_frame(App *app, Message *problem)
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

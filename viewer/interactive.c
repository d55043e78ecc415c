#include "interactive.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "clearance.h"
#include "clock.h"
#include "figures.h"
#include "gamepad.h"
#include "image.h"
#include "interrupt.h"
#include "panel.h"
#include "person.h"
#include "recorder.h"
#include "replay.h"
#include "tuning.h"
#include "viewer.h"

// Of each frame, on this thread: taking what workers have made; without workers, all of it.
#define LOAD_BUDGET_MS 2.0
#define LOAD_BUDGET_ALONE_MS 4.0
#define NOTICE_SECONDS 4.0
#define START_HEIGHT_PART 0.15 // of the view distance
#define ATTRACT_RADIUS 160     // voxels
#define STEP_SECONDS_MAX 0.1   // a stall must not throw the camera far

typedef struct Interactive {
    Viewer viewer;
    Panel *panel;
    PanelChoices choices;
    PanelSettings choices_before; ///< how things were when they were made
    Settings *settings;
    Settings saved; ///< as they are in the file
    SettingsFile *file;
    Gamepad gamepad;
    double clock; ///< seconds that it runs, pauses as well
    bool paused, quits;
    bool lost; ///< there is no world any more
    bool help;
    InputHelp help_rows[INPUT_ACTION_COUNT];
    size_t help_count;
    const Flight *flight;
    Clearance clearance;
    bool ready;   ///< the land around the start was there
    float loaded; ///< 0..1: how much of it
    bool waiting; ///< the land or the ground is not there yet
    bool walk_begun;
    bool caught_now; ///< the mouse was caught by a click of this frame, which is for nothing else
    bool took_over;  ///< from a guide, by what was touched in this frame: a click does no more
    Person person;
    const Route *walk; ///< to be led along; without points: none
    Attract attract;
    bool playing;  ///< the flight has the controls
    double played; ///< seconds of it
    Replay replay; ///< of its edits
    Recorder recorder;
    double frame_us, work_us, panel_us, compare_us; ///< of the last frame
    double panel_own_us; ///< of panel_us, this thread's without the driver
    double player_us;    ///< of this frame
    FiguresTexts texts;
    Tuning tuning;
    TrnStreamReport update; ///< of the last frame
    uint32_t workers;       ///< that there were in the last frame
    double titled_us;       ///< when the title was last written
    Message notice, waits_for;
    double notice_until;
    int screenshots;
    uint32_t warned;
} Interactive;

// ---- telling ------------------------------------------------------------------------------------

static void notify(Interactive *run, const Message *text)
{
    run->notice = *text;
    run->notice_until = run->clock + NOTICE_SECONDS;
}

/// How an action is called up, such as "F1"; empty where nothing is bound.
static InputLabel action_label(const Interactive *run, InputAction action)
{
    const InputCode code = run->settings->bindings.codes[action][0];
    return code ? window_key_label(code) : (InputLabel){""};
}

// ---- pause, settings ----------------------------------------------------------------------------

/// What the person changed is written down when the menu is left.
static void save_settings(Interactive *run)
{
    Message problem;
    if (settings_save(run->file, &run->saved, run->settings, &problem)) {
        run->saved = *run->settings;
    } else {
        notify(run, &problem);
    }
}

static void set_paused(Interactive *run, bool paused)
{
    if (run->paused == paused) {
        return;
    }
    run->paused = paused;
    run->help = false; // it would stand in the menu's place
    window_catch_mouse(&run->viewer.window, !paused);
    if (!paused) {
        save_settings(run);
    }
}

static OverlayMenu menu_of_settings(const Interactive *run)
{
    const Settings *settings = run->settings;
    return (OverlayMenu){
        .sensitivity = (float)settings->sensitivity,
        .field_of_view = (float)settings->field_of_view,
        .bob = (float)settings->player.bob,
        .invert = settings->invert,
        .full_screen = window_is_full_screen(&run->viewer.window),
        .quality = (int)renderer_look(run->viewer.renderer).quality,
        .note = run->file->problems ? "The settings file has mistakes: nothing is saved." : NULL,
    };
}

static void set_quality(Interactive *run, LookQuality quality)
{
    Look look = renderer_look(run->viewer.renderer);
    Message problem;
    look_set_quality(&look, quality);
    if (!renderer_set_look(run->viewer.renderer, &look, &problem)) {
        notify(run, &problem);
    }
}

static void set_full_screen(Interactive *run, bool full)
{
    if (!window_set_full_screen(&run->viewer.window, full)) {
        Message text;
        (void)message_set(&text, "There is no screen to fill.");
        notify(run, &text);
    }
}

/// Takes over what differs, so that what was not touched keeps its exact value.
static void take_menu(Interactive *run, const OverlayMenu *menu)
{
    const OverlayMenu before = menu_of_settings(run);
    Settings *settings = run->settings;
    if (menu->sensitivity != before.sensitivity) {
        settings->sensitivity = (double)menu->sensitivity;
    }
    if (menu->field_of_view != before.field_of_view) {
        settings->field_of_view = (double)menu->field_of_view;
    }
    if (menu->bob != before.bob) {
        settings->player.bob = (double)menu->bob;
        PlayerSettings player = run->person.player.settings;
        player.bob = settings->player.bob;
        player_set(&run->person.player, &player);
    }
    settings->invert = menu->invert;
    if (menu->quality != before.quality) {
        settings->quality = menu->quality;
        set_quality(run, (LookQuality)menu->quality);
    }
    if (menu->full_screen != before.full_screen) {
        settings->full_screen = menu->full_screen;
        set_full_screen(run, menu->full_screen);
    }
}

static void leave_menu(Interactive *run, const OverlayMenu *menu)
{
    if (menu->changed) {
        take_menu(run, menu);
    }
    if (menu->resume) {
        set_paused(run, false);
    }
    if (menu->quit) {
        run->quits = true;
    }
}

// ---- the player ---------------------------------------------------------------------------------

/// Nothing moves before there is something to see.
static bool wait_for_land(Interactive *run)
{
    if (!run->ready) {
        const TrnStreamReadiness land =
            world_readiness(run->viewer.world, run->viewer.camera.position);
        // Memory or the graphics card may not hold it all.
        run->ready = land.is_shown || world_is_idle(run->viewer.world);
        run->loaded = land.chunks ? (float)land.shown / (float)land.chunks : 0;
        message_set(&run->waits_for, "Loading the land: %llu of %llu chunks",
                    (unsigned long long)land.shown, (unsigned long long)land.chunks);
    }
    run->waiting = !run->ready;
    return run->ready;
}

/// Any control takes over from a flight that is being played.
static bool takes_over(const Input *input)
{
    return input->forward != 0 || input->right != 0 || input->up != 0 || input->look_right != 0 ||
           input->look_up != 0;
}

static void play_flight(Interactive *run, double step)
{
    double pose[5];
    // What is to be dug or built on has to be there.
    run->waiting =
        !replay_is_ready(&run->replay, run->played + step) && !world_is_idle(run->viewer.world);
    if (run->waiting) {
        (void)message_set(&run->waits_for, "Waiting for the land that was dug in.");
        return;
    }
    run->played += step;
    clearance_sample(&run->clearance, run->flight, run->played, pose);
    run->viewer.camera = camera_at(pose);
}

/// Starts the walk of the command line.
static void begin_walk(Interactive *run)
{
    Message problem;
    if (!run->ready || run->walk_begun || !run->walk->count) {
        return;
    }
    run->walk_begun = true;
    if (!person_lead(&run->person, run->walk, false, &problem)) {
        notify(run, &problem);
    }
}

/// Around the place, for as long as nobody touches anything.
static bool begin_attract(Interactive *run, Message *problem)
{
    Route route = {0};
    const TrnVoxel place = trn_position_voxel(run->person.player.pose.feet);
    const bool good = route_around(&route, place, ATTRACT_RADIUS, problem) &&
                      person_lead(&run->person, &route, true, problem);
    route_free(&route);
    return good;
}

/// Whoever touches the controls takes over from a guide; a guide takes over where nobody does.
static void hand_over(Interactive *run, const Input *input, double step)
{
    Message problem;
    const bool touched = !input_is_idle(input);
    begin_walk(run);
    run->took_over = false;
    const bool is_busy = touched || run->playing || !run->ready;
    if (attract_update(&run->attract, is_busy, step) && !person_is_led(&run->person) &&
        !begin_attract(run, &problem)) {
        run->attract.is_off = true;
        notify(run, &problem);
    }
    // A screenshot of a walk does not end it.
    if (input_is_for_player(input) && person_is_led(&run->person)) {
        person_unlead(&run->person);
        run->took_over = true;
    }
}

static void move_by_hand(Interactive *run, const Input *input, double step)
{
    Message news;
    if (run->playing) {
        run->playing = false;
        person_put(&run->person, &run->viewer.camera);
    }
    if (person_move(&run->person, input, step, &run->viewer.camera, &news)) {
        notify(run, &news);
    }
    run->waiting = person_waits(&run->person);
    if (run->waiting) {
        const TrnStreamReadiness ground = run->person.ground;
        message_set(&run->waits_for, "Waiting for the ground: %llu of %llu chunks",
                    (unsigned long long)ground.there, (unsigned long long)ground.chunks);
    }
}

static void move_camera(Interactive *run, const Input *input, double step)
{
    double before[3], now[3];
    camera_voxel(&run->viewer.camera, before);
    if (!wait_for_land(run)) {
        camera_turn(&run->viewer.camera, input->look_right, input->look_up);
        return;
    }
    if (run->playing && run->played < flight_duration(run->flight) && !takes_over(input)) {
        play_flight(run, step);
    } else {
        move_by_hand(run, input, step);
    }
    camera_voxel(&run->viewer.camera, now);
    for (int axis = 0; axis < 3; axis++) {
        run->viewer.velocity[axis] = step > 0 ? (now[axis] - before[axis]) / step : 0;
    }
}

// ---- recordings ---------------------------------------------------------------------------------

/// Begins a recording, or ends it. @param path  a file, or NULL: by number
static void toggle_recording(Interactive *run)
{
    const RecorderPlace place = {run->viewer.options, run->viewer.world, &run->viewer.camera};
    Message news;
    (void)recorder_toggle(&run->recorder, &place, &news);
    notify(run, &news);
}

/// One frame more.
static void record_frame(Interactive *run, double step)
{
    Message news;
    if (run->ready && recorder_frame(&run->recorder, step, &run->viewer.camera, &news)) {
        notify(run, &news);
    }
}

static void tell_recording(Recorder *recorder)
{
    Message news;
    (void)recorder_finish(recorder, &news);
    if (news.text[0]) {
        fprintf(stderr, "terrane-viewer: %s\n", news.text);
    }
}

/// Digs and builds, while the mouse is the person's, and moves what that has thrown.
static void use_hand(Interactive *run, const Input *input, double step)
{
    Message news;
    run->viewer.outline = NULL;
    if (run->playing) {
        replay_advance(&run->replay, run->played);
    } else if (!run->ready || person_is_led(&run->person) || !run->viewer.window.caught ||
               run->caught_now || run->took_over) {
        person_release(&run->person);
    } else {
        if (person_act(&run->person, input, step, &run->viewer.camera, &news) && news.text[0]) {
            notify(run, &news);
        }
        run->viewer.outline = person_outline(&run->person);
    }
    if (run->viewer.debris) {
        (void)debris_step(run->viewer.debris, step);
    }
}

/// The options to be here again, after some words. Also what tests look at.
static void print_place(const Interactive *run, const char *words)
{
    double voxel[3];
    camera_voxel(&run->viewer.camera, voxel);
    printf("%s with: --at=%.2f,%.2f,%.2f,%.1f,%.1f\n", words, voxel[0], voxel[1], voxel[2],
           (double)run->viewer.camera.yaw, (double)run->viewer.camera.pitch);
    (void)fflush(stdout);
}

/// Under the first number that is free; a screenshot never replaces another.
static void take_screenshot(Interactive *run, int width, int height)
{
    const char *folder = run->viewer.options->out;
    Message text;
    char name[64], path[4096];
    do {
        snprintf(name, sizeof name, "screenshot-%d.png", ++run->screenshots);
        snprintf(path, sizeof path, "%s/%s", folder, name);
    } while (access(path, F_OK) == 0);
    if (image_prepare_folder(folder, name, &text) &&
        (run->choices.in_pictures
             ? viewer_write_window(&run->viewer, width, height, name, &text)
             : viewer_write_picture(&run->viewer, width, height, name, &text))) {
        message_set(&text, "Wrote %s/%s", message_short(folder).text, name);
        print_place(run, text.text);
    }
    notify(run, &text);
}

// ---- figures ------------------------------------------------------------------------------------

static Message keys_hint(const Interactive *run)
{
    Message hint;
    (void)message_set(&hint, "%s keys   %s hide this   %s pause",
                      action_label(run, INPUT_HELP).text, action_label(run, INPUT_PANEL).text,
                      action_label(run, INPUT_PAUSE).text);
    return hint;
}

/// What an update may take of a frame.
static double load_budget(const Interactive *run)
{
    const double chosen = run->tuning.budget_ms;
    return chosen > 0 ? chosen : run->workers ? LOAD_BUDGET_MS : LOAD_BUDGET_ALONE_MS;
}

/// @param hint  lives as long as the figures
static PanelFigures collect_figures(Interactive *run, const Message *hint)
{
    FiguresSource source = {.viewer = &run->viewer,
                            .person = &run->person,
                            .update = &run->update,
                            .budget_ms = load_budget(run),
                            .seconds = clock_us() * 1e-6,
                            .times = series_frame(),
                            .hint = hint->text};
    double *values = source.times.values;
    values[SERIES_FRAME] = run->frame_us * 1e-3;
    values[SERIES_WORK] = run->work_us * 1e-3;
    values[SERIES_PLAYER] = run->player_us;
    values[SERIES_PANEL] = run->panel_own_us;
    values[SERIES_RECORD] = run->recorder.us;
    values[SERIES_COMPARE] = run->compare_us;
    PanelFigures figures = figures_collect(&source, &run->texts);
    // Those of the last comparison are no figures of this frame.
    for (int i = SERIES_GATHER_INDEX; i <= SERIES_GATHER_MAP && !run->choices.compare; i++) {
        figures.frame.values[i] = (double)NAN;
    }
    return figures;
}

static void write_title(Interactive *run)
{
    double now = clock_us();
    if (now - run->titled_us < 300e3) {
        return;
    }
    run->titled_us = now;
    char title[128];
    if (!run->ready) {
        snprintf(title, sizeof title, "Terrane - loading, %.0f %%", 100 * (double)run->loaded);
    } else {
        snprintf(title, sizeof title, "Terrane - %s%.1f ms, %u chunks, %zu drawn",
                 run->paused ? "paused, " : "", run->frame_us * 1e-3,
                 trn_store_stats(world_store(run->viewer.world)).chunks,
                 renderer_stats(run->viewer.renderer).chunks_drawn);
    }
    glfwSetWindowTitle(run->viewer.window.handle, title);
}

// ---- the loop -----------------------------------------------------------------------------------

/// What was set in the panels.
static void take_choices(Interactive *run)
{
    Message problem;
    if (!run->choices.changed) {
        return;
    }
    run->choices.changed = false;
    run->lost = !tuning_apply(&run->tuning, &run->viewer, &run->choices_before,
                              &run->choices.settings, &problem);
    if (problem.text[0]) {
        notify(run, &problem);
    }
}

/// What the camera sees besides the world: notice, help, loading bar, menu.
static void draw_panel(Interactive *run)
{
    Window *window = &run->viewer.window;
    OverlayRow rows[INPUT_ACTION_COUNT];
    for (size_t i = 0; i < run->help_count; i++) {
        const InputHelp *row = &run->help_rows[i];
        rows[i] = (OverlayRow){input_group_title(row->group), row->keys, row->words};
    }
    OverlayMenu menu = menu_of_settings(run);
    const Overlay overlay = {
        .rows = run->help ? rows : NULL,
        .row_count = run->help_count,
        .menu = run->paused ? &menu : NULL,
        .loading_text = run->ready ? NULL : run->waits_for.text,
        .loading = run->loaded,
        .notice = run->clock < run->notice_until  ? run->notice.text
                  : run->waiting && run->ready    ? run->waits_for.text
                  : window->caught || run->paused ? NULL
                                                  : "Click into the picture to look around.",
    };
    const Message hint = keys_hint(run);
    PanelFigures figures = collect_figures(run, &hint);
    run->workers = figures.stream.workers;
    Message tool;
    const PanelPalette palette = person_palette(&run->person, &tool);
    figures.palette = run->ready && !run->playing && !person_is_led(&run->person) && palette.count
                          ? &palette
                          : NULL;
    figures.index = run->viewer.shows_index ? &run->viewer.index : NULL;
    const PanelSettings before = tuning_settings(&run->tuning, &run->viewer, figures.budget_ms);
    run->choices.settings = before;
    run->choices.changed = false;
    panel_draw(run->panel, &figures, &run->choices, &overlay, window->caught, window->text_scale);
    leave_menu(run, &menu);
    run->choices_before = before;
}

// ---- the loop -----------------------------------------------------------------------------------

/// The look that the actions make of another, and a sentence about it. @return whether there is any change
static bool change_look(const Input *input, Look *look, Message *text)
{
    if (input_pressed(input, INPUT_TIME)) {
        look->hours = fmodf(look->hours + 0.5f * (float)input->presses[INPUT_TIME], 24);
        message_set(text, "Time of day: %d:%02d", (int)look->hours, (int)(look->hours * 60) % 60);
    } else if (input_pressed(input, INPUT_QUALITY)) {
        static const char *const names[LOOK_QUALITY_COUNT] = {"low", "medium", "high"};
        const LookQuality quality = (look->quality + 1) % LOOK_QUALITY_COUNT;
        look_set_quality(look, quality);
        message_set(text, "Quality: %s", names[quality]);
    } else if (input_pressed(input, INPUT_OCCLUSION)) {
        look->on[LOOK_OCCLUSION] = !look->on[LOOK_OCCLUSION];
        message_set(text, look->on[LOOK_OCCLUSION] ? "What is hidden is left out."
                                                   : "What is hidden is drawn as well.");
    } else if (input_pressed(input, INPUT_DEBUG_VIEW)) {
        look->debug = (look->debug + 1) % LOOK_DEBUG_COUNT;
        message_set(text, "Debug view: %s", look_debug_name(look->debug));
    } else {
        return false;
    }
    return true;
}

/// The picture.
static void handle_look(Interactive *run, const Input *input)
{
    Look look = renderer_look(run->viewer.renderer);
    Message text, problem;
    if (change_look(input, &look, &text)) {
        notify(run, renderer_set_look(run->viewer.renderer, &look, &problem) ? &text : &problem);
    }
}

/// The pages of the indexes.
static void handle_index(Interactive *run, const Input *input)
{
    IndexView *index = &run->viewer.index;
    Message text;
    run->viewer.shows_index ^= input->presses[INPUT_INDEX_VIEW] % 2;
    if (input_pressed(input, INPUT_INDEX_PLANE)) {
        run->viewer.shows_index = true;
        index_view_choose_next(index);
        if (index_view_plane_label(index, index->source, index->plane, &text)) {
            notify(run, &text);
        }
    }
}

/// What works while paused, too; a screenshot waits for the frame.
static void handle_program(Interactive *run, const Input *input, const WindowEvents *events)
{
    Window *window = &run->viewer.window;
    run->choices.shown ^= input->presses[INPUT_PANEL] % 2;
    run->help ^= input->presses[INPUT_HELP] % 2;
    run->quits |= input_pressed(input, INPUT_QUIT);
    if (input_pressed(input, INPUT_FULL_SCREEN)) {
        set_full_screen(run, !window_is_full_screen(window));
    }
    if (input->presses[INPUT_RECORD] % 2) {
        toggle_recording(run);
    }
    if (input->presses[INPUT_PAUSE] % 2) {
        set_paused(run, !run->paused);
    }
    run->caught_now = events->click && !window->caught;
    if (events->click && !run->paused && !panel_has_mouse(run->panel)) {
        window_catch_mouse(window, true);
    }
}

/// What was asked for since the last frame. Of a pause, only what the program itself listens to.
static Input take_input(Interactive *run, double step, WindowEvents *events)
{
    Window *window = &run->viewer.window;
    Message news;
    *events = window_poll(window);
    const InputFeel feel = settings_feel(run->settings);
    if (gamepad_poll(&run->gamepad, &window->state, feel.dead_zone, &news)) {
        notify(run, &news);
    }
    const Input input = input_take(&window->state, &run->settings->bindings, &feel, step);
    return run->paused ? input_of_program(&input) : input;
}

static bool update_and_draw(Interactive *run, Message *problem)
{
    viewer_update(&run->viewer, (TrnStreamBudget){.ms = load_budget(run)}, &run->update);
    viewer_watch_index(&run->viewer, run->clock);
    return viewer_draw(&run->viewer, problem);
}

/// Makes anew what the driver has lost, if anything.
static bool renew(Interactive *run, Message *problem)
{
    Viewer *const viewer = &run->viewer;
    if (!viewer_is_lost(viewer)) {
        return true;
    }
    panel_destroy(run->panel);
    run->panel = NULL;
    if (!viewer_renew(viewer, problem)) {
        return false;
    }
    run->panel = panel_create(viewer->window.handle);
    return run->panel ||
           message_set(problem, "Cannot make the panel of figures anew on this driver.");
}

/// The picture gets the window's size; where there is no room for that, it keeps its own.
/// @param width,height  of the window; receive the picture's
static void resize(Interactive *run, int *width, int *height)
{
    Message problem;
    if (!renderer_resize(run->viewer.renderer, *width, *height, &problem)) {
        notify(run, &problem);
    }
    renderer_size(run->viewer.renderer, width, height);
}

/// Draws and shows one frame. Compares afterwards, outside the frame's time.
static bool draw_frame(Interactive *run, const Input *input, Message *problem)
{
    Viewer *viewer = &run->viewer;
    double start = clock_us();
    int width, height;
    glfwGetFramebufferSize(viewer->window.handle, &width, &height);
    if (width <= 0 || height <= 0) {
        return true; // minimised
    }
    if (!renew(run, problem)) {
        return false;
    }
    resize(run, &width, &height);
    if (!update_and_draw(run, problem)) {
        return false;
    }
    viewer_warn_refused(viewer, &run->warned);
    renderer_present(viewer->renderer);
    run->work_us = clock_us() - start;
    start = clock_us();
    const double own_start = clock_thread_us();
    draw_panel(run);
    run->panel_us = clock_us() - start;
    run->panel_own_us = clock_thread_us() - own_start - panel_cost(run->panel).driver_us;
    if (input_pressed(input, INPUT_SCREENSHOT)) {
        take_screenshot(run, width, height);
    }
    glfwSwapBuffers(viewer->window.handle);
    start = clock_us();
    if (run->choices.compare) {
        gather_compare_after(&viewer->compare, world_store(viewer->world), viewer_box(viewer));
    } else {
        gather_compare_settle(&viewer->compare);
    }
    run->compare_us = clock_us() - start;
    take_choices(run); // now that all answers of the frame are compared
    return !run->lost || message_set(problem, "There is no memory for any world.");
}

/// One frame of the world: one line for each subject that listens to what is asked for.
static void step_world(Interactive *run, const Input *input, double step)
{
    run->viewer.camera.field_of_view = (float)run->settings->field_of_view;
    if (run->paused) {
        return; // the water stands still as well; only loading goes on
    }
    run->viewer.seconds += step;
    handle_look(run, input);
    handle_index(run, input);
    hand_over(run, input, step);
    const double start = clock_us();
    move_camera(run, input, step);
    run->player_us = clock_us() - start;
    record_frame(run, step);
    use_hand(run, input, step);
}

static bool run_frame(Interactive *run, double *last, Message *problem)
{
    WindowEvents events;
    double now = clock_us();
    const double step = fmin((now - *last) * 1e-6, STEP_SECONDS_MAX);
    const Input input = take_input(run, step, &events);
    run->frame_us = now - *last - run->compare_us - run->panel_us;
    *last = now;
    run->clock += step;
    handle_program(run, &input, &events);
    step_world(run, &input, step);
    if (!draw_frame(run, &input, problem)) {
        return false;
    }
    write_title(run);
    return true;
}

static bool run_frames(Interactive *run, Message *problem)
{
    double last = clock_us();
    while (!run->quits && !glfwWindowShouldClose(run->viewer.window.handle)) {
        if (interrupt_came()) {
            return message_set(problem, "Interrupted.");
        }
        if (!run_frame(run, &last, problem)) {
            return false;
        }
    }
    return true;
}

/// Where the command line says, or where the flight begins, but no higher than lets the land be seen: beyond the view distance there is
/// haze.
static void place_camera(Interactive *run, const Options *options)
{
    double pose[5];
    clearance_sample(&run->clearance, run->flight, 0, pose);
    if (!run->playing) {
        double seen = START_HEIGHT_PART * options->view_distance * TRN_CHUNK_EDGE;
        pose[1] = fmin(pose[1], run->clearance.lowest[0] + seen);
    }
    run->viewer.camera = camera_at(options->placed && !run->playing ? options->at : pose);
    if (run->walk->count) {
        camera_place(&run->viewer.camera,
                     guide_start(run->walk, world_terrain(run->viewer.world)).feet);
    }
    run->viewer.camera.field_of_view = (float)run->settings->field_of_view;
}

static bool create_person(Interactive *run, Message *problem)
{
    const PersonDef def = {.world = run->viewer.world,
                           .debris = run->viewer.debris,
                           .settings = run->settings->player,
                           .camera = &run->viewer.camera,
                           .recorder = &run->recorder};
    return person_create(&run->person, &def, problem);
}

/// The edits of the flight that is played, and the recording that the command line asks for.
static bool begin_recordings(Interactive *run, const Options *options, Message *problem)
{
    const World *world = run->viewer.world;
    const RecorderPlace place = {options, world, &run->viewer.camera};
    Message news;
    if (!replay_check_land(run->flight, world_terrain(world), &news)) {
        fprintf(stderr, "terrane-viewer: %s\n", news.text);
        notify(run, &news);
    }
    return (!run->playing || replay_create(&run->replay, options->flight, run->flight,
                                           run->viewer.world, run->person.hand, problem)) &&
           (!options->record || recorder_begin(&run->recorder, &place, options->record, problem));
}

static void tell_mistakes(Interactive *run)
{
    if (run->file->problems) {
        Message text;
        (void)message_set(&text, "The settings file has mistakes; the terminal shows which.");
        notify(run, &text);
    }
}

static bool start(Interactive *run, const Options *options, Message *problem)
{
    if (!viewer_open(&run->viewer, options, problem) ||
        !clearance_create(&run->clearance, run->flight, world_terrain(run->viewer.world),
                          problem)) {
        return false;
    }
    run->panel = panel_create(run->viewer.window.handle);
    if (!run->panel) {
        return message_set(problem, "Cannot make the panel of figures on this driver.");
    }
    place_camera(run, options);
    if (!create_person(run, problem) || !begin_recordings(run, options, problem)) {
        return false;
    }
    run->workers = world_stats(run->viewer.world).stream.workers;
    tuning_begin(&run->tuning, &run->viewer, run->settings);
    run->choices.names = &run->tuning.names;
    run->help_count = input_help(&run->settings->bindings, window_key_label, run->help_rows);
    if (run->settings->full_screen) {
        set_full_screen(run, true);
    }
    tell_mistakes(run);
    window_catch_mouse(&run->viewer.window, true);
    return true;
}

/// However the flight ends, what was recorded of it until then is kept.
static bool run_and_record(Interactive *run, Message *problem)
{
    bool good = run_frames(run, problem);
    Message trace;
    tell_recording(&run->recorder);
    if (viewer_finish_trace(&run->viewer, good ? problem : &trace)) {
        return good;
    }
    if (!good) {
        fprintf(stderr, "terrane-viewer: %s\n", trace.text);
    }
    return false;
}

bool interactive_run(const Options *options, Settings *settings, SettingsFile *file,
                     const Flight *flight, const Route *walk, Message *problem)
{
    Interactive run = {
        .choices = {.shown = settings->figures, .compare = true, .tab = PANEL_TAB_WORLD},
        .settings = settings,
        .saved = *settings,
        .file = file,
        .flight = flight,
        .playing = options->flight != NULL,
        .walk = walk,
        .attract = {.is_off = !settings->attract}};
    bool good = start(&run, options, problem) && run_and_record(&run, problem);
    if (good) {
        set_paused(&run, false); // saves what was changed in the menu
        print_place(&run, "Here again");
    }
    panel_destroy(run.panel);
    recorder_drop(&run.recorder);
    replay_free(&run.replay);
    person_free(&run.person);
    viewer_close(&run.viewer);
    clearance_free(&run.clearance);
    return good;
}

#include "interactive_impl.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "image.h"
#include "interrupt.h"
#include "options.h"
#include "player/lookout.h"
#include "program.h"
#include "settings/settings_keys.h"
#include "settings/share.h"

#define NOTICE_SECONDS 4.0
#define START_HEIGHT_PART 0.15 // of the view distance
#define STEP_SECONDS_MAX 0.1   // a stall must not throw the camera far

// ---- telling ------------------------------------------------------------------------------------

void interactive_notify(Interactive *run, const Message *text)
{
    run->notice = *text;
    run->notice_until = clock_us() * 1e-6 + NOTICE_SECONDS;
}

InputLabel interactive_action_label(const Interactive *run, InputAction action)
{
    const InputCode code = run->settings->bindings.codes[action][0];
    return code ? window_key_label(code) : (InputLabel){""};
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

/// Copies a link to where the player is, and prints it.
static void share_place(Interactive *run)
{
    const WorldFacts *facts = run->viewer.keep ? keep_facts(run->viewer.keep) : NULL;
    const Settings *settings = run->settings;
    Share share = {.preset = share_preset(&settings->shape),
                   .land_version = settings->land_version,
                   .seed = settings->seed,
                   .hours = settings->hours};
    char link[SHARE_BYTES];
    Message text;
    if (!share.preset || (facts && !facts->has_terrain)) {
        (void)message_set(&text, "No link can name this land: only presets have links.");
        interactive_notify(run, &text);
        return;
    }
    camera_voxel(&run->viewer.camera, share.at);
    share.at[3] = (double)run->viewer.camera.yaw;
    share.at[4] = (double)run->viewer.camera.pitch;
    share_write(&share, link);
    glfwSetClipboardString(run->viewer.window.handle, link);
    printf("%s\n", link);
    (void)fflush(stdout);
    (void)message_set(&text, "Copied %s", link);
    interactive_notify(run, &text);
}

/// Under the first number that is free; a screenshot never replaces another.
static void take_screenshot(Interactive *run, int width, int height)
{
    const char *folder = run->viewer.settings->out;
    Message text;
    char name[64], path[4096];
    do {
        snprintf(name, sizeof name, "screenshot-%d.png", ++run->screenshots);
        snprintf(path, sizeof path, "%s/%s", folder, name);
    } while (access(path, F_OK) == 0);
    if (image_prepare_folder(folder, name, &text) &&
        (run->settings->screenshot_panels
             ? viewer_write_window(&run->viewer, width, height, name, &text)
             : viewer_write_picture(&run->viewer, width, height, name, &text))) {
        message_set(&text, "Wrote %s/%s", message_short(folder).text, name);
        print_place(run, text.text);
    }
    interactive_notify(run, &text);
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
        snprintf(title, sizeof title, "Terrane - %.100s",
                 run->waits_for.text[0] ? run->waits_for.text : "Loading");
    } else {
        snprintf(title, sizeof title, "Terrane - %s%s%s%.1f ms, %u chunks, %zu drawn",
                 run->quit_refused ? "not saved, the next Quit loses changes, "
                 : run->unsaved    ? "not saved, "
                                   : "",
                 run->paused ? "paused, " : "", run->recorder.writer ? "recording, " : "",
                 run->frame_us * 1e-3, trn_store_stats(world_store(run->viewer.world)).chunks,
                 renderer_stats(run->viewer.renderer).chunks_drawn);
    }
    glfwSetWindowTitle(run->viewer.window.handle, title);
}

// ---- a frame ------------------------------------------------------------------------------------

/// What keys change of the settings lasts for this run; what the menu changes is saved.
static void handle_settings(Interactive *run, const Input *input)
{
    const Settings before = *run->settings;
    Settings wished = before;
    Message text;
    if (settings_press(&wished, input, renderer_suggested_quality(), &run->bob, &text)) {
        interactive_notify(run, &text);
    }
    if (!settings_differ(&before, &wished)) {
        return;
    }
    interactive_change(run, &wished);
    for (size_t i = 0; settings_row(i); i++) {
        if (setting_differs(settings_row(i), &before, run->settings)) {
            setting_copy(settings_row(i), &run->saved, run->settings);
        }
    }
}

/// The pages of the indexes.
static void handle_index(Interactive *run, const Input *input)
{
    IndexView *index = &run->viewer.index;
    Message text;
    if (input_pressed(input, INPUT_INDEX_PLANE)) {
        run->settings->index_view = true;
        index_view_choose_next(index);
        if (index_view_plane_label(index, index->source, index->plane, &text)) {
            interactive_notify(run, &text);
        }
    }
}

/// What works while paused, too; a screenshot waits for the frame.
static void handle_program(Interactive *run, const Input *input, const WindowEvents *events)
{
    Window *window = &run->viewer.window;
    run->help ^= input->presses[INPUT_HELP] % 2;
    run->quits |= input_pressed(input, INPUT_QUIT);
    if (input->presses[INPUT_RECORD] % 2) {
        interactive_toggle_recording(run);
    }
    if (input_pressed(input, INPUT_SHARE)) {
        share_place(run);
    }
    interactive_handle_photo(run, input);
    interactive_handle_inventory(run, input);
    if (input->presses[INPUT_PAUSE] % 2 && !interactive_close_inventory(run) &&
        !interactive_leave_photo(run)) {
        interactive_set_paused(run, !run->paused);
    }
    run->caught_now = events->click && !window->caught;
    if (events->click && !run->paused && !interactive_has_inventory(run) &&
        !panel_has_mouse(run->panel)) {
        window_catch_mouse(window, true);
    }
}

/// What was asked for since the last frame. Of a pause, only what the program itself listens to.
static Input take_input(Interactive *run, double step, WindowEvents *events)
{
    Window *window = &run->viewer.window;
    Message news;
    *events = window_poll(window, run->settings->frame_limit);
    const InputFeel feel = settings_feel(run->settings);
    if (gamepad_poll(&run->gamepad, &window->state, feel.dead_zone, &news) && !run->touches) {
        interactive_notify(run, &news);
    }
    const Input input = input_take(&window->state, &run->settings->bindings, &feel, step);
    return run->paused                      ? input_of_program(&input)
           : interactive_has_inventory(run) ? interactive_input_of_inventory(run, &input)
                                            : input;
}

static void update(Interactive *run)
{
    // A slow renderer must not starve loading, unless the player has chosen a budget.
    const double share = run->settings->update_ms > 0 ? 0 : trn_stream_def().budget.share;
    const TrnStreamBudget budget = {.ms = interactive_load_budget(run), .share = share};
    viewer_update(&run->viewer, budget, &run->update);
}

static bool update_and_draw(Interactive *run, Message *problem)
{
    update(run);
    interactive_meet_others(run);
    viewer_watch_index(&run->viewer, run->clock);
    return viewer_draw(&run->viewer, problem);
}

/// Creates again what the driver has lost, if anything.
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
           message_set(problem, "Cannot create the panels of figures again on this driver.");
}

/// The picture gets the window's size; where there is no room for that, it keeps its own.
/// @param width,height  of the window; receive the picture's
static void resize(Interactive *run, int *width, int *height)
{
    Message problem;
    if (!renderer_resize(run->viewer.renderer, *width, *height, &problem)) {
        interactive_notify(run, &problem);
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
    if (width <= 0 || height <= 0) { // minimised: the world is saved all the same
        if (!viewer_is_lost(viewer)) {
            update(run);
        }
        return true;
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
    interactive_draw_panel(run);
    run->panel_us = clock_us() - start;
    run->panel_own_us = clock_thread_us() - own_start - panel_cost(run->panel).driver_us;
    if (run->photo.is_open) {
        interactive_take_photo(run, input, width, height);
    } else if (input_pressed(input, INPUT_SCREENSHOT)) {
        take_screenshot(run, width, height);
    }
    glfwSwapBuffers(viewer->window.handle);
    start = clock_us();
    if (run->settings->compare) {
        gather_compare_after(&viewer->compare, world_store(viewer->world), viewer_box(viewer));
    } else {
        gather_compare_settle(&viewer->compare);
    }
    run->compare_us = clock_us() - start;
    interactive_take_choices(run); // now that all answers of the frame are compared
    return !run->lost || message_set(problem, "Out of memory for any world.");
}

/// One frame of the world: one line for each subject that listens to what is asked for.
static void step_world(Interactive *run, const Input *input, double step)
{
    run->viewer.camera.field_of_view = (float)run->settings->field_of_view;
    if (run->paused) {
        return; // the water stands still as well; only loading goes on
    }
    run->viewer.seconds += step;
    handle_index(run, input);
    interactive_hand_over(run, input, step);
    const double start = clock_us();
    interactive_move(run, input, step);
    run->player_us = clock_us() - start;
    interactive_record_frame(run, step);
    interactive_use_hand(run, input, step);
    world_flow(run->viewer.world, step, run->settings->flows);
}

/// Prints how long it took until all was there.
static void tell_launch(Interactive *run)
{
    char text[256];
    launch_describe(&run->launch, text, sizeof text);
    printf("%s\n", text);
    (void)fflush(stdout);
}

/// What a frame that was shown has reached.
static void watch_launch(Interactive *run)
{
    (void)launch_reach(&run->launch, LAUNCH_PICTURE);
    if (run->ready && launch_reach(&run->launch, LAUNCH_GROUND)) {
        return; // a frame later it is known whether more is to come
    }
    if (run->ready && world_is_idle(run->viewer.world) && launch_reach(&run->launch, LAUNCH_VIEW)) {
        tell_launch(run);
    }
}

static bool run_frame(Interactive *run, Message *problem)
{
    WindowEvents events;
    double now = clock_us();
    const double step = fmin((now - run->framed_us) * 1e-6, STEP_SECONDS_MAX);
    const Input input = take_input(run, step, &events);
    run->frame_us = now - run->framed_us - run->compare_us - run->panel_us;
    run->framed_us = now;
    run->clock += step;
    handle_program(run, &input, &events);
    handle_settings(run, &input);
    interactive_adapt(run);
    step_world(run, &input, step);
    if (!draw_frame(run, &input, problem)) {
        return false;
    }
    watch_launch(run);
    interactive_watch_world(run);
    write_title(run);
    return true;
}

InteractiveStep interactive_frame(Interactive *run, Message *problem)
{
    if ((run->quits || glfwWindowShouldClose(run->viewer.window.handle)) &&
        interactive_may_quit(run)) {
        return run->leaves ? INTERACTIVE_LEFT : INTERACTIVE_OVER;
    }
    if (interrupt_came()) {
        (void)message_set(problem, "Interrupted.");
        return INTERACTIVE_FAILED;
    }
    return run_frame(run, problem) ? INTERACTIVE_GOES_ON : INTERACTIVE_FAILED;
}

// ---- the beginning ------------------------------------------------------------------------------

/// Where land is generated, one begins at a lookout near the origin.
static bool place_at_lookout(Interactive *run, double pose[5])
{
    const WorldFacts *facts = run->viewer.keep ? keep_facts(run->viewer.keep) : NULL;
    return (!facts || facts->has_terrain) &&
           lookout_find(world_terrain(run->viewer.world), 0, 0, pose);
}

/// At a lookout the sun is low, unless the player chose a time. The settings file is not told.
static void begin_in_low_sun(Interactive *run)
{
    Settings wished = *run->settings;
    const Setting *hours = settings_row_of(&wished, &wished.hours);
    const Settings usual = settings_default();
    if (!settings_is_given(run->settings, &run->settings->hours) &&
        !setting_differs(hours, run->settings, &usual)) {
        wished.hours = lookout_hours((double)run->viewer.camera.yaw);
        interactive_change(run, &wished);
        setting_copy(hours, &run->saved, run->settings);
    }
}

/// Where the command line says, at a lookout, or where the flight begins, but no higher than lets
/// the land be seen: beyond the view distance there is haze.
/// @return whether it is a lookout
static bool place_camera(Interactive *run)
{
    const Settings *settings = run->settings;
    double pose[5];
    const TrnTerrain *terrain = world_terrain(run->viewer.world);
    clearance_sample(&run->clearance, run->flight, terrain, 0, pose);
    const bool is_free = !run->playing && !settings->placed;
    const bool is_lookout = is_free && place_at_lookout(run, pose);
    if (is_free && !is_lookout) {
        double seen = START_HEIGHT_PART * settings_detail_distance(settings) * TRN_CHUNK_EDGE;
        const double lowest = clearance_lowest(&run->clearance, run->flight, terrain, 0);
        pose[1] = fmin(pose[1], lowest + seen);
    }
    if (settings->placed && !run->playing) {
        Message news;
        viewer_place(&run->viewer, &news);
        memcpy(pose, run->viewer.at, sizeof pose);
        if (news.text[0]) {
            interactive_notify(run, &news);
        }
    }
    run->viewer.camera = camera_at(pose);
    run->viewer.camera.field_of_view = (float)run->settings->field_of_view;
    return is_lookout;
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
static bool begin_recordings(Interactive *run, Message *problem)
{
    const Settings *settings = run->settings;
    const World *world = run->viewer.world;
    const FlightHead head = options_flight_head(settings);
    const RecorderPlace place = {&head, settings->out, world, &run->viewer.camera};
    Message news, reason;
    if (!replay_fits_land(run->flight, &head, world_terrain(world), &reason)) {
        (void)message_set(&news, "The flight does not fit this land: %s.", reason.text);
        fprintf(stderr, "terrane-viewer: %s\n", news.text);
        interactive_notify(run, &news);
    }
    return (!run->playing || replay_create(&run->replay, settings->flight, run->flight,
                                           run->viewer.world, run->person.hand, problem)) &&
           (!settings->record || recorder_begin(&run->recorder, &place, settings->record, problem));
}

static void tell_mistakes(Interactive *run)
{
    if (run->file->problems) {
        Message text;
        (void)message_set(&text, "The settings file has mistakes; the terminal shows which.");
        interactive_notify(run, &text);
    }
}

static void begin_full_screen(Interactive *run)
{
    const Settings wished = *run->settings;
    run->settings->full_screen = false; // the window as it was opened
    interactive_change(run, &wished);
}

static bool start(Interactive *run, Message *problem)
{
    if (!viewer_open(&run->viewer, run->settings, problem)) {
        return false;
    }
    run->panel = panel_create(run->viewer.window.handle);
    if (!run->panel) {
        return message_set(problem, "Cannot create the panels of figures on this driver.");
    }
    (void)launch_reach(&run->launch, LAUNCH_WINDOW);
    const bool is_lookout = place_camera(run);
    if (!create_person(run, problem) || !begin_recordings(run, problem)) {
        return false;
    }
    interactive_begin_world(run);
    if (is_lookout) {
        begin_in_low_sun(run);
    }
    run->workers = world_stats(run->viewer.world).stream.workers;
    run->help_count = input_help(&run->settings->bindings, window_key_label, run->help_rows);
    begin_full_screen(run);
    tell_mistakes(run);
    if (run->settings->demo) {
        interactive_begin_demo(run);
    }
    window_catch_mouse(&run->viewer.window, true);
    run->framed_us = clock_us();
    run->has_started = true;
    return true;
}

bool interactive_begin(Interactive **run, Settings *settings, SettingsFile *file,
                       const Flight *flight, Message *problem)
{
    *run = malloc(sizeof **run);
    if (!*run) {
        return message_set(problem, "Out of memory for the viewer.");
    }
    **run = (Interactive){.settings = settings,
                          .saved = *settings,
                          .file = file,
                          .flight = flight,
                          .playing = settings->flight != NULL,
                          .launch = launch_begin()};
    return start(*run, problem);
}

// ---- the end ------------------------------------------------------------------------------------

/// However the flight ends, what was recorded of it until then is kept.
static bool keep_recordings(Interactive *run, bool good, Message *problem)
{
    Message trace;
    if (run->viewer.renderer) {
        (void)interactive_leave_photo(run); // the world notes the person's place
    }
    interactive_tell_recording(&run->recorder);
    if (viewer_finish_trace(&run->viewer, good ? problem : &trace)) {
        return good;
    }
    if (!good) {
        fprintf(stderr, "terrane-viewer: %s\n", trace.text);
    }
    return false;
}

/// However it ends, the world is saved. @param good  receives false if it could not be
static TrnResult save_at_end(Interactive *run, bool *good, Message *problem)
{
    Message reason;
    const TrnResult saved = interactive_save_world(run, &reason);
    if (saved == TRN_RESULT_OK) {
        return saved;
    }
    if (*good || saved == TRN_RESULT_BUSY) {
        *problem = reason;
    } else {
        fprintf(stderr, "terrane-viewer: %s\n", reason.text);
    }
    *good = false;
    return saved;
}

bool interactive_end(Interactive *run, bool good, Message *problem)
{
    if (!run) {
        return good;
    }
    good = run->has_started ? keep_recordings(run, good, problem) : good;
    if (run->demo.is_playing) {
        demo_end(&run->demo, &run->viewer.camera);
    }
    const TrnResult saved = save_at_end(run, &good, problem);
    if (good || (run->ready && interrupt_came())) {
        interactive_set_paused(run, false);
        if (!interactive_save(run)) {
            fprintf(stderr, "terrane-viewer: %s\n", run->notice.text);
        }
        if (!run->launch.is_reached[LAUNCH_VIEW]) {
            tell_launch(run);
        }
        print_place(run, "Here again");
    }
    if (saved == TRN_RESULT_BUSY) { // closing the file would wait for the disk
        _Exit(program_complain("terrane-viewer", problem, PROGRAM_FAILED));
    }
    inventory_free(&run->inventory);
    panel_destroy(run->panel);
    recorder_drop(&run->recorder);
    replay_free(&run->replay);
    demo_free(&run->demo);
    person_free(&run->person);
    viewer_close(&run->viewer);
    free(run);
    return good;
}

bool interactive_run(Settings *settings, SettingsFile *file, const Flight *flight, bool *leaves,
                     Message *problem)
{
    Interactive *run;
    InteractiveStep step = INTERACTIVE_FAILED;
    if (interactive_begin(&run, settings, file, flight, problem)) {
        do {
            step = interactive_frame(run, problem);
        } while (step == INTERACTIVE_GOES_ON);
    }
    *leaves = step == INTERACTIVE_LEFT;
    return interactive_end(run, step == INTERACTIVE_OVER || *leaves, problem);
}

#include "interactive_impl.h"

#include <stdio.h>
#include <string.h>

#include "options.h"

#define QUIET_DAMAGED 120 // updates without anything new: the rest cannot be read

// ---- the player ---------------------------------------------------------------------------------

/// Nothing moves before there is something to see.
static bool wait_for_land(Interactive *run)
{
    if (!run->ready) {
        const TrnStreamReadiness land =
            world_readiness(run->viewer.world, run->viewer.camera.position);
        // Memory or the graphics card may not hold it all, and a world file may be damaged.
        run->ready = land.is_shown || world_is_idle(run->viewer.world) ||
                     (keep_stats(run->viewer.keep).is_damaged &&
                      world_quiet_updates(run->viewer.world) > QUIET_DAMAGED);
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
    // Chunks to dig or build in must be loaded.
    run->waiting =
        !replay_is_ready(&run->replay, run->played + step) && !world_is_idle(run->viewer.world);
    if (run->waiting) {
        (void)message_set(&run->waits_for, "Waiting for the land that was dug in.");
        return;
    }
    run->played += step;
    clearance_sample(&run->clearance, run->flight, world_terrain(run->viewer.world), run->played,
                     pose);
    camera_set_pose(&run->viewer.camera, pose);
}

// ---- the demo -----------------------------------------------------------------------------------

/// After the camera was moved elsewhere: its land has to load first.
static void jump(Interactive *run)
{
    run->ready = false;
    memset(run->viewer.velocity, 0, sizeof run->viewer.velocity);
    // Until the world knows of the new place, it is idle at the old one.
    viewer_update(&run->viewer, (TrnStreamBudget){.units = 1}, NULL);
}

void interactive_begin_demo(Interactive *run)
{
    const FlightHead here = options_flight_head(run->settings);
    Message news;
    if (demo_begin(&run->demo, &here, world_terrain(run->viewer.world), &run->viewer.camera,
                   &news)) {
        jump(run);
    } else {
        run->demo.has_failed = true;
    }
    interactive_notify(run, &news);
}

void interactive_hand_over(Interactive *run, const Input *input, double step)
{
    Demo *const demo = &run->demo;
    // A screenshot of the demo does not end it.
    run->took_over = demo->is_playing && input_is_for_player(input);
    if (run->took_over) {
        demo_end(demo, &run->viewer.camera);
        jump(run);
        run->notice_until = 0; // how to take over is no news any more
    }
    // A window without the focus stays as the user left it.
    const bool is_busy = !input_is_idle(input) || run->playing || !run->ready ||
                         run->recorder.writer || !run->viewer.window.focused;
    // In a world it would show and save land far from the player.
    const bool is_allowed = run->settings->attract && !interactive_has_world(run);
    if (!demo->is_playing && demo_is_due(demo, is_allowed, is_busy, step)) {
        interactive_begin_demo(run);
    }
}

static void play_demo(Interactive *run, double step)
{
    run->waiting = false;
    if (demo_move(&run->demo, world_terrain(run->viewer.world), step, &run->viewer.camera)) {
        jump(run);
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
        interactive_notify(run, &news);
    }
    run->waiting = person_waits(&run->person);
    if (run->waiting) {
        const TrnStreamReadiness ground = run->person.ground;
        message_set(&run->waits_for, "Waiting for the ground: %llu of %llu chunks",
                    (unsigned long long)ground.loaded, (unsigned long long)ground.chunks);
    }
}

void interactive_move(Interactive *run, const Input *input, double step)
{
    double before[3], now[3];
    camera_voxel(&run->viewer.camera, before);
    if (!wait_for_land(run)) {
        camera_turn(&run->viewer.camera, input->look_right, input->look_up);
        return;
    }
    if (run->photo.is_open) {
        photo_move(&run->photo, input, run->settings->player.fly_speed, step, &run->viewer.camera);
        run->viewer.blur = run->photo.blur;
    } else if (run->demo.is_playing) {
        play_demo(run, step);
    } else if (run->playing && run->played < flight_duration(run->flight) && !takes_over(input)) {
        play_flight(run, step);
    } else {
        move_by_hand(run, input, step);
    }
    camera_voxel(&run->viewer.camera, now);
    for (int axis = 0; axis < 3 && run->ready; axis++) {
        run->viewer.velocity[axis] = step > 0 ? (now[axis] - before[axis]) / step : 0;
    }
}

// ---- recordings ---------------------------------------------------------------------------------

void interactive_toggle_recording(Interactive *run)
{
    const FlightHead head = options_flight_head(run->settings);
    const RecorderPlace place = {&head, run->settings->out, run->viewer.world, &run->viewer.camera};
    Message news;
    (void)recorder_toggle(&run->recorder, &place, &news);
    interactive_notify(run, &news);
}

void interactive_record_frame(Interactive *run, double step)
{
    Message news;
    if (run->ready && recorder_frame(&run->recorder, step, &run->viewer.camera, &news)) {
        interactive_notify(run, &news);
    }
}

void interactive_tell_recording(Recorder *recorder)
{
    Message news;
    (void)recorder_finish(recorder, &news);
    if (news.text[0]) {
        fprintf(stderr, "terrane-viewer: %s\n", news.text);
    }
}

void interactive_use_hand(Interactive *run, const Input *input, double step)
{
    Message news;
    run->viewer.outline = NULL;
    if (run->playing) {
        replay_advance(&run->replay, run->played);
    } else if (!run->ready || run->demo.is_playing || run->photo.is_open ||
               !run->viewer.window.caught || run->caught_now || run->took_over) {
        person_release(&run->person);
    } else {
        if (person_act(&run->person, input, step, &run->viewer.camera, &news) && news.text[0]) {
            interactive_notify(run, &news);
        }
        run->viewer.outline = person_outline(&run->person);
    }
    if (run->viewer.debris) {
        (void)debris_step(run->viewer.debris, step);
    }
}

#include "interactive_impl.h"

#include <stdio.h>

#define ATTRACT_RADIUS 160 // voxels

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
        interactive_notify(run, &problem);
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

void interactive_hand_over(Interactive *run, const Input *input, double step)
{
    Message problem;
    const bool touched = !input_is_idle(input);
    begin_walk(run);
    run->took_over = false;
    // Who is at another window wants to find this one as it was left.
    const bool is_busy = touched || run->playing || !run->ready || !run->viewer.window.focused;
    if (attract_update(&run->attract, is_busy, step) && !person_is_led(&run->person) &&
        !begin_attract(run, &problem)) {
        run->attract.is_off = true;
        interactive_notify(run, &problem);
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

void interactive_toggle_recording(Interactive *run)
{
    const FlightHead head = options_flight_head(run->viewer.options);
    const RecorderPlace place = {&head, run->viewer.options->out, run->viewer.world,
                                 &run->viewer.camera};
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
    } else if (!run->ready || person_is_led(&run->person) || !run->viewer.window.caught ||
               run->caught_now || run->took_over) {
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

#include "app/playback_mode.h"

bool playback_open(Playback *playback, Session *session, const Flight *flight, Message *problem)
{
    *playback = (Playback){.flight = flight};
    return replay_create(&playback->replay, session->settings->flight, flight,
                         session->viewer.world, session->person.hand, problem);
}

void playback_free(Playback *playback)
{
    replay_free(&playback->replay);
    *playback = (Playback){0};
}

bool playback_is_over(const Playback *playback, const Input *input)
{
    return playback->played >= flight_duration(playback->flight) || input->forward != 0 ||
           input->right != 0 || input->up != 0 || input->look_right != 0 || input->look_up != 0;
}

void playback_step(Playback *playback, Session *session, double step)
{
    World *world = session->viewer.world;
    double pose[5];
    if (!replay_is_ready(&playback->replay, playback->played + step) && !world_is_idle(world)) {
        Message text;
        (void)message_set(&text, "Waiting for the land that was dug in.");
        loading_wait(&session->loading, &text);
        return;
    }
    playback->played += step;
    clearance_sample(&playback->clearance, playback->flight, world_terrain(world), playback->played,
                     pose);
    camera_set_pose(&session->viewer.camera, pose);
}

void playback_act(Playback *playback)
{
    replay_advance(&playback->replay, playback->played);
}

void playback_end(Session *session)
{
    person_put(&session->person, &session->viewer.camera);
}

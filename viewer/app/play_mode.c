#include "app/play_mode.h"

#include <math.h>
#include <string.h>

#define PLAY_DARK 0.7f     // of RendererStats.darkness
#define PLAY_FIRST_STEPS 4 // voxels: after this distance the first hint is hidden

static void play_watch_beginning(Play *play, const Camera *camera)
{
    double at[3];
    camera_voxel(camera, at);
    if (play->beginning == PLAY_NOT_BEGUN) {
        memcpy(play->began_at, at, sizeof at);
        play->beginning = PLAY_AT_START;
    }
    if (hypot(at[0] - play->began_at[0], at[2] - play->began_at[2]) > PLAY_FIRST_STEPS) {
        play->beginning = PLAY_HAS_WALKED;
    }
}

/// Tells a person without a lamp which key lights it, the first time that it is dark.
static void play_watch_dark(Play *play, Session *session)
{
    const Renderer *renderer = session->viewer.renderer;
    const InputLabel key = session_key(session, INPUT_LAMP);
    const bool is_lit = renderer_look(renderer).on[LOOK_LAMP];
    if (play->told_lamp || (!is_lit && renderer_stats(renderer).darkness < PLAY_DARK)) {
        return;
    }
    play->told_lamp = true;
    if (is_lit || session->touches || !key.text[0]) {
        return;
    }
    notices_say(&session->notices, "It is dark here: %s lights your lamp.", key.text);
}

void play_step(Play *play, Session *session, const Input *input, double step)
{
    Person *person = &session->person;
    Message text;
    if (person_move(person, input, step, &session->viewer.camera, &text)) {
        notices_show(&session->notices, &text);
    }
    if (person_waits(person)) {
        (void)message_set(&text, "Waiting for the ground: %llu of %llu chunks",
                          (unsigned long long)person->ground.loaded,
                          (unsigned long long)person->ground.chunks);
        loading_wait(&session->loading, &text);
    }
    play_watch_beginning(play, &session->viewer.camera);
    play_watch_dark(play, session);
}

void play_act(Session *session, const Input *input, bool is_click_taken, double step)
{
    Viewer *viewer = &session->viewer;
    Person *person = &session->person;
    Message news;
    if (!loading_has_land(&session->loading) || !viewer->window.caught || is_click_taken) {
        person_release(person);
        return;
    }
    if (person_act(person, input, step, &viewer->camera, &news) && news.text[0]) {
        notices_show(&session->notices, &news);
    }
    viewer->outline = person_outline(person);
}

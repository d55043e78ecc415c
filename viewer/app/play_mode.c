#include "app/play_mode.h"

#include <math.h>
#include <string.h>

// Of RendererStats.darkness: from here on it is dark, and light again below.
#define PLAY_DARK 0.7f
#define PLAY_LIGHT 0.35f
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

PlayLamp play_lamp_next(PlayLamp lamp, bool is_lit, float darkness)
{
    if (is_lit || (lamp == PLAY_LAMP_HINTED && darkness < PLAY_LIGHT)) {
        return PLAY_LAMP_KNOWN;
    }
    return lamp == PLAY_LAMP_UNSEEN && darkness >= PLAY_DARK ? PLAY_LAMP_HINTED : lamp;
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
    const Renderer *renderer = session->viewer.renderer;
    play->lamp = play_lamp_next(play->lamp, renderer_look(renderer).on[LOOK_LAMP],
                                renderer_stats(renderer).darkness);
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

#include "app/photo_mode.h"

#include <math.h>
#include <stdio.h>

#include "app/screenshot.h"
#include "program.h"

#define PHOTO_ZOOM 0.9f        // of the field of view, for one notch of the wheel
#define PHOTO_BLUR_STEP 0.005f // of one key press

// ---- camera and sizes ---------------------------------------------------------------------------

Photo photo_begin(const Camera *camera, double hours)
{
    return (Photo){.before = *camera,
                   .hours = hours,
                   .degrees =
                       camera->field_of_view > 0 ? camera->field_of_view : CAMERA_FIELD_OF_VIEW};
}

void photo_move(Photo *photo, const Input *input, double speed, double seconds, Camera *camera)
{
    const int closer = input->presses[INPUT_PALETTE_PREVIOUS] - input->presses[INPUT_PALETTE_NEXT];
    photo->degrees =
        fminf(fmaxf(photo->degrees * powf(PHOTO_ZOOM, (float)closer), PHOTO_DEGREES_MIN),
              PHOTO_DEGREES_MAX);
    const int wider = input->presses[INPUT_BRUSH_MORE] - input->presses[INPUT_BRUSH_LESS];
    photo->blur = fminf(fmaxf(photo->blur + PHOTO_BLUR_STEP * (float)wider, 0), PHOTO_BLUR_MAX);
    // Through a long lens, the same turn moves the picture farther.
    const float share = fminf(photo->degrees / CAMERA_FIELD_OF_VIEW, 1);
    camera_turn(camera, input->look_right * share, input->look_up * share);
    vec3 right, up, forward;
    camera_axes(camera, right, up, forward);
    const double way = speed * seconds;
    const double ahead = (double)input->forward * way, aside = (double)input->right * way;
    const double level[2] = {(double)right[2], -(double)right[0]}; // the camera's forward axis
                                                                   // without its pitch
    const double moved[3] = {level[0] * ahead + (double)right[0] * aside, (double)input->up * way,
                             level[1] * ahead + (double)right[2] * aside};
    camera_place(camera, trn_position_add(camera->position, moved));
    camera->field_of_view = photo->degrees;
}

int photo_enlargement(int width, int height, float scale, int limit, Message *problem)
{
    for (int times = PHOTO_ENLARGED; times >= 1; times /= 2) {
        const double across = (double)width * times, down = (double)height * times;
        const double drawn = (double)fmaxf(scale, 1);
        if (width > 0 && height > 0 && across * drawn <= limit && down * drawn <= limit &&
            across * down * drawn * drawn <= (double)PHOTO_PIXELS_MAX) {
            return times;
        }
    }
    (void)message_set(problem, "A window of %dx%d is too large for a picture; make it smaller.",
                      width, height);
    return 0;
}

// ---- the mode -----------------------------------------------------------------------------------

Photo photo_open(Session *session)
{
    notices_say(&session->notices,
                "Photo mode: %s takes a picture of up to %d times the window's size, "
                "the wheel zooms, %s blurs what is near or far, %s changes the time, %s ends it.",
                session_key(session, INPUT_SCREENSHOT).text, PHOTO_ENLARGED,
                session_key(session, INPUT_BRUSH_MORE).text, session_key(session, INPUT_TIME).text,
                session_key(session, INPUT_PHOTO).text);
    return photo_begin(&session->viewer.camera, session->settings->hours);
}

void photo_close(const Photo *photo, Session *session)
{
    Settings wished = *session->settings;
    wished.hours = photo->hours;
    session_change_unsaved(session, &wished);
    session->viewer.camera = photo->before;
    session->viewer.blur = 0;
    notices_hide(&session->notices); // the notice names the mode's keys
}

void photo_step(Photo *photo, Session *session, const Input *input, double step)
{
    photo_move(photo, input, session->settings->player.fly_speed, step, &session->viewer.camera);
    session->viewer.blur = photo->blur;
}

/// Draws the frame again at another size and writes it to a file.
static bool photo_write(Session *session, const int size[2], int times, const char *name,
                        bool *is_taken, Message *problem)
{
    Viewer *viewer = &session->viewer;
    const int width = size[0] * times, height = size[1] * times;
    Message other;
    if (!renderer_resize(viewer->renderer, width, height, problem)) {
        return false;
    }
    const bool good = viewer_draw(viewer, problem) &&
                      viewer_write_picture(viewer, width, height, name, false, is_taken, problem);
    if (!renderer_resize(viewer->renderer, size[0], size[1], &other)) { // the next frame tries
                                                                        // again
        fprintf(stderr, "terrane-viewer: %s\n", other.text);
    }
    return good;
}

static int photo_choose_times(const Session *session, const int size[2], Message *problem)
{
    GLint limits[2];
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limits[0]);
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limits[1]);
    return photo_enlargement(size[0], size[1], renderer_look(session->viewer.renderer).scale,
                             limits[0] < limits[1] ? limits[0] : limits[1], problem);
}

static void photo_take_now(Session *session, const int size[2], int times)
{
    char name[SCREENSHOT_NAME_BYTES];
    Message text;
    bool good, is_taken;
    do {
        is_taken = false;
        good = screenshot_name(session, "photo", name, &text) &&
               photo_write(session, size, times, name, &is_taken, &text);
    } while (is_taken);
    if (good) {
        (void)message_set(&text, "Wrote %s/%s, %dx%d.", message_short(session->settings->out).text,
                          name, size[0] * times, size[1] * times);
        program_print("%s", text.text);
        (void)fflush(stdout);
    }
    notices_show(&session->notices, &text);
}

void photo_take(Photo *photo, Session *session, const Input *input, int width, int height)
{
    const int size[2] = {width, height};
    const bool is_asked = input_pressed(input, INPUT_SCREENSHOT);
    const bool was_due = photo->is_due;
    Message text;
    photo->is_due = false;
    if (!was_due && !is_asked) {
        return;
    }
    const int times = photo_choose_times(session, size, &text);
    if (was_due && times) {
        photo_take_now(session, size, times);
    } else if (is_asked) {
        photo->is_due = times > 0;
        if (times) {
            (void)message_set(&text, "Drawing a picture of %dx%d.", width * times, height * times);
        }
        notices_show(&session->notices, &text);
    }
}

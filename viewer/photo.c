#include "photo.h"

#include <math.h>

#define ZOOM 0.9f        // of the lens, for a click of the wheel
#define BLUR_STEP 0.005f // of one press

Photo photo_begin(const Camera *camera, double hours)
{
    return (Photo){.is_open = true,
                   .before = *camera,
                   .hours = hours,
                   .degrees =
                       camera->field_of_view > 0 ? camera->field_of_view : CAMERA_FIELD_OF_VIEW};
}

void photo_move(Photo *photo, const Input *input, double speed, double seconds, Camera *camera)
{
    const int closer = input->presses[INPUT_PALETTE_PREVIOUS] - input->presses[INPUT_PALETTE_NEXT];
    photo->degrees = fminf(fmaxf(photo->degrees * powf(ZOOM, (float)closer), PHOTO_DEGREES_MIN),
                           PHOTO_DEGREES_MAX);
    const int wider = input->presses[INPUT_BRUSH_MORE] - input->presses[INPUT_BRUSH_LESS];
    photo->blur = fminf(fmaxf(photo->blur + BLUR_STEP * (float)wider, 0), PHOTO_BLUR_MAX);
    // Through a long lens the same turn goes farther across the picture.
    const float share = fminf(photo->degrees / CAMERA_FIELD_OF_VIEW, 1);
    camera_turn(camera, input->look_right * share, input->look_up * share);
    vec3 right, up, forward;
    camera_axes(camera, right, up, forward);
    const double way = speed * seconds;
    const double ahead = (double)input->forward * way, aside = (double)input->right * way;
    const double level[2] = {(double)right[2], -(double)right[0]}; // ahead, without the pitch
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

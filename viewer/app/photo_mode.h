/// Photo mode: a free camera while the body stays in place, a zoom lens, and pictures larger than
/// the window.
#pragma once

#include "app/session.h"

#define PHOTO_ENLARGED 4              ///< largest edge of a picture, in edges of the window
#define PHOTO_PIXELS_MAX (64LL << 20) ///< of a picture: 192 MiB
#define PHOTO_DEGREES_MIN 5.0f        ///< vertical field of view
#define PHOTO_DEGREES_MAX 110.0f
#define PHOTO_BLUR_MAX 0.04f

/// State of the mode, and the state that it restores.
typedef struct Photo {
    Camera before; ///< the person's eyes
    double hours;  ///< time of day
    float degrees; ///< vertical field of view
    float blur;    ///< depth of field: a part of the picture's height; 0: all is sharp
    bool is_due;   ///< a picture was requested: this frame shows a notice, the next one takes the
                   ///< picture
} Photo;

Photo photo_begin(const Camera *camera, double hours);

/// Moves the camera freely, level like a flight. The wheel zooms, and the brush's keys change the
/// blur.
/// @param speed    voxels/s
/// @param seconds  of the frame
void photo_move(Photo *photo, const Input *input, double speed, double seconds, Camera *camera);

/// Chooses how much larger than the window a picture can be: 4 times, 2 times or once along each
/// edge.
/// @param scale  drawn pixels for each pixel of the picture, along each edge
/// @param limit  pixels along an edge, from the driver
/// @return 0 if no size fits; `problem` says why
int photo_enlargement(int width, int height, float scale, int limit, Message *problem);

/// Begins the mode and shows its keys.
Photo photo_open(Session *session);
/// Restores camera, lens and time of day.
void photo_close(const Photo *photo, Session *session);

/// photo_move in a window.
void photo_step(Photo *photo, Session *session, const Input *input, double step);

/// Takes the picture that its key requested, over two frames: the first shows a notice. Call it
/// after a frame was drawn.
/// @param width,height  of the window's picture
void photo_take(Photo *photo, Session *session, const Input *input, int width, int height);

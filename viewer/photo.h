/// Photo mode: a free camera while the body stays, a lens to zoom, and pictures larger than the
/// window. Knows no window; interactive_photo.c opens it.
#ifndef TERRANE_VIEWER_PHOTO_H
#define TERRANE_VIEWER_PHOTO_H

#include <stdbool.h>

#include "message.h"
#include "render/camera.h"
#include "window/input.h"

#define PHOTO_ENLARGED 4              ///< a picture's edge, in edges of the window, at most
#define PHOTO_PIXELS_MAX (64LL << 20) ///< of a picture: 192 MiB
#define PHOTO_DEGREES_MIN 5.0f        ///< of the lens, vertical
#define PHOTO_DEGREES_MAX 110.0f
#define PHOTO_BLUR_MAX 0.04f

/// What the mode begins with, and restores.
typedef struct Photo {
    bool is_open;
    Camera before; ///< the person's eyes
    double hours;  ///< time of day
    float degrees; ///< of the lens
    float blur;    ///< of what is not in focus: a part of the picture's height; 0: all is sharp
    bool is_due;   ///< a picture was asked for: its message is shown, and the next frame takes it
} Photo;

Photo photo_begin(const Camera *camera, double hours);

/// Moves the camera freely, level as a flight, zooms by the wheel, and blurs by the keys of the
/// brush.
/// @param speed    voxels/s
/// @param seconds  of the frame
void photo_move(Photo *photo, const Input *input, double speed, double seconds, Camera *camera);

/// Chooses how much larger than the window a picture can be: 4 times, 2 times or once along each
/// edge.
/// @param scale  drawn pixels for each pixel of the picture, along each edge
/// @param limit  the driver's: pixels along an edge
/// @return 0, with a sentence, if there is no such size
int photo_enlargement(int width, int height, float scale, int limit, Message *problem);

#endif

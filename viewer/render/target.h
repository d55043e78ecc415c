/// What the renderer draws into: a picture of exact size, whatever the window manager makes of the
/// window.
#ifndef TERRANE_VIEWER_TARGET_H
#define TERRANE_VIEWER_TARGET_H

#include <glad/gl.h>

#include "message.h"

typedef struct Target {
    int width, height;             ///< of the picture
    int drawn_width, drawn_height; ///< of what is drawn
    /// framebuffer that is drawn into, with several samples a pixel where the driver has them
    GLuint drawn;
    GLuint drawn_parts[2]; ///< its colour, and its depth with 8 bits of stencil
    /// of the drawn size with one sample a pixel; 0 where the picture is as large
    GLuint middle, middle_texture;
    GLuint picture; ///< framebuffer with the finished picture
    GLuint texture; ///< its colours, sRGB
} Target;

/// Fails, with the driver's limit in the message, where width or height is not from 1 to that.
/// @param scale    pixels drawn for each of the picture's, along each axis
/// @param samples  per pixel, 1 for plain ones; fewer are used where the driver has fewer
bool target_create(Target *target, int width, int height, float scale, int samples,
                   Message *problem);
void target_free(Target *target);

/// Turns what was drawn into the picture.
void target_resolve(const Target *target);

/// Reads the picture. @param rgb  [height * width * 3] receives rows from the top, sRGB; caller
/// owns
void target_read(const Target *target, unsigned char *rgb);

#endif

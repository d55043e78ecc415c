/// The framebuffers that the renderer draws into: a picture of exact size, independent of the
/// window's size.
#pragma once

#include "message.h"
#include "render/gl.h"

typedef struct Target {
    int width, height;             ///< of the picture
    int drawn_width, drawn_height; ///< of the framebuffer, before scaling
    /// framebuffer to draw into, multisampled if the driver supports that
    GLuint drawn;
    GLuint drawn_parts[2]; ///< its colour, and its depth with 8 bits of stencil
    /// `drawn` with one sample a pixel; 0 if the picture has the same size
    GLuint middle, middle_texture;
    GLuint picture; ///< framebuffer with the finished picture
    GLuint texture; ///< its colours, sRGB
    GLenum depth_format;
    /// The copy made by target_copy_drawn, with one sample a pixel; 0: none yet.
    GLuint copy, copy_colours, copy_depths;
} Target;

/// Fails, with the driver's limit in the message, if width or height is outside 1..limit.
/// @param scale    pixels drawn for each pixel of the picture, along each axis
/// @param samples  per pixel, 1: no multisampling; fewer are used if the driver supports fewer
/// @param depth_format  with 8 bits of stencil
bool target_create(Target *target, int width, int height, float scale, int samples,
                   GLenum depth_format, Message *problem);
void target_free(Target *target);

/// Copies the framebuffer `drawn`, so that shaders can read it, and binds `drawn` again.
/// @return false if the driver has no memory for the copy
bool target_copy_drawn(Target *target);

/// Resolves and scales the framebuffer `drawn` into the picture.
void target_resolve(const Target *target);

/// Reads the picture. @param rgb  [height * width * 3] receives rows from the top, sRGB; caller
/// owns
void target_read(const Target *target, unsigned char *rgb);

/// The same for the window's framebuffer. @param width,height  its size
void target_read_window(int width, int height, unsigned char *rgb);

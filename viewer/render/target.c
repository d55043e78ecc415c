#include "render/target.h"

#include <math.h>
#include <string.h>

#define READ_EDGE 128 // pixels read in one call, along each axis

static void target_create_drawn(Target *target, int samples, GLenum depth_format)
{
    const GLsizei width = target->drawn_width, height = target->drawn_height;
    glGenRenderbuffers(2, target->drawn_parts);
    glBindRenderbuffer(GL_RENDERBUFFER, target->drawn_parts[0]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_SRGB8_ALPHA8, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, target->drawn_parts[1]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, depth_format, width, height);
    glGenFramebuffers(1, &target->drawn);
    glBindFramebuffer(GL_FRAMEBUFFER, target->drawn);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              target->drawn_parts[0]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              target->drawn_parts[1]);
}

/// Creates a framebuffer with a colour texture. @return false if the driver has no memory
static bool target_create_readable(GLuint *framebuffer, GLuint *texture, int width, int height,
                                   GLint filter)
{
    *texture = gl_texture_create(filter, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 NULL);
    glGenFramebuffers(1, framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static int target_scaled(int pixels, float scale)
{
    const int drawn = (int)((float)pixels * scale + 0.5f);
    return drawn > 1 ? drawn : 1;
}

/// Whether the driver supports this many pixels. @param size_max  receives the limit along an edge
static bool target_fits_driver(int width, int height, float scale, GLint *size_max)
{
    GLint textures = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, size_max);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &textures);
    *size_max = textures < *size_max ? textures : *size_max;
    // As floats, because a size times two may overflow an int.
    const float largest = (float)(width > height ? width : height) * fmaxf(scale, 1);
    return width > 0 && height > 0 && largest <= (float)*size_max;
}

bool target_create(Target *target, int width, int height, float scale, int samples,
                   GLenum depth_format, Message *problem)
{
    GLint size_max = 0, samples_max = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &samples_max);
    if (!target_fits_driver(width, height, scale, &size_max)) {
        return message_set(problem,
                           "A picture of %dx%d, drawn %.2f times as large, is too large for this "
                           "driver, which draws up to %dx%d; choose a smaller --size.",
                           width, height, (double)scale, size_max, size_max);
    }
    const int drawn_width = target_scaled(width, scale),
              drawn_height = target_scaled(height, scale);
    *target = (Target){
        .width = width,
        .height = height,
        .drawn_width = drawn_width,
        .drawn_height = drawn_height,
        .depth_format = depth_format,
    };
    samples = samples < samples_max ? samples : samples_max;
    target_create_drawn(target, samples > 1 ? samples : 0,
                        depth_format); // 0 samples means no multisampling
    bool good = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    good = good &&
           target_create_readable(&target->picture, &target->texture, width, height, GL_NEAREST) &&
           (scale == 1 || target_create_readable(&target->middle, &target->middle_texture,
                                                 drawn_width, drawn_height, GL_LINEAR)) &&
           glGetError() == GL_NO_ERROR;
    if (!good) {
        target_free(target);
        return message_set(problem,
                           "The driver has no memory for a picture of %dx%d; choose a smaller "
                           "--size.",
                           width, height);
    }
    return true;
}

static void target_free_copy(Target *target)
{
    glDeleteFramebuffers(1, &target->copy);
    glDeleteTextures(1, &target->copy_colours);
    glDeleteTextures(1, &target->copy_depths);
    target->copy = target->copy_colours = target->copy_depths = 0;
}

void target_free(Target *target)
{
    glDeleteFramebuffers(1, &target->drawn);
    glDeleteFramebuffers(1, &target->picture);
    glDeleteRenderbuffers(2, target->drawn_parts);
    glDeleteFramebuffers(1, &target->middle);
    glDeleteTextures(1, &target->texture);
    glDeleteTextures(1, &target->middle_texture);
    target_free_copy(target);
    *target = (Target){0};
}

static void target_copy_colours(GLuint from, int width, int height, GLuint to, int to_width,
                                int to_height)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    glBlitFramebuffer(0, 0, width, height, 0, 0, to_width, to_height, GL_COLOR_BUFFER_BIT,
                      width == to_width && height == to_height ? GL_NEAREST : GL_LINEAR);
}

static bool target_create_copy(Target *target)
{
    const GLsizei width = target->drawn_width, height = target->drawn_height;
    const bool is_float = target->depth_format == GL_DEPTH32F_STENCIL8;
    (void)target_create_readable(&target->copy, &target->copy_colours, width, height, GL_LINEAR);
    target->copy_depths = gl_texture_create(GL_NEAREST, GL_REPEAT);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)target->depth_format, width, height, 0, GL_DEPTH_STENCIL,
                 is_float ? GL_FLOAT_32_UNSIGNED_INT_24_8_REV : GL_UNSIGNED_INT_24_8, NULL);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_TEXTURE_2D,
                           target->copy_depths, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
        target_free_copy(target);
    }
    return target->copy != 0;
}

bool target_copy_drawn(Target *target)
{
    const GLint width = target->drawn_width, height = target->drawn_height;
    const bool good = target->copy || target_create_copy(target);
    if (good) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, target->drawn);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->copy);
        glBlitFramebuffer(0, 0, width, height, 0, 0, width, height,
                          GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT, GL_NEAREST);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, target->drawn);
    return good;
}

void target_resolve(const Target *target)
{
    const int width = target->drawn_width, height = target->drawn_height;
    // Multisampled buffers cannot be scaled while they are resolved.
    if (target->middle) {
        target_copy_colours(target->drawn, width, height, target->middle, width, height);
    }
    target_copy_colours(target->middle ? target->middle : target->drawn, width, height,
                        target->picture, target->width, target->height);
}

/// Reads the bound read framebuffer in blocks. Reads four channels, because WebGL cannot read
/// three.
static void target_read_framebuffer(int width, int height, unsigned char *rgb)
{
    unsigned char block[READ_EDGE * READ_EDGE][4];
    for (int y = 0; y < height; y += READ_EDGE) {
        const int rows = height - y < READ_EDGE ? height - y : READ_EDGE;
        for (int x = 0; x < width; x += READ_EDGE) {
            const int across = width - x < READ_EDGE ? width - x : READ_EDGE;
            glReadPixels(x, y, across, rows, GL_RGBA, GL_UNSIGNED_BYTE, block);
            for (int i = 0; i < across * rows; i++) {
                // OpenGL counts rows from the bottom.
                const size_t row = (size_t)(height - 1 - y - i / across);
                memcpy(rgb + (row * (size_t)width + (size_t)(x + i % across)) * 3, block[i], 3);
            }
        }
    }
}

void target_read(const Target *target, unsigned char *rgb)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->picture);
    target_read_framebuffer(target->width, target->height, rgb);
}

void target_read_window(int width, int height, unsigned char *rgb)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glReadBuffer(GL_BACK);
    target_read_framebuffer(width, height, rgb);
}

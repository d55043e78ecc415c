#include "target.h"

#include <string.h>

static void create_drawn(Target *target, int samples)
{
    const GLsizei width = target->width, height = target->height;
    glGenRenderbuffers(2, target->drawn_parts);
    glBindRenderbuffer(GL_RENDERBUFFER, target->drawn_parts[0]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_SRGB8_ALPHA8, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, target->drawn_parts[1]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH24_STENCIL8, width, height);
    glGenFramebuffers(1, &target->drawn);
    glBindFramebuffer(GL_FRAMEBUFFER, target->drawn);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              target->drawn_parts[0]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              target->drawn_parts[1]);
}

static void create_picture(Target *target)
{
    glGenTextures(1, &target->texture);
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, target->width, target->height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenFramebuffers(1, &target->picture);
    glBindFramebuffer(GL_FRAMEBUFFER, target->picture);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->texture, 0);
}

bool target_create(Target *target, int width, int height, int samples, Message *problem)
{
    GLint size_max = 0, samples_max = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &size_max);
    glGetIntegerv(GL_MAX_SAMPLES, &samples_max);
    if (width > size_max || height > size_max) {
        return message_set(problem,
                           "A picture of %dx%d is too large for this driver, which draws up to "
                           "%dx%d; choose a smaller --size.",
                           width, height, size_max, size_max);
    }
    *target = (Target){.width = width, .height = height};
    samples = samples < samples_max ? samples : samples_max;
    create_drawn(target, samples > 1 ? samples : 0); // 0 is OpenGL's word for plain pixels
    bool good = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    create_picture(target);
    good = good && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE &&
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

void target_free(Target *target)
{
    glDeleteFramebuffers(1, &target->drawn);
    glDeleteFramebuffers(1, &target->picture);
    glDeleteRenderbuffers(2, target->drawn_parts);
    glDeleteTextures(1, &target->texture);
    *target = (Target){0};
}

void target_resolve(const Target *target)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->drawn);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target->picture);
    glBlitFramebuffer(0, 0, target->width, target->height, 0, 0, target->width, target->height,
                      GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

static void swap_rows(unsigned char *a, unsigned char *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        unsigned char kept = a[i];
        a[i] = b[i];
        b[i] = kept;
    }
}

void target_read(const Target *target, unsigned char *rgb)
{
    size_t row = (size_t)target->width * 3, rows = (size_t)target->height;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target->picture);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, target->width, target->height, GL_RGB, GL_UNSIGNED_BYTE, rgb);
    for (size_t y = 0; y < rows / 2; y++) { // OpenGL counts rows from the bottom
        swap_rows(rgb + y * row, rgb + (rows - 1 - y) * row, row);
    }
}

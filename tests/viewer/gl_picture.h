/// Shared by tests that draw: a window, pictures of its size, and how much two pictures differ.
///
/// Define PICTURE_WIDTH and PICTURE_HEIGHT before including it.
#pragma once

#include "testing.h"

#include <stdlib.h>

#include <image.h>
#include <window/window.h>

#define WIDTH PICTURE_WIDTH
#define HEIGHT PICTURE_HEIGHT

typedef struct Picture {
    unsigned char rgb[HEIGHT][WIDTH][3];
} Picture;

static Window window;

/// Whether the tests draw with OpenGL ES: CMakeLists.txt runs some of them a second time for it.
static inline bool draws_with_es(void)
{
    return getenv("TERRANE_TEST_GL_ES") != NULL;
}

/// A cmocka setup of a group: opens the window.
static inline int open_window(void **state)
{
    (void)state;
    const WindowDef def = {WIDTH, HEIGHT, .gl_debug = true, .gl_es = draws_with_es()};
    Message problem;
    if (!window_open(&window, &def, &problem)) {
        print_error("%s\n", problem.text);
        return -1;
    }
    return 0;
}

/// A cmocka teardown of a group. Fails if any test caused an OpenGL error.
static inline int close_window(void **state)
{
    (void)state;
    const uint32_t errors = gl_context_errors(&window.context);
    window_close(&window);
    if (errors) {
        print_error("OpenGL reported %u errors\n", errors);
    }
    return errors ? -1 : 0;
}

/// Returns the difference of two pixels, 0..765.
static inline int difference(const unsigned char *a, const unsigned char *b)
{
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]);
}

/// Writes the picture into the folder TERRANE_TEST_OUT, if set, for a person to look at.
static inline void write_picture(const Picture *picture, const char *name)
{
    const char *folder = getenv("TERRANE_TEST_OUT");
    Message problem;
    if (folder && !image_write_png(folder, name, picture->rgb[0][0], WIDTH, HEIGHT, &problem)) {
        fail_msg("%s", problem.text);
    }
}

/// The window and its events.
#pragma once

#ifndef GLFW_INCLUDE_NONE
#define GLFW_INCLUDE_NONE // render/gl.h includes OpenGL
#endif
#include <GLFW/glfw3.h>

#include "message.h"
#include "render/gl.h"
#include "window/events.h"
#include "window/input.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WINDOW_PATH_MAX 4096 ///< bytes

typedef struct Window {
    GLFWwindow *handle;
    InputState state; ///< the caller passes it to input_take and gamepad_poll
    EventQueue queue; ///< of the last poll
    EventBatch batch; ///< taken by window_take: for panels
    bool is_clicked;  ///< in the batch a button was pressed while the mouse was free
    double cursor_x, cursor_y;
    bool cursor_known;             ///< false: the next position gives no movement
    bool cursor_settles;           ///< the queue's positions are of before the mouse was caught
    bool caught;                   ///< the mouse turns the camera; false after losing focus
    bool focused;                  ///< at the end of the last poll
    double polled;                 ///< seconds on GLFW's clock
    float content_scale;           ///< text scale that the system asks for, in window units
    char dropped[WINDOW_PATH_MAX]; ///< path of a file dropped on the window; the caller empties it
    int windowed[4];               ///< x, y, width, height before full screen
    GlContext context;
} Window;

typedef struct WindowDef {
    int width, height;
    bool visible;
    bool gl_debug; ///< a debug context; Window.context counts its errors
    bool gl_es;    ///< OpenGL ES 3.0; always in a browser
} WindowDef;

/// Opens a window with OpenGL 3.3 core or OpenGL ES 3.0. `window` must not move until window_close.
bool window_open(Window *window, const WindowDef *def, Message *problem);
void window_close(Window *window);

/// Takes over an open window, which keeps its last picture until the next is shown. Leaves full
/// screen and releases the mouse. `window` must not move until window_close.
/// @param from  its def had the same kind of context, which gets the state of a new one; its handle
///              is NULL afterwards
void window_take_over(Window *window, Window *from);

/// Replaces a window whose OpenGL context is lost. All objects of the old context must have been
/// freed before. Waits up to some seconds while the driver is reset.
/// @return false if it fails; the window is then closed
bool window_renew(Window *window, const WindowDef *def, Message *problem);

/// Catches or releases the mouse. While the mouse is free, its buttons and wheel do not affect the
/// world.
void window_catch_mouse(Window *window, bool caught);

/// Queues the events since the last call; window_take hands them out. Without focus nothing is
/// pressed and the mouse is free. Waits to save power: if minimised, until an event, at most 0.1 s;
/// without focus, for the rest of 1/20 s since the last call; always for the rest of a frame under
/// the limit.
/// @param frame_limit  calls a second at most; 0: no limit
void window_poll(Window *window, int frame_limit);

/// Takes the next batch of events: applies it to the state, and leaves it in `batch`. Call it after
/// window_poll until the batch is the last; the first may be empty.
void window_take(Window *window);

/// Switches to full screen on the screen that shows most of the window, or back. @return false if
/// there is no screen
bool window_set_full_screen(Window *window, bool full);

/// Returns the text scale relative to a window of 1280 x 720 on a usual screen, in window units: a
/// whole multiple in larger windows, where the font is sharpest, and at least the system's scale.
float window_text_scale(const Window *window);

/// Returns the label of a key in the keyboard's layout, or the name of a button. Needs GLFW.
InputLabel window_key_label(InputCode code);

#ifdef __cplusplus
}
#endif

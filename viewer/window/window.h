/// The window, and what happens to it.
#ifndef TERRANE_VIEWER_WINDOW_H
#define TERRANE_VIEWER_WINDOW_H

#include <glad/gl.h>

#include <GLFW/glfw3.h>

#include "message.h"
#include "render/gl_context.h"
#include "window/input.h"

/// What happened to the window since the last poll, but for what is pressed: that is in
/// window->state.
typedef struct WindowEvents {
    bool click; ///< of a mouse button while the mouse was free; it is no press then
} WindowEvents;

typedef struct Window {
    GLFWwindow *handle;
    InputState state; ///< input_take is the caller's, and gamepad_poll
    WindowEvents events;
    double cursor_x, cursor_y;
    bool cursor_known; ///< the last cursor position is one to measure from
    bool caught;       ///< the mouse turns the camera; not any more when the focus is lost
    bool focused;      ///< at the end of the last poll
    double polled;     ///< seconds on GLFW's clock
    /// by how much text has to be larger than on a usual screen, in the window's own measure
    float text_scale;
    int windowed[4]; ///< x, y, width, height to come back to from full screen
    GlContext context;
} Window;

typedef struct WindowDef {
    int width, height;
    bool visible;
    bool gl_debug; ///< the driver reports wrong uses of it: Window.context counts them
} WindowDef;

/// Opens a window with OpenGL 3.3 core. `window` must stay where it is until window_close.
bool window_open(Window *window, const WindowDef *def, Message *problem);
void window_close(Window *window);

/// Puts a new window with a new OpenGL context in the place of one whose context is lost.
/// Everything made with the old one is gone, and must have been given up before. Waits up to some
/// seconds, while the driver is reset.
/// @return false with the window closed
bool window_renew(Window *window, const WindowDef *def, Message *problem);

/// Catches the mouse, or lets it go. While it is free, its buttons and its wheel are not for the
/// world.
void window_catch_mouse(Window *window, bool caught);

/// Handles what happened. Without the focus nothing is pressed, and the mouse is free. Waits where
/// nobody looks: minimised until something happens, but 0.1 s at most; without the focus for the
/// rest of 1/20 s since the last call.
WindowEvents window_poll(Window *window);

bool window_is_full_screen(const Window *window);

/// Fills the screen that most of the window is on, or goes back to where the window was.
/// @return false where there is no screen to fill
bool window_set_full_screen(Window *window, bool full);

/// What a key is called in the keyboard's layout, a button by its name. Needs GLFW.
InputLabel window_key_label(InputCode code);

#endif

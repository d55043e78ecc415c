/// The window and its events.
#ifndef TERRANE_VIEWER_WINDOW_H
#define TERRANE_VIEWER_WINDOW_H

#ifndef GLFW_INCLUDE_NONE
#define GLFW_INCLUDE_NONE // OpenGL is that of render/gl.h
#endif
#include <GLFW/glfw3.h>

#include "message.h"
#include "render/gl_context.h"
#include "window/input.h"

/// What happened to the window since the last poll, except presses, which are in window->state.
typedef struct WindowEvents {
    bool click; ///< of a mouse button while the mouse was free; not a press then
} WindowEvents;

#define WINDOW_PATH_MAX 4096 ///< bytes

typedef struct Window {
    GLFWwindow *handle;
    InputState state; ///< the caller passes it to input_take and gamepad_poll
    WindowEvents events;
    double cursor_x, cursor_y;
    bool cursor_known;             ///< the last cursor position is valid for measuring movement
    bool caught;                   ///< the mouse turns the camera; false after the focus is lost
    bool focused;                  ///< at the end of the last poll
    double polled;                 ///< seconds on GLFW's clock
    float content_scale;           ///< of text, in window units: what the system asks for
    char dropped[WINDOW_PATH_MAX]; ///< path of a file dropped on it; the caller empties it
    int windowed[4];               ///< x, y, width, height before full screen
    GlContext context;
} Window;

typedef struct WindowDef {
    int width, height;
    bool visible;
    bool gl_debug; ///< a debug context, whose errors Window.context counts
    bool gl_es;    ///< OpenGL ES 3.0, as in a browser, where there is nothing else
} WindowDef;

/// Opens a window with OpenGL 3.3 core or OpenGL ES 3.0. `window` must not move until window_close.
bool window_open(Window *window, const WindowDef *def, Message *problem);
void window_close(Window *window);

/// Replaces a window whose OpenGL context is lost by a new one. All objects of the old context must
/// have been freed before. Waits up to some seconds while the driver is reset.
/// @return false with the window closed
bool window_renew(Window *window, const WindowDef *def, Message *problem);

/// Catches or releases the mouse. While it is free, its buttons and wheel do not act in the world.
void window_catch_mouse(Window *window, bool caught);

/// Handles events. Without the focus nothing is pressed and the mouse is free. Waits to save power:
/// if minimised, until an event, at most 0.1 s; without the focus, for the rest of 1/20 s since the
/// last call; always for the rest of a frame under the limit.
/// @param frame_limit  most calls a second; 0: no limit
WindowEvents window_poll(Window *window, int frame_limit);

bool window_is_full_screen(const Window *window);

/// Switches to full screen on the screen that shows most of the window, or back. @return false if
/// there is no screen
bool window_set_full_screen(Window *window, bool full);

/// Returns how large text is compared with a window of 1280 x 720 on a usual screen, in window
/// units: a whole multiple in larger windows, where the font is sharpest, and at least what the
/// system asks for.
float window_text_scale(const Window *window);

/// Returns the label of a key in the keyboard's layout, or the name of a button. Needs GLFW.
InputLabel window_key_label(InputCode code);

#endif

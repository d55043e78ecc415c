/// The window and what is pressed in it.
#ifndef TERRANE_VIEWER_WINDOW_H
#define TERRANE_VIEWER_WINDOW_H

#include <glad/gl.h>

#include <GLFW/glfw3.h>

#include "message.h"

/// What happened since the last frame.
typedef struct WindowInput {
    float look_x, look_y; ///< mouse movement in pixels, right and down, while the mouse is caught
    float wheel;          ///< clicks upwards
    bool click;           ///< of the left button
    bool toggle_panel, toggle_help, toggle_walk, screenshot;
} WindowInput;

typedef struct Window {
    GLFWwindow *handle;
    WindowInput input;
    double cursor_x, cursor_y;
    bool cursor_known; ///< the last cursor position is one to measure from
    bool caught;       ///< the mouse turns the camera
    int windowed[4];   ///< x, y, width, height to come back to from full screen
} Window;

typedef struct WindowDef {
    int width, height;
    bool visible;
} WindowDef;

/// Opens a window with OpenGL 3.3 core. `window` must stay where it is until window_close.
bool window_open(Window *window, const WindowDef *def, Message *problem);
void window_close(Window *window);

/// Catches the mouse, or lets it go.
void window_catch_mouse(Window *window, bool caught);

/// Handles what happened; waits where there is nothing to draw on (minimised).
WindowInput window_poll(Window *window);

/// -1, 0 or 1: whether one of two keys is held.
float window_axis(const Window *window, int negative_key, int positive_key);

#endif

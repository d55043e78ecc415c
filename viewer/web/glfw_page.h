/// What the page's script calls of its GLFW: fingers on a touch screen, and a mouse that cannot be
/// caught.
#ifndef TERRANE_VIEWER_WEB_GLFW_PAGE_H
#define TERRANE_VIEWER_WEB_GLFW_PAGE_H

#include <emscripten.h>

/// Buttons of page_touch_button beyond GLFW's GLFW_GAMEPAD_BUTTON_*.
#define PAGE_TOUCH_LEFT_TRIGGER 15
#define PAGE_TOUCH_RIGHT_TRIGGER 16

/// Tells whether fingers are in use, rather than keys and mouse. After the first there is a
/// gamepad, of thumbs.
EMSCRIPTEN_KEEPALIVE void page_touches(int are_used);
/// Pushes the left thumb. @param right,back  -1..1
EMSCRIPTEN_KEEPALIVE void page_touch_move(float right, float back);
/// Moves the right thumb, which turns the view. @param right,down  in units of the page
EMSCRIPTEN_KEEPALIVE void page_touch_look(float right, float down);
/// Presses or releases a button of the page. @param button  GLFW_GAMEPAD_BUTTON_* or PAGE_TOUCH_*
EMSCRIPTEN_KEEPALIVE void page_touch_button(int button, int is_down);
/// Presses and releases a key, for a button of the page. @param key  GLFW_KEY_*
EMSCRIPTEN_KEEPALIVE void page_press(int key);
/// The browser does not give the mouse, such as in a frame without the right to.
EMSCRIPTEN_KEEPALIVE void page_lock_denied(void);

#endif

/// Functions of this GLFW for the page's script: touch input, and a denied pointer lock.
#pragma once

#include <stdbool.h>

#include <emscripten.h>

/// Buttons of page_touch_button beyond GLFW's GLFW_GAMEPAD_BUTTON_*.
#define PAGE_TOUCH_LEFT_TRIGGER 15
#define PAGE_TOUCH_RIGHT_TRIGGER 16

/// Sets whether the player uses touch instead of keys and mouse. After the first touch there is a
/// gamepad made of thumbs.
EMSCRIPTEN_KEEPALIVE void page_touches(int are_used);
/// Pushes the left thumb. @param right,back  -1..1
EMSCRIPTEN_KEEPALIVE void page_touch_move(float right, float back);
/// Moves the right thumb, which turns the view. @param right,down  in CSS pixels
EMSCRIPTEN_KEEPALIVE void page_touch_look(float right, float down);
/// Presses or releases a button of the page. @param button  GLFW_GAMEPAD_BUTTON_* or PAGE_TOUCH_*
EMSCRIPTEN_KEEPALIVE void page_touch_button(int button, int is_down);
/// Presses and releases a key, for a button of the page. @param key  GLFW_KEY_*
EMSCRIPTEN_KEEPALIVE void page_press(int key);
/// The browser denies the pointer lock, for example in an iframe without permission.
EMSCRIPTEN_KEEPALIVE void page_lock_denied(void);

/// Returns the GLFW_KEY_* of a key position, or -1 if unknown.
/// @param code  KeyboardEvent.code, such as "KeyW"
int page_key_of_code(const char *code);

/// Whether the player uses touch instead of keys and mouse (page_touches).
bool page_pads_are_touched(void);

/// Reads the gamepad that GLFW reports into an InputState.
#ifndef TERRANE_VIEWER_GAMEPAD_H
#define TERRANE_VIEWER_GAMEPAD_H

#include "message.h"
#include "window/input.h"

typedef struct Gamepad {
    int joystick;  ///< joystick number plus 1; 0: none
    char name[64]; ///< empty: none
    unsigned told; ///< bit for each joystick already reported as unusable
} Gamepad;

/// Call it once a frame, after the window's events: reads the first gamepad. When it is unplugged,
/// its buttons are released, and the next gamepad is used.
/// @param news  receives a message when a gamepad was plugged in or unplugged, or a joystick cannot
/// be used
/// @return whether there is a message
bool gamepad_poll(Gamepad *gamepad, InputState *state, float dead_zone, Message *news);

/// Reads the state of one gamepad into the input. @param now  NULL: unplugged
void gamepad_feed(InputState *state, const GLFWgamepadstate *now, float dead_zone);

#endif

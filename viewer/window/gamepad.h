/// The gamepad that GLFW knows, as presses of an InputState.
#ifndef TERRANE_VIEWER_GAMEPAD_H
#define TERRANE_VIEWER_GAMEPAD_H

#include "message.h"
#include "window/input.h"

typedef struct Gamepad {
    int joystick;  ///< plus 1; 0: there is none
    char name[64]; ///< empty: there is none
    unsigned told; ///< joysticks, a bit each, that have been told to be no gamepads
} Gamepad;

/// Once a frame, after the window's events: takes the first gamepad there is, and what is pressed
/// on it. When it is unplugged, all of it is let go, and the next one is taken.
/// @param news  receives a sentence when one has come or gone, or a joystick cannot be used
/// @return whether there is news
bool gamepad_poll(Gamepad *gamepad, InputState *state, float dead_zone, Message *news);

/// What gamepad_poll does with what GLFW says of the one gamepad. @param now  NULL: it is not there
/// any more
void gamepad_feed(InputState *state, const GLFWgamepadstate *now, float dead_zone);

#endif

#include "window/gamepad.h"

#include <stdio.h>

static void feed_stick(InputState *state, const GLFWgamepadstate *now, int axis, float dead_zone)
{
    float stick[2] = {now->axes[axis], now->axes[axis + 1]};
    input_dead_zone(dead_zone, stick);
    input_push_axis(state, axis, stick[0]);
    input_push_axis(state, axis + 1, stick[1]);
}

/// GLFW's triggers go from -1 to 1.
static void feed_trigger(InputState *state, const GLFWgamepadstate *now, int axis, float dead_zone)
{
    float pulled[2] = {(now->axes[axis] + 1) / 2, 0};
    input_dead_zone(dead_zone, pulled);
    input_push_axis(state, axis, pulled[0] > 0 ? pulled[0] : 0);
}

void gamepad_feed(InputState *state, const GLFWgamepadstate *now, float dead_zone)
{
    if (!now) {
        input_release_pad(state);
        return;
    }
    for (int button = 0; button <= GLFW_GAMEPAD_BUTTON_LAST; button++) {
        const InputCode code = (InputCode)(INPUT_PAD + button);
        if (now->buttons[button] == GLFW_PRESS) {
            input_press(state, code, 1);
        } else {
            input_release(state, code);
        }
    }
    feed_stick(state, now, GLFW_GAMEPAD_AXIS_LEFT_X, dead_zone);
    feed_stick(state, now, GLFW_GAMEPAD_AXIS_RIGHT_X, dead_zone);
    feed_trigger(state, now, GLFW_GAMEPAD_AXIS_LEFT_TRIGGER, dead_zone);
    feed_trigger(state, now, GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER, dead_zone);
}

/// Looks for another gamepad. @return whether there is a message
static bool find_gamepad(Gamepad *gamepad, Message *news)
{
    bool is_new = false;
    for (int joystick = GLFW_JOYSTICK_1; joystick <= GLFW_JOYSTICK_LAST; joystick++) {
        const unsigned bit = 1u << joystick;
        if (glfwJoystickIsGamepad(joystick)) {
            gamepad->joystick = joystick + 1;
            const char *name = glfwGetGamepadName(joystick);
            (void)snprintf(gamepad->name, sizeof gamepad->name, "%s", name ? name : "Gamepad");
            (void)message_set(news, "Gamepad: %s", gamepad->name);
            return true;
        }
        if (!glfwJoystickPresent(joystick)) {
            gamepad->told &= ~bit;
        } else if (!(gamepad->told & bit)) {
            gamepad->told |= bit;
            const char *name = glfwGetJoystickName(joystick);
            is_new = true;
            (void)message_set(news,
                              "'%s' is no gamepad that GLFW knows; SDL_GAMECONTROLLERCONFIG may "
                              "describe it.",
                              name ? name : "A joystick");
        }
    }
    return is_new;
}

bool gamepad_poll(Gamepad *gamepad, InputState *state, float dead_zone, Message *news)
{
    GLFWgamepadstate now;
    if (!gamepad->joystick) {
        return find_gamepad(gamepad, news);
    }
    if (glfwGetGamepadState(gamepad->joystick - 1, &now)) {
        gamepad_feed(state, &now, dead_zone);
        return false;
    }
    gamepad_feed(state, NULL, dead_zone);
    (void)message_set(news, "The gamepad was unplugged: %s", gamepad->name);
    *gamepad = (Gamepad){.told = gamepad->told};
    return true;
}

// The page's gamepad: the browser's first gamepad, and the thumbs on a touch screen.
#include "web/glfw_page.h"

#include <math.h>
#include <string.h>

#include <GLFW/glfw3.h>
#include <emscripten/html5.h>

// Global, because GLFW's interface has no handle for this state.
static struct {
    float stick[2];
    unsigned buttons; // held now
    unsigned taps;    // pressed since the last poll: a tap may be shorter than a frame
    bool is_touched;  // the last input was a touch
    bool has_thumbs;  // the page has had a touch
} pads;

void page_touches(int are_used)
{
    pads.is_touched = are_used != 0;
    pads.has_thumbs = pads.has_thumbs || pads.is_touched;
}

bool page_pads_are_touched(void)
{
    return pads.is_touched;
}

void page_touch_move(float right, float back)
{
    pads.stick[0] = right;
    pads.stick[1] = back;
}

void page_touch_button(int button, int is_down)
{
    if (button >= 0 && button <= PAGE_TOUCH_RIGHT_TRIGGER) {
        const unsigned bit = 1u << button;
        pads.buttons = is_down ? pads.buttons | bit : pads.buttons & ~bit;
        pads.taps |= is_down ? bit : 0;
    }
}

/// Finds the first gamepad with the standard mapping. @return whether there is one
static bool glfw_find_pad(EmscriptenGamepadEvent *pad)
{
    const int count = emscripten_sample_gamepad_data() == EMSCRIPTEN_RESULT_SUCCESS
                          ? emscripten_get_num_gamepads()
                          : 0;
    for (int i = 0; i < count; i++) {
        if (emscripten_get_gamepad_status(i, pad) == EMSCRIPTEN_RESULT_SUCCESS && pad->connected &&
            strcmp(pad->mapping, "standard") == 0) {
            return true;
        }
    }
    return false;
}

/// Numbers as in https://www.w3.org/TR/gamepad/#remapping.
static void glfw_read_pad(const EmscriptenGamepadEvent *pad, GLFWgamepadstate *state)
{
    enum { LEFT_TRIGGER = 6, RIGHT_TRIGGER = 7 };
    static const unsigned char places[] = {0,  1,  2,  3,  4,  5,  8, 9,
                                           16, 10, 11, 12, 15, 13, 14}; // by GLFW's buttons
    for (int i = 0; i <= GLFW_GAMEPAD_BUTTON_LAST; i++) {
        state->buttons[i] = places[i] < pad->numButtons && pad->digitalButton[places[i]];
    }
    for (int i = 0; i < 4 && i < pad->numAxes; i++) {
        state->axes[i] = (float)pad->axis[i];
    }
    state->axes[GLFW_GAMEPAD_AXIS_LEFT_TRIGGER] = (float)(pad->analogButton[LEFT_TRIGGER] * 2 - 1);
    state->axes[GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER] =
        (float)(pad->analogButton[RIGHT_TRIGGER] * 2 - 1);
}

/// Adds the touch thumbs to the gamepad's state.
static void glfw_add_touch(GLFWgamepadstate *state)
{
    const unsigned buttons = pads.buttons | pads.taps;
    pads.taps = 0;
    for (int i = 0; i <= GLFW_GAMEPAD_BUTTON_LAST; i++) {
        state->buttons[i] |= buttons >> i & 1;
    }
    for (int i = 0; i < 2; i++) {
        state->axes[i] =
            fabsf(pads.stick[i]) > fabsf(state->axes[i]) ? pads.stick[i] : state->axes[i];
    }
    for (int i = 0; i < 2; i++) {
        if (buttons >> (PAGE_TOUCH_LEFT_TRIGGER + i) & 1) {
            state->axes[GLFW_GAMEPAD_AXIS_LEFT_TRIGGER + i] = 1;
        }
    }
}

int glfwJoystickIsGamepad(int joystick)
{
    EmscriptenGamepadEvent pad;
    return joystick == GLFW_JOYSTICK_1 && (pads.has_thumbs || glfw_find_pad(&pad));
}

int glfwJoystickPresent(int joystick)
{
    return glfwJoystickIsGamepad(joystick);
}

int glfwGetGamepadState(int joystick, GLFWgamepadstate *state)
{
    EmscriptenGamepadEvent pad;
    const bool has_pad = joystick == GLFW_JOYSTICK_1 && glfw_find_pad(&pad);
    *state = (GLFWgamepadstate){
        .axes = {[GLFW_GAMEPAD_AXIS_LEFT_TRIGGER] = -1, [GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER] = -1}};
    if (joystick != GLFW_JOYSTICK_1 || (!has_pad && !pads.has_thumbs)) {
        return GLFW_FALSE;
    }
    if (has_pad) {
        glfw_read_pad(&pad, state);
    }
    glfw_add_touch(state);
    return GLFW_TRUE;
}

const char *glfwGetGamepadName(int joystick)
{
    return glfwGetJoystickName(joystick);
}

const char *glfwGetJoystickName(int joystick)
{
    static EmscriptenGamepadEvent pad;
    return joystick != GLFW_JOYSTICK_1 ? NULL
           : glfw_find_pad(&pad)       ? pad.id
                                       : "two thumbs on the screen";
}

const float *glfwGetJoystickAxes(int joystick, int *count)
{
    (void)joystick;
    *count = 0; // so Dear ImGui does not navigate by gamepad
    return NULL;
}

const unsigned char *glfwGetJoystickButtons(int joystick, int *count)
{
    (void)joystick;
    *count = 0;
    return NULL;
}

int glfwUpdateGamepadMappings(const char *text)
{
    (void)text;
    return GLFW_FALSE; // the browser maps gamepads
}

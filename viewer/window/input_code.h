/// What can be pressed: keys, mouse buttons, the wheel, buttons and axes of a gamepad, in one range
/// of numbers, each with a name.
#ifndef TERRANE_VIEWER_INPUT_CODE_H
#define TERRANE_VIEWER_INPUT_CODE_H

#include <stdint.h>

#ifndef GLFW_INCLUDE_NONE
#define GLFW_INCLUDE_NONE // for the numbers of keys alone
#endif
#include <GLFW/glfw3.h>

typedef uint16_t InputCode;

/// 1 to GLFW_KEY_LAST are keys by GLFW's numbers: by their place on a US keyboard, whatever is
/// printed on them.
enum {
    INPUT_NONE = 0,
    INPUT_MOUSE = GLFW_KEY_LAST + 1, ///< plus GLFW_MOUSE_BUTTON_…
    INPUT_WHEEL_UP = INPUT_MOUSE + GLFW_MOUSE_BUTTON_LAST + 1,
    INPUT_WHEEL_DOWN,
    INPUT_PAD, ///< plus GLFW_GAMEPAD_BUTTON_…
    /// plus 2 GLFW_GAMEPAD_AXIS_…, and 1 for its positive half
    INPUT_PAD_AXIS = INPUT_PAD + GLFW_GAMEPAD_BUTTON_LAST + 1,
    INPUT_CODE_COUNT = INPUT_PAD_AXIS + 2 * (GLFW_GAMEPAD_AXIS_LAST + 1)
};

/// Half an axis of a gamepad. @param axis  GLFW_GAMEPAD_AXIS_…
#define INPUT_AXIS_LOW(axis) (INPUT_PAD_AXIS + 2 * (axis))
#define INPUT_AXIS_HIGH(axis) (INPUT_PAD_AXIS + 2 * (axis) + 1)

typedef struct InputLabel {
    char text[32];
} InputLabel;

/// Returns the name in the settings file, such as "left_shift"; NULL for unknown codes.
const char *input_code_name(InputCode code);

/// @return INPUT_NONE if no code has this name
InputCode input_code_named(const char *name);

/// Returns the name most similar to a word, for "did you mean".
const char *input_code_nearest(const char *word);

/// Returns a label for people, such as "Left Shift". @param printed  what is printed on the key in
/// the user's keyboard layout (glfwGetKeyName), or NULL
InputLabel input_code_label(InputCode code, const char *printed);

#endif

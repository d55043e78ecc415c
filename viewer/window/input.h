/// All inputs that can be pressed: keys, mouse buttons, the wheel, buttons and axes of a gamepad,
/// in one range of codes, each with a name.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef GLFW_INCLUDE_NONE
#define GLFW_INCLUDE_NONE // this header only needs GLFW's key codes
#endif
#include <GLFW/glfw3.h>

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint16_t InputCode;

/// 1 to GLFW_KEY_LAST are GLFW's key codes: positions on a US keyboard, independent of the labels.
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

/// Returns a label for people, such as "Left Shift". @param printed  the key's label in the user's
/// keyboard layout (glfwGetKeyName), or NULL
InputLabel input_code_label(InputCode code, const char *printed);

// ---- input --------------------------------------------------------------------------------------

// Named input actions, their bindings, and the input of a frame from keys, mouse and gamepad. Knows
// no window: window.c and gamepad_poll report the events.

// ---- actions ------------------------------------------------------------------------------------

typedef enum InputAction {
    // movement, analog
    INPUT_FORWARD,
    INPUT_BACK,
    INPUT_LEFT,
    INPUT_RIGHT,
    INPUT_UP,   ///< also jumps
    INPUT_DOWN, ///< also sneaks
    INPUT_SPRINT,
    INPUT_FLY, ///< toggles flying
    INPUT_NO_CLIP,
    INPUT_FASTER, ///< in flight
    INPUT_SLOWER,
    INPUT_LOOK_LEFT,
    INPUT_LOOK_RIGHT,
    INPUT_LOOK_UP,
    INPUT_LOOK_DOWN,
    INPUT_MAP, ///< opens and closes the map
    // program
    INPUT_HELP,
    INPUT_PANEL,
    INPUT_PAUSE,
    INPUT_FULL_SCREEN,
    INPUT_SCREENSHOT,
    INPUT_RECORD, ///< records a flight
    INPUT_SHARE,  ///< copies a link to the place
    INPUT_QUIT,
    // hands
    INPUT_DIG,
    INPUT_BUILD,
    INPUT_REPLACE,
    INPUT_PICK,
    INPUT_INVENTORY, ///< opens and closes the inventory
    INPUT_UNDO,
    INPUT_REDO,
    INPUT_TOOL_NEXT,
    INPUT_BRUSH_MORE,
    INPUT_BRUSH_LESS,
    INPUT_PALETTE_NEXT,
    INPUT_PALETTE_PREVIOUS,
    INPUT_PALETTE_1, ///< the nine are consecutive
    INPUT_PALETTE_2,
    INPUT_PALETTE_3,
    INPUT_PALETTE_4,
    INPUT_PALETTE_5,
    INPUT_PALETTE_6,
    INPUT_PALETTE_7,
    INPUT_PALETTE_8,
    INPUT_PALETTE_9,
    // picture
    INPUT_LAMP, ///< lights and puts out the lamp
    INPUT_TIME,
    INPUT_QUALITY,
    INPUT_OCCLUSION,
    INPUT_DEBUG_VIEW,
    INPUT_INDEX_VIEW,
    INPUT_INDEX_PLANE,
    INPUT_BOB,
    INPUT_PHOTO, ///< photo mode
    INPUT_ACTION_COUNT
} InputAction;

typedef enum InputGroup {
    INPUT_GROUP_MOVE,
    INPUT_GROUP_PROGRAM, ///< these work also during a pause
    INPUT_GROUP_HANDS,
    INPUT_GROUP_VIEW,
    INPUT_GROUP_COUNT
} InputGroup;

#define INPUT_CODES_MAX 4 ///< bindings of one action

typedef struct InputActionInfo {
    const char *name; ///< in the settings file
    /// for the help; NULL: shares the row of the action above
    const char *words;
    InputGroup group;
    InputCode codes[INPUT_CODES_MAX]; ///< default bindings; INPUT_NONE after the last
} InputActionInfo;

const InputActionInfo *input_action_info(InputAction action);
const char *input_group_title(InputGroup group);

/// @return INPUT_ACTION_COUNT if no action has this name
InputAction input_action_named(const char *name);

/// Returns the action's name that is most similar to a word.
const char *input_action_nearest(const char *word);

// ---- bindings -----------------------------------------------------------------------------------

/// The bindings of each action; INPUT_NONE after the last. Each code is bound at most once.
typedef struct InputBindings {
    InputCode codes[INPUT_ACTION_COUNT][INPUT_CODES_MAX];
} InputBindings;

InputBindings input_bindings_default(void);

/// @return INPUT_ACTION_COUNT if the code is not bound
InputAction input_action_bound(const InputBindings *bindings, InputCode code);

/// Adds a binding. @return false if the code is already bound to any action, or the action has
/// INPUT_CODES_MAX bindings
bool input_bind(InputBindings *bindings, InputAction action, InputCode code);

/// Removes a binding. @return whether there was one
bool input_unbind(InputBindings *bindings, InputCode code);

/// Binds a code instead of the action's keys of the same device: the gamepad, or keyboard and
/// mouse. Takes the code from the action that has it.
/// @param loser  receives that action, or INPUT_ACTION_COUNT
/// @return false if the pause would have no key; nothing changes then
bool input_rebind(InputBindings *bindings, InputAction action, InputCode code, InputAction *loser);

/// Gives an action its default keys, taken from other actions.
void input_reset(InputBindings *bindings, InputAction action);

/// One row of the help.
typedef struct InputHelp {
    InputGroup group;
    char keys[128]; ///< such as "W, Pad Left Stick Up"; empty if nothing is bound
    const char *words;
} InputHelp;

/// Returns the label of a key: window_key_label, or NULL for US keyboard names.
typedef InputLabel (*InputLabeller)(InputCode code);

/// Returns the rows of the help, group by group. @param rows  [INPUT_ACTION_COUNT] receives the
/// rows
/// @return the number of rows
size_t input_help(const InputBindings *bindings, InputLabeller label,
                  InputHelp rows[INPUT_ACTION_COUNT]);

// ---- a frame ------------------------------------------------------------------------------------

/// The input of one frame.
typedef struct Input {
    float right, forward, up;  ///< -1..1; whole numbers from keys, fractions from sticks
    float look_right, look_up; ///< degrees to turn
    /// 0..1: the greatest strength in the frame
    float strength[INPUT_ACTION_COUNT];
    uint8_t presses[INPUT_ACTION_COUNT]; ///< number of presses since the last frame
} Input;

/// Whether an action was pressed at any time in the frame; a stick or trigger must be at least half
/// way. A tap shorter than a frame counts.
bool input_held(const Input *input, InputAction action);
/// Whether an action was newly pressed.
bool input_pressed(const Input *input, InputAction action);

/// Whether there was no input at all.
bool input_is_idle(const Input *input);

/// Whether any input was for moving, looking or the hand, not just for the program or picture.
bool input_is_for_player(const Input *input);

/// Keeps only the program's own actions, during a pause.
Input input_of_program(const Input *input);

#define INPUT_DEAD_ZONE                                                                            \
    0.15 ///< of a gamepad's sticks, unless the player chooses (gamepad_dead_zone)

/// How movements of mouse and sticks turn the view.
typedef struct InputFeel {
    float degrees_per_pixel; ///< of the mouse
    float stick_degrees;     ///< per second, for a fully deflected stick or a key
    float dead_zone;         ///< 0..0.9: deflection of a stick that still counts as rest
    bool invert;             ///< moving mouse or stick forward looks down
} InputFeel;

InputFeel input_feel_default(void);

/// The pressed inputs. All zeroes: none.
typedef struct InputState {
    float strength[INPUT_CODE_COUNT]; ///< 0: released
    float peak[INPUT_CODE_COUNT];     ///< greatest strength since the last frame
    uint8_t presses[INPUT_CODE_COUNT];
    bool pressed[INPUT_CODE_COUNT]; ///< strong enough to count as a button
    float mouse_x, mouse_y;         ///< movement since the last frame, pixels right and down
    float wheel;                    ///< remaining fraction of a notch
} InputState;

/// Presses a code, or changes its strength. @param strength  above 0 to 1; NaN is 0
/// Unknown codes are ignored.
void input_press(InputState *state, InputCode code, float strength);
void input_release(InputState *state, InputCode code);
/// @param clicks  notches up; fractions accumulate (touchpads)
void input_turn_wheel(InputState *state, float clicks);
void input_move_mouse(InputState *state, float right, float down);

/// Sets the two halves of an axis, from -1..1; the caller applies the dead zone.
void input_push_axis(InputState *state, int axis, float value);

/// Returns a button or stick of the gamepad that was pressed since the last frame, or INPUT_NONE.
InputCode input_pressed_pad(const InputState *state);

/// Releases everything and forgets presses since the last frame. For when the window loses focus.
void input_release_all(InputState *state);

/// Ends a frame, or a part of it, and returns its input. @param seconds  duration of the frame; 0
/// for a part: input_turn does the rest
Input input_take(InputState *state, const InputBindings *bindings, const InputFeel *feel,
                 double seconds);

/// Adds the input of a later part of the same frame.
void input_add(Input *input, const Input *part);

/// Turns the view by keys and sticks, after the last part of a frame.
void input_turn(Input *input, const InputFeel *feel, double seconds);

// ---- gamepad ------------------------------------------------------------------------------------

// Reads the gamepad that GLFW reports into an InputState.

typedef struct Gamepad {
    int joystick;  ///< joystick number plus 1; 0: none
    char name[64]; ///< empty: none
    unsigned told; ///< bit for each joystick already reported as unusable
} Gamepad;

/// Call it once a frame, after the window's events: reads the first gamepad. If it is unplugged,
/// its buttons are released, and the next gamepad is used.
/// @param news  receives a message if a gamepad was plugged in or unplugged, or a joystick is
///              unusable
/// @return whether `news` has a message
bool gamepad_poll(Gamepad *gamepad, InputState *state, float dead_zone, Message *news);

/// Reads the state of one gamepad into the input. @param now  NULL: unplugged
void gamepad_feed(InputState *state, const GLFWgamepadstate *now, float dead_zone);

/// Removes a stick's circular dead zone, so that slow diagonals do not snap to an axis. The value
/// goes from 0 at the dead zone's edge to 1 at full deflection.
/// @param dead_zone  0..0.9
/// @param stick      right and down, -1..1
void gamepad_dead_zone(float dead_zone, float stick[2]);

#ifdef __cplusplus
}
#endif

/// Input actions with names, their bindings, and what keys, mouse and gamepad do in a frame. Knows
/// no window: window.c and gamepad.c report the events.
#ifndef TERRANE_VIEWER_INPUT_H
#define TERRANE_VIEWER_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "window/input_code.h"

// ---- actions ------------------------------------------------------------------------------------

typedef enum InputAction {
    // movement, as far as pressed
    INPUT_FORWARD,
    INPUT_BACK,
    INPUT_LEFT,
    INPUT_RIGHT,
    INPUT_UP,   ///< also jumps
    INPUT_DOWN, ///< also sneaks
    INPUT_SPRINT,
    INPUT_FLY, ///< toggles flying
    INPUT_NO_CLIP,
    INPUT_FASTER, ///< flying
    INPUT_SLOWER,
    INPUT_LOOK_LEFT,
    INPUT_LOOK_RIGHT,
    INPUT_LOOK_UP,
    INPUT_LOOK_DOWN,
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
    INPUT_INVENTORY, ///< opens and closes it
    INPUT_UNDO,
    INPUT_REDO,
    INPUT_TOOL_NEXT,
    INPUT_BRUSH_MORE,
    INPUT_BRUSH_LESS,
    INPUT_PALETTE_NEXT,
    INPUT_PALETTE_PREVIOUS,
    INPUT_PALETTE_1, ///< the nine follow one another
    INPUT_PALETTE_2,
    INPUT_PALETTE_3,
    INPUT_PALETTE_4,
    INPUT_PALETTE_5,
    INPUT_PALETTE_6,
    INPUT_PALETTE_7,
    INPUT_PALETTE_8,
    INPUT_PALETTE_9,
    // picture
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
    INPUT_GROUP_PROGRAM, ///< these also work while the viewer is paused
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
    InputCode codes[INPUT_CODES_MAX]; ///< defaults; INPUT_NONE after the last
} InputActionInfo;

const InputActionInfo *input_action_info(InputAction action);
const char *input_group_title(InputGroup group);

/// @return INPUT_ACTION_COUNT if no action has this name
InputAction input_action_named(const char *name);

/// Returns the action's name that is most similar to a word.
const char *input_action_nearest(const char *word);

// ---- bindings -----------------------------------------------------------------------------------

/// The bindings of each action; INPUT_NONE after the last. No code is bound to two actions.
typedef struct InputBindings {
    InputCode codes[INPUT_ACTION_COUNT][INPUT_CODES_MAX];
} InputBindings;

InputBindings input_bindings_default(void);

/// @return INPUT_ACTION_COUNT if the code is not bound
InputAction input_action_bound(const InputBindings *bindings, InputCode code);

/// Adds a binding. @return false if the code is bound already, to any action, or the action has
/// INPUT_CODES_MAX bindings
bool input_bind(InputBindings *bindings, InputAction action, InputCode code);

/// Removes a binding. @return whether there was one
bool input_unbind(InputBindings *bindings, InputCode code);

/// One row of the help.
typedef struct InputHelp {
    InputGroup group;
    char keys[128]; ///< such as "W, Pad Left Stick Up"; empty where nothing is bound
    const char *words;
} InputHelp;

/// Returns the label of a key: window_key_label, or NULL for the names of a US keyboard.
typedef InputLabel (*InputLabeller)(InputCode code);

/// Returns the rows of the help, group by group. @param rows  [INPUT_ACTION_COUNT] @return the
/// number of rows
size_t input_help(const InputBindings *bindings, InputLabeller label,
                  InputHelp rows[INPUT_ACTION_COUNT]);

// ---- a frame ------------------------------------------------------------------------------------

/// The input of one frame.
typedef struct Input {
    float right, forward, up;  ///< -1..1; whole numbers from keys, fractions from sticks
    float look_right, look_up; ///< degrees to turn
    /// 0..1: how far it is pressed, or was pressed at some time in the frame
    float strength[INPUT_ACTION_COUNT];
    uint8_t presses[INPUT_ACTION_COUNT]; ///< number of presses since the last frame
} Input;

/// Whether an action was pressed at any time in the frame, by a stick or trigger at least half way.
/// A tap shorter than a frame counts.
bool input_held(const Input *input, InputAction action);
/// Whether it was newly pressed.
bool input_pressed(const Input *input, InputAction action);

/// Whether there was no input at all.
bool input_is_idle(const Input *input);

/// Whether any input was for moving, looking or the hand, not only for program or picture.
bool input_is_for_player(const Input *input);

/// Keeps only the program's own actions, for a pause.
Input input_of_program(const Input *input);

/// How movements of mouse and sticks turn the view.
typedef struct InputFeel {
    float degrees_per_pixel; ///< of the mouse
    float stick_degrees;     ///< per second, for a stick at its end or a key
    float dead_zone; ///< 0..0.9: how far a stick may be from its middle and still count as at rest
    bool invert;     ///< moving mouse or stick forwards looks down
} InputFeel;

InputFeel input_feel_default(void);

/// What is pressed. All zeroes: nothing.
typedef struct InputState {
    float strength[INPUT_CODE_COUNT]; ///< 0: released
    float peak[INPUT_CODE_COUNT];     ///< the greatest since the last frame
    uint8_t presses[INPUT_CODE_COUNT];
    bool pressed[INPUT_CODE_COUNT]; ///< far enough to count as a button
    float mouse_x, mouse_y;         ///< movement since the last frame, pixels right and down
    float wheel;                    ///< fraction of a click left over
} InputState;

/// Presses a code, or presses it further. @param strength  above 0 to 1; NaN is 0
/// Unknown codes are ignored.
void input_press(InputState *state, InputCode code, float strength);
void input_release(InputState *state, InputCode code);
/// @param clicks  up; fractions add up (touchpads)
void input_turn_wheel(InputState *state, float clicks);
void input_move_mouse(InputState *state, float right, float down);

/// Sets the two halves of an axis, from -1..1; the caller applies the dead zone.
void input_push_axis(InputState *state, int axis, float value);

/// Releases everything and forgets presses since the last frame: for when the window loses the
/// focus.
void input_release_all(InputState *state);
/// Releases the gamepad only.
void input_release_pad(InputState *state);

/// Ends a frame and returns its input. @param seconds  duration of the frame
Input input_take(InputState *state, const InputBindings *bindings, const InputFeel *feel,
                 double seconds);

/// Removes a stick's dead zone, which is a disc, so that slow diagonals do not snap to an axis.
/// From there to the end the value goes from 0 to 1.
/// @param dead_zone  0..0.9
/// @param stick      right and down, -1..1
void input_dead_zone(float dead_zone, float stick[2]);

#endif

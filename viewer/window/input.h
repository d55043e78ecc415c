/// What a person wants: actions with names, what is bound to them, and what becomes of key presses,
/// mouse and gamepad in a frame. Knows no window: window.c and gamepad.c tell it what happened.
#ifndef TERRANE_VIEWER_INPUT_H
#define TERRANE_VIEWER_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "window/input_code.h"

// ---- actions ------------------------------------------------------------------------------------

typedef enum InputAction {
    // ways to move; as far as they are pressed
    INPUT_FORWARD,
    INPUT_BACK,
    INPUT_LEFT,
    INPUT_RIGHT,
    INPUT_UP,   ///< and jump
    INPUT_DOWN, ///< and sneak
    INPUT_SPRINT,
    INPUT_FLY, ///< or walk
    INPUT_NO_CLIP,
    INPUT_FASTER, ///< flying
    INPUT_SLOWER,
    INPUT_LOOK_LEFT,
    INPUT_LOOK_RIGHT,
    INPUT_LOOK_UP,
    INPUT_LOOK_DOWN,
    // the program
    INPUT_HELP,
    INPUT_PANEL,
    INPUT_PAUSE,
    INPUT_FULL_SCREEN,
    INPUT_SCREENSHOT,
    INPUT_RECORD, ///< a flight
    INPUT_QUIT,
    // hands
    INPUT_DIG,
    INPUT_BUILD,
    INPUT_REPLACE,
    INPUT_PICK,
    INPUT_UNDO,
    INPUT_REDO,
    INPUT_TOOL_NEXT,
    INPUT_BRUSH_MORE,
    INPUT_BRUSH_LESS,
    INPUT_PALETTE_NEXT,
    INPUT_PALETTE_PREVIOUS,
    INPUT_BLOCK_NEXT, ///< into the chosen slot of the bar
    INPUT_BLOCK_PREVIOUS,
    INPUT_PALETTE_1, ///< the nine follow one another
    INPUT_PALETTE_2,
    INPUT_PALETTE_3,
    INPUT_PALETTE_4,
    INPUT_PALETTE_5,
    INPUT_PALETTE_6,
    INPUT_PALETTE_7,
    INPUT_PALETTE_8,
    INPUT_PALETTE_9,
    // the picture
    INPUT_TIME,
    INPUT_QUALITY,
    INPUT_OCCLUSION,
    INPUT_DEBUG_VIEW,
    INPUT_INDEX_VIEW,
    INPUT_INDEX_PLANE,
    INPUT_BOB,
    INPUT_ACTION_COUNT
} InputAction;

typedef enum InputGroup {
    INPUT_GROUP_MOVE,
    INPUT_GROUP_PROGRAM, ///< these work while the viewer is paused, too
    INPUT_GROUP_HANDS,
    INPUT_GROUP_VIEW,
    INPUT_GROUP_COUNT
} InputGroup;

#define INPUT_CODES_MAX 4 ///< that may be bound to one action

typedef struct InputActionInfo {
    const char *name; ///< in a settings file
    /// what it does; NULL: the action above and this one share a row of the help
    const char *words;
    InputGroup group;
    InputCode codes[INPUT_CODES_MAX]; ///< at first; INPUT_NONE after the last
} InputActionInfo;

const InputActionInfo *input_action_info(InputAction action);
const char *input_group_title(InputGroup group);

/// @return INPUT_ACTION_COUNT when nothing is named so
InputAction input_action_named(const char *name);

/// The action's name that looks most like a word.
const char *input_action_nearest(const char *word);

// ---- bindings -----------------------------------------------------------------------------------

/// What is bound to each action; INPUT_NONE after the last. Nothing is bound to two actions.
typedef struct InputBindings {
    InputCode codes[INPUT_ACTION_COUNT][INPUT_CODES_MAX];
} InputBindings;

InputBindings input_bindings_default(void);

/// @return INPUT_ACTION_COUNT when nothing is bound to it
InputAction input_action_bound(const InputBindings *bindings, InputCode code);

/// Binds one thing more to an action.
/// @return false when it is bound already, to whatever, or INPUT_CODES_MAX things are bound to the
/// action
bool input_bind(InputBindings *bindings, InputAction action, InputCode code);

/// Takes a binding away. @return whether there was one
bool input_unbind(InputBindings *bindings, InputCode code);

/// One row of the help.
typedef struct InputHelp {
    InputGroup group;
    char keys[128]; ///< such as "W, Pad Left Stick Up"; empty where nothing is bound
    const char *words;
} InputHelp;

/// How a key is called; window_key_label, or NULL for the names of a US keyboard.
typedef InputLabel (*InputLabeller)(InputCode code);

/// The rows of the help, group after group. @param rows  [INPUT_ACTION_COUNT] @return how many
/// there are
size_t input_help(const InputBindings *bindings, InputLabeller label,
                  InputHelp rows[INPUT_ACTION_COUNT]);

// ---- a frame ------------------------------------------------------------------------------------

/// What a person wants in one frame.
typedef struct Input {
    float right, forward, up;  ///< -1..1; keys give whole numbers, sticks what lies between
    float look_right, look_up; ///< degrees to turn by
    /// 0..1: how far it is pressed, or was at some time in the frame
    float strength[INPUT_ACTION_COUNT];
    uint8_t presses[INPUT_ACTION_COUNT]; ///< how often since the last frame
} Input;

/// Whether an action was asked for at any time in the frame, by a stick or a trigger half way at
/// least: a tap that is shorter than a frame counts.
bool input_held(const Input *input, InputAction action);
/// Whether it was asked for anew.
bool input_pressed(const Input *input, InputAction action);

/// Whether anything at all was asked for.
bool input_is_idle(const Input *input);

/// Whether anything was asked for of legs, eyes or hands: neither of the program nor of the
/// picture.
bool input_is_for_player(const Input *input);

/// Leaves of an input what the program itself listens to: for a pause.
Input input_of_program(const Input *input);

/// How movements become turns.
typedef struct InputFeel {
    float degrees_per_pixel; ///< of the mouse
    float stick_degrees;     ///< a second, of a stick pushed to its end or a key
    float dead_zone;         ///< 0..0.9: how far a stick may be from its middle and still rest
    bool invert;             ///< mouse and stick forwards look down
} InputFeel;

InputFeel input_feel_default(void);

/// What is pressed now. All zeroes: nothing.
typedef struct InputState {
    float strength[INPUT_CODE_COUNT]; ///< 0: up
    float peak[INPUT_CODE_COUNT];     ///< the greatest since the last frame
    uint8_t presses[INPUT_CODE_COUNT];
    bool pressed[INPUT_CODE_COUNT]; ///< far enough to be a button
    float mouse_x, mouse_y;         ///< moved since the last frame, pixels right and down
    float wheel;                    ///< the part of a click that is left over
} InputState;

/// Something is pressed, or pressed farther. @param strength  above 0 to 1; what is no number is 0.
/// A code that nothing has: ignored
void input_press(InputState *state, InputCode code, float strength);
void input_release(InputState *state, InputCode code);
/// @param clicks  up; parts of a click add up (touchpads)
void input_turn_wheel(InputState *state, float clicks);
void input_move_mouse(InputState *state, float right, float down);

/// Two halves of an axis, from -1..1; the dead zone is the caller's.
void input_push_axis(InputState *state, int axis, float value);

/// Lets everything go, and forgets what was pressed since the last frame: when the window loses the
/// focus.
void input_release_all(InputState *state);
/// The same for the gamepad alone.
void input_release_pad(InputState *state);

/// Ends a frame: what was asked for in it. @param seconds  that it took
Input input_take(InputState *state, const InputBindings *bindings, const InputFeel *feel,
                 double seconds);

/// Takes a stick's dead zone out of its place, as a disc, so that slow diagonals do not stick to an
/// axis; from there to the end it goes from 0 to 1. @param dead_zone  0..0.9 @param stick  right
/// and down, -1..1
void input_dead_zone(float dead_zone, float stick[2]);

#endif

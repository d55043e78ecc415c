#include "window/input.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "nearest.h"

#define KEY(name, text) [GLFW_KEY_##name] = text
#define BUTTON(name, text) [INPUT_PAD + GLFW_GAMEPAD_BUTTON_##name] = text
#define AXIS(name, low, high)                                                                      \
    [INPUT_AXIS_LOW(GLFW_GAMEPAD_AXIS_##name)] = (low),                                            \
    [INPUT_AXIS_HIGH(GLFW_GAMEPAD_AXIS_##name)] = (high)

// clang-format off
static const char *const NAMES[INPUT_CODE_COUNT] = {
    KEY(A, "a"), KEY(B, "b"), KEY(C, "c"), KEY(D, "d"), KEY(E, "e"), KEY(F, "f"), KEY(G, "g"),
    KEY(H, "h"), KEY(I, "i"), KEY(J, "j"), KEY(K, "k"), KEY(L, "l"), KEY(M, "m"), KEY(N, "n"),
    KEY(O, "o"), KEY(P, "p"), KEY(Q, "q"), KEY(R, "r"), KEY(S, "s"), KEY(T, "t"), KEY(U, "u"),
    KEY(V, "v"), KEY(W, "w"), KEY(X, "x"), KEY(Y, "y"), KEY(Z, "z"),
    KEY(0, "0"), KEY(1, "1"), KEY(2, "2"), KEY(3, "3"), KEY(4, "4"),
    KEY(5, "5"), KEY(6, "6"), KEY(7, "7"), KEY(8, "8"), KEY(9, "9"),
    KEY(SPACE, "space"), KEY(APOSTROPHE, "apostrophe"), KEY(COMMA, "comma"), KEY(MINUS, "minus"),
    KEY(PERIOD, "period"), KEY(SLASH, "slash"), KEY(SEMICOLON, "semicolon"), KEY(EQUAL, "equal"),
    KEY(LEFT_BRACKET, "left_bracket"), KEY(BACKSLASH, "backslash"),
    KEY(RIGHT_BRACKET, "right_bracket"), KEY(GRAVE_ACCENT, "grave_accent"),
    KEY(WORLD_1, "world_1"), KEY(WORLD_2, "world_2"),
    KEY(ESCAPE, "escape"), KEY(ENTER, "enter"), KEY(TAB, "tab"), KEY(BACKSPACE, "backspace"),
    KEY(INSERT, "insert"), KEY(DELETE, "delete"), KEY(RIGHT, "right"), KEY(LEFT, "left"),
    KEY(DOWN, "down"), KEY(UP, "up"), KEY(PAGE_UP, "page_up"), KEY(PAGE_DOWN, "page_down"),
    KEY(HOME, "home"), KEY(END, "end"), KEY(CAPS_LOCK, "caps_lock"),
    KEY(SCROLL_LOCK, "scroll_lock"), KEY(NUM_LOCK, "num_lock"),
    KEY(PRINT_SCREEN, "print_screen"), KEY(PAUSE, "pause"), KEY(MENU, "menu"),
    KEY(F1, "f1"), KEY(F2, "f2"), KEY(F3, "f3"), KEY(F4, "f4"), KEY(F5, "f5"), KEY(F6, "f6"),
    KEY(F7, "f7"), KEY(F8, "f8"), KEY(F9, "f9"), KEY(F10, "f10"), KEY(F11, "f11"),
    KEY(F12, "f12"), KEY(F13, "f13"), KEY(F14, "f14"), KEY(F15, "f15"), KEY(F16, "f16"),
    KEY(F17, "f17"), KEY(F18, "f18"), KEY(F19, "f19"), KEY(F20, "f20"), KEY(F21, "f21"),
    KEY(F22, "f22"), KEY(F23, "f23"), KEY(F24, "f24"), KEY(F25, "f25"),
    KEY(KP_0, "kp_0"), KEY(KP_1, "kp_1"), KEY(KP_2, "kp_2"), KEY(KP_3, "kp_3"),
    KEY(KP_4, "kp_4"), KEY(KP_5, "kp_5"), KEY(KP_6, "kp_6"), KEY(KP_7, "kp_7"),
    KEY(KP_8, "kp_8"), KEY(KP_9, "kp_9"), KEY(KP_DECIMAL, "kp_decimal"),
    KEY(KP_DIVIDE, "kp_divide"), KEY(KP_MULTIPLY, "kp_multiply"),
    KEY(KP_SUBTRACT, "kp_subtract"), KEY(KP_ADD, "kp_add"), KEY(KP_ENTER, "kp_enter"),
    KEY(KP_EQUAL, "kp_equal"),
    KEY(LEFT_SHIFT, "left_shift"), KEY(LEFT_CONTROL, "left_ctrl"), KEY(LEFT_ALT, "left_alt"),
    KEY(LEFT_SUPER, "left_super"), KEY(RIGHT_SHIFT, "right_shift"),
    KEY(RIGHT_CONTROL, "right_ctrl"), KEY(RIGHT_ALT, "right_alt"),
    KEY(RIGHT_SUPER, "right_super"),
    [INPUT_MOUSE + GLFW_MOUSE_BUTTON_LEFT] = "mouse_left",
    [INPUT_MOUSE + GLFW_MOUSE_BUTTON_RIGHT] = "mouse_right",
    [INPUT_MOUSE + GLFW_MOUSE_BUTTON_MIDDLE] = "mouse_middle",
    [INPUT_MOUSE + GLFW_MOUSE_BUTTON_4] = "mouse_4",
    [INPUT_MOUSE + GLFW_MOUSE_BUTTON_5] = "mouse_5",
    [INPUT_MOUSE + GLFW_MOUSE_BUTTON_6] = "mouse_6",
    [INPUT_MOUSE + GLFW_MOUSE_BUTTON_7] = "mouse_7",
    [INPUT_MOUSE + GLFW_MOUSE_BUTTON_8] = "mouse_8",
    [INPUT_WHEEL_UP] = "wheel_up", [INPUT_WHEEL_DOWN] = "wheel_down",
    BUTTON(A, "pad_a"), BUTTON(B, "pad_b"), BUTTON(X, "pad_x"), BUTTON(Y, "pad_y"),
    BUTTON(LEFT_BUMPER, "pad_left_bumper"), BUTTON(RIGHT_BUMPER, "pad_right_bumper"),
    BUTTON(BACK, "pad_back"), BUTTON(START, "pad_start"), BUTTON(GUIDE, "pad_guide"),
    BUTTON(LEFT_THUMB, "pad_left_thumb"), BUTTON(RIGHT_THUMB, "pad_right_thumb"),
    BUTTON(DPAD_UP, "pad_up"), BUTTON(DPAD_RIGHT, "pad_right"), BUTTON(DPAD_DOWN, "pad_down"),
    BUTTON(DPAD_LEFT, "pad_left"),
    AXIS(LEFT_X, "pad_left_stick_left", "pad_left_stick_right"),
    AXIS(LEFT_Y, "pad_left_stick_up", "pad_left_stick_down"),
    AXIS(RIGHT_X, "pad_right_stick_left", "pad_right_stick_right"),
    AXIS(RIGHT_Y, "pad_right_stick_up", "pad_right_stick_down"),
    // A trigger rests at one end of its axis, so only the positive half can be pressed.
    [INPUT_AXIS_HIGH(GLFW_GAMEPAD_AXIS_LEFT_TRIGGER)] = "pad_left_trigger",
    [INPUT_AXIS_HIGH(GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER)] = "pad_right_trigger",
};
// clang-format on

const char *input_code_name(InputCode code)
{
    return code < INPUT_CODE_COUNT ? NAMES[code] : NULL;
}

InputCode input_code_named(const char *name)
{
    for (int code = 1; code < INPUT_CODE_COUNT; code++) {
        if (NAMES[code] && strcmp(NAMES[code], name) == 0) {
            return (InputCode)code;
        }
    }
    return INPUT_NONE;
}

const char *input_code_nearest(const char *word)
{
    Nearest nearest = {.word = word};
    for (int code = 1; code < INPUT_CODE_COUNT; code++) {
        nearest_try(&nearest, NAMES[code]);
    }
    return nearest.name;
}

InputLabel input_code_label(InputCode code, const char *printed)
{
    InputLabel label = {""};
    const char *name = input_code_name(code);
    if (printed && printed[0]) {
        snprintf(label.text, sizeof label.text, "%s", printed);
    } else if (name && code > ' ' && code < 127) {
        label.text[0] = (char)code; // GLFW's key codes are ASCII here
    } else if (name && strncmp(name, "kp_", 3) == 0) {
        const char *const sign = code >= GLFW_KEY_KP_DECIMAL && code <= GLFW_KEY_KP_ADD
                                     ? &"./*-+"[code - GLFW_KEY_KP_DECIMAL]
                                     : NULL;
        snprintf(label.text, sizeof label.text, "Keypad %.*s", sign ? 1 : 12,
                 sign ? sign : name + 3);
    } else if (name) {
        snprintf(label.text, sizeof label.text, "%s", name);
    }
    bool begins = true;
    for (char *at = label.text; *at; at++) {
        *at = (char)(*at == '_' && name && strlen(label.text) > 1 ? ' ' : *at);
        *at = (char)(begins && *at > 0 ? toupper(*at) : *at);
        begins = *at == ' ';
    }
    return label;
}

// ---- input --------------------------------------------------------------------------------------

#define MOUSE(button) (INPUT_MOUSE + GLFW_MOUSE_BUTTON_##button)
#define PAD(button) (INPUT_PAD + GLFW_GAMEPAD_BUTTON_##button)
#define LOW(axis) INPUT_AXIS_LOW(GLFW_GAMEPAD_AXIS_##axis)
#define HIGH(axis) INPUT_AXIS_HIGH(GLFW_GAMEPAD_AXIS_##axis)
#define PALETTE(number, words)                                                                     \
    [INPUT_PALETTE_##number] = {"palette_" #number, words, INPUT_GROUP_HANDS, {GLFW_KEY_##number}}

#define AXIS_PRESSED 0.5f  // an axis beyond this counts as a pressed button
#define AXIS_RELEASED 0.4f // hysteresis: a trembling finger gives one press

// ---- actions ------------------------------------------------------------------------------------

// clang-format off
static const InputActionInfo ACTIONS[INPUT_ACTION_COUNT] = {
    [INPUT_FORWARD] = {"forward", "forward", INPUT_GROUP_MOVE, {GLFW_KEY_W, LOW(LEFT_Y)}},
    [INPUT_BACK] = {"back", "back", INPUT_GROUP_MOVE, {GLFW_KEY_S, HIGH(LEFT_Y)}},
    [INPUT_LEFT] = {"left", "left", INPUT_GROUP_MOVE, {GLFW_KEY_A, LOW(LEFT_X)}},
    [INPUT_RIGHT] = {"right", "right", INPUT_GROUP_MOVE, {GLFW_KEY_D, HIGH(LEFT_X)}},
    [INPUT_UP] = {"up", "up; on foot: jump", INPUT_GROUP_MOVE, {GLFW_KEY_SPACE, PAD(A)}},
    [INPUT_DOWN] = {"down", "down; on foot: sneak", INPUT_GROUP_MOVE,
                    {GLFW_KEY_LEFT_CONTROL, PAD(B)}},
    [INPUT_SPRINT] = {"sprint", "faster while held", INPUT_GROUP_MOVE,
                      {GLFW_KEY_LEFT_SHIFT, PAD(LEFT_THUMB)}},
    [INPUT_FLY] = {"fly", "walk or fly", INPUT_GROUP_MOVE, {GLFW_KEY_F, PAD(Y)}},
    [INPUT_NO_CLIP] = {"no_clip", "fly through blocks on or off", INPUT_GROUP_MOVE,
                       {GLFW_KEY_N}},
    [INPUT_FASTER] = {"faster", "fly faster", INPUT_GROUP_MOVE,
                      {GLFW_KEY_EQUAL, GLFW_KEY_KP_ADD}},
    [INPUT_SLOWER] = {"slower", "fly slower", INPUT_GROUP_MOVE,
                      {GLFW_KEY_MINUS, GLFW_KEY_KP_SUBTRACT}},
    [INPUT_LOOK_LEFT] = {"look_left", "look around without the mouse", INPUT_GROUP_MOVE,
                         {GLFW_KEY_LEFT, LOW(RIGHT_X)}},
    [INPUT_LOOK_RIGHT] = {"look_right", NULL, INPUT_GROUP_MOVE, {GLFW_KEY_RIGHT, HIGH(RIGHT_X)}},
    [INPUT_LOOK_UP] = {"look_up", NULL, INPUT_GROUP_MOVE, {GLFW_KEY_UP, LOW(RIGHT_Y)}},
    [INPUT_LOOK_DOWN] = {"look_down", NULL, INPUT_GROUP_MOVE, {GLFW_KEY_DOWN, HIGH(RIGHT_Y)}},
    [INPUT_MAP] = {"map", "map: places, travel", INPUT_GROUP_MOVE, {GLFW_KEY_M}},
    [INPUT_HELP] = {"help", "these keys", INPUT_GROUP_PROGRAM, {GLFW_KEY_F1}},
    [INPUT_PANEL] = {"panel", "figures", INPUT_GROUP_PROGRAM, {GLFW_KEY_F3}},
    [INPUT_PAUSE] = {"pause", "pause, settings, quit", INPUT_GROUP_PROGRAM,
                     {GLFW_KEY_ESCAPE, PAD(START)}},
    [INPUT_FULL_SCREEN] = {"full_screen", "full screen on or off", INPUT_GROUP_PROGRAM,
                           {GLFW_KEY_F11}},
    [INPUT_SCREENSHOT] = {"screenshot", "write a screenshot", INPUT_GROUP_PROGRAM,
                          {GLFW_KEY_F12, GLFW_KEY_F2}},
    [INPUT_RECORD] = {"record", "start or end a recording", INPUT_GROUP_PROGRAM, {GLFW_KEY_F8}},
    [INPUT_SHARE] = {"share", "copy a link to this place", INPUT_GROUP_PROGRAM, {GLFW_KEY_L}},
    [INPUT_QUIT] = {"quit", "quit", INPUT_GROUP_PROGRAM, {GLFW_KEY_F10}},
    [INPUT_DIG] = {"dig", "dig", INPUT_GROUP_HANDS, {MOUSE(LEFT), HIGH(RIGHT_TRIGGER)}},
    [INPUT_BUILD] = {"build", "build", INPUT_GROUP_HANDS, {MOUSE(RIGHT), HIGH(LEFT_TRIGGER)}},
    [INPUT_REPLACE] = {"replace", "replace the block you look at",
                       INPUT_GROUP_HANDS, {GLFW_KEY_R}},
    [INPUT_PICK] = {"pick", "pick the block you look at", INPUT_GROUP_HANDS,
                    {MOUSE(MIDDLE), PAD(RIGHT_THUMB)}},
    [INPUT_INVENTORY] = {"inventory", "all blocks: inventory", INPUT_GROUP_HANDS,
                         {GLFW_KEY_E, PAD(BACK)}},
    [INPUT_UNDO] = {"undo", "undo", INPUT_GROUP_HANDS, {GLFW_KEY_Z, PAD(DPAD_LEFT)}},
    [INPUT_REDO] = {"redo", "redo", INPUT_GROUP_HANDS, {GLFW_KEY_Y, PAD(DPAD_RIGHT)}},
    [INPUT_TOOL_NEXT] = {"tool_next", "next tool", INPUT_GROUP_HANDS, {GLFW_KEY_TAB, PAD(X)}},
    [INPUT_BRUSH_MORE] = {"brush_more", "larger brush", INPUT_GROUP_HANDS,
                          {GLFW_KEY_RIGHT_BRACKET, PAD(DPAD_UP)}},
    [INPUT_BRUSH_LESS] = {"brush_less", "smaller brush", INPUT_GROUP_HANDS,
                          {GLFW_KEY_LEFT_BRACKET, PAD(DPAD_DOWN)}},
    [INPUT_PALETTE_NEXT] = {"palette_next", "next slot of the bar", INPUT_GROUP_HANDS,
                            {INPUT_WHEEL_DOWN, PAD(RIGHT_BUMPER)}},
    [INPUT_PALETTE_PREVIOUS] = {"palette_previous", "previous slot of the bar", INPUT_GROUP_HANDS,
                                {INPUT_WHEEL_UP, PAD(LEFT_BUMPER)}},
    PALETTE(1, "choose a slot of the bar"), PALETTE(2, NULL), PALETTE(3, NULL), PALETTE(4, NULL),
    PALETTE(5, NULL), PALETTE(6, NULL), PALETTE(7, NULL), PALETTE(8, NULL), PALETTE(9, NULL),
    [INPUT_LAMP] = {"lamp", "lamp on or off", INPUT_GROUP_VIEW, {GLFW_KEY_H}},
    [INPUT_TIME] = {"time", "half an hour later in the day", INPUT_GROUP_VIEW, {GLFW_KEY_T}},
    [INPUT_QUALITY] = {"quality", "quality of the picture", INPUT_GROUP_VIEW, {GLFW_KEY_G}},
    [INPUT_OCCLUSION] = {"occlusion", "skip hidden land on or off", INPUT_GROUP_VIEW,
                         {GLFW_KEY_O}},
    [INPUT_DEBUG_VIEW] = {"debug_view", "next debug view: wireframe, chunks, ...", INPUT_GROUP_VIEW,
                          {GLFW_KEY_F4}},
    [INPUT_INDEX_VIEW] = {"index_view", "pages of the index on or off", INPUT_GROUP_VIEW,
                          {GLFW_KEY_F5}},
    [INPUT_INDEX_PLANE] = {"index_plane", "next plane of the index", INPUT_GROUP_VIEW,
                           {GLFW_KEY_F6}},
    [INPUT_BOB] = {"bob", "head bobbing on or off", INPUT_GROUP_VIEW, {GLFW_KEY_B}},
    [INPUT_PHOTO] = {"photo", "photo mode: free camera, large pictures", INPUT_GROUP_VIEW,
                     {GLFW_KEY_P}},
};
// clang-format on

const InputActionInfo *input_action_info(InputAction action)
{
    return &ACTIONS[action];
}

const char *input_group_title(InputGroup group)
{
    static const char *const titles[INPUT_GROUP_COUNT] = {"Move", "Program", "Dig and build",
                                                          "Picture"};
    return titles[group];
}

InputAction input_action_named(const char *name)
{
    InputAction action = 0;
    while (action < INPUT_ACTION_COUNT && strcmp(ACTIONS[action].name, name) != 0) {
        action++;
    }
    return action;
}

const char *input_action_nearest(const char *word)
{
    Nearest nearest = {.word = word};
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        nearest_try(&nearest, ACTIONS[action].name);
    }
    return nearest.name;
}

// ---- bindings -----------------------------------------------------------------------------------

InputBindings input_bindings_default(void)
{
    InputBindings bindings;
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        memcpy(bindings.codes[action], ACTIONS[action].codes, sizeof bindings.codes[action]);
    }
    return bindings;
}

InputAction input_action_bound(const InputBindings *bindings, InputCode code)
{
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        for (int i = 0; i < INPUT_CODES_MAX && bindings->codes[action][i]; i++) {
            if (bindings->codes[action][i] == code) {
                return action;
            }
        }
    }
    return INPUT_ACTION_COUNT;
}

bool input_bind(InputBindings *bindings, InputAction action, InputCode code)
{
    InputCode *codes = bindings->codes[action];
    int count = 0;
    while (count < INPUT_CODES_MAX && codes[count]) {
        count++;
    }
    if (count == INPUT_CODES_MAX || !code ||
        input_action_bound(bindings, code) != INPUT_ACTION_COUNT) {
        return false;
    }
    codes[count] = code;
    return true;
}

bool input_unbind(InputBindings *bindings, InputCode code)
{
    const InputAction action = input_action_bound(bindings, code);
    if (action == INPUT_ACTION_COUNT) {
        return false;
    }
    InputCode *codes = bindings->codes[action];
    int kept = 0;
    for (int i = 0; i < INPUT_CODES_MAX; i++) {
        const InputCode other = codes[i];
        codes[i] = INPUT_NONE;
        if (other && other != code) {
            codes[kept++] = other;
        }
    }
    return true;
}

/// Whether an action has another key than buttons of the gamepad.
static bool input_has_key(const InputCode *codes)
{
    for (int i = 0; i < INPUT_CODES_MAX; i++) {
        if (codes[i] && codes[i] < INPUT_PAD) {
            return true;
        }
    }
    return false;
}

bool input_rebind(InputBindings *bindings, InputAction action, InputCode code, InputAction *loser)
{
    InputBindings next = *bindings;
    *loser = input_action_bound(bindings, code);
    (void)input_unbind(&next, code);
    for (int i = 0; i < INPUT_CODES_MAX; i++) {
        const InputCode before = bindings->codes[action][i];
        if (before && (before >= INPUT_PAD) == (code >= INPUT_PAD)) {
            (void)input_unbind(&next, before);
        }
    }
    if (!input_bind(&next, action, code) || !input_has_key(next.codes[INPUT_PAUSE])) {
        return false;
    }
    *bindings = next;
    return true;
}

void input_reset(InputBindings *bindings, InputAction action)
{
    memset(bindings->codes[action], 0, sizeof bindings->codes[action]);
    for (int i = 0; i < INPUT_CODES_MAX && ACTIONS[action].codes[i]; i++) {
        (void)input_unbind(bindings, ACTIONS[action].codes[i]);
        (void)input_bind(bindings, action, ACTIONS[action].codes[i]);
    }
}

static InputLabel input_plain_label(InputCode code)
{
    return input_code_label(code, NULL);
}

/// Appends an action's bindings to a row. If several actions share the row, each has its first
/// binding.
static void input_add_keys(InputHelp *row, const InputCode *codes, int count, InputLabeller label)
{
    for (int i = 0; i < count && codes[i]; i++) {
        const size_t length = strlen(row->keys);
        (void)snprintf(row->keys + length, sizeof row->keys - length, "%s%s", length ? ", " : "",
                       label(codes[i]).text);
    }
}

size_t input_help(const InputBindings *bindings, InputLabeller label,
                  InputHelp rows[INPUT_ACTION_COUNT])
{
    size_t count = 0;
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        const bool is_first = ACTIONS[action].words != NULL;
        const bool is_alone = action + 1 == INPUT_ACTION_COUNT || ACTIONS[action + 1].words;
        if (is_first) {
            rows[count++] =
                (InputHelp){.group = ACTIONS[action].group, .words = ACTIONS[action].words};
        }
        input_add_keys(&rows[count - 1], bindings->codes[action],
                       is_first && is_alone ? INPUT_CODES_MAX : 1,
                       label ? label : input_plain_label);
    }
    return count;
}

// ---- events -------------------------------------------------------------------------------------

static void input_count_press(InputState *state, InputCode code)
{
    state->presses[code] = (uint8_t)(state->presses[code] + (state->presses[code] < UINT8_MAX));
}

void input_press(InputState *state, InputCode code, float strength)
{
    if (code == INPUT_NONE || code >= INPUT_CODE_COUNT || !(strength > 0)) {
        return;
    }
    const float after = fminf(strength, 1);
    state->strength[code] = after;
    state->peak[code] = fmaxf(state->peak[code], after);
    if (!state->pressed[code] && after >= AXIS_PRESSED) {
        state->pressed[code] = true;
        input_count_press(state, code);
    } else if (after < AXIS_RELEASED) {
        state->pressed[code] = false;
    }
}

void input_release(InputState *state, InputCode code)
{
    if (code < INPUT_CODE_COUNT) {
        state->strength[code] = 0;
        state->pressed[code] = false;
    }
}

void input_turn_wheel(InputState *state, float clicks)
{
    if (!isfinite(clicks)) {
        return;
    }
    state->wheel = fminf(fmaxf(state->wheel + clicks, -UINT8_MAX), UINT8_MAX);
    while (fabsf(state->wheel) >= 1) {
        const InputCode code = state->wheel > 0 ? INPUT_WHEEL_UP : INPUT_WHEEL_DOWN;
        state->wheel -= copysignf(1, state->wheel);
        state->peak[code] = 1;
        input_count_press(state, code);
    }
}

void input_move_mouse(InputState *state, float right, float down)
{
    if (isfinite(right) && isfinite(down)) {
        state->mouse_x += right;
        state->mouse_y += down;
    }
}

static void input_push_half(InputState *state, InputCode code, float value)
{
    if (value > 0) {
        input_press(state, code, value);
    } else {
        input_release(state, code);
    }
}

void input_push_axis(InputState *state, int axis, float value)
{
    if (axis >= 0 && axis <= GLFW_GAMEPAD_AXIS_LAST) {
        input_push_half(state, (InputCode)INPUT_AXIS_LOW(axis), -value);
        input_push_half(state, (InputCode)INPUT_AXIS_HIGH(axis), value);
    }
}

InputCode input_pressed_pad(const InputState *state)
{
    for (int code = INPUT_PAD; code < INPUT_CODE_COUNT; code++) {
        if (state->presses[code]) {
            return (InputCode)code;
        }
    }
    return INPUT_NONE;
}

void input_release_all(InputState *state)
{
    *state = (InputState){0};
}

static void input_release_pad(InputState *state)
{
    for (int code = INPUT_PAD; code < INPUT_CODE_COUNT; code++) {
        input_release(state, (InputCode)code);
        state->peak[code] = 0;
        state->presses[code] = 0;
    }
}

// ---- a frame ------------------------------------------------------------------------------------

InputFeel input_feel_default(void)
{
    return (InputFeel){
        .degrees_per_pixel = 0.12f, .stick_degrees = 150, .dead_zone = (float)INPUT_DEAD_ZONE};
}

bool input_held(const Input *input, InputAction action)
{
    return input->strength[action] >= AXIS_PRESSED;
}

bool input_pressed(const Input *input, InputAction action)
{
    return input->presses[action] > 0;
}

bool input_is_idle(const Input *input)
{
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        if (input->strength[action] > 0 || input->presses[action]) {
            return false;
        }
    }
    return input->look_right == 0 && input->look_up == 0;
}

bool input_is_for_player(const Input *input)
{
    Input left = *input;
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        const InputGroup group = ACTIONS[action].group;
        if (group == INPUT_GROUP_PROGRAM || group == INPUT_GROUP_VIEW) {
            left.strength[action] = 0;
            left.presses[action] = 0;
        }
    }
    return !input_is_idle(&left);
}

Input input_of_program(const Input *input)
{
    Input left = {0};
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        if (ACTIONS[action].group == INPUT_GROUP_PROGRAM) {
            left.strength[action] = input->strength[action];
            left.presses[action] = input->presses[action];
        }
    }
    return left;
}

static void input_take_action(const InputState *state, const InputCode *codes, float *strength,
                              uint8_t *presses)
{
    int pressed = 0;
    for (int i = 0; i < INPUT_CODES_MAX && codes[i]; i++) {
        *strength = fmaxf(*strength, state->peak[codes[i]]);
        pressed += state->presses[codes[i]];
    }
    *presses = (uint8_t)(pressed < UINT8_MAX ? pressed : UINT8_MAX);
}

static float input_between(const Input *input, InputAction negative, InputAction positive)
{
    return input->strength[positive] - input->strength[negative];
}

static void input_take_mouse(Input *input, const InputState *state, const InputFeel *feel)
{
    const float up = -state->mouse_y * feel->degrees_per_pixel;
    input->look_right = state->mouse_x * feel->degrees_per_pixel;
    input->look_up = feel->invert ? -up : up;
}

static void input_choose_ways(Input *input)
{
    input->right = input_between(input, INPUT_LEFT, INPUT_RIGHT);
    input->forward = input_between(input, INPUT_BACK, INPUT_FORWARD);
    input->up = input_between(input, INPUT_DOWN, INPUT_UP);
}

void input_turn(Input *input, const InputFeel *feel, double seconds)
{
    const float stick = feel->stick_degrees * (float)seconds;
    const float up = input_between(input, INPUT_LOOK_DOWN, INPUT_LOOK_UP) * stick;
    input->look_right += input_between(input, INPUT_LOOK_LEFT, INPUT_LOOK_RIGHT) * stick;
    input->look_up += feel->invert ? -up : up;
}

void input_add(Input *input, const Input *part)
{
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        const int presses = input->presses[action] + part->presses[action];
        input->presses[action] = (uint8_t)(presses < UINT8_MAX ? presses : UINT8_MAX);
        input->strength[action] = fmaxf(input->strength[action], part->strength[action]);
    }
    input->look_right += part->look_right;
    input->look_up += part->look_up;
    input_choose_ways(input);
}

/// Inputs that are still held count as pressed in the next frame.
static void input_begin_frame(InputState *state)
{
    memcpy(state->peak, state->strength, sizeof state->peak);
    memset(state->presses, 0, sizeof state->presses);
    state->mouse_x = state->mouse_y = 0;
}

Input input_take(InputState *state, const InputBindings *bindings, const InputFeel *feel,
                 double seconds)
{
    Input input = {0};
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        input_take_action(state, bindings->codes[action], &input.strength[action],
                          &input.presses[action]);
    }
    input_choose_ways(&input);
    input_take_mouse(&input, state, feel);
    input_turn(&input, feel, seconds);
    input_begin_frame(state);
    return input;
}

// ---- gamepad ------------------------------------------------------------------------------------

void gamepad_dead_zone(float dead_zone, float stick[2])
{
    const float length = hypotf(stick[0], stick[1]);
    if (!(length > dead_zone)) {
        stick[0] = stick[1] = 0;
        return;
    }
    const float wished = fminf((length - dead_zone) / (1 - dead_zone), 1);
    stick[0] *= wished / length;
    stick[1] *= wished / length;
}

static void input_feed_stick(InputState *state, const GLFWgamepadstate *now, int axis,
                             float dead_zone)
{
    float stick[2] = {now->axes[axis], now->axes[axis + 1]};
    gamepad_dead_zone(dead_zone, stick);
    input_push_axis(state, axis, stick[0]);
    input_push_axis(state, axis + 1, stick[1]);
}

/// Feeds a trigger: GLFW's go from -1 to 1.
static void input_feed_trigger(InputState *state, const GLFWgamepadstate *now, int axis,
                               float dead_zone)
{
    float pulled[2] = {(now->axes[axis] + 1) / 2, 0};
    gamepad_dead_zone(dead_zone, pulled);
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
    input_feed_stick(state, now, GLFW_GAMEPAD_AXIS_LEFT_X, dead_zone);
    input_feed_stick(state, now, GLFW_GAMEPAD_AXIS_RIGHT_X, dead_zone);
    input_feed_trigger(state, now, GLFW_GAMEPAD_AXIS_LEFT_TRIGGER, dead_zone);
    input_feed_trigger(state, now, GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER, dead_zone);
}

/// Searches for another gamepad. @return whether `news` has a message
static bool input_find_gamepad(Gamepad *gamepad, Message *news)
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
        return input_find_gamepad(gamepad, news);
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

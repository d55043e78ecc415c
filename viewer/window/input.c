#include "window/input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "window/nearest.h"

#define MOUSE(button) (INPUT_MOUSE + GLFW_MOUSE_BUTTON_##button)
#define PAD(button) (INPUT_PAD + GLFW_GAMEPAD_BUTTON_##button)
#define LOW(axis) INPUT_AXIS_LOW(GLFW_GAMEPAD_AXIS_##axis)
#define HIGH(axis) INPUT_AXIS_HIGH(GLFW_GAMEPAD_AXIS_##axis)
#define PALETTE(number, words)                                                                     \
    [INPUT_PALETTE_##number] = {"palette_" #number, words, INPUT_GROUP_HANDS, {GLFW_KEY_##number}}

#define AXIS_PRESSED 0.5f  // from here on an axis counts as a pressed button
#define AXIS_RELEASED 0.4f // below this it is released: a trembling finger is one press

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
    [INPUT_TIME] = {"time", "half an hour later in the day", INPUT_GROUP_VIEW, {GLFW_KEY_T}},
    [INPUT_QUALITY] = {"quality", "quality of the picture", INPUT_GROUP_VIEW, {GLFW_KEY_G}},
    [INPUT_OCCLUSION] = {"occlusion", "occlusion culling on or off", INPUT_GROUP_VIEW,
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

static InputLabel plain_label(InputCode code)
{
    return input_code_label(code, NULL);
}

/// Adds an action's bindings to a row. Rows of several actions have the first binding of each.
static void add_keys(InputHelp *row, const InputCode *codes, int count, InputLabeller label)
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
        add_keys(&rows[count - 1], bindings->codes[action],
                 is_first && is_alone ? INPUT_CODES_MAX : 1, label ? label : plain_label);
    }
    return count;
}

// ---- events -------------------------------------------------------------------------------------

static void count_press(InputState *state, InputCode code)
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
        count_press(state, code);
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
        count_press(state, code);
    }
}

void input_move_mouse(InputState *state, float right, float down)
{
    if (isfinite(right) && isfinite(down)) {
        state->mouse_x += right;
        state->mouse_y += down;
    }
}

static void push_half(InputState *state, InputCode code, float value)
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
        push_half(state, (InputCode)INPUT_AXIS_LOW(axis), -value);
        push_half(state, (InputCode)INPUT_AXIS_HIGH(axis), value);
    }
}

void input_release_all(InputState *state)
{
    *state = (InputState){0};
}

void input_release_pad(InputState *state)
{
    for (int code = INPUT_PAD; code < INPUT_CODE_COUNT; code++) {
        input_release(state, (InputCode)code);
        state->peak[code] = 0;
        state->presses[code] = 0;
    }
}

void input_dead_zone(float dead_zone, float stick[2])
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

// ---- a frame ------------------------------------------------------------------------------------

InputFeel input_feel_default(void)
{
    return (InputFeel){.degrees_per_pixel = 0.12f, .stick_degrees = 150, .dead_zone = 0.15f};
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

static void take_action(const InputState *state, const InputCode *codes, float *strength,
                        uint8_t *presses)
{
    int pressed = 0;
    for (int i = 0; i < INPUT_CODES_MAX && codes[i]; i++) {
        *strength = fmaxf(*strength, state->peak[codes[i]]);
        pressed += state->presses[codes[i]];
    }
    *presses = (uint8_t)(pressed < UINT8_MAX ? pressed : UINT8_MAX);
}

static float between(const Input *input, InputAction negative, InputAction positive)
{
    return input->strength[positive] - input->strength[negative];
}

static void take_look(Input *input, const InputState *state, const InputFeel *feel, double seconds)
{
    const float stick = feel->stick_degrees * (float)seconds;
    const float up = between(input, INPUT_LOOK_DOWN, INPUT_LOOK_UP) * stick -
                     state->mouse_y * feel->degrees_per_pixel;
    input->look_right = between(input, INPUT_LOOK_LEFT, INPUT_LOOK_RIGHT) * stick +
                        state->mouse_x * feel->degrees_per_pixel;
    input->look_up = feel->invert ? -up : up;
}

/// What is still held counts as pressed in the next frame.
static void begin_frame(InputState *state)
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
        take_action(state, bindings->codes[action], &input.strength[action],
                    &input.presses[action]);
    }
    input.right = between(&input, INPUT_LEFT, INPUT_RIGHT);
    input.forward = between(&input, INPUT_BACK, INPUT_FORWARD);
    input.up = between(&input, INPUT_DOWN, INPUT_UP);
    take_look(&input, state, feel, seconds);
    begin_frame(state);
    return input;
}

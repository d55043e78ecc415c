#include "window/input_code.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "window/nearest.h"

#define KEY(name, text) [GLFW_KEY_##name] = text
#define PAD(name, text) [INPUT_PAD + GLFW_GAMEPAD_BUTTON_##name] = text
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
    PAD(A, "pad_a"), PAD(B, "pad_b"), PAD(X, "pad_x"), PAD(Y, "pad_y"),
    PAD(LEFT_BUMPER, "pad_left_bumper"), PAD(RIGHT_BUMPER, "pad_right_bumper"),
    PAD(BACK, "pad_back"), PAD(START, "pad_start"), PAD(GUIDE, "pad_guide"),
    PAD(LEFT_THUMB, "pad_left_thumb"), PAD(RIGHT_THUMB, "pad_right_thumb"),
    PAD(DPAD_UP, "pad_up"), PAD(DPAD_RIGHT, "pad_right"), PAD(DPAD_DOWN, "pad_down"),
    PAD(DPAD_LEFT, "pad_left"),
    AXIS(LEFT_X, "pad_left_stick_left", "pad_left_stick_right"),
    AXIS(LEFT_Y, "pad_left_stick_up", "pad_left_stick_down"),
    AXIS(RIGHT_X, "pad_right_stick_left", "pad_right_stick_right"),
    AXIS(RIGHT_Y, "pad_right_stick_up", "pad_right_stick_down"),
    // A trigger rests at one end of its axis, so only the other half can be pressed.
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
        label.text[0] = (char)code; // GLFW's numbers of these keys are ASCII
    } else if (name && strncmp(name, "kp_", 3) == 0) {
        snprintf(label.text, sizeof label.text, "Keypad %s", name + 3);
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

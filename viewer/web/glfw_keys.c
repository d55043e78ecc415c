#include "web/glfw_page.h"

#include <stddef.h>
#include <string.h>

#include <GLFW/glfw3.h>

typedef struct PageKey {
    const char *code;
    int key;
} PageKey;

// https://www.w3.org/TR/uievents-code/; letters, digits, F1.. and the keypad's digits are computed.
static const PageKey KEYS[] = {
    {"Space", GLFW_KEY_SPACE},
    {"Quote", GLFW_KEY_APOSTROPHE},
    {"Comma", GLFW_KEY_COMMA},
    {"Minus", GLFW_KEY_MINUS},
    {"Period", GLFW_KEY_PERIOD},
    {"Slash", GLFW_KEY_SLASH},
    {"Semicolon", GLFW_KEY_SEMICOLON},
    {"Equal", GLFW_KEY_EQUAL},
    {"BracketLeft", GLFW_KEY_LEFT_BRACKET},
    {"Backslash", GLFW_KEY_BACKSLASH},
    {"BracketRight", GLFW_KEY_RIGHT_BRACKET},
    {"Backquote", GLFW_KEY_GRAVE_ACCENT},
    {"IntlBackslash", GLFW_KEY_WORLD_2},
    {"Escape", GLFW_KEY_ESCAPE},
    {"Enter", GLFW_KEY_ENTER},
    {"Tab", GLFW_KEY_TAB},
    {"Backspace", GLFW_KEY_BACKSPACE},
    {"Insert", GLFW_KEY_INSERT},
    {"Delete", GLFW_KEY_DELETE},
    {"ArrowRight", GLFW_KEY_RIGHT},
    {"ArrowLeft", GLFW_KEY_LEFT},
    {"ArrowDown", GLFW_KEY_DOWN},
    {"ArrowUp", GLFW_KEY_UP},
    {"PageUp", GLFW_KEY_PAGE_UP},
    {"PageDown", GLFW_KEY_PAGE_DOWN},
    {"Home", GLFW_KEY_HOME},
    {"End", GLFW_KEY_END},
    {"CapsLock", GLFW_KEY_CAPS_LOCK},
    {"ScrollLock", GLFW_KEY_SCROLL_LOCK},
    {"NumLock", GLFW_KEY_NUM_LOCK},
    {"PrintScreen", GLFW_KEY_PRINT_SCREEN},
    {"Pause", GLFW_KEY_PAUSE},
    {"NumpadDecimal", GLFW_KEY_KP_DECIMAL},
    {"NumpadDivide", GLFW_KEY_KP_DIVIDE},
    {"NumpadMultiply", GLFW_KEY_KP_MULTIPLY},
    {"NumpadSubtract", GLFW_KEY_KP_SUBTRACT},
    {"NumpadAdd", GLFW_KEY_KP_ADD},
    {"NumpadEnter", GLFW_KEY_KP_ENTER},
    {"NumpadEqual", GLFW_KEY_KP_EQUAL},
    {"ShiftLeft", GLFW_KEY_LEFT_SHIFT},
    {"ControlLeft", GLFW_KEY_LEFT_CONTROL},
    {"AltLeft", GLFW_KEY_LEFT_ALT},
    {"MetaLeft", GLFW_KEY_LEFT_SUPER},
    {"ShiftRight", GLFW_KEY_RIGHT_SHIFT},
    {"ControlRight", GLFW_KEY_RIGHT_CONTROL},
    {"AltRight", GLFW_KEY_RIGHT_ALT},
    {"MetaRight", GLFW_KEY_RIGHT_SUPER},
    {"ContextMenu", GLFW_KEY_MENU},
};

/// Returns the number of the single character after a word, from `first` on. @return -1 if the code
/// has another form
static int glfw_character_after(const char *code, const char *word, char first, char last)
{
    const size_t length = strlen(word);
    return strncmp(code, word, length) == 0 && code[length] >= first && code[length] <= last &&
                   !code[length + 1]
               ? code[length] - first
               : -1;
}

/// Parses "F1" to "F25". @return 1.., or -1
static int glfw_function_key(const char *code)
{
    if (code[0] != 'F' || code[1] < '1' || code[1] > '9') {
        return -1;
    }
    const int tens = code[2] ? code[1] - '0' : 0;
    const char ones = code[2] ? code[2] : code[1];
    const int number = tens * 10 + (ones - '0');
    return ones >= '0' && ones <= '9' && (!code[2] || !code[3]) && number <= 25 ? number : -1;
}

int page_key_of_code(const char *code)
{
    int number = glfw_character_after(code, "Key", 'A', 'Z');
    if (number >= 0) {
        return GLFW_KEY_A + number;
    }
    number = glfw_character_after(code, "Digit", '0', '9');
    if (number >= 0) {
        return GLFW_KEY_0 + number;
    }
    number = glfw_character_after(code, "Numpad", '0', '9');
    if (number >= 0) {
        return GLFW_KEY_KP_0 + number;
    }
    number = glfw_function_key(code);
    if (number > 0) {
        return GLFW_KEY_F1 + number - 1;
    }
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        if (strcmp(KEYS[i].code, code) == 0) {
            return KEYS[i].key;
        }
    }
    return -1;
}

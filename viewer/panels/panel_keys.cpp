#include "panels/panel_keys.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include <imgui.h>

#include "panels/panel_parts.h"
#include "window/window.h"

namespace {

constexpr float KEYS = 9, PAD = 11, RESET = 4; // widths in the font's heights
constexpr float WORDS = 21;                    // of the longest name of an action

/// What an action is called: actions that share a row of the help have their own names.
Message action_label(InputAction action)
{
    const InputActionInfo *info = input_action_info(action);
    const auto next = static_cast<InputAction>(action + 1);
    const bool is_shared =
        !info->words || (next < INPUT_ACTION_COUNT && !input_action_info(next)->words);
    Message label;
    (void)message_set(&label, "%s", is_shared ? info->name : info->words);
    std::replace(label.text, label.text + std::strlen(label.text), '_', ' ');
    return label;
}

bool is_pad_code(InputCode code)
{
    return code >= INPUT_PAD;
}

/// The keys of one device, such as "W, Up".
Message keys_of(const InputBindings *bindings, InputAction action, bool is_pad)
{
    Message text;
    text.text[0] = '\0';
    for (const InputCode code : bindings->codes[action]) {
        if (code && is_pad_code(code) == is_pad) {
            const size_t length = std::strlen(text.text);
            const InputLabel whole = window_key_label(code);
            const char *label = whole.text;
            const char *const pad = "Pad ";
            label += std::strncmp(label, pad, std::strlen(pad)) == 0 ? std::strlen(pad) : 0;
            (void)std::snprintf(text.text + length, sizeof text.text - length, "%s%s",
                                length ? ", " : "", label);
        }
    }
    return text;
}

void bind(PanelKeys *keys, PanelChoices *choices)
{
    const InputCode code = keys->pressed;
    InputAction loser;
    const InputLabel label = window_key_label(code);
    if (!input_rebind(&choices->settings.bindings, keys->action, code, &loser)) {
        (void)message_set(&keys->text, "%s is the only key that ends a pause: bind another first.",
                          label.text);
        return;
    }
    choices->changed = true;
    keys->text.text[0] = '\0';
    if (loser != INPUT_ACTION_COUNT && loser != keys->action) {
        const bool is_bare =
            !keys_of(&choices->settings.bindings, loser, is_pad_code(code)).text[0];
        (void)message_set(&keys->text, "%s was '%s'%s.", label.text, action_label(loser).text,
                          is_bare ? ", which has no key now" : ", which has other keys");
    }
}

void show_device(PanelKeys *keys, const PanelChoices *choices, InputAction action, bool is_pad,
                 float width)
{
    const InputBindings *bindings = &choices->settings.bindings;
    const bool is_awaited = keys->is_waiting && keys->action == action && keys->is_pad == is_pad;
    const Message texts = keys_of(bindings, action, is_pad);
    const bool is_bare = !is_pad && !texts.text[0];
    char label[sizeof(Message) + 8];
    (void)std::snprintf(label, sizeof label, "%s###%d",
                        is_awaited ? "press..."
                        : is_bare  ? "no key"
                                   : texts.text,
                        is_pad);
    if (is_bare) {
        ImGui::PushStyleColor(ImGuiCol_Text, PANEL_RED);
    }
    if (panel_button(label, width)) {
        keys->is_waiting = true;
        keys->is_pad = is_pad;
        keys->action = action;
        keys->pressed = INPUT_NONE;
        keys->is_cancelled = false;
    }
    if (is_bare) {
        ImGui::PopStyleColor();
    }
}

bool is_usual(const InputBindings *bindings, InputAction action)
{
    return std::memcmp(bindings->codes[action], input_action_info(action)->codes,
                       sizeof bindings->codes[action]) == 0;
}

/// @param words  room for the action's name before its keys; 0: the keys lie below it
void show_action(PanelKeys *keys, PanelChoices *choices, InputAction action, float words)
{
    const float letter = ImGui::GetFontSize();
    ImGui::PushID(action);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(action_label(action).text);
    if (words > 0) {
        ImGui::SameLine(words);
    }
    show_device(keys, choices, action, false, KEYS * letter);
    ImGui::SameLine();
    show_device(keys, choices, action, true, PAD * letter);
    if (!is_usual(&choices->settings.bindings, action)) {
        ImGui::SameLine();
        if (panel_button("reset", RESET * letter)) {
            input_reset(&choices->settings.bindings, action);
            choices->changed = true;
        }
    }
    ImGui::PopID();
}

} // namespace

void panel_keys_feed(PanelKeys *keys, const EventBatch &batch, InputCode pad)
{
    if (keys->is_pad) {
        keys->pressed = pad ? pad : keys->pressed;
    }
    for (size_t i = 0; i < batch.count && !keys->pressed; i++) {
        const WindowEvent &event = batch.events[i];
        const bool is_key = event.kind == WINDOW_EVENT_KEY && event.is_down;
        if (is_key && event.code == GLFW_KEY_ESCAPE) {
            keys->is_cancelled = true;
        } else if (is_key && !keys->is_pad && input_code_name(static_cast<InputCode>(event.code))) {
            keys->pressed = static_cast<InputCode>(event.code);
        } else if (event.kind == WINDOW_EVENT_BUTTON && event.is_down && !keys->is_pad) {
            keys->pressed = static_cast<InputCode>(INPUT_MOUSE + event.code);
        } else if (event.kind == WINDOW_EVENT_WHEEL && !keys->is_pad && event.height != 0) {
            keys->pressed = event.height > 0 ? INPUT_WHEEL_UP : INPUT_WHEEL_DOWN;
        }
    }
}

void panel_keys_show(PanelKeys *keys, PanelChoices *choices)
{
    if (keys->is_waiting && (keys->pressed || keys->is_cancelled)) {
        keys->is_waiting = false;
        if (keys->pressed) {
            bind(keys, choices);
        }
    }
    const float letter = ImGui::GetFontSize(), gap = ImGui::GetStyle().ItemSpacing.x;
    const float room = ImGui::GetContentRegionAvail().x;
    const float rest = room - (KEYS + PAD + RESET) * letter - 3 * gap;
    const float words = rest < WORDS * letter ? 0 : rest;
    if (panel_button("Reset all keys", 10 * letter)) {
        choices->settings.bindings = input_bindings_default();
        choices->changed = true;
        keys->text.text[0] = '\0';
    }
    ImGui::SameLine();
    ImGui::TextWrapped("%s", keys->is_waiting ? "Press the new key, or Escape to keep the old."
                             : keys->text.text[0]
                                 ? keys->text.text
                                 : "Choose a key or a gamepad's button, then press the new one.");
    for (int group = 0; group < INPUT_GROUP_COUNT; group++) {
        panel_heading(input_group_title(static_cast<InputGroup>(group)));
        for (int i = 0; i < INPUT_ACTION_COUNT; i++) {
            const auto action = static_cast<InputAction>(i);
            if (input_action_info(action)->group == group) {
                show_action(keys, choices, action, words);
            }
        }
    }
}

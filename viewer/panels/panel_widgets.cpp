#include "panels/panel_widgets.h"

#include <cctype>

void panel_heading(const char *text)
{
    ImGui::Separator();
    ImGui::TextColored(ImVec4(0.98f, 0.78f, 0.42f, 1), "%s", text);
}

bool panel_button(const char *label, float width)
{
    const bool pressed = ImGui::Button(label, ImVec2(width, 0));
    return pressed || (ImGui::IsItemFocused() &&
                       ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false));
}

void panel_keep_letters(PanelLetters *letters, bool is_active, bool begins_word)
{
    constexpr int most = sizeof letters->typed / sizeof letters->typed[0];
    ImVector<ImWchar> &queue = ImGui::GetIO().InputQueueCharacters;
    if (is_active) {
        for (int i = 0; i < letters->count; i++) {
            queue.insert(queue.Data + i, letters->typed[i]);
        }
        letters->count = 0;
        return;
    }
    for (const ImWchar letter : queue) {
        const bool is_word = letter < 128 && std::isalpha(static_cast<int>(letter));
        const bool is_kept =
            begins_word ? is_word || (letters->count && letter == ' ') : letter >= ' ';
        if (is_kept && letters->count < most) {
            letters->typed[letters->count++] = letter;
        }
    }
}

#include "start/start_parts.h"

constexpr float TIP_WIDTH = 26; // in the font's heights

void start_show_text(ImU32 colour, const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextWrapped("%s", text);
    ImGui::PopStyleColor();
}

bool start_is_entered()
{
    return ImGui::IsItemFocused() &&
           (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false) ||
            ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_KeyPadEnter), false));
}

bool start_show_button(const char *label, float width)
{
    const bool is_pressed = ImGui::Button(label, ImVec2(width, 0));
    return start_is_entered() || is_pressed;
}

void start_show_tip(const char *text)
{
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(TIP_WIDTH * ImGui::GetFontSize());
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

void start_take_focus(StartScreen *screen)
{
    if (!screen->has_focus) {
        ImGui::SetKeyboardFocusHere();
        screen->has_focus = true;
    }
}

void start_fill_texture(GLuint texture, int width, int height, const void *rgb)
{
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, width, height, 0, GL_RGB, GL_UNSIGNED_BYTE, rgb);
}

ImTextureID start_texture_id(GLuint texture)
{
    return reinterpret_cast<ImTextureID>(static_cast<intptr_t>(texture));
}

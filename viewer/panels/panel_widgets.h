/// Widgets and colours that know no figures. C++.
#pragma once

#include <imgui.h>

/// A button that Enter presses too: Dear ImGui only handles Space.
bool panel_button(const char *label, float width);

/// Shows a title on its own line.
void panel_heading(const char *text);

/// Letters that are typed before their field is active. All zeroes: none.
struct PanelLetters {
    ImWchar typed[16];
    int count;
};

/// Keeps the letters of this frame until the field is active, and gives them to it then. Call it
/// before the field. A letter that the field would miss is so the first of it.
/// @param is_active    the field was active in the last frame
/// @param begins_word  only a letter of the alphabet begins
void panel_keep_letters(PanelLetters *letters, bool is_active, bool begins_word);

constexpr ImU32 PANEL_GREEN = IM_COL32(140, 235, 153, 255);
constexpr ImU32 PANEL_BLUE = IM_COL32(140, 190, 250, 255);
constexpr ImU32 PANEL_VIOLET = IM_COL32(214, 160, 250, 255);
constexpr ImU32 PANEL_ORANGE = IM_COL32(250, 150, 105, 255);
constexpr ImU32 PANEL_YELLOW = IM_COL32(250, 200, 107, 255);
constexpr ImU32 PANEL_GREY = IM_COL32(130, 140, 155, 255);
constexpr ImU32 PANEL_RED = IM_COL32(255, 90, 80, 255);

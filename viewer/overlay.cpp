#include "overlay.h"

#include <algorithm>
#include <cstring>

#include <imgui.h>

namespace {

constexpr float EDGE = 12;             // between the window's border and what lies over it
constexpr float HELP_SCALE_MIN = 0.4f; // letters must be letters

constexpr ImGuiWindowFlags ONLY_SHOWN =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs |
    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing;

/// @param x,y  where in the window, 0..1; the next window's own point of the same parts lies there
void place_next(float x, float y)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(EDGE + x * (size.x - 2 * EDGE), EDGE + y * (size.y - 2 * EDGE)),
                            ImGuiCond_Always, ImVec2(x, y));
    ImGui::SetNextWindowBgAlpha(1); // it may lie over the figures where the window is small
}

size_t rows_of_group(const Overlay *overlay, size_t first)
{
    size_t count = 0;
    while (first + count < overlay->row_count &&
           std::strcmp(overlay->rows[first].group, overlay->rows[first + count].group) == 0) {
        count++;
    }
    return count;
}

void show_group(const OverlayRow *rows, size_t count)
{
    ImGui::TextColored(ImVec4(0.98f, 0.78f, 0.42f, 1), "%s", rows[0].group);
    if (!ImGui::BeginTable(rows[0].group, 2,
                           ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoHostExtendX)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        ImGui::TableNextColumn();
        if (rows[i].keys[0]) {
            ImGui::TextUnformatted(rows[i].keys);
        } else {
            ImGui::TextDisabled("(no key)");
        }
        ImGui::TableNextColumn();
        ImGui::TextUnformatted(rows[i].words);
    }
    ImGui::EndTable();
}

/// Group after group, in two columns of about the same height.
void show_rows(const Overlay *overlay)
{
    bool is_left = true;
    ImGui::BeginGroup();
    for (size_t first = 0; first < overlay->row_count;) {
        const size_t count = rows_of_group(overlay, first);
        if (is_left && first > 0 && 2 * (first + count) > overlay->row_count + 4) {
            ImGui::EndGroup();
            ImGui::SameLine(0, 2 * ImGui::GetFontSize());
            ImGui::BeginGroup();
            is_left = false;
        }
        show_group(&overlay->rows[first], count);
        first += count;
    }
    ImGui::EndGroup();
}

void show_help(const Overlay *overlay, float *scale)
{
    place_next(1, 0); // beside the figures
    if (ImGui::Begin("Keys", nullptr, ONLY_SHOWN)) {
        ImGui::SetWindowFontScale(*scale);
        show_rows(overlay);
        const ImVec2 room = ImGui::GetIO().DisplaySize, size = ImGui::GetWindowSize();
        const float fits = std::min((room.x - 2 * EDGE) / size.x, (room.y - 2 * EDGE) / size.y);
        // Towards what fits, from frame to frame; not back and forth around it.
        if (fits < 1 || (*scale < 1 && fits > 1.1f)) {
            *scale = std::clamp(*scale * fits * 0.98f, HELP_SCALE_MIN, 1.0f);
        }
    }
    ImGui::End();
}

void show_loading(const Overlay *overlay)
{
    place_next(0.5f, 0.85f);
    if (ImGui::Begin("Loading", nullptr, ONLY_SHOWN)) {
        ImGui::TextUnformatted(overlay->loading_text);
        ImGui::ProgressBar(overlay->loading, ImVec2(24 * ImGui::GetFontSize(), 0));
    }
    ImGui::End();
}

void show_notice(const char *text)
{
    place_next(0.5f, 0.96f);
    if (ImGui::Begin("Notice", nullptr, ONLY_SHOWN)) {
        ImGui::TextUnformatted(text);
    }
    ImGui::End();
}

void show_choices(OverlayMenu *menu)
{
    const float width = 14 * ImGui::GetFontSize();
    ImGui::PushItemWidth(width);
    menu->changed |=
        ImGui::SliderFloat("speed of the mouse", &menu->sensitivity, 0.05f, 20, "%.2f",
                           ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
    menu->changed |= ImGui::SliderFloat("field of view", &menu->field_of_view, 30, 110, "%.0f",
                                        ImGuiSliderFlags_AlwaysClamp);
    menu->changed |=
        ImGui::SliderFloat("head bobbing", &menu->bob, 0, 1, "%.2f", ImGuiSliderFlags_AlwaysClamp);
    menu->changed |= ImGui::Combo("quality", &menu->quality, "low\0medium\0high\0");
    ImGui::PopItemWidth();
    menu->changed |= ImGui::Checkbox("mouse forwards looks down", &menu->invert);
    menu->changed |= ImGui::Checkbox("full screen", &menu->full_screen);
}

/// A button that Enter presses, too: Dear ImGui has Space for that.
bool is_pressed(const char *label, const ImVec2 &size)
{
    const bool pressed = ImGui::Button(label, size);
    return pressed || (ImGui::IsItemFocused() &&
                       ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false));
}

void show_menu(OverlayMenu *menu)
{
    const ImGuiWindowFlags flags =
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize;
    place_next(0.5f, 0.5f);
    if (ImGui::Begin("Paused", nullptr, flags)) {
        const ImVec2 size(14 * ImGui::GetFontSize(), 0);
        ImGui::TextUnformatted("Paused");
        ImGui::Separator();
        if (ImGui::IsWindowAppearing()) {
            ImGui::SetKeyboardFocusHere(); // Enter goes on
        }
        menu->resume = is_pressed("Resume", size);
        show_choices(menu);
        menu->quit = is_pressed("Quit", size);
        if (menu->note) {
            ImGui::TextDisabled("%s", menu->note);
        }
    }
    ImGui::End();
}

} // namespace

void overlay_show(const Overlay *overlay, float *help_scale)
{
    if (overlay->loading_text && !overlay->menu) {
        show_loading(overlay);
    }
    if (overlay->notice) {
        show_notice(overlay->notice);
    }
    if (overlay->rows) {
        show_help(overlay, help_scale);
    }
    if (overlay->menu) {
        show_menu(overlay->menu);
    }
}

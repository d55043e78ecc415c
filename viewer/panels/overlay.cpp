#include "panels/overlay.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <imgui.h>

namespace {

constexpr float EDGE = 12;             // from the window's border to overlays
constexpr float GAP = 4;               // between two overlays
constexpr float HELP_SCALE_MIN = 0.4f; // smaller letters are unreadable
constexpr float HELP_GAP = 2;          // letters between the columns
constexpr float LOADING_PART = 0.97f;  // of the window's height: the usual lower edge of the bar
constexpr float NOTICE_PART = 0.82f;   // of the window's height: the usual place of a notice
// In the font's heights.
constexpr float NOTICE_WIDTH = 30; // fits between two columns
constexpr float NOTICE_LEAST = 18; // beside a column of figures
constexpr float LOADING_WIDTH = 24;
constexpr float THUMBS_HEIGHT = 25; // of the page's thumbs (web/page.css) and the bar of blocks

constexpr ImGuiWindowFlags ONLY_SHOWN =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs |
    ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing;

/// Places the next window. @param x,y  0..1: place in the main window, and the same point of the
/// next window lies there
void place_next(float x, float y)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(EDGE + x * (size.x - 2 * EDGE), EDGE + y * (size.y - 2 * EDGE)),
                            ImGuiCond_Always, ImVec2(x, y));
    ImGui::SetNextWindowBgAlpha(1); // opaque: in a small window it covers figures
}

/// Consecutive groups of the help in one column. Widths are at the font's own size.
struct HelpColumn {
    const OverlayRow *rows;
    size_t count;
    float keys, words;
};

/// The help, in one or two columns.
struct HelpColumns {
    HelpColumn columns[2];
    int count;
    float scale; // of the letters, so that the whole help fits
};

bool begins_group(const OverlayRow *rows, size_t i)
{
    return i == 0 || std::strcmp(rows[i].group, rows[i - 1].group) != 0;
}

/// Returns the row where the second column begins: at a group, with columns of about equal height.
size_t split_rows(const Overlay *overlay)
{
    size_t best = overlay->row_count;
    for (size_t i = 1; i < overlay->row_count; i++) {
        if (begins_group(overlay->rows, i) &&
            std::max(i, overlay->row_count - i) < std::max(best, overlay->row_count - best)) {
            best = i;
        }
    }
    return best;
}

HelpColumn measure_column(const OverlayRow *rows, size_t count)
{
    HelpColumn column = {rows, count, 0, 0};
    for (size_t i = 0; i < count; i++) {
        column.keys = std::max(column.keys, ImGui::CalcTextSize(rows[i].keys).x);
        column.words = std::max(column.words, ImGui::CalcTextSize(rows[i].words).x);
    }
    return column;
}

float column_width(const HelpColumn *column)
{
    return column->keys + column->words + ImGui::GetFontSize();
}

float column_height(const HelpColumn *column)
{
    float lines = 0;
    for (size_t i = 0; i < column->count; i++) {
        lines += begins_group(column->rows, i) ? 2.0f : 1.0f;
    }
    return lines * ImGui::GetTextLineHeightWithSpacing();
}

void show_column(const HelpColumn *column, float scale)
{
    ImGui::BeginGroup();
    for (size_t i = 0; i < column->count; i++) {
        if (begins_group(column->rows, i)) {
            ImGui::TextColored(ImVec4(0.98f, 0.78f, 0.42f, 1), "%s", column->rows[i].group);
        }
        if (column->rows[i].keys[0]) {
            ImGui::TextUnformatted(column->rows[i].keys);
        } else {
            ImGui::TextDisabled("(no key)");
        }
        ImGui::SameLine(column->keys * scale + ImGui::GetFontSize()); // from the group's left edge
        ImGui::TextUnformatted(column->rows[i].words);
    }
    ImGui::EndGroup();
}

/// Chooses the largest scale at which the whole help fits the window.
void choose_help_scale(HelpColumns *help)
{
    const ImVec2 room = ImGui::GetIO().DisplaySize, padding = ImGui::GetStyle().WindowPadding;
    float width = 0, height = 0;
    for (int i = 0; i < help->count; i++) {
        width += column_width(&help->columns[i]) + (i ? HELP_GAP * ImGui::GetFontSize() : 0);
        height = std::max(height, column_height(&help->columns[i]));
    }
    const float across = (room.x - 2 * EDGE - 2 * padding.x) / width;
    const float down = (room.y - 2 * EDGE - 2 * padding.y) / height;
    help->scale = std::clamp(std::min(across, down), HELP_SCALE_MIN, 1.0f);
}

/// If the window is higher than it is wide, puts the two columns below each other in larger
/// letters.
HelpColumns lay_out_help(const Overlay *overlay)
{
    const size_t split = split_rows(overlay), rest = overlay->row_count - split;
    HelpColumns two = {
        {measure_column(overlay->rows, split), measure_column(overlay->rows + split, rest)},
        rest ? 2 : 1,
        1};
    HelpColumns one = {{measure_column(overlay->rows, overlay->row_count), {}}, 1, 1};
    choose_help_scale(&two);
    choose_help_scale(&one);
    return one.scale > two.scale ? one : two;
}

/// @return the lower edge of the help
float show_help(const Overlay *overlay)
{
    const HelpColumns help = lay_out_help(overlay);
    const ImVec2 spacing = ImGui::GetStyle().ItemSpacing;
    place_next(overlay->touches ? 0.5f : 1, 0); // between the thumbs, or next to the figures
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(spacing.x, spacing.y * help.scale));
    if (ImGui::Begin("Keys", nullptr, ONLY_SHOWN)) {
        ImGui::SetWindowFontScale(help.scale);
        for (int i = 0; i < help.count; i++) {
            if (i) {
                ImGui::SameLine(0, HELP_GAP * ImGui::GetFontSize());
            }
            show_column(&help.columns[i], help.scale);
        }
    }
    const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowSize().y;
    ImGui::End();
    ImGui::PopStyleVar();
    return bottom;
}

/// Returns a width in the font's heights, limited to the window.
float width_of(float wanted)
{
    const float letter = ImGui::GetFontSize();
    const float most =
        ImGui::GetIO().DisplaySize.x - 2 * EDGE - 2 * ImGui::GetStyle().WindowPadding.x;
    return std::clamp(most, letter, wanted * letter);
}

/// Shows a line over the whole width of the window. @return its top edge
float show_band(const char *text)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize, letters = ImGui::CalcTextSize(text);
    const float top = size.y - 2 * letters.y;
    ImDrawList *list = ImGui::GetForegroundDrawList();
    list->AddRectFilled(ImVec2(0, top), size, IM_COL32(8, 12, 18, 200));
    list->AddText(ImVec2(std::floor((size.x - letters.x) / 2), std::floor(top + letters.y / 2)),
                  IM_COL32(250, 200, 107, 255), text);
    return top;
}

/// @param lowest  the bar ends above this height
/// @return the top edge of the loading bar
float show_loading(const Overlay *overlay, float lowest)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(
        ImVec2(size.x / 2, std::floor(std::min(LOADING_PART * size.y, lowest - GAP))),
        ImGuiCond_Always, ImVec2(0.5f, 1));
    ImGui::SetNextWindowBgAlpha(1);
    float top = ImGui::GetIO().DisplaySize.y;
    if (ImGui::Begin("Loading", nullptr, ONLY_SHOWN)) {
        ImGui::TextUnformatted(overlay->loading_text);
        ImGui::ProgressBar(overlay->loading, ImVec2(width_of(LOADING_WIDTH), 0));
        top = ImGui::GetWindowPos().y;
    }
    ImGui::End();
    return top;
}

/// The size of the notice's window. Dear ImGui would take that of the last frame's text.
ImVec2 notice_size(const char *text, float width)
{
    const ImVec2 letters = ImGui::CalcTextSize(text, nullptr, false, width);
    const ImVec2 edge = ImGui::GetStyle().WindowPadding;
    return ImVec2(letters.x + 2 * edge.x, letters.y + 2 * edge.y);
}

/// Shows a notice, if there is room for it below what covers the picture above it.
/// @param free    left and right end of the part of the window that panels leave free
/// @param lowest  the notice ends above this height
/// @param top     it begins below this height
void show_notice(const char *text, ImVec2 free, float lowest, float top)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float room = free.y - free.x - 2 * EDGE - 2 * ImGui::GetStyle().WindowPadding.x;
    const bool fits = room >= NOTICE_LEAST * ImGui::GetFontSize(); // otherwise panels are above it
    const float width = std::min(width_of(NOTICE_WIDTH), fits ? room : width_of(NOTICE_WIDTH));
    const float bottom = std::floor(std::min(NOTICE_PART * size.y, lowest - GAP));
    const ImVec2 needed = notice_size(text, width);
    const float beside = std::max(top + needed.y, bottom);
    if (beside > lowest - GAP) {
        return;
    }
    ImGui::SetNextWindowPos(
        ImVec2(std::floor((fits ? free.x + free.y : size.x) / 2), std::floor(beside)),
        ImGuiCond_Always, ImVec2(0.5f, 1));
    ImGui::SetNextWindowSize(needed);
    ImGui::SetNextWindowBgAlpha(1);
    if (ImGui::Begin("Notice", nullptr, ONLY_SHOWN)) {
        ImGui::PushTextWrapPos(width + ImGui::GetStyle().WindowPadding.x);
        ImGui::TextUnformatted(text);
        ImGui::PopTextWrapPos();
    }
    ImGui::End();
}

/// Draws the labels behind all windows.
void show_labels(const Overlay *overlay)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    for (size_t i = 0; i < overlay->label_count; i++) {
        const OverlayLabel &label = overlay->labels[i];
        const ImVec2 text = ImGui::CalcTextSize(label.text);
        const ImVec2 at(std::floor(label.x * size.x - text.x / 2),
                        std::floor(label.y * size.y - text.y));
        list->AddRectFilled(ImVec2(at.x - GAP, at.y - 1),
                            ImVec2(at.x + text.x + GAP, at.y + text.y + 1), IM_COL32(0, 0, 0, 140),
                            3);
        list->AddText(at, IM_COL32_WHITE, label.text);
    }
}

} // namespace

void overlay_show(const Overlay *overlay, float bottom, ImVec2 free)
{
    show_labels(overlay);
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    float lowest = size.y - bottom;
    if (overlay->touches && size.x < size.y) { // in a wide window the notice fits between the
                                               // thumbs
        lowest = std::min(lowest, size.y - THUMBS_HEIGHT * ImGui::GetFontSize());
    }
    if (overlay->band) {
        lowest = std::min(lowest, show_band(overlay->band));
    }
    if (overlay->loading_text && !overlay->paused) {
        lowest = std::min(lowest, show_loading(overlay, lowest));
    }
    const float top = overlay->rows ? show_help(overlay) : 0;
    if (overlay->notice && (overlay->rows || !overlay->paused)) { // otherwise the menu shows the
                                                                  // notice
        show_notice(overlay->notice, free, lowest, top);
    }
}

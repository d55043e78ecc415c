#include "panels/panel_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

constexpr size_t COLUMNS_MAX = 512;
constexpr double LOG_FLOOR = 1; // us at the lower edge of a logarithmic graph

/// Returns the height of a value in a graph, 0..1.
float height_of(double value, double top, bool is_log)
{
    const double part = is_log ? std::log(std::max(value, LOG_FLOOR) / LOG_FLOOR) /
                                     std::log(std::max(top, 2 * LOG_FLOOR) / LOG_FLOOR)
                               : value / top;
    return static_cast<float>(std::clamp(part, 0.0, 1.0));
}

struct GraphPlace {
    ImVec2 from, size;
    double top;
    bool is_log;
    bool is_filled;
};

/// Draws one vertical bar for each column of time, from the least to the greatest value in it. A
/// single line is filled to the lower edge.
void draw_line(const GraphPlace &place, const float *low, const float *high, size_t columns,
               ImU32 colour, float thick)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float bottom = place.from.y + place.size.y;
    const float step = place.size.x / static_cast<float>(columns);
    list->PrimReserve(static_cast<int>(columns) * 6, static_cast<int>(columns) * 4);
    size_t drawn = 0;
    for (size_t i = 0; i < columns; i++) {
        if (std::isnan(high[i])) {
            continue;
        }
        const float upper = bottom - place.size.y * height_of(static_cast<double>(high[i]),
                                                              place.top, place.is_log);
        const float lower = place.is_filled
                                ? bottom
                                : bottom - place.size.y * height_of(static_cast<double>(low[i]),
                                                                    place.top, place.is_log);
        const float x = place.from.x + static_cast<float>(i) * step;
        list->PrimRect(ImVec2(x, std::min(upper, lower - thick)), ImVec2(x + step, lower), colour);
        drawn++;
    }
    const int rest = static_cast<int>(columns - drawn);
    list->PrimUnreserve(rest * 6, rest * 4);
}

} // namespace

void panel_graph(const PanelPaper &paper, double now, const PanelLine *lines, size_t count,
                 double top, float height, bool is_log)
{
    const ImVec2 size(ImGui::GetContentRegionAvail().x, height * paper.unit);
    const GraphPlace place = {ImGui::GetCursorScreenPos(), size, top, is_log, count == 1};
    ImGui::Dummy(size);
    if (size.x < 8 || !(top > 0)) {
        return;
    }
    ImGui::GetWindowDrawList()->AddRectFilled(place.from,
                                              ImVec2(place.from.x + size.x, place.from.y + size.y),
                                              IM_COL32(255, 255, 255, 14));
    const float column = std::max(2 * paper.unit, 1.0f);
    const size_t columns = std::clamp<size_t>(static_cast<size_t>(size.x / column), 2, COLUMNS_MAX);
    float low[COLUMNS_MAX], high[COLUMNS_MAX];
    for (size_t i = 0; i < count; i++) {
        series_ring_columns(paper.ring, lines[i].series, now, columns, low, high);
        draw_line(place, low, high, columns, lines[i].colour, std::max(1.0f, 2 * paper.unit));
    }
}

void panel_bar(const PanelPaper &paper, const PanelPart *parts, size_t count, double whole,
               float width)
{
    const float height = std::floor(ImGui::GetTextLineHeight() - 3 * paper.unit);
    ImVec2 from = ImGui::GetCursorScreenPos();
    ImGui::Dummy(ImVec2(width, ImGui::GetTextLineHeight()));
    from.y += 2 * paper.unit;
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(from, ImVec2(from.x + width, from.y + height), IM_COL32(255, 255, 255, 22));
    const float end = from.x + width;
    for (size_t i = 0; i < count && whole > 0; i++) {
        float part = width * static_cast<float>(std::max(parts[i].value, 0.0) / whole);
        part = std::min(part, end - from.x);
        if (parts[i].value > 0) {
            part = std::max(part, 1.0f); // a nonzero part is visible
        }
        list->AddRectFilled(from, ImVec2(from.x + part, from.y + height), parts[i].colour);
        from.x += part;
    }
}

PanelNumber panel_number(double value)
{
    PanelNumber number;
    const int places = value < 99.995 ? 2 : value < 9999.95 ? 1 : 0;
    std::snprintf(number.text, sizeof number.text, "%6.*f", places, value);
    return number;
}

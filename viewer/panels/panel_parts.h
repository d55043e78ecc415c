/// What the panels are made of: one function for each, which draws into the present window of Dear
/// ImGui. C++.
#ifndef TERRANE_VIEWER_PANEL_PARTS_H
#define TERRANE_VIEWER_PANEL_PARTS_H

#include <imgui.h>

#include "panels/panel.h"
#include "series/series_ring.h"

/// Each changes a few times a second, so that digits can be read.
struct PanelSummaries {
    SeriesRingSummary of[SERIES_COUNT];
    double until;  // when the next is due, seconds
    unsigned next; // which it is
};

/// What a panel draws with.
struct PanelPaper {
    const SeriesRing *ring;
    const SeriesRingSummary *summaries; // [SERIES_COUNT]
    ImFont *large;
    float unit;      // a pixel where text has its usual size
    Settings *draft; // what a slider is at while it is held
};

/// A line of a graph.
struct PanelLine {
    Series series;
    ImU32 colour;
};

/// A graph of the last seconds. @param top  the value at its upper edge; above 1 us on a
/// logarithmic scale where is_log
void panel_graph(const PanelPaper &paper, double now, const PanelLine *lines, size_t count,
                 double top, float height, bool is_log);

void panel_show_frame(const PanelPaper &paper, const PanelFigures &figures);
void panel_show_gather(const PanelPaper &paper, const PanelFigures &figures, PanelChoices *choices);
void panel_show_chunks(const PanelPaper &paper, const PanelFigures &figures);
void panel_show_memory(const PanelPaper &paper, const PanelFigures &figures);
void panel_show_stream(const PanelPaper &paper, const PanelFigures &figures);
void panel_show_place(const PanelFigures &figures);
void panel_show_menu(const PanelPaper &paper, const Overlay &overlay, PanelChoices *choices);
/// The menu's width, pixels.
float panel_menu_width();

/// A bar as wide as there is room, of parts one behind the other. @param whole  what fills it
struct PanelPart {
    double value;
    ImU32 colour;
};
void panel_bar(const PanelPaper &paper, const PanelPart *parts, size_t count, double whole,
               float width);

/// A number in six characters, as finely as it goes in.
struct PanelNumber {
    char text[24];
};
PanelNumber panel_number(double value);

/// The title of what follows, on a line of its own.
void panel_heading(const char *text);

constexpr ImU32 PANEL_GREEN = IM_COL32(140, 235, 153, 255);
constexpr ImU32 PANEL_BLUE = IM_COL32(140, 190, 250, 255);
constexpr ImU32 PANEL_VIOLET = IM_COL32(214, 160, 250, 255);
constexpr ImU32 PANEL_ORANGE = IM_COL32(250, 150, 105, 255);
constexpr ImU32 PANEL_YELLOW = IM_COL32(250, 200, 107, 255);
constexpr ImU32 PANEL_GREY = IM_COL32(130, 140, 155, 255);
constexpr ImU32 PANEL_RED = IM_COL32(255, 90, 80, 255);

#endif

/// The widgets of the panels. Each function draws into the current window of Dear ImGui. C++.
#pragma once

#include <imgui.h>

#include "panels/panel_figures.h"
#include "panels/panel_widgets.h"
#include "series/series.h"

/// Summaries of the series. Each is updated a few times a second, so that digits are readable.
struct PanelSummaries {
    SeriesRingSummary of[SERIES_COUNT];
    double until;  // when the next update is due, seconds
    unsigned next; // the series to update next
};

/// The search of all settings. It takes the first letter typed.
struct PanelSearch {
    char text[48];
    PanelLetters typed;
    bool is_active; // in the last frame
};

/// What all widgets need to draw.
struct PanelPaper {
    const SeriesRing *ring;
    const SeriesRingSummary *summaries; // [SERIES_COUNT]
    ImFont *large;
    float unit;      // a pixel at the usual text size
    Settings *draft; // value of a slider while it is dragged
    PanelSearch *search;
};

/// A line of a graph.
struct PanelLine {
    Series series;
    ImU32 colour;
};

/// Draws a graph of the last seconds.
/// @param top     the value at the upper edge
/// @param is_log  logarithmic scale, from 1 us; `top` is above 1
void panel_graph(const PanelPaper &paper, double now, const PanelLine *lines, size_t count,
                 double top, float height, bool is_log);

void panel_show_frame(const PanelPaper &paper, const PanelFigures &figures);
void panel_show_gather(const PanelPaper &paper, const PanelFigures &figures, PanelChoices *choices);
void panel_show_chunks(const PanelPaper &paper, const PanelFigures &figures);
void panel_show_memory(const PanelPaper &paper, const PanelFigures &figures);
void panel_show_stream(const PanelPaper &paper, const PanelFigures &figures);
void panel_show_place(const PanelFigures &figures);
struct PanelKeys;
void panel_show_menu(const PanelPaper &paper, const Overlay &overlay, PanelKeys *keys,
                     PanelChoices *choices);
/// The menu's width, pixels. @param is_wide  of the page of keys
float panel_menu_width(bool is_wide);

/// Draws a bar over the available width, made of consecutive parts. @param whole  the value that
/// fills the bar
struct PanelPart {
    double value;
    ImU32 colour;
};
void panel_bar(const PanelPaper &paper, const PanelPart *parts, size_t count, double whole,
               float width);

/// A number in six characters, as precise as fits.
struct PanelNumber {
    char text[24];
};
PanelNumber panel_number(double value);

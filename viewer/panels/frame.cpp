// The panel "frame": frame times, and what gathering the frame's chunks costs in each container.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "panels/panel_parts.h"
#include "series/series.h"

namespace {

constexpr float GRAPH_HEIGHT = 24, GATHER_HEIGHT = 64;
constexpr double HEADROOM = 1.3; // top of a graph, times its p99: higher spikes are cut off

/// Shows a series: its name, its figures and its graph.
void show_series(const PanelPaper &paper, double now, Series series, const char *name, ImU32 colour)
{
    const SeriesRingSummary &of = paper.summaries[series];
    const PanelLine line = {series, colour};
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::Text("%-7s", name);
    ImGui::PopStyleColor();
    ImGui::SameLine(0, 0);
    ImGui::Text("%s  p50 %s  p99 %s  max %s %s", panel_number(of.last).text,
                panel_number(of.p50).text, panel_number(of.p99).text, panel_number(of.max).text,
                series_info(series).unit);
    panel_graph(paper, now, &line, 1, std::max(of.p99 * HEADROOM, 1e-3), GRAPH_HEIGHT, false);
}

struct Contender {
    Series series;
    const char *name;
    ImU32 colour;
    bool is_there;
    const char *instead; // shown if is_there is false
};

void show_contender(const PanelPaper &paper, const Contender &who)
{
    const SeriesRingSummary &of = paper.summaries[who.series];
    ImGui::PushStyleColor(ImGuiCol_Text, who.colour);
    ImGui::Text("%-19s", who.name);
    ImGui::PopStyleColor();
    ImGui::SameLine(0, 0);
    if (!who.is_there) {
        ImGui::TextDisabled("%s", who.instead);
    } else {
        ImGui::Text("%s  p50 %s  p99 %s us", panel_number(of.last).text, panel_number(of.p50).text,
                    panel_number(of.p99).text);
    }
}

GatherVerdict verdict_of(const PanelPaper &paper)
{
    double medians[SERIES_COUNT];
    for (int i = 0; i < SERIES_COUNT; i++) {
        medians[i] = paper.summaries[i].p50;
    }
    return gather_verdict(medians);
}

/// Shows in large text the time of the fastest map divided by Terrane's; nothing of it if the view
/// is small, because the ratio then means little.
void show_ratio(const PanelPaper &paper, const GatherVerdict &verdict, bool is_warm)
{
    if (verdict.by_best <= 0 || verdict.is_small) {
        ImGui::TextDisabled(verdict.is_small ? "too few chunks to compare" : "no ratio yet");
        return;
    }
    const char *const medians = is_warm ? "medians of 10 s, caches warm" : "medians of 10 s";
    ImGui::PushFont(paper.large);
    ImGui::PushStyleColor(ImGuiCol_Text, verdict.by_best < 1 ? PANEL_ORANGE : PANEL_GREEN);
    ImGui::Text(verdict.by_best < 9.95 ? "%.1fx" : "%.0fx", verdict.by_best);
    ImGui::PopStyleColor();
    ImGui::PopFont();
    ImGui::SameLine(0, 10 * paper.unit);
    ImGui::BeginGroup();
    ImGui::Text("%s / Terrane", gather_way_name(verdict.best));
    if (verdict.best == verdict.map) {
        ImGui::TextUnformatted(medians);
    } else {
        const char *const before = is_warm ? "\n" : "; "; // one line fits 38 letters
        ImGui::Text("%s%sunordered_map %.1fx", medians, before, verdict.by_map);
    }
    ImGui::EndGroup();
}

void show_answers(const PanelFigures &figures)
{
    const auto compared = static_cast<unsigned long long>(figures.compared);
    if (figures.equal == figures.compared) {
        ImGui::TextDisabled("the same chunks from all in %llu of %llu frames", compared, compared);
        return;
    }
    ImGui::PushStyleColor(ImGuiCol_Text, PANEL_RED);
    ImGui::Text("answers DIFFER in %llu of %llu frames",
                static_cast<unsigned long long>(figures.compared - figures.equal), compared);
    ImGui::PopStyleColor();
}

void show_comparison(const PanelPaper &paper, const PanelFigures &figures)
{
    const GatherVerdict verdict = verdict_of(paper); // the faster lookup of each map
    const Contender contenders[] = {
        {SERIES_GATHER_INDEX, "Terrane", PANEL_GREEN, true, ""},
        {SERIES_GATHER_ARRAY, "flat array", PANEL_BLUE, figures.has_array, "too far apart for one"},
        {verdict.flat_map, "boost flat map", PANEL_VIOLET, figures.has_flat_map,
         "not built in: no Boost 1.81"},
        {verdict.map, "std::unordered_map", PANEL_ORANGE, true, ""},
    };
    PanelLine lines[4];
    double top = 10;
    for (size_t i = 0; i < 4; i++) {
        show_contender(paper, contenders[i]);
        lines[i] = {contenders[i].series, contenders[i].colour};
        top = std::max(top, paper.summaries[contenders[i].series].p99 * 2);
    }
    panel_graph(paper, figures.seconds, lines, 4, top, GATHER_HEIGHT, true);
    show_ratio(paper, verdict, figures.is_warm);
    show_answers(figures);
}

} // namespace

void panel_show_frame(const PanelPaper &paper, const PanelFigures &figures)
{
    const double now = figures.seconds;
    ImGui::TextColored(ImVec4(0.98f, 0.78f, 0.42f, 1), "the last 10 s");
    ImGui::SameLine();
    const double rate = series_ring_rate(paper.ring);
    ImGui::TextDisabled("%4.*f frames a second", rate < 10 ? 1 : 0, rate);
    show_series(paper, now, SERIES_FRAME, "frame", PANEL_YELLOW);
    show_series(paper, now, SERIES_UPDATE, "update", PANEL_GREEN);
    show_series(paper, now, SERIES_CULL, "cull", PANEL_BLUE);
    show_series(paper, now, SERIES_UPLOAD, "upload", PANEL_VIOLET);
    ImGui::TextDisabled("processor %s ms", panel_number(paper.summaries[SERIES_WORK].p50).text);
    ImGui::TextDisabled("panels %.2f  p99 %.2f ms, outside frame and driver",
                        paper.summaries[SERIES_PANEL].p50 * 1e-3,
                        paper.summaries[SERIES_PANEL].p99 * 1e-3);
}

void panel_show_gather(const PanelPaper &paper, const PanelFigures &figures, PanelChoices *choices)
{
    char title[64];
    std::snprintf(title, sizeof title, "gathering %.0f chunks, in us, logarithmic",
                  figures.frame.values[SERIES_GATHERED]);
    panel_heading(title);
    if (choices->settings.compare && figures.compared) {
        show_comparison(paper, figures);
    } else {
        show_series(paper, figures.seconds, SERIES_GATHER, "gather", PANEL_GREEN);
    }
    choices->changed |= ImGui::Checkbox("compare (after the frame, not in its figures)",
                                        &choices->settings.compare);
}

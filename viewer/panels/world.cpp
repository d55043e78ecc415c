// The panel "world": chunks, memory, queues, and the chunk that the camera looks at.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "panels/panel_parts.h"

namespace {

const ImVec4 WARNING(1, 0.6f, 0.3f, 1);

double mebibytes(size_t bytes)
{
    return static_cast<double>(bytes) / (1024.0 * 1024.0);
}

/// Shows a name, a bar and a size, such as "12.3 MiB".
void show_bytes(const PanelPaper &paper, const char *name, size_t bytes, size_t whole, ImU32 colour)
{
    const PanelPart part = {static_cast<double>(bytes), colour};
    const float letter = ImGui::CalcTextSize("0").x;
    ImGui::TextUnformatted(name);
    ImGui::SameLine(15 * letter + ImGui::GetStyle().WindowPadding.x, 0);
    panel_bar(paper, &part, 1, static_cast<double>(whole),
              ImGui::GetContentRegionAvail().x - 11 * letter);
    ImGui::SameLine(0, 0);
    ImGui::Text("%7.1f MiB", mebibytes(bytes));
}

/// Shows a coloured square, a name and a count.
void show_key(const PanelPaper &paper, ImU32 colour, const char *name, uint32_t count)
{
    const float edge = std::floor(ImGui::GetTextLineHeight() * 0.6f);
    ImVec2 from = ImGui::GetCursorScreenPos();
    from.y += std::floor((ImGui::GetTextLineHeight() - edge) / 2);
    ImGui::GetWindowDrawList()->AddRectFilled(from, ImVec2(from.x + edge, from.y + edge), colour);
    ImGui::Dummy(ImVec2(edge, ImGui::GetTextLineHeight()));
    ImGui::SameLine(0, 4 * paper.unit);
    ImGui::Text("%-7s %6u", name, count);
}

/// Moves to a column of the three columns of keys.
void next_key(int column)
{
    const float left = ImGui::GetStyle().WindowPadding.x;
    if (column) {
        ImGui::SameLine(left + static_cast<float>(column) *
                                   (ImGui::GetWindowContentRegionMax().x - left) / 3);
    }
}

void show_times(const PanelFigures &figures, TrnStreamStage stage, const char *name)
{
    const TrnStreamTimes &times = figures.stream.times[stage];
    ImGui::Text("%-14s %8llu  p50 %s  p99 %s ms", name,
                static_cast<unsigned long long>(times.count), panel_number(times.p50 * 1e-3).text,
                panel_number(times.p99 * 1e-3).text);
}

} // namespace

void panel_show_chunks(const PanelPaper &paper, const PanelFigures &figures)
{
    const TrnStreamStats &stream = figures.stream;
    const uint32_t only_there = stream.loaded - std::min(stream.loaded, stream.shown);
    const PanelPart parts[] = {{static_cast<double>(stream.shown), PANEL_GREEN},
                               {static_cast<double>(only_there), PANEL_BLUE}};
    panel_bar(paper, parts, 2, std::max(stream.wanted, stream.loaded),
              ImGui::GetContentRegionAvail().x);
    show_key(paper, PANEL_GREEN, "shown", stream.shown);
    next_key(1);
    show_key(paper, PANEL_BLUE, "no mesh", only_there);
    next_key(2);
    show_key(paper, IM_COL32(255, 255, 255, 40), "wanted", stream.wanted);
    show_key(paper, PANEL_YELLOW, "unloading", stream.unloading);
    next_key(1);
    show_key(paper, PANEL_VIOLET, "changed", stream.unsaved);
    next_key(2);
    show_key(paper, PANEL_RED, "failed", stream.failed);
    const double *const values = figures.frame.values;
    ImGui::Text("drawn %.0f chunks, %.0f quads, %.0f calls; %.0f hidden", values[SERIES_SEEN],
                values[SERIES_QUADS], values[SERIES_DRAW_CALLS], values[SERIES_BEHIND_LAND]);
    if (figures.view.is_shrunk) {
        ImGui::TextColored(WARNING, "view  %u of %u chunks: no memory for more", figures.view.rings,
                           figures.view.rings_wanted);
    } else {
        ImGui::Text("view  %u of %u chunks", figures.view.rings, figures.view.rings_wanted);
    }
    if (figures.refused) {
        ImGui::TextColored(WARNING, "%u chunks do not fit on the graphics card", figures.refused);
    }
}

void panel_show_memory(const PanelPaper &paper, const PanelFigures &figures)
{
    const TrnStreamStats &stream = figures.stream;
    const TrnStoreStats &store = figures.store;
    const size_t whole = stream.bytes_max ? stream.bytes_max : stream.total_bytes;
    const size_t named = store.voxel_bytes + store.header_bytes + store.index_bytes;
    if (stream.bytes_max) {
        panel_heading("memory, bars by the limit");
    } else {
        panel_heading("memory, no limit");
    }
    show_bytes(paper, "voxels", store.voxel_bytes, whole, PANEL_GREEN);
    show_bytes(paper, "headers", store.header_bytes, whole, PANEL_BLUE);
    show_bytes(paper, "index", store.index_bytes, whole, PANEL_VIOLET);
    show_bytes(paper, "rest of store", stream.store_bytes - std::min(named, stream.store_bytes),
               whole, PANEL_GREY);
    show_bytes(paper, "meshes waiting", stream.mesh_bytes, whole, PANEL_YELLOW);
    show_bytes(paper, "streaming", stream.stream_bytes, whole, PANEL_ORANGE);
    show_bytes(paper, "land, workers", stream.scratch_bytes, whole, PANEL_GREY);
    const bool is_tight = stream.bytes_max && stream.total_bytes > stream.bytes_max / 20 * 19;
    show_bytes(paper, "all of these", stream.total_bytes, whole,
               is_tight ? PANEL_RED : IM_COL32(230, 230, 230, 255));
    if (stream.bytes_max) {
        ImGui::Text("of %.0f MiB", mebibytes(stream.bytes_max));
    }
    show_bytes(paper, "graphics card", figures.card_bytes, figures.card_peak, PANEL_BLUE);
    if (figures.edit_bytes) {
        show_bytes(paper, figures.is_saving ? "to be saved" : "kept edits", figures.edit_bytes,
                   figures.edit_bytes_max, PANEL_YELLOW);
    }
}

void panel_show_stream(const PanelPaper &paper, const PanelFigures &figures)
{
    const TrnStreamStats &stream = figures.stream;
    panel_heading("streaming");
    ImGui::Text("update %.2f of %.1f ms, %u worker%s, %u under way",
                paper.summaries[SERIES_UPDATE].p50, figures.budget_ms, stream.workers,
                stream.workers == 1 ? "" : "s", stream.under_way);
    const PanelPart parts[] = {
        {static_cast<double>(stream.queued_lanes[TRN_STREAM_LANE_URGENT]), PANEL_RED},
        {static_cast<double>(stream.queued_lanes[TRN_STREAM_LANE_VISIBLE]), PANEL_YELLOW},
        {static_cast<double>(stream.queued_lanes[TRN_STREAM_LANE_REST]), PANEL_GREY}};
    panel_bar(paper, parts, 3, std::max(stream.queued, 1u), ImGui::GetContentRegionAvail().x);
    show_key(paper, PANEL_RED, "edits", stream.queued_lanes[TRN_STREAM_LANE_URGENT]);
    next_key(1);
    show_key(paper, PANEL_YELLOW, "in view", stream.queued_lanes[TRN_STREAM_LANE_VISIBLE]);
    next_key(2);
    show_key(paper, PANEL_GREY, "rest", stream.queued_lanes[TRN_STREAM_LANE_REST]);
    ImGui::Text("queued %u: %u to generate, %u to mesh", stream.queued, stream.queued_to_generate,
                stream.queued_to_mesh);
    show_times(figures, TRN_STREAM_STAGE_GENERATE, "generate");
    show_times(figures, TRN_STREAM_STAGE_MESH, "mesh");
    show_times(figures, TRN_STREAM_STAGE_WANTED_TO_SHOWN, "wanted to shown");
    show_times(figures, TRN_STREAM_STAGE_EDIT_TO_SHOWN, "edit to shown");
}

void panel_show_place(const PanelFigures &figures)
{
    char heading[64] = "here, on foot";
    if (!figures.walking) {
        std::snprintf(heading, sizeof heading, "here, at %.0f voxels a second",
                      static_cast<double>(figures.speed));
    }
    panel_heading(heading);
    ImGui::Text("at %.1f  %.1f  %.1f", figures.voxel[0], figures.voxel[1], figures.voxel[2]);
    const DebrisStats &debris = figures.debris;
    if (debris.capacity) {
        ImGui::Text("debris %u of %u bits, %u at rest, %.0f us", debris.alive, debris.capacity,
                    debris.resting, debris.step_us);
        ImGui::TextDisabled("when full, unseen bits go first, then the oldest");
    }
    if (figures.looked_at) {
        panel_heading(figures.looked_at);
        ImGui::TextWrapped("%s", figures.why_shown);
        ImGui::TextWrapped("%s", figures.why_there);
    }
}

#include "index_view/panel_index.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include <imgui.h>

#include "index_view/index_slice.h"
#include "render/gl.h"

namespace {

constexpr float SLICE_EDGE = 268; // points, at a font size of 13
constexpr uint32_t STEPS_SHOWN = 6;
constexpr float EDGE = 12;     // between the picture's edge and the window's
constexpr float MIN_EDGE = 48; // of the window, in the smallest picture

/// One slice and its picture.
struct Slice {
    IndexSlice slice;
    GLuint texture;
    int32_t width, height; // of the texture
    uint8_t *rgba, *sent;  // [capacity] pixels painted last; pixels uploaded last
    size_t capacity;
    uint64_t revision; // of the view, when painted
    int32_t edge;      // pixels, when painted
};

} // namespace

struct PanelIndexArt {
    Slice slices[2]; // from above, from the side
    double paint_us; // of the last slice painted
    ImVec2 room;     // display size in the last frame
};

namespace {

// ---- pictures -----------------------------------------------------------------------------------

bool reserve(Slice *slice, size_t bytes)
{
    if (bytes <= slice->capacity) {
        return true;
    }
    auto *rgba = static_cast<uint8_t *>(std::realloc(slice->rgba, bytes));
    slice->rgba = rgba ? rgba : slice->rgba;
    auto *sent = static_cast<uint8_t *>(std::realloc(slice->sent, bytes));
    slice->sent = sent ? sent : slice->sent;
    if (rgba && sent) {
        slice->capacity = bytes;
    }
    return rgba && sent;
}

void send(Slice *slice, int32_t width, int32_t height)
{
    const size_t bytes = static_cast<size_t>(width) * static_cast<size_t>(height) * 4;
    const bool is_resized = width != slice->width || height != slice->height;
    if (!is_resized && std::memcmp(slice->rgba, slice->sent, bytes) == 0) {
        return;
    }
    glBindTexture(GL_TEXTURE_2D, slice->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    if (is_resized) {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     slice->rgba);
    } else {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
                        slice->rgba);
    }
    std::memcpy(slice->sent, slice->rgba, bytes);
    slice->width = width;
    slice->height = height;
}

/// Paints a slice. If out of memory, the old picture stays.
void paint(Slice *slice, const IndexView *view, bool from_side, int32_t edge)
{
    const IndexSlice fit = index_slice_fit(view, from_side, edge);
    int32_t width, height;
    index_slice_size(&fit, &width, &height);
    if (reserve(slice, static_cast<size_t>(width) * static_cast<size_t>(height) * 4)) {
        slice->slice = fit;
        index_slice_paint(&fit, view, slice->rgba);
        send(slice, width, height);
    }
}

/// Paints at most one slice a frame, because two would take too long.
void paint_next(PanelIndexArt *art, const IndexView *view, int32_t edge)
{
    for (Slice &slice : art->slices) {
        if (slice.revision != view->revision || slice.edge != edge) {
            const auto start = std::chrono::steady_clock::now();
            paint(&slice, view, &slice != art->slices, edge);
            slice.revision = view->revision;
            slice.edge = edge;
            const std::chrono::duration<double, std::micro> took =
                std::chrono::steady_clock::now() - start;
            art->paint_us = took.count();
            return;
        }
    }
}

// ---- the window ---------------------------------------------------------------------------------

ImVec4 colour_of(const uint8_t rgb[3])
{
    return ImVec4(static_cast<float>(rgb[0]) / 255, static_cast<float>(rgb[1]) / 255,
                  static_cast<float>(rgb[2]) / 255, 1);
}

void show_planes(IndexView *view)
{
    Message label;
    if (!index_view_plane_label(view, view->source, view->plane, &label)) {
        return;
    }
    ImGui::SetNextItemWidth(-1);
    if (!ImGui::BeginCombo("##plane", label.text)) {
        return;
    }
    for (uint32_t source = 0; source < view->source_count; source++) {
        for (TrnPlane plane = 0; index_view_plane_label(view, source, plane, &label); plane++) {
            uint8_t rgb[3];
            index_view_plane_colour(source, plane, rgb);
            ImGui::PushStyleColor(ImGuiCol_Text, colour_of(rgb));
            if (ImGui::Selectable(label.text, source == view->source && plane == view->plane)) {
                index_view_choose(view, source, plane);
            }
            ImGui::PopStyleColor();
        }
    }
    ImGui::EndCombo();
}

/// Chooses the clicked chunk; a click on the chosen chunk cancels the choice.
void choose_chunk(const Slice *slice, IndexView *view)
{
    if (!ImGui::IsItemClicked()) {
        return;
    }
    const ImVec2 from = ImGui::GetItemRectMin(), mouse = ImGui::GetIO().MousePos;
    const TrnCoord chunk =
        index_slice_chunk(&slice->slice, view, static_cast<int32_t>(mouse.x - from.x),
                          static_cast<int32_t>(mouse.y - from.y));
    const TrnCoord &old = view->chosen;
    const bool is_same = old.x == chunk.x && old.y == chunk.y && old.z == chunk.z;
    view->has_chosen = !(view->has_chosen && is_same);
    view->chosen = chunk;
    view->about = nullptr; // until it is examined
}

void show_slice(const Slice *slice, IndexView *view, const char *title, float edge)
{
    ImGui::BeginGroup();
    ImGui::TextUnformatted(title);
    const ImVec2 from = ImGui::GetCursorPos();
    const auto width = static_cast<float>(slice->width), height = static_cast<float>(slice->height);
    // At whole pixels, so that pixels of slice and screen match.
    ImGui::SetCursorPos(
        ImVec2(std::floor(from.x + (edge - width) / 2), std::floor(from.y + (edge - height) / 2)));
    ImGui::Image(reinterpret_cast<ImTextureID>(static_cast<intptr_t>(slice->texture)),
                 ImVec2(width, height));
    choose_chunk(slice, view);
    ImGui::SetCursorPos(from);
    ImGui::Dummy(ImVec2(edge, edge));
    ImGui::EndGroup();
}

/// Draws a square of the key and its text.
void show_key(const uint8_t rgb[3], const char *text)
{
    const float edge = ImGui::GetFontSize();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x, at.y + edge * 0.15f),
                                              ImVec2(at.x + edge * 0.7f, at.y + edge * 0.85f),
                                              ImGui::ColorConvertFloat4ToU32(colour_of(rgb)));
    ImGui::Dummy(ImVec2(edge * 0.7f, edge));
    ImGui::SameLine(0, edge * 0.3f);
    ImGui::TextUnformatted(text);
}

void show_levels_key(const IndexView *view)
{
    for (uint32_t level = 0; level <= view->level_count; level++) {
        uint8_t rgb[3];
        Message text;
        index_view_level_colour(level, rgb);
        (void)message_set(&text, "level %u", level);
        show_key(rgb, text.text);
        ImGui::SameLine();
    }
    ImGui::NewLine();
}

void show_keys(const IndexView *view)
{
    uint8_t rgb[3];
    if (view->sources[view->source].has_levels) {
        show_levels_key(view);
        return;
    }
    index_view_plane_colour(view->source, view->plane, rgb);
    show_key(rgb, index_view_plane_name(view));
    const uint8_t chunk[3] = {112, 118, 128}; // as in index_slice.c
    ImGui::SameLine();
    show_key(chunk, "other chunks");
    const char *const names[] = {"directory", "flat array", "outlier", "sparse"};
    for (int mark = INDEX_VIEW_MARK_DIRECTORY; mark <= INDEX_VIEW_MARK_SPARSE; mark++) {
        ImGui::SameLine();
        index_view_mark_colour(static_cast<IndexViewMark>(mark), rgb);
        show_key(rgb, names[mark]);
    }
}

double kibibytes(size_t bytes)
{
    return static_cast<double>(bytes) / 1024;
}

double per_chunk(size_t bytes, size_t chunks)
{
    return chunks ? static_cast<double>(bytes) / static_cast<double>(chunks) : 0;
}

void show_index(const IndexView *view, uint32_t source)
{
    const TrnChunkIndexStats &stats = view->stats[source];
    const size_t in_directory = stats.pages - stats.outliers;
    ImGui::Text("%-10s %7zu chunks, %zu pages, %.0f %% full: %.0f KiB, %.1f bytes a chunk",
                view->sources[source].name, stats.chunks, stats.pages, 100 * stats.fill,
                kibibytes(stats.bytes), per_chunk(stats.bytes, stats.chunks));
    ImGui::Text("           directory of %zu cells, %zu spare, %u shapes; %zu outliers",
                stats.directory_cells, stats.directory_cells - in_directory,
                stats.directory_growths, stats.outliers);
    ImGui::Text("           %zu full pages: %.0f KiB; %zu sparse: %.0f KiB",
                stats.pages - stats.sparse_pages, kibibytes(stats.full_page_bytes),
                stats.sparse_pages, kibibytes(stats.sparse_page_bytes));
}

void show_levels(const IndexView *view)
{
    for (uint32_t level = 0; level <= view->level_count; level++) {
        const TrnChunkIndexStats &stats = level ? view->levels[level - 1] : view->stats[0];
        ImGui::Text("level %-4u %7zu chunks, %zu pages, %.0f %% full: %.0f KiB, %.1f bytes a chunk",
                    level, stats.chunks, stats.pages, 100 * stats.fill, kibibytes(stats.bytes),
                    per_chunk(stats.bytes, stats.chunks));
    }
}

void show_indexes(const IndexView *view)
{
    for (uint32_t source = 0; source < view->source_count; source++) {
        if (!view->sources[source].has_levels) {
            show_index(view, source);
        }
    }
}

void show_flat(const IndexView *view)
{
    const TrnSpatialArrayStats &flat = view->flat;
    if (!view->has_flat) {
        ImGui::TextUnformatted("flat array  none: the chunks lie too far apart for one");
        return;
    }
    const size_t waste = flat.cells ? flat.bytes / flat.cells * (flat.cells - flat.count) : 0;
    ImGui::Text("flat array %7zu chunks, %.0f %% full: %.0f KiB, %.1f bytes a chunk", flat.count,
                100 * flat.fill, kibibytes(flat.bytes), per_chunk(flat.bytes, flat.count));
    ImGui::Text("           %zu cells, %.0f KiB of them waste, %u growths", flat.cells,
                kibibytes(waste), flat.growths);
}

void show_steps(const IndexView *view)
{
    ImGui::Separator();
    ImGui::TextUnformatted("steps, the last one first");
    for (uint32_t back = 0; back < STEPS_SHOWN; back++) {
        IndexViewStep step;
        Message line;
        if (index_view_step(view, back, &step)) {
            index_view_describe_step(view, &step, &line);
            ImGui::TextUnformatted(line.text);
        } else {
            ImGui::TextUnformatted("");
        }
    }
}

void show_all(PanelIndexArt *art, IndexView *view, float edge)
{
    show_planes(view);
    show_slice(&art->slices[0], view, "from above, at the camera's height", edge);
    ImGui::SameLine();
    show_slice(&art->slices[1], view, "from the side", edge);
    show_keys(view);
    ImGui::Separator();
    if (view->has_chosen && view->about) {
        ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + 2 * edge);
        ImGui::TextUnformatted(view->about);
        ImGui::PopTextWrapPos();
        return;
    }
    ImGui::TextDisabled("click on a chunk: its life, memory and history (the mouse is free in "
                        "the pause)");
    if (view->sources[view->source].has_levels) {
        show_levels(view);
    } else {
        show_indexes(view);
        show_flat(view);
    }
    show_steps(view);
    ImGui::TextDisabled("ten times a second: a look %.0f us, each slice %.0f us", view->look_us,
                        art->paint_us);
}

} // namespace

PanelIndexArt *panel_index_create(void)
{
    auto *art = new (std::nothrow) PanelIndexArt();
    if (!art) {
        return nullptr;
    }
    for (Slice &slice : art->slices) {
        slice.texture = gl_texture_create(GL_NEAREST, GL_CLAMP_TO_EDGE);
    }
    return art;
}

void panel_index_destroy(PanelIndexArt *art)
{
    if (!art) {
        return;
    }
    for (Slice &slice : art->slices) {
        glDeleteTextures(1, &slice.texture);
        std::free(slice.rgba);
        std::free(slice.sent);
    }
    delete art;
}

void panel_index_show(PanelIndexArt *art, IndexView *view, float bottom)
{
    const float scale = ImGui::GetFontSize() / 13, edge = SLICE_EDGE * scale;
    paint_next(art, view, static_cast<int32_t>(edge));
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_AlwaysAutoResize |
                                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus;
    // The user can move the window; it returns to the edge when the picture's size changes.
    const ImVec2 room = ImGui::GetIO().DisplaySize;
    const bool is_resized = room.x != art->room.x || room.y != art->room.y;
    art->room = room;
    ImGui::SetNextWindowPos(ImVec2(std::max(room.x - EDGE, MIN_EDGE), EDGE),
                            is_resized ? ImGuiCond_Always : ImGuiCond_Appearing, ImVec2(1, 0));
    ImGui::SetNextWindowSizeConstraints(ImVec2(0, 0),
                                        ImVec2(std::max(room.x - 2 * EDGE, MIN_EDGE),
                                               std::max(room.y - 2 * EDGE - bottom, MIN_EDGE)));
    if (ImGui::Begin("Index", nullptr, flags)) {
        show_all(art, view, edge);
    }
    ImGui::End();
}

#include "panels/panel_palette.h"

#include <new>

#include <imgui.h>

#include <cctype>
#include <cmath>
#include <cstdio>

#include "hand/inventory.h"
#include "panels/picture_atlas.h"

namespace {

constexpr float PICTURE_EDGE = 40; // points, at a font size of 13
constexpr float GAP = 4;
constexpr double NAME_SECONDS = 1.5; // how long the name is shown after a choice

} // namespace

struct PanelPaletteArt {
    PictureAtlas atlas;
    TrnBlock told; // the chosen block, and since when it is chosen
    double told_since;
    // Where the bar was last shown, 0..1 of the window's width and height.
    ImVec2 from, to;
    uint32_t slots;
};

namespace {

void paint_all(PanelPaletteArt *art, const PanelPalette *palette, uint32_t count)
{
    for (uint32_t slot = 0; slot < count; slot++) {
        if (!picture_atlas_shows(&art->atlas, slot, palette->blocks[slot])) {
            picture_atlas_paint(&art->atlas, slot, palette->types, palette->blocks[slot]);
        }
    }
}

/// @param at  upper left corner
void show_slot(const PanelPaletteArt *art, uint32_t slot, bool chosen, ImVec2 at, float edge)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const PictureCorners corners = picture_atlas_corners(&art->atlas, slot);
    const ImVec2 end(at.x + edge, at.y + edge);
    list->AddRectFilled(at, end, IM_COL32(13, 18, 26, 170), edge * 0.1f);
    list->AddImage(picture_atlas_texture(&art->atlas), at, end, corners.least, corners.most);
    if (chosen) {
        list->AddRect(at, end, IM_COL32(255, 214, 120, 255), edge * 0.1f, 0, edge * 0.07f);
    }
    char digit[4];
    std::snprintf(digit, sizeof digit, "%u", slot + 1);
    list->AddText(ImVec2(at.x + edge * 0.08f, at.y + edge * 0.04f), IM_COL32(255, 255, 255, 190),
                  digit);
}

/// Writes the text below the bar: after a choice the block's name for a moment, and the tool.
void write_name(PanelPaletteArt *art, const PanelPalette *palette, char *text, size_t size)
{
    const TrnBlock block = palette->blocks[palette->chosen];
    if (block != art->told) {
        art->told = block;
        art->told_since = ImGui::GetTime();
    }
    char label[TRN_BLOCK_NAME_MAX + 1] = "";
    if (ImGui::GetTime() - art->told_since < NAME_SECONDS) {
        palette_label(trn_block_types_get(palette->types, block), label);
        label[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(label[0])));
    }
    std::snprintf(text, size, "%s%s%s", label, label[0] && palette->tool ? "   " : "",
                  palette->tool ? palette->tool : "");
}

void show_bar(PanelPaletteArt *art, const PanelPalette *palette, uint32_t count, float edge,
              float gap)
{
    const ImVec2 from = ImGui::GetCursorScreenPos();
    for (uint32_t slot = 0; slot < count; slot++) {
        show_slot(art, slot, slot == palette->chosen,
                  ImVec2(from.x + static_cast<float>(slot) * (edge + gap), from.y), edge);
    }
    const float width = static_cast<float>(count) * (edge + gap) - gap;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    art->from = ImVec2((from.x - gap / 2) / size.x, from.y / size.y);
    art->to = ImVec2((from.x + width + gap / 2) / size.x, (from.y + edge) / size.y);
    art->slots = count;
    ImGui::Dummy(ImVec2(width, edge));
    char name[TRN_BLOCK_NAME_MAX + 64];
    write_name(art, palette, name, sizeof name);
    const float space = (width - ImGui::CalcTextSize(name).x) / 2;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + (space > 0 ? space : 0));
    ImGui::TextUnformatted(name);
}

} // namespace

PanelPaletteArt *panel_palette_create(void)
{
    PanelPaletteArt *art = new (std::nothrow) PanelPaletteArt();
    if (!art) {
        return nullptr;
    }
    if (!picture_atlas_create(&art->atlas, PANEL_PALETTE_MAX)) {
        delete art;
        return nullptr;
    }
    return art;
}

void panel_palette_destroy(PanelPaletteArt *art)
{
    if (art) {
        picture_atlas_destroy(&art->atlas);
        delete art;
    }
}

void panel_palette_show_aim(void)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float x = std::floor(size.x / 2), y = std::floor(size.y / 2);
    const float arm = std::floor(ImGui::GetFontSize() * 0.6f), half = ImGui::GetFontSize() / 13;
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    for (int pass = 0; pass < 2; pass++) { // light with a dark edge: visible on every background
        const float edge = pass ? 0 : half;
        const ImU32 colour = pass ? IM_COL32(255, 255, 255, 220) : IM_COL32(0, 0, 0, 110);
        list->AddRectFilled(ImVec2(x - arm - edge, y - half - edge),
                            ImVec2(x + arm + edge, y + half + edge), colour);
        list->AddRectFilled(ImVec2(x - half - edge, y - arm - edge),
                            ImVec2(x + half + edge, y + arm + edge), colour);
    }
}

int panel_palette_slot(const PanelPaletteArt *art, float x, float y)
{
    const bool is_in = x >= art->from.x && x < art->to.x && y >= art->from.y && y < art->to.y;
    const float slots = static_cast<float>(art->slots);
    return is_in ? static_cast<int>((x - art->from.x) / (art->to.x - art->from.x) * slots) : -1;
}

void panel_palette_show(PanelPaletteArt *art, const PanelPalette *palette)
{
    const uint32_t count = palette->count < PANEL_PALETTE_MAX ? palette->count : PANEL_PALETTE_MAX;
    if (!count || palette->chosen >= count) {
        return;
    }
    paint_all(art, palette, count);
    const float scale = ImGui::GetFontSize() / 13;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    // In a narrow window the bar shrinks.
    const float room = (size.x - 24) / static_cast<float>(count) - GAP * scale;
    const float edge = PICTURE_EDGE * scale < room ? PICTURE_EDGE * scale : room;
    if (edge < 4) {
        return;
    }
    ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y - 4), ImGuiCond_Always, ImVec2(0.5f, 1));
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration |
                                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoInputs |
                                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoFocusOnAppearing |
                                   ImGuiWindowFlags_NoSavedSettings;
    ImGui::SetNextWindowBgAlpha(0.45f); // so that the name is readable on snow and sky
    if (ImGui::Begin("Palette", nullptr, flags)) {
        show_bar(art, palette, count, edge, GAP * scale);
    }
    ImGui::End();
}

#include "panels/panel_palette.h"

#include <new>

#include <glad/gl.h>
#include <imgui.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "render/block_picture.h"

namespace {

constexpr float PICTURE_EDGE = 40; // points, where the font has 13
constexpr float GAP = 4;
constexpr int NO_BLOCK = -1;

} // namespace

struct PanelPaletteArt {
    GLuint texture;                 // the pictures side by side
    int painted[PANEL_PALETTE_MAX]; // blocks
};

namespace {

void paint(PanelPaletteArt *art, uint32_t slot, const PanelPalette *palette)
{
    const TrnBlock block = palette->blocks[slot];
    BlockPicture picture;
    block_picture_paint(trn_block_types_get(palette->types, block), &picture);
    glBindTexture(GL_TEXTURE_2D, art->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(slot) * BLOCK_PICTURE_EDGE, 0,
                    BLOCK_PICTURE_EDGE, BLOCK_PICTURE_EDGE, GL_RGBA, GL_UNSIGNED_BYTE,
                    picture.texel);
    art->painted[slot] = block;
}

void paint_all(PanelPaletteArt *art, const PanelPalette *palette, uint32_t count)
{
    for (uint32_t slot = 0; slot < count; slot++) {
        if (art->painted[slot] != palette->blocks[slot]) {
            paint(art, slot, palette);
        }
    }
}

/// @param at  upper left corner
void show_slot(const PanelPaletteArt *art, uint32_t slot, bool chosen, ImVec2 at, float edge)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float part = 1.0f / PANEL_PALETTE_MAX, left = static_cast<float>(slot) * part;
    const ImVec2 end(at.x + edge, at.y + edge);
    list->AddRectFilled(at, end, IM_COL32(13, 18, 26, 170), edge * 0.1f);
    list->AddImage(reinterpret_cast<ImTextureID>(static_cast<intptr_t>(art->texture)), at, end,
                   ImVec2(left, 0), ImVec2(left + part, 1));
    if (chosen) {
        list->AddRect(at, end, IM_COL32(255, 214, 120, 255), edge * 0.1f, 0, edge * 0.07f);
    }
    char digit[4];
    std::snprintf(digit, sizeof digit, "%u", slot + 1);
    list->AddText(ImVec2(at.x + edge * 0.08f, at.y + edge * 0.04f), IM_COL32(255, 255, 255, 190),
                  digit);
}

/// The name as a person reads it: "terrane:oak_log" is "oak log".
void write_name(const PanelPalette *palette, char *text, size_t size)
{
    const char *name = trn_block_types_get(palette->types, palette->blocks[palette->chosen])->name;
    const char *colon = std::strchr(name, ':');
    std::snprintf(text, size, "%s%s%s", colon ? colon + 1 : name, palette->tool ? "   " : "",
                  palette->tool ? palette->tool : "");
    for (char *c = text; *c && *c != ' '; c++) {
        *c = *c == '_' ? ' ' : *c;
    }
}

void show_bar(const PanelPaletteArt *art, const PanelPalette *palette, uint32_t count, float edge,
              float gap)
{
    const ImVec2 from = ImGui::GetCursorScreenPos();
    for (uint32_t slot = 0; slot < count; slot++) {
        show_slot(art, slot, slot == palette->chosen,
                  ImVec2(from.x + static_cast<float>(slot) * (edge + gap), from.y), edge);
    }
    const float width = static_cast<float>(count) * (edge + gap) - gap;
    ImGui::Dummy(ImVec2(width, edge));
    char name[TRN_BLOCK_NAME_MAX + 64];
    write_name(palette, name, sizeof name);
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
    for (int &block : art->painted) {
        block = NO_BLOCK;
    }
    glGenTextures(1, &art->texture);
    glBindTexture(GL_TEXTURE_2D, art->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, PANEL_PALETTE_MAX * BLOCK_PICTURE_EDGE,
                 BLOCK_PICTURE_EDGE, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    return art;
}

void panel_palette_destroy(PanelPaletteArt *art)
{
    if (art) {
        glDeleteTextures(1, &art->texture);
        delete art;
    }
}

void panel_palette_show_aim(void)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float x = std::floor(size.x / 2), y = std::floor(size.y / 2);
    const float arm = std::floor(ImGui::GetFontSize() * 0.6f), half = ImGui::GetFontSize() / 13;
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    for (int pass = 0; pass < 2; pass++) { // light with a dark edge: seen on everything
        const float edge = pass ? 0 : half;
        const ImU32 colour = pass ? IM_COL32(255, 255, 255, 220) : IM_COL32(0, 0, 0, 110);
        list->AddRectFilled(ImVec2(x - arm - edge, y - half - edge),
                            ImVec2(x + arm + edge, y + half + edge), colour);
        list->AddRectFilled(ImVec2(x - half - edge, y - arm - edge),
                            ImVec2(x + half + edge, y + arm + edge), colour);
    }
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
    // Where the window is narrow, the bar is as well.
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
    ImGui::SetNextWindowBgAlpha(0.45f); // the name is read on snow and sky
    if (ImGui::Begin("Palette", nullptr, flags)) {
        show_bar(art, palette, count, edge, GAP * scale);
    }
    ImGui::End();
}

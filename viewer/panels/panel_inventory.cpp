#include "panels/panel_inventory.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <new>

#define GLFW_INCLUDE_NONE // glad includes OpenGL
#include <GLFW/glfw3.h>
#include <imgui.h>

#include "panels/panel_widgets.h"
#include "panels/picture_atlas.h"

namespace {

constexpr float TILE = 40; // points, at a font size of 13
constexpr float EDGE = 12;
constexpr float WIDTH = 760;
constexpr float HEIGHT = 520;
constexpr float SEARCH = 8;     // least width of the search field, in the font's heights
constexpr int PAINTED_MAX = 12; // pictures painted in a frame, up to a millisecond each, in
                                // addition to the bar's
constexpr const char *PAYLOAD = "block";

} // namespace

struct PanelInventory {
    PictureAtlas tiles, bar;
    uint32_t *shown; // [capacity] the tiles that match tab and search
    uint32_t capacity;
    InventoryTab tab;
    char search[64];
    bool is_searching;  // the search field was active in the last frame
    PanelLetters typed; // for the search field
    int paintable;      // pictures still to paint in this frame
    char told[TRN_BLOCK_NAME_MAX + 1];
};

namespace {

/// Grows the array of tiles with the inventory. @return false if out of memory
bool make_room(PanelInventory *panel, uint32_t count)
{
    if (panel->shown && panel->capacity >= count) {
        return true;
    }
    delete[] panel->shown;
    picture_atlas_destroy(&panel->tiles);
    panel->capacity = std::max(count, 1U);
    panel->shown = new (std::nothrow) uint32_t[panel->capacity];
    return panel->shown && picture_atlas_create(&panel->tiles, panel->capacity);
}

float tile_edge()
{
    return TILE * ImGui::GetFontSize() / 13;
}

/// Returns the distance from one tile to the next.
float tile_pitch(float edge)
{
    return edge + 2 * std::floor(edge / 16) + ImGui::GetStyle().ItemSpacing.x;
}

/// Returns the edge of the bar's slots: that of tiles, or less, so that all slots fit a narrow
/// window.
float slot_edge(uint32_t count)
{
    const float room = ImGui::GetContentRegionAvail().x + ImGui::GetStyle().ItemSpacing.x;
    float edge = tile_edge();
    while (edge > 8 && tile_pitch(edge) * static_cast<float>(count) > room) {
        edge -= 1;
    }
    return edge;
}

/// Puts the next item on the same line if its width fits.
void follow_if_fits(float width)
{
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    if (ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right) {
        ImGui::SameLine();
    }
}

/// Shows the block's picture as a button; its name if the atlas has no place for the picture.
bool show_picture(PanelInventory *panel, PictureAtlas *atlas, uint32_t place, float edge,
                  const TrnBlockTypes *types, TrnBlock block, const char *label, bool is_marked)
{
    if (!picture_atlas_has(atlas, place)) {
        return ImGui::Button(label, ImVec2(edge, edge));
    }
    if (!picture_atlas_shows(atlas, place, block) && panel->paintable > 0) {
        panel->paintable--;
        picture_atlas_paint(atlas, place, types, block);
    }
    const PictureCorners at = picture_atlas_corners(atlas, place);
    const ImVec4 back = is_marked ? ImVec4(1, 0.84f, 0.47f, 0.55f) : ImVec4(0, 0, 0, 0.25f);
    return ImGui::ImageButton(picture_atlas_texture(atlas), ImVec2(edge, edge), at.least, at.most,
                              static_cast<int>(edge / 16), back);
}

/// Makes the previous button a drag source, with its picture at the mouse.
void let_drag(const PictureAtlas *atlas, uint32_t place, TrnBlock block)
{
    if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_SourceNoHoldToOpenOthers)) {
        ImGui::SetDragDropPayload(PAYLOAD, &block, sizeof block);
        if (picture_atlas_has(atlas, place)) {
            const float edge = tile_edge();
            const PictureCorners at = picture_atlas_corners(atlas, place);
            ImGui::Image(picture_atlas_texture(atlas), ImVec2(edge, edge), at.least, at.most);
        }
        ImGui::EndDragDropSource();
    }
}

void put(InventoryChoice *choice, uint32_t slot, TrnBlock block)
{
    choice->has_slot = true;
    choice->slot = slot;
    choice->block = block;
}

/// Digit keys put the hovered or focused tile's block into a slot.
void listen_to_digits(const PanelPalette *bar, TrnBlock block, InventoryChoice *choice)
{
    for (uint32_t slot = 0; slot < bar->count && !ImGui::GetIO().WantTextInput; slot++) {
        if (ImGui::IsKeyPressed(GLFW_KEY_1 + static_cast<int>(slot), false)) {
            put(choice, slot, block);
        }
    }
}

void show_tile(PanelInventory *panel, const Inventory *inventory, uint32_t place,
               const PanelPalette *bar, InventoryChoice *choice)
{
    const InventoryTile *tile = &inventory->tiles[place];
    ImGui::PushID(static_cast<int>(place));
    if (show_picture(panel, &panel->tiles, place, tile_edge(), inventory->types, tile->block,
                     tile->label, false)) {
        put(choice, bar->chosen, tile->block);
    }
    const bool is_meant = ImGui::IsItemHovered() || ImGui::IsItemFocused();
    let_drag(&panel->tiles, place, tile->block);
    if (is_meant) {
        std::memcpy(panel->told, tile->label, sizeof panel->told);
        listen_to_digits(bar, tile->block, choice);
    }
    ImGui::PopID();
}

void show_tiles(PanelInventory *panel, const Inventory *inventory, const PanelPalette *bar,
                InventoryChoice *choice)
{
    const uint32_t count = inventory_find(inventory, panel->tab, panel->search, panel->shown);
    const float room = ImGui::GetContentRegionAvail().x + ImGui::GetStyle().ItemSpacing.x;
    const auto columns = std::max(1U, static_cast<uint32_t>(room / tile_pitch(tile_edge())));
    if (!count) {
        ImGui::TextDisabled("No block has this name.");
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>((count + columns - 1) / columns));
    while (clipper.Step()) {
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; row++) {
            const uint32_t from = static_cast<uint32_t>(row) * columns;
            for (uint32_t i = from; i < std::min(from + columns, count); i++) {
                if (i > from) {
                    ImGui::SameLine();
                }
                show_tile(panel, inventory, panel->shown[i], bar, choice);
            }
        }
    }
}

void show_slot(PanelInventory *panel, uint32_t slot, float edge, const PanelPalette *bar,
               InventoryChoice *choice)
{
    const TrnBlock block = bar->blocks[slot];
    panel->paintable = std::max(panel->paintable, 1);
    ImGui::PushID(static_cast<int>(slot));
    if (show_picture(panel, &panel->bar, slot, edge, bar->types, block, "", slot == bar->chosen)) {
        put(choice, slot, TRN_BLOCK_AIR);
    }
    if (ImGui::IsItemHovered() || ImGui::IsItemFocused()) {
        palette_label(trn_block_types_get(bar->types, block), panel->told);
    }
    let_drag(&panel->bar, slot, block); // a block dragged onto another slot swaps the two
    if (ImGui::BeginDragDropTarget()) {
        const ImGuiPayload *payload = ImGui::AcceptDragDropPayload(PAYLOAD);
        if (payload && payload->DataSize == static_cast<int>(sizeof block)) {
            TrnBlock dropped;
            std::memcpy(&dropped, payload->Data, sizeof dropped);
            put(choice, slot, dropped);
        }
        ImGui::EndDragDropTarget();
    }
    ImGui::PopID();
}

void show_bar(PanelInventory *panel, const PanelPalette *bar, InventoryChoice *choice)
{
    const float edge = slot_edge(bar->count);
    for (uint32_t slot = 0; slot < bar->count; slot++) {
        if (slot) {
            ImGui::SameLine();
        }
        show_slot(panel, slot, edge, bar, choice);
    }
}

void show_head(PanelInventory *panel, InventoryChoice *choice)
{
    for (int tab = 0; tab < INVENTORY_TAB_COUNT; tab++) {
        const bool is_chosen = tab == panel->tab;
        const char *title = inventory_tab_title(static_cast<InventoryTab>(tab));
        if (tab) {
            follow_if_fits(ImGui::CalcTextSize(title).x + 2 * ImGui::GetStyle().FramePadding.x);
        }
        if (is_chosen) {
            ImGui::PushStyleColor(ImGuiCol_Button, ImGui::GetStyleColorVec4(ImGuiCol_ButtonActive));
        }
        if (ImGui::Button(title)) {
            panel->tab = static_cast<InventoryTab>(tab);
        }
        if (is_chosen) {
            ImGui::PopStyleColor();
        }
    }
    const float close = ImGui::GetFrameHeight(), spacing = ImGui::GetStyle().ItemSpacing.x;
    follow_if_fits(SEARCH * ImGui::GetFontSize() + spacing + close);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - close - spacing);
    panel_keep_letters(&panel->typed, panel->is_searching, true);
    if (panel->typed.count) {
        ImGui::SetKeyboardFocusHere(); // active in the next frame
    }
    ImGui::InputTextWithHint("##search", "search", panel->search, sizeof panel->search);
    panel->is_searching = ImGui::IsItemActive();
    ImGui::SameLine();
    choice->close = ImGui::Button("x", ImVec2(close, 0));
}

void show_all(PanelInventory *panel, const Inventory *inventory, const PanelPalette *bar,
              bool touches, InventoryChoice *choice)
{
    const float tile = tile_edge();
    show_head(panel, choice);
    const float below = tile + 2 * std::floor(tile / 16) + ImGui::GetTextLineHeight() +
                        3 * ImGui::GetStyle().ItemSpacing.y;
    ImGui::BeginChild("tiles", ImVec2(0, std::max(-below, -ImGui::GetContentRegionAvail().y + 1)),
                      false, ImGuiWindowFlags_NavFlattened);
    show_tiles(panel, inventory, bar, choice);
    ImGui::EndChild();
    show_bar(panel, bar, choice);
    panel->told[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(panel->told[0])));
    ImGui::TextUnformatted(panel->told[0] ? panel->told
                           : touches      ? "Tap a block, or drag it into the bar."
                                          : "Click or drag a block into the bar; 1 to 9 do, too.");
}

} // namespace

PanelInventory *panel_inventory_create(void)
{
    PanelInventory *panel = new (std::nothrow) PanelInventory();
    if (panel && !picture_atlas_create(&panel->bar, PANEL_PALETTE_MAX)) {
        panel_inventory_destroy(panel);
        return nullptr;
    }
    return panel;
}

void panel_inventory_destroy(PanelInventory *panel)
{
    if (panel) {
        picture_atlas_destroy(&panel->tiles);
        picture_atlas_destroy(&panel->bar);
        delete[] panel->shown;
        delete panel;
    }
}

bool panel_inventory_is_typing(const PanelInventory *panel)
{
    return panel->typed.count > 0;
}

void panel_inventory_show(PanelInventory *panel, const Inventory *inventory,
                          const PanelPalette *bar, bool touches, InventoryChoice *choice)
{
    const float scale = ImGui::GetFontSize() / 13;
    const ImVec2 room = ImGui::GetIO().DisplaySize;
    if (!make_room(panel, inventory->count)) {
        choice->close = true;
        return;
    }
    panel->paintable = PAINTED_MAX;
    panel->told[0] = '\0';
    ImGui::SetNextWindowPos(ImVec2(room.x / 2, room.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(ImVec2(std::min(WIDTH * scale, room.x - 2 * EDGE),
                                    std::min(HEIGHT * scale, room.y - 2 * EDGE)));
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::SetNextWindowBgAlpha(0.94f);
    if (ImGui::Begin("Inventory", nullptr, flags)) {
        show_all(panel, inventory, bar, touches, choice);
    }
    ImGui::End();
}

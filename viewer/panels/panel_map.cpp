#include "panels/panel_map.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>

#include <imgui.h>

#include "message.h"
#include "panels/panel_widgets.h"
#include "render/gl.h"

namespace {

constexpr float EDGE = 12;
constexpr float LIST_WIDTH = 22;     // of the column of places, in the font's heights
constexpr float LIST_PART = 0.45f;   // of the window that it covers at most
constexpr int SENT_MAX = 4;          // tiles sent to the graphics card in a frame
constexpr float CLICK_PIXELS = 5;    // a mouse that moves less clicks; otherwise it drags
constexpr float MARK = 0.45f;        // half the size of a mark, in the font's heights
constexpr double LEGEND_WIDTH = 120; // pixels: greatest length of the scale's bar

constexpr ImU32 NIGHT = IM_COL32(13, 18, 26, 255);
constexpr ImU32 BAND = IM_COL32(8, 12, 18, 215);
constexpr ImU32 WHITE = IM_COL32(255, 255, 255, 255);
constexpr ImU32 SHADOW = IM_COL32(0, 0, 0, 170);

enum class Naming { none, added, renamed };

/// The part of the window in which the map is visible, and its scale.
struct Area {
    ImVec2 from, to;
    int unit;        // pixels of the screen for one of the map
    double per_unit; // voxels a pixel of the map
};

} // namespace

struct PanelMap {
    GLuint textures[WORLD_MAP_TILES];
    uint32_t pictures[WORLD_MAP_TILES]; // what the textures show
    int chosen;                         // place at the cross; -1: none
    Naming naming;
    bool naming_begins; // the field gets the focus
    bool is_typing;     // the field was active in the last frame
    PanelLetters typed; // for the field
    bool is_sure;       // the next press on Delete deletes
    bool is_open;       // for the second frame and later, and has the focus
    bool is_pressed;    // the mouse was pressed on the map
    bool is_dragged;    // it has moved since then
    ImVec2 grip;        // where it was pressed, or was in the last frame of a drag
    float wheel;        // remaining fraction of a notch
    char name[PLACES_NAME_MAX + 1];
};

namespace {

float letter()
{
    return ImGui::GetFontSize();
}

Area area_of(const MapFigures &figures)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const bool is_upright = size.y > size.x; // then the list lies below the map
    const float list = std::min(LIST_WIDTH * letter(), size.x * LIST_PART);
    Area area;
    area.from = ImVec2(is_upright ? 0 : std::floor(list), 0);
    area.to = ImVec2(size.x, is_upright ? std::floor(size.y * (1 - LIST_PART)) : size.y);
    area.unit = std::max(world_map_unit(static_cast<int>(size.x), static_cast<int>(size.y)),
                         static_cast<int>(letter() / 13 + 0.25f));
    area.per_unit = static_cast<double>(world_map_scale(figures.view.zoom));
    return area;
}

/// Returns the point of the window that shows a column.
ImVec2 point_of(const Area &area, const WorldMapView &view, double x, double z)
{
    const double pixels = area.unit / area.per_unit;
    const double middle_x = std::floor(static_cast<double>(area.from.x + area.to.x) / 2);
    const double middle_y = std::floor(static_cast<double>(area.from.y + area.to.y) / 2);
    return ImVec2(static_cast<float>(middle_x + (x - view.center[0]) * pixels),
                  static_cast<float>(middle_y + (z - view.center[1]) * pixels));
}

/// Finds the column at a point of the window.
void column_at(const Area &area, const WorldMapView &view, ImVec2 point, double column[2])
{
    const double voxels = area.per_unit / area.unit;
    const ImVec2 middle = point_of(area, view, view.center[0], view.center[1]);
    column[0] = view.center[0] + static_cast<double>(point.x - middle.x) * voxels;
    column[1] = view.center[1] + static_cast<double>(point.y - middle.y) * voxels;
}

// ---- tiles --------------------------------------------------------------------------------------

void send_tile(PanelMap *panel, int slot, const WorldMapTile &tile)
{
    GLuint *texture = &panel->textures[slot];
    if (!*texture) {
        glGenTextures(1, texture);
        glBindTexture(GL_TEXTURE_2D, *texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    glBindTexture(GL_TEXTURE_2D, *texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, WORLD_MAP_EDGE, WORLD_MAP_EDGE, 0, GL_RGB,
                 GL_UNSIGNED_BYTE, tile.rgb);
    panel->pictures[slot] = tile.picture;
}

void show_tile(const PanelMap *panel, const Area &area, const WorldMapView &view, int slot,
               const WorldMapTile &tile)
{
    const double edge = static_cast<double>(WORLD_MAP_EDGE * world_map_scale(tile.zoom));
    const ImVec2 from = point_of(area, view, static_cast<double>(tile.x) * edge,
                                 static_cast<double>(tile.z) * edge);
    const ImVec2 to = point_of(area, view, static_cast<double>(tile.x + 1) * edge,
                               static_cast<double>(tile.z + 1) * edge);
    if (from.x < area.to.x && to.x > area.from.x && from.y < area.to.y && to.y > area.from.y) {
        ImGui::GetBackgroundDrawList()->AddImage(
            reinterpret_cast<ImTextureID>(static_cast<intptr_t>(panel->textures[slot])), from, to);
    }
}

/// Shows all tiles that there are: those of other zooms lie below those of the view.
void show_tiles(PanelMap *panel, const Area &area, const MapFigures &figures)
{
    int sent = 0;
    for (int i = 0; i < WORLD_MAP_TILES; i++) {
        const WorldMapTile tile = world_map_tile(figures.tiles, i);
        if (tile.picture && tile.picture != panel->pictures[i] && sent < SENT_MAX) {
            send_tile(panel, i, tile);
            sent++;
        }
    }
    for (int distance = WORLD_MAP_ZOOMS - 1; distance >= 0; distance--) {
        for (int i = 0; i < WORLD_MAP_TILES; i++) {
            const WorldMapTile tile = world_map_tile(figures.tiles, i);
            if (tile.picture && tile.picture == panel->pictures[i] &&
                std::abs(tile.zoom - figures.view.zoom) == distance) {
                show_tile(panel, area, figures.view, i, tile);
            }
        }
    }
}

// ---- marks --------------------------------------------------------------------------------------

void write_outlined(ImVec2 at, const char *text)
{
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const ImVec2 size = ImGui::CalcTextSize(text);
    list->AddRectFilled(ImVec2(at.x - 3, at.y - 1), ImVec2(at.x + size.x + 3, at.y + size.y + 1),
                        IM_COL32(0, 0, 0, 140), 3);
    list->AddText(at, WHITE, text);
}

/// An arrow at the player that points where they look.
void show_player(const Area &area, const MapFigures &figures)
{
    const ImVec2 at = point_of(area, figures.view, figures.player[0], figures.player[1]);
    const float turn = static_cast<float>(figures.yaw * 3.14159265358979 / 180);
    const ImVec2 ahead(std::sin(turn), -std::cos(turn)), right(-ahead.y, ahead.x);
    const auto corner = [&](float forward, float side, float size) {
        return ImVec2(at.x + (ahead.x * forward + right.x * side) * size,
                      at.y + (ahead.y * forward + right.y * side) * size);
    };
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    for (int pass = 0; pass < 2; pass++) { // a dark edge first
        const float size = letter() * (pass ? 0.9f : 1.25f);
        const ImU32 colour = pass ? IM_COL32(255, 214, 120, 255) : IM_COL32(0, 0, 0, 220);
        list->AddTriangleFilled(corner(0.9f, 0, size), corner(-0.6f, 0.6f, size),
                                corner(-0.25f, 0, size), colour);
        list->AddTriangleFilled(corner(0.9f, 0, size), corner(-0.25f, 0, size),
                                corner(-0.6f, -0.6f, size), colour);
    }
}

void show_cross(const Area &area, const MapFigures &figures)
{
    const ImVec2 at = point_of(area, figures.view, figures.aim[0], figures.aim[1]);
    const float arm = letter(), gap = letter() * 0.3f, half = std::max(letter() / 13, 1.0f);
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    for (int pass = 0; pass < 2; pass++) {
        const float edge = pass ? 0 : 1;
        const ImU32 colour = pass ? WHITE : SHADOW;
        for (int i = 0; i < 4; i++) {
            const float x = i == 0 ? 1.0f : i == 1 ? -1.0f : 0.0f;
            const float y = i == 2 ? 1.0f : i == 3 ? -1.0f : 0.0f;
            const ImVec2 a(at.x + x * gap, at.y + y * gap), b(at.x + x * arm, at.y + y * arm);
            list->AddRectFilled(
                ImVec2(std::min(a.x, b.x) - half - edge, std::min(a.y, b.y) - half - edge),
                ImVec2(std::max(a.x, b.x) + half + edge, std::max(a.y, b.y) + half + edge), colour);
        }
    }
}

void show_places(const PanelMap *panel, const Area &area, const MapFigures &figures)
{
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float size = MARK * letter();
    for (size_t i = 0; i < figures.places->count; i++) {
        const NamedPlace &place = figures.places->at[i];
        const ImVec2 at = point_of(area, figures.view, place.voxel[0], place.voxel[2]);
        if (at.x < area.from.x - size || at.x > area.to.x + size || at.y < area.from.y - size ||
            at.y > area.to.y + size) {
            continue;
        }
        const bool is_chosen = panel->chosen == static_cast<int>(i);
        list->AddCircleFilled(at, size + 2, IM_COL32(0, 0, 0, 220));
        list->AddCircleFilled(at, size, is_chosen ? PANEL_YELLOW : IM_COL32(255, 110, 90, 255));
        write_outlined(ImVec2(at.x + size + 5, at.y - letter() / 2), place.name);
    }
}

/// Shows which way is north, and how long a bar of the map is in the world.
void show_legend(const Area &area, float bottom)
{
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const double voxels = area.per_unit / area.unit;
    double length = 1;
    for (int i = 0; length * (i % 3 == 1 ? 2.5 : 2) / voxels <= LEGEND_WIDTH * letter() / 13; i++) {
        length *= i % 3 == 1 ? 2.5 : 2; // 1, 2, 5, 10
    }
    char text[32];
    (void)std::snprintf(text, sizeof text, "%.0f block%s", length, length == 1 ? "" : "s");
    const auto width = static_cast<float>(length / voxels);
    const ImVec2 words = ImGui::CalcTextSize(text);
    const float right = area.to.x - EDGE, y = bottom - EDGE;
    list->AddRectFilled(ImVec2(right - width - 1, y - 5), ImVec2(right + 1, y + 1), SHADOW);
    list->AddRectFilled(ImVec2(right - width, y - 4), ImVec2(right, y), WHITE);
    write_outlined(ImVec2(right - words.x - 3, y - words.y - 9), text);
    const ImVec2 north = ImGui::CalcTextSize("N");
    const ImVec2 tip(right - letter() / 2, EDGE);
    list->AddTriangleFilled(tip, ImVec2(tip.x + letter() / 2, tip.y + letter()),
                            ImVec2(tip.x - letter() / 2, tip.y + letter()), WHITE);
    write_outlined(ImVec2(tip.x - north.x / 2, tip.y + letter() + 3), "N");
}

/// Shows the line of keys over the lower edge of the map. @return its top edge
float show_keys(const Area &area, const MapFigures &figures)
{
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    const float room = area.to.x - area.from.x - 2 * EDGE;
    const char *line = figures.keys;
    const ImVec2 size = ImGui::CalcTextSize(line, nullptr, false, room);
    const float top = area.to.y - size.y - letter();
    list->AddRectFilled(ImVec2(area.from.x, top), area.to, BAND);
    list->AddText(ImGui::GetFont(), letter(), ImVec2(area.from.x + EDGE, top + letter() / 2), WHITE,
                  line, nullptr, room);
    return top;
}

// ---- the mouse ----------------------------------------------------------------------------------

void zoom_at(const Area &area, WorldMapView *view, ImVec2 point, int steps)
{
    double before[2], after[2];
    Area now = area;
    column_at(now, *view, point, before);
    view->zoom = std::clamp(view->zoom - steps, 0, WORLD_MAP_ZOOMS - 1);
    now.per_unit = static_cast<double>(world_map_scale(view->zoom));
    column_at(now, *view, point, after);
    view->center[0] += before[0] - after[0];
    view->center[1] += before[1] - after[1];
}

bool is_on_map(const Area &area, ImVec2 mouse)
{
    return !ImGui::GetIO().WantCaptureMouse && mouse.x >= area.from.x && mouse.x < area.to.x &&
           mouse.y >= area.from.y && mouse.y < area.to.y;
}

/// The wheel zooms, a drag moves, a click aims, a double click travels.
void take_mouse(PanelMap *panel, const Area &area, MapChoice *choice)
{
    const ImGuiIO &io = ImGui::GetIO();
    const bool is_over = is_on_map(area, io.MousePos);
    panel->wheel = is_over ? panel->wheel + io.MouseWheel : 0;
    const int notches = static_cast<int>(panel->wheel);
    if (notches) {
        panel->wheel -= static_cast<float>(notches);
        zoom_at(area, &choice->view, io.MousePos, notches);
    }
    if (is_over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        panel->is_pressed = true;
        panel->is_dragged = false;
        panel->grip = io.MousePos;
    }
    if (is_over && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        panel->is_pressed = false;
        column_at(area, choice->view, io.MousePos, choice->aim);
        choice->act = MAP_TRAVEL;
        return;
    }
    if (!panel->is_pressed) {
        return;
    }
    const ImVec2 way(io.MousePos.x - panel->grip.x, io.MousePos.y - panel->grip.y);
    panel->is_dragged = panel->is_dragged || std::hypot(way.x, way.y) >= CLICK_PIXELS;
    if (panel->is_dragged) {
        const double voxels = area.per_unit / area.unit;
        choice->view.center[0] -= static_cast<double>(way.x) * voxels;
        choice->view.center[1] -= static_cast<double>(way.y) * voxels;
        panel->grip = io.MousePos;
    }
    if (!io.MouseDown[ImGuiMouseButton_Left]) {
        panel->is_pressed = false;
        if (!panel->is_dragged) {
            column_at(area, choice->view, panel->grip, choice->aim);
        }
    }
}

// ---- the list -----------------------------------------------------------------------------------

/// "230 blocks to the north-east", or "here".
Message way_to(const MapFigures &figures, double x, double z)
{
    static const char *const names[] = {"north", "north-east", "east", "south-east",
                                        "south", "south-west", "west", "north-west"};
    const double right = x - figures.player[0], down = z - figures.player[1];
    const double away = std::round(std::hypot(right, down));
    const double turn = std::atan2(right, -down) / (3.14159265358979 / 4);
    Message text;
    if (away < 1) {
        (void)message_set(&text, "here");
    } else {
        (void)message_set(&text, "%.0f block%s %s", away, away == 1 ? "" : "s",
                          names[(static_cast<int>(std::lround(turn)) + 8) % 8]);
    }
    return text;
}

void begin_naming(PanelMap *panel, Naming naming, const char *name)
{
    panel->naming = naming;
    panel->naming_begins = true;
    panel->is_typing = false;
    panel->typed = {};
    (void)std::snprintf(panel->name, sizeof panel->name, "%s", name);
}

/// Returns the place at the cross, or -1.
int place_at_cross(const MapFigures &figures)
{
    for (size_t i = 0; i < figures.places->count; i++) {
        const NamedPlace &place = figures.places->at[i];
        if (place.voxel[0] == figures.aim[0] && place.voxel[2] == figures.aim[1]) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

/// The field of a name; Enter or OK takes it, an empty name is left.
void show_name(PanelMap *panel, MapChoice *choice)
{
    const float button = 3 * letter(), gap = ImGui::GetStyle().ItemSpacing.x;
    const bool is_first = panel->naming_begins;
    if (is_first) {
        ImGui::SetKeyboardFocusHere();
        panel->naming_begins = false;
    }
    panel_keep_letters(&panel->typed, panel->is_typing, false);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - gap);
    bool is_over = ImGui::InputTextWithHint("##name", "name", panel->name, sizeof panel->name,
                                            ImGuiInputTextFlags_EnterReturnsTrue |
                                                ImGuiInputTextFlags_AutoSelectAll);
    panel->is_typing = ImGui::IsItemActive();
    const bool is_left =
        !is_first && !is_over && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false);
    ImGui::SameLine();
    is_over = panel_button("OK", button) || is_over;
    if (is_over) {
        choice->act = panel->naming == Naming::added ? MAP_ADD : MAP_RENAME;
        choice->place = panel->chosen;
        std::memcpy(choice->name, panel->name, sizeof choice->name);
    }
    if (is_over || is_left) {
        panel->naming = Naming::none;
        panel->is_open = false; // the first button gets the focus
    }
}

void show_buttons(PanelMap *panel, const MapFigures &figures, MapChoice *choice)
{
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float each = (ImGui::GetContentRegionAvail().x - gap) / 2;
    if (!panel->is_open) {
        ImGui::SetKeyboardFocusHere(); // Enter travels
        panel->is_open = true;
    }
    if (panel_button("Travel there", each)) {
        choice->act = MAP_TRAVEL;
    }
    ImGui::SameLine();
    if (panel_button("Name this place", each)) {
        char name[PLACES_NAME_MAX + 1] = "";
        places_free_name(figures.places, name);
        begin_naming(panel, Naming::added, name);
    }
    const float part = (ImGui::GetContentRegionAvail().x - 3 * gap) / 4;
    const Area area = area_of(figures);
    const ImVec2 middle =
        point_of(area, choice->view, choice->view.center[0], choice->view.center[1]);
    if (panel_button("+", part)) {
        zoom_at(area, &choice->view, middle, 1);
    }
    ImGui::SameLine();
    if (panel_button("-", part)) {
        zoom_at(area, &choice->view, middle, -1);
    }
    ImGui::SameLine();
    if (panel_button("Me", part)) {
        std::memcpy(choice->view.center, figures.player, sizeof figures.player);
        std::memcpy(choice->aim, figures.player, sizeof figures.player);
    }
    ImGui::SameLine();
    if (panel_button("Close", part)) {
        choice->act = MAP_CLOSE;
    }
}

void choose(const MapFigures &figures, int place, MapChoice *choice)
{
    const double *voxel = figures.places->at[place].voxel;
    choice->aim[0] = choice->view.center[0] = voxel[0];
    choice->aim[1] = choice->view.center[1] = voxel[2];
}

void show_list(PanelMap *panel, const MapFigures &figures, MapChoice *choice)
{
    if (!figures.places->count) {
        ImGui::TextWrapped("No places yet: name one to find it again.");
    }
    for (size_t i = 0; i < figures.places->count; i++) {
        const int place = static_cast<int>(i);
        ImGui::PushID(place);
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 2)); // "##" in names hides nothing
        const bool is_clicked = ImGui::Selectable("##place", panel->chosen == place,
                                                  ImGuiSelectableFlags_AllowDoubleClick);
        ImGui::PopStyleVar();
        const bool is_entered = ImGui::IsItemFocused() &&
                                ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false);
        const ImVec2 from = ImGui::GetItemRectMin();
        ImGui::GetWindowDrawList()->AddText(ImVec2(from.x + 2, from.y), WHITE,
                                            figures.places->at[i].name);
        ImGui::PopID();
        const bool is_twice = is_clicked && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
        const bool is_again = (is_entered || is_twice) && panel->chosen == place;
        if (is_clicked || is_entered) {
            choose(figures, place, choice);
        }
        if (is_again) { // the first choice looks, the second goes
            choice->act = MAP_TRAVEL;
        }
    }
}

void show_chosen(PanelMap *panel, const MapFigures &figures, MapChoice *choice)
{
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float each = (ImGui::GetContentRegionAvail().x - gap) / 2;
    if (panel_button("Rename", each)) {
        begin_naming(panel, Naming::renamed, figures.places->at[panel->chosen].name);
    }
    ImGui::SameLine();
    if (panel_button(panel->is_sure ? "Really delete###delete" : "Delete###delete", each)) {
        choice->act = panel->is_sure ? MAP_REMOVE : choice->act;
        choice->place = panel->chosen;
        panel->is_sure = !panel->is_sure;
    }
}

void show_column(PanelMap *panel, const MapFigures &figures, MapChoice *choice)
{
    show_buttons(panel, figures, choice);
    const Message way = way_to(figures, figures.aim[0], figures.aim[1]);
    ImGui::TextWrapped("The cross: %.0f, %.0f; %s", std::floor(figures.aim[0]),
                       std::floor(figures.aim[1]), way.text);
    if (panel->naming != Naming::none) {
        show_name(panel, choice);
    } else if (panel->chosen >= 0) {
        show_chosen(panel, figures, choice);
    }
    panel_heading("Places");
    const float below =
        figures.note || figures.is_drawing ? 2 * ImGui::GetTextLineHeightWithSpacing() : 0;
    ImGui::BeginChild("places", ImVec2(0, std::min(-below, -1.0f)), false,
                      ImGuiWindowFlags_NavFlattened);
    show_list(panel, figures, choice);
    ImGui::EndChild();
    if (figures.note) {
        ImGui::PushTextWrapPos();
        ImGui::TextDisabled("%s", figures.note);
        ImGui::PopTextWrapPos();
    } else if (figures.is_drawing) {
        ImGui::TextDisabled("Drawing the map...");
    }
}

} // namespace

PanelMap *panel_map_create(void)
{
    auto *panel = new (std::nothrow) PanelMap();
    if (panel) {
        panel->chosen = -1;
    }
    return panel;
}

void panel_map_destroy(PanelMap *panel)
{
    if (panel) {
        glDeleteTextures(WORLD_MAP_TILES, panel->textures); // 0 is ignored
        delete panel;
    }
}

bool panel_map_is_naming(const PanelMap *panel)
{
    return panel->naming != Naming::none;
}

void panel_map_close(PanelMap *panel)
{
    panel->naming = Naming::none;
    panel->is_sure = panel->is_open = panel->is_pressed = false;
}

void panel_map_show(PanelMap *panel, const MapFigures *figures, MapChoice *choice)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    Area area = area_of(*figures);
    const int chosen = place_at_cross(*figures);
    panel->is_sure = panel->is_sure && panel->chosen == chosen;
    panel->chosen = chosen;
    *choice = {};
    choice->view = figures->view;
    choice->view.width = static_cast<int>(area.to.x - area.from.x) / area.unit + 1;
    choice->view.height = static_cast<int>(area.to.y - area.from.y) / area.unit + 1;
    std::memcpy(choice->aim, figures->aim, sizeof choice->aim);
    choice->place = -1;
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    list->AddRectFilled(ImVec2(0, 0), size, NIGHT);
    list->PushClipRect(area.from, area.to);
    show_tiles(panel, area, *figures);
    show_places(panel, area, *figures);
    show_cross(area, *figures);
    show_player(area, *figures);
    const float bottom = show_keys(area, *figures);
    show_legend(area, bottom);
    list->PopClipRect();
    take_mouse(panel, area, choice);
    const bool is_upright = area.from.x == 0;
    const ImVec2 at(0, is_upright ? area.to.y : 0);
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(ImVec2(is_upright ? size.x : area.from.x, size.y - at.y));
    if (!panel->is_open || !ImGui::IsWindowFocused(ImGuiFocusedFlags_AnyWindow)) {
        ImGui::SetNextWindowFocus(); // a click on the map takes the focus away
    }
    const ImGuiWindowFlags flags =
        ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
    ImGui::SetNextWindowBgAlpha(1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    if (ImGui::Begin("Map", nullptr, flags)) {
        show_column(panel, *figures, choice);
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

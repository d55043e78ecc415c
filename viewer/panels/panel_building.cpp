#include "panels/panel_building.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

#include <imgui.h>

#include "building/box_save.h"
#include "panels/file_chooser.h"
#include "panels/panel_widgets.h"

namespace {

constexpr float EDGE = 12;
constexpr float WIDTH = 44, HEIGHT = 30; // in the font's heights, of the choice of a file
constexpr float LABELS = 5;              // in the font's heights
constexpr ImU32 WRONG = IM_COL32(255, 140, 128, 255);

} // namespace

struct PanelBuilding {
    FileChooser chooser;
    PanelLetters typed; // for the name
    char name[FILE_NAME_BYTES], folder[FILE_PATH_MAX];
    uint32_t format;
    bool is_naming; // the name's field was active in the last frame
    bool is_typing; // any field was
    bool is_open;   // in the last frame, with `page`
    bool has_saved; // with what the fields have
    BuildingPage page;
};

namespace {

void show_wrong(const char *text)
{
    if (text) {
        ImGui::PushStyleColor(ImGuiCol_Text, WRONG);
        ImGui::TextWrapped("%s", text);
        ImGui::PopStyleColor();
    }
}

void show_choose(PanelBuilding *panel, const BuildingFigures *figures, BuildingChoice *choice)
{
    panel_heading("Open a world or a schematic");
    ImGui::TextWrapped("Worlds of Minecraft and Luanti, .schem .litematic .schematic .mts .vox, "
                       "heightmaps as .png. You can also drop a file on the window.");
    switch (file_chooser_show(&panel->chooser, figures->wrong, choice->path)) {
    case FileChoice::chosen:
        choice->act = BUILDING_OPEN;
        break;
    case FileChoice::cancelled:
        choice->act = BUILDING_CLOSE;
        break;
    default:
        break;
    }
    panel->is_typing = panel->chooser.is_typing || panel->chooser.typed.count > 0;
}

void show_read(const BuildingFigures *figures, BuildingChoice *choice)
{
    panel_heading("Reading");
    ImGui::TextWrapped("%s", figures->text);
    if (panel_button("Cancel", -1)) {
        choice->act = BUILDING_CLOSE;
    }
}

void show_ask(const PanelBuilding *panel, const BuildingFigures *figures, BuildingChoice *choice)
{
    panel_heading("Where does it go?");
    ImGui::TextWrapped("%s", figures->text);
    show_wrong(figures->wrong);
    if (!panel->is_open) {
        ImGui::SetKeyboardFocusHere();
    }
    if (figures->may_place) {
        if (panel_button("Here, in this world", -1)) {
            choice->act = BUILDING_PLACE;
        }
        (void)ImGui::Checkbox("clear its whole box first", &choice->clears);
    }
    if (panel_button("Into a new world", -1)) {
        choice->act = BUILDING_NEW_WORLD;
    }
    if (panel_button("Cancel", -1)) {
        choice->act = BUILDING_CLOSE;
    }
}

/// @return whether Enter was pressed in a field
bool show_save_fields(PanelBuilding *panel)
{
    ImGui::PushItemWidth(-LABELS * ImGui::GetFontSize());
    panel_keep_letters(&panel->typed, panel->is_naming || panel->is_typing, false);
    if (!panel->is_open || panel->typed.count) {
        ImGui::SetKeyboardFocusHere(); // active in the next frame
    }
    bool is_entered = ImGui::InputText("name", panel->name, sizeof panel->name,
                                       ImGuiInputTextFlags_EnterReturnsTrue);
    bool is_changed = ImGui::IsItemEdited();
    panel->is_naming = ImGui::IsItemActive();
    if (ImGui::BeginCombo("as", box_save_label(panel->format))) {
        for (uint32_t i = 0; box_save_label(i); i++) {
            const bool is_clicked = ImGui::Selectable(box_save_label(i), i == panel->format);
            if (is_clicked || (ImGui::IsItemFocused() &&
                               ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false))) {
                panel->format = i;
                is_changed = true;
                ImGui::CloseCurrentPopup();
            }
        }
        ImGui::EndCombo();
    }
    is_entered = ImGui::InputText("in", panel->folder, sizeof panel->folder,
                                  ImGuiInputTextFlags_EnterReturnsTrue) ||
                 is_entered;
    is_changed = is_changed || ImGui::IsItemEdited();
    panel->is_typing = panel->is_naming || ImGui::IsItemActive();
    panel->has_saved = panel->has_saved && !is_changed;
    ImGui::PopItemWidth();
    return is_entered;
}

void show_save(PanelBuilding *panel, const BuildingFigures *figures, BuildingChoice *choice)
{
    panel_heading("Save a part of the world");
    ImGui::TextWrapped("%s", figures->text);
    const bool is_entered = show_save_fields(panel);
    show_wrong(figures->wrong);
    if (figures->saved && panel->has_saved) {
        ImGui::PushStyleColor(ImGuiCol_Text, PANEL_GREEN);
        ImGui::TextWrapped("%s", figures->saved);
        ImGui::PopStyleColor();
    }
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float each = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
    if (panel_button("Save", each) || is_entered) {
        choice->act = BUILDING_SAVE;
        panel->has_saved = true;
    }
    ImGui::SameLine();
    if (panel_button("Change the box", each)) {
        choice->act = BUILDING_MARK;
    }
    ImGui::SameLine();
    if (panel_button("Close", each)) {
        choice->act = BUILDING_CLOSE;
    }
    (void)std::snprintf(choice->name, sizeof choice->name, "%s", panel->name);
    (void)std::snprintf(choice->folder, sizeof choice->folder, "%s", panel->folder);
    choice->format = panel->format;
}

void show_page(PanelBuilding *panel, const BuildingFigures *figures, BuildingChoice *choice)
{
    switch (figures->page) {
    case BUILDING_PAGE_CHOOSE:
        show_choose(panel, figures, choice);
        break;
    case BUILDING_PAGE_READ:
        show_read(figures, choice);
        break;
    case BUILDING_PAGE_ASK:
        show_ask(panel, figures, choice);
        break;
    default:
        show_save(panel, figures, choice);
    }
}

} // namespace

PanelBuilding *panel_building_create(void)
{
    auto *panel = new (std::nothrow) PanelBuilding();
    if (panel) {
        box_save_folder(panel->folder);
        (void)std::snprintf(panel->name, sizeof panel->name, "building");
    }
    return panel;
}

void panel_building_destroy(PanelBuilding *panel)
{
    if (panel) {
        file_chooser_free(&panel->chooser);
        delete panel;
    }
}

bool panel_building_is_typing(const PanelBuilding *panel)
{
    return panel->is_typing || panel->typed.count > 0;
}

void panel_building_close(PanelBuilding *panel)
{
    file_chooser_close(&panel->chooser);
    panel->typed = {};
    panel->is_open = panel->is_naming = panel->is_typing = panel->has_saved = false;
}

void panel_building_show(PanelBuilding *panel, const BuildingFigures *figures,
                         BuildingChoice *choice)
{
    if (panel->is_open && panel->page != figures->page) {
        panel_building_close(panel);
    }
    panel->page = figures->page;
    choice->act = BUILDING_NOTHING;
    choice->clears = figures->clears;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const bool is_high = figures->page == BUILDING_PAGE_CHOOSE;
    const float letter = ImGui::GetFontSize();
    const float width = std::min(WIDTH * letter, size.x - 2 * EDGE);
    ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(
        ImVec2(width, is_high ? std::min(HEIGHT * letter, size.y - 2 * EDGE) : 0));
    ImGui::SetNextWindowBgAlpha(1);
    if (!panel->is_open || !ImGui::IsWindowFocused(ImGuiFocusedFlags_AnyWindow)) {
        ImGui::SetNextWindowFocus();
    }
    if (ImGui::Begin(is_high ? "File" : "Building", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoSavedSettings)) {
        show_page(panel, figures, choice);
    }
    ImGui::End();
    panel->is_open = true;
}

#include "panels/file_chooser.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifndef GLFW_INCLUDE_NONE
#define GLFW_INCLUDE_NONE // only its key codes are needed
#endif
#include <GLFW/glfw3.h>
#include <imgui.h>

namespace {

constexpr ImU32 WRONG = IM_COL32(255, 140, 128, 255);
constexpr float BUTTON = 7; // in the font's heights

/// Lists a folder. If it cannot be read, the list stays, and says so.
void go_to(FileChooser *chooser, const char *folder)
{
    if (file_list_read(&chooser->list, folder, &chooser->problem)) {
        (void)std::snprintf(chooser->path, sizeof chooser->path, "%s", chooser->list.folder);
        chooser->problem.text[0] = '\0';
        chooser->takes_focus = true;
    }
}

void go_up(FileChooser *chooser)
{
    char parent[FILE_PATH_MAX];
    file_parent(chooser->list.folder, parent);
    go_to(chooser, parent);
}

/// Takes what the field has: a folder is listed, anything else chosen.
bool take_path(FileChooser *chooser, char path[FILE_PATH_MAX])
{
    if (!file_clean_path(chooser->path, path)) {
        return message_set(&chooser->problem, "This path is too long.");
    }
    switch (file_there(path)) {
    case FILE_THERE_FOLDER:
        go_to(chooser, path);
        return false;
    case FILE_THERE_NOTHING:
        return message_set(&chooser->problem, "There is no such file: %s.",
                           message_short(path).text);
    default:
        return true;
    }
}

/// @return whether Enter was pressed in it
bool show_field(FileChooser *chooser)
{
    const bool begins = !chooser->is_open;
    panel_keep_letters(&chooser->typed, chooser->is_typing, false);
    if (begins || chooser->typed.count) {
        ImGui::SetKeyboardFocusHere(); // active in the next frame
    }
    ImGui::SetNextItemWidth(-1);
    const bool is_entered = ImGui::InputTextWithHint(
        "##path", "path of a file, or of a world's folder", chooser->path, sizeof chooser->path,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    chooser->is_typing = ImGui::IsItemActive();
    return is_entered;
}

bool is_entered_here()
{
    return ImGui::IsItemFocused() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false);
}

/// @return whether an entry was chosen that is no folder
bool show_entry(FileChooser *chooser, const FileEntry *entry, char path[FILE_PATH_MAX])
{
    static const char *const kinds[] = {"folder", "world", ""};
    Message shown;
    (void)message_set(&shown, "%s", entry->name); // without control characters
    const bool is_clicked = ImGui::Selectable("##entry"), is_entered = is_entered_here();
    const ImVec2 from = ImGui::GetItemRectMin();
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float letter = ImGui::GetFontSize();
    list->AddText(ImVec2(from.x + 5 * letter, from.y), ImGui::GetColorU32(ImGuiCol_Text),
                  shown.text);
    list->AddText(ImVec2(from.x + letter / 2, from.y), PANEL_YELLOW, kinds[entry->kind]);
    if ((!is_clicked && !is_entered) || !file_list_path(&chooser->list, entry, path)) {
        return false;
    }
    if (entry->kind == FILE_FOLDER) {
        go_to(chooser, path);
        return false;
    }
    (void)std::snprintf(chooser->path, sizeof chooser->path, "%s", path);
    return true;
}

bool show_list(FileChooser *chooser, char path[FILE_PATH_MAX])
{
    if (chooser->takes_focus) {
        ImGui::SetKeyboardFocusHere();
        chooser->takes_focus = false;
    }
    const bool is_up = ImGui::Selectable("..  the folder above");
    if (is_entered_here() || is_up) {
        go_up(chooser);
        return false;
    }
    const size_t count = chooser->list.count;
    for (size_t i = 0; i < count; i++) {
        ImGui::PushID(static_cast<int>(i));
        const FileEntry *before = chooser->list.entries;
        const bool is_chosen = show_entry(chooser, &before[i], path);
        ImGui::PopID();
        if (is_chosen || chooser->list.entries != before) {
            return is_chosen;
        }
    }
    if (!count) {
        ImGui::TextDisabled("Nothing here that can be opened.");
    } else if (chooser->list.left_off) {
        ImGui::TextDisabled("%zu more are not listed.", chooser->list.left_off);
    }
    return false;
}

} // namespace

FileChoice file_chooser_show(FileChooser *chooser, const char *problem, char path[FILE_PATH_MAX])
{
    const char *home = std::getenv("HOME");
    if (!chooser->list.folder[0]) {
        go_to(chooser, home && home[0] ? home : "/");
        chooser->takes_focus = false;
    }
    const bool is_entered = show_field(chooser);
    const bool has_own = chooser->problem.text[0] != '\0';
    if (has_own || problem) {
        ImGui::PushStyleColor(ImGuiCol_Text, WRONG);
        ImGui::TextWrapped("%s", has_own ? chooser->problem.text : problem);
        ImGui::PopStyleColor();
    }
    FileChoice choice = FileChoice::none;
    const float below = ImGui::GetFrameHeightWithSpacing();
    ImGui::BeginChild("files", ImVec2(0, std::min(-below, -1.0f)), true,
                      ImGuiWindowFlags_NavFlattened);
    choice = show_list(chooser, path) ? FileChoice::chosen : choice;
    ImGui::EndChild();
    const float button = BUTTON * ImGui::GetFontSize();
    const bool is_opened = panel_button("Open", button) || is_entered;
    if (is_opened) {
        chooser->problem.text[0] = '\0';
        choice = take_path(chooser, path) ? FileChoice::chosen : choice;
    }
    ImGui::SameLine();
    const bool is_back = ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false) ||
                         ImGui::GetIO().NavInputsDownDuration[ImGuiNavInput_Cancel] == 0;
    if (panel_button("Cancel", button) || is_back) {
        choice = FileChoice::cancelled;
    }
    chooser->is_open = true;
    return choice;
}

void file_chooser_close(FileChooser *chooser)
{
    chooser->is_open = chooser->is_typing = chooser->takes_focus = false;
    chooser->typed = {};
    chooser->problem.text[0] = '\0';
}

void file_chooser_free(FileChooser *chooser)
{
    file_list_free(&chooser->list);
}

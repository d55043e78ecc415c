// The worlds of the start screen: cards with a menu each, and the questions before a world is
// renamed or deleted.
#include "start/start_worlds.h"

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>

#ifndef GLFW_INCLUDE_NONE
#define GLFW_INCLUDE_NONE // render/gl.h includes OpenGL
#endif
#include <GLFW/glfw3.h>

namespace {

constexpr float CARD_LINES = 3; // lines of text next to a world's picture
constexpr float CARD_EDGE = 4;  // pixels around them
constexpr double KIB = 1024, MIB = KIB * KIB;
constexpr ImU32 CARD = IM_COL32(255, 255, 255, 16);
constexpr float DIALOG_WIDTH = 26; // in the font's heights

// ---- what a card says ---------------------------------------------------------------------------

void write_size(uint64_t bytes, char *text, size_t size)
{
    const auto number = static_cast<double>(bytes);
    (void)std::snprintf(text, size, number < MIB ? "%.0f KiB" : "%.1f MiB",
                        number < MIB ? number / KIB : number / MIB);
}

void write_land(const WorldEntry *entry, char *text, size_t size)
{
    if (entry->facts.has_terrain) {
        const char *land = entry->facts.preset[0] ? entry->facts.preset : "a land of its own";
        if (entry->facts.seed_text[0]) {
            (void)std::snprintf(text, size, "%s, seed \"%s\"", land, entry->facts.seed_text);
        } else {
            (void)std::snprintf(text, size, "%s, seed %" PRIu64, land, entry->facts.terrain.seed);
        }
    } else {
        (void)std::snprintf(text, size, "%s",
                            entry->facts.has_old_land ? "old land, shown as far as it is saved"
                                                      : "imported");
    }
}

/// "today 14:05", "yesterday 9:30", "3 Nov 2026".
void write_visit(int64_t visited, char *text, size_t size)
{
    const auto when = static_cast<std::time_t>(visited);
    std::time_t now = std::time(nullptr);
    std::tm day = {}, today = {}, before = {};
    const std::tm *local = std::localtime(&when);
    day = local ? *local : day;
    local = std::localtime(&now);
    today = local ? *local : today;
    now -= static_cast<std::time_t>(24 * 60 * 60);
    local = std::localtime(&now);
    before = local ? *local : before;
    if (day.tm_year == today.tm_year && day.tm_yday == today.tm_yday) {
        (void)std::strftime(text, size, "today %H:%M", &day);
    } else if (day.tm_year == before.tm_year && day.tm_yday == before.tm_yday) {
        (void)std::strftime(text, size, "yesterday %H:%M", &day);
    } else {
        (void)std::strftime(text, size, "%d %b %Y", &day);
    }
}

void write_detail(const WorldEntry *entry, char *text, size_t size)
{
    char bytes[24], visited[32] = "";
    write_visit(entry->visited, visited, sizeof visited);
    write_size(entry->bytes, bytes, sizeof bytes);
    (void)std::snprintf(text, size, "%s, %s", visited, bytes);
}

// ---- cards --------------------------------------------------------------------------------------

void ask(StartScreen *screen, StartDialog dialog, const WorldEntry *entry, size_t place)
{
    screen->dialog = dialog;
    screen->dialog_opens = true;
    screen->asked = place;
    (void)std::snprintf(screen->renamed, sizeof screen->renamed, "%.*s",
                        static_cast<int>(sizeof screen->renamed - 1), entry->name);
}

bool show_item(const char *label)
{
    const bool is_clicked = ImGui::Selectable(label);
    const bool is_chosen = start_is_entered() || is_clicked;
    if (is_chosen) {
        ImGui::CloseCurrentPopup();
    }
    return is_chosen;
}

/// The menu behind the button "..." of a card.
void show_menu(StartScreen *screen, const WorldEntry *entry, size_t place, StartChoice *choice)
{
    if (!ImGui::BeginPopup("menu")) {
        return;
    }
    const bool is_good = entry->state == WORLD_GOOD; // others may still be put away
    if (is_good && show_item("Play")) {
        choice->action = START_OPEN;
    }
    if (show_item("Rename")) {
        ask(screen, StartDialog::rename, entry, place);
    }
    if (is_good && show_item("Make a copy")) {
        choice->action = START_COPY;
    }
    if (show_item("Delete")) {
        ask(screen, StartDialog::remove, entry, place);
    }
    ImGui::EndPopup();
}

/// Keys on the focused card.
void take_keys(StartScreen *screen, const WorldEntry *entry, size_t place)
{
    if (!ImGui::IsItemFocused() || entry->state == WORLD_UNREAD) {
        return;
    }
    if (ImGui::IsKeyPressed(GLFW_KEY_F2, false)) {
        ask(screen, StartDialog::rename, entry, place);
    } else if (ImGui::IsKeyPressed(GLFW_KEY_DELETE, false)) {
        ask(screen, StartDialog::remove, entry, place);
    }
}

void draw_texts(const WorldEntry *entry, ImVec2 at, float right)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const float line = ImGui::GetTextLineHeight();
    const ImVec4 clip(at.x, at.y, right, at.y + CARD_LINES * line);
    const ImU32 white = ImGui::GetColorU32(ImGuiCol_Text);
    char text[256];
    ImFont *font = ImGui::GetFont();
    const float size = ImGui::GetFontSize();
    list->AddText(font, size, at, entry->state == WORLD_REFUSED ? START_DETAIL : white, entry->name,
                  nullptr, 0, &clip);
    if (entry->state != WORLD_GOOD) {
        list->AddText(font, size, ImVec2(at.x, at.y + line), START_WRONG,
                      entry->state == WORLD_REFUSED ? entry->reason.text : "...", nullptr,
                      right - at.x, &clip);
        return;
    }
    write_land(entry, text, sizeof text);
    list->AddText(font, size, ImVec2(at.x, at.y + line), START_DETAIL, text, nullptr, 0, &clip);
    write_detail(entry, text, sizeof text);
    list->AddText(font, size, ImVec2(at.x, at.y + 2 * line), START_DETAIL, text, nullptr, 0, &clip);
}

/// Draws a card over its widgets: a picture, or an empty frame, and the texts.
void draw_card(StartScreen *screen, const WorldEntry *entry, size_t place, ImVec2 from, ImVec2 to)
{
    const float edge = CARD_EDGE * screen->scale, height = to.y - from.y - 2 * edge;
    const float width = std::round(height * WORLD_PICTURE_WIDTH / WORLD_PICTURE_HEIGHT);
    const ImVec2 corner(from.x + edge, from.y + edge), end(corner.x + width, corner.y + height);
    ImDrawList *list = ImGui::GetWindowDrawList();
    const GLuint texture =
        ImGui::IsRectVisible(corner, end) ? start_world_picture(screen, entry, place) : 0;
    if (texture) {
        list->AddImageRounded(start_texture_id(texture), corner, end, ImVec2(0, 0), ImVec2(1, 1),
                              IM_COL32_WHITE, edge);
    } else {
        list->AddRectFilled(corner, end, START_PLAIN, edge);
    }
    draw_texts(entry, ImVec2(end.x + 2 * edge, corner.y), to.x - edge);
}

void show_card(StartScreen *screen, const WorldEntry *entry, size_t place, StartChoice *choice)
{
    const float edge = CARD_EDGE * screen->scale;
    const float height = CARD_LINES * ImGui::GetTextLineHeight() + 2 * edge;
    const float menu = 2 * ImGui::GetFrameHeight(), gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x - menu - gap;
    const ImVec2 from = ImGui::GetCursorScreenPos(), to(from.x + width, from.y + height);
    const ImVec2 next = ImGui::GetCursorPos();
    const StartAction before = choice->action;
    ImGui::GetWindowDrawList()->AddRectFilled(from, ImVec2(to.x + gap + menu, to.y), CARD, edge);
    if (entry->state != WORLD_REFUSED) { // a world that is still unread will be good
        start_take_focus(screen);
    }
    const bool is_clicked = ImGui::Selectable("##world", false, 0, ImVec2(width, height));
    const bool is_chosen = start_is_entered() || is_clicked;
    if (entry->state == WORLD_REFUSED && ImGui::IsItemHovered()) { // a card may cut it
        start_show_tip(entry->reason.text);
    }
    take_keys(screen, entry, place);
    choice->action = is_chosen && entry->state == WORLD_GOOD ? START_OPEN : choice->action;
    ImGui::SetCursorPos(ImVec2(next.x + width + gap, next.y + edge));
    if (entry->state != WORLD_UNREAD) {
        if (start_show_button("...", menu - edge)) {
            ImGui::OpenPopup("menu");
        }
        take_keys(screen, entry, place);
    }
    show_menu(screen, entry, place, choice);
    draw_card(screen, entry, place, from, to);
    ImGui::SetCursorPos(ImVec2(next.x, next.y + height + ImGui::GetStyle().ItemSpacing.y));
    if (choice->action != before) {
        choice->world = place;
    }
}

/// @return whether another order was chosen
bool show_order(StartScreen *screen)
{
    static const char *const labels[WORLDS_ORDER_COUNT] = {"Latest first", "By name",
                                                           "Largest first"};
    const float width = 9 * ImGui::GetFontSize();
    ImGui::SameLine(ImGui::GetContentRegionMax().x - width);
    char label[48];
    (void)std::snprintf(label, sizeof label, "%s###order", labels[screen->order]);
    if (!start_show_button(label, width)) {
        return false;
    }
    screen->order = static_cast<WorldsOrder>((screen->order + 1) % WORLDS_ORDER_COUNT);
    return true;
}

// ---- questions ----------------------------------------------------------------------------------

/// Escape, or the gamepad's button for going back.
bool is_cancelled()
{
    return ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false) ||
           ImGui::GetIO().NavInputsDownDuration[ImGuiNavInput_Cancel] == 0;
}

void end_dialog(StartScreen *screen)
{
    screen->dialog = StartDialog::none;
    ImGui::CloseCurrentPopup();
}

void show_rename(StartScreen *screen, const WorldsFolder *folder, const StartNews *news,
                 StartChoice *choice, float half)
{
    const char *before = folder->worlds[screen->asked].name;
    Message problem = {""};
    start_show_text(START_TITLE, "Rename");
    ImGui::SetNextItemWidth(-1);
    if (ImGui::IsWindowAppearing()) {
        ImGui::SetKeyboardFocusHere();
    }
    bool is_entered =
        ImGui::InputText("##renamed", screen->renamed, sizeof screen->renamed,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    const bool may = std::strcmp(screen->renamed, before) == 0 ||
                     worlds_folder_may_name(folder, screen->renamed, &problem);
    if (!may) {
        start_show_text(START_WRONG, problem.text);
    } else if (news->is_wrong && news->about == START_RENAME) {
        start_show_text(START_WRONG, news->text.text);
    }
    is_entered = start_show_button("Rename", half) || is_entered;
    ImGui::SameLine();
    if (start_show_button("Cancel", half) || is_cancelled()) {
        end_dialog(screen);
    } else if (is_entered && may) {
        choice->action = START_RENAME;
        choice->world = screen->asked;
    }
}

void show_delete(StartScreen *screen, const WorldsFolder *folder, StartChoice *choice, float half)
{
    char text[WORLDS_NAME_BYTES + 128];
    (void)std::snprintf(text, sizeof text,
                        "Delete %s? Its file moves to the folder '" WORLDS_DELETED
                        "' next to your worlds.",
                        folder->worlds[screen->asked].name);
    start_show_text(START_TITLE, "Delete");
    ImGui::TextWrapped("%s", text);
    const bool is_deleted = start_show_button("Delete", half);
    ImGui::SameLine();
    if (ImGui::IsWindowAppearing()) {
        ImGui::SetKeyboardFocusHere(); // Enter deletes nothing at once
    }
    const bool is_kept = start_show_button("Keep", half);
    if (is_deleted) {
        choice->action = START_DELETE;
        choice->world = screen->asked;
    }
    if (is_deleted || is_kept || is_cancelled()) {
        end_dialog(screen);
    }
}

} // namespace

GLuint start_world_picture(StartScreen *screen, const WorldEntry *entry, size_t place)
{
    GLuint *texture = &screen->pictures[place];
    if (entry->picture && !*texture) {
        *texture = gl_texture_create(GL_LINEAR, GL_CLAMP_TO_EDGE);
        start_fill_texture(*texture, WORLD_PICTURE_WIDTH, WORLD_PICTURE_HEIGHT,
                           entry->picture->rgb);
    }
    return *texture;
}

void start_show_worlds(StartScreen *screen, const WorldsFolder *folder, StartChoice *choice)
{
    ImGui::AlignTextToFramePadding();
    start_show_text(START_TITLE, "Worlds");
    if (folder->count > 1 && show_order(screen)) {
        choice->action = START_SORT;
        choice->order = screen->order;
    }
    if (folder->problem.text[0]) {
        start_show_text(START_WRONG, folder->problem.text);
    } else if (folder->count == 0) {
        ImGui::TextWrapped("There are none yet. They will be in %s.",
                           folder->path[0] ? message_short(folder->path).text : "no folder");
    }
    ImGui::PushStyleColor(ImGuiCol_ChildBg, IM_COL32_BLACK_TRANS);
    ImGui::BeginChild("cards", ImVec2(0, 0), false, ImGuiWindowFlags_NavFlattened);
    for (size_t i = 0; i < folder->count; i++) {
        ImGui::PushID(static_cast<int>(i));
        show_card(screen, &folder->worlds[i], i, choice);
        ImGui::PopID();
    }
    if (folder->left_off) {
        ImGui::TextWrapped("%zu older worlds are not listed: open them with --world FILE.",
                           folder->left_off);
    }
    ImGui::EndChild();
    ImGui::PopStyleColor();
}

void start_show_dialog(StartScreen *screen, const WorldsFolder *folder, const StartNews *news,
                       StartChoice *choice)
{
    if (screen->dialog_opens) {
        screen->dialog_opens = false;
        ImGui::OpenPopup("question");
    }
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float width = std::fmin(DIALOG_WIDTH * ImGui::GetFontSize(), size.x);
    ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(ImVec2(width, 0));
    if (!ImGui::BeginPopupModal("question", nullptr,
                                ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove)) {
        screen->dialog = StartDialog::none;
        return;
    }
    const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
    if (screen->dialog == StartDialog::none || screen->asked >= folder->count) {
        end_dialog(screen); // the worlds were listed again
    } else if (screen->dialog == StartDialog::rename) {
        show_rename(screen, folder, news, choice, half);
    } else {
        show_delete(screen, folder, choice, half);
    }
    ImGui::EndPopup();
}

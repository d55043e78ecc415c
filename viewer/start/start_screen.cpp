#include "start/start_screen.h"

#include <new>

#ifndef GLFW_INCLUDE_NONE
#define GLFW_INCLUDE_NONE // render/gl.h includes OpenGL
#endif
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "render/gl.h"
#include "settings/share.h"
#include "start/land_map.h"
#include "start/start_parts.h"
#include "start/start_worlds.h"
#include "terrain_choice.h"
#include "window/imgui_frame.h"

namespace {

constexpr float FONT_SIZE = 13;    // pixels, the sharpest size of the built-in font
constexpr float TITLE_SIZE = 2;    // of the title, as a multiple
constexpr float LIST_PART = 0.52f; // of the window's width
// Pixels at the usual text size. Wider windows get margins. A window that is a multiple as large
// gets text of that multiple.
constexpr float WIDTH_MAX = 960, HEIGHT_MAX = 600;
// Upright windows that are narrower have the parts below each other.
constexpr float NARROW = 560, NARROW_HEIGHT_MAX = 900;
constexpr float BUTTON = 8; // width of the buttons below, in the font's heights
constexpr float NEWS_LINES = 2;
constexpr float FILES_WIDTH = 44, FILES_HEIGHT = 30; // in the font's heights
constexpr float MAP_MAX = 256;                       // pixels at the usual text size
constexpr float BACK_PART = 0.8f, BACK_MOVE = 0.1f;  // of the picture behind: shown, moved by
constexpr double BACK_SPEED = 0.05;                  // radians a second
constexpr ImU32 BACK_SHADE = IM_COL32(8, 12, 18, 170);

void choose_scale(StartScreen *screen, float scale)
{
    if (scale == screen->scale) {
        return;
    }
    screen->scale = scale;
    ImGuiStyle style;
    ImGui::StyleColorsDark(&style);
    style.WindowBorderSize = 0;
    style.WindowPadding = ImVec2(12, 10);
    style.FrameRounding = style.ChildRounding = style.PopupRounding = 4;
    style.Colors[ImGuiCol_WindowBg] = ImVec4(0, 0, 0, 0);
    style.Colors[ImGuiCol_ChildBg] = ImVec4(0.05f, 0.07f, 0.10f, 0.80f);
    style.Colors[ImGuiCol_ModalWindowDimBg] = ImVec4(0, 0, 0, 0.5f);
    style.Colors[ImGuiCol_PopupBg] = ImVec4(0.08f, 0.11f, 0.15f, 1);
    style.Colors[ImGuiCol_FrameBg] = ImVec4(0.20f, 0.27f, 0.36f, 0.85f);
    style.ScaleAllSizes(scale);
    ImGui::GetStyle() = style;
    ImFontConfig config;
    config.SizePixels = std::round(FONT_SIZE * scale);
    ImGui::GetIO().Fonts->Clear();
    ImGui::GetIO().Fonts->AddFontDefault(&config);
    config.SizePixels *= TITLE_SIZE; // a whole multiple keeps the built-in font sharp
    screen->title = ImGui::GetIO().Fonts->AddFontDefault(&config);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

// ---- behind -------------------------------------------------------------------------------------

bool is_narrow(const StartScreen *screen)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    return size.x < NARROW * screen->scale && size.x < size.y;
}

/// Draws a picture over the whole window, which moves slowly.
void draw_back(GLuint texture, float aspect)
{
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float wide = size.x / std::max(size.y, 1.0f) / aspect;
    const float across = BACK_PART * std::min(wide, 1.0f);
    const float down = BACK_PART * std::min(1 / wide, 1.0f);
    const double turn = ImGui::GetTime() * BACK_SPEED;
    const ImVec2 from((1 - across) / 2 + BACK_MOVE * static_cast<float>(std::sin(turn)),
                      (1 - down) / 2 + BACK_MOVE * static_cast<float>(std::cos(turn)));
    ImDrawList *list = ImGui::GetBackgroundDrawList();
    list->AddImage(start_texture_id(texture), ImVec2(0, 0), size, from,
                   ImVec2(from.x + across, from.y + down));
    list->AddRectFilled(ImVec2(0, 0), size, BACK_SHADE);
}

/// Behind the screen is the world visited last, or the land of a new one.
void show_back(StartScreen *screen, const WorldsFolder *folder)
{
    size_t latest = folder->count;
    for (size_t i = 0; i < folder->count; i++) {
        if (folder->worlds[i].picture &&
            (latest == folder->count ||
             folder->worlds[i].visited > folder->worlds[latest].visited)) {
            latest = i;
        }
    }
    if (latest < folder->count) {
        draw_back(start_world_picture(screen, &folder->worlds[latest], latest),
                  static_cast<float>(WORLD_PICTURE_WIDTH) / WORLD_PICTURE_HEIGHT);
    } else {
        draw_back(screen->texture, 1);
    }
}

// ---- a new world --------------------------------------------------------------------------------

/// Chooses the next seed of a generator with full period, for the button that shows another land.
void choose_another(StartScreen *screen, uint64_t seed)
{
    const uint64_t next = (seed * 6364136223846793005U + 1442695040888963407U) >> 33;
    (void)std::snprintf(screen->seed, sizeof screen->seed, "%" PRIu64, next);
}

void update_map(StartScreen *screen, uint64_t seed)
{
    TrnTerrainShape shape;
    const bool is_new = screen->mapped != seed || screen->mapped_preset != screen->preset;
    const char *preset = trn_terrain_preset_name(static_cast<size_t>(screen->preset));
    if (is_new && trn_terrain_shape_preset(preset, &shape) == TRN_RESULT_OK) {
        (void)land_map_begin(&screen->map, seed, &shape);
        screen->mapped = seed;
        screen->mapped_preset = screen->preset;
    }
    if (land_map_step(&screen->map)) {
        start_fill_texture(screen->texture, LAND_MAP_EDGE, LAND_MAP_EDGE, screen->map.rgb);
    }
}

void show_map(const StartScreen *screen, float edge)
{
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImGui::Image(start_texture_id(screen->texture), ImVec2(edge, edge));
    const ImVec2 middle(from.x + edge / 2, from.y + edge / 2);
    ImGui::GetWindowDrawList()->AddCircle(middle, 4 * screen->scale, IM_COL32(255, 255, 255, 255));
}

bool show_preset(int *preset)
{
    const char *name = trn_terrain_preset_name(static_cast<size_t>(*preset));
    bool has_changed = false;
    if (ImGui::BeginCombo("preset", name)) {
        for (size_t i = 0; (name = trn_terrain_preset_name(i)); i++) {
            if (ImGui::Selectable(name, static_cast<int>(i) == *preset) || start_is_entered()) {
                *preset = static_cast<int>(i);
                has_changed = true;
                ImGui::CloseCurrentPopup();
            }
        }
        ImGui::EndCombo();
    }
    return has_changed;
}

/// Shows a text field with its name to the right. @return whether Enter was pressed in it
bool show_text_field(const char *label, char *text, size_t size)
{
    return ImGui::InputText(label, text, size, ImGuiInputTextFlags_EnterReturnsTrue);
}

void show_new_fields(StartScreen *screen, const WorldsFolder *folder, const StartNews *news,
                     StartChoice *choice)
{
    Message problem;
    bool is_entered = show_text_field("name", screen->name, sizeof screen->name);
    if (!worlds_folder_may_name(folder, screen->name, &problem)) {
        start_show_text(START_WRONG, problem.text);
    } else if (news->is_wrong && news->about == START_CREATE) {
        start_show_text(START_WRONG, news->text.text);
    }
    is_entered = show_text_field("seed", screen->seed, sizeof screen->seed) || is_entered;
    (void)show_preset(&screen->preset);
    choice->action = is_entered ? START_CREATE : choice->action;
}

void show_new(StartScreen *screen, const WorldsFolder *folder, const StartNews *news,
              StartChoice *choice)
{
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x, half = (width - gap) / 2;
    ImGui::AlignTextToFramePadding();
    start_show_text(START_TITLE, "New world");
    ImGui::PushItemWidth(width - 5 * ImGui::GetFontSize());
    show_new_fields(screen, folder, news, choice);
    ImGui::PopItemWidth();
    const uint64_t seed = terrain_choice_seed(screen->seed);
    start_take_focus(screen);
    choice->action = start_show_button("Create and play", half) ? START_CREATE : choice->action;
    ImGui::SameLine();
    if (start_show_button("Another seed", half)) {
        choose_another(screen, seed);
    }
    choice->action = start_show_button("Play without saving", width) ? START_PLAY : choice->action;
    update_map(screen, seed);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const float edge = std::min({room.x, room.y - line, MAP_MAX * screen->scale});
    if (edge > 2 * line) {
        show_map(screen, edge);
        ImGui::TextDisabled("%d x %d blocks around the start", LAND_MAP_EDGE * LAND_MAP_SCALE,
                            LAND_MAP_EDGE * LAND_MAP_SCALE);
    }
}

// ---- below --------------------------------------------------------------------------------------

/// Shows a text field with a button.
/// @param buttons  width of the buttons of the line, with their gaps
/// @return whether the button or Enter was pressed and the field has text
bool show_field(const char *id, const char *hint, const char *label, char *text, size_t size,
                float buttons)
{
    const float button = BUTTON * ImGui::GetFontSize();
    ImGui::PushID(id);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - buttons);
    const bool is_entered_here =
        ImGui::InputTextWithHint("##text", hint, text, size, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::SameLine();
    const bool is_pressed = start_show_button(label, button);
    ImGui::PopID();
    return (is_pressed || is_entered_here) && text[0];
}

/// @return whether the stop button was pressed
bool show_progress(float part, const char *text, float buttons)
{
    ImGui::ProgressBar(part, ImVec2(ImGui::GetContentRegionAvail().x - buttons, 0), text);
    ImGui::SameLine();
    return start_show_button("Stop", BUTTON * ImGui::GetFontSize());
}

bool show_import(const StartNews *news, float buttons)
{
    const ImporterNow now = news->import_now;
    const float part = now.total ? static_cast<float>(now.done) / static_cast<float>(now.total) : 0;
    char text[WORLDS_NAME_BYTES + 128];
    (void)std::snprintf(text, sizeof text, "%s %s: %" PRIu64 " of %" PRIu64 "%s",
                        now.is_copying   ? "Copying to"
                        : now.is_folding ? "Levels of detail of"
                                         : "Importing",
                        news->importing, now.done, now.total, now.is_copying ? "" : " chunks");
    return show_progress(part, text, buttons);
}

bool show_report(const StartNews *news, float buttons)
{
    const ReporterNow *now = &news->report_now;
    char text[160];
    (void)std::snprintf(text, sizeof text, "Making the report: %s",
                        now->at[0] ? now->at : "some minutes");
    return show_progress(now->part, text, buttons);
}

/// Whether a key was pressed with Ctrl, outside of fields.
bool is_shortcut(ImGuiKey key)
{
    const ImGuiIO &io = ImGui::GetIO();
    return !io.WantTextInput && io.KeyCtrl && ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false);
}

/// Whether the news are an error that another part shows next to its field.
bool is_shown_elsewhere(const StartNews *news)
{
    return news->is_wrong && (news->about == START_CREATE || news->about == START_RENAME);
}

/// Shows the news about a choice of this line, or of any that has no line.
void show_news(const StartNews *news, StartAction line, StartChoice *choice)
{
    const bool is_of_line =
        news->is_wrong && (news->about == START_PLACE) ? line == START_PLACE : line == START_IMPORT;
    if (!news->text.text[0] || !is_of_line || is_shown_elsewhere(news)) {
        return;
    }
    if (news->can_undo || news->can_renew) {
        ImGui::AlignTextToFramePadding();
    }
    start_show_text(news->is_wrong ? START_WRONG : START_DETAIL, news->text.text);
    if (news->can_undo && !news->is_wrong) {
        ImGui::SameLine();
        const bool is_undone = start_show_button("Undo", 0) || is_shortcut(ImGuiKey_Z);
        choice->action = is_undone ? START_UNDO : choice->action;
    }
    if (news->can_renew) {
        ImGui::SameLine();
        choice->action = start_show_button("Make a new one", 0) ? START_NEW_REPORT : choice->action;
    }
}

/// Takes a link from the clipboard by Ctrl+V. @return whether it did
bool take_pasted_link(StartScreen *screen)
{
    const char *text = is_shortcut(ImGuiKey_V) ? ImGui::GetClipboardText() : nullptr;
    if (!text || !share_is(text)) {
        return false;
    }
    (void)std::snprintf(screen->place, sizeof screen->place, "%s", text);
    return true;
}

void show_report_button(const StartNews *news, StartChoice *choice, float width)
{
    if (start_show_button("Speed report", width)) {
        choice->action = START_REPORT;
    }
    if (ImGui::IsItemHovered() && !news->is_reporting) {
        start_show_tip("Measures for some minutes how fast Terrane is here, and shows it in the "
                       "browser.");
    }
}

void show_place_line(StartScreen *screen, StartChoice *choice, float buttons)
{
    const bool is_pasted = take_pasted_link(screen);
    if (show_field("place", "paste a link: terrane://...", "Go there", screen->place,
                   sizeof screen->place, buttons) ||
        is_pasted) {
        choice->action = START_PLACE;
    }
}

void show_import_line(StartScreen *screen, const StartNews *news, StartChoice *choice,
                      float buttons)
{
    if (news->is_reporting) {
        choice->action = show_report(news, buttons) ? START_STOP_REPORT : choice->action;
    } else if (news->importing) {
        choice->action = show_import(news, buttons) ? START_STOP_IMPORT : choice->action;
    } else {
        const float button = BUTTON * ImGui::GetFontSize() + ImGui::GetStyle().ItemSpacing.x;
        if (start_show_button("Open a world or a schematic",
                              ImGui::GetContentRegionAvail().x - buttons + button)) {
            screen->files_open = true;
        }
        if (ImGui::IsItemHovered()) {
            start_show_tip("Of Minecraft, Luanti, MagicaVoxel, or a heightmap: it becomes a new "
                           "world. You can also drop it on this window. To put a schematic into a "
                           "world that you have, open that world and drop it there.");
        }
    }
}

/// Two lines with two buttons each; in a narrow window three lines.
void show_foot(StartScreen *screen, const StartNews *news, StartChoice *choice)
{
    const float button = BUTTON * ImGui::GetFontSize();
    const bool has_more = !is_narrow(screen);
    const float buttons = (has_more ? 2 : 1) * (button + ImGui::GetStyle().ItemSpacing.x);
    show_place_line(screen, choice, buttons);
    if (has_more) {
        ImGui::SameLine();
        show_report_button(news, choice, button);
    }
    show_news(news, START_PLACE, choice);
    show_import_line(screen, news, choice, buttons);
    if (has_more) {
        ImGui::SameLine();
    } else {
        show_report_button(news, choice, button);
        ImGui::SameLine();
    }
    choice->action = start_show_button("Quit", button) ? START_QUIT : choice->action;
    show_news(news, START_IMPORT, choice);
}

/// Returns the height of the part below: its lines of widgets, and at least two of news, so that no
/// button moves below the mouse when news come.
float foot_height(const StartScreen *screen, const StartNews *news)
{
    const float width = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.y;
    const bool has_text = news->text.text[0] && !is_shown_elsewhere(news);
    const float usual = NEWS_LINES * ImGui::GetTextLineHeight();
    const float text = has_text ? ImGui::CalcTextSize(news->text.text, nullptr, false, width).y : 0;
    const float lines = is_narrow(screen) ? 3 : 2;
    return lines * ImGui::GetFrameHeightWithSpacing() + 5 * gap + std::max(text, usual);
}

void show_title(const StartScreen *screen)
{
    ImGui::PushFont(screen->title);
    ImGui::TextUnformatted("Terrane");
    ImGui::PopFont();
}

void begin_part(const char *name, ImVec2 size)
{
    ImGui::BeginChild(name, size, false,
                      ImGuiWindowFlags_NavFlattened | ImGuiWindowFlags_AlwaysUseWindowPadding);
}

/// Shows the choice of a file in front of the screen.
void show_files(StartScreen *screen, const StartNews *news, StartChoice *choice)
{
    if (screen->files_open) {
        screen->files_open = false;
        file_chooser_close(&screen->files);
        ImGui::OpenPopup("files");
    }
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const float letter = ImGui::GetFontSize();
    ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y / 2), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(
        ImVec2(std::min(FILES_WIDTH * letter, size.x), std::min(FILES_HEIGHT * letter, size.y)));
    if (!ImGui::BeginPopupModal("files", nullptr,
                                ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove)) {
        return;
    }
    start_show_text(START_TITLE, "Open a world or a schematic");
    ImGui::TextWrapped("Worlds of Minecraft and Luanti, .schem .litematic .schematic .mts .vox, "
                       "heightmaps as .png: each becomes a new world.");
    const bool is_wrong = news->is_wrong && news->about == START_IMPORT && news->text.text[0];
    const FileChoice file =
        file_chooser_show(&screen->files, is_wrong ? news->text.text : nullptr, screen->source);
    if (file == FileChoice::chosen) {
        choice->action = START_IMPORT;
    }
    if (file == FileChoice::cancelled || news->importing) {
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
}

void show_all(StartScreen *screen, const WorldsFolder *folder, const StartNews *news,
              StartChoice *choice)
{
    show_title(screen);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float height = std::max(room.y - foot_height(screen, news), 4 * ImGui::GetFrameHeight());
    const float half = (height - ImGui::GetStyle().ItemSpacing.y) / 2;
    const bool is_stacked = is_narrow(screen);
    begin_part("worlds", is_stacked ? ImVec2(0, half) : ImVec2(room.x * LIST_PART, height));
    start_show_worlds(screen, folder, choice);
    ImGui::EndChild();
    if (!is_stacked) {
        ImGui::SameLine();
    }
    begin_part("new", ImVec2(0, is_stacked ? half : height));
    show_new(screen, folder, news, choice);
    ImGui::EndChild();
    show_foot(screen, news, choice);
    start_show_dialog(screen, folder, news, choice);
    show_files(screen, news, choice);
}

void fill_in(const StartScreen *screen, StartChoice *choice)
{
    choice->seed = terrain_choice_seed(screen->seed);
    const bool is_number = terrain_choice_is_number(screen->seed);
    (void)std::snprintf(choice->seed_text, sizeof choice->seed_text, "%s",
                        is_number ? "" : screen->seed);
    choice->preset = trn_terrain_preset_name(static_cast<size_t>(screen->preset));
    (void)std::snprintf(choice->name, sizeof choice->name, "%s",
                        choice->action == START_RENAME ? screen->renamed : screen->name);
    (void)std::snprintf(choice->place, sizeof choice->place, "%s", screen->place);
    (void)std::snprintf(choice->source, sizeof choice->source, "%s", screen->source);
}

void draw(const StartScreen *screen)
{
    int width, height;
    glfwGetFramebufferSize(screen->window, &width, &height);
    glViewport(0, 0, width, height);
    glClearColor(0.05f, 0.07f, 0.10f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

} // namespace

StartScreen *start_screen_create(GLFWwindow *window, const WorldsFolder *folder, uint64_t seed)
{
    auto *screen = new (std::nothrow) StartScreen();
    if (!screen) {
        return nullptr;
    }
    worlds_folder_free_name(folder, screen->name, sizeof screen->name);
    if (folder->count) { // a second world is for another land
        choose_another(screen, seed + folder->count);
    } else {
        (void)std::snprintf(screen->seed, sizeof screen->seed, "%" PRIu64, seed);
    }
    screen->mapped_preset = -1;
    screen->window = window;
    screen->context = ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr; // Dear ImGui writes no files
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard | ImGuiConfigFlags_NavEnableGamepad;
    screen->texture = gl_texture_create(GL_LINEAR, GL_CLAMP_TO_EDGE);
    if (!ImGui_ImplGlfw_InitForOpenGL(window, false) ||
        !ImGui_ImplOpenGL3_Init(gl_shader_version())) {
        start_screen_destroy(screen);
        return nullptr;
    }
    return screen;
}

void start_screen_destroy(StartScreen *screen)
{
    if (!screen) {
        return;
    }
    if (ImGui::GetIO().BackendRendererUserData) {
        ImGui_ImplOpenGL3_Shutdown();
    }
    if (ImGui::GetIO().BackendPlatformUserData) {
        ImGui_ImplGlfw_Shutdown();
    }
    glDeleteTextures(1, &screen->texture);
    start_screen_forget_worlds(screen);
    file_chooser_free(&screen->files);
    land_map_free(&screen->map);
    ImGui::DestroyContext(screen->context);
    delete screen;
}

void start_screen_forget_worlds(StartScreen *screen)
{
    glDeleteTextures(WORLDS_FOLDER_MAX, screen->pictures); // ignores 0
    std::fill_n(screen->pictures, WORLDS_FOLDER_MAX, 0U);
    screen->source[0] = '\0';
    screen->has_focus = false;
    screen->dialog = StartDialog::none;
}

StartChoice start_screen_draw(StartScreen *screen, const WorldsFolder *folder, float scale,
                              const StartNews *news, const EventBatch *batch)
{
    StartChoice choice = {};
    imgui_feed(screen->window, *batch, true, true);
    imgui_frame_begin(imgui_is_settled(*batch));
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    choose_scale(screen, scale);
    ImGui::NewFrame();
    const ImVec2 room(
        std::min(size.x, WIDTH_MAX * screen->scale),
        std::min(size.y, (is_narrow(screen) ? NARROW_HEIGHT_MAX : HEIGHT_MAX) * screen->scale));
    ImGui::SetNextWindowPos(
        ImVec2(std::floor((size.x - room.x) / 2), std::floor((size.y - room.y) / 2)));
    ImGui::SetNextWindowSize(room);
    if (ImGui::Begin("Terrane", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoBringToFrontOnFocus)) {
        show_back(screen, folder);
        show_all(screen, folder, news, &choice);
    }
    ImGui::End();
    ImGui::Render();
    if (batch->is_last) {
        draw(screen);
    }
    fill_in(screen, &choice);
    return choice;
}

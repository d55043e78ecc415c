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
#include <ctime>

#include "render/gl.h"
#include "start/land_map.h"
#include "window/imgui_frame.h"

namespace {

constexpr float FONT_SIZE = 13;    // pixels, the sharpest size of the built-in font
constexpr float LIST_PART = 0.52f; // of the window's width
// Pixels at the usual text size. Wider windows get margins. A window that is a multiple as large
// gets text of that multiple.
constexpr float WIDTH_MAX = 960, HEIGHT_MAX = 600;
constexpr float FOOT_LINES = 3.6f; // below both columns, in lines of widgets
constexpr float WORLD_LINES = 3;   // lines of text next to a world's picture
constexpr float MAP_MAX = 256;     // pixels at the usual text size
constexpr double KIB = 1024, MIB = KIB * KIB;
constexpr ImU32 DETAIL = IM_COL32(185, 195, 210, 255), PLAIN = IM_COL32(40, 50, 64, 255);
constexpr ImU32 TITLE = IM_COL32(250, 200, 107, 255), WRONG = IM_COL32(255, 140, 128, 255);

} // namespace

struct StartScreen {
    ImGuiContext *context;
    GLFWwindow *window;
    float scale; // of the font
    char name[128], seed[32], place[256], source[WORLDS_PATH_MAX];
    int preset;
    bool has_seed;   // the text is a valid number
    uint64_t mapped; // seed of the map
    int mapped_preset;
    bool has_focus; // set once, so that Enter works at once
    GLuint texture;
    LandMap map;
    GLuint pictures[WORLDS_FOLDER_MAX]; // textures of the listed worlds; 0: not created yet
};

namespace {

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
    style.Colors[ImGuiCol_WindowBg] = ImVec4(0.05f, 0.07f, 0.10f, 1);
    style.ScaleAllSizes(scale);
    ImGui::GetStyle() = style;
    ImFontConfig config;
    config.SizePixels = std::round(FONT_SIZE * scale);
    ImGui::GetIO().Fonts->Clear();
    ImGui::GetIO().Fonts->AddFontDefault(&config);
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
}

void show_text(ImU32 colour, const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::TextWrapped("%s", text);
    ImGui::PopStyleColor();
}

/// Whether Enter was pressed on the last item; Dear ImGui handles Enter only in text fields.
bool is_entered()
{
    return ImGui::IsItemFocused() &&
           (ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false) ||
            ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_KeyPadEnter), false));
}

bool show_button(const char *label, float width)
{
    const bool is_pressed = ImGui::Button(label, ImVec2(width, 0));
    return is_entered() || is_pressed;
}

/// Sets the initial focus to the first item that Enter can activate.
void take_focus(StartScreen *screen)
{
    if (!screen->has_focus) {
        ImGui::SetKeyboardFocusHere();
        screen->has_focus = true;
    }
}

/// @param rgb  [height * width * 3] rows from the top; NULL: undefined pixels
void fill_texture(GLuint texture, int width, int height, const void *rgb)
{
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, width, height, 0, GL_RGB, GL_UNSIGNED_BYTE, rgb);
}

ImTextureID texture_id(GLuint texture)
{
    return reinterpret_cast<ImTextureID>(static_cast<intptr_t>(texture));
}

// ---- worlds -------------------------------------------------------------------------------------

void write_size(uint64_t bytes, char *text, size_t size)
{
    const auto number = static_cast<double>(bytes);
    (void)std::snprintf(text, size, number < MIB ? "%.0f KiB" : "%.1f MiB",
                        number < MIB ? number / KIB : number / MIB);
}

void write_land(const WorldEntry *entry, char *text, size_t size)
{
    if (entry->facts.has_terrain) {
        (void)std::snprintf(text, size, "%s, seed %" PRIu64,
                            entry->facts.preset[0] ? entry->facts.preset : "a land of its own",
                            entry->facts.terrain.seed);
    } else {
        (void)std::snprintf(text, size, "%s",
                            entry->facts.has_old_land ? "old land, shown as far as it is saved"
                                                      : "imported");
    }
}

void write_visit(const WorldEntry *entry, char *text, size_t size)
{
    char bytes[24], visited[32] = "";
    const auto when = static_cast<std::time_t>(entry->visited);
    const std::tm *local = std::localtime(&when);
    if (local) {
        (void)std::strftime(visited, sizeof visited, "%Y-%m-%d %H:%M", local);
    }
    write_size(entry->bytes, bytes, sizeof bytes);
    (void)std::snprintf(text, size, "%s, %s", visited, bytes);
}

/// Draws a world's picture, or an empty frame.
void draw_picture(StartScreen *screen, const WorldEntry *entry, size_t place, ImVec2 from,
                  ImVec2 size)
{
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImVec2 to(from.x + size.x, from.y + size.y);
    GLuint *texture = &screen->pictures[place];
    if (entry->picture && !*texture && ImGui::IsRectVisible(from, to)) {
        *texture = gl_texture_create(GL_LINEAR, GL_CLAMP_TO_EDGE);
        fill_texture(*texture, WORLD_PICTURE_WIDTH, WORLD_PICTURE_HEIGHT, entry->picture->rgb);
    }
    if (*texture) {
        list->AddImage(texture_id(*texture), from, to);
    } else {
        list->AddRectFilled(from, to, PLAIN);
    }
}

/// @return whether the world was chosen
bool show_world(StartScreen *screen, const WorldEntry *entry, size_t place)
{
    char text[256];
    if (entry->state != WORLD_GOOD) {
        ImGui::TextDisabled("%s", entry->name);
        show_text(WRONG, entry->state == WORLD_REFUSED ? entry->reason.text : "...");
        return false;
    }
    const float line = ImGui::GetTextLineHeight(), height = WORLD_LINES * line;
    const ImVec2 size(std::round(height * WORLD_PICTURE_WIDTH / WORLD_PICTURE_HEIGHT), height);
    const ImVec2 from = ImGui::GetCursorPos(), corner = ImGui::GetCursorScreenPos();
    take_focus(screen);
    const bool is_clicked = ImGui::Selectable("##world", false, 0, ImVec2(0, height));
    const bool is_chosen = is_entered() || is_clicked;
    const ImVec2 end = ImGui::GetCursorPos();
    const float left = from.x + size.x + ImGui::GetStyle().ItemSpacing.x;
    draw_picture(screen, entry, place, corner, size);
    ImGui::SetCursorPos(ImVec2(left, from.y));
    ImGui::TextUnformatted(entry->name);
    ImGui::PushStyleColor(ImGuiCol_Text, DETAIL);
    write_land(entry, text, sizeof text);
    ImGui::SetCursorPos(ImVec2(left, from.y + line));
    ImGui::TextUnformatted(text);
    write_visit(entry, text, sizeof text);
    ImGui::SetCursorPos(ImVec2(left, from.y + 2 * line));
    ImGui::TextUnformatted(text);
    ImGui::PopStyleColor();
    ImGui::SetCursorPos(end);
    return is_chosen;
}

void show_worlds(StartScreen *screen, const WorldsFolder *folder, StartChoice *choice)
{
    show_text(TITLE, "Worlds");
    if (folder->problem.text[0]) {
        ImGui::TextWrapped("%s", folder->problem.text);
    } else if (folder->count == 0) {
        ImGui::TextWrapped("There are none yet. They will be in %s.",
                           folder->path[0] ? message_short(folder->path).text : "no folder");
    }
    for (size_t i = 0; i < folder->count; i++) {
        ImGui::PushID(static_cast<int>(i));
        if (show_world(screen, &folder->worlds[i], i)) {
            choice->action = START_OPEN;
            choice->world = i;
        }
        ImGui::PopID();
        ImGui::Separator();
    }
    if (folder->left_off) {
        ImGui::TextWrapped("%zu older worlds are not listed: open them with --world FILE.",
                           folder->left_off);
    }
}

// ---- a new world --------------------------------------------------------------------------------

/// @return whether the text is a valid seed
bool read_seed(const char *text, uint64_t *seed)
{
    char *end;
    const uint64_t number = std::strtoull(text, &end, 0);
    const bool is_number = *text >= '0' && *text <= '9' && *end == '\0';
    *seed = is_number ? number : *seed;
    return is_number;
}

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
        fill_texture(screen->texture, LAND_MAP_EDGE, LAND_MAP_EDGE, screen->map.rgb);
    }
}

void show_map(const StartScreen *screen, float edge)
{
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImGui::Image(texture_id(screen->texture), ImVec2(edge, edge));
    const ImVec2 middle(from.x + edge / 2, from.y + edge / 2);
    ImGui::GetWindowDrawList()->AddCircle(middle, 4 * screen->scale, IM_COL32(255, 255, 255, 255));
}

bool show_preset(int *preset)
{
    const char *name = trn_terrain_preset_name(static_cast<size_t>(*preset));
    bool has_changed = false;
    if (ImGui::BeginCombo("preset", name)) {
        for (size_t i = 0; (name = trn_terrain_preset_name(i)); i++) {
            if (ImGui::Selectable(name, static_cast<int>(i) == *preset) || is_entered()) {
                *preset = static_cast<int>(i);
                has_changed = true;
                ImGui::CloseCurrentPopup();
            }
        }
        ImGui::EndCombo();
    }
    return has_changed;
}

void show_new(StartScreen *screen, StartChoice *choice)
{
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = ImGui::GetContentRegionAvail().x, half = (width - gap) / 2;
    uint64_t seed = screen->mapped;
    show_text(TITLE, "New world");
    ImGui::PushItemWidth(width - 5 * ImGui::GetFontSize());
    ImGui::InputText("name", screen->name, sizeof screen->name);
    ImGui::InputText("seed", screen->seed, sizeof screen->seed);
    screen->has_seed = read_seed(screen->seed, &seed);
    (void)show_preset(&screen->preset);
    ImGui::PopItemWidth();
    take_focus(screen);
    choice->action = show_button("Create and play", half) ? START_CREATE : choice->action;
    ImGui::SameLine();
    if (show_button("Another seed", half)) {
        choose_another(screen, seed);
    }
    choice->action = show_button("Play without saving", width) ? START_PLAY : choice->action;
    if (!screen->has_seed) {
        show_text(WRONG, "A seed is a number.");
    }
    update_map(screen, seed);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const float edge = std::min({room.x, room.y - line, MAP_MAX * screen->scale});
    if (edge > 2 * line) {
        show_map(screen, edge);
        ImGui::TextDisabled("%d x %d voxels around the start", LAND_MAP_EDGE * LAND_MAP_SCALE,
                            LAND_MAP_EDGE * LAND_MAP_SCALE);
    }
}

// ---- below --------------------------------------------------------------------------------------

/// Shows a text field with a button. @return whether the button or Enter was pressed and the field
/// has text
bool show_field(const char *id, const char *hint, const char *label, char *text, size_t size,
                float button)
{
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    ImGui::PushID(id);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - 2 * (button + gap));
    const bool is_entered_here =
        ImGui::InputTextWithHint("##text", hint, text, size, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::SameLine();
    const bool is_pressed = show_button(label, button);
    ImGui::SameLine();
    ImGui::PopID();
    return (is_pressed || is_entered_here) && text[0];
}

/// @return whether the stop button was pressed
bool show_import(const StartNews *news, float button)
{
    const ImporterNow now = news->import_now;
    const float part = now.total ? static_cast<float>(now.done) / static_cast<float>(now.total) : 0;
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    char text[WORLDS_NAME_BYTES + 128];
    (void)std::snprintf(text, sizeof text, "%s %s: %" PRIu64 " of %" PRIu64 " chunks",
                        now.is_folding ? "Levels of detail of" : "Importing", news->importing,
                        now.done, now.total);
    ImGui::ProgressBar(part, ImVec2(ImGui::GetContentRegionAvail().x - 2 * (button + gap), 0),
                       text);
    ImGui::SameLine();
    const bool stops = show_button("Stop", button);
    ImGui::SameLine();
    return stops;
}

void show_foot(StartScreen *screen, const StartNews *news, StartChoice *choice)
{
    const float button = 8 * ImGui::GetFontSize();
    if (show_field("place", "paste a place: what --at takes", "Go there", screen->place,
                   sizeof screen->place, button)) {
        choice->action = START_PLACE;
    }
    if (show_button("Report", button)) {
        choice->action = START_REPORT;
    }
    if (news->importing) {
        choice->action = show_import(news, button) ? START_STOP_IMPORT : choice->action;
    } else if (show_field("source", "drop or name a world of Luanti, Minecraft, a .vox or .png",
                          "Import", screen->source, sizeof screen->source, button)) {
        choice->action = START_IMPORT;
    }
    choice->action = show_button("Quit", button) ? START_QUIT : choice->action;
    if (news->text.text[0]) {
        show_text(news->is_wrong ? WRONG : DETAIL, news->text.text);
    }
}

void show_all(StartScreen *screen, const WorldsFolder *folder, const StartNews *news,
              StartChoice *choice)
{
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float foot = FOOT_LINES * ImGui::GetFrameHeightWithSpacing();
    const float height = std::max(room.y - foot, 4 * ImGui::GetFrameHeight());
    const ImGuiWindowFlags flat = ImGuiWindowFlags_NavFlattened;
    ImGui::BeginChild("worlds", ImVec2(room.x * LIST_PART, height), false, flat);
    show_worlds(screen, folder, choice);
    ImGui::EndChild();
    ImGui::SameLine();
    ImGui::BeginChild("new", ImVec2(0, height), false, flat);
    show_new(screen, choice);
    ImGui::EndChild();
    ImGui::Separator();
    show_foot(screen, news, choice);
}

void fill_in(const StartScreen *screen, StartChoice *choice)
{
    const bool needs_seed = choice->action == START_CREATE || choice->action == START_PLAY;
    if (needs_seed && !screen->has_seed) {
        choice->action = START_NOTHING;
    }
    choice->seed = screen->mapped;
    (void)read_seed(screen->seed, &choice->seed);
    choice->preset = trn_terrain_preset_name(static_cast<size_t>(screen->preset));
    (void)std::snprintf(choice->name, sizeof choice->name, "%s", screen->name);
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
    (void)std::snprintf(screen->seed, sizeof screen->seed, "%" PRIu64, seed);
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
}

StartChoice start_screen_draw(StartScreen *screen, const WorldsFolder *folder, float scale,
                              const StartNews *news, const EventBatch *batch)
{
    StartChoice choice = {};
    imgui_feed(screen->window, *batch, true);
    imgui_frame_begin(imgui_is_settled(*batch));
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    choose_scale(screen, scale);
    ImGui::NewFrame();
    const ImVec2 room(std::min(size.x, WIDTH_MAX * screen->scale),
                      std::min(size.y, HEIGHT_MAX * screen->scale));
    ImGui::SetNextWindowPos(
        ImVec2(std::floor((size.x - room.x) / 2), std::floor((size.y - room.y) / 2)));
    ImGui::SetNextWindowSize(room);
    if (ImGui::Begin("Terrane", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                         ImGuiWindowFlags_NoBringToFrontOnFocus)) {
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

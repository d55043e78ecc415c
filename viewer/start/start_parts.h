/// What the parts of the start screen share. C++.
#pragma once

#include <imgui.h>

#include "panels/file_chooser.h"
#include "render/gl.h"
#include "start/land_map.h"
#include "start/start_choice.h"

/// A question about a world, in front of the screen.
enum class StartDialog { none, rename, remove };

struct GLFWwindow;

struct StartScreen {
    ImGuiContext *context;
    GLFWwindow *window;
    ImFont *title;
    float scale; // of the font
    char name[WORLDS_NEW_NAME_MAX + 1], seed[64], place[256], source[WORLDS_PATH_MAX];
    int preset;
    uint64_t mapped; // seed of the map
    int mapped_preset;
    FileChooser files;
    bool files_open; // in the next frame
    bool has_focus;  // set once, so that Enter works at once
    WorldsOrder order;
    StartDialog dialog;
    bool dialog_opens; // in the next frame
    size_t asked;      // world of the dialog
    char renamed[WORLDS_NEW_NAME_MAX + 1];
    GLuint texture;
    LandMap map;
    GLuint pictures[WORLDS_FOLDER_MAX]; // textures of the listed worlds; 0: not created yet
};

constexpr ImU32 START_DETAIL = IM_COL32(185, 195, 210, 255);
constexpr ImU32 START_PLAIN = IM_COL32(40, 50, 64, 255);
constexpr ImU32 START_TITLE = IM_COL32(250, 200, 107, 255);
constexpr ImU32 START_WRONG = IM_COL32(255, 140, 128, 255);

void start_show_text(ImU32 colour, const char *text);
/// Whether Enter was pressed on the last item; Dear ImGui handles Enter only in text fields.
bool start_is_entered();
bool start_show_button(const char *label, float width);
/// Shows a sentence about what is under the mouse.
void start_show_tip(const char *text);
/// Sets the initial focus to the first item that Enter can activate.
void start_take_focus(StartScreen *screen);
/// @param rgb  [height * width * 3] rows from the top; NULL: undefined pixels
void start_fill_texture(GLuint texture, int width, int height, const void *rgb);
ImTextureID start_texture_id(GLuint texture);

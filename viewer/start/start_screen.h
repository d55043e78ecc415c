/// The start screen's panel (Dear ImGui), behind a C header: shows the folder's worlds and returns
/// the person's choice.
#pragma once

#include "start/importer.h"
#include "start/worlds_folder.h"
#include "window/events.h"

struct GLFWwindow;

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StartScreen StartScreen;

typedef enum StartAction {
    START_NOTHING,
    START_OPEN,   ///< open a listed world
    START_CREATE, ///< create a new world
    START_PLAY,   ///< play the new world's land, without a file
    START_PLACE,  ///< go to a pasted place
    START_IMPORT, ///< import a world of another game
    START_STOP_IMPORT,
    START_REPORT, ///< open the benchmark's report in the browser
    START_QUIT
} StartAction;

typedef struct StartChoice {
    StartAction action;
    size_t world;                 ///< OPEN: index in the folder
    char name[128];               ///< CREATE
    uint64_t seed;                ///< CREATE, PLAY
    const char *preset;           ///< CREATE, PLAY; static
    char place[256];              ///< PLACE: in the format of --at
    char source[WORLDS_PATH_MAX]; ///< IMPORT
} StartChoice;

/// The message below the list.
typedef struct StartNews {
    Message text;           ///< about the last choice; empty: none
    bool is_wrong;          ///< an error
    const char *importing;  ///< name of the world being imported; NULL: none
    ImporterNow import_now; ///< progress of that import
} StartNews;

/// @param window  with a current OpenGL context
/// @param seed    initial seed in the form for a new world
/// @return NULL if out of memory, or if the graphics driver refuses a texture
StartScreen *start_screen_create(struct GLFWwindow *window, const WorldsFolder *folder,
                                 uint64_t seed);
void start_screen_destroy(StartScreen *screen);

/// Call it after the folder was listed again: pictures are stored by place in the list.
void start_screen_forget_worlds(StartScreen *screen);

/// Handles a batch of events. After the last of a frame, draws over the whole window, and one step
/// of the map.
/// @param folder  unread worlds are shown by name
/// @param scale   of text (window_text_scale)
StartChoice start_screen_draw(StartScreen *screen, const WorldsFolder *folder, float scale,
                              const StartNews *news, const EventBatch *batch);

#ifdef __cplusplus
}
#endif

/// The start screen's panel (Dear ImGui), behind a C header: it shows the folder's worlds and says
/// what the person chose.
#ifndef TERRANE_VIEWER_START_SCREEN_H
#define TERRANE_VIEWER_START_SCREEN_H

#include "start/importer.h"
#include "start/worlds_folder.h"

struct GLFWwindow;

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StartScreen StartScreen;

typedef enum StartAction {
    START_NOTHING,
    START_OPEN,   ///< a world of the list
    START_CREATE, ///< a new world
    START_PLAY,   ///< the new world's land, without a file
    START_PLACE,  ///< a place that was pasted
    START_IMPORT, ///< a world of another game
    START_STOP_IMPORT,
    START_REPORT, ///< of the benchmark, in the browser
    START_QUIT
} StartAction;

typedef struct StartChoice {
    StartAction action;
    size_t world;                 ///< OPEN: which of the folder
    char name[128];               ///< CREATE
    uint64_t seed;                ///< CREATE, PLAY
    const char *preset;           ///< CREATE, PLAY; static
    char place[256];              ///< PLACE: for --at
    char source[WORLDS_PATH_MAX]; ///< IMPORT
} StartChoice;

/// What is told below the list.
typedef struct StartNews {
    Message text;           ///< of the last choice; empty: nothing
    bool is_wrong;          ///< it says what went wrong
    const char *importing;  ///< the name of the world that is imported; NULL: none is
    ImporterNow import_now; ///< of that
} StartNews;

/// @param window  with a current OpenGL context
/// @param seed    that a new world has at first
/// @return NULL if there is no memory, or the driver refuses
StartScreen *start_screen_create(struct GLFWwindow *window, const WorldsFolder *folder,
                                 uint64_t seed);
void start_screen_destroy(StartScreen *screen);

/// To be called when the folder was listed again: pictures belong to places of the list.
void start_screen_forget_worlds(StartScreen *screen);

/// Draws a frame over the whole window, and a step of the map.
/// @param folder  worlds that are still unread are shown by name
/// @param scale   of text (window_text_scale)
StartChoice start_screen_draw(StartScreen *screen, const WorldsFolder *folder, float scale,
                              const StartNews *news);

#ifdef __cplusplus
}
#endif

#endif

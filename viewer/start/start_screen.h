/// The start screen's panel (Dear ImGui), behind a C header: it shows the folder's worlds and says
/// what the person chose.
#ifndef TERRANE_VIEWER_START_SCREEN_H
#define TERRANE_VIEWER_START_SCREEN_H

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
    START_QUIT
} StartAction;

typedef struct StartChoice {
    StartAction action;
    size_t world;       ///< OPEN: which of the folder
    char name[128];     ///< CREATE
    uint64_t seed;      ///< CREATE, PLAY
    const char *preset; ///< CREATE, PLAY; static
    char place[256];    ///< PLACE: for --at
} StartChoice;

/// @param window  with a current context of OpenGL 3.3
/// @param seed    that a new world has at first
/// @return NULL if there is no memory, or the driver refuses
StartScreen *start_screen_create(struct GLFWwindow *window, const WorldsFolder *folder,
                                 uint64_t seed);
void start_screen_destroy(StartScreen *screen);

/// Draws a frame over the whole window, and a step of the map.
/// @param folder   worlds that are still unread are shown by name
/// @param scale    of text (Window.text_scale)
/// @param problem  what went wrong with the last choice; shown. Empty: nothing
StartChoice start_screen_draw(StartScreen *screen, const WorldsFolder *folder, float scale,
                              const Message *problem);

#ifdef __cplusplus
}
#endif

#endif

/// The start screen's panel (Dear ImGui), behind a C header: shows the folder's worlds and returns
/// the person's choice.
#pragma once

#include "start/start_choice.h"
#include "window/events.h"

struct GLFWwindow;

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StartScreen StartScreen;

/// @param window  with a current OpenGL context
/// @param seed    initial seed in the form for a new world
/// @return NULL if out of memory, or if the graphics driver refuses a texture
StartScreen *start_screen_create(struct GLFWwindow *window, const WorldsFolder *folder,
                                 uint64_t seed);
void start_screen_destroy(StartScreen *screen);

/// Call it after the folder was listed or sorted again: pictures and questions are stored by place
/// in the list.
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

/// The window of the index view (Dear ImGui), behind a C header: slices, figures, and growth of the
/// directories.
#pragma once

#include "index_view/index_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The slices' textures on the graphics card.
typedef struct PanelIndexArt PanelIndexArt;

/// All functions here need a current OpenGL context. @return NULL if out of memory
PanelIndexArt *panel_index_create(void);
/// @param art  may be NULL
void panel_index_destroy(PanelIndexArt *art);

/// Call it between a new frame of Dear ImGui and its end. After a new copy of the view, paints the
/// slices, one a frame, and uploads those that changed.
/// @param view    receives the plane that the user chooses
/// @param bottom  height to leave free at the picture's lower edge
/// Cost: some 50 us; with a new slice some 0.1 ms more.
void panel_index_show(PanelIndexArt *art, IndexView *view, float bottom);

#ifdef __cplusplus
}
#endif

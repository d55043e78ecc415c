/// The window of the index view (Dear ImGui), behind a C header: slices, figures, and steps of the
/// directories.
#ifndef TERRANE_VIEWER_PANEL_INDEX_H
#define TERRANE_VIEWER_PANEL_INDEX_H

#include "index_view/index_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The slices' textures on the graphics card.
typedef struct PanelIndexArt PanelIndexArt;

/// Needs a current OpenGL context, as all functions here. @return NULL without memory
PanelIndexArt *panel_index_create(void);
/// @param art  may be NULL
void panel_index_destroy(PanelIndexArt *art);

/// Call it between a new frame of Dear ImGui and its end. If the view has copied again, it paints
/// the slices, one a frame, and uploads those that changed.
/// @param view    receives the plane that the user chose
/// @param bottom  height to leave free at the picture's lower edge
/// Cost: some 50 us; with a new slice some 0.1 ms more.
void panel_index_show(PanelIndexArt *art, IndexView *view, float bottom);

#ifdef __cplusplus
}
#endif
#endif

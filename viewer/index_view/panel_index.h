/// The window of the index view (Dear ImGui), behind a C header: slices, figures, and the steps of
/// the directories.
#ifndef TERRANE_VIEWER_PANEL_INDEX_H
#define TERRANE_VIEWER_PANEL_INDEX_H

#include "index_view/index_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The slices, on the graphics card.
typedef struct PanelIndexArt PanelIndexArt;

/// Needs a current OpenGL 3.3 context, as all functions here. @return NULL without memory
PanelIndexArt *panel_index_create(void);
/// @param art  may be NULL
void panel_index_destroy(PanelIndexArt *art);

/// Between a new frame of Dear ImGui and its end. Where the view has looked anew it paints the
/// slices anew, one a frame, and sends those that are others then.
/// @param view    receives the plane that the person chose
/// @param bottom  of the picture's lower edge, what is kept free
/// Cost: some 50 us; with a new slice some 0.1 ms more.
void panel_index_show(PanelIndexArt *art, IndexView *view, float bottom);

#ifdef __cplusplus
}
#endif
#endif

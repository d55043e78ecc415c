/// Temporary overlays over the picture: help, loading bar, notices. Part of the panel, which draws
/// them; the pause menu is in menu.cpp.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "render/look.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One row of the help. The rows of a group are contiguous.
typedef struct OverlayRow {
    const char *group, *keys, *words;
} OverlayRow;

/// A name in the picture.
typedef struct OverlayLabel {
    const char *text; ///< borrowed
    float x, y;       ///< middle of the label, 0..1 from the picture's upper left corner
} OverlayLabel;

typedef struct Overlay {
    const OverlayLabel *labels; ///< [label_count] names of other players
    size_t label_count;
    /// [row_count] rows of the help, which then replaces the pause menu; NULL: not shown
    const OverlayRow *rows;
    size_t row_count;
    bool paused;              ///< the pause menu is open
    bool has_files;           ///< the pause menu opens and saves files of buildings
    bool touches;             ///< touch input: thumbs cover the lower part of the picture
    const char *note;         ///< a line in the pause menu, such as why saving fails; or NULL
    const Look *look;         ///< the look in effect; needed while paused
    const char *loading_text; ///< what is loading; NULL: nothing
    float loading;            ///< 0..1
    const char *notice;       ///< a sentence, or NULL
    const char *band;         ///< what goes on, over the lower edge of the picture; or NULL
} Overlay;

#ifdef __cplusplus
}

struct ImVec2;

/// Draws the overlays into the current frame of Dear ImGui.
/// @param bottom  height kept free at the window's lower edge, for the bar of blocks
/// @param free    left and right end of the part of the window between the columns of figures
void overlay_show(const Overlay *overlay, float bottom, ImVec2 free);
#endif

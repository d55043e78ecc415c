/// What lies over the picture for a moment: help, loading bar, notices. Part of the panel, which
/// draws it; the pause menu is in menu.cpp.
#ifndef TERRANE_VIEWER_OVERLAY_H
#define TERRANE_VIEWER_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "render/look.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One row of the help. All rows of a group lie together.
typedef struct OverlayRow {
    const char *group, *keys, *words;
} OverlayRow;

/// A name in the picture.
typedef struct OverlayLabel {
    const char *text; ///< borrowed
    float x, y;       ///< of its middle, 0..1 from the picture's upper left corner
} OverlayLabel;

typedef struct Overlay {
    const OverlayLabel *labels; ///< [label_count] names of other players
    size_t label_count;
    /// of the help, which stands in the menu's place then; NULL: it is not shown
    const OverlayRow *rows;
    size_t row_count;
    bool paused;              ///< the pause menu is open
    bool touches;             ///< fingers are in use: thumbs lie over the lower part of the picture
    const char *note;         ///< a line in it, or NULL: what stands in the way of saving, say
    const Look *look;         ///< that is drawn; needed where paused
    const char *loading_text; ///< NULL: nothing is awaited
    float loading;            ///< 0..1
    const char *notice;       ///< a sentence, or NULL
} Overlay;

#ifdef __cplusplus
}

/// Draws it into the present frame of Dear ImGui.
/// @param bottom  of the window's lower edge, what is kept free for the bar of blocks
void overlay_show(const Overlay *overlay, float bottom);
#endif
#endif

/// What lies over the picture for a moment: the help, the loading bar, the pause menu. Part of the
/// panel, which draws it.
#ifndef TERRANE_VIEWER_OVERLAY_H
#define TERRANE_VIEWER_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One row of the help. All rows of a group lie together.
typedef struct OverlayRow {
    const char *group, *keys, *words;
} OverlayRow;

/// What the pause menu shows and changes.
typedef struct OverlayMenu {
    float sensitivity, field_of_view, bob;
    bool invert, full_screen;
    int quality;       ///< 0 low, 1 medium, 2 high
    const char *note;  ///< a line below, or NULL: what stands in the way of saving, say
    bool changed;      ///< by the person, in this frame
    bool resume, quit; ///< a button was pressed
} OverlayMenu;

typedef struct Overlay {
    /// of the help, which stands in the menu's place then; NULL: it is not shown
    const OverlayRow *rows;
    size_t row_count;
    OverlayMenu *menu;        ///< NULL: not paused
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

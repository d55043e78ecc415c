/// The bar of blocks at the bottom of the picture (Dear ImGui), behind a C header.
#pragma once

#include <terrane/block_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PANEL_PALETTE_MAX 9

/// What the bar shows; borrowed.
typedef struct PanelPalette {
    const TrnBlockTypes *types;
    const TrnBlock *blocks; ///< [count]
    uint32_t count;         ///< 1..PANEL_PALETTE_MAX
    uint32_t chosen;        ///< the selected slot
    const char *tool;       ///< the tool, shown after the block's name; NULL: none
} PanelPalette;

/// The pictures of the bar's blocks, on the graphics card.
typedef struct PanelPaletteArt PanelPaletteArt;

/// All functions here need a current OpenGL context. @return NULL if out of memory
PanelPaletteArt *panel_palette_create(void);
/// @param art  may be NULL
void panel_palette_destroy(PanelPaletteArt *art);

/// Shows the crosshair in the middle of the picture. Call it between a new frame of Dear ImGui and
/// its end.
void panel_palette_show_aim(void);

/// Call it between a new frame of Dear ImGui and its end. Repaints the pictures of changed slots,
/// some 100 us each.
void panel_palette_show(PanelPaletteArt *art, const PanelPalette *palette);

/// Returns the slot of the bar at a point of the window, or -1.
/// @param x,y  0..1, from the window's upper left corner
int panel_palette_slot(const PanelPaletteArt *art, float x, float y);

#ifdef __cplusplus
}
#endif

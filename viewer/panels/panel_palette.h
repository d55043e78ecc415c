/// The bar of blocks at the bottom of the picture (Dear ImGui), behind a C header.
#ifndef TERRANE_VIEWER_PANEL_PALETTE_H
#define TERRANE_VIEWER_PANEL_PALETTE_H

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
    uint32_t chosen;        ///< place of the marked one
    const char *tool;       ///< what one builds with, behind the block's name; NULL: nothing
} PanelPalette;

/// The pictures of the blocks in the bar, on the graphics card.
typedef struct PanelPaletteArt PanelPaletteArt;

/// Needs a current OpenGL context, as all functions here. @return NULL without memory
PanelPaletteArt *panel_palette_create(void);
/// @param art  may be NULL
void panel_palette_destroy(PanelPaletteArt *art);

/// A small cross in the middle of the picture, where the hand aims. Between a new frame of Dear
/// ImGui and its end.
void panel_palette_show_aim(void);

/// Between a new frame of Dear ImGui and its end. Paints those pictures again whose blocks are
/// others now, some 100 us each.
void panel_palette_show(PanelPaletteArt *art, const PanelPalette *palette);

/// The slot of the bar at a point of the window, or -1.
/// @param x,y  0..1, from the window's upper left corner
int panel_palette_slot(const PanelPaletteArt *art, float x, float y);

#ifdef __cplusplus
}
#endif
#endif

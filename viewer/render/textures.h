/// Textures of blocks, painted by code when the viewer starts: 16 x 16 texels for the top, sides
/// and bottom of each type.
///
/// Plants have holes, leaves have deep gaps, and glass is nearly clear: alpha says so. What is
/// painted depends on words in the type's name (grass, log, leaves, ore, ...) and on its colours; a
/// type with no such word looks like plain stone in its colour. Textures repeat without a seam, and
/// have the type's colour on average.
#ifndef TERRANE_VIEWER_TEXTURES_H
#define TERRANE_VIEWER_TEXTURES_H

#include <terrane/block_types.h>

#define TEXTURE_EDGE 16
#define TEXTURE_PARTS 3 ///< of a block: top, side, bottom

/// sRGB and opacity; rows from the bottom.
typedef struct Texture {
    uint8_t texel[TEXTURE_EDGE][TEXTURE_EDGE][4];
} Texture;

/// Paints a part of a type. Equal arguments give equal textures.
/// @param part  0 top, 1 side, 2 bottom; for plants all parts are the leaf
void texture_paint(const TrnBlockType *type, uint32_t part, Texture *texture);

/// Halves a texture: the next coarser level. Colours are averaged as linear light, weighted by
/// opacity.
/// @param edge     of the finer one, even
/// @param finer    [edge * edge]
/// @param coarser  [edge / 2 * edge / 2]; may not overlap
void texture_halve(const uint8_t (*finer)[4], uint32_t edge, uint8_t (*coarser)[4]);

#endif

/// Procedural textures of blocks, painted when the viewer starts: 16 x 16 texels for the top, sides
/// and bottom of each type.
///
/// Alpha holds opacity: plants have holes, leaves have deep gaps, and glass is nearly clear. The
/// pattern depends on words in the type's name (grass, log, leaves, ore, ...) and on its colours; a
/// type without such a word looks like plain stone in its colour. Textures tile seamlessly, and
/// their mean is the type's colour.
#pragma once

#include <terrane/block_types.h>

#define TEXTURE_EDGE 16
#define TEXTURE_PARTS 3 ///< top, side, bottom

/// sRGB and opacity; rows from the bottom.
typedef struct Texture {
    uint8_t texel[TEXTURE_EDGE][TEXTURE_EDGE][4];
} Texture;

/// Paints a part of a type. Equal arguments give equal textures.
/// @param part  0 top, 1 side, 2 bottom; for plants all parts are the leaf
void texture_paint(const TrnBlockType *type, uint32_t part, Texture *texture);

/// Halves a texture to the next mip level. Colours are averaged as linear light, weighted by
/// opacity.
/// @param edge     of the finer level, even
/// @param finer    [edge * edge]
/// @param coarser  [edge / 2 * edge / 2]; may not overlap
void texture_halve(const uint8_t (*finer)[4], uint32_t edge, uint8_t (*coarser)[4]);

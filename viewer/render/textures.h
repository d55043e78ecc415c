/// The look of blocks, painted by code when the viewer starts: 16 x 16 texels for the top, sides
/// and bottom of each type.
///
/// Plants have holes, leaves deep gaps, and glass is nearly clear: the alpha says so. What is
/// painted follows from the type's name (grass, log, leaves, ore, ...) and its colours; a type with
/// a name that says nothing is painted as plain stone of its colour. Pictures repeat without a
/// seam, and have on average the type's colour.
#ifndef TERRANE_VIEWER_TEXTURES_H
#define TERRANE_VIEWER_TEXTURES_H

#include <terrane/block_types.h>

#define TEXTURE_EDGE 16
#define TEXTURE_PARTS 3 ///< of a block: top, side, bottom

/// sRGB and how much it covers; rows from the bottom.
typedef struct Texture {
    uint8_t texel[TEXTURE_EDGE][TEXTURE_EDGE][4];
} Texture;

/// Paints a part of a type. The same arguments give the same picture.
/// @param part  0 top, 1 side, 2 bottom; of plants all parts are the leaf
void texture_paint(const TrnBlockType *type, uint32_t part, Texture *texture);

/// Halves a picture: the next coarser level. Colours are averaged as light is, and those of what
/// does not cover are left out.
/// @param edge   of the finer one, even
/// @param finer  [edge * edge]
/// @param coarser  [edge / 2 * edge / 2]; may not overlap
void texture_halve(const uint8_t (*finer)[4], uint32_t edge, uint8_t (*coarser)[4]);

#endif

/// The colours and textures of blocks on the graphics card.
#pragma once

#include <terrane/block_types.h>

#include "message.h"
#include "render/gl.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BLOCK_ART_ROW 256 ///< types in a row of `colours`; terrain.frag has the same number

#define BLOCK_ART_BOX_ROW 64 ///< types in a row of `boxes`; terrain.frag has the same number

#define BLOCK_ART_BITS 1024 ///< frame.glsl and quad.vert have the same number

/// A set of types, one bit each.
typedef struct BlockArtBits {
    uint32_t words[BLOCK_ART_BITS / 32];
} BlockArtBits;

typedef struct BlockArt {
    /// 3 colours a type, sRGB: top, side, bottom. Alpha: 1/4 glass and the like, 1/2 leaves, 3/4
    /// turf and plants, 1 everything else
    GLuint colours;
    /// 3 colours for each of TRN_BLOCK_BOXES_MAX boxes a type, sRGB: of models, as in `colours`
    GLuint boxes;
    GLuint textures;    ///< array with three layers for each type, for as many types as the driver
                        ///< supports
    BlockArtBits turf;  ///< which of the first BLOCK_ART_BITS types are turf
    BlockArtBits clear; ///< which of them are block_art_is_glass(); types beyond BLOCK_ART_BITS
                        ///< look like water
    BlockArtBits glowing; ///< which of them emit light
    /// which types are opaque without holes, such as those of leaves; bit id % 32 of word id / 32
    uint32_t rock[TRN_BLOCK_BITS_WORDS];
    bool smooth;
    uint32_t count;    ///< painted types
    uint32_t unknown;  ///< placeholders among them
    uint32_t capacity; ///< capacity of `colours` in types
    uint32_t textured; ///< capacity of `textures` in types; the driver may limit it
} BlockArt;

/// Whether a type is drawn like glass: it is transparent, or a liquid that emits light.
bool block_art_is_glass(const TrnBlockType *type);

/// Paints all types. @param smooth  anisotropic filtering of slanted surfaces, if the driver
/// supports it
bool block_art_create(BlockArt *art, const TrnBlockTypes *types, bool smooth, Message *problem);

/// Paints the types added since the last call; call it once a picture. Types beyond the driver's
/// limit of layers have colours only.
/// @return false if the driver has no memory; the new types are then black and not tried again
/// Cost: negligible without new types; otherwise about 0.2 ms for each new type, sometimes for all.
bool block_art_update(BlockArt *art, const TrnBlockTypes *types, Message *problem);

/// Sets the filter of the textures; a later block_art_update may reset it.
/// @param fine  interpolates between texels and between levels: software renderers then mix eight
///              texels instead of two
void block_art_filter(const BlockArt *art, bool fine);

void block_art_free(BlockArt *art);

// ---- block picture ------------------------------------------------------------------------------

// Small pictures of blocks from their textures: a cube, or the boxes of a model, seen from above an
// edge; for plants, the leaf. Models that connect are shown connected on two sides. Small models
// are enlarged.

#define BLOCK_PICTURE_EDGE 48

/// sRGB and opacity, not premultiplied; rows from the top.
typedef struct BlockPicture {
    uint8_t texel[BLOCK_PICTURE_EDGE][BLOCK_PICTURE_EDGE][4];
} BlockPicture;

/// Equal types give equal pictures. Cost: some 200 us; up to 1 ms for a model.
void block_picture_paint(const TrnBlockType *type, BlockPicture *picture);

#ifdef __cplusplus
}
#endif

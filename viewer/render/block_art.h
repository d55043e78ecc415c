/// The colours and textures of blocks on the graphics card.
#ifndef TERRANE_VIEWER_BLOCK_ART_H
#define TERRANE_VIEWER_BLOCK_ART_H

#include <terrane/block_types.h>

#include "message.h"
#include "render/gl.h"

#define BLOCK_ART_ROW 256 ///< types in a row of `colours`; the same in terrain.frag

#define BLOCK_ART_BOX_ROW 64 ///< types in a row of `boxes`; the same in terrain.frag

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
    GLuint textures; ///< an array of three layers a type, for as many types as the driver supports
    BlockArtBits turf;    ///< which of the first BLOCK_ART_BITS types are turf
    BlockArtBits clear;   ///< which of them are block_art_is_glass(); later ones look like water
    BlockArtBits glowing; ///< which of them emit light
    bool smooth;
    uint32_t count;    ///< painted types
    uint32_t unknown;  ///< placeholders among them
    uint32_t capacity; ///< types that `colours` has capacity for
    uint32_t textured; ///< types that `textures` has capacity for; the driver may limit it
} BlockArt;

/// Whether a type is drawn as glass is: it is transparent, or a liquid that emits light.
bool block_art_is_glass(const TrnBlockType *type);

/// Paints all types. @param smooth  filters slanted surfaces too, if the driver can (anisotropy)
bool block_art_create(BlockArt *art, const TrnBlockTypes *types, bool smooth, Message *problem);

/// Paints types added since the last call; call it once a picture. Types beyond the driver's layers
/// have colours only.
/// @return false if the driver has no memory; the new types are then black, and it is not tried
/// again
/// Cost: negligible if nothing was added; otherwise about 0.2 ms for each new type, sometimes for
/// all.
bool block_art_update(BlockArt *art, const TrnBlockTypes *types, Message *problem);

/// Sets the filter of the textures; a later block_art_update may reset it.
/// @param fine  mixes between texels as well as between levels; software renderers then mix eight
/// texels instead of two
void block_art_filter(const BlockArt *art, bool fine);

void block_art_free(BlockArt *art);

#endif

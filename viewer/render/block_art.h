/// The colours and textures of blocks on the graphics card.
#ifndef TERRANE_VIEWER_BLOCK_ART_H
#define TERRANE_VIEWER_BLOCK_ART_H

#include <glad/gl.h>
#include <terrane/block_types.h>

#include "message.h"

#define BLOCK_ART_ROW 256 ///< types in a row of the picture of colours; terrain.frag knows it too

#define BLOCK_ART_BITS 1024 ///< frame.glsl and quad.vert know it too

/// A set of types, one bit each.
typedef struct BlockArtBits {
    uint32_t words[BLOCK_ART_BITS / 32];
} BlockArtBits;

typedef struct BlockArt {
    /// 3 a type, sRGB: top, side, bottom; alpha says what moves and grows: 1/4 glass and the like,
    /// 1/2 leaves, 3/4 turf and plants, 1 all else
    GLuint colours;
    GLuint textures; ///< an array of three layers a type, for as many types as the driver has room
    BlockArtBits turf; ///< which of the first BLOCK_ART_BITS types are turf
    /// which of them are seen through and no liquids; of the others such ones look like water
    BlockArtBits clear;
    bool smooth;
    uint32_t count;    ///< types that are painted
    uint32_t unknown;  ///< of them placeholders
    uint32_t capacity; ///< types that there is room for, of colours
    uint32_t textured; ///< the same, of textures: less where the driver has too few layers
} BlockArt;

/// Paints all types. @param smooth  also along slanted surfaces, where the driver can (anisotropy)
bool block_art_create(BlockArt *art, const TrnBlockTypes *types, bool smooth, Message *problem);

/// Paints what has been added since: to be called once a picture. Types beyond the driver's layers
/// show their colours alone.
/// @return false when the driver has no memory; the new types are black then, and it is not tried
/// again
/// Cost: nothing to speak of where nothing was added; otherwise about 0.2 ms for each type, and now
/// and then for all.
bool block_art_update(BlockArt *art, const TrnBlockTypes *types, Message *problem);

/// How the textures are filtered from now on; the next block_art_update may forget it. @param fine
/// between texels as well as between levels: drawing on the processor mixes eight texels then
/// instead of two
void block_art_filter(const BlockArt *art, bool fine);

void block_art_free(BlockArt *art);

#endif

/// The colours and textures of blocks on the graphics card.
#ifndef TERRANE_VIEWER_BLOCK_ART_H
#define TERRANE_VIEWER_BLOCK_ART_H

#include <glad/gl.h>
#include <terrane/block_types.h>

#include "message.h"

typedef struct BlockArt {
    GLuint
        colours; ///< 3 x types, sRGB: top, side, bottom; alpha says what moves and grows: 1/2 leaves, 3/4 turf and plants, 1 all else
    GLuint
        textures; ///< an array of three layers a type; 0 where the driver has no room for so many
} BlockArt;

/// Paints all types. @param smooth  also along slanted surfaces, where the driver can (anisotropy)
bool block_art_create(BlockArt *art, const TrnBlockTypes *types, bool smooth, Message *problem);
void block_art_free(BlockArt *art);

#endif

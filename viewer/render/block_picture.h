/// Small pictures of blocks, painted from their textures: a cube seen from above a corner; of
/// plants the leaf.
#ifndef TERRANE_VIEWER_BLOCK_PICTURE_H
#define TERRANE_VIEWER_BLOCK_PICTURE_H

#include <terrane/block_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BLOCK_PICTURE_EDGE 48

/// sRGB and how much it covers, not multiplied; rows from the top.
typedef struct BlockPicture {
    uint8_t texel[BLOCK_PICTURE_EDGE][BLOCK_PICTURE_EDGE][4];
} BlockPicture;

/// The same type gives the same picture. Cost: some 100 us.
void block_picture_paint(const TrnBlockType *type, BlockPicture *picture);

#ifdef __cplusplus
}
#endif
#endif

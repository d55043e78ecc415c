/// Small pictures of blocks from their textures: a cube, or the boxes of a model, seen from above
/// an edge; for plants, the leaf. Models that connect are shown between two neighbours, and small
/// ones enlarged.
#ifndef TERRANE_VIEWER_BLOCK_PICTURE_H
#define TERRANE_VIEWER_BLOCK_PICTURE_H

#include <terrane/block_types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BLOCK_PICTURE_EDGE 48

/// sRGB, and opacity, not premultiplied; rows from the top.
typedef struct BlockPicture {
    uint8_t texel[BLOCK_PICTURE_EDGE][BLOCK_PICTURE_EDGE][4];
} BlockPicture;

/// Equal types give equal pictures. Cost: some 200 us; of models up to a ms.
void block_picture_paint(const TrnBlockType *type, BlockPicture *picture);

#ifdef __cplusplus
}
#endif
#endif

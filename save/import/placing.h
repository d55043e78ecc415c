/// Private: how a building is mirrored and turned (TrnImportPlace): coordinates of chunks and
/// voxels, and blocks that face somewhere. First it is mirrored, then turned from +x towards +z.
#ifndef TERRANE_SAVE_IMPORT_PLACING_H
#define TERRANE_SAVE_IMPORT_PLACING_H

#include <terrane/import.h>

static inline bool trn_place_turns(const TrnImportPlace *place)
{
    return place->quarters || place->mirrors_x || place->mirrors_z;
}

/// Where a voxel of the source comes to lie.
TrnVoxel trn_place_voxel(const TrnImportPlace *place, TrnVoxel voxel);

/// Where a chunk of the source comes to lie. The origin lies between voxels, so voxel -1 and voxel
/// 0 change places, and whole chunks become whole chunks.
TrnCoord trn_place_chunk(const TrnImportPlace *place, TrnCoord chunk);

/// The chunk of the source that comes to lie at a chunk.
TrnCoord trn_place_source_chunk(const TrnImportPlace *place, TrnCoord chunk);

/// Where a voxel of a chunk comes to lie in its chunk. @param index  linear
uint32_t trn_place_index(const TrnImportPlace *place, uint32_t index);

/// What has to be added to a box that begins at 0,0,0 so that its lowest corner comes to lie at a
/// voxel. @param size  of the box in the source
TrnVoxel trn_place_offset(const TrnImportPlace *place, const uint32_t size[3], TrnVoxel corner);

/// The block that a block becomes: another of its family, or itself.
TrnBlock trn_place_block(const TrnImportPlace *place, const TrnBlockTypes *types, TrnBlock block);

#endif

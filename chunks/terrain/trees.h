/// Private: trees, which land_cover.c chooses and volume.c writes into chunks.
#ifndef TERRANE_TERRAIN_TREES_H
#define TERRANE_TERRAIN_TREES_H

#include "terrain/terrain_impl.h"

/// Trees and undergrowth have cells of their own. Numbers that their hashes begin with.
enum { TRN_TREE_STREAM = 2, TRN_TREE_STREAM_UNDERGROWTH = 3 };

/// Where trees may grow: a square of voxel columns in and around a chunk column.
typedef struct TrnTreeGround {
    const float *heights;      ///< [edge][edge], by z, then x
    const uint8_t *candidates; ///< [edge][edge] TrnTreeKind + 1 of the tree that may grow; 0: none
    const uint8_t *chances;    ///< [edge][edge] in 256ths
    int32_t first;             ///< first voxel of the square, from the column's first voxel
    int32_t edge;
} TrnTreeGround;

/// Places the trees of a column: of every cell whose tree's crown can reach into it.
/// @param stream  TRN_TREE_STREAM, or TRN_TREE_STREAM_UNDERGROWTH after it
void trn_trees_place(const TrnTerrain *terrain, const TrnTreeGround *ground, int64_t stream,
                     TrnColumn *column);

/// Whether the crown of the tree in a voxel column's cell covers the column, if trees grow there
/// with a chance in 256ths.
bool trn_tree_crown_covers(const TrnTerrain *terrain, TrnVoxel voxel, float chance);

/// Writes the voxels of a column's trees that lie in a chunk, where there is air or a plant.
void trn_trees_write(const TrnColumn *column, int64_t chunk_bottom, TrnBlock *blocks);

#endif

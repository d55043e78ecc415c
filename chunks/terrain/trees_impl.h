/// Private: trees, which land_cover.c places and volume.c writes into chunks.
#ifndef TERRANE_TERRAIN_TREES_IMPL_H
#define TERRANE_TERRAIN_TREES_IMPL_H

#include "terrain/terrain_impl.h"

/// Where trees may grow: a square of voxel columns in and around a chunk column.
typedef struct TrnTreeGround {
    const float *heights;      ///< [edge][edge], by z, then x
    const uint8_t *candidates; ///< [edge][edge] TrnTreeKind + 1 of the tree that may grow; 0: none
    const uint8_t *chances;    ///< [edge][edge] in 256ths
    int32_t first;             ///< first voxel of the square, from the column's first voxel
    int32_t edge;
} TrnTreeGround;

/// Places the trees of a column: of every cell whose tree's crown can reach into it.
void trn_trees_place(const TrnTerrain *terrain, const TrnTreeGround *ground, TrnColumn *column);

/// Whether the crown of the tree in a voxel column's cell covers the column, if trees grow there
/// with a chance in 256ths.
bool trn_tree_crown_covers(const TrnTerrain *terrain, TrnVoxel voxel, float chance);

/// The topmost voxel of a tree: a crown ends one voxel above the trunk.
static inline int32_t trn_tree_top(const TrnTree *tree)
{
    return tree->y + tree->trunk + (tree->kind == TRN_TREE_CACTUS ? -1 : 1);
}

/// Writes the voxels of a column's trees that lie in a chunk, where there is air or a plant.
void trn_trees_write(const TrnColumn *column, int64_t chunk_bottom, TrnBlock *blocks);

#endif

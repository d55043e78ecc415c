/// Private: trees, which land_cover.c chooses and volume.c writes into chunks.
#ifndef TERRANE_TERRAIN_TREES_H
#define TERRANE_TERRAIN_TREES_H

#include "terrain/terrain_impl.h"

/// Trees and undergrowth have cells of their own. Numbers that their hashes begin with.
enum { TRN_TREE_STREAM = 2, TRN_TREE_STREAM_UNDERGROWTH = 3 };

/// The place of a cell's tree.
typedef struct TrnTreeSpot {
    int8_t x, z;  ///< from the column's first voxel: -TRN_TREE_REACH .. 31 + TRN_TREE_REACH
    uint8_t draw; ///< there is a tree if it is below the chance in 256ths times the shape's density
    uint64_t hash;
} TrnTreeSpot;

/// Finds the places of all trees whose crowns can reach into a column, ordered by z and x of their
/// cells.
/// @param stream  TRN_TREE_STREAM, or TRN_TREE_STREAM_UNDERGROWTH
/// @param chance  the greatest of any place
/// @param spots   [TRN_TREES_MAX]
/// @return how many there are
uint32_t trn_trees_find(const TrnTerrain *terrain, TrnCoord column, int64_t stream, uint8_t chance,
                        TrnTreeSpot *spots);

/// Adds a tree to a column, if its draw is below the chance.
/// @param height  of the ground
void trn_trees_add(const TrnTerrain *terrain, const TrnTreeSpot *spot, TrnTreeKind kind,
                   uint8_t chance, float height, TrnColumn *column);

/// Whether the crown of the tree in a voxel column's cell covers the column, if trees grow there
/// with a chance in 256ths.
bool trn_tree_crown_covers(const TrnTerrain *terrain, TrnVoxel voxel, float chance);

/// Writes the voxels of a column's trees that lie in a chunk, where there is air or a plant.
void trn_trees_write(const TrnColumn *column, int64_t chunk_bottom, TrnBlock *blocks);

#endif

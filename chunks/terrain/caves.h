/// Private: what caves are made of. volume.c carves them out of the rock; here their walls, floors
/// and ceilings get blocks of three kinds: dry, wet and deep caves.
#ifndef TERRANE_TERRAIN_CAVES_H
#define TERRANE_TERRAIN_CAVES_H

#include "terrain/land_impl.h"
#include "terrain/slab_kernels.h"

/// A chunk whose caves are carved.
typedef struct TrnCaveSite {
    const TrnTerrain *terrain;
    const TrnColumn *column;
    const TrnSlabKernels *kernels;
    TrnVoxel origin;      ///< of the chunk's first voxel
    float least_overhang; ///< of the chunk; 0 or less
    /// by y, then z, TRN_LAND_POINTS each: whether a row of lattice cells along x may hold a cave
    const uint8_t *may_hold_cave;
    /// [TRN_CHUNK_EDGE] by z, bit x: what is not rock in the layer above the chunk
    const uint32_t *above;
} TrnCaveSite;

/// Whether caves of a terrain's version have kinds.
bool trn_caves_have_kinds(const TrnTerrain *terrain);

/// Writes the maps of a column's caves. Its covers are written.
/// @param lattice  around the column, with a border of TRN_TREE_REACH
void trn_caves_begin_column(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                            TrnColumn *column);

/// Gives the caves of a chunk their rock, floors, pools and lights. The voxel column keeps its
/// topmost ground: caves that open to the surface stay as they are where they do.
void trn_caves_write(const TrnCaveSite *site, TrnBlock *blocks);

#endif

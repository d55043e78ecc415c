/// Private: the kernels that write the voxels of a slab: the voxels above one row of lattice cells
/// along x. Every set of kernels gives the same bits.
#ifndef TERRANE_TERRAIN_SLAB_KERNELS_H
#define TERRANE_TERRAIN_SLAB_KERNELS_H

#include "base/cpu.h"
#include "terrain/terrain_impl.h"

/// Voxels of a slab's layer: one row of cells.
#define TRN_SLAB_SAMPLES ((size_t)TRN_CHUNK_EDGE * TRN_LAND_STEP)

/// A slab and its covers.
typedef struct TrnSlab {
    float least, most;      ///< of `heights`
    const float *heights;   ///< [TRN_SLAB_SAMPLES], and so all arrays
    const int8_t *roofs;    ///< least depth of caves
    const int16_t *shifts;  ///< of the strata
    const TrnBlock *strata; ///< [TRN_STRATA_PERIOD]
    TrnBlock tops[TRN_SLAB_SAMPLES], fillers[TRN_SLAB_SAMPLES];
    uint16_t thick[TRN_SLAB_SAMPLES]; ///< depth of cover; 0 where it is bare rock
    uint16_t runs[TRN_SLAB_SAMPLES];  ///< ground voxels from the top down to the current one
} TrnSlab;

/// The rock of a layer. Most layers cut one or two strata, so that one comparison per voxel chooses
/// the rock.
typedef struct TrnSlabRock {
    bool is_mixed;      ///< three strata or more: each voxel is looked up
    uint8_t y;          ///< in the strata
    int16_t change;     ///< first shift of `high`
    TrnBlock low, high; ///< below and from `change`
} TrnSlabRock;

/// A layer of a slab. Fields are interpolated along x, at the row of lattice points where the slab
/// begins; the next row and the plane above follow.
typedef struct TrnSlabLayer {
    float y;               ///< of the voxel
    float weight;          ///< of the plane above
    const float *overhang; ///< NULL if there is none
    const float *caves[3]; ///< tunnels and cavern; NULL if there are none
    TrnSlabRock rock;
    TrnBlock open; ///< above the surface: air or water
} TrnSlabLayer;

typedef struct TrnSlabKernels {
    const char *name;

    /// Finds the bounds of the heights.
    void (*bound)(TrnSlab *slab);

    /// Writes a layer that the surface may cross, and counts its ground. Layers come from the top
    /// down.
    /// @param blocks  NULL to count only
    void (*surface)(TrnSlab *slab, const TrnSlabLayer *layer, TrnBlock *blocks);

    /// Writes a layer of rock and caves alone.
    void (*rock)(const TrnSlab *slab, const TrnSlabLayer *layer, TrnBlock *blocks);
} TrnSlabKernels;

/// All sets of kernels, of type TrnSlabKernels, fastest first.
extern const TrnKernelTable trn_slab_kernels;

#endif

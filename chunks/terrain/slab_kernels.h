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

/// Changes of the rock within a layer that are compared with, at most. Hardly any layer has more.
#define TRN_SLAB_CHANGES 6

/// The rock of a layer: that of the least shift, and another one from each change on.
typedef struct TrnSlabRock {
    bool is_mixed; ///< there are more changes: each voxel is looked up
    uint8_t y;     ///< in the strata
    uint8_t count; ///< of changes
    int16_t changes[TRN_SLAB_CHANGES];
    TrnBlock blocks[TRN_SLAB_CHANGES + 1];
} TrnSlabRock;

/// A layer of a slab. Fields are interpolated along x, at the row of lattice points where the slab
/// begins; the next row and the plane above follow.
typedef struct TrnSlabLayer {
    float y;               ///< of the voxel
    float weight;          ///< of the plane above
    const float *overhang; ///< NULL if there is none
    const float *caves[3]; ///< tunnels and cavern; NULL if there are none
    const TrnSlabRock *rock;
    TrnBlock open; ///< above the surface: air or water
} TrnSlabLayer;

/// A column of a level above 0, in layers from the chunk's lowest one. In arrays,
/// [TRN_LAYER_VOXELS] each, so that writing a layer takes a few vector operations.
typedef struct TrnCoarseRows {
    int16_t grounds[TRN_LAYER_VOXELS]; ///< topmost layer of ground
    int16_t crowns[TRN_LAYER_VOXELS];  ///< topmost layer of trees; the ground's without them
    int16_t rocks[TRN_LAYER_VOXELS];   ///< topmost layer of rock
    int16_t waters[TRN_LAYER_VOXELS];  ///< topmost layer of water; below the chunk where it is dry
    TrnBlock tops[TRN_LAYER_VOXELS], fillers[TRN_LAYER_VOXELS], leaves[TRN_LAYER_VOXELS];
    TrnBlock seas[TRN_LAYER_VOXELS]; ///< on the water's surface
    const int16_t *shifts;           ///< of the strata
    const TrnBlock *strata;          ///< [TRN_STRATA_PERIOD]
} TrnCoarseRows;

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

    /// Finds the caves of a slab's layer. @param rows  [TRN_LAND_STEP] by z, bit x
    void (*caves)(const TrnSlabLayer *layer, uint32_t *rows);

    /// Finds the air of a slab's layer. @param rows  [TRN_LAND_STEP] by z, bit x
    void (*open)(const TrnBlock *blocks, uint32_t *rows);

    /// Replaces the rock of a row of a chunk: stone, and the rock of strata.
    /// @param mask  bit x
    void (*paint)(TrnBlock *row, uint32_t mask, TrnBlock stone, TrnBlock strata);

    /// Writes a layer of a chunk above level 0.
    /// @param y  of the layer, in the chunk
    void (*coarse)(const TrnCoarseRows *rows, const TrnSlabRock *rock, int16_t y, TrnBlock *blocks);
} TrnSlabKernels;

/// All sets of kernels, of type TrnSlabKernels, fastest first.
extern const TrnKernelTable trn_slab_kernels;

#endif

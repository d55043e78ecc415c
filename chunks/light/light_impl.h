/// Private: a solver.
///
///     light.c          the public functions, the spreading of light level by level, and columns
///                      that the sky shines through
///     light_volume.c   volumes of bits out of the 27 chunks
///     light_kernels.c  the loops over volumes
///     light_pack.c     the light of a chunk in little memory
#ifndef TERRANE_LIGHT_LIGHT_IMPL_H
#define TERRANE_LIGHT_LIGHT_IMPL_H

#include <terrane/light.h>

#include "light_kernels.h"

/// Volumes by a level. Memory of those that were never needed is not touched.
typedef struct LightVolumes {
    LightVolume of[LIGHT_LEVEL_COUNT];
    uint32_t ready; ///< bit by level: its words are written
    uint32_t used;  ///< bit by level: it may have marks
} LightVolumes;

/// Whether light passes a block without loss.
static inline bool trn_light_is_clear(const TrnBlockType *type)
{
    return type->kind != TRN_BLOCK_KIND_OPAQUE && type->dims == 0;
}

struct TrnLightSolver {
    /// Where light passes, by what it loses: [0] clear voxels, [LIGHT_DIMS_COUNT] where it does
    /// not.
    LightVolumes pass;
    LightVolumes sources;                 ///< empty unless it is solving
    LightWords lit[LIGHT_LEVEL_COUNT];    ///< a ring by level: the voxels that have it, or more
    LightMarks grown[LIGHT_LEVEL_COUNT];  ///< by level: the tiles with voxels that have just it
    LightWords planes[TRN_LIGHT_LEVELS];  ///< of the result
    LightMarks needed[LIGHT_LEVEL_COUNT]; ///< by level: the tiles in which it is needed
    LightMarks needed_slices[LIGHT_LEVEL_COUNT]; ///< by level: all tiles of the slices of those
    /// By level less 1 and less the slices between, and by row: the voxels from which light gets
    /// into the result.
    uint64_t needed_rows[LIGHT_REACH + 1][LIGHT_SLICE];
    uint32_t rows[TRN_CHUNK_ROWS]; ///< scratch: some voxels of a chunk
    TrnSnapshot around[TRN_AROUND_COUNT];
    TrnMask opaque[TRN_AROUND_COUNT]; ///< with has_opaque: the opaque voxels of each chunk
    const TrnBlockTypes *types;
    // Few tiles are needed where few voxels emit light, so what a solve reads is read when it is
    // first needed.
    LightMarks has_clear; ///< the tiles in which clear voxels are written to `pass`
    LightMarks has_lit;   ///< the tiles in which `lit` is valid
    LightMarks prepared;  ///< the tiles in which all is valid that lights them
    uint64_t has_planes;  ///< bit by slice: `planes` are valid
    uint32_t has_dims;    ///< bit by place: the voxels that dim are written to `pass`
    bool has_opaque;
    bool is_clear;   ///< no voxel is opaque or dims
    bool is_blocked; ///< every voxel is opaque
    const LightKernels *kernels;
    TrnAllocator allocator;
};

// ---- volumes (light_volume.c) -------------------------------------------------------------------

/// Empties volumes that have any content.
void trn_light_volumes_create(LightVolumes *volumes);

/// Returns the volume of a level, to add to.
LightVolume *trn_light_volumes_at(LightVolumes *volumes, uint32_t level);

/// Empties the volumes from a level on.
void trn_light_volumes_clear(LightVolumes *volumes, uint32_t first_level);

/// Adds the voxels of a chunk with a palette that dim. @param rows  [TRN_CHUNK_ROWS]
void trn_light_volume_add_dims(TrnSnapshot voxels, const TrnBlockTypes *types, uint32_t *rows);

/// Notes whether all 27 chunks are clear, or all are opaque, without a look at their voxels.
void trn_light_volume_read(TrnLightSolver *solver);

/// Writes the voxels that dim in the chunks of some tiles to solver->pass, unless they are written.
void trn_light_volume_read_dims(TrnLightSolver *solver, const LightMarks *tiles);

/// Writes the clear voxels of some tiles to solver->pass, unless they are written. The voxels that
/// dim in their chunks are written.
void trn_light_volume_read_clear(TrnLightSolver *solver, const LightMarks *tiles);

/// Writes what emits light to solver->sources.
/// @param emission  as trn_light_blocks
/// @return whether anything does
bool trn_light_volume_read_sources(TrnLightSolver *solver, const uint8_t *emission);

/// Writes the rows of voxels that are open to the sky above the volume's highest slice.
/// @param open_sky  as trn_light_sky
/// @param open      [LIGHT_SLICE]
/// @param is_all    receives whether all are
/// @return whether any are
bool trn_light_volume_read_open(const TrnLightSolver *solver, const uint32_t *const *open_sky,
                                uint64_t *open, bool *is_all);

#endif

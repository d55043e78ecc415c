/// Private: a solver.
///
///     light.c          the public functions, and the spreading of light level by level
///     light_volume.c   volumes of bits out of the 27 chunks
///     light_kernels.c  the loops over volumes
#ifndef TERRANE_LIGHT_LIGHT_IMPL_H
#define TERRANE_LIGHT_LIGHT_IMPL_H

#include <stdalign.h>

#include <terrane/light.h>

#include "base/memory.h"
#include "light_kernels.h"

#define LIGHT_LEVEL_COUNT 16
#define LIGHT_LEVEL_MAX 15
/// From here on, no light gets through a block that dims by so much.
#define LIGHT_DIMS_ALL 14

/// A volume.
typedef struct LightVolume {
    alignas(TRN_CACHE_LINE) uint64_t words[LIGHT_WORDS];
} LightVolume;

/// Volumes by a level. Those that are not in use have any content.
typedef struct LightVolumes {
    LightVolume of[LIGHT_LEVEL_COUNT];
    uint32_t used; ///< bit by level
} LightVolumes;

/// What the blocks of a chunk are sorted by.
typedef struct LightClassifier {
    const TrnBlockTypes *types;
    const uint8_t *emission; ///< as trn_light_blocks
    bool is_by_dims;         ///< by what they dim; otherwise by what they emit
} LightClassifier;

struct TrnLightSolver {
    /// Where light passes, by what it loses: [0] clear voxels.
    LightVolumes pass;
    LightVolumes sources;               ///< by level
    LightVolume lit[LIGHT_LEVEL_COUNT]; ///< a ring of what has at least a level
    LightVolume planes[TRN_LIGHT_LEVELS];
    alignas(TRN_CACHE_LINE) uint8_t classes[TRN_CHUNK_VOXELS]; ///< of a chunk: entries or classes
    uint32_t rows[TRN_CHUNK_ROWS];                             ///< of a chunk
    /// Columns of the nine upper chunks that are not clear above the volume, by place as open_sky.
    uint32_t cover[9][TRN_CHUNK_EDGE];
    TrnSnapshot around[TRN_AROUND_COUNT];
    const TrnBlockTypes *types;
    bool has_sources; ///< `sources` are what the block types emit
    bool is_clear;    ///< no voxel is opaque or dims
    bool is_blocked;  ///< every voxel is opaque
    const LightKernels *kernels;
    TrnAllocator allocator;
};

// ---- volumes (light_volume.c) -------------------------------------------------------------------

/// Writes where light passes and what emits it from the 27 chunks. If they are all clear or all
/// opaque, it only says so.
void trn_light_volume_read(TrnLightSolver *solver);

/// Writes where light passes if all 27 chunks are clear, or all are opaque.
void trn_light_volume_fill(TrnLightSolver *solver);

/// Writes solver->sources from the 27 chunks, unless trn_light_volume_read did.
/// @param emission  as trn_light_blocks
void trn_light_volume_read_sources(TrnLightSolver *solver, const uint8_t *emission);

/// Writes one row of voxels into the word of a volume that it belongs to.
/// @param step  of the chunk along x: -1, 0 or 1
uint64_t trn_light_volume_bits(uint32_t row, int32_t step);

/// The voxels of a chunk along an axis that are in the volume.
typedef struct LightSpan {
    uint32_t local; ///< the first of the chunk
    uint32_t at;    ///< the first slice or row
    uint32_t count; ///< voxels
} LightSpan;

/// @param step  of the chunk along the axis: -1, 0 or 1
LightSpan trn_light_volume_span(int32_t step);

#endif

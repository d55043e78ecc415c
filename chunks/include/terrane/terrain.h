/// Terrane, terrain: voxels from a seed. A pure function of seed and coordinate: the same on every machine, in any order, at
/// any number of threads that each have a TrnTerrain of their own.
#ifndef TERRANE_TERRAIN_H
#define TERRANE_TERRAIN_H

#include <terrane/base.h>
#include <terrane/block_types.h>
#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The voxel height of the sea's surface: the topmost layer of water.
#define TRN_TERRAIN_SEA_LEVEL 0

typedef struct TrnTerrain TrnTerrain;

/// Start from trn_terrain_def() and change what you need.
typedef struct TrnTerrainDef {
    uint64_t seed;
    uint32_t
        column_cache_max; ///< chunk columns (1024 heights each, about 2 KiB) kept; the cache is emptied when full
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnTerrainDef;

TRN_API TrnTerrainDef trn_terrain_def(void);

/// Errors: BAD_ARGUMENT (column_cache_max is 0), NO_MEMORY.
TRN_API TrnResult trn_terrain_create(const TrnTerrainDef *def, TrnTerrain **terrain);

/// @param terrain  may be NULL
TRN_API void trn_terrain_destroy(TrnTerrain *terrain);

/// Generates one chunk.
/// @param coord    the chunk, anywhere in the int32 range
/// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order, unless the chunk is uniform; caller owns
/// @param uniform  receives whether every voxel is the same block; then that block is in blocks[0] and the rest of `blocks` is
///                 untouched (most chunks of a world are all air or all stone, and cost next to nothing)
/// Errors: NO_MEMORY. Threads: one thread at a time per TrnTerrain.
TRN_API TrnResult trn_terrain_generate(TrnTerrain *terrain, TrnCoord coord, TrnBlock *blocks,
                                       bool *uniform);

/// The voxel y of the topmost solid (not water) voxel of a column.
/// @param x,z  voxel coordinates, TRN_VOXEL_MIN..TRN_VOXEL_MAX
/// Errors: BAD_ARGUMENT. No allocation. Any thread.
TRN_API TrnResult trn_terrain_height(const TrnTerrain *terrain, int64_t x, int64_t z,
                                     int64_t *height);

#ifdef __cplusplus
}
#endif
#endif

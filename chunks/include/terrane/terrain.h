/// Terrane, terrain: voxels from a seed. A pure function of seed and coordinate: the same on every machine, in any order, at
/// any number of threads that each have a TrnTerrain of their own, and as fine at the ends of the world as at its origin.
///
/// The land: seas and lakes with beaches, plains, rolling hills, rivers in valleys, and mountain ranges with bare cliffs and
/// snow. Its ground lies between about -60 and 230, and is one height per column: nothing overhangs.
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
    uint64_t seed; ///< any value; each is another world
    /// Chunk columns kept, about 3 KiB each, at least 1; the oldest goes first. What a view is wide, squared, is plenty.
    uint32_t column_cache_max;
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnTerrainDef;

/// A world with sea, beach, hills and mountains around its origin, and at most 2,048 columns (6 MiB).
TRN_API TrnTerrainDef trn_terrain_def(void);

/// @param def      NULL means trn_terrain_def()
/// @param terrain  receives the terrain; free it with trn_terrain_destroy
/// Errors: BAD_ARGUMENT (column_cache_max is 0), NO_MEMORY. Cost: microseconds; columns are allocated as they are needed.
TRN_API TrnResult trn_terrain_create(const TrnTerrainDef *def, TrnTerrain **terrain);

/// @param terrain  may be NULL
TRN_API void trn_terrain_destroy(TrnTerrain *terrain);

/// Generates one chunk.
/// @param coord    the chunk, anywhere in the int32 range
/// @param blocks   [TRN_CHUNK_VOXELS] receives the blocks in linear order, unless the chunk is uniform; caller owns
/// @param uniform  receives whether every voxel is the same block; then that block is in blocks[0] and the rest of `blocks` is
///                 untouched (most chunks of a world are all air or all stone, and cost next to nothing)
/// Errors: NO_MEMORY. Threads: one thread at a time per TrnTerrain.
/// Cost: about 50 us for the first chunk of a column and 5 us for each one more that the surface crosses; nanoseconds for
/// others. Chunks millions of chunks apart in turn drop each other's columns, which costs time and never memory.
TRN_API TrnResult trn_terrain_generate(TrnTerrain *terrain, TrnCoord coord, TrnBlock *blocks,
                                       bool *uniform);

/// The voxel y of the topmost solid (not water) voxel of a column: just what trn_terrain_generate makes.
/// @param x,z     voxel coordinates, TRN_VOXEL_MIN..TRN_VOXEL_MAX
/// @param height  receives the height; where it is below TRN_TERRAIN_SEA_LEVEL, water stands above it
/// Errors: BAD_ARGUMENT. No allocation. Any thread, beside trn_terrain_generate too. Cost: about 1 us.
TRN_API TrnResult trn_terrain_height(const TrnTerrain *terrain, int64_t x, int64_t z,
                                     int64_t *height);

#ifdef __cplusplus
}
#endif
#endif

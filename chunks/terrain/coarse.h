/// Private: the land above level 0. A coarse column is a height map: whatever does not show from
/// afar (caves that do not open, ores, plants) is left out.
#ifndef TERRANE_TERRAIN_COARSE_H
#define TERRANE_TERRAIN_COARSE_H

#include "terrain/terrain_impl.h"

/// Which chunks of a coarse column are one block. Heights are layers: voxels of the level from the
/// sea's surface.
typedef struct TrnCoarseBounds {
    int32_t rock;      ///< all samples are rock up to here
    int32_t top;       ///< topmost layer of ground and trees
    bool has_sea;      ///< whether some sample has water
    bool has_dry_pits; ///< whether some ground lies below the sea without water above it
} TrnCoarseBounds;

/// The land of a chunk column of a level above 0.
typedef struct TrnCoarseColumn {
    TrnCoord key;             ///< y is the level
    _Atomic uint32_t readers; ///< replaced in the cache only at 0
    bool is_cached;
    TrnCoarseBounds bounds;
    int32_t strata_shift_range[2];
    int16_t strata_shifts[TRN_LAYER_VOXELS];
    int16_t heights[TRN_LAYER_VOXELS]; ///< topmost ground voxel of level 0
    uint8_t covers[TRN_LAYER_VOXELS];  ///< TrnCover
    uint8_t seas[TRN_LAYER_VOXELS]; ///< block on the water's surface, or air where the land is dry
    int16_t waters[TRN_LAYER_VOXELS]; ///< layer of the topmost water
} TrnCoarseColumn;

/// Whether a chunk is one block.
/// @param y      of the chunk, in chunks of the level
/// @param block  receives the block
bool trn_coarse_is_uniform(const TrnCoarseBounds *bounds, int32_t y, TrnBlock *block);

/// Creates terrain->coarse_cache.
/// Errors: NO_MEMORY.
TrnResult trn_coarse_cache_create(TrnTerrain *terrain, uint32_t column_max);

void trn_coarse_cache_destroy(TrnTerrain *terrain);

/// Looks up the bounds of a column. They are kept longer than columns.
/// @return whether they are known
bool trn_coarse_find_bounds(TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                            TrnCoarseBounds *bounds);

/// Finds a coarse column in the cache or generates it. Return it with trn_coarse_release.
/// @param column  receives the column
/// Errors: NO_MEMORY.
TrnResult trn_coarse_acquire(TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                             const TrnCoarseColumn **column);

void trn_coarse_release(TrnTerrain *terrain, const TrnCoarseColumn *column);

/// Writes a chunk of a level above 0 that is not uniform by its column's bounds.
/// @return whether it is uniform all the same
bool trn_coarse_write(const TrnTerrain *terrain, const TrnCoarseColumn *column, TrnCoord coord,
                      uint32_t level, TrnBlock *blocks);

/// Bytes of scratch memory that trn_coarse_heights needs.
size_t trn_coarse_heights_scratch_bytes(void);

/// Finds the topmost ground voxels of a column's samples, as trn_volume_height does for one.
/// Ground deep in a cave loses its cover.
/// @param scratch  [trn_coarse_heights_scratch_bytes()], aligned to 16
/// @param heights  [TRN_LAYER_VOXELS]
void trn_coarse_heights(const TrnTerrain *terrain, uint32_t level, bool enters_caves, void *scratch,
                        TrnColumn *column, int16_t *heights);

#endif

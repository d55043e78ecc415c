/// Private: the land above level 0. A far column is a height map: whatever does not show from afar
/// (caves that do not open, ores, plants) is left out. far_column.c generates columns and keeps
/// them, far_height.c finds their heights, far_chunk.c writes chunks from them.
#ifndef TERRANE_TERRAIN_FAR_IMPL_H
#define TERRANE_TERRAIN_FAR_IMPL_H

#include "terrain/terrain_impl.h"

/// The land of a chunk column of a level above 0.
typedef struct TrnFarColumn {
    TrnCoord key;             ///< y is the level
    _Atomic uint32_t readers; ///< replaced in the cache only at 0
    bool is_cached;
    int16_t lowest, highest; ///< bounds of `heights`
    bool has_dry_pits;       ///< whether the ground lies below the sea without water above it
    int32_t strata_shift_range[2];
    int16_t strata_shifts[TRN_LAYER_VOXELS];
    int16_t heights[TRN_LAYER_VOXELS]; ///< topmost ground voxel of level 0
    uint8_t covers[TRN_LAYER_VOXELS];  ///< TrnCover
    uint8_t seas[TRN_LAYER_VOXELS];    ///< block on the sea's surface, or air where the land is dry
} TrnFarColumn;

/// Finds a far column in the cache or generates it. Return it with trn_far_release.
/// @param column  receives the column
/// Errors: NO_MEMORY.
TrnResult trn_far_acquire(TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                          const TrnFarColumn **column);

void trn_far_release(TrnTerrain *terrain, const TrnFarColumn *column);

/// Writes a chunk of a level above 0 from its column.
/// @return whether it is uniform; then only blocks[0] is defined
bool trn_far_write(const TrnTerrain *terrain, const TrnFarColumn *column, TrnCoord coord,
                   uint32_t level, TrnBlock *blocks);

/// Bytes of scratch memory that trn_far_heights needs.
size_t trn_far_heights_scratch_bytes(void);

/// Finds the topmost ground voxels of a column's samples, as trn_volume_height does for one.
/// Ground deep in a cave loses its cover.
/// @param scratch  [trn_far_heights_scratch_bytes()], aligned to 16
/// @param heights  [TRN_LAYER_VOXELS]
void trn_far_heights(const TrnTerrain *terrain, uint32_t level, bool enters_caves, void *scratch,
                     TrnColumn *column, int16_t *heights);

#endif

/// Private: from voxels that changed to liquids that need a look.
#ifndef TERRANE_FLUID_FLUID_SPREAD_H
#define TERRANE_FLUID_FLUID_SPREAD_H

#include "fluid/fluid_impl.h"

/// The work of one step in one lane.
typedef struct TrnFluidWork {
    TrnFluid *fluid;
    uint32_t lane;
    uint32_t left;                      ///< of the budget
    uint32_t looked;                    ///< voxels
    TrnCoord coord;                     ///< the chunk
    const uint32_t *rows;               ///< [TRN_CHUNK_ROWS] the voxels of the set
    TrnBlock blocks[TRN_FLUID_DRY + 1]; ///< of the lane's liquid, by variant; air for TRN_FLUID_DRY
    /// The sets of the last chunk that got voxels, so that most look-ups are none.
    TrnCoord last;
    TrnFluidSet *sets[TRN_FLUID_LANES_MAX];
} TrnFluidWork;

/// The set of a chunk that takes voxels for later, by lane. NULL: no memory.
TrnFluidSet *trn_fluid_work_set(TrnFluidWork *work, TrnCoord coord, uint32_t lane);

/// Puts those voxels of a layer of the work's chunk to sleep, in its lane, that have a side in a
/// chunk that is not loaded.
/// @param voxels  [z] bit x
/// @param waiting [z] receives those if there are any
/// @param sleeps  receives whether there are any
/// Errors: NO_MEMORY.
TrnResult trn_fluid_work_sleep(TrnFluidWork *work, uint32_t y,
                               const uint32_t voxels[TRN_CHUNK_EDGE],
                               uint32_t waiting[TRN_CHUNK_EDGE], bool *sleeps);

/// The part of a row of TrnFluidRows that lies in a chunk. @param x  -1, 0 or 1: where the chunk is
static inline uint32_t trn_fluid_row_part(uint64_t row, int32_t x)
{
    return x < 0 ? (uint32_t)(row << TRN_FLUID_SIDE)
                 : (uint32_t)(row >> (x > 0 ? TRN_FLUID_SIDE + TRN_CHUNK_EDGE : TRN_FLUID_SIDE));
}

/// Adds the liquids in changed voxels and at their sides to those that wait, until the budget ends.
/// @param set  the changed voxels of the work's chunk
/// @param end  receives the index behind the last one, TRN_CHUNK_VOXELS if all are done
/// Errors: NO_MEMORY; some liquids may have been added then.
TrnResult trn_fluid_spread(TrnFluidWork *work, const TrnFluidSet *set, uint32_t *end);

#endif

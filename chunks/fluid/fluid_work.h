/// Private: the work of one step in one lane, and what changed voxels lead to.
#ifndef TERRANE_FLUID_FLUID_WORK_H
#define TERRANE_FLUID_FLUID_WORK_H

#include "fluid/fluid_impl.h"

/// The work of one step in one lane.
typedef struct TrnFluidWork {
    TrnFluid *fluid;
    uint32_t lane;
    uint32_t left;   ///< of the budget
    uint32_t looked; ///< voxels
    TrnCoord coord;  ///< the chunk
    /// The sets of the last chunk that got voxels, so that most look-ups are none.
    TrnCoord last;
    TrnFluidSet *sets[TRN_FLUID_LANES_MAX];
} TrnFluidWork;

/// The voxel at coordinates from the lowest voxel of the work's chunk.
static inline TrnVoxel trn_fluid_work_voxel(const TrnFluidWork *work, int32_t x, int32_t y,
                                            int32_t z)
{
    const TrnVoxel base = trn_coord_voxel(work->coord);
    return (TrnVoxel){base.x + x, base.y + y, base.z + z};
}

/// The set of a chunk that takes voxels for later, by lane. NULL: no memory.
TrnFluidSet *trn_fluid_work_set(TrnFluidWork *work, TrnCoord coord, uint32_t lane);

/// Puts a voxel of the work's chunk to sleep in the work's lane. Errors: NO_MEMORY.
TrnResult trn_fluid_work_sleep(TrnFluidWork *work, uint32_t index);

/// Adds the liquids in changed voxels and at their sides to those that wait, until the budget ends.
/// @param set  the changed voxels of the work's chunk
/// @param end  receives the index behind the last one, TRN_CHUNK_VOXELS if all are done
/// Errors: NO_MEMORY; some liquids may have been added then.
TrnResult trn_fluid_spread(TrnFluidWork *work, const TrnFluidSet *set, uint32_t *end);

#endif

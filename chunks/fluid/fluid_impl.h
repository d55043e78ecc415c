/// Private: what a fluid is made of.
///
/// Each file of this folder calls only those above it in this list:
///   fluid_queue  voxels to look at, as sets of bits
///   fluid_look   reads layers of voxels by what they are to liquids
///   fluid_rules  what the voxels of a layer do, and which of their sides lead to drops
///   fluid_spread what changed voxels lead to
///   fluid_step   one step: handles what changed, applies the rules, commits
///   fluid        creates fluids, watches the store, writes and reads the queue
#ifndef TERRANE_FLUID_FLUID_IMPL_H
#define TERRANE_FLUID_FLUID_IMPL_H

#include "base/array.h"
#include "fluid/fluid_queue.h"
#include "fluid/fluid_rules.h"
#include "store/store_internal.h"

/// A voxel that the step writes.
typedef struct TrnFluidWrite {
    TrnFluidSet *set; ///< of changed voxels of its chunk
    uint16_t index;
    TrnBlock block;
} TrnFluidWrite;
TRN_ARRAY_DECLARE(TrnFluidWrites, TrnFluidWrite);

/// How far a step came in a lane.
typedef struct TrnFluidProgress {
    uint32_t sets; ///< running sets that it has looked at in full
    uint32_t end;  ///< of the next one: the index behind the last voxel that it has looked at
} TrnFluidProgress;

struct TrnFluid {
    TrnStore *store;
    TrnStoreWatch watch;
    TrnAllocator allocator; ///< counts `bytes`, up to `bytes_max`
    TrnAllocator attached;  ///< the store's, behind it
    size_t bytes, bytes_max;
    uint32_t budget;
    bool is_running, is_stepping;
    TrnFluidRules rules;
    uint32_t types_seen; ///< types that have a class; the others are closed
    TrnFluidQueue queue;
    TrnFluidWrites writes;
    TrnFluidProgress progress[TRN_FLUID_LANES_MAX];
    uint32_t
        scratch[TRN_CHUNK_ROWS]; ///< the voxels of the set that the step reads, if it is packed
    uint64_t step, looked, changed, missed;
    uint64_t capped;        ///< steps that did less, since memory or `bytes_max` ran out
    bool is_short, has_run; ///< in this step: memory ran out; it handled something
    uint64_t base_revision; ///< of the store before the step's commit
    uint64_t missed_since;  ///< if has_missed: changes after this revision are not in the queue
    bool has_missed;
    TrnFluidLook look;
    TrnFluidClass classes[TRN_BLOCK_TYPES_MAX];
};

/// Gives every type that has none its class.
void trn_fluid_classify(TrnFluid *fluid);

/// Looks up what changed voxels lead to, as the next step would. Errors: as trn_fluid_step(); some
/// are looked up.
TrnResult trn_fluid_note(TrnFluid *fluid);

/// Notes that changes after a revision are not in the queue.
void trn_fluid_miss(TrnFluid *fluid, uint64_t revision);

/// Adds voxels of a chunk to what has changed. @param rows  as trn_fluid_queue_add_rows
/// Errors: NO_MEMORY.
TrnResult trn_fluid_touch(TrnFluid *fluid, TrnCoord coord, const uint32_t *rows);

#endif

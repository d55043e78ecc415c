/// Private: runs of voxels of one chunk, the form in which edits wait and histories note.
#ifndef TERRANE_EDITS_EDIT_RUNS_IMPL_H
#define TERRANE_EDITS_EDIT_RUNS_IMPL_H

#include <terrane/voxels.h>

#include "base/memory.h"
#include "voxels/voxel_edit_internal.h"

/// All blocks of one chunk.
#define TRN_CHUNK_BLOCKS_BYTES ((size_t)TRN_CHUNK_VOXELS * sizeof(TrnBlock))

/// Voxels in linear order that were one block and become one block.
typedef struct TrnEditRun {
    uint16_t first, last;   ///< linear indices, both inclusive
    TrnBlock before, after; ///< before: means nothing where the chunk was not there
} TrnEditRun;

/// Runs that grow. All zeroes is none.
typedef struct TrnEditRuns {
    TrnEditRun *runs;
    uint32_t count, capacity;
} TrnEditRuns;

/// Capacity of the first runs that are taken.
#define TRN_EDIT_RUNS_MIN 4

/// Adds a run, or makes the last one longer where it goes on in it. Errors: NO_MEMORY. Amortised
/// O(1).
TrnResult trn_edit_runs_add(TrnEditRuns *runs, const TrnAllocator *allocator, TrnEditRun run);

/// Makes room for so many runs in all. Errors: NO_MEMORY.
TrnResult trn_edit_runs_reserve(TrnEditRuns *runs, const TrnAllocator *allocator,
                                uint32_t capacity);

void trn_edit_runs_free(TrnEditRuns *runs, const TrnAllocator *allocator);

/// Adds what differs between two snapshots. @param rows  as trn_snapshot_diff wrote it
/// Errors: NO_MEMORY; some runs have been added then. Cost: some ns for each voxel that differs.
TrnResult trn_edit_runs_add_diff(TrnEditRuns *runs, const TrnAllocator *allocator,
                                 TrnSnapshot before, TrnSnapshot after, const uint32_t *rows);

/// Which side of a run is written.
typedef enum TrnRunSide { TRN_RUN_BEFORE, TRN_RUN_AFTER } TrnRunSide;

/// Writes runs in their order. Errors: as trn_voxel_edit_set; some have been written then.
TrnResult trn_edit_runs_write(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                              TrnRunSide side);

/// Writes what runs become, and adds to `noted` what that changes.
/// @param was  [TRN_CHUNK_VOXELS] scratch
/// Errors: as trn_edit_runs_write, and NO_MEMORY.
TrnResult trn_edit_runs_write_noted(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                                    TrnBlock *was, TrnEditRuns *noted,
                                    const TrnAllocator *allocator);

/// Merges runs so that no voxel is written twice, where that leaves fewer of them. Keeps them as
/// they are where there is no memory for it.
/// @param scratch  gives 68 KiB for the duration of the call
void trn_edit_runs_compact(TrnEditRuns *runs, const TrnAllocator *scratch);

/// What an edit holds now. Valid until its next call.
static inline TrnSnapshot trn_edit_snapshot(const TrnVoxelEdit *edit)
{
    return trn_edit_now(trn_edit_state_const(edit));
}

#endif

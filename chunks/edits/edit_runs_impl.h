/// Private: runs of voxels of one chunk, the form in which pending edits and histories store edits.
#ifndef TERRANE_EDITS_EDIT_RUNS_IMPL_H
#define TERRANE_EDITS_EDIT_RUNS_IMPL_H

#include <terrane/voxels.h>

#include "base/array.h"
#include "voxels/voxel_edit_internal.h"

/// Bytes of all blocks of one chunk.
#define TRN_CHUNK_BLOCKS_BYTES ((size_t)TRN_CHUNK_VOXELS * sizeof(TrnBlock))

/// Voxels in linear order that all held one block, and all hold another one after the edit.
typedef struct TrnEditRun {
    uint16_t first, last;   ///< linear indices, both inclusive
    TrnBlock before, after; ///< `before` is meaningless in edits of an unloaded chunk
} TrnEditRun;

/// Runs. All zeroes is empty.
TRN_ARRAY_DECLARE(TrnEditRuns, TrnEditRun);

/// Appends a run. If it continues the last run, extends that one. Amortised O(1).
/// Errors: NO_MEMORY; nothing changed.
TrnResult trn_edit_runs_add(TrnEditRuns *runs, const TrnAllocator *allocator, TrnEditRun run);

/// Appends what differs between two snapshots.
/// @param halves  bit h: half-layer h may differ; the others do not
/// @param rows    as trn_snapshot_diff wrote it
/// Errors: NO_MEMORY; some runs may have been appended. Cost: some ns for each voxel that differs.
TrnResult trn_edit_runs_add_diff(TrnEditRuns *runs, const TrnAllocator *allocator,
                                 TrnSnapshot before, TrnSnapshot after, uint64_t halves,
                                 const uint32_t *rows);

/// Which block of a run to write.
typedef enum TrnRunSide { TRN_RUN_BEFORE, TRN_RUN_AFTER } TrnRunSide;

/// The half-layers that runs write to: bit h: half-layer h. @param runs  [count]
uint64_t trn_edit_runs_halves(const TrnEditRun *runs, uint32_t count);

/// Finds the voxels of runs.
/// @param runs  [count]
/// @param rows  [TRN_CHUNK_ROWS] receives their bits
/// @return the sum of the runs' voxels
uint32_t trn_edit_runs_mark(const TrnEditRun *runs, uint32_t count, uint32_t *rows);

/// Writes runs to an open edit, in their order.
/// @param runs  [count]
/// Errors: as trn_voxel_edit_set; some runs may have been written.
TrnResult trn_edit_runs_write(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                              TrnRunSide side);

/// Writes the `after` blocks of runs, and appends what that changed to `diff`.
/// @param runs  [count]
/// @param was   [TRN_CHUNK_VOXELS] scratch
/// Errors: as trn_edit_runs_write, and NO_MEMORY.
TrnResult trn_edit_runs_write_diff(TrnVoxelEdit *edit, const TrnEditRun *runs, uint32_t count,
                                   TrnBlock *was, TrnEditRuns *diff, const TrnAllocator *allocator);

/// Merges runs so that no voxel is written twice, if that makes them fewer. Clears `before`. Never
/// allocates for the result. If the scratch memory is refused, leaves the runs unchanged.
/// @param scratch  provides 68 KiB for the duration of the call
void trn_edit_runs_compact(TrnEditRuns *runs, const TrnAllocator *scratch);

#endif

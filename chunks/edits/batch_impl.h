/// Private: a batch, also for undo and redo.
#ifndef TERRANE_EDITS_BATCH_IMPL_H
#define TERRANE_EDITS_BATCH_IMPL_H

#include "edits/history_impl.h"

/// A chunk that a batch has open for editing.
typedef struct TrnOpenChunk {
    TrnVoxelEdit edit;
    TrnChunk *chunk; ///< locked; the key is the id's index1
    TrnBatch *batch;
    struct TrnOpenChunk *next; ///< of the batch
    TrnPoolId id;
    uint32_t around; ///< as in TrnEventChunk; set when the commit is prepared, as is_changed
    bool is_changed;
} TrnOpenChunk;

struct TrnBatch {
    TrnEdits *edits;
    TrnStore *store;
    TrnStoreRefusal *refusal; ///< the store's
    TrnHistory *history;
    TrnUnloadedPolicy unloaded;
    TrnResult result;           ///< of the first call that failed
    bool is_grouped;            ///< whether what becomes pending from now on gets a group
    bool counts;                ///< whether changed voxels are counted
    uint64_t x, y, z;           ///< lowest voxel of the chunk of the last set
    uint64_t edge;              ///< its edge; 0 where there is none, so that no voxel lies in it
    TrnOpenChunk *here;         ///< that chunk
    TrnOpenChunk *first, **end; ///< all that are open, in the order in which they were opened
    TrnPendingMap pending;
    TrnNotes notes;
    TrnGroup *group; ///< that the notes go to
    TrnBatchOutcome outcome;
};

/// Creates a batch. @param def  valid. Errors: NO_MEMORY, FULL, READERS.
TrnResult trn_batch_create(TrnEdits *edits, const TrnBatchDef *def, TrnBatch **batch);

/// Frees a batch whose edits have ended.
void trn_batch_free(TrnBatch *batch);

/// Opens a chunk of the store for editing. If edits of this batch are pending for it, applies them
/// first. Errors: BUSY, and as trn_batch_set; the batch does not fail by them.
TrnResult trn_batch_open(TrnBatch *batch, TrnChunk *chunk, TrnOpenChunk **open);

/// Ends an open chunk's edit and unlocks it.
void trn_batch_close(TrnBatch *batch, TrnOpenChunk *open);

/// What happens to an edit of a chunk that is not loaded.
/// @param segment  receives where to append it; NULL where it is skipped
/// Errors: NOT_FOUND (TRN_UNLOADED_FAIL), NO_MEMORY, FULL; the batch does not fail by them.
TrnResult trn_batch_meet_unloaded(TrnBatch *batch, TrnCoord coord, TrnSegment **segment);

/// Appends voxels first..last of one block to a segment. Errors: NO_MEMORY.
TrnResult trn_batch_pend(TrnBatch *batch, TrnSegment *segment, uint32_t first, uint32_t last,
                         TrnBlock block);

/// Writes runs to a chunk, or makes them pending. Errors: as trn_batch_open.
TrnResult trn_batch_write_runs(TrnBatch *batch, TrnCoord coord, const TrnEditRun *runs,
                               uint32_t count, TrnRunSide side);

/// Records the result of a call. After a failure, later calls do nothing.
/// @return the batch's result
TrnResult trn_batch_end_call(TrnBatch *batch, TrnResult result);

/// Everything of a commit that can fail. trn_batch_publish() or trn_batch_cancel() follows.
TrnResult trn_batch_prepare(TrnBatch *batch);

/// Publishes a prepared batch. Listeners are not called yet.
/// @param group  for what becomes pending; may be NULL
void trn_batch_publish(TrnBatch *batch, TrnGroup *group);

/// Frees a published batch and calls listeners, who may do anything.
/// @param outcome  may be NULL
void trn_batch_finish(TrnBatch *batch, TrnBatchOutcome *outcome);

#endif

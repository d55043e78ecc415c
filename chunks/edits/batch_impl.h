/// Private: batches, as commits, undo and redo use them.
#ifndef TERRANE_EDITS_BATCH_IMPL_H
#define TERRANE_EDITS_BATCH_IMPL_H

#include "edits/history_impl.h"

/// A chunk that a batch has open for editing.
typedef struct TrnOpenChunk {
    TrnVoxelEdit edit;
    TrnChunk *chunk; ///< locked with the key id.index1
    TrnBatch *batch;
    struct TrnOpenChunk *next; ///< of the same batch
    TrnPoolId id;
    TrnStoreReach reach; ///< set while the commit is prepared, as the next
    bool is_changed;     ///< whether voxels differ from the store's
    /// [known_count] all that the edit changed, in ascending order; NULL: not known.
    const TrnEditRun *known;
    uint32_t known_count;
} TrnOpenChunk;

struct TrnBatch {
    TrnEdits *edits;
    TrnStore *store;
    TrnStoreRefusal *refusal; ///< the store's
    TrnHistory *history;      ///< NULL: none, or the batch is a step of undo or redo
    TrnUnloadedPolicy unloaded;
    TrnResult result;      ///< of the first call that failed
    bool is_grouped;       ///< whether edits that become pending from now on get a group
    bool counts_voxels;    ///< whether the commit counts changed voxels
    uint64_t x, y, z;      ///< lowest voxel of the current chunk
    uint64_t edge;         ///< its edge in voxels; 0 without a current chunk: no voxel is in it
    TrnOpenChunk *current; ///< the loaded chunk of the last trn_batch_set, or NULL
    TrnOpenChunk *first, **end; ///< all open chunks, in the order in which they were opened
    TrnPendingChunks pending;   ///< its edits of unloaded chunks
    TrnEditDeltas deltas;       ///< for the history, collected while the commit is prepared
    TrnHistoryGroup *group;     ///< that the deltas go to, or NULL
    TrnBatchOutcome outcome;
};

/// Creates a batch. @param def  valid, and not NULL. Errors: NO_MEMORY, FULL, READERS.
TrnResult trn_batch_create(TrnEdits *edits, const TrnBatchDef *def, TrnBatch **batch);

/// Opens a loaded chunk for editing, or finds it among the batch's open ones. If edits of this
/// batch are pending for it, applies them first, so that they keep their order. Errors: BUSY, and
/// as trn_batch_set. The caller passes them to trn_batch_end_call().
TrnResult trn_batch_open(TrnBatch *batch, TrnChunk *chunk, TrnOpenChunk **open);

/// Prepares an edit of a chunk that is not loaded, as the batch's policy says.
/// @param segment  receives the segment to append it to, or NULL if the edit is skipped
/// Errors: NOT_FOUND (TRN_UNLOADED_FAIL), NO_MEMORY. The caller passes them to
/// trn_batch_end_call().
TrnResult trn_batch_open_unloaded(TrnBatch *batch, TrnCoord coord, TrnSegment **segment);

/// Appends an edit of the voxels first..last to a segment. Errors: NO_MEMORY.
TrnResult trn_batch_pend(TrnBatch *batch, TrnSegment *segment, uint32_t first, uint32_t last,
                         TrnBlock block);

/// Writes runs to a chunk if it is loaded; otherwise treats them as the batch's policy says.
/// @param runs  [count]
/// Errors: as trn_batch_open and trn_batch_open_unloaded.
TrnResult trn_batch_write_runs(TrnBatch *batch, TrnCoord coord, const TrnEditRun *runs,
                               uint32_t count, TrnRunSide side);

/// Ends a call of the batch. If the call failed, the batch fails with its result.
/// @return the batch's result
TrnResult trn_batch_end_call(TrnBatch *batch, TrnResult result);

/// Does every part of a commit that can fail. trn_batch_publish() or trn_batch_cancel() follows.
/// Errors: as trn_batch_commit.
TrnResult trn_batch_prepare(TrnBatch *batch);

/// Publishes a prepared batch, without calling listeners. trn_batch_finish() follows.
/// @param group  for edits that become pending with is_grouped; may be NULL
void trn_batch_publish(TrnBatch *batch, TrnHistoryGroup *group);

/// Frees a published batch, then calls listeners, which may call anything.
/// @param outcome  may be NULL
void trn_batch_finish(TrnBatch *batch, TrnBatchOutcome *outcome);

#endif

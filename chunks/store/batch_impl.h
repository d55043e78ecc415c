/// Private: a batch, for undo and redo as well.
#ifndef TERRANE_STORE_BATCH_IMPL_H
#define TERRANE_STORE_BATCH_IMPL_H

#include "history.h"

/// A chunk that a batch has open.
typedef struct TrnOpenChunk {
    TrnVoxelEdit edit;
    TrnChunk *chunk;
    TrnBatch *batch;
    struct TrnOpenChunk *next; ///< of the batch
    TrnPoolId id;              ///< chunk->own.marks.edit is its index1
    uint32_t around;           ///< of the event
    bool is_changed;           ///< known when the batch is prepared
} TrnOpenChunk;

/// What the batches of a store have in common.
struct TrnBatches {
    TrnAllocator allocator; ///< counted as edits
    TrnPool *open_chunks;
    uint32_t batches; ///< that are open
};

struct TrnBatch {
    TrnStore *store;
    TrnHistory *history;
    TrnUnloadedPolicy absent;
    TrnResult result;           ///< of the first call that failed
    bool is_grouped;            ///< what waits from now on belongs to a group of a history
    bool counts;                ///< whether changed voxels are counted
    uint64_t x, y, z;           ///< lowest voxel of the chunk of the last set
    uint64_t edge;              ///< its edge; 0 where there is none, so that no voxel lies in it
    TrnOpenChunk *here;         ///< that chunk
    TrnOpenChunk *first, **end; ///< all that are open, in the order in which they were opened
    TrnWaitingMap waiting;
    TrnNotes notes;
    TrnGroup *group; ///< that it will go to
    TrnBatchOutcome outcome;
};

/// Opens a chunk of the store. Errors: BUSY, and as trn_batch_set; the batch does not fail by them.
TrnResult trn_batch_open(TrnBatch *batch, TrnChunk *chunk, TrnOpenChunk **open);

/// Writes runs to a chunk, or lets them wait for it. Errors: as trn_batch_open.
TrnResult trn_batch_write_runs(TrnBatch *batch, TrnCoord coord, const TrnEditRun *runs,
                               uint32_t count, TrnRunSide side);

/// Everything of a commit that can fail. The batch goes on to trn_batch_publish, or is cancelled.
TrnResult trn_batch_prepare(TrnBatch *batch);

/// The rest: afterwards all is there to be seen, and nobody has been told. @param group  for what
/// waits; may be NULL
void trn_batch_publish(TrnBatch *batch, TrnGroup *group);

/// Frees a published batch and tells listeners, who may do anything. @param outcome  may be NULL
void trn_batch_finish(TrnBatch *batch, TrnBatchOutcome *outcome);

#endif

/// Terrane, batches: changes of many chunks as one, and edits of chunks that are not loaded.
///
///     TrnBatchDef def = trn_batch_def();
///     def.history = history; // terrane/history.h; or NULL: cannot be undone
///     TrnBatch *batch;
///     trn_batch_begin(store, &def, &batch);
///     trn_batch_fill_sphere(batch, voxel, 5.5, TRN_BLOCK_AIR);
///     trn_batch_set(batch, voxel, lamp);
///     TrnResult result = trn_batch_commit(batch, NULL); // everything, or nothing
///
/// A batch is invisible until its commit, which publishes all of it under one revision. The first
/// call that fails fails the batch: later calls do nothing and return the same result, and so does
/// the commit. A batch that could not begin is NULL, and calls on NULL return BAD_ARGUMENT. So a
/// caller can check the result of the commit alone.
///
/// Edits of a chunk that is not loaded become pending: when the chunk is inserted, they are applied
/// in their order, before any reader finds it. Block data (terrane/block_data.h) cannot be pending.
///
/// Threads: all functions are for the writer's thread.
///
/// Tier: stable. Core: trn_batch_begin, trn_batch_set, trn_batch_fill_sphere, trn_batch_commit.
#ifndef TERRANE_BATCH_H
#define TERRANE_BATCH_H

#include <terrane/store.h>

TRN_C_BEGIN

/// Changes of one or more chunks that are published together.
typedef struct TrnBatch TrnBatch;

/// Undo and redo of batches: terrane/history.h.
typedef struct TrnHistory TrnHistory;

// ---- begin and end -----------------------------------------------------------------------------

/// What happens to edits of chunks that are not loaded.
typedef enum TrnUnloadedPolicy {
    TRN_UNLOADED_PENDING, ///< they become pending
    TRN_UNLOADED_SKIP,    ///< they are skipped
    TRN_UNLOADED_FAIL,    ///< NOT_FOUND, and the batch fails
    TRN_UNLOADED_COUNT    ///< the number of policies
} TrnUnloadedPolicy;

/// Start from trn_batch_def() and change what you need.
typedef struct TrnBatchDef {
    TrnUnloadedPolicy unloaded; ///< what happens to edits of chunks that are not loaded
    TrnHistory *history;        ///< of the same store; NULL: the batch cannot be undone
} TrnBatchDef;

/// Returns the default: edits of unloaded chunks become pending, no history.
TRN_API TrnBatchDef trn_batch_def(void);

/// What a commit did.
typedef struct TrnBatchOutcome {
    uint64_t revision;       ///< of the change; the store's current one if no chunk changed
    uint32_t changed_chunks; ///< loaded chunks whose voxels differ now
    uint64_t changed_voxels; ///< in them; counted only with a history, otherwise 0
    uint64_t changed_data;   ///< voxels whose block data differs now; counted as changed_voxels
    uint32_t pending_chunks; ///< unloaded chunks for which edits of this batch are pending now
    /// Unloaded chunks whose edits were skipped, each counted once a call, up to UINT32_MAX.
    uint32_t skipped_chunks;
} TrnBatchOutcome;

/// Begins a batch. Several can be open, but only one of them can have a given chunk open.
/// @param def    NULL means trn_batch_def()
/// @param batch  receives it, and NULL on failure; ends with trn_batch_commit or trn_batch_cancel
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL, READERS. O(1).
TRN_API TrnResult trn_batch_begin(TrnStore *store, const TrnBatchDef *def, TrnBatch **batch);

/// Publishes all changes under one revision, makes edits of unloaded chunks pending, adds them to
/// the history, and calls listeners. Ends the batch, whatever the result.
/// @param batch    NULL: BAD_ARGUMENT
/// @param outcome  receives what the commit did; may be NULL; untouched on failure
/// Errors: that of an earlier call; BUSY (another batch has a chunk open that was inserted after
/// this batch edited it); NO_MEMORY, FULL, READERS. Store and history are then as they were before
/// the batch.
/// Cost: that of trn_voxel_edit_commit for each chunk. Listeners and a history
/// add O(1) for each chunk, and a history O(changed voxels): some 1.5 times in all.
TRN_API TrnResult trn_batch_commit(TrnBatch *batch, TrnBatchOutcome *outcome);

/// Discards the batch. @param batch  may be NULL
TRN_API void trn_batch_cancel(TrnBatch *batch);

// ---- edit --------------------------------------------------------------------------------------
//
// Errors of all that edit: BAD_ARGUMENT (also without a batch), BUSY (another batch has the chunk
// open), NOT_FOUND (TRN_UNLOADED_FAIL), NO_MEMORY, FULL (bytes_max of the store or of pending
// edits), READERS, and the result of an earlier call of the batch that failed.

/// Writes one block. Outside the world: BAD_ARGUMENT.
/// A batch notes the first 16 blocks of a chunk and writes them later, so that what memory refuses
/// a block may be the result of a later call, or of the commit. Cost: O(1), least in the chunk of
/// the call before. The commit copies the voxels of each chunk.
TRN_API TrnResult trn_batch_set(TrnBatch *batch, TrnVoxel voxel, TrnBlock block);

/// Writes one block into every voxel of a box. The part outside the world is ignored.
/// @param min,max  both inclusive; BAD_ARGUMENT where the box is empty
/// Cost: O(rows) for each chunk at its border, O(1) for each inside. A box of any size is
/// fine with TRN_UNLOADED_SKIP, which visits loaded chunks only. With TRN_UNLOADED_PENDING a box is
/// refused at once (FULL) if it has more unloaded chunks than can have pending edits: within their
/// bytes_max, within the store's, and at most 2^24 unless both are set.
TRN_API TrnResult trn_batch_fill_box(TrnBatch *batch, TrnVoxel min, TrnVoxel max, TrnBlock block);

/// The largest sphere of a batch, in voxels.
#define TRN_SPHERE_RADIUS_MAX 1024.0

/// Writes one block into every voxel whose centre is at most `radius` from the centre of a voxel.
/// The part outside the world is ignored.
/// @param centre  may lie outside the world
/// @param radius  voxels, 0..TRN_SPHERE_RADIUS_MAX; 0 is the one voxel
/// Cost: as trn_batch_fill_box.
TRN_API TrnResult trn_batch_fill_sphere(TrnBatch *batch, TrnVoxel centre, double radius,
                                        TrnBlock block);

/// The open edit of one chunk, for what terrane/voxels.h can do with one: encode, copy, replace,
/// masks. The batch commits or cancels it. If one of its calls fails, cancel the batch.
/// @param edit  receives it; valid until the batch ends
/// Errors: also NOT_FOUND, whatever the def says. O(1).
TRN_API TrnResult trn_batch_edit(TrnBatch *batch, TrnCoord coord, TrnVoxelEdit **edit);

/// Sets or removes the block data of a voxel (terrane/block_data.h). It belongs to the block that
/// the batch has there now, so write the block first.
/// @param bytes  [size] copied; NULL removes the data
/// Errors: also NOT_FOUND (the chunk is not loaded, unless the policy is TRN_UNLOADED_SKIP), FULL
/// (beyond the limits of a voxel or chunk). Cost: as trn_voxel_edit_set_data.
TRN_API TrnResult trn_batch_set_data(TrnBatch *batch, TrnVoxel voxel, const void *bytes,
                                     size_t size, TrnDataRule rule);

/// The block data of a voxel, with the changes of this batch.
/// @param data  receives it; valid until the batch's next call
/// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND (the chunk is not loaded, or the voxel has
/// none); the batch does not fail by them.
TRN_API TrnResult trn_batch_get_data(const TrnBatch *batch, TrnVoxel voxel, TrnBlockData *data);

/// The block of a voxel, with the changes of this batch, except pending ones.
/// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND; the batch does not fail by them.
TRN_API TrnResult trn_batch_get(const TrnBatch *batch, TrnVoxel voxel, TrnBlock *block);

// ---- pending edits -----------------------------------------------------------------------------

/// Sets the most bytes that pending edits of a store may take, open batches' included. Edits that
/// need more are refused with FULL; edits that are pending already stay, even above the new cap.
/// @param bytes_max  0: no cap but the store's bytes_max. 16 MiB until this is called.
/// Errors: NO_MEMORY, FULL, READERS (the first call for a store allocates).
TRN_API TrnResult trn_pending_set_bytes_max(TrnStore *store, size_t bytes_max);

/// Collects the unloaded chunks with pending edits, for example to load them.
/// @param coords  [capacity] receives chunk coordinates, in the order in which they
///                got edits; caller owns
/// @return how many there are; only the first `capacity` are written
TRN_API size_t trn_pending_chunks(const TrnStore *store, TrnCoord *coords, size_t capacity);

/// Voxels of one chunk in linear order that an edit sets to one block.
typedef struct TrnPendingRun {
    uint16_t first; ///< linear index of the first voxel
    uint16_t last;  ///< of the last, inclusive
    TrnBlock block; ///< what they become
} TrnPendingRun;

/// Collects the edits that are pending for a chunk, in the order in which they are applied, for
/// example to save them: terrane/save.h does.
/// @param runs  [capacity] receives them; caller owns
/// @return how many there are; only the first `capacity` are written
TRN_API size_t trn_pending_get(const TrnStore *store, TrnCoord coord, TrnPendingRun *runs,
                               size_t capacity);

/// Returns how many runs of pending edits a loaded chunk took up when it was inserted; 0 if it is
/// not loaded. O(1).
TRN_API uint32_t trn_pending_applied(const TrnStore *store, TrnCoord coord);

/// Edits runs of voxels of one chunk, such as those of trn_pending_get, in their order.
/// @param runs  [count]
/// Errors: those of all that edit; BAD_ARGUMENT also if a run ends before it begins or behind the
/// chunk. Cost: as trn_voxel_edit_set or trn_voxel_edit_fill_mask, whichever suits.
TRN_API TrnResult trn_batch_set_runs(TrnBatch *batch, TrnCoord coord, const TrnPendingRun *runs,
                                     size_t count);

/// Drops all edits that are pending for a chunk. Undoing them then does nothing.
/// @return how many runs of voxels they were
TRN_API uint32_t trn_pending_drop(TrnStore *store, TrnCoord coord);

// ---- figures -----------------------------------------------------------------------------------

/// Figures of the batches, pending edits and histories of a store. Their bytes, and a few hundred
/// of their own, are TrnStoreStats.attached_bytes.
typedef struct TrnEditsStats {
    uint32_t open_batches;    ///< begun, neither committed nor cancelled
    uint32_t pending_chunks;  ///< unloaded chunks with pending edits
    uint64_t pending_runs;    ///< runs of voxels in them
    uint64_t applied_runs;    ///< runs applied to inserted chunks so far
    size_t batch_bytes;       ///< open batches; the copies of voxels that they edit are voxel_bytes
    size_t pending_bytes;     ///< pending edits, those of open batches included
    size_t history_bytes;     ///< all histories
    size_t pending_bytes_max; ///< as trn_pending_set_bytes_max
} TrnEditsStats;

/// Returns the figures of a store. O(1).
TRN_API TrnEditsStats trn_edits_stats(const TrnStore *store);

TRN_C_END
#endif

/// Terrane, batches: changes of many chunks as one, edits that wait for chunks which are not there,
/// undo and redo.
///
///     TrnBatchDef def = trn_batch_def();
///     def.history = history; // or NULL: cannot be undone
///     TrnBatch *batch;
///     if (trn_batch_begin(store, &def, &batch) == TRN_RESULT_OK) {
///         trn_batch_fill_sphere(batch, voxel, 5.5, TRN_BLOCK_AIR);
///         trn_batch_set(batch, voxel, lamp);
///         trn_batch_commit(batch, NULL); // all of it, or nothing
///     }
///
/// Nothing of a batch shows before its commit, and then all of it under one revision. The first
/// call that fails makes the whole batch fail: all after it do nothing and return the same, and so
/// does the commit, so that only the commit's result needs looking at.
///
/// Threads: all of this is for the writer's thread.
#ifndef TERRANE_BATCH_H
#define TERRANE_BATCH_H

#include <terrane/store.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Undo and redo of batches. Several on one store, one for each player say, do not know of each
/// other.
typedef struct TrnHistory TrnHistory;

// ---- batches -----------------------------------------------------------------------------------

/// What becomes of changes to chunks that are not in the store.
typedef enum TrnUnloadedPolicy {
    TRN_UNLOADED_PENDING, ///< they wait, and are applied in their order when the chunk is inserted
    TRN_UNLOADED_SKIP,    ///< they are left out
    TRN_UNLOADED_FAIL,    ///< NOT_FOUND, and the batch fails
    TRN_UNLOADED_COUNT
} TrnUnloadedPolicy;

/// Start from trn_batch_def() and change what you need.
typedef struct TrnBatchDef {
    TrnUnloadedPolicy absent;
    TrnHistory *history; ///< of the same store; NULL: the batch cannot be undone
} TrnBatchDef;

/// Changes wait for absent chunks; no history.
TRN_API TrnBatchDef trn_batch_def(void);

/// What a batch came to.
typedef struct TrnBatchOutcome {
    uint64_t revision; ///< of the change; the store's unchanged one when nothing was published
    uint32_t changed_chunks; ///< whose voxels are others now
    uint64_t changed_voxels; ///< in them; counted only where there is a history, otherwise 0
    uint32_t pending_chunks; ///< absent ones that changes of this batch wait for now
    /// absent ones whose changes were left out, each counted once per call, up to UINT32_MAX
    uint32_t skipped_chunks;
} TrnBatchOutcome;

/// Opens a batch. Several may be open, but no two have the same chunk open.
/// @param def    NULL means trn_batch_def()
/// @param batch  receives it; ends with trn_batch_commit or trn_batch_cancel
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL, READERS. O(1).
TRN_API TrnResult trn_batch_begin(TrnStore *store, const TrnBatchDef *def, TrnBatch **batch);

/// Errors of all that changes: BAD_ARGUMENT, BUSY (another batch has the chunk open), NOT_FOUND
/// (TRN_UNLOADED_FAIL), NO_MEMORY, FULL (bytes_max, pending_bytes_max), READERS, and whatever an
/// earlier call of the batch came to.

/// Writes one block. Outside the world: BAD_ARGUMENT. Cost: O(1): some 10 ns in the chunk of the
/// call before, tens of ns in one that is open, 0.3 to 4 us for the first of a chunk, whose voxels
/// are copied.
TRN_API TrnResult trn_batch_set(TrnBatch *batch, TrnVoxel voxel, TrnBlock block);

/// Writes one block into every voxel of a box. What lies outside the world is left out.
/// @param min,max  both inclusive; BAD_ARGUMENT where the box is empty
/// Cost: up to some us for each chunk that it cuts, O(1) for each that lies inside. Boxes of any
/// size are fine with TRN_UNLOADED_SKIP, which looks at present chunks alone; with
/// TRN_UNLOADED_PENDING those are refused at once (FULL) whose absent chunks cannot all wait, be it
/// for pending_bytes_max, for bytes_max, or, where neither is set, since they are over 2^24.
TRN_API TrnResult trn_batch_fill_box(TrnBatch *batch, TrnVoxel min, TrnVoxel max, TrnBlock block);

#define TRN_SPHERE_RADIUS_MAX 1024.0

/// Writes one block into every voxel whose middle is no farther than `radius` from the middle of
/// `centre`. What lies outside the world is left out.
/// @param centre  may lie outside the world
/// @param radius  voxels, 0..TRN_SPHERE_RADIUS_MAX; 0 is the one voxel
/// Cost: as trn_batch_fill_box; up to 2 ms for a radius of 32.
TRN_API TrnResult trn_batch_fill_sphere(TrnBatch *batch, TrnVoxel centre, double radius,
                                        TrnBlock block);

/// The edit of one chunk inside the batch, for all that voxels.h can do with one: encode, copy,
/// replace, masks. Neither commit nor cancel it; the batch does. Whether one of its calls failed is
/// the caller's to see, who cancels the batch then.
/// @param edit  receives it; valid until the batch ends
/// Errors: also NOT_FOUND, whatever the def says. O(1).
TRN_API TrnResult trn_batch_edit(TrnBatch *batch, TrnCoord coord, TrnVoxelEdit **edit);

/// The block of a voxel, changes of this batch included, but for those that wait.
/// Errors: BAD_ARGUMENT (outside the world), NOT_FOUND; the batch does not fail by them.
TRN_API TrnResult trn_batch_get(const TrnBatch *batch, TrnVoxel voxel, TrnBlock *block);

/// Publishes all changes under one revision, lets those wait whose chunks are not there, notes them
/// in the history, tells listeners, and ends the batch, whatever the result.
/// @param outcome  receives what it came to; may be NULL; untouched on failure
/// Errors: what an earlier call came to; BUSY (another batch has a chunk open that has come since
/// changes of this one were to wait for it); NO_MEMORY, FULL, READERS (the history's notes). The
/// store and the history are then as they were before the batch. Cost: that of
/// trn_voxel_edit_commit for each chunk; with a history or listeners 0.5 to 4 us more for each, and
/// with a history some ns for each voxel changed.
TRN_API TrnResult trn_batch_commit(TrnBatch *batch, TrnBatchOutcome *outcome);

/// Ends a batch without a trace. @param batch  may be NULL
TRN_API void trn_batch_cancel(TrnBatch *batch);

// ---- edits that wait ---------------------------------------------------------------------------

/// Forgets all edits that wait for a chunk. @return how many runs of voxels they were. Undoing them
/// does nothing then.
TRN_API uint32_t trn_store_drop_pending(TrnStore *store, TrnCoord coord);

/// The chunks that edits wait for: to load them, or to save what waits.
/// @param coords  [capacity] receives them, in no order; caller owns
/// @return how many there are; only the first `capacity` are written
TRN_API size_t trn_store_pending(const TrnStore *store, TrnCoord *coords, size_t capacity);

// ---- undo and redo -----------------------------------------------------------------------------
//
// A history notes of each voxel that a batch changed what it was and what it became. Undo writes
// the first, redo the second, in all voxels that changed and in no others, whatever has happened
// to them since; both are batches of their own to readers and listeners. A group of batches counts
// as one: what its first batch found, and what its last one left; a voxel that it changed and
// changed back is none of those. In chunks that have gone meanwhile undo and redo wait, as other
// edits do. Edits that wait for a chunk are undone by not being applied, and when the chunk has
// come, as if they had been made then.

/// Start from trn_history_def() and change what you need.
typedef struct TrnHistoryDef {
    /// The most bytes for notes. Beyond it the oldest groups are forgotten; a group that is larger
    /// all by itself empties the history, and what follows until trn_history_end_group is not noted
    /// either. 0 notes nothing. Edits that wait count as pending, and here once they are undone, or
    /// their chunk has come: the oldest groups may be forgotten then, too.
    size_t bytes_max;
} TrnHistoryDef;

/// 16 MiB.
TRN_API TrnHistoryDef trn_history_def(void);

/// @param def  NULL means trn_history_def()
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL, READERS.
TRN_API TrnResult trn_history_create(TrnStore *store, const TrnHistoryDef *def,
                                     TrnHistory **history);

/// Forgets everything; what waits for chunks goes on waiting. No batch of it may be open. Before
/// its store is destroyed.
/// @param history  may be NULL
TRN_API void trn_history_destroy(TrnHistory *history);

/// Makes all batches up to trn_history_end_group one step of undo: a stroke of the brush, a
/// command. Without, each batch is one. Groups nest; the outermost counts. An empty group leaves no
/// step. Each begin has its end. O(1).
TRN_API void trn_history_begin_group(TrnHistory *history);
TRN_API void trn_history_end_group(TrnHistory *history);

/// Undoes the last group that is done, or does the last one again that was undone. A new batch of
/// the history ends what can be redone.
/// @param outcome  may be NULL
/// Errors: NOT_FOUND (there is no such group), BUSY (a group or batch of this history is open, or a
/// batch has one of the chunks open), NO_MEMORY, FULL, READERS; the store and the history are then
/// as they were. Cost: some ns for each voxel changed, and a commit.
TRN_API TrnResult trn_history_undo(TrnHistory *history, TrnBatchOutcome *outcome);
TRN_API TrnResult trn_history_redo(TrnHistory *history, TrnBatchOutcome *outcome);

/// Forgets all groups: nothing can be undone or redone any more. No group or batch of it may be
/// open.
TRN_API void trn_history_clear(TrnHistory *history);

typedef struct TrnHistoryStats {
    uint32_t undo_groups, redo_groups; ///< that can be undone, and done again
    uint64_t dropped_groups;           ///< for want of room, so far
    size_t bytes, bytes_max;           ///< taken by notes; as in the def
} TrnHistoryStats;

/// O(1).
TRN_API TrnHistoryStats trn_history_stats(const TrnHistory *history);

#ifdef __cplusplus
}
#endif
#endif

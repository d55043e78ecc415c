/// Terrane, history: undo and redo of batches (terrane/batch.h).
///
/// A history records, for each voxel that a batch changed, its old and its new block. Undo writes
/// the old block, redo the new one, into all voxels that changed and no others, whatever has
/// happened to them since. Both are batches of their own to readers and listeners. Block data
/// (terrane/block_data.h) is recorded too, and shared with the chunk, not copied. Data that goes
/// with its block is restored only with that block.
///
/// A history also stores copies of chunks that a batch changed in many places, in up to an eighth
/// of its memory. Undo and redo restore the copy if nobody else has changed the chunk since.
///
/// A group of batches is one step: undo restores what its first batch found, redo what its last one
/// left. A voxel that a group changed and changed back is not touched. If a chunk is not loaded,
/// undo and redo become pending edits. Edits that are still pending are undone by dropping them; if
/// their chunk was inserted meanwhile, as if they had been made then.
///
/// Several histories on one store, one for each player say, are independent.
///
/// Threads: all functions are for the writer's thread.
///
/// Tier: stable.
#ifndef TERRANE_HISTORY_H
#define TERRANE_HISTORY_H

#include <terrane/batch.h>

TRN_C_BEGIN

/// Start from trn_history_def() and change what you need.
typedef struct TrnHistoryDef {
    /// The most bytes that the history records. Beyond it, the oldest groups are dropped. A group
    /// that is larger than this empties the history, and the rest of that group is not recorded.
    /// With 0, nothing is recorded. Pending edits count against their own cap; they count here once
    /// they are undone, or once their chunk is inserted. Block data counts in full for each change
    /// that has it, although the history shares it with the chunk.
    size_t bytes_max;
} TrnHistoryDef;

/// Returns the default: 16 MiB.
TRN_API TrnHistoryDef trn_history_def(void);

/// Creates an empty history, for batches of one store.
/// @param def      NULL means trn_history_def()
/// @param history  receives it; destroy it with trn_history_destroy
/// Errors: BAD_ARGUMENT, NO_MEMORY, FULL, READERS.
TRN_API TrnResult trn_history_create(TrnStore *store, const TrnHistoryDef *def,
                                     TrnHistory **history);

/// Destroys a history. Its pending edits stay pending. No batch of the history may be open. Destroy
/// a history before its store.
/// @param history  may be NULL
TRN_API void trn_history_destroy(TrnHistory *history);

/// Makes all batches until trn_history_end_group() one step: a brush stroke, a command. Without a
/// group, each batch is one. Groups nest; the outermost counts. An empty group is no step. O(1).
TRN_API void trn_history_begin_group(TrnHistory *history);

/// Ends the group that the last trn_history_begin_group() began. O(1).
TRN_API void trn_history_end_group(TrnHistory *history);

/// Undoes the newest group that is done. A new batch of the history drops all groups that could be
/// redone.
/// @param outcome  receives what the undo did; may be NULL
/// Errors: NOT_FOUND (there is no such group), BUSY (a group or batch of this history is open, a
/// batch has one of the chunks open, or block data of a chunk that is not loaded would change: load
/// it and call again), NO_MEMORY, FULL, READERS; store and history are then as they
/// were. Cost: O(changed voxels), and a commit; of a ball of radius 16 about a tenth of the cost of
/// digging it.
TRN_API TrnResult trn_history_undo(TrnHistory *history, TrnBatchOutcome *outcome);

/// Redoes the oldest group that is undone. Parameter, errors and cost: as trn_history_undo().
TRN_API TrnResult trn_history_redo(TrnHistory *history, TrnBatchOutcome *outcome);

/// Drops all groups, so that nothing can be undone or redone. No group or batch of the history may
/// be open.
TRN_API void trn_history_clear(TrnHistory *history);

/// Figures of a history.
typedef struct TrnHistoryStats {
    uint32_t undo_groups;    ///< that can be undone
    uint32_t redo_groups;    ///< that can be redone
    uint64_t dropped_groups; ///< to stay within bytes_max, so far
    size_t bytes;            ///< of everything that it records
    size_t bytes_max;        ///< as in the def
} TrnHistoryStats;

/// Returns the figures of a history. O(1).
TRN_API TrnHistoryStats trn_history_stats(const TrnHistory *history);

TRN_C_END
#endif

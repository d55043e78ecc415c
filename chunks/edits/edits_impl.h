/// Private: what batches, pending edits and histories of one store share.
///
/// A store has one TrnEdits, which the first call that needs it attaches (edits.c), and which is
/// destroyed with the store.
///
/// Each file of this folder calls only those above it in this list:
///   edit_runs     runs of voxels
///   pending       pending edits, as runs
///   history       groups of deltas, as runs; their pending edits
///   batch         open chunks, pending edits, the group of a commit; prepares and publishes it
///   batch_fill    boxes and spheres of a batch
///   history_undo  undo and redo: batches that write deltas
///   edits         creates batches and histories; applies pending edits to inserted chunks, and
///                 records deltas of them
#ifndef TERRANE_EDITS_EDITS_IMPL_H
#define TERRANE_EDITS_EDITS_IMPL_H

#include <terrane/batch.h>
#include <terrane/history.h>

#include "edits/pending_impl.h"
#include "store/store_internal.h"

/// Counts what one part of TrnEdits allocates from the store, up to a cap of its own.
typedef struct TrnEditsAccount {
    TrnAllocator store;       ///< the store's, which counts everything against its bytes_max
    TrnStoreRefusal *refusal; ///< the store's; set when bytes_max below refuses
    size_t bytes;
    size_t bytes_max; ///< 0: no cap but the store's
} TrnEditsAccount;

typedef struct TrnEdits {
    TrnStore *store;
    TrnStoreRefusal *refusal;       ///< the store's
    TrnAllocator allocator;         ///< the store's, for this struct
    TrnAllocator batch_allocator;   ///< for open batches, and scratch
    TrnAllocator pending_allocator; ///< for pending edits
    TrnAllocator history_allocator; ///< for histories
    TrnEditsAccount batch_account, pending_account, history_account; ///< behind these allocators
    TrnPending pending;
    TrnPool *open_chunks; ///< of TrnOpenChunk, for all batches
    uint32_t open_batches;
    /// Deltas of the chunk that is being inserted, for the groups of its segments.
    struct TrnEditDelta *inserting;
} TrnEdits;

#endif

/// Private: what batches, pending edits and histories of one store share.
///
/// A store has one TrnEdits, attached to it by the first call that needs it (edits.c) and destroyed
/// with it. From the bottom up: edit_runs, pending, history, batch; batch_fill, batch_commit and
/// edits_insert; history_step; and edits.c, which creates all of it.
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
    size_t bytes_max; ///< 0 means none but the store's
} TrnEditsAccount;

typedef struct TrnEdits {
    TrnStore *store;
    TrnStoreRefusal *refusal;       ///< the store's
    TrnAllocator allocator;         ///< the store's, for this struct
    TrnAllocator batch_allocator;   ///< for open batches, and scratch
    TrnAllocator pending_allocator; ///< for pending edits
    TrnAllocator history_allocator; ///< for histories
    TrnEditsAccount batch_account, pending_account, history_account; ///< of these allocators
    TrnPending pending;
    TrnPool *open_chunks; ///< of TrnOpenChunk
    uint32_t open_batches;
    /// Notes of the chunk that is being inserted, for the histories: see edits_insert.c.
    struct TrnNote *inserting;
} TrnEdits;

/// The hooks of a store's edits (edits_insert.c).
TrnStoreHooks trn_edits_insert_hooks(TrnEdits *edits);

#endif

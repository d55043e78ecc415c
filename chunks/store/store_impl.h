/// Private: what a store is made of, and how its parts work together.
#ifndef TERRANE_STORE_STORE_IMPL_H
#define TERRANE_STORE_STORE_IMPL_H

#include <terrane/batch.h>
#include <terrane/store.h>

#include "base/memory.h"

/// Who takes memory: the categories of TrnStoreStats.
typedef enum TrnStorePart {
    TRN_STORE_TYPES,
    TRN_STORE_INDEX,
    TRN_STORE_HEADERS,
    TRN_STORE_VOXELS,
    TRN_STORE_BOOKS,
    TRN_STORE_EDITS,
    TRN_STORE_PENDING,
    TRN_STORE_HISTORY,
    TRN_STORE_PART_COUNT
} TrnStorePart;

/// What one part has taken.
typedef struct TrnStoreAccount {
    TrnStore *store;
    size_t bytes, bytes_max; ///< bytes_max: of the part alone, 0 means none
} TrnStoreAccount;

typedef struct TrnStoreChanges TrnStoreChanges; // store_changes.c
typedef struct TrnStoreEvents TrnStoreEvents;   // store_events.c
typedef struct TrnStoreLog TrnStoreLog;         // store_explain.c
typedef struct TrnPending TrnPending;           // pending.c
typedef struct TrnBatches TrnBatches;           // batch.c

struct TrnStore {
    // What readers look at.
    TrnChunkIndex *index; ///< of header slots
    TrnPool *headers;
    TrnVoxelHeap *heap;
    TrnBlockTypes *types;
    size_t user_bytes;
    bool owns_types;

    // The writer's own, on lines of its own, but for the revision.
    /// atomic: of the last change that is published whole
    _Alignas(TRN_CACHE_LINE) uint64_t revision;
    uint32_t sight;       ///< calls of trn_store_touch
    uint32_t chunks;      ///< that can be found
    TrnRetireOwner owner; ///< takes removed headers back
    uint32_t retired_chunks;
    bool is_refused;      ///< whether a cap has stood in the way since this was last cleared
    bool is_part_refused; ///< whether it was that of a part
    size_t bytes, bytes_peak, bytes_max;
    TrnStoreAccount accounts[TRN_STORE_PART_COUNT];
    TrnAllocator allocator; ///< the caller's

    TrnStoreChanges *changes;
    TrnStoreEvents *events;
    TrnStoreLog *log;
    TrnPending *pending;
    TrnBatches *batches;
    uint64_t inserted, removed, evicted, refused;
};

// ---- memory (store_budget.c) -------------------------------------------------------------------

/// Sets up the accounts of a store that has nothing yet but itself. Errors: FULL (bytes_max is less
/// than that).
TrnResult trn_store_open_accounts(TrnStore *store, const TrnStoreDef *def);

/// The allocator of a part: counts, and holds to bytes_max. What would pass it is refused only when
/// giving back what is kept at hand has not made room. Valid as long as the store.
TrnAllocator trn_store_allocator(TrnStore *store, TrnStorePart part);

/// What an operation really came to: NO_MEMORY becomes FULL where a cap of the store stood in the
/// way, or READERS where retired memory would have made room. Call trn_store_attempt before the
/// operation.
TrnResult trn_store_refusal(const TrnStore *store, TrnResult result);

/// What of headers and voxels comes back by itself: it waits for readers, or for listeners to hear
/// of it.
size_t trn_store_bytes_on_the_way(const TrnStore *store);

/// As TrnStoreStats.used_bytes.
size_t trn_store_used_bytes(const TrnStore *store);

/// Forgets earlier refusals.
static inline void trn_store_attempt(TrnStore *store)
{
    store->is_refused = false;
    store->is_part_refused = false;
}

/// Whether an operation of the index or the headers is worth another try: a cap stood in its way,
/// and now all is given back that can be, also what could not be while it was under way. Forgets
/// the refusal.
bool trn_store_make_room(TrnStore *store, TrnResult result);

/// Header with user bytes, and payload.
size_t trn_store_chunk_bytes(const TrnStore *store, const TrnChunk *chunk);

// ---- chunks (store.c) --------------------------------------------------------------------------

/// Removes a chunk that can be found. Errors: as trn_store_remove.
TrnResult trn_store_remove_chunk(TrnStore *store, TrnChunk *chunk, bool is_eviction);

/// Hands a chunk that nobody can find any more, and its voxels, to the list of what waits for
/// readers.
void trn_store_retire_chunk(TrnStore *store, TrnChunk *chunk);

// ---- the list of changes (store_changes.c) -----------------------------------------------------

/// Errors: NO_MEMORY.
TrnResult trn_changes_create(TrnStore *store);
void trn_changes_destroy(TrnStore *store);

/// Makes room for one more chunk, so that no change of any can fail. Errors: NO_MEMORY.
TrnResult trn_changes_reserve(TrnStore *store);

/// Adds a chunk, as the last that changed.
void trn_changes_add(TrnStore *store, TrnChunk *chunk, uint64_t revision);

/// Makes a chunk the last that changed.
void trn_changes_move(TrnStore *store, TrnChunk *chunk, uint64_t revision);

/// Has the processor fetch what taking a chunk out will touch.
void trn_changes_prefetch(const TrnStore *store, const TrnChunk *chunk);

/// Takes a chunk out, which is about to go.
void trn_changes_drop(TrnStore *store, const TrnChunk *chunk);

/// Takes no more memory than the chunks need, where there is memory for that.
void trn_changes_trim(TrnStore *store);

/// All chunks, the one that has been as it is for longest first, with gaps of NULL. Valid until a
/// chunk changes, comes or goes.
/// @return how many places there are
size_t trn_changes_all(const TrnStore *store, TrnChunk *const **chunks);

// ---- changes and events (store_events.c) -------------------------------------------------------

/// TrnEventChunk.around of all 27.
#define TRN_AROUND_ALL ((UINT32_C(1) << 27) - 1)
/// Of the chunk itself alone.
#define TRN_AROUND_SELF (UINT32_C(1) << 13)

/// A change of one or more chunks: note each with the same revision, store revision plus one,
/// publish it, then end the change. None of this can fail.
static inline uint64_t trn_store_next_revision(const TrnStore *store)
{
    return store->revision + 1;
}

/// Whether anybody listens to a kind of event, so that `around` is worth finding out.
bool trn_store_is_heard(const TrnStore *store, TrnEventKind kind);

/// Moves a chunk to the end of the list of changes, and has listeners told at the end of the
/// change. All notes of one change are of one kind: INSERTED for a chunk that trn_changes_reserve
/// was called for, or CHANGED.
/// @param around  as in TrnEventChunk
void trn_store_note(TrnStore *store, TrnEventKind kind, TrnChunk *chunk, uint64_t revision,
                    uint32_t around);

/// Makes the revision that of the store, and tells listeners, or leaves that to the telling that is
/// under way. Chunks may come, go and change in it.
void trn_store_end_change(TrnStore *store, uint64_t revision);

/// Which chunks around must look again after a change: as TrnEventChunk.around; 0 where nothing
/// differs.
uint32_t trn_store_around(TrnSnapshot before, TrnSnapshot after);

/// Errors: NO_MEMORY.
TrnResult trn_events_create(TrnStore *store);
void trn_events_destroy(TrnStore *store);

/// Notes a removal; cannot fail. Ends with trn_store_end_change(store, store->revision), as every
/// change does.
/// @return whether somebody will hear of it. The chunk is retired after that then; otherwise that
/// is the caller's to do.
bool trn_events_note_removal(TrnStore *store, TrnChunk *chunk, bool is_eviction);

/// Gives back what is kept at hand.
void trn_events_trim(TrnStore *store);

typedef struct TrnEventsStats {
    uint32_t listeners;
    uint64_t calls, missed;
    uint32_t untold_chunks, untold_payloads; ///< removed, and kept until listeners have heard of it
    size_t untold_bytes;
} TrnEventsStats;
TrnEventsStats trn_events_stats(const TrnStore *store);

// ---- how chunks ended (store_explain.c) --------------------------------------------------------

/// Errors: NO_MEMORY.
TrnResult trn_log_create(TrnStore *store);
void trn_log_destroy(TrnStore *store);

/// Remembers why a chunk is not there. @param refusal  of an insert; otherwise OK
void trn_log_end(TrnStore *store, TrnCoord coord, TrnChunkState state, TrnResult refusal);

// ---- edits that wait (pending.c) ---------------------------------------------------------------

/// Errors: NO_MEMORY.
TrnResult trn_pending_create(TrnStore *store);
void trn_pending_destroy(TrnStore *store);

/// What an arriving chunk takes up. The caller's memory.
typedef struct TrnArrival {
    TrnStore *store;
    void *record; ///< of pending.c; NULL where nothing waits
    void *notes;  ///< for histories
} TrnArrival;

/// Applies what waits for a coordinate to voxels that no reader can see yet, under a revision, and
/// notes for histories what that changes; nothing else changes yet.
/// Errors: NO_MEMORY, FULL, READERS; the voxels are then as they were. Ends with trn_pending_arrive
/// or _abandon after success.
TrnResult trn_pending_prepare(TrnStore *store, TrnCoord coord, TrnVoxels *voxels, uint64_t revision,
                              TrnArrival *arrival);
/// The chunk is there: hands the notes to their histories, and forgets what waited. Cannot fail.
void trn_pending_arrive(TrnArrival *arrival);
/// The chunk could not be inserted: what waits goes on waiting.
void trn_pending_abandon(TrnArrival *arrival);

/// How many runs wait for a coordinate.
uint32_t trn_pending_runs(const TrnStore *store, TrnCoord coord);

typedef struct TrnPendingStats {
    uint32_t chunks;
    uint64_t runs, applied;
} TrnPendingStats;
TrnPendingStats trn_pending_stats(const TrnStore *store);

// ---- batches (batch.c) -------------------------------------------------------------------------

/// Errors: NO_MEMORY.
TrnResult trn_batches_create(TrnStore *store);
void trn_batches_destroy(TrnStore *store);

#endif

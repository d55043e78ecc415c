/// Private: what a store is made of, and how the files of this folder work together.
///
/// From the bottom up: store_accounts (memory and caps), store_changes (chunks by their last
/// change, and chunks that left), store_uses (chunks by their last use), store_headers (chunk
/// headers), store_events (listeners); then insert, remove, read and write; evict; and store.c,
/// which creates and destroys all of it, frees spare memory, and answers questions about the store
/// as a whole.
#ifndef TERRANE_STORE_STORE_IMPL_H
#define TERRANE_STORE_STORE_IMPL_H

#include "base/around.h"
#include "base/retire.h"
#include "index/chunk_index_internal.h"
#include "pool/pool_internal.h"
#include "store/store_internal.h"

/// Who allocates: the categories of TrnStoreStats.
typedef enum TrnStorePart {
    TRN_STORE_TYPES,
    TRN_STORE_INDEX,
    TRN_STORE_HEADERS,
    TRN_STORE_VOXELS,
    TRN_STORE_BOOKKEEPING,
    TRN_STORE_ATTACHED,
    TRN_STORE_PART_COUNT
} TrnStorePart;

/// The memory that one part has allocated.
typedef struct TrnStoreAccount {
    TrnStore *store;
    size_t bytes;
} TrnStoreAccount;

typedef struct TrnStoreChanges TrnStoreChanges; // store_changes.c
typedef struct TrnStoreEvents TrnStoreEvents;   // store_events.c
typedef struct TrnStoreLog TrnStoreLog;         // store_changes.c
typedef struct TrnStoreUses TrnStoreUses;       // store_uses.c

struct TrnStore {
    // What readers read.
    TrnChunkIndex *index; ///< its values are slots of `headers`
    TrnPool *headers;     ///< of TrnStoreChunk and user bytes
    TrnVoxelHeap *heap;
    TrnBlockTypes *types;
    size_t user_bytes;
    uint64_t hash_key;    ///< never 0
    TrnStoreWatch *watch; ///< the first; the writer's, but seldom set, and there is space here
    bool owns_types;

    // The writer's own, on cache lines of its own, but for the revision.
    /// Atomic: of the last change that is published in full.
    _Alignas(TRN_CACHE_LINE) uint64_t revision;
    uint32_t touches;     ///< calls of trn_store_touch
    uint32_t chunks;      ///< loaded
    TrnRetireOwner owner; ///< frees the headers of removed chunks
    uint32_t retired_chunks;
    TrnStoreRefusal refusal;
    size_t bytes, bytes_peak, bytes_max;
    TrnStoreAccount accounts[TRN_STORE_PART_COUNT];
    /// Frees spare memory when `part` would exceed bytes_max.
    void (*free_spare)(TrnStore *store, TrnStorePart part);
    TrnAllocator allocator; ///< the caller's

    TrnStoreChanges *changes;
    TrnStoreUses *uses;
    TrnStoreEvents *events;
    TrnStoreLog *log;
    TrnStoreHooks hooks;   ///< all NULL where nothing is attached
    TrnStoreSource source; ///< of omitted chunks; all NULL: there are none
    /// Or NULL: see trn_store_set_light_reach.
    uint32_t (*light_reach)(TrnSnapshot before, TrnSnapshot after, const TrnBlockTypes *types);
    uint64_t inserted, removed, evicted, refused;
};

/// The most chunks of a batch that are inserted or removed as one change, with one event. Their
/// cache lines are prefetched together.
#define TRN_STORE_RUN 32u

/// trn_store_next_revision(), inline.
static inline uint64_t trn_store_revision_after(const TrnStore *store)
{
    return store->revision + 1;
}

/// How many runs of edits attached code has pending for a chunk.
static inline uint32_t trn_store_pending_runs(const TrnStore *store, TrnCoord coord)
{
    return store->hooks.pending_runs ? store->hooks.pending_runs(store->hooks.user, coord) : 0;
}

// ---- chunk headers -----------------------------------------------------------------------------

/// The store's notes on a loaded chunk.
typedef struct TrnChunkMarks {
    uint32_t change;  ///< place in the list of changes
    uint32_t lock;    ///< key of the lock; 0 for none
    uint32_t use;     ///< place in the order of uses
    uint32_t touched; ///< TrnStore.touches when trn_store_touch last named it
    uint32_t pins;    ///< trn_store_pin minus trn_store_unpin
    uint32_t applied; ///< pending runs that it took up when it was inserted
    bool is_passed;   ///< an eviction in the caller's order could not evict it
} TrnChunkMarks;

/// The store's notes on a removed chunk, until its listeners have been called.
typedef struct TrnChunkRemoval {
    TrnChunk *next;    ///< removed after it
    uint64_t event;    ///< its serial times two, plus one where it was evicted
    uint64_t revision; ///< of the store when it was removed
} TrnChunkRemoval;

/// A chunk's header in the pool: the public part first.
typedef struct TrnStoreChunk {
    TrnChunk chunk;
    union {
        TrnChunkMarks marks;     ///< while it is loaded
        TrnChunkRemoval removal; ///< once it is removed
        TrnRetireLink link;      ///< once it only waits for readers
    } own;
} TrnStoreChunk;

_Static_assert(sizeof(TrnStoreChunk) <= TRN_CHUNK_HEADER_BYTES, "user bytes follow the header");

static inline TrnChunkMarks *trn_chunk_marks(TrnChunk *chunk)
{
    return &((TrnStoreChunk *)(void *)chunk)->own.marks;
}

static inline const TrnChunkMarks *trn_chunk_marks_of(const TrnChunk *chunk)
{
    return &((const TrnStoreChunk *)(const void *)chunk)->own.marks;
}

/// trn_store_is_busy, inline.
static inline bool trn_chunk_is_busy(const TrnChunk *chunk)
{
    const TrnChunkMarks *marks = trn_chunk_marks_of(chunk);
    return marks->pins > 0 || marks->lock != 0;
}

/// Creates a chunk of one block under the next revision, which no reader can find yet. If the pool
/// is full, reclaims retired headers first.
/// Errors: NO_MEMORY, FULL, READERS.
TrnResult trn_header_create(TrnStore *store, TrnCoord coord, TrnBlock block, TrnChunk **chunk);

/// Frees a chunk that no reader has found, and its voxels.
void trn_header_discard(TrnStore *store, TrnChunk *chunk);

/// Makes the id of a removed chunk stale. Its header stays until trn_header_retire().
void trn_header_remove(TrnStore *store, TrnChunk *chunk);

/// Adds a removed chunk and its voxels to what the caller retires with the index: both are freed
/// once no reader sees them.
void trn_header_retire(TrnStore *store, TrnChunk *chunk, TrnRetireList *list);

/// TrnRetireOwner.free for headers. @param context  the store
void trn_header_reclaim(TrnRetireLink *link, void *context);

/// The chunk in a header slot that is taken.
static inline TrnChunk *trn_header_chunk(const TrnStore *store, uint32_t slot)
{
    return trn_pool_slot(store->headers, slot);
}

/// Bytes of a chunk: header with user bytes, payload, and block data.
size_t trn_header_bytes(const TrnStore *store, const TrnChunk *chunk);

// ---- memory (store_accounts.c) -----------------------------------------------------------------

/// Opens the accounts of a store that holds nothing yet but itself. If even that exceeds bytes_max,
/// the first allocation of a part is refused.
void trn_store_open_accounts(TrnStore *store, const TrnStoreDef *def);

/// The allocator of a part: counts, and enforces bytes_max. Where an allocation would exceed
/// bytes_max, it frees spare memory before it refuses. Valid as long as the store.
TrnAllocator trn_store_allocator(TrnStore *store, TrnStorePart part);

/// Has memory that a part commits in an address range counted and capped as its allocations are.
/// Valid as long as the store.
TrnPoolCommits trn_store_commits(TrnStore *store, TrnStorePart part);

/// Bytes of headers and voxels that come back without the caller's doing: they wait for readers, or
/// for listeners to be called.
size_t trn_store_returning_bytes(const TrnStore *store);

/// As TrnStoreStats.used_bytes.
size_t trn_store_used_bytes(const TrnStore *store);

/// Whether an operation that failed is worth another try: bytes_max refused its memory, and all
/// spare memory is free now, also what the operation was using. Clears the refusal.
bool trn_store_make_room(TrnStore *store, TrnResult result);

// ---- removing (store_remove.c) -----------------------------------------------------------------

/// Removes a loaded chunk without asking the watches. Errors: as trn_store_remove.
TrnResult trn_store_remove_chunk(TrnStore *store, TrnChunk *chunk, bool is_eviction);

// ---- chunks by their last change (store_changes.c) ---------------------------------------------

/// Errors: NO_MEMORY.
TrnResult trn_changes_create(TrnStore *store);
void trn_changes_destroy(TrnStore *store);

/// Reserves capacity for one more chunk, so that no change can fail. Errors: NO_MEMORY.
TrnResult trn_changes_reserve(TrnStore *store);

/// Adds a chunk, as the last that changed.
void trn_changes_add(TrnStore *store, TrnChunk *chunk, uint64_t revision);

/// Makes a chunk the last that changed.
void trn_changes_move(TrnStore *store, TrnChunk *chunk, uint64_t revision);

/// Prefetches what trn_changes_remove() touches.
void trn_changes_prefetch(const TrnStore *store, const TrnChunk *chunk);

/// Removes a chunk.
void trn_changes_remove(TrnStore *store, const TrnChunk *chunk);

/// Frees places that no chunk needs. Cost: O(bytes freed).
void trn_changes_trim(TrnStore *store);

/// Some of the chunks, least recently changed first, with gaps of NULL. Valid until a chunk is
/// inserted, changed or removed.
/// @param place   where to go on: 0 at first; receives the first chunk's place
/// @param chunks  receives [return value] chunks
/// @return the number of places, gaps included; 0: there are no more
size_t trn_changes_run(const TrnStore *store, size_t *place, TrnChunk *const **chunks);

// ---- events (store_events.c) -------------------------------------------------------------------

/// Errors: NO_MEMORY.
TrnResult trn_events_create(TrnStore *store);
void trn_events_destroy(TrnStore *store);

/// Adds a new chunk, for which trn_changes_reserve() was called, to the change that is being made.
void trn_store_add_inserted(TrnStore *store, TrnChunk *chunk, uint64_t revision);

/// Adds a removal to the change that is being made; cannot fail. Nothing but removals of the same
/// kind may be part of it, and trn_store_end_change(store, store->revision) ends it.
/// @return whether a listener will be called, and the chunk retired after that; otherwise the
/// caller retires it
bool trn_events_add_removed(TrnStore *store, TrnChunk *chunk, bool is_eviction);

/// Frees spare memory of the queues.
void trn_events_trim(TrnStore *store);

typedef struct TrnEventsStats {
    uint32_t listeners;
    uint64_t calls, missed;
    /// Removed, and kept until their listeners have been called.
    uint32_t undelivered_chunks, undelivered_payloads;
    size_t undelivered_bytes;
} TrnEventsStats;
TrnEventsStats trn_events_stats(const TrnStore *store);

// ---- chunks that left (store_changes.c) --------------------------------------------------------

/// How a chunk came to be not loaded.
typedef struct TrnLogEntry {
    TrnCoord coord;
    uint16_t state;    ///< TrnChunkState
    uint16_t refusal;  ///< TrnResult
    uint64_t revision; ///< of the store at that time
} TrnLogEntry;

/// Errors: NO_MEMORY.
TrnResult trn_log_create(TrnStore *store);
void trn_log_destroy(TrnStore *store);

/// Logs why a chunk is not loaded. @param refusal  of an insert; otherwise OK
void trn_log_add(TrnStore *store, TrnCoord coord, TrnChunkState state, TrnResult refusal);

/// The last entry of a coordinate, or NULL. Cost: O(entries).
const TrnLogEntry *trn_log_find(const TrnStore *store, TrnCoord coord);

#endif

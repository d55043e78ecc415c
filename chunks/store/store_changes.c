// All chunks in the order of their last changes.
//
// Each chunk has one place. A change moves its chunk to the end and leaves a gap. When a third of
// the places are gaps, compaction starts; each later change compacts a few places, since moving
// 50,000 chunks at once took 0.4 ms. The array has capacity for a quarter more than the chunks, so
// that a change never allocates, and costs some ns on average. If compaction falls behind and the
// end is reached, the rest is compacted at once.
//
// Chunks and revisions are two arrays, not one of pairs, since trn_store_changed_since() copies a
// run of pointers at memory speed. Pool slots instead of pointers would halve the memory, but took
// 50 us for 34,025 chunks without a reserved range.

#include "store/store_impl.h"

#include <stdalign.h>
#include <string.h>

#define CHANGES_PLACES_MIN 64u
#define CHANGES_COMPACT 8u ///< places that each change compacts
#define CHANGES_AHEAD 16u  ///< how many places ahead compaction prefetches headers
/// A removal shrinks an array that is this many times as long as needed.
#define CHANGES_SLACK 4u

struct TrnStoreChanges {
    TrnAllocator allocator;
    TrnChunk **chunks;   ///< [capacity] NULL for a gap
    uint64_t *revisions; ///< [capacity] after the chunks in memory; ascending, gaps included
    uint32_t first;      ///< all places before it are gaps
    uint32_t count;      ///< places in use
    uint32_t live;       ///< chunks
    uint32_t capacity;
    // During compaction: chunks from before `from` lie before `to`, without gaps. The places
    // between hold no chunks, and their revisions are not ascending.
    bool is_compacting;
    uint32_t to, from;
};

uint64_t trn_store_next_revision(const TrnStore *store)
{
    return store->revision + 1;
}

static size_t changes_bytes(uint32_t capacity)
{
    return capacity * (sizeof(TrnChunk *) + sizeof(uint64_t));
}

/// Compacts all chunks into arrays, which may be the list's own.
static void changes_compact_all(TrnStoreChanges *changes, TrnChunk **chunks, uint64_t *revisions)
{
    uint32_t count = 0;
    for (uint32_t i = changes->first; i < changes->count; i++) {
        TrnChunk *chunk = changes->chunks[i];
        if (chunk) {
            trn_chunk_marks(chunk)->change = count;
            chunks[count] = chunk;
            revisions[count++] = changes->revisions[i];
        }
    }
    changes->first = 0;
    changes->count = count;
    changes->is_compacting = false;
}

/// Compacts some more places. Chunks may have been removed on either side of the gap.
static void changes_compact_some(TrnStoreChanges *changes)
{
    const uint32_t first = changes->first;
    changes->to = changes->to > first ? changes->to : first;
    changes->from = changes->from > first ? changes->from : first;
    for (uint32_t i = 0; i < CHANGES_COMPACT && changes->from < changes->count; i++) {
        const uint32_t from = changes->from++;
        if (from + CHANGES_AHEAD < changes->count) {
            __builtin_prefetch(changes->chunks[from + CHANGES_AHEAD], 1);
        }
        TrnChunk *chunk = changes->chunks[from];
        if (chunk) {
            changes->chunks[from] = NULL;
            trn_chunk_marks(chunk)->change = changes->to;
            changes->chunks[changes->to] = chunk;
            changes->revisions[changes->to++] = changes->revisions[from];
        }
    }
    if (changes->from == changes->count) {
        changes->count = changes->to;
        changes->is_compacting = false;
    }
}

static void changes_start_compaction(TrnStoreChanges *changes)
{
    changes->is_compacting = true;
    changes->from = changes->first;
    changes->to = changes->first = 0;
}

/// The capacity for a number of chunks.
static uint64_t changes_capacity_for(uint64_t chunks)
{
    const uint64_t wanted = chunks * 2;
    return wanted < CHANGES_PLACES_MIN ? CHANGES_PLACES_MIN : wanted;
}

static TrnResult changes_resize(TrnStoreChanges *changes, uint64_t capacity)
{
    if (capacity > UINT32_MAX) {
        return TRN_RESULT_NO_MEMORY;
    }
    const size_t bytes = changes_bytes((uint32_t)capacity);
    TrnChunk **chunks = trn_take(&changes->allocator, bytes, TRN_CACHE_LINE);
    if (!chunks) {
        return TRN_RESULT_NO_MEMORY;
    }
    uint64_t *revisions = (uint64_t *)(void *)(chunks + capacity);
    changes_compact_all(changes, chunks, revisions);
    trn_give(&changes->allocator, changes->chunks, changes_bytes(changes->capacity));
    changes->chunks = chunks;
    changes->revisions = revisions;
    changes->capacity = (uint32_t)capacity;
    return TRN_RESULT_OK;
}

TrnResult trn_changes_create(TrnStore *store)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_BOOKKEEPING);
    TrnStoreChanges *made = trn_take(&allocator, sizeof *made, alignof(TrnStoreChanges));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnStoreChanges){.allocator = allocator};
    store->changes = made;
    return changes_resize(made, CHANGES_PLACES_MIN);
}

void trn_changes_destroy(TrnStore *store)
{
    TrnStoreChanges *changes = store->changes;
    if (changes) {
        const TrnAllocator allocator = changes->allocator;
        trn_give(&allocator, changes->chunks, changes_bytes(changes->capacity));
        trn_give(&allocator, changes, sizeof *changes);
    }
}

TrnResult trn_changes_reserve(TrnStore *store)
{
    TrnStoreChanges *changes = store->changes;
    const uint64_t chunks = (uint64_t)changes->live + 1;
    return chunks + chunks / 4 < changes->capacity
               ? TRN_RESULT_OK
               : changes_resize(changes, changes_capacity_for(chunks));
}

/// How many places may be in use before compaction starts. Collecting all chunks reads the gaps
/// too: with half of all places gaps it took 17 us for 34,025 chunks, with a third it takes 12.
static uint32_t changes_places_max(const TrnStoreChanges *changes)
{
    const uint64_t places = (uint64_t)changes->live + changes->live / 2 + CHANGES_PLACES_MIN;
    const uint32_t most =
        changes->capacity - changes->capacity / CHANGES_COMPACT; // for changes during it
    return places < most ? (uint32_t)places : most;
}

static void changes_append(TrnStoreChanges *changes, TrnChunk *chunk, uint64_t revision)
{
    if (!changes->is_compacting && changes->count >= changes_places_max(changes)) {
        changes_start_compaction(changes);
    }
    if (changes->is_compacting) {
        changes_compact_some(changes);
    }
    if (changes->count == changes->capacity) {
        changes_compact_all(changes, changes->chunks, changes->revisions);
    }
    trn_chunk_marks(chunk)->change = changes->count;
    changes->chunks[changes->count] = chunk;
    changes->revisions[changes->count++] = revision;
}

static void changes_leave_gap(TrnStoreChanges *changes, uint32_t place)
{
    changes->chunks[place] = NULL;
    while (changes->first < changes->count && !changes->chunks[changes->first]) {
        changes->first++;
    }
}

void trn_changes_add(TrnStore *store, TrnChunk *chunk, uint64_t revision)
{
    store->changes->live++;
    changes_append(store->changes, chunk, revision);
}

void trn_changes_move(TrnStore *store, TrnChunk *chunk, uint64_t revision)
{
    TrnStoreChanges *changes = store->changes;
    const uint32_t place = trn_chunk_marks_of(chunk)->change;
    if (place + 1 == changes->count) { // it is the last one already
        changes->revisions[place] = revision;
        return;
    }
    changes_leave_gap(changes, place);
    changes_append(changes, chunk, revision);
}

void trn_changes_prefetch(const TrnStore *store, const TrnChunk *chunk)
{
    __builtin_prefetch(&store->changes->chunks[trn_chunk_marks_of(chunk)->change], 1);
}

void trn_changes_remove(TrnStore *store, const TrnChunk *chunk)
{
    TrnStoreChanges *changes = store->changes;
    changes_leave_gap(changes, trn_chunk_marks_of(chunk)->change);
    changes->live--;
    // Not after every removal: if memory lacks, that would be a failed allocation each time.
    if (changes->live % CHANGES_PLACES_MIN == 0 &&
        changes->capacity > CHANGES_SLACK * changes_capacity_for(changes->live)) {
        trn_changes_trim(store);
    }
}

void trn_changes_trim(TrnStore *store)
{
    TrnStoreChanges *changes = store->changes;
    const uint64_t capacity = changes_capacity_for((uint64_t)changes->live + 1);
    if (changes->capacity > capacity + capacity / 2) { // not for every removed chunk
        (void)changes_resize(changes, capacity);       // on failure it stays as it is
    }
}

size_t trn_changes_all(const TrnStore *store, TrnChunk *const **chunks)
{
    const TrnStoreChanges *changes = store->changes;
    *chunks = changes->chunks + changes->first;
    return changes->count - changes->first;
}

// ---- collect -----------------------------------------------------------------------------------

/// The first place with a greater revision, or a gap before that.
static uint32_t changes_place_after(const TrnStoreChanges *changes, uint64_t revision)
{
    uint32_t low = changes->first, high = changes->count;
    if (changes->is_compacting && changes->to > low) { // search one side of the gap
        const bool is_before = changes->revisions[changes->to - 1] > revision;
        low = is_before ? low : changes->from;
        high = is_before ? changes->to : high;
    }
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (changes->revisions[middle] > revision) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

static size_t changes_count_chunks(TrnChunk *const *from, size_t places)
{
    size_t count = 0;
    for (size_t i = 0; i < places; i++) {
        count += from[i] != NULL;
    }
    return count;
}

/// Copies pointers that are not NULL, without a branch.
/// @param out  [capacity]
/// @return how many there are; only the first `capacity` are written
static size_t changes_copy(TrnChunk *const *from, size_t places, TrnChunk **out, size_t capacity)
{
    size_t count = 0, at = 0;
    while (at < places && count < capacity) {
        const size_t room = capacity - count, left = places - at;
        const size_t end = at + (left < room ? left : room); // all of these have capacity
        for (; at < end; at++) {
            out[count] = from[at];
            count += from[at] != NULL;
        }
    }
    return count + changes_count_chunks(from + at, places - at);
}

size_t trn_store_changed_since(const TrnStore *store, uint64_t revision, TrnChunk **out,
                               size_t capacity)
{
    const TrnStoreChanges *changes = store->changes;
    const uint32_t first = changes_place_after(changes, revision);
    const size_t places = changes->count - first;
    if (places == 0) {
        return 0;
    }
    if (changes->live != changes->count - changes->first) {
        return changes_copy(changes->chunks + first, places, out, capacity);
    }
    const size_t copied = places < capacity ? places : capacity;
    if (copied) {
        memcpy(out, changes->chunks + first, copied * sizeof(TrnChunk *));
    }
    return places;
}

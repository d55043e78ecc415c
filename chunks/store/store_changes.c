// The list of changes: every chunk once, in the order of the last changes. A change moves its chunk
// to the end and leaves a gap. Where every third place is a gap they are closed, some places with
// each change: each chunk that moves up is told so in its header, and 50,000 of them at once took
// 0.4 ms. The array always has room for a quarter more than the chunks, so that a change takes no
// memory ever, and costs some ns on the average; where its end is reached all the same, the gaps
// that are left are closed at once.
//
// Two arrays rather than one of pairs: what is asked for is a run of pointers, copied at the speed
// of memory. Pool slots in place of the pointers, turned into addresses by each call, halve the
// memory, but took 50 us for 34,025 chunks without a reserve.

#include "store_impl.h"

#include <stdalign.h>
#include <string.h>

#define CHANGES_PLACES_LEAST 64u
#define CHANGES_CLOSE 8u  // places that a change looks at while gaps are being closed
#define CHANGES_AHEAD 16u // places ahead whose chunk's header is asked for
/// A list so many times as long as it would be made is cut down.
#define CHANGES_SLACK 4u

struct TrnStoreChanges {
    TrnAllocator allocator;
    TrnChunk **chunks;   ///< [capacity] NULL where a chunk has changed again, or gone
    uint64_t *revisions; ///< [capacity] behind the chunks; of gaps too, ascending
    uint32_t first;      ///< all places before it are gaps
    uint32_t count;      ///< places in use
    uint32_t live;       ///< chunks
    uint32_t capacity;
    // While gaps are being closed, from the front: what lay before `from` lies before `to`, without
    // gaps, and between the two there is nothing, nor do revisions ascend.
    bool is_closing;
    uint32_t to, from;
};

static size_t changes_bytes(uint32_t capacity)
{
    return capacity * (sizeof(TrnChunk *) + sizeof(uint64_t));
}

/// Closes all gaps, into arrays that may be the list's own.
static void changes_pack(TrnStoreChanges *changes, TrnChunk **chunks, uint64_t *revisions)
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
    changes->is_closing = false;
}

/// Closes some gaps more, where that is under way. Chunks may have gone from either side meanwhile.
static void changes_close_some(TrnStoreChanges *changes)
{
    const uint32_t first = changes->first;
    changes->to = changes->to > first ? changes->to : first;
    changes->from = changes->from > first ? changes->from : first;
    for (uint32_t i = 0; i < CHANGES_CLOSE && changes->from < changes->count; i++) {
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
        changes->is_closing = false;
    }
}

/// Begins to close gaps, the one before the first chunk too.
static void changes_close(TrnStoreChanges *changes)
{
    changes->is_closing = true;
    changes->from = changes->first;
    changes->to = changes->first = 0;
}

/// How many places so many chunks get.
static uint64_t changes_capacity_for(uint64_t chunks)
{
    const uint64_t wanted = chunks * 2;
    return wanted < CHANGES_PLACES_LEAST ? CHANGES_PLACES_LEAST : wanted;
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
    changes_pack(changes, chunks, revisions);
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
    return changes_resize(made, CHANGES_PLACES_LEAST);
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

/// How many places may be in use before gaps are closed. Fewer gaps, since who asks for all chunks
/// reads over them: half of all places gaps took 17 us for 34,025 chunks, a third takes 12.
static uint32_t changes_places_max(const TrnStoreChanges *changes)
{
    const uint64_t places = (uint64_t)changes->live + changes->live / 2 + CHANGES_PLACES_LEAST;
    const uint32_t most = changes->capacity - changes->capacity / CHANGES_CLOSE; // while they are
    return places < most ? (uint32_t)places : most;
}

static void changes_append(TrnStoreChanges *changes, TrnChunk *chunk, uint64_t revision)
{
    if (!changes->is_closing && changes->count >= changes_places_max(changes)) {
        changes_close(changes);
    }
    if (changes->is_closing) {
        changes_close_some(changes);
    }
    if (changes->count == changes->capacity) {
        changes_pack(changes, changes->chunks, changes->revisions);
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
    if (place + 1 == changes->count) { // changed again before any other
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
    // Now and then alone: where there is no memory for it, not every removal is to try again.
    if (changes->live % CHANGES_PLACES_LEAST == 0 &&
        changes->capacity > CHANGES_SLACK * changes_capacity_for(changes->live)) {
        trn_changes_trim(store);
    }
}

void trn_changes_trim(TrnStore *store)
{
    TrnStoreChanges *changes = store->changes;
    const uint64_t capacity = changes_capacity_for((uint64_t)changes->live + 1);
    if (changes->capacity > capacity + capacity / 2) { // not for every chunk that goes
        (void)changes_resize(changes, capacity); // where there is no memory, it stays as it is
    }
}

size_t trn_changes_all(const TrnStore *store, TrnChunk *const **chunks)
{
    const TrnStoreChanges *changes = store->changes;
    *chunks = changes->chunks + changes->first;
    return changes->count - changes->first;
}

// ---- asking ------------------------------------------------------------------------------------

/// The first place with a greater revision, or a gap before it.
static uint32_t changes_place_after(const TrnStoreChanges *changes, uint64_t revision)
{
    uint32_t low = changes->first, high = changes->count;
    if (changes->is_closing && changes->to > low) { // on either side of what lies between
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

/// Copies what is not NULL, without a branch on it.
/// @param out  [capacity]. @return how many there are; only the first `capacity` are written
static size_t changes_copy(TrnChunk *const *from, size_t places, TrnChunk **out, size_t capacity)
{
    size_t count = 0, at = 0;
    while (at < places && count < capacity) {
        const size_t room = capacity - count, left = places - at;
        const size_t end = at + (left < room ? left : room); // all of these fit
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

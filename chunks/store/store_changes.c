// All chunks in the order of their last changes.
//
// Each chunk has one place. A change moves its chunk to the end and leaves a gap. When a third of
// the places are gaps, compaction starts; each later change compacts a few places, since moving
// 50,000 chunks at once took 0.4 ms. The list has capacity for three quarters more than the chunks,
// so that a change never allocates, costs some ns on average, and compaction ends before the places
// do. Places are in blocks, of which an insert adds at most one: growth copies no place.
//
// Chunks and revisions are two arrays, not one of pairs, since trn_store_changed_since() copies a
// run of pointers at memory speed. Pool slots instead of pointers would halve the memory, but took
// 50 us for 34,025 chunks without a reserved range.

#include "store/store_impl.h"

#include <stdalign.h>
#include <string.h>

#include "base/array.h"

#define CHANGES_BLOCK 1024u
#define CHANGES_PLACES_MIN 64u
#define CHANGES_COMPACT 8u ///< places that each change compacts
#define CHANGES_AHEAD 16u  ///< how many places ahead compaction prefetches headers
/// Removals compact a list with this many places for each chunk. Fewer would move chunks that the
/// next removals remove.
#define CHANGES_SLACK 4u
#define CHANGES_GAPS 64u ///< of the first places, how many a call looks for

typedef struct ChangesBlock {
    TrnChunk *chunks[CHANGES_BLOCK];   ///< NULL for a gap
    uint64_t revisions[CHANGES_BLOCK]; ///< ascending, gaps included
    uint32_t live;                     ///< of `chunks`, how many are no gaps
} ChangesBlock;

TRN_ARRAY_DECLARE(ChangesBlocks, ChangesBlock *);

struct TrnStoreChanges {
    TrnAllocator allocator;
    ChangesBlocks blocks;
    uint32_t first; ///< all places before it are gaps
    uint32_t count; ///< places in use
    uint32_t live;  ///< chunks
    // During compaction: chunks from before `from` lie before `to`, without gaps. The places
    // between hold no chunks, and their revisions are not ascending.
    bool is_compacting;
    uint32_t to, from;
};

uint64_t trn_store_next_revision(const TrnStore *store)
{
    return trn_store_revision_after(store);
}

static inline TrnChunk **changes_chunk(const TrnStoreChanges *changes, uint32_t place)
{
    return &changes->blocks.items[place / CHANGES_BLOCK]->chunks[place % CHANGES_BLOCK];
}

static inline uint64_t *changes_revision(const TrnStoreChanges *changes, uint32_t place)
{
    return &changes->blocks.items[place / CHANGES_BLOCK]->revisions[place % CHANGES_BLOCK];
}

static inline uint32_t changes_capacity(const TrnStoreChanges *changes)
{
    return changes->blocks.count * CHANGES_BLOCK;
}

static void changes_put(TrnStoreChanges *changes, uint32_t place, TrnChunk *chunk,
                        uint64_t revision)
{
    ChangesBlock *block = changes->blocks.items[place / CHANGES_BLOCK];
    trn_chunk_marks(chunk)->change = place;
    block->chunks[place % CHANGES_BLOCK] = chunk;
    block->revisions[place % CHANGES_BLOCK] = revision;
    block->live++;
}

static void changes_clear(TrnStoreChanges *changes, uint32_t place)
{
    ChangesBlock *block = changes->blocks.items[place / CHANGES_BLOCK];
    block->chunks[place % CHANGES_BLOCK] = NULL;
    block->live--;
}

// ---- capacity ----------------------------------------------------------------------------------

/// The least capacity for a number of chunks: compaction then ends before the places do.
static uint64_t changes_capacity_for(uint64_t chunks)
{
    return chunks + chunks / 4 * 3 + CHANGES_PLACES_MIN;
}

static TrnResult changes_grow(TrnStoreChanges *changes)
{
    const uint32_t wanted = changes->blocks.count + 1;
    TrnResult result = wanted <= UINT32_MAX / CHANGES_BLOCK ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
    if (result == TRN_RESULT_OK) {
        // NOLINTNEXTLINE(bugprone-sizeof-expression): pointers
        result = trn_array_reserve(&changes->blocks, &changes->allocator, (size_t)wanted);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    ChangesBlock *block = trn_take(&changes->allocator, sizeof *block, TRN_CACHE_LINE);
    if (!block) {
        return TRN_RESULT_NO_MEMORY;
    }
    block->live = 0;
    changes->blocks.items[changes->blocks.count++] = block;
    return TRN_RESULT_OK;
}

/// Frees blocks that neither the chunks nor the changes until the next compaction need, but one.
/// @param most  how many at most
static void changes_shrink(TrnStoreChanges *changes, uint32_t most)
{
    const uint64_t chunks = changes_capacity_for((uint64_t)changes->live + 1);
    const uint64_t places = (uint64_t)changes->count + changes->count / (CHANGES_COMPACT - 1) + 1;
    const uint64_t needed = (chunks > places ? chunks : places) + CHANGES_BLOCK;
    for (;
         most > 0 && !changes->is_compacting && changes_capacity(changes) >= needed + CHANGES_BLOCK;
         most--) {
        trn_give(&changes->allocator, changes->blocks.items[--changes->blocks.count],
                 sizeof(ChangesBlock));
    }
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
    return changes_grow(made);
}

void trn_changes_destroy(TrnStore *store)
{
    TrnStoreChanges *changes = store->changes;
    if (!changes) {
        return;
    }
    const TrnAllocator allocator = changes->allocator;
    for (uint32_t i = 0; i < changes->blocks.count; i++) {
        trn_give(&allocator, changes->blocks.items[i], sizeof(ChangesBlock));
    }
    trn_array_free(&changes->blocks, &allocator); // NOLINT(bugprone-sizeof-expression): pointers
    trn_give(&allocator, changes, sizeof *changes);
}

TrnResult trn_changes_reserve(TrnStore *store)
{
    TrnStoreChanges *changes = store->changes;
    const bool has_capacity =
        changes_capacity_for((uint64_t)changes->live + 1) <= changes_capacity(changes);
    return has_capacity ? TRN_RESULT_OK : changes_grow(changes); // by more than a chunk needs
}

void trn_changes_trim(TrnStore *store)
{
    changes_shrink(store->changes, UINT32_MAX);
}

// ---- compaction --------------------------------------------------------------------------------

/// Compacts some more places. Chunks may have been removed on either side of the gap.
static void changes_compact_some(TrnStoreChanges *changes)
{
    for (uint32_t i = 0; i < CHANGES_COMPACT && changes->from < changes->count; i++) {
        const uint32_t from = changes->from++;
        if (from + CHANGES_AHEAD < changes->count) {
            __builtin_prefetch(*changes_chunk(changes, from + CHANGES_AHEAD), 1);
        }
        TrnChunk *chunk = *changes_chunk(changes, from);
        if (chunk) {
            const uint64_t revision = *changes_revision(changes, from);
            changes_clear(changes, from);
            changes_put(changes, changes->to++, chunk, revision);
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

/// How many places may be in use before compaction starts. Collecting all chunks reads the gaps
/// too: with half of all places gaps it took 17 us for 34,025 chunks, with a third it takes 12.
static uint32_t changes_places_max(const TrnStoreChanges *changes)
{
    const uint64_t places = (uint64_t)changes->live + changes->live / 2 + CHANGES_PLACES_MIN;
    const uint32_t capacity = changes_capacity(changes);
    const uint32_t most = capacity - capacity / CHANGES_COMPACT; // for changes during it
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
    TRN_ASSERT(changes->count < changes_capacity(changes));
    changes_put(changes, changes->count++, chunk, revision);
}

static void changes_leave_gap(TrnStoreChanges *changes, uint32_t place)
{
    changes_clear(changes, place);
    const uint32_t end = changes->is_compacting ? changes->to : changes->count;
    for (uint32_t i = 0;
         i < CHANGES_GAPS && changes->first < end && !*changes_chunk(changes, changes->first);
         i++) {
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
        *changes_revision(changes, place) = revision;
        return;
    }
    changes_leave_gap(changes, place);
    changes_append(changes, chunk, revision);
}

void trn_changes_prefetch(const TrnStore *store, const TrnChunk *chunk)
{
    const uint32_t place = trn_chunk_marks_of(chunk)->change;
    __builtin_prefetch(changes_chunk(store->changes, place), 1);
}

void trn_changes_remove(TrnStore *store, const TrnChunk *chunk)
{
    TrnStoreChanges *changes = store->changes;
    changes_leave_gap(changes, trn_chunk_marks_of(chunk)->change);
    changes->live--;
    if (changes->live == 0) {
        changes->first = changes->count = 0;
        changes->is_compacting = false;
    }
    const uint64_t places = (uint64_t)changes->live * CHANGES_SLACK + CHANGES_BLOCK;
    if (!changes->is_compacting && changes->count - changes->first > places) {
        changes_start_compaction(changes);
    }
    if (changes->is_compacting) {
        changes_compact_some(changes);
    }
    changes_shrink(changes, 2);
}

// ---- collect -----------------------------------------------------------------------------------

/// The first place with a greater revision, or a gap before that.
static uint32_t changes_place_after(const TrnStoreChanges *changes, uint64_t revision)
{
    uint32_t low = changes->first, high = changes->count;
    if (changes->is_compacting) { // search one side of the gap
        const bool is_before =
            changes->to > low && *changes_revision(changes, changes->to - 1) > revision;
        low = is_before ? low : changes->from;
        high = is_before ? changes->to : high;
    }
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (*changes_revision(changes, middle) > revision) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

size_t trn_changes_run(const TrnStore *store, size_t *place, TrnChunk *const **chunks)
{
    const TrnStoreChanges *changes = store->changes;
    const size_t from = *place > changes->first ? *place : changes->first;
    const size_t left = changes->count > from ? changes->count - from : 0;
    const size_t in_block = CHANGES_BLOCK - from % CHANGES_BLOCK;
    *place = from;
    *chunks = left ? changes_chunk(changes, (uint32_t)from) : NULL;
    return left < in_block ? left : in_block;
}

static size_t changes_count_chunks(TrnChunk *const *from, size_t places)
{
    size_t count = 0;
    for (size_t i = 0; i < places; i++) {
        count += from[i] != NULL;
    }
    return count;
}

/// Whether all places of a block that are in use have chunks. Counted for each block, since
/// the list as a whole mostly begins with gaps that `first` has not passed yet.
static bool changes_is_dense(const TrnStoreChanges *changes, size_t place)
{
    const size_t block = place / CHANGES_BLOCK, left = changes->count - block * CHANGES_BLOCK;
    return changes->blocks.items[block]->live == (left < CHANGES_BLOCK ? left : CHANGES_BLOCK);
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

/// The same of places without gaps.
static size_t changes_copy_all(TrnChunk *const *from, size_t places, TrnChunk **out,
                               size_t capacity)
{
    const size_t copied = places < capacity ? places : capacity;
    if (copied) {
        memcpy(out, from, copied * sizeof(TrnChunk *));
    }
    return places;
}

size_t trn_store_changed_since(const TrnStore *store, uint64_t revision, TrnChunk **out,
                               size_t capacity)
{
    const TrnStoreChanges *changes = store->changes;
    TrnChunk *const *chunks;
    size_t place = changes_place_after(changes, revision), count = 0, places;
    for (; (places = trn_changes_run(store, &place, &chunks)) > 0; place += places) {
        const size_t written = count < capacity ? count : capacity;
        TrnChunk **to = capacity ? out + written : NULL;
        count += (changes_is_dense(changes, place) ? changes_copy_all : changes_copy)(
            chunks, places, to, capacity - written);
    }
    return count;
}

// ---- chunks that left ---------------------------------------------------------------------------

#define LOG_ENTRIES 1024u

/// A ring buffer.
struct TrnStoreLog {
    TrnAllocator allocator;
    uint64_t count; ///< so far; entry i is at i % LOG_ENTRIES
    TrnLogEntry entries[LOG_ENTRIES];
};

TrnResult trn_log_create(TrnStore *store)
{
    const TrnAllocator allocator = trn_store_allocator(store, TRN_STORE_BOOKKEEPING);
    TrnStoreLog *made = trn_take(&allocator, sizeof *made, alignof(TrnStoreLog));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    made->allocator = allocator;
    made->count = 0;
    store->log = made;
    return TRN_RESULT_OK;
}

void trn_log_destroy(TrnStore *store)
{
    if (store->log) {
        const TrnAllocator allocator = store->log->allocator;
        trn_give(&allocator, store->log, sizeof *store->log);
    }
}

void trn_log_add(TrnStore *store, TrnCoord coord, TrnChunkState state, TrnResult refusal)
{
    TrnStoreLog *log = store->log;
    log->entries[log->count++ % LOG_ENTRIES] =
        (TrnLogEntry){coord, (uint16_t)state, (uint16_t)refusal, store->revision};
}

const TrnLogEntry *trn_log_find(const TrnStore *store, TrnCoord coord)
{
    const TrnStoreLog *log = store->log;
    const uint64_t known = log->count < LOG_ENTRIES ? log->count : LOG_ENTRIES;
    for (uint64_t back = 1; back <= known; back++) {
        const TrnLogEntry *entry = &log->entries[(log->count - back) % LOG_ENTRIES];
        if (trn_coord_equal(entry->coord, coord)) {
            return entry;
        }
    }
    return NULL;
}

// Finds many chunks, some at a time and all of these step by step: each step prefetches what the
// next one reads, so that cache misses overlap, and lists the chunks that need the next one without
// a branch, since the processor cannot predict it for look-ups of many chunks.

#include <terrane/chunk_index.h>

#include <stddef.h>

#include "chunk_index_impl.h"

/// How many chunks are looked up at a time.
#define FIND_BATCH 64

/// A step is a loop over some chunks of the batch, inlined into one function.
#define FIND_INLINE static inline __attribute__((always_inline))

/// Numbers of chunks of a batch, which are wide so that stores of them alias nothing else. One more
/// is written than counts.
typedef uint32_t FindList[FIND_BATCH + 1];

/// The look-ups of a batch.
typedef struct FindBatch {
    const TrnMap *map;
    const TrnCoord *coords; ///< [count]
    uint32_t count;
    uint32_t outside_count, sparse_count, full_count;
    FindList tagged;  ///< chunks whose page is not a full one of the directory
    FindList outside; ///< chunks to look up in the hash
    FindList sparse;  ///< chunks with a sparse page, which may be another chunk's
    FindList full;    ///< chunks with a full page of the hash, which may be another chunk's
    /// Not the caller's array: that may lie anywhere in memory, and the compiler would expect that
    /// it overlaps the lists.
    uint32_t values[FIND_BATCH];
    const TrnPage *pages[FIND_BATCH];
    uint64_t hashes[FIND_BATCH + 1];
    uintptr_t tables[FIND_BATCH + 1];             ///< the words of the hash's tables
    const _Atomic(uint64_t) *entries[FIND_BATCH]; ///< of sparse pages
} FindBatch;

// ---- the directory -----------------------------------------------------------------------------

/// Looks a chunk up in a full page. @param page  NULL or tagged: it has no chunk
FIND_INLINE uint32_t find_in_full(const TrnPage *page, TrnCoord coord)
{
    static const _Atomic(uint64_t) vacant[TRN_PAGE_WORDS];
    static const _Atomic(uint32_t) none = TRN_CHUNK_VALUE_NONE;
    const TrnFullPage *full = trn_page_full(page);
    const bool is_full = (page != NULL) & !trn_page_is_sparse(page);
    const _Atomic(uint64_t) *words = is_full ? full->planes[TRN_PLANE_PRESENT] : vacant;
    const uint64_t bits =
        atomic_load_explicit(&words[trn_page_word_of(coord)], memory_order_acquire);
    const bool is_present = bits >> trn_page_bit_of(coord) & 1;
    const _Atomic(uint32_t) *value = is_present ? &full->values[trn_page_cell_of(coord)] : &none;
    return atomic_load_explicit(value, memory_order_acquire);
}

/// Finds the pages that the directory has, and prefetches which chunks full ones have. Prefetching
/// their values too takes a fifth off cold hits, but adds a fifth to warm misses.
FIND_INLINE void find_directory_pages(FindBatch *batch)
{
    const TrnMap *map = batch->map;
    const TrnCoord *coords = batch->coords;
    const uint32_t count = batch->count;
    for (uint32_t i = 0; i < count; i++) {
        const TrnCoord coord = coords[i], at = trn_page_coord(coord);
        const TrnPage *page = trn_map_directory_page(map, at.x, at.y, at.z);
        const uintptr_t words = (uintptr_t)page + offsetof(TrnFullPage, planes); // or no address
        batch->pages[i] = page;
        __builtin_prefetch((const void *)words); // NOLINT(performance-no-int-to-ptr)
    }
}

/// Looks all chunks up in full pages of the directory, and lists those that may be elsewhere.
/// @return how many these are
FIND_INLINE uint32_t find_in_directory(FindBatch *batch)
{
    const TrnCoord *coords = batch->coords;
    const uint32_t count = batch->count;
    uint32_t tagged = 0;
    find_directory_pages(batch);
    for (uint32_t i = 0; i < count; i++) {
        const TrnPage *page = batch->pages[i];
        batch->tagged[tagged] = i;
        tagged += trn_page_is_sparse(page);
        batch->values[i] = find_in_full(page, coords[i]);
    }
    return tagged;
}

/// Divides the chunks that may be elsewhere. @param count  of them
FIND_INLINE void find_divide(FindBatch *batch, uint32_t count)
{
    uint32_t outside = 0, sparse = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = batch->tagged[i];
        const bool is_outside = batch->pages[number] == TRN_MAP_OUTSIDE;
        batch->outside[outside] = batch->sparse[sparse] = number;
        outside += is_outside;
        sparse += !is_outside;
    }
    batch->outside_count = outside;
    batch->sparse_count = sparse;
}

// ---- the hash ----------------------------------------------------------------------------------

/// Finds and prefetches the group of the hash that may have the page of a chunk.
FIND_INLINE void find_group(FindBatch *batch, const TrnMapTop *top, uint64_t key, uint32_t i,
                            TrnCoord at)
{
    const uint64_t hash = trn_coord_hash64(at, key);
    const uintptr_t table = trn_map_top_word(top, hash);
    const TrnMapGroups *groups = trn_map_word_groups(table);
    const uint32_t group = trn_map_word_group(table, hash);
    __builtin_prefetch(&groups->tags[group]);
    __builtin_prefetch(&groups->pages[group]);
    batch->hashes[i] = hash;
    batch->tables[i] = table;
}

FIND_INLINE void find_groups(FindBatch *batch, const TrnMapTop *top)
{
    const uint64_t key = batch->map->hash->key;
    for (uint32_t i = 0; i < batch->outside_count; i++) {
        find_group(batch, top, key, i, trn_page_coord(batch->coords[batch->outside[i]]));
    }
}

/// The same for a batch of which most chunks are outside the directory. Lists those that are not.
/// @return how many these are
FIND_INLINE uint32_t find_far_groups(FindBatch *batch, const TrnMapTop *top)
{
    const TrnMap map = *batch->map; // in registers
    const uint64_t key = batch->map->hash->key;
    uint32_t outside = 0, inside = 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        const TrnCoord at = trn_page_coord(batch->coords[i]);
        const uint32_t is_outside = (uint32_t)trn_map_outside(&map, at.x, at.y, at.z) & 1;
        find_group(batch, top, key, outside, at);
        batch->values[i] = TRN_CHUNK_VALUE_NONE;
        batch->outside[outside] = batch->tagged[inside] = i;
        outside += is_outside;
        inside += 1 - is_outside;
    }
    batch->outside_count = outside;
    batch->sparse_count = 0;
    return inside;
}

/// Looks the pages up in the hash.
FIND_INLINE void find_hash_pages(FindBatch *batch)
{
    const uint32_t count = batch->outside_count;
    uint32_t sparse = batch->sparse_count, full = 0;
    for (uint32_t i = 0; i < count; i++) {
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): set below the count
        const uint32_t number = batch->outside[i];
        const uint64_t hash = batch->hashes[i];
        const TrnMapGroups *groups = trn_map_word_groups(batch->tables[i]);
        const uint32_t group = trn_map_word_group(batch->tables[i], hash);
        const uint64_t tags = atomic_load_explicit(&groups->tags[group], memory_order_acquire);
        const uint64_t match = trn_map_group_match(tags, trn_map_group_tag(hash));
        const uint32_t slot = trn_map_group_slot(match | TRN_MAP_GROUP_LAST);
        const TrnPage *page =
            atomic_load_explicit(&groups->pages[group].slots[slot], memory_order_acquire);
        bool is_page = (match != 0) & (page != NULL);
        if (__builtin_expect((match == 0) & ((tags & trn_map_group_overflow(hash)) != 0), 0)) {
            page = trn_map_hash_find_further(batch->tables[i], hash,
                                             trn_page_coord(batch->coords[number]));
            is_page = page != NULL;
        }
        __builtin_prefetch(page);
        batch->pages[number] = page;
        batch->sparse[sparse] = batch->full[full] = number;
        sparse += is_page & trn_page_is_sparse(page);
        full += is_page & !trn_page_is_sparse(page);
    }
    batch->sparse_count = sparse;
    batch->full_count = full;
}

// ---- pages -------------------------------------------------------------------------------------

/// Returns the page of a chunk, or NULL. It may be in another place of the hash.
FIND_INLINE const TrnPage *find_checked_page(const FindBatch *batch, uint32_t number)
{
    const TrnPage *page = batch->pages[number];
    const TrnCoord at = trn_page_coord(batch->coords[number]), is = trn_page_coord_of(page);
    const bool is_other = ((is.x ^ at.x) | (is.y ^ at.y) | (is.z ^ at.z)) != 0;
    return __builtin_expect(is_other, 0) ? trn_map_hash_find(batch->map->hash, at.x, at.y, at.z)
                                         : page;
}

FIND_INLINE void find_in_full_pages(FindBatch *batch)
{
    for (uint32_t i = 0; i < batch->full_count; i++) {
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): set below the count
        const uint32_t number = batch->full[i];
        const TrnPage *page = find_checked_page(batch, number);
        const TrnCoord coord = batch->coords[number];
        batch->values[number] =
            trn_page_value_at(page, trn_page_word_of(coord), trn_page_bit_of(coord));
    }
}

/// Finds and prefetches the entries in sparse pages.
FIND_INLINE void find_entries(FindBatch *batch)
{
    static const _Atomic(uint64_t) none;
    const uint32_t count = batch->sparse_count;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): set below the count
        const uint32_t number = batch->sparse[i];
        const TrnPage *page = find_checked_page(batch, number);
        if (__builtin_expect(!trn_page_is_sparse(page), 0)) { // another one than it seemed
            batch->pages[number] = page;
            batch->full[batch->full_count] = number;
            batch->full_count += page != NULL;
            continue;
        }
        const TrnSparsePage *sparse = trn_page_sparse(page);
        const uint32_t lane = trn_sparse_find(sparse, trn_page_cell_of(batch->coords[number]));
        const _Atomic(uint64_t) *entry =
            sparse->words + trn_sparse_lane_words(sparse->capacity) + lane;
        const bool is_listed = lane != TRN_SPARSE_LANE_NONE;
        entry = __builtin_expect_with_probability(is_listed, 1, 0.5) ? entry : &none;
        __builtin_prefetch(entry);
        batch->sparse[kept] = number;
        batch->entries[kept++] = entry;
    }
    batch->sparse_count = kept;
}

FIND_INLINE void find_in_entries(FindBatch *batch)
{
    const uint32_t count = batch->sparse_count;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t entry = atomic_load_explicit(batch->entries[i], memory_order_acquire);
        const bool is_present = entry >> 32 & TRN_PLANE_BIT(TRN_PLANE_PRESENT);
        batch->values[batch->sparse[i]] = is_present ? (uint32_t)entry : TRN_CHUNK_VALUE_NONE;
    }
}

/// Looks up the chunks that may be in outlier pages or sparse pages.
static void find_elsewhere(FindBatch *batch)
{
    batch->full_count = 0;
    if (batch->outside_count > 0) {
        find_hash_pages(batch);
    }
    find_entries(batch);
    find_in_full_pages(batch);
    find_in_entries(batch);
}

static void find_batch(const TrnChunkIndex *index, FindBatch *batch)
{
    const TrnMapTop *top = atomic_load_explicit(&batch->map->hash->top, memory_order_acquire);
    const TrnCoord first = trn_page_coord(batch->coords[0]);
    if (top && trn_map_outside(batch->map, first.x, first.y, first.z)) {
        const uint32_t inside = find_far_groups(batch, top);
        find_elsewhere(batch);
        for (uint32_t i = 0; i < inside; i++) {
            const uint32_t number = batch->tagged[i];
            (void)trn_chunk_index_find(index, batch->coords[number], &batch->values[number]);
        }
        return;
    }
    const uint32_t tagged = find_in_directory(batch);
    if (tagged > 0) {
        find_divide(batch, tagged);
        batch->outside_count = top ? batch->outside_count : 0;
        find_groups(batch, top);
        find_elsewhere(batch);
    }
}

size_t trn_chunk_index_find_many(const TrnChunkIndex *index, const TrnCoord *coords, size_t count,
                                 uint32_t *values)
{
    FindBatch batch;
    size_t found = 0;
    batch.map = trn_chunk_index_map(index);
    for (size_t at = 0; at < count; at += batch.count) {
        batch.coords = coords + at;
        batch.count = count - at < FIND_BATCH ? (uint32_t)(count - at) : FIND_BATCH;
        find_batch(index, &batch);
        uint32_t present = 0;
        for (uint32_t i = 0; i < batch.count; i++) {
            values[at + i] = batch.values[i];
            present += batch.values[i] != TRN_CHUNK_VALUE_NONE;
        }
        found += present;
    }
    return found;
}

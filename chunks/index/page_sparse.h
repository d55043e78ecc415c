/// Private: the sparse form of a page. It lists the cells that have any bit, each with its value
/// and its bits.
///
/// A cell that is on the list stays at its place for as long as the page exists, even without a
/// bit. So values and bits of listed cells change in place, and a cell is added in place while the
/// list has capacity. A page whose list is full is copied (chunk_index_memory.c).
#ifndef TERRANE_INDEX_PAGE_SPARSE_H
#define TERRANE_INDEX_PAGE_SPARSE_H

#include <stdatomic.h>

#include "base/lanes.h"
#include "map/map_page.h"
#include "page_cells.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/// The cells are 16-bit lanes of 64-bit words, so that four are compared at a time.
#define TRN_SPARSE_LANES_PER_WORD 4
#define TRN_SPARSE_LANE_BITS 16
#define TRN_SPARSE_LANE_ONES UINT64_C(0x0001000100010001)
#define TRN_SPARSE_LANE_HIGHS UINT64_C(0x8000800080008000)
static_assert(TRN_PAGE_CELLS <= 1 << (TRN_SPARSE_LANE_BITS - 1), "an unused lane is no cell");

/// No lane of a list.
#define TRN_SPARSE_LANE_NONE UINT32_MAX

/// The capacities of lists, ascending: the first fills one cache line, the last four.
#define TRN_SPARSE_SIZES 3
#define TRN_SPARSE_CAPACITY_0 4
#define TRN_SPARSE_CAPACITY_1 24
#define TRN_SPARSE_CAPACITY_MAX 40
static const uint8_t trn_sparse_capacities[TRN_SPARSE_SIZES] = {
    TRN_SPARSE_CAPACITY_0, TRN_SPARSE_CAPACITY_1, TRN_SPARSE_CAPACITY_MAX};

/// The lanes come first, (capacity + 3) / 4 words; all ones where no cell is yet. Then one entry
/// per lane: the cell's value in the low half, its bits of all planes in the high half. A reader
/// loads both at once.
typedef struct TrnSparsePage {
    TrnPage head;
    uint8_t size;       ///< which of the capacities
    uint8_t capacity;   ///< entries
    uint8_t used, live; ///< lanes that have a cell, and a bit; used by the writer only
    _Atomic(uint64_t) words[];
} TrnSparsePage;
static_assert(sizeof(TrnSparsePage) == 16, "four cells fit a cache line");

/// One listed cell.
typedef struct TrnSparseEntry {
    uint32_t value, bits; ///< bits: TRN_PLANE_BITs
} TrnSparseEntry;

static inline uint32_t trn_sparse_lane_words(uint32_t capacity)
{
    return (capacity + TRN_SPARSE_LANES_PER_WORD - 1) / TRN_SPARSE_LANES_PER_WORD;
}

/// Returns the memory of a sparse page of one of the sizes.
static inline size_t trn_sparse_page_bytes(uint32_t size)
{
    const uint32_t capacity = trn_sparse_capacities[size];
    return sizeof(TrnSparsePage) + (trn_sparse_lane_words(capacity) + capacity) * sizeof(uint64_t);
}

static inline TrnSparsePage *trn_page_sparse(const TrnPage *page)
{
    return (TrnSparsePage *)((uintptr_t)page - TRN_PAGE_SPARSE_TAG);
}

static inline TrnPage *trn_page_of_sparse(TrnSparsePage *sparse)
{
    return (TrnPage *)((uintptr_t)sparse + TRN_PAGE_SPARSE_TAG);
}

// ---- for readers -------------------------------------------------------------------------------

/// Returns the highest bit of each lane of a word that has a cell, and perhaps of lanes above it.
static inline uint64_t trn_sparse_match(uint64_t lanes, uint32_t cell)
{
    // A lane that is equal is zero here. Subtracting one borrows its highest bit; lanes above it
    // may be hit by the borrow, so only the lowest counts.
    const uint64_t differs = lanes ^ (cell * TRN_SPARSE_LANE_ONES);
    return (differs - TRN_SPARSE_LANE_ONES) & ~differs & TRN_SPARSE_LANE_HIGHS;
}

/// Returns the lane of a cell, or TRN_SPARSE_LANE_NONE: four lanes at a time.
uint32_t trn_sparse_find_scalar(const TrnSparsePage *page, uint32_t cell);

#if defined(__SSE2__) && !TRN_SANITIZES_THREADS
/// The lanes that one vector holds, and the vectors that hold those of the longest list.
#define TRN_SPARSE_VECTOR_LANES 8
#define TRN_SPARSE_VECTORS (TRN_SPARSE_CAPACITY_MAX / TRN_SPARSE_VECTOR_LANES)
static_assert(TRN_SPARSE_VECTORS == 5 && TRN_SPARSE_CAPACITY_MAX % TRN_SPARSE_VECTOR_LANES == 0,
              "trn_sparse_find compares five whole vectors");

/// Where the vectors of a list begin, in lanes, and which lanes are its own. A shorter list has
/// fewer vectors: its first one again for the others. Of four lanes, it reaches into the entries.
typedef struct TrnSparseVectors {
    uint64_t mask;
    uint8_t at[TRN_SPARSE_VECTORS];
} TrnSparseVectors;
static const TrnSparseVectors trn_sparse_vectors[TRN_SPARSE_SIZES] = {
    {0xF, {0, 0, 0, 0, 0}},
    {0xFFFFFF, {0, 8, 16, 0, 0}},
    {UINT64_C(0xFFFFFFFFFF), {0, 8, 16, 24, 32}},
};

/// Returns the lane of a cell, or TRN_SPARSE_LANE_NONE. Compares as many lanes whatever the length
/// of the list, which look-ups of many pages cannot predict. A plain load of an aligned word never
/// tears, and x86-64 does not reorder loads.
static inline uint32_t trn_sparse_find(const TrnSparsePage *page, uint32_t cell)
{
    const TrnSparseVectors *vectors = &trn_sparse_vectors[page->size];
    const uint16_t *lanes = (const uint16_t *)(const void *)page->words;
    const __m128i cells = _mm_set1_epi16((short)cell);
#define TRN_SPARSE_EQUAL(i)                                                                        \
    _mm_cmpeq_epi16(_mm_loadu_si128((const __m128i *)(const void *)(lanes + vectors->at[i])), cells)
    const __m128i first = _mm_packs_epi16(TRN_SPARSE_EQUAL(0), TRN_SPARSE_EQUAL(1));
    const __m128i second = _mm_packs_epi16(TRN_SPARSE_EQUAL(2), TRN_SPARSE_EQUAL(3));
    const __m128i third = _mm_packs_epi16(TRN_SPARSE_EQUAL(4), TRN_SPARSE_EQUAL(4));
#undef TRN_SPARSE_EQUAL
    const uint64_t match = (uint32_t)_mm_movemask_epi8(first) |
                           (uint64_t)(uint32_t)_mm_movemask_epi8(second) << 16 |
                           (uint64_t)(uint32_t)_mm_movemask_epi8(third) << 32;
    const uint64_t found = match & vectors->mask;
    const uint32_t lane = (uint32_t)__builtin_ctzll(found | UINT64_C(1) << 63);
    return __builtin_expect_with_probability(found != 0, 1, 0.5) ? lane : TRN_SPARSE_LANE_NONE;
}
#else
static inline uint32_t trn_sparse_find(const TrnSparsePage *page, uint32_t cell)
{
    return trn_sparse_find_scalar(page, cell);
}
#endif

/// Loads an entry. Acquire, for the same reasons as the words and values of a full page.
static inline TrnSparseEntry trn_sparse_entry(const TrnSparsePage *page, uint32_t lane)
{
    const uint64_t entry = atomic_load_explicit(
        &page->words[trn_sparse_lane_words(page->capacity) + lane], memory_order_acquire);
    return (TrnSparseEntry){(uint32_t)entry, (uint32_t)(entry >> 32)};
}

/// Returns the entry of a cell; no bits if it is not listed.
static inline TrnSparseEntry trn_sparse_entry_of(const TrnSparsePage *page, uint32_t cell)
{
    const uint32_t lane = trn_sparse_find(page, cell);
    return lane == TRN_SPARSE_LANE_NONE ? (TrnSparseEntry){0, 0} : trn_sparse_entry(page, lane);
}

/// Returns the cell of a lane; TRN_PAGE_CELLS or more if it has none, as all lanes behind it.
static inline uint32_t trn_sparse_cell(const TrnSparsePage *page, uint32_t lane)
{
    const uint64_t lanes =
        atomic_load_explicit(&page->words[lane / TRN_SPARSE_LANES_PER_WORD], memory_order_acquire);
    return lanes >> (lane % TRN_SPARSE_LANES_PER_WORD * TRN_SPARSE_LANE_BITS) & UINT16_MAX;
}

/// Returns whether the bits of a cell satisfy the conditions of a query on them.
static inline bool trn_sparse_matches(uint32_t bits, const TrnPlaneQuery *query)
{
    return (bits & query->all) == query->all && !(bits & query->none) &&
           (!query->any || (bits & query->any));
}

/// Finds the cells that satisfy the conditions of a query on their own bits.
void trn_sparse_select(const TrnSparsePage *page, const TrnPlaneQuery *query, TrnPageWords *words);

/// Copies one plane.
void trn_sparse_plane(const TrnSparsePage *page, TrnPlane plane, TrnPageWords *words);

/// Writes the values of the cells in `words` in cell order. Returns how many there are.
/// @param words  listed cells only
size_t trn_sparse_compress(const TrnSparsePage *page, const TrnPageWords *words, uint32_t *out);

// ---- for the writer ----------------------------------------------------------------------------

/// Makes an empty sparse page in memory of its size.
void trn_sparse_init(TrnSparsePage *page, TrnCoord coord, uint32_t size);

static inline uint32_t trn_sparse_free_lanes(const TrnSparsePage *page)
{
    return (uint32_t)page->capacity - page->used;
}

/// Stores the entry of a lane. Cannot fail.
static inline void trn_sparse_store(TrnSparsePage *page, uint32_t lane, TrnSparseEntry entry)
{
    _Atomic(uint64_t) *word = &page->words[trn_sparse_lane_words(page->capacity) + lane];
    const bool was_live = atomic_load_explicit(word, memory_order_relaxed) >> 32 != 0;
    page->live = (uint8_t)(page->live + (entry.bits != 0) - was_live);
    atomic_store_explicit(word, (uint64_t)entry.bits << 32 | entry.value, memory_order_release);
}

/// Adds a cell that is not listed, without bits. The page must have a free lane. Returns its lane.
uint32_t trn_sparse_add(TrnSparsePage *page, uint32_t cell);

#endif

// The kernels that list the chunks of sparse pages in cell order.

#include "page_kernels_impl.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/// Inserts each chunk into a list in cell order. Most pages were filled in that order, or nearly.
uint32_t trn_page_list_scalar(const TrnSparsePage *page, const TrnPlaneQuery *query,
                              uint16_t *cells, uint32_t *values)
{
    uint16_t sorted[TRN_SPARSE_CAPACITY_MAX + 1];
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < page->capacity; lane++) {
        const uint32_t cell = trn_sparse_cell(page, lane);
        if (cell >= TRN_PAGE_CELLS) {
            break;
        }
        const TrnSparseEntry entry = trn_sparse_entry(page, lane);
        if (!trn_sparse_matches(entry.bits, query)) {
            continue;
        }
        uint32_t at = count++;
        for (; at > 0 && sorted[at - 1] > cell; at--) {
            sorted[at] = sorted[at - 1];
            values[at] = values[at - 1];
        }
        sorted[at] = (uint16_t)cell;
        values[at] = entry.value;
    }
    if (cells && count > 0) {
        memcpy(cells, sorted, count * sizeof *cells);
    }
    return count;
}

#if defined(PAGE_WIDE_LOADS) && defined(__x86_64__)
/// 16 cells.
typedef int16_t PageListCells __attribute__((vector_size(32)));
#define PAGE_LIST_CELLS (sizeof(PageListCells) / sizeof(int16_t))
#define PAGE_LIST_VECTORS ((TRN_SPARSE_CAPACITY_MAX + PAGE_LIST_CELLS - 1) / PAGE_LIST_CELLS)

/// Counts for each of some cells how many are below it.
/// @param vectors  that hold the cells, a constant
PAGE_INLINE void page_count_below(const uint16_t *cells, uint32_t count, uint32_t vectors,
                                  uint16_t *below)
{
    PageListCells many[PAGE_LIST_VECTORS], sums[PAGE_LIST_VECTORS] = {{0}};
    memcpy(many, cells, vectors * sizeof *many);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t vector = 0; vector < vectors; vector++) {
            sums[vector] -= many[vector] > (int16_t)cells[i];
        }
    }
    memcpy(below, sums, vectors * sizeof *sums);
}

/// Sorts chunks by their cells. The place of a chunk is the number of cells below its own.
PAGE_INLINE void page_sort_list(uint32_t count, uint16_t *cells, uint32_t *values)
{
    uint16_t from_cells[PAGE_LIST_VECTORS * PAGE_LIST_CELLS] = {0};
    uint16_t places[PAGE_LIST_VECTORS * PAGE_LIST_CELLS];
    uint32_t from_values[TRN_SPARSE_CAPACITY_MAX];
    memcpy(from_cells, cells, count * sizeof *cells);
    memcpy(from_values, values, count * sizeof *values);
    if (count <= PAGE_LIST_CELLS) {
        page_count_below(from_cells, count, 1, places);
    } else {
        page_count_below(from_cells, count, PAGE_LIST_VECTORS, places);
    }
    for (uint32_t i = 0; i < count; i++) {
        cells[places[i]] = from_cells[i];
        values[places[i]] = from_values[i];
    }
}

PAGE_INLINE uint32_t page_list(const TrnSparsePage *page, const TrnPlaneQuery *query,
                               uint16_t *cells, uint32_t *values)
{
    uint16_t listed[TRN_SPARSE_CAPACITY_MAX + 1];
    uint32_t count = 0, last = 0;
    bool is_sorted = true;
    for (uint32_t lane = 0; lane < page->capacity; lane++) {
        const uint32_t cell = trn_sparse_cell(page, lane);
        if (cell >= TRN_PAGE_CELLS) {
            break;
        }
        const TrnSparseEntry entry = trn_sparse_entry(page, lane);
        listed[count] = (uint16_t)cell;
        values[count] = entry.value;
        count += trn_sparse_matches(entry.bits, query);
        is_sorted &= cell >= last;
        last = cell;
    }
    if (!is_sorted && count > 0) {
        page_sort_list(count, listed, values);
    }
    if (cells && count > 0) {
        memcpy(cells, listed, count * sizeof *cells);
    }
    return count;
}

__attribute__((target("avx2,bmi"))) uint32_t trn_page_list_avx2(const TrnSparsePage *page,
                                                                const TrnPlaneQuery *query,
                                                                uint16_t *cells, uint32_t *values)
{
    return page_list(page, query, cells, values);
}

#define PAGE_TARGET_LISTS "avx512f,avx512bw,avx512vl"
#define PAGE_LIST_GROUP 8 ///< entries of a vector
#define PAGE_LIST_MANY 32 ///< cells of a vector
static_assert(TRN_SPARSE_CAPACITY_MAX <= PAGE_LIST_MANY + PAGE_LIST_GROUP, "two vectors of cells");

/// Loads entries, and copies their values. @return which match the query
__attribute__((target(PAGE_TARGET_LISTS))) static inline __mmask8
page_list_match(const _Atomic(uint64_t) *entries, const TrnPlaneQuery *query, uint32_t *values)
{
    const __m512i any = _mm512_set1_epi64(query->any ? query->any : UINT32_MAX);
    const __m512i tested = _mm512_set1_epi64(query->all | query->none);
    // No bits match a query that wants a bit both set and clear.
    const __m512i wanted =
        _mm512_set1_epi64(query->all & query->none ? INT64_MIN : (int64_t)query->all);
    const __m512i eight = _mm512_loadu_si512((const void *)entries);
    const __m512i bits = _mm512_srli_epi64(eight, 32);
    _mm256_store_si256((__m256i *)(void *)values, _mm512_cvtepi64_epi32(eight));
    return _mm512_mask_cmpeq_epi64_mask(_mm512_test_epi64_mask(bits, any),
                                        _mm512_and_si512(bits, tested), wanted);
}

/// Nothing depends on how many cells there are or match, which the processor cannot predict: the
/// place of a cell is the number of matching cells below it, and all others go behind the last one.
/// @param lanes  of the page, a constant
__attribute__((target(PAGE_TARGET_LISTS), always_inline)) static inline uint32_t
page_list_lanes(const TrnSparsePage *page, uint32_t lanes, const TrnPlaneQuery *query,
                uint16_t *cells, uint32_t *values)
{
    _Alignas(TRN_CACHE_LINE) int16_t keys[PAGE_LIST_MANY + PAGE_LIST_GROUP];
    _Alignas(TRN_CACHE_LINE) int16_t places[PAGE_LIST_MANY + PAGE_LIST_GROUP];
    _Alignas(TRN_CACHE_LINE) uint32_t listed[PAGE_LIST_MANY + PAGE_LIST_GROUP];
    const _Atomic(uint64_t) *entries = page->words + lanes / TRN_SPARSE_LANES_PER_WORD;
    const bool has_few = lanes > PAGE_LIST_MANY; // beyond those of the first vector
    const __m512i end = _mm512_set1_epi16(TRN_PAGE_CELLS), last = _mm512_set1_epi16(INT16_MAX);
    uint64_t match = 0;
    for (uint32_t i = 0; i < lanes; i += PAGE_LIST_GROUP) {
        match |= (uint64_t)page_list_match(entries + i, query, listed + i) << i;
    }
    const __m512i many = _mm512_loadu_si512((const void *)page->words);
    const __mmask32 many_match =
        _mm512_mask_cmplt_epu16_mask((__mmask32)(match & UINT32_MAX), many, end);
    const __m512i many_keys = _mm512_mask_blend_epi16(many_match, last, many);
    uint32_t end_of_used = (uint32_t)(39 - __builtin_clz(many_match | 1)) & ~7u;
    __m512i many_below = _mm512_setzero_si512();
    __m128i few_keys = _mm512_castsi512_si128(last), few_below = _mm_setzero_si128();
    __mmask8 few_match = 0;
    _mm512_store_si512(keys, many_keys);
    if (has_few) {
        const __m128i few = _mm_loadu_si128(
            (const __m128i *)(const void *)(page->words +
                                            PAGE_LIST_MANY / TRN_SPARSE_LANES_PER_WORD));
        few_match = _mm_mask_cmplt_epu16_mask((__mmask8)(match >> PAGE_LIST_MANY), few,
                                              _mm512_castsi512_si128(end));
        few_keys = _mm_mask_blend_epi16(few_match, few_keys, few);
        end_of_used = few_match ? lanes : end_of_used;
        _mm_store_si128((__m128i *)(void *)(keys + PAGE_LIST_MANY), few_keys);
    }
    for (uint32_t i = 0; i < lanes && i < end_of_used; i += PAGE_LIST_GROUP) {
#pragma GCC unroll 8
        for (uint32_t k = 0; k < PAGE_LIST_GROUP; k++) {
            const __m512i key = _mm512_broadcastw_epi16(_mm_loadu_si16(keys + i + k));
            many_below = _mm512_mask_add_epi16(many_below, _mm512_cmpgt_epi16_mask(many_keys, key),
                                               many_below, _mm512_set1_epi16(1));
            if (has_few) {
                few_below = _mm_sub_epi16(few_below,
                                          _mm_cmpgt_epi16(few_keys, _mm512_castsi512_si128(key)));
            }
        }
    }
    _mm512_store_si512(places, many_below);
    if (has_few) {
        _mm_store_si128((__m128i *)(void *)(places + PAGE_LIST_MANY), few_below);
    }
    for (uint32_t i = 0; i < lanes && i < end_of_used; i += PAGE_LIST_GROUP) {
#pragma GCC unroll 8
        for (uint32_t k = 0; k < PAGE_LIST_GROUP; k++) {
            values[places[i + k]] = listed[i + k];
        }
    }
    for (uint32_t i = 0; cells && i < lanes && i < end_of_used; i++) {
        cells[places[i]] = (uint16_t)keys[i];
    }
    return (uint32_t)(__builtin_popcount(many_match) + __builtin_popcount(few_match));
}

__attribute__((target(PAGE_TARGET_LISTS ",popcnt"))) uint32_t
trn_page_list_avx512(const TrnSparsePage *page, const TrnPlaneQuery *query, uint16_t *cells,
                     uint32_t *values)
{
    switch (page->capacity) {
    case TRN_SPARSE_CAPACITY_MAX:
        return page_list_lanes(page, TRN_SPARSE_CAPACITY_MAX, query, cells, values);
    case TRN_SPARSE_CAPACITY_1:
        return page_list_lanes(page, TRN_SPARSE_CAPACITY_1, query, cells, values);
    default:
        return trn_page_list_scalar(page, query, cells, values);
    }
}
#endif

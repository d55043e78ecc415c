// Sparse pages: selects, expands and gathers their cells, and adds cells.

#include "page_sparse.h"

#include <string.h>

uint32_t trn_sparse_find_scalar(const TrnSparsePage *page, uint32_t cell)
{
    const uint32_t count = trn_sparse_lane_words(page->capacity);
    for (uint32_t word = 0; word < count; word++) {
        const uint64_t match =
            trn_sparse_match(atomic_load_explicit(&page->words[word], memory_order_acquire), cell);
        if (match) {
            return word * TRN_SPARSE_LANES_PER_WORD +
                   (uint32_t)__builtin_ctzll(match) / TRN_SPARSE_LANE_BITS;
        }
    }
    return TRN_SPARSE_LANE_NONE;
}

void trn_sparse_select(const TrnSparsePage *page, const TrnPlaneQuery *query, TrnPageWords *words)
{
    const TrnPlaneQuery asked = *query; // in registers, whatever `words` overlaps
    TrnPageWords selected = {{0}};
    const uint32_t lane_words = trn_sparse_lane_words(page->capacity);
    const _Atomic(uint64_t) *entry = page->words + lane_words;
    for (uint32_t word = 0; word < lane_words; word++) {
        uint64_t lanes = atomic_load_explicit(&page->words[word], memory_order_acquire);
        for (uint32_t lane = 0; lane < TRN_SPARSE_LANES_PER_WORD; lane++, entry++) {
            const uint32_t cell = lanes & UINT16_MAX;
            if (cell >= TRN_PAGE_CELLS) {
                *words = selected;
                return;
            }
            const uint32_t bits =
                (uint32_t)(atomic_load_explicit(entry, memory_order_acquire) >> 32);
            const uint64_t bit = trn_sparse_matches(bits, &asked);
            selected.words[cell / TRN_PAGE_WORD_BITS] |= bit << (cell % TRN_PAGE_WORD_BITS);
            lanes >>= TRN_SPARSE_LANE_BITS;
        }
    }
    *words = selected;
}

void trn_sparse_plane(const TrnSparsePage *page, TrnPlane plane, TrnPageWords *words)
{
    const TrnPlaneQuery query = {.all = TRN_PLANE_BIT(plane)};
    trn_sparse_select(page, &query, words);
}

size_t trn_sparse_compress(const TrnSparsePage *page, const TrnPageWords *words, uint32_t *out)
{
    uint32_t values[TRN_PAGE_CELLS]; // only those of listed cells are written and read
    for (uint32_t lane = 0; lane < page->capacity; lane++) {
        const uint32_t cell = trn_sparse_cell(page, lane);
        if (cell >= TRN_PAGE_CELLS) {
            break;
        }
        values[cell] = trn_sparse_entry(page, lane).value;
    }
    size_t count = 0;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        for (uint64_t bits = words->words[word]; bits; bits &= bits - 1) {
            out[count++] = values[trn_page_cell(word, (uint32_t)__builtin_ctzll(bits))];
        }
    }
    return count;
}

void trn_sparse_init(TrnSparsePage *page, TrnCoord coord, uint32_t size)
{
    const uint32_t capacity = trn_sparse_capacities[size];
    const uint32_t lane_words = trn_sparse_lane_words(capacity);
    page->head.coord = coord;
    page->size = (uint8_t)size;
    page->capacity = (uint8_t)capacity;
    page->used = page->live = 0;
    for (uint32_t word = 0; word < lane_words + capacity; word++) {
        atomic_init(&page->words[word], word < lane_words ? UINT64_MAX : 0);
    }
}

uint32_t trn_sparse_add(TrnSparsePage *page, uint32_t cell)
{
    const uint32_t lane = page->used++;
    const uint32_t shift = lane % TRN_SPARSE_LANES_PER_WORD * TRN_SPARSE_LANE_BITS;
    _Atomic(uint64_t) *word = &page->words[lane / TRN_SPARSE_LANES_PER_WORD];
    const uint64_t lanes = atomic_load_explicit(word, memory_order_relaxed);
    atomic_store_explicit(word,
                          (lanes & ~((uint64_t)UINT16_MAX << shift)) | (uint64_t)cell << shift,
                          memory_order_release);
    return lane;
}

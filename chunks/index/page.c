// Pages of both forms: looks up neighbours that have no link, reads planes, counts cells, and
// copies a page from one form to another.

#include "page.h"

#include <string.h>

TrnPage *trn_page_behind_by_map(const TrnMap *map, const TrnPage *page, TrnFace face)
{
    const TrnCoord behind = trn_page_coord_behind(trn_page_coord_of(page), face);
    return trn_map_find(map, behind.x, behind.y, behind.z);
}

void trn_page_plane(const TrnPage *page, TrnPlane plane, TrnPageWords *words)
{
    if (trn_page_is_sparse(page)) {
        trn_sparse_plane(trn_page_sparse(page), plane, words);
        return;
    }
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        words->words[word] = trn_full_page_word(trn_page_full(page), plane, word);
    }
}

// ---- counts ------------------------------------------------------------------------------------

/// Returns the cells of a word that have a bit in any plane.
static uint64_t page_listed_bits(const TrnFullPage *page, uint32_t plane_count, uint32_t word)
{
    uint64_t any = 0;
    for (TrnPlane plane = 0; plane < plane_count; plane++) {
        any |= atomic_load_explicit(&page->planes[plane][word], memory_order_relaxed);
    }
    return any;
}

/// Counts set bits by adding ever wider fields. Where the processor may lack an instruction for it,
/// gcc's builtin calls a function.
static inline uint32_t page_count_bits(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

uint32_t trn_page_count_cells(const TrnPage *page, uint32_t plane_count, uint32_t first,
                              uint32_t most)
{
    if (trn_page_is_sparse(page)) {
        return trn_page_sparse(page)->live;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < TRN_PAGE_WORDS && count <= most; i++) {
        const uint32_t word = (first + i) % TRN_PAGE_WORDS;
        count += page_count_bits(page_listed_bits(trn_page_full(page), plane_count, word));
    }
    return count;
}

// ---- writes ------------------------------------------------------------------------------------

bool trn_page_store_plane_sparse(TrnPage *tagged, TrnPlane plane, const TrnPageWords *words)
{
    TrnSparsePage *page = trn_page_sparse(tagged);
    const uint32_t used = page->used;
    const _Atomic(uint64_t) *entries = page->words + trn_sparse_lane_words(page->capacity);
    uint64_t any = 0;
    for (uint32_t lane = 0; lane < used; lane++) {
        const uint32_t cell = trn_sparse_cell(page, lane);
        const uint64_t bit =
            words->words[cell / TRN_PAGE_WORD_BITS] >> (cell % TRN_PAGE_WORD_BITS) & 1;
        const uint64_t entry = atomic_load_explicit(&entries[lane], memory_order_relaxed);
        if ((entry >> 32 >> plane & 1) != bit) { // most bits stay
            trn_sparse_store(
                page, lane,
                (TrnSparseEntry){(uint32_t)entry, (uint32_t)(entry >> 32) ^ TRN_PLANE_BIT(plane)});
        }
        any |= bit;
    }
    return any != 0;
}

// ---- from one form to another ------------------------------------------------------------------

TrnPage *trn_page_init(void *memory, uint32_t form, TrnCoord coord, uint32_t plane_count)
{
    if (form != TRN_PAGE_FORM_FULL) {
        trn_sparse_init(memory, coord, form);
        return trn_page_of_sparse(memory);
    }
    memset(memory, 0, trn_full_page_bytes(plane_count));
    TrnPage *page = memory;
    page->coord = coord;
    return page;
}

/// Stores a cell of a page that no reader can find yet.
static void page_put_cell(TrnPage *page, uint32_t cell, TrnSparseEntry entry)
{
    if (trn_page_is_sparse(page)) {
        TrnSparsePage *sparse = trn_page_sparse(page);
        trn_sparse_store(sparse, trn_sparse_add(sparse, cell), entry);
        return;
    }
    TrnFullPage *full = trn_page_full(page);
    const uint32_t word = cell / TRN_PAGE_WORD_BITS;
    const uint64_t bit = UINT64_C(1) << (cell % TRN_PAGE_WORD_BITS);
    trn_full_page_set_value(full, cell, entry.value);
    for (uint32_t set = entry.bits; set; set &= set - 1) {
        const TrnPlane plane = (TrnPlane)__builtin_ctz(set);
        trn_full_page_store(full, plane, word, trn_full_page_word(full, plane, word) | bit);
    }
}

static TrnSparseEntry page_full_entry(const TrnFullPage *page, uint32_t cell, uint32_t plane_count)
{
    TrnSparseEntry entry = {trn_full_page_value(page, cell), 0};
    for (TrnPlane plane = 0; plane < plane_count; plane++) {
        const uint64_t word = trn_full_page_word(page, plane, cell / TRN_PAGE_WORD_BITS);
        entry.bits |= (uint32_t)(word >> (cell % TRN_PAGE_WORD_BITS) & 1) << plane;
    }
    return entry;
}

static void page_copy_from_sparse(TrnPage *to, const TrnSparsePage *from)
{
    for (uint32_t lane = 0; lane < from->used; lane++) {
        const TrnSparseEntry entry = trn_sparse_entry(from, lane);
        if (entry.bits) {
            page_put_cell(to, trn_sparse_cell(from, lane), entry);
        }
    }
}

void trn_page_copy_cells(TrnPage *to, const TrnPage *from, uint32_t plane_count)
{
    if (trn_page_is_sparse(from)) {
        page_copy_from_sparse(to, trn_page_sparse(from));
        return;
    }
    const TrnFullPage *full = trn_page_full(from);
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        for (uint64_t bits = page_listed_bits(full, plane_count, word); bits; bits &= bits - 1) {
            const uint32_t cell = trn_page_cell(word, (uint32_t)__builtin_ctzll(bits));
            page_put_cell(to, cell, page_full_entry(full, cell, plane_count));
        }
    }
}

// The planes of an index: sets, clears, tests and computes bits.

#include <terrane/chunk_index.h>

#include <string.h>

#include "chunk_index_impl.h"

TrnPlane trn_chunk_index_plane(const TrnChunkIndex *index, const char *name)
{
    for (TrnPlane plane = 0; name && plane < index->plane_count; plane++) {
        if (strcmp(index->plane_names[plane], name) == 0) {
            return plane;
        }
    }
    return TRN_PLANE_COUNT_MAX;
}

const char *trn_chunk_index_plane_name(const TrnChunkIndex *index, TrnPlane plane)
{
    return plane < index->plane_count ? index->plane_names[plane] : NULL;
}

/// Returns whether callers may write a plane.
static bool planes_may_write(const TrnChunkIndex *index, TrnPlane plane)
{
    return plane != TRN_PLANE_PRESENT && plane < index->plane_count;
}

/// Counts the cells of `words` that a sparse page does not list. @param page  may be NULL
static uint32_t planes_count_unlisted(const TrnSparsePage *page, const TrnPageWords *words)
{
    uint32_t count = 0;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        for (uint64_t bits = words->words[word]; bits; bits &= bits - 1) {
            const uint32_t cell = trn_page_cell(word, (uint32_t)__builtin_ctzll(bits));
            count += !page || trn_sparse_find(page, cell) == TRN_SPARSE_LANE_NONE;
        }
    }
    return count;
}

/// Sets the bits of `words` in a sparse page, which lists these cells or has capacity for them.
static void planes_set_sparse(TrnSparsePage *page, TrnPlane plane, const TrnPageWords *words)
{
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        for (uint64_t bits = words->words[word]; bits; bits &= bits - 1) {
            const uint32_t cell = trn_page_cell(word, (uint32_t)__builtin_ctzll(bits));
            uint32_t lane = trn_sparse_find(page, cell);
            lane = lane == TRN_SPARSE_LANE_NONE ? trn_sparse_add(page, cell) : lane;
            TrnSparseEntry entry = trn_sparse_entry(page, lane);
            entry.bits |= TRN_PLANE_BIT(plane);
            trn_sparse_store(page, lane, entry);
        }
    }
}

/// Sets the bits of `words` in the page at `coord`. @param page  the page there, or NULL
static TrnResult planes_set_words(TrnChunkIndex *index, TrnPage *page, TrnPlane plane,
                                  TrnCoord coord, const TrnPageWords *words)
{
    if (!trn_page_is_full(page)) {
        const uint32_t added = planes_count_unlisted(page ? trn_page_sparse(page) : NULL, words);
        TrnResult result =
            added ? trn_chunk_index_make_room(index, coord, added, &page) : TRN_RESULT_OK;
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    if (trn_page_is_sparse(page)) {
        planes_set_sparse(trn_page_sparse(page), plane, words);
        return TRN_RESULT_OK;
    }
    TrnFullPage *full = trn_page_full(page);
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        const uint64_t old = trn_full_page_word(full, plane, word);
        trn_full_page_store(full, plane, word, old | words->words[word]);
    }
    return TRN_RESULT_OK;
}

/// Clears the bits of `words` in a page.
static void planes_clear_words(TrnChunkIndex *index, TrnPage *page, TrnPlane plane,
                               const TrnPageWords *words)
{
    TrnPageWords left;
    trn_page_plane(page, plane, &left);
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        left.words[word] &= ~words->words[word];
    }
    if (!trn_page_store_plane(page, plane, &left)) {
        trn_chunk_index_after_clearing(index, page, 0);
    }
}

/// Sets or clears the part of a box that lies in one page.
static TrnResult planes_fill_page(TrnChunkIndex *index, TrnPlane plane, TrnCoord coord, TrnBox box,
                                  bool bit)
{
    TrnPage *page = trn_map_find(trn_chunk_index_map(index), coord.x, coord.y, coord.z);
    TrnPageWords words;
    trn_page_clip(coord, box, &words);
    if (bit) {
        return planes_set_words(index, page, plane, coord, &words);
    }
    if (page) {
        planes_clear_words(index, page, plane, &words);
    }
    return TRN_RESULT_OK;
}

/// Writes one word instead of the whole page: chunk states change one by one, thousands of times a
/// frame.
static inline TrnResult planes_set_in(TrnChunkIndex *index, TrnPage *page, TrnPlane plane,
                                      TrnCoord coord, bool bit)
{
    TrnFullPage *full = trn_page_full(page);
    const uint32_t word = trn_page_word_of(coord);
    const uint64_t cell = UINT64_C(1) << trn_page_bit_of(coord);
    const uint64_t old = trn_full_page_word(full, plane, word);
    const uint64_t bits = bit ? old | cell : old & ~cell;
    if (bits != old) {
        trn_full_page_store(full, plane, word, bits);
    }
    if (bits == 0) {
        trn_chunk_index_after_clearing(index, page, word);
    }
    return TRN_RESULT_OK;
}

static TRN_APART TrnResult planes_set_elsewhere(TrnChunkIndex *index, TrnPlane plane,
                                                TrnCoord coord, bool bit)
{
    TrnPage *page = trn_chunk_index_page(index, coord);
    const uint32_t cell = trn_page_cell_of(coord);
    const uint32_t lane = trn_page_is_sparse(page) ? trn_sparse_find(trn_page_sparse(page), cell)
                                                   : TRN_SPARSE_LANE_NONE;
    if (lane == TRN_SPARSE_LANE_NONE) { // a page to create, to extend, or an outlier page
        return planes_fill_page(index, plane, trn_page_coord(coord), (TrnBox){coord, coord}, bit);
    }
    TrnSparsePage *sparse = trn_page_sparse(page);
    TrnSparseEntry entry = trn_sparse_entry(sparse, lane);
    entry.bits = bit ? entry.bits | TRN_PLANE_BIT(plane) : entry.bits & ~TRN_PLANE_BIT(plane);
    trn_sparse_store(sparse, lane, entry);
    if (entry.bits == 0) {
        trn_chunk_index_after_clearing(index, page, trn_page_word_of(coord));
    }
    return TRN_RESULT_OK;
}

TrnResult trn_chunk_index_plane_set(TrnChunkIndex *index, TrnPlane plane, TrnCoord coord, bool bit)
{
    if (!planes_may_write(index, plane)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnPage *page = trn_chunk_index_directory_page(index, coord);
    return trn_page_is_full(page) ? planes_set_in(index, page, plane, coord, bit)
                                  : planes_set_elsewhere(index, plane, coord, bit);
}

/// Clears a box. Visits existing pages only, so a huge box costs no more than the pages in it.
static void planes_clear_box(TrnChunkIndex *index, TrnPlane plane, TrnBox box)
{
    const TrnMap *map = trn_chunk_index_map(index);
    TrnMapWalk walk = trn_map_walk(map, trn_page_box(box));
    for (TrnPage *page; (page = trn_map_walk_next(&walk));) {
        (void)planes_fill_page(index, plane, trn_page_coord_of(page), box,
                               false);           // only setting can fail
        if (trn_chunk_index_map(index) != map) { // the walked map may be freed; walk the new one
            map = trn_chunk_index_map(index);
            walk = trn_map_walk(map, trn_page_box(box));
        }
    }
}

/// Sets a box, page by page.
static TrnResult planes_set_box(TrnChunkIndex *index, TrnPlane plane, TrnBox box)
{
    const TrnBox pages = trn_page_box(box);
    for (int64_t y = pages.min.y; y <= pages.max.y; y++) {
        for (int64_t z = pages.min.z; z <= pages.max.z; z++) {
            for (int64_t x = pages.min.x; x <= pages.max.x; x++) {
                TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                TrnResult result = planes_fill_page(index, plane, coord, box, true);
                if (result != TRN_RESULT_OK) {
                    return result;
                }
            }
        }
    }
    return TRN_RESULT_OK;
}

/// Returns whether a box has more pages than the index may hold.
static bool planes_box_is_too_large(const TrnChunkIndex *index, TrnBox pages)
{
    // An axis has fewer than 2^32 pages, so a layer does not overflow.
    uint64_t layer = ((uint64_t)((int64_t)pages.max.x - pages.min.x) + 1) *
                     ((uint64_t)((int64_t)pages.max.z - pages.min.z) + 1);
    uint64_t height = (uint64_t)((int64_t)pages.max.y - pages.min.y) + 1;
    return layer > index->page_max || layer * height > index->page_max;
}

TrnResult trn_chunk_index_plane_fill(TrnChunkIndex *index, TrnPlane plane, TrnBox box, bool bit)
{
    if (!planes_may_write(index, plane)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (trn_box_is_empty(box)) {
        return TRN_RESULT_OK;
    }
    if (!bit) {
        planes_clear_box(index, plane, box);
        return TRN_RESULT_OK;
    }
    return planes_box_is_too_large(index, trn_page_box(box)) ? TRN_RESULT_FULL
                                                             : planes_set_box(index, plane, box);
}

bool trn_chunk_index_plane_test(const TrnChunkIndex *index, TrnPlane plane, TrnCoord coord)
{
    const TrnPage *page = plane < index->plane_count ? trn_chunk_index_page(index, coord) : NULL;
    return page && trn_page_test(page, plane, coord);
}

/// Drops all pages that have no bit left, and shrinks those that have few.
static void planes_drop_empty_pages(TrnChunkIndex *index)
{
    const TrnMap *map = trn_chunk_index_map(index);
    TrnMapWalk walk = trn_map_walk(map, trn_page_box(trn_box_everything()));
    for (TrnPage *page; (page = trn_map_walk_next(&walk));) {
        trn_chunk_index_after_clearing(index, page, 0);
        if (trn_chunk_index_map(index) != map) {
            map = trn_chunk_index_map(index);
            walk = trn_map_walk(map, trn_page_box(trn_box_everything()));
        }
    }
}

TrnResult trn_chunk_index_plane_compute(TrnChunkIndex *index, TrnPlane plane,
                                        const TrnPlaneQuery *query)
{
    if (!query || !planes_may_write(index, plane) ||
        !trn_chunk_index_query_is_valid(index, query) ||
        ((query->all_faces | query->all_around) & TRN_PLANE_BIT(plane))) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    bool emptied = false;
    const TrnMap *map = trn_chunk_index_map(index);
    TrnMapWalk walk = trn_map_walk(map, trn_page_box(trn_box_everything()));
    for (TrnPage *page; (page = trn_map_walk_next(&walk));) {
        TrnPageWords words;
        trn_page_query(&index->kernels, map, page, query, &words);
        emptied |= !trn_page_store_plane(page, plane, &words) &&
                   trn_page_count_cells(page, index->plane_count, 0, 0) == 0;
    }
    if (emptied) {
        planes_drop_empty_pages(index);
    }
    return TRN_RESULT_OK;
}

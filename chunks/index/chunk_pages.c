// Figures of an index: its pages, the reshapes of its directory, its totals.

#include <terrane/chunk_pages.h>

#include <string.h>

#include "chunk_index_impl.h"
#include "chunk_index_internal.h"

// ---- pages -------------------------------------------------------------------------------------

static uint32_t pages_count_bits(const TrnPage *page, TrnPlane plane)
{
    TrnPageWords words;
    trn_page_plane(page, plane, &words);
    int count = 0;
    for (uint32_t word = 0; word < TRN_PAGE_WORDS; word++) {
        count += __builtin_popcountll(words.words[word]);
    }
    return (uint32_t)count;
}

static void pages_describe(const TrnMap *map, const TrnPage *page, uint32_t plane_count,
                           TrnPageFigures *figures)
{
    const TrnCoord at = trn_page_coord_of(page);
    *figures = (TrnPageFigures){.chunk = trn_page_chunk(at, 0, 0),
                                .is_outlier = !trn_map_cell(map, at.x, at.y, at.z),
                                .is_sparse = trn_page_is_sparse(page)};
    for (TrnPlane plane = 0; plane < plane_count; plane++) {
        figures->counts[plane] = (uint16_t)pages_count_bits(page, plane);
    }
}

size_t trn_chunk_index_pages(const TrnChunkIndex *index, TrnBox box, TrnPageFigures *out,
                             size_t capacity)
{
    if (trn_box_is_empty(box)) {
        return 0;
    }
    const TrnMap *map = trn_chunk_index_map(index);
    TrnMapWalk walk = trn_map_walk(map, trn_page_box(box));
    size_t count = 0;
    for (const TrnPage *page; (page = trn_map_walk_next(&walk)); count++) {
        if (count < capacity) {
            pages_describe(map, page, index->plane_count, &out[count]);
        }
    }
    return count;
}

bool trn_chunk_index_page_plane(const TrnChunkIndex *index, TrnCoord chunk, TrnPlane plane,
                                uint64_t words[TRN_PAGE_WORDS])
{
    const TrnPage *page = plane < index->plane_count ? trn_chunk_index_page(index, chunk) : NULL;
    TrnPageWords copy = {{0}};
    if (page) {
        trn_page_plane(page, plane, &copy);
    }
    memcpy(words, copy.words, sizeof copy.words);
    return page != NULL;
}

// ---- the directory -----------------------------------------------------------------------------

size_t trn_chunk_index_directory_steps(const TrnChunkIndex *index,
                                       TrnDirectoryStep out[TRN_DIRECTORY_STEPS_MAX])
{
    const uint64_t last = index->step_count;
    const uint64_t count = last < TRN_DIRECTORY_STEPS_MAX ? last : TRN_DIRECTORY_STEPS_MAX;
    for (uint64_t i = 0; i < count; i++) {
        out[i] = index->steps[(last - count + 1 + i) % TRN_DIRECTORY_STEPS_MAX];
    }
    return (size_t)count;
}

// ---- totals ------------------------------------------------------------------------------------

size_t trn_chunk_index_retired_bytes(const TrnChunkIndex *index)
{
    return index->retire.bytes + index->memory.retired_bytes;
}

TrnChunkIndexStats trn_chunk_index_stats(const TrnChunkIndex *index)
{
    const TrnMap *map = trn_chunk_index_map(index);
    const TrnMapFigures figures = trn_map_figures(map);
    TrnChunkIndexStats stats = {
        .chunks = index->chunk_count,
        .pages = figures.pages,
        .directory = trn_map_box(map),
        .directory_cells = figures.directory_cells,
        .directory_growths = figures.directory_growths,
        .outliers = figures.outliers,
        .retired_bytes = trn_chunk_index_retired_bytes(index),
    };
    if (stats.pages) {
        stats.fill = (double)stats.chunks / ((double)stats.pages * TRN_PAGE_CELLS);
    }
    // Retired pages are still slots of the pools, and the map's memory includes what it retired.
    for (uint32_t form = 0; form < TRN_PAGE_FORMS; form++) {
        const size_t bytes = trn_pool_stats(index->pools[form]).bytes;
        if (form == TRN_PAGE_FORM_FULL) {
            stats.full_page_bytes = bytes;
        } else {
            stats.sparse_page_bytes += bytes;
            stats.sparse_pages += index->page_counts[form];
        }
    }
    stats.bytes = sizeof *index + stats.full_page_bytes + stats.sparse_page_bytes +
                  index->memory.bytes + trn_retire_own_bytes(&index->retire);
    TrnMapWalk walk = trn_map_walk(map, trn_page_box(trn_box_everything()));
    for (const TrnPage *page; (page = trn_map_walk_next(&walk));) {
        for (TrnPlane plane = 0; plane < index->plane_count; plane++) {
            stats.plane_counts[plane] += pages_count_bits(page, plane);
        }
    }
    return stats;
}

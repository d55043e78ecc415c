/// Private: the chunk index struct, shared by the chunk_index*.c files.
#ifndef TERRANE_INDEX_CHUNK_INDEX_IMPL_H
#define TERRANE_INDEX_CHUNK_INDEX_IMPL_H

#include "base/retire.h"
#include "page_kernels.h"

#define TRN_PLANE_NAME_MAX 32

/// A cube of two pages along each axis.
#define INDEX_RECENT_PAGES 8

struct TrnChunkIndex {
    _Atomic(TrnMap *) map;   ///< the version that new readers see
    TrnPageKernels kernels;  ///< the fastest that this machine can run
    uint32_t plane_count;    ///< TRN_PLANE_PRESENT included
    uint32_t leaving_planes; ///< set of planes whose bits are cleared with their chunk
    // Used by the writer only. The first three rarely change, so they may share a cache line with
    // what readers read.
    size_t directory_bytes_max, retired_bytes_max;
    uint64_t step_count; ///< reshapes of the directory
    TrnRetire retire;
    TrnMapMemory memory;                  ///< of the map
    TrnPool *pools[TRN_PAGE_FORMS];       ///< the pages of each form, retired ones included
    uint32_t page_counts[TRN_PAGE_FORMS]; ///< pages of each form in the map
    uint32_t page_max;
    /// Pages that the writer used last, for adjacent coordinates at different places: chunks near
    /// each other are mostly inserted one after the other. NULL or a page of the map.
    TrnPage *recent[INDEX_RECENT_PAGES];
    size_t chunk_count;
    TrnAllocator allocator;
    /// The last reshapes: step n at n % TRN_DIRECTORY_STEPS_MAX.
    TrnDirectoryStep steps[TRN_DIRECTORY_STEPS_MAX];
    char plane_names[TRN_PLANE_COUNT_MAX][TRN_PLANE_NAME_MAX];
};

static inline TrnMap *trn_chunk_index_map(const TrnChunkIndex *index)
{
    return atomic_load_explicit(&index->map, memory_order_acquire);
}

/// Keeps rare paths out of line, so that frequent lookups stay leaf functions. Without it gcc
/// spills registers for the rare path first, which cost a third of an insert.
#define TRN_RARE __attribute__((noinline, cold))

/// The same for paths that are frequent in some worlds, such as sparse pages.
#define TRN_APART __attribute__((noinline))

/// Returns the page that holds a chunk's cell, or NULL.
static inline TrnPage *trn_chunk_index_page(const TrnChunkIndex *index, TrnCoord chunk)
{
    const TrnCoord page = trn_page_coord(chunk);
    return trn_map_find(trn_chunk_index_map(index), page.x, page.y, page.z);
}

/// Returns the page of a chunk if the directory has it, as it nearly always does. On NULL the
/// caller continues in a function of its own, so that the common path needs no stack.
static inline TrnPage *trn_chunk_index_directory_page(const TrnChunkIndex *index, TrnCoord chunk)
{
    const TrnCoord page = trn_page_coord(chunk);
    const _Atomic(TrnPage *) *cell =
        trn_map_cell(trn_chunk_index_map(index), page.x, page.y, page.z);
    return cell ? atomic_load_explicit(cell, memory_order_acquire) : NULL;
}

// ---- pages that the writer used last -----------------------------------------------------------

/// Returns the place of a page among the recent ones.
static inline TrnPage **trn_chunk_index_recent(TrnChunkIndex *index, TrnCoord page)
{
    const uint32_t x = (uint32_t)page.x & 1, y = (uint32_t)page.y & 1, z = (uint32_t)page.z & 1;
    return &index->recent[x | y << 1 | z << 2];
}

/// As trn_map_find() for a page that the directory is not likely to have.
static inline TrnPage *trn_chunk_index_recent_page(TrnChunkIndex *index, TrnCoord page)
{
    TrnPage **recent = trn_chunk_index_recent(index, page);
    if (*recent && trn_coord_equal(trn_page_coord_of(*recent), page)) {
        return *recent;
    }
    const TrnMap *map = trn_chunk_index_map(index);
    trn_map_prefetch(map, page.x, page.y, page.z);
    TrnPage *found = trn_map_find(map, page.x, page.y, page.z);
    *recent = found ? found : *recent;
    return found;
}

// Implemented in chunk_index_memory.c:

/// Prepares a write that may retire a page: reserves its entry.
/// Errors: READERS (readers keep more than retired_bytes_max), NO_MEMORY.
TrnResult trn_chunk_index_begin_retiring(TrnChunkIndex *index);

/// Makes it certain that more cells of a page can get bits: creates the page, or copies it to a
/// form that can list them. Cells that are listed in a sparse page already need no room.
/// @param coord  page coordinates
/// @param added  cells, 1..TRN_PAGE_CELLS
/// @param page   the page there, or NULL; receives the page to write to
/// Errors: READERS, NO_MEMORY, FULL; the index stays as it was.
TrnResult trn_chunk_index_make_room(TrnChunkIndex *index, TrnCoord coord, uint32_t added,
                                    TrnPage **page);

/// Retires a page that has no bit set. Call trn_chunk_index_begin_retiring first.
void trn_chunk_index_drop_page(TrnChunkIndex *index, TrnPage *page);

/// Call after bits of a word of a page were cleared, when this may have left the page without any
/// bit, or with few: drops it, or copies it to a smaller form. If readers or memory prevent either,
/// the page stays until a later write that clears bits: the write that cleared them has succeeded.
void trn_chunk_index_after_clearing(TrnChunkIndex *index, TrnPage *page, uint32_t word);

/// Returns how many pages the map has.
static inline uint64_t trn_chunk_index_page_count(const TrnChunkIndex *index)
{
    uint64_t count = 0;
    for (uint32_t form = 0; form < TRN_PAGE_FORMS; form++) {
        count += index->page_counts[form];
    }
    return count;
}

/// Returns whether a query is valid: all its planes exist, and `all` is not empty.
static inline bool trn_chunk_index_query_is_valid(const TrnChunkIndex *index,
                                                  const TrnPlaneQuery *query)
{
    uint64_t planes =
        (uint64_t)query->all | query->any | query->none | query->all_faces | query->all_around;
    return query->all != 0 && planes >> index->plane_count == 0;
}

#endif

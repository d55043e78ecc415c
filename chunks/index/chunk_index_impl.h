/// Private: what a chunk index is made of.
#ifndef TERRANE_INDEX_CHUNK_INDEX_IMPL_H
#define TERRANE_INDEX_CHUNK_INDEX_IMPL_H

#include "page.h"
#include "page_map.h"
#include "retire.h"

#define TRN_PLANE_NAME_MAX 32

struct TrnChunkIndex {
    _Atomic(TrnPageMap *) map; ///< the version that new readers see
    TrnPageKernels kernels;    ///< the fastest that this machine can run
    uint32_t plane_count;      ///< TRN_PLANE_PRESENT included
    uint32_t leaving_planes;   ///< set of planes whose bits go when their chunk is removed
    // The writer's alone; the first three hardly ever change, so that they may lie beside what
    // readers look at.
    size_t directory_bytes_max, retired_bytes_max;
    uint64_t step_count; ///< so often the directory took another shape
    TrnRetire retire;
    TrnPool *pages;
    size_t chunk_count;
    uint32_t page_max;
    TrnAllocator allocator;
    /// the last ones: step n at n % TRN_DIRECTORY_STEPS_MAX
    TrnDirectoryStep steps[TRN_DIRECTORY_STEPS_MAX];
    char plane_names[TRN_PLANE_COUNT_MAX][TRN_PLANE_NAME_MAX];
};

static inline TrnPageMap *trn_chunk_index_map(const TrnChunkIndex *index)
{
    return atomic_load_explicit(&index->map, memory_order_acquire);
}

/// Kept out of line, so that the look-ups that every frame makes by the thousand stay leaf
/// functions: without it gcc spills registers for the rare path first, which cost a third of an
/// insert.
#define TRN_RARE __attribute__((noinline, cold))

/// The page that holds a chunk's cell, or NULL.
static inline TrnPage *trn_chunk_index_page(const TrnChunkIndex *index, TrnCoord chunk)
{
    return trn_page_map_find(trn_chunk_index_map(index), chunk.x >> TRN_PAGE_SHIFT,
                             chunk.y >> TRN_PAGE_SHIFT, chunk.z >> TRN_PAGE_SHIFT);
}

/// The page of a chunk if it stands in the directory, as nearly all do. Whoever gets NULL goes on
/// in a function of its own, so that the common way needs no stack.
static inline TrnPage *trn_chunk_index_directory_page(const TrnChunkIndex *index, TrnCoord chunk)
{
    const _Atomic(TrnPage *) *cell =
        trn_page_map_cell(trn_chunk_index_map(index), chunk.x >> TRN_PAGE_SHIFT,
                          chunk.y >> TRN_PAGE_SHIFT, chunk.z >> TRN_PAGE_SHIFT);
    return cell ? atomic_load_explicit(cell, memory_order_acquire) : NULL;
}

static inline TrnBox trn_page_box(TrnBox chunks)
{
    TrnBox pages = {trn_page_coord(chunks.min), trn_page_coord(chunks.max)};
    return pages;
}

// Of page_make.c:

/// Before a write that retires something: makes room for it, and refuses where readers hold too
/// much back.
TrnResult trn_chunk_index_begin_retiring(TrnChunkIndex *index);

/// Makes a page where there is none. It is empty: the write that asked for it fills it.
TrnResult trn_chunk_index_make_page(TrnChunkIndex *index, TrnCoord coord, TrnPage **page);

/// Retires a page without a bit. To be done after trn_chunk_index_begin_retiring.
void trn_chunk_index_drop_page(TrnChunkIndex *index, TrnPage *page);

/// What a retired map is known by; `map` is a TrnPageMap.
void trn_chunk_index_free_map(void *map, void *context);

// Of chunk_pages.c:

/// Notes that a map is to be replaced by one whose directory has another shape.
void trn_chunk_index_note_step(TrnChunkIndex *index, const TrnPageMap *old, const TrnPageMap *next);

/// Whether all planes of a query are there, and it asks for at least one here.
static inline bool trn_chunk_index_query_is_valid(const TrnChunkIndex *index,
                                                  const TrnPlaneQuery *query)
{
    uint64_t planes =
        (uint64_t)query->all | query->any | query->none | query->all_faces | query->all_around;
    return query->all != 0 && planes >> index->plane_count == 0;
}

#endif

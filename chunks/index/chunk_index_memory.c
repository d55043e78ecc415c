// Memory of an index: creates and drops pages, publishes the maps through which readers find them,
// and retires what is replaced. Also clears and reserves.

#include <terrane/chunk_index.h>

#include <string.h>

#include "chunk_index_impl.h"

/// The most that one write retires: a page and a map.
#define INDEX_RETIRED_BY_WRITE 2

// ---- retiring ----------------------------------------------------------------------------------

static void memory_free_page(void *page, void *context)
{
    TrnChunkIndex *index = context;
    trn_pool_free(index->pages, trn_pool_id(index->pages, page));
}

void trn_chunk_index_free_map(void *map, void *context)
{
    (void)context;
    trn_page_map_destroy(map);
}

TrnResult trn_chunk_index_begin_retiring(TrnChunkIndex *index)
{
    TrnRetire *retire = &index->retire;
    if (retire->bytes > index->retired_bytes_max) {
        trn_retire_reclaim(retire);
        if (retire->bytes > index->retired_bytes_max) {
            return TRN_RESULT_READERS;
        }
    }
    return trn_retire_reserve(retire, INDEX_RETIRED_BY_WRITE);
}

/// Records a reshape of the directory, if the next map has another directory.
static void memory_note_step(TrnChunkIndex *index, const TrnPageMap *old, const TrnPageMap *next)
{
    if (old->directory == next->directory) {
        return; // only the outlier hash changed
    }
    const uint64_t number = ++index->step_count;
    index->steps[number % TRN_DIRECTORY_STEPS_MAX] =
        (TrnDirectoryStep){.number = number,
                           .from = trn_page_map_box(old),
                           .to = trn_page_map_box(next),
                           .pages = old->directory_pages,
                           .us = next->directory->made_us};
}

/// Makes a map the one that new readers see, and retires the old one.
static void memory_publish(TrnChunkIndex *index, TrnPageMap *next)
{
    TrnPageMap *old = trn_chunk_index_map(index);
    if (next == old) {
        return;
    }
    memory_note_step(index, old, next);
    atomic_store_explicit(&index->map, next, memory_order_release);
    trn_retire(&index->retire, old, trn_chunk_index_free_map, trn_page_map_bytes(old, next));
}

// ---- pages -------------------------------------------------------------------------------------

/// Links a page that is not in the map yet to its six neighbours. Done before readers can find the
/// page, because a reader that finds it must find its neighbours too.
static void memory_link_to_neighbours(const TrnPageMap *map, TrnPage *page)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnCoord behind = trn_page_coord_behind(page->coord, (TrnFace)face);
        TrnPage *there = trn_page_map_find(map, behind.x, behind.y, behind.z);
        atomic_store_explicit(&page->neighbours[face], there, memory_order_relaxed);
    }
}

/// Links the six neighbours of a page to `link`: the page itself, or NULL when it is dropped.
static void memory_link_neighbours_to(TrnPage *page, TrnPage *link)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        TrnPage *there = trn_page_neighbour(page, (TrnFace)face);
        if (there) {
            atomic_store_explicit(&there->neighbours[face ^ 1], link, memory_order_release);
        }
    }
}

TrnResult trn_chunk_index_make_page(TrnChunkIndex *index, TrnCoord coord, TrnPage **page)
{
    TrnResult result = trn_chunk_index_begin_retiring(index);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPoolId id;
    void *slot;
    result = trn_pool_alloc(index->pages, &id, &slot);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPage *made = slot;
    memset(made, 0, trn_page_bytes(index->plane_count));
    made->coord = coord;
    TrnPageMap *map = trn_chunk_index_map(index), *next;
    memory_link_to_neighbours(map, made);
    result = trn_page_map_add(map, made, &next);
    if (result != TRN_RESULT_OK) {
        trn_pool_free(index->pages, id);
        return result;
    }
    memory_publish(index, next);
    memory_link_neighbours_to(made, made);
    *page = made;
    return TRN_RESULT_OK;
}

void trn_chunk_index_drop_page(TrnChunkIndex *index, TrnPage *page)
{
    TrnPageMap *map = trn_chunk_index_map(index);
    trn_page_map_remove(map, page);
    memory_link_neighbours_to(page, NULL);
    trn_retire(&index->retire, page, memory_free_page, trn_page_bytes(index->plane_count));
    // Without memory for a smaller map, the map stays as it is.
    TrnPageMap *next = map;
    if (trn_page_map_fit(map, &next) == TRN_RESULT_OK) {
        memory_publish(index, next);
    }
}

// ---- clear and reserve -------------------------------------------------------------------------

TrnResult trn_chunk_index_clear(TrnChunkIndex *index)
{
    TrnResult result = trn_chunk_index_begin_retiring(index);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const uint32_t pages = trn_pool_stats(index->pages).taken;
    result = trn_retire_reserve(&index->retire, (size_t)pages + 1);
    TrnPageMap *next;
    if (result == TRN_RESULT_OK) {
        result = trn_page_map_create(&index->allocator, index->directory_bytes_max, &next);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPageMap *old = trn_chunk_index_map(index);
    memory_note_step(index, old, next);
    atomic_store_explicit(&index->map, next, memory_order_release);
    TrnPageWalk walk = trn_page_walk(old, trn_page_box(trn_box_everything()));
    for (TrnPage *page; (page = trn_page_walk_next(&walk));) {
        trn_retire(&index->retire, page, memory_free_page, trn_page_bytes(index->plane_count));
    }
    trn_retire(&index->retire, old, trn_chunk_index_free_map, trn_page_map_bytes(old, NULL));
    index->chunk_count = 0;
    return TRN_RESULT_OK;
}

TrnResult trn_chunk_index_reserve(TrnChunkIndex *index, TrnBox box)
{
    if (trn_box_is_empty(box)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnResult result = trn_chunk_index_begin_retiring(index);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPageMap *next;
    result = trn_page_map_reserve(trn_chunk_index_map(index), trn_page_box(box), &next);
    if (result == TRN_RESULT_OK) {
        memory_publish(index, next);
    }
    return result;
}

// Maps page coordinates to pages: creates the map, and applies writes to the present version and to
// the one that is being built.

#include "page_map.h"

#include <stdalign.h>
#include <string.h>

#include "page_build.h"
#include "page_shape.h"

TrnResult trn_page_map_create(TrnPageMemory *memory, size_t directory_bytes_max, uint64_t hash_key,
                              TrnPageMap **map)
{
    TrnPageMapShared *shared = trn_page_take(memory, sizeof *shared, alignof(TrnPageMapShared));
    if (!shared) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(shared, 0, sizeof *shared);
    shared->memory = memory;
    shared->directory_bytes_max = directory_bytes_max;
    shared->versions = 1;
    trn_page_hash_init(&shared->hash, hash_key, memory);
    const TrnBox nothing = {{1, 1, 1}, {0, 0, 0}};
    TrnPageDirectory *directory = trn_page_directory_create(memory, nothing);
    TrnPageList *list = directory ? trn_page_list_create(memory, 0) : NULL;
    TrnPageMap *made = list ? trn_page_version_make(shared, directory, list) : NULL;
    if (!made) {
        trn_page_directory_destroy(directory);
        trn_page_list_destroy(list);
        trn_page_give(memory, shared, sizeof *shared);
        return TRN_RESULT_NO_MEMORY;
    }
    *map = made;
    return TRN_RESULT_OK;
}

void trn_page_map_destroy(TrnPageMap *map)
{
    if (map) {
        trn_page_version_free_published(map);
    }
}

static void map_reclaim(TrnRetireLink *link, void *context)
{
    (void)context;
    TrnPageMap *map = (TrnPageMap *)(void *)link;
    map->block.memory->retired_bytes -= map->retired_bytes;
    trn_page_version_free_published(map);
}

static const TrnRetireOwner map_owner = {map_reclaim, NULL};

void trn_page_map_retire(TrnPageMap *map, const TrnPageMap *next)
{
    map->retired_bytes = sizeof *map;
    if (!next || next->directory != map->directory) {
        map->retired_bytes += trn_page_directory_bytes(map->directory);
    }
    if (!next || next->list != map->list) {
        map->retired_bytes += trn_page_list_bytes(map->list);
    }
    map->block.memory->retired_bytes += map->retired_bytes;
    trn_retire_link(map->block.memory->retire, &map_owner, &map->block.link);
}

TrnPageMapFigures trn_page_map_figures(const TrnPageMap *map)
{
    const TrnPageMapShared *shared = map->shared;
    const TrnPageMapFigures figures = {.pages = shared->pages,
                                       .outliers = shared->pages - map->directory->pages,
                                       .directory_pages = map->directory->pages,
                                       .directory_cells = map->directory->cell_count,
                                       .directory_growths = shared->growths,
                                       .hash_key = shared->hash.key};
    return figures;
}

TrnBox trn_page_map_box(const TrnPageMap *map)
{
    return trn_page_directory_box(map->directory);
}

// ---- writes ------------------------------------------------------------------------------------

/// Tells look-ups outside the directory's box whether the hash has pages.
static void map_mark_outside(TrnPageMap *map)
{
    TrnPage *outside = map->shared->hash.count > 0 ? TRN_PAGE_OUTSIDE : NULL;
    if (atomic_load_explicit(&map->cells[-1], memory_order_relaxed) != outside) {
        atomic_store_explicit(&map->cells[-1], outside, memory_order_release);
    }
}

/// Applies the addition of a page to the directory that is being built. A page for which there is
/// no memory in the hash ends the build.
static void map_add_to_next(TrnPageMap *map, TrnPage *page, bool is_outlier)
{
    TrnPageDirectory *next = trn_page_version_next_directory(map);
    if (!next) {
        return;
    }
    const size_t cell = trn_page_directory_cell(next, trn_page_coord_of(page));
    if (cell == SIZE_MAX) {
        if (!is_outlier && trn_page_version_evacuate(map, page) != TRN_RESULT_OK) {
            trn_page_version_abort_build(map->shared);
        }
    } else if (cell < map->shared->build.cells) {
        trn_page_directory_add(next, cell, page);
    }
}

/// Adds a page outside the directory: to the next directory if that can be built at once, otherwise
/// to the outlier pages. Errors: NO_MEMORY.
static TrnResult map_add_outside(TrnPageMap *map, TrnPage *page, TrnPageMap **next)
{
    TrnPageMapShared *shared = map->shared;
    const TrnCoord coord = trn_page_coord_of(page);
    if (!shared->build.next && trn_page_shape_start_with(map, coord) && shared->build.at_once) {
        trn_page_build_continue(map, next);
    }
    if (*next != map) {
        TrnPageDirectory *directory = (*next)->directory;
        trn_page_directory_add(directory, trn_page_directory_cell(directory, coord), page);
        return TRN_RESULT_OK;
    }
    const TrnResult result = trn_page_version_add_outlier(map, page);
    if (result == TRN_RESULT_OK) {
        map_add_to_next(map, page, true);
        if (!shared->build.next) {
            (void)trn_page_shape_start_at(map, coord); // new pages are likely near each other
        }
    }
    return result;
}

TrnResult trn_page_map_add(TrnPageMap *map, TrnPage *page, TrnPageMap **next)
{
    TrnPageMapShared *shared = map->shared;
    const size_t cell = trn_page_directory_cell(map->directory, trn_page_coord_of(page));
    *next = map;
    trn_page_shape_count_change(shared);
    if (cell != SIZE_MAX) {
        trn_page_directory_add(map->directory, cell, page);
        map_add_to_next(map, page, false);
    } else {
        const TrnResult result = map_add_outside(map, page, next);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    shared->pages++;
    if (*next == map) {
        trn_page_shape_work(map, next);
    }
    map_mark_outside(*next);
    return TRN_RESULT_OK;
}

void trn_page_map_remove(TrnPageMap *map, const TrnPage *page)
{
    TrnPageMapShared *shared = map->shared;
    const TrnCoord coord = trn_page_coord_of(page);
    const size_t cell = trn_page_directory_cell(map->directory, coord);
    if (cell != SIZE_MAX) {
        trn_page_directory_remove(map->directory, cell);
    }
    trn_page_version_replace_outlier(map, coord, page, NULL);
    TrnPageDirectory *next = trn_page_version_next_directory(map);
    const size_t next_cell = next ? trn_page_directory_cell(next, coord) : SIZE_MAX;
    if (next_cell < shared->build.cells && next->cells[next_cell] == page) {
        trn_page_directory_remove(next, next_cell);
    }
    shared->pages--;
}

void trn_page_map_replace(TrnPageMap *map, const TrnPage *page, TrnPage *other)
{
    TrnPageMapShared *shared = map->shared;
    const TrnCoord coord = trn_page_coord_of(page);
    _Atomic(TrnPage *) *cell = trn_page_map_cell(map, coord.x, coord.y, coord.z);
    if (cell) {
        atomic_store_explicit(cell, other, memory_order_release);
    }
    trn_page_version_replace_outlier(map, coord, page, other);
    TrnPageDirectory *next = trn_page_version_next_directory(map);
    const size_t next_cell = next ? trn_page_directory_cell(next, coord) : SIZE_MAX;
    if (next_cell < shared->build.cells && next->cells[next_cell] == page) {
        atomic_store_explicit(&next->cells[next_cell], other, memory_order_release);
    }
}

TrnResult trn_page_map_reserve(TrnPageMap *map, TrnBox pages, TrnPageMap **next)
{
    const TrnBox present = trn_page_map_box(map);
    const TrnBox box = trn_page_box_with(present, pages);
    *next = map;
    if (trn_page_box_covers(present, pages)) {
        trn_page_version_abort_build(map->shared); // it may be smaller
        map->directory->reserved = true;
        return TRN_RESULT_OK;
    }
    if (trn_page_box_volume(box) > map->shared->directory_bytes_max / sizeof(_Atomic(TrnPage *))) {
        return TRN_RESULT_OUT_OF_RANGE;
    }
    trn_page_version_abort_build(map->shared);
    TrnResult result = trn_page_build_start_directory(map, box);
    if (result == TRN_RESULT_OK) {
        map->shared->build.next->directory->reserved = true;
        result = trn_page_build_step(map, SIZE_MAX);
    }
    if (result == TRN_RESULT_OK) {
        *next = trn_page_build_take(map);
        map_mark_outside(*next);
    }
    return result;
}

void trn_page_map_fit(TrnPageMap *map, TrnPageMap **next)
{
    *next = map;
    trn_page_shape_count_change(map->shared);
    trn_page_shape_work(map, next);
    map_mark_outside(*next);
}

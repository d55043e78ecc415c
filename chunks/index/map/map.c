// Maps page coordinates to pages: creates the map, applies writes to the present version and to the
// one that is being built, and walks the pages of a box.

#include "map.h"

#include <stdalign.h>
#include <string.h>

#include "map_shape.h"

TrnResult trn_map_create(TrnMapMemory *memory, size_t directory_bytes_max, uint64_t hash_key,
                         TrnMap **map)
{
    TrnMapShared *shared = trn_map_take(memory, sizeof *shared, alignof(TrnMapShared));
    if (!shared) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(shared, 0, sizeof *shared);
    shared->memory = memory;
    shared->directory_bytes_max = directory_bytes_max;
    shared->versions = 1;
    trn_map_hash_init(&shared->hash, hash_key, memory);
    const TrnBox nothing = {{1, 1, 1}, {0, 0, 0}};
    TrnMapDirectory *directory = trn_map_directory_create(memory, nothing);
    TrnMapList *list = directory ? trn_map_list_create(memory, 0) : NULL;
    TrnMap *made = list ? trn_map_version_make(shared, directory, list) : NULL;
    if (!made) {
        trn_map_directory_destroy(directory);
        trn_map_list_destroy(list);
        trn_map_give(memory, shared, sizeof *shared);
        return TRN_RESULT_NO_MEMORY;
    }
    *map = made;
    return TRN_RESULT_OK;
}

void trn_map_destroy(TrnMap *map)
{
    if (map) {
        trn_map_version_free_published(map);
    }
}

static void map_reclaim(TrnRetireLink *link, void *context)
{
    (void)context;
    TrnMap *map = (TrnMap *)(void *)link;
    map->block.memory->retired_bytes -= map->retired_bytes;
    trn_map_version_free_published(map);
}

static const TrnRetireOwner map_owner = {map_reclaim, NULL};

void trn_map_retire(TrnMap *map, const TrnMap *next)
{
    map->retired_bytes = sizeof *map;
    if (!next || next->directory != map->directory) {
        map->retired_bytes += trn_map_directory_bytes(map->directory);
    }
    if (!next || next->list != map->list) {
        map->retired_bytes += trn_map_list_bytes(map->list);
    }
    map->block.memory->retired_bytes += map->retired_bytes;
    trn_retire_link(map->block.memory->retire, &map_owner, &map->block.link);
}

TrnMapFigures trn_map_figures(const TrnMap *map)
{
    const TrnMapShared *shared = map->shared;
    const TrnMapFigures figures = {.pages = shared->pages,
                                   .outliers = shared->pages - map->directory->pages,
                                   .directory_pages = map->directory->pages,
                                   .directory_cells = map->directory->cell_count,
                                   .directory_growths = shared->growths,
                                   .hash_key = shared->hash.key};
    return figures;
}

TrnBox trn_map_box(const TrnMap *map)
{
    return trn_map_directory_box(map->directory);
}

// ---- writes ------------------------------------------------------------------------------------

/// Notes whether the hash has pages: look-ups outside the directory's box ask it only then.
static void map_mark_outside(TrnMap *map)
{
    TrnPage *outside = map->shared->hash.count > 0 ? TRN_MAP_OUTSIDE : NULL;
    if (atomic_load_explicit(&map->cells[-1], memory_order_relaxed) != outside) {
        atomic_store_explicit(&map->cells[-1], outside, memory_order_release);
    }
}

/// Applies the addition of a page to the directory that is being built. A page for which there is
/// no memory in the hash ends the build.
static void map_add_to_next(TrnMap *map, TrnPage *page, bool is_outlier)
{
    TrnMapDirectory *next = trn_map_version_next_directory(map);
    if (!next) {
        return;
    }
    const size_t cell = trn_map_directory_cell(next, trn_page_coord_of(page));
    if (cell == SIZE_MAX) {
        if (!is_outlier && trn_map_version_evacuate(map, page) != TRN_RESULT_OK) {
            trn_map_version_abort_build(map->shared);
        }
    } else if (cell < map->shared->build.cells) {
        trn_map_directory_add(next, cell, page);
    }
}

/// Adds a page outside the directory: to the next directory if that can be built at once, otherwise
/// to the outlier pages. Errors: NO_MEMORY.
static TrnResult map_add_outside(TrnMap *map, TrnPage *page, TrnMap **next)
{
    TrnMapShared *shared = map->shared;
    const TrnCoord coord = trn_page_coord_of(page);
    if (!shared->build.next && trn_map_shape_start_with(map, coord) && shared->build.at_once) {
        trn_map_shape_continue(map, next);
    }
    if (*next != map) {
        TrnMapDirectory *directory = (*next)->directory;
        trn_map_directory_add(directory, trn_map_directory_cell(directory, coord), page);
        return TRN_RESULT_OK;
    }
    const TrnResult result = trn_map_version_add_outlier(map, page);
    if (result == TRN_RESULT_OK) {
        map_add_to_next(map, page, true);
        if (!shared->build.next) {
            (void)trn_map_shape_start_at(map, coord); // new pages are likely near each other
        }
    }
    return result;
}

TrnResult trn_map_add(TrnMap *map, TrnPage *page, TrnMap **next)
{
    TrnMapShared *shared = map->shared;
    const size_t cell = trn_map_directory_cell(map->directory, trn_page_coord_of(page));
    *next = map;
    trn_map_shape_count_change(shared);
    if (cell != SIZE_MAX) {
        trn_map_directory_add(map->directory, cell, page);
        map_add_to_next(map, page, false);
    } else {
        const TrnResult result = map_add_outside(map, page, next);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    shared->pages++;
    if (*next == map) {
        trn_map_shape_work(map, next);
    }
    map_mark_outside(*next);
    return TRN_RESULT_OK;
}

void trn_map_remove(TrnMap *map, const TrnPage *page)
{
    TrnMapShared *shared = map->shared;
    const TrnCoord coord = trn_page_coord_of(page);
    const size_t cell = trn_map_directory_cell(map->directory, coord);
    if (cell != SIZE_MAX) {
        trn_map_directory_remove(map->directory, cell);
    }
    trn_map_version_replace_outlier(map, coord, page, NULL);
    TrnMapDirectory *next = trn_map_version_next_directory(map);
    const size_t next_cell = next ? trn_map_directory_cell(next, coord) : SIZE_MAX;
    if (next_cell < shared->build.cells && next->cells[next_cell] == page) {
        trn_map_directory_remove(next, next_cell);
    }
    shared->pages--;
}

void trn_map_replace(TrnMap *map, const TrnPage *page, TrnPage *other)
{
    TrnMapShared *shared = map->shared;
    const TrnCoord coord = trn_page_coord_of(page);
    _Atomic(TrnPage *) *cell = trn_map_cell(map, coord.x, coord.y, coord.z);
    if (cell) {
        atomic_store_explicit(cell, other, memory_order_release);
    }
    trn_map_version_replace_outlier(map, coord, page, other);
    TrnMapDirectory *next = trn_map_version_next_directory(map);
    const size_t next_cell = next ? trn_map_directory_cell(next, coord) : SIZE_MAX;
    if (next_cell < shared->build.cells && next->cells[next_cell] == page) {
        atomic_store_explicit(&next->cells[next_cell], other, memory_order_release);
    }
}

TrnResult trn_map_reserve(TrnMap *map, TrnBox pages, TrnMap **next)
{
    const TrnBox present = trn_map_box(map);
    const TrnBox box = trn_map_box_with(present, pages);
    *next = map;
    if (trn_map_box_covers(present, pages)) {
        trn_map_version_abort_build(map->shared); // it may be smaller
        map->directory->reserved = true;
        return TRN_RESULT_OK;
    }
    if (trn_map_box_volume(box) > map->shared->directory_bytes_max / sizeof(_Atomic(TrnPage *))) {
        return TRN_RESULT_OUT_OF_RANGE;
    }
    const TrnResult result = trn_map_shape_reserve(map, box, next);
    if (result == TRN_RESULT_OK) {
        map_mark_outside(*next);
    }
    return result;
}

void trn_map_fit(TrnMap *map, TrnMap **next)
{
    *next = map;
    trn_map_shape_count_change(map->shared);
    trn_map_shape_work(map, next);
    map_mark_outside(*next);
}

// ---- walks -------------------------------------------------------------------------------------

/// How many places of the list ahead pages are prefetched.
#define MAP_WALK_PREFETCH 8

/// Sets the row of the walk from its y and z.
static void map_walk_row(TrnMapWalk *walk)
{
    const TrnMap *map = walk->map;
    const size_t first = (size_t)(walk->low[0] - map->origin[0]) +
                         (size_t)(walk->z - map->origin[2]) * map->stride_z +
                         (size_t)(walk->y - map->origin[1]) * map->stride_y;
    walk->row = map->cells + first;
    walk->row_end = walk->row + (walk->high[0] - walk->low[0] + 1);
}

/// Sets the part of the box inside the directory. Returns whether the whole box is.
static bool map_walk_clip(TrnMapWalk *walk)
{
    const TrnMap *map = walk->map;
    const int64_t min[3] = {walk->box.min.x, walk->box.min.y, walk->box.min.z};
    const int64_t max[3] = {walk->box.max.x, walk->box.max.y, walk->box.max.z};
    bool is_inside = true, is_apart = false;
    for (int axis = 0; axis < 3; axis++) {
        const int64_t origin = map->origin[axis], last = origin + map->extent[axis] - 1;
        walk->low[axis] = min[axis] > origin ? min[axis] : origin;
        walk->high[axis] = max[axis] < last ? max[axis] : last;
        is_inside &= min[axis] >= origin && max[axis] <= last;
        is_apart |= walk->low[axis] > walk->high[axis];
    }
    if (is_apart) {
        walk->low[1] = 0;
        walk->high[1] = -1;
    }
    walk->y = walk->low[1];
    walk->z = walk->low[2];
    if (!is_apart) {
        map_walk_row(walk);
    }
    return is_inside;
}

TrnMapWalk trn_map_walk(const TrnMap *map, TrnBox pages)
{
    TrnMapWalk walk = {.map = map, .box = pages, .probe = pages.min};
    if (trn_box_is_empty(pages)) {
        walk.high[1] = -1;
        return walk;
    }
    const bool is_inside = map_walk_clip(&walk);
    // Later entries are of pages added since.
    const uint32_t places = is_inside ? 0 : trn_map_list_count(map->list);
    // Looking up each page of a small box costs less than reading the whole list.
    walk.probing = trn_map_box_volume(pages) < places;
    walk.outlier_end = walk.probing ? 0 : places;
    return walk;
}

/// Moves to the next row of the directory. Returns false past the last.
static bool map_walk_next_row(TrnMapWalk *walk)
{
    if (walk->y > walk->high[1]) {
        return false;
    }
    if (++walk->z > walk->high[2]) {
        walk->z = walk->low[2];
        if (++walk->y > walk->high[1]) {
            walk->row = walk->row_end = NULL;
            return false;
        }
    }
    map_walk_row(walk);
    return true;
}

/// Moves the probe to the next coordinate, x fastest, then z, then y; ends probing at the last.
static void map_walk_step(TrnMapWalk *walk)
{
    if (walk->probe.x < walk->box.max.x) {
        walk->probe.x++;
        return;
    }
    walk->probe.x = walk->box.min.x;
    if (walk->probe.z < walk->box.max.z) {
        walk->probe.z++;
        return;
    }
    walk->probe.z = walk->box.min.z;
    walk->probing = walk->probe.y < walk->box.max.y;
    walk->probe.y += walk->probing;
}

static TrnPage *map_walk_next_probe(TrnMapWalk *walk)
{
    while (walk->probing) {
        const TrnCoord page = walk->probe;
        map_walk_step(walk);
        if (!trn_map_cell(walk->map, page.x, page.y, page.z)) {
            TrnPage *found = trn_map_hash_find(walk->map->hash, page.x, page.y, page.z);
            if (found) {
                return found;
            }
        }
    }
    return NULL;
}

static TrnPage *map_walk_next_listed(TrnMapWalk *walk)
{
    const TrnMap *map = walk->map;
    while (walk->outlier < walk->outlier_end) {
        if (walk->outlier + MAP_WALK_PREFETCH < walk->outlier_end) {
            __builtin_prefetch(trn_map_list_at(map->list, walk->outlier + MAP_WALK_PREFETCH));
        }
        TrnPage *page = trn_map_list_at(map->list, walk->outlier++);
        if (page) {
            const TrnCoord at = trn_page_coord_of(page);
            // A page in the directory's box was or will be an outlier page of another version.
            if (trn_box_contains(walk->box, at) && !trn_map_cell(map, at.x, at.y, at.z)) {
                return page;
            }
        }
    }
    return NULL;
}

TrnPage *trn_map_walk_next(TrnMapWalk *walk)
{
    do {
        while (walk->row != walk->row_end) {
            TrnPage *page = atomic_load_explicit(walk->row++, memory_order_acquire);
            if (page) {
                return page;
            }
        }
    } while (map_walk_next_row(walk));
    return walk->probing ? map_walk_next_probe(walk) : map_walk_next_listed(walk);
}

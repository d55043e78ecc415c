// Maps page coordinates to pages: the directory, the hash of outlier pages, the rules by which they
// grow and shrink, and the walk over both.

#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)

#include "page_map.h"

#include <stdalign.h>
#include <string.h>
#include <time.h>

#include "base/coord_map.h"
#include "base/memory.h"
#include "spatial_extent.h"

#define PAGE_HASH_CAPACITY_FIRST 16u

/// Marks a slot of the hash whose page was removed; probing continues past it.
static TrnPage page_tombstone;

static bool page_is_real(const TrnPage *page)
{
    return page && page != &page_tombstone;
}

static size_t page_hash_bytes(uint32_t capacity)
{
    return capacity * sizeof(_Atomic(TrnPage *));
}

static _Atomic(TrnPage *) *page_map_cell_of(const TrnPageMap *map, const TrnPage *page)
{
    const TrnCoord at = trn_page_coord_of(page);
    return trn_page_map_cell(map, at.x, at.y, at.z);
}

static TrnPage *page_hash_load(const TrnPageMap *map, uint32_t slot)
{
    return atomic_load_explicit(&map->hash[slot], memory_order_acquire);
}

TrnPage *trn_page_map_find_outlier(const TrnPageMap *map, int32_t x, int32_t y, int32_t z)
{
    const TrnCoord page = {x, y, z};
    const uint32_t mask = map->hash_capacity - 1;
    // At least one slot is empty, so the probe ends. It is bounded all the same, for a reader
    // during whose probe the writer fills slots.
    uint32_t slot = trn_coord_hash(page, 0) & mask;
    for (uint32_t i = 0; i <= mask; i++, slot = (slot + 1) & mask) {
        TrnPage *found = page_hash_load(map, slot);
        if (!found) {
            return NULL;
        }
        if (found != &page_tombstone && trn_coord_equal(trn_page_coord_of(found), page)) {
            return found;
        }
    }
    return NULL;
}

static void page_directory_free_unused(TrnPageDirectory *directory, const TrnAllocator *allocator)
{
    if (directory->users == 0) {
        trn_spatial_array_destroy(directory->array);
        trn_give(allocator, directory, sizeof *directory);
    }
}

void trn_page_map_destroy(TrnPageMap *map)
{
    if (!map) {
        return;
    }
    const TrnAllocator allocator = map->allocator;
    map->directory->users--;
    page_directory_free_unused(map->directory, &allocator);
    trn_give(&allocator, map->hash, page_hash_bytes(map->hash_capacity));
    trn_give(&allocator, map, sizeof *map);
}

size_t trn_page_map_bytes(const TrnPageMap *map, const TrnPageMap *next)
{
    size_t bytes = sizeof *map + page_hash_bytes(map->hash_capacity);
    if (!next || next->directory != map->directory) {
        bytes += sizeof *map->directory + trn_spatial_array_stats(map->directory->array).bytes;
    }
    return bytes;
}

TrnBox trn_page_map_box(const TrnPageMap *map)
{
    const int32_t *origin = map->origin;
    TrnBox box = {{1, 1, 1}, {0, 0, 0}};
    if (map->extent[0]) {
        box.min = (TrnCoord){origin[0], origin[1], origin[2]};
        box.max = (TrnCoord){(int32_t)(origin[0] + (int64_t)map->extent[0] - 1),
                             (int32_t)(origin[1] + (int64_t)map->extent[1] - 1),
                             (int32_t)(origin[2] + (int64_t)map->extent[2] - 1)};
    }
    return box;
}

/// Copies the directory's shape into the map.
static void page_map_copy_shape(TrnPageMap *map)
{
    const TrnSpatialArray *array = map->directory->array;
    map->cells = (_Atomic(TrnPage *) *)(void *)array->cells;
    for (int axis = 0; axis < 3; axis++) {
        map->origin[axis] = (int32_t)array->origin[axis];
        map->extent[axis] = (uint32_t)array->extent[axis];
    }
    map->stride_z = map->extent[0];
    map->stride_y = (size_t)map->extent[0] * map->extent[2];
}

/// Creates a directory without pages. @param extent  NULL for no cells
static TrnResult page_directory_create(const TrnAllocator *allocator, size_t bytes_max,
                                       const TrnSpatialExtent *extent, TrnPageDirectory **directory)
{
    TrnPageDirectory *made = trn_take(allocator, sizeof *made, alignof(TrnPageDirectory));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnPageDirectory){0};
    TrnSpatialArrayDef def = trn_spatial_array_def(sizeof(TrnPage *));
    def.bytes_max = bytes_max;
    def.allocator = allocator;
    TrnResult result = trn_spatial_array_create(&def, &made->array);
    if (result == TRN_RESULT_OK && extent && extent->extent[0] > 0) {
        result = trn_spatial_array_move_to(made->array, extent);
    }
    if (result != TRN_RESULT_OK) {
        trn_spatial_array_destroy(made->array);
        trn_give(allocator, made, sizeof *made);
        return result;
    }
    *directory = made;
    return TRN_RESULT_OK;
}

/// Creates a map over a directory, without outlier pages. Does not own the directory on failure.
static TrnResult page_map_make(const TrnAllocator *allocator, TrnPageDirectory *directory,
                               uint32_t hash_capacity, TrnPageMap **map)
{
    TrnPageMap *made = trn_take(allocator, sizeof *made, alignof(TrnPageMap));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    *made = (TrnPageMap){.allocator = *allocator};
    if (hash_capacity) {
        made->hash = trn_take(allocator, page_hash_bytes(hash_capacity), TRN_CACHE_LINE);
        if (!made->hash) {
            trn_give(allocator, made, sizeof *made);
            return TRN_RESULT_NO_MEMORY;
        }
        memset(made->hash, 0, page_hash_bytes(hash_capacity));
        made->hash_capacity = hash_capacity;
    }
    made->directory = directory;
    directory->users++;
    page_map_copy_shape(made);
    *map = made;
    return TRN_RESULT_OK;
}

TrnResult trn_page_map_create(const TrnAllocator *allocator, size_t directory_bytes_max,
                              TrnPageMap **map)
{
    TrnPageDirectory *directory;
    TrnResult result = page_directory_create(allocator, directory_bytes_max, NULL, &directory);
    if (result == TRN_RESULT_OK) {
        result = page_map_make(allocator, directory, 0, map);
        page_directory_free_unused(directory, allocator);
    }
    return result;
}

/// Stores a page in the directory or the hash. Returns false if neither has capacity for it.
static bool page_map_put(TrnPageMap *map, TrnPage *page)
{
    _Atomic(TrnPage *) *cell = page_map_cell_of(map, page);
    if (cell) {
        atomic_store_explicit(cell, page, memory_order_release);
        map->directory_pages++;
        map->changes++;
        return true;
    }
    // At most half full, so that probes are short and always reach an empty slot.
    if ((map->hash_used + 1) * 2 > map->hash_capacity) {
        return false;
    }
    const uint32_t mask = map->hash_capacity - 1;
    uint32_t slot = trn_coord_hash(trn_page_coord_of(page), 0) & mask;
    while (page_is_real(page_hash_load(map, slot))) {
        slot = (slot + 1) & mask;
    }
    map->hash_used += page_hash_load(map, slot) == NULL;
    map->hash_pages++;
    map->changes++;
    atomic_store_explicit(&map->hash[slot], page, memory_order_release);
    return true;
}

static bool page_extent_contains(const TrnSpatialExtent *extent, TrnCoord page)
{
    const int64_t at[3] = {page.x, page.y, page.z};
    for (int axis = 0; axis < 3; axis++) {
        if (at[axis] < extent->origin[axis] ||
            at[axis] >= extent->origin[axis] + extent->extent[axis]) {
            return false;
        }
    }
    return true;
}

/// Returns the capacity of a hash for the outlier pages outside an extent, and `spare` more.
static uint32_t page_map_hash_capacity(const TrnPageMap *map, const TrnSpatialExtent *extent,
                                       uint32_t spare)
{
    uint32_t outliers = spare;
    for (uint32_t slot = 0; slot < map->hash_capacity; slot++) {
        const TrnPage *page = page_hash_load(map, slot);
        outliers += page_is_real(page) && !page_extent_contains(extent, trn_page_coord_of(page));
    }
    if (outliers == 0) {
        return 0;
    }
    uint32_t capacity = PAGE_HASH_CAPACITY_FIRST;
    while (capacity / 4 < outliers) { // a quarter full at first, so that as many more fit
        capacity *= 2;
    }
    return capacity;
}

/// Makes the next version of a map, over a directory that has all pages of the map's directory.
static TrnResult page_map_rebuild(const TrnPageMap *map, TrnPageDirectory *directory,
                                  const TrnSpatialExtent *extent, uint32_t spare, TrnPageMap **next)
{
    TrnPageMap *made;
    TrnResult result = page_map_make(&map->allocator, directory,
                                     page_map_hash_capacity(map, extent, spare), &made);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    made->directory_pages = map->directory_pages;
    for (uint32_t slot = 0; slot < map->hash_capacity; slot++) {
        TrnPage *page = page_hash_load(map, slot);
        if (page_is_real(page)) {
            bool put = page_map_put(made, page);
            TRN_ASSERT(put);
            (void)put;
        }
    }
    made->changes = 0; // copying outlier pages is no change
    *next = made;
    return TRN_RESULT_OK;
}

/// Makes the next version with the same directory and capacity for `spare` more outlier pages.
static TrnResult page_map_rehash(const TrnPageMap *map, uint32_t spare, TrnPageMap **next)
{
    const TrnSpatialExtent extent = trn_spatial_extent_of(map->directory->array);
    return page_map_rebuild(map, map->directory, &extent, spare, next);
}

static double page_map_clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

/// Makes the next version with a directory of another extent that has all pages of the current one.
/// Copies cells row by row: reading each page instead would miss the cache for each.
static TrnResult page_map_reshape(const TrnPageMap *map, const TrnSpatialExtent *extent,
                                  TrnPageMap **next)
{
    const TrnSpatialArray *array = map->directory->array;
    const double start = page_map_clock_us();
    TrnPageDirectory *directory;
    TrnResult result = page_directory_create(&map->allocator, array->bytes_max, extent, &directory);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    trn_spatial_array_copy_shared(array, directory->array);
    directory->array->growths = array->growths + 1;
    directory->reserved = map->directory->reserved;
    result = page_map_rebuild(map, directory, extent, 0, next);
    directory->made_us = page_map_clock_us() - start;
    page_directory_free_unused(directory, &map->allocator);
    return result;
}

/// Returns whether an extent is small enough for a number of pages, in cells and in bytes.
static bool page_extent_is_dense(const TrnPageMap *map, const TrnSpatialExtent *extent,
                                 uint64_t pages)
{
    uint64_t cells = 1, most = pages * TRN_PAGE_MAP_CELLS_PER_PAGE;
    uint64_t most_bytes = map->directory->array->bytes_max / sizeof(TrnPage *);
    most = most < most_bytes ? most : most_bytes;
    for (int axis = 0; axis < 3; axis++) {
        if (__builtin_mul_overflow(cells, (uint64_t)extent->extent[axis], &cells)) {
            return false;
        }
    }
    return cells <= most;
}

static void page_extent_include(TrnSpatialExtent *extent, TrnCoord page)
{
    const int64_t at[3] = {page.x, page.y, page.z};
    for (int axis = 0; axis < 3; axis++) {
        if (extent->extent[axis] == 0) {
            extent->origin[axis] = at[axis];
            extent->extent[axis] = 1;
        }
        int64_t end = extent->origin[axis] + extent->extent[axis];
        int64_t low = extent->origin[axis] < at[axis] ? extent->origin[axis] : at[axis];
        end = end > at[axis] + 1 ? end : at[axis] + 1;
        extent->origin[axis] = low;
        extent->extent[axis] = end - low;
    }
}

/// Returns the tightest extent around the pages of the directory and, optionally, the outliers.
static TrnSpatialExtent page_map_tight(const TrnPageMap *map, bool outliers)
{
    TrnSpatialExtent extent = {{0}, {0}};
    size_t cursor = 0;
    TrnCoord coord;
    // The array's own count is not maintained, because its cells are stored as atomics; this walk
    // reads the cells themselves.
    while (trn_spatial_array_next(map->directory->array, &cursor, &coord)) {
        page_extent_include(&extent, coord);
    }
    for (uint32_t slot = 0; outliers && slot < map->hash_capacity; slot++) {
        TrnPage *page = page_hash_load(map, slot);
        if (page_is_real(page)) {
            page_extent_include(&extent, trn_page_coord_of(page));
        }
    }
    return extent;
}

/// Returns whether enough pages have changed to pay for a search of all cells and slots. If so,
/// starts counting changes from zero.
static bool page_map_may_search(TrnPageMap *map)
{
    size_t cost = trn_spatial_array_stats(map->directory->array).cells + map->hash_capacity;
    if ((uint64_t)map->changes * TRN_PAGE_MAP_CELLS_PER_PAGE < cost) {
        return false;
    }
    map->changes = 0;
    return true;
}

/// Finds an extent that includes a new page and is dense: first the directory, doubled towards it;
/// then a new fit around all pages; then one around those of the directory alone, for an anchor
/// that moves and leaves empty cells behind. Returns false if none is dense.
static bool page_map_extent_for(TrnPageMap *map, TrnCoord page, TrnSpatialExtent *extent)
{
    uint64_t pages = (uint64_t)map->directory_pages + map->hash_pages + 1;
    *extent = trn_spatial_extent_grown(map->directory->array, (TrnBox){page, page});
    if (page_extent_is_dense(map, extent, pages)) {
        return true;
    }
    if (map->directory->reserved || !page_map_may_search(map)) {
        return false;
    }
    for (int outliers = 1; outliers >= 0; outliers--) {
        *extent = page_map_tight(map, outliers);
        page_extent_include(extent, page);
        if (page_extent_is_dense(map, extent, pages)) {
            return true;
        }
    }
    return false;
}

TrnResult trn_page_map_add(TrnPageMap *map, TrnPage *page, TrnPageMap **next)
{
    TrnSpatialExtent extent;
    if (page_map_cell_of(map, page)) {
        page_map_put(map, page);
        *next = map;
        return TRN_RESULT_OK;
    }
    TrnPageMap *made;
    TrnResult result;
    if (page_map_extent_for(map, trn_page_coord_of(page), &extent)) {
        result = page_map_reshape(map, &extent, &made);
    } else if (page_map_put(map, page)) {
        *next = map;
        return TRN_RESULT_OK;
    } else {
        result = page_map_rehash(map, 1, &made);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    page_map_put(made, page);
    *next = made;
    return TRN_RESULT_OK;
}

/// Returns the slot of the hash that has an outlier page.
static _Atomic(TrnPage *) *page_map_slot_of(const TrnPageMap *map, const TrnPage *page)
{
    const uint32_t mask = map->hash_capacity - 1;
    uint32_t slot = trn_coord_hash(trn_page_coord_of(page), 0) & mask;
    while (page_hash_load(map, slot) != page) {
        slot = (slot + 1) & mask;
    }
    return &map->hash[slot];
}

void trn_page_map_remove(TrnPageMap *map, const TrnPage *page)
{
    _Atomic(TrnPage *) *cell = page_map_cell_of(map, page);
    map->changes++;
    if (cell) {
        atomic_store_explicit(cell, NULL, memory_order_release);
        map->directory_pages--;
        return;
    }
    atomic_store_explicit(page_map_slot_of(map, page), &page_tombstone, memory_order_release);
    map->hash_pages--;
}

void trn_page_map_replace(TrnPageMap *map, const TrnPage *old_page, TrnPage *new_page)
{
    _Atomic(TrnPage *) *cell = page_map_cell_of(map, old_page);
    cell = cell ? cell : page_map_slot_of(map, old_page);
    atomic_store_explicit(cell, new_page, memory_order_release);
}

TrnResult trn_page_map_reserve(TrnPageMap *map, TrnBox pages, TrnPageMap **next)
{
    const TrnSpatialExtent present = trn_spatial_extent_of(map->directory->array);
    TrnSpatialExtent extent = present;
    page_extent_include(&extent, pages.min);
    page_extent_include(&extent, pages.max);
    *next = map;
    TrnResult result = TRN_RESULT_OK;
    if (memcmp(&extent, &present, sizeof extent) != 0) {
        result = page_map_reshape(map, &extent, next);
    }
    if (result == TRN_RESULT_OK) {
        (*next)->directory->reserved = true;
    }
    return result;
}

TrnResult trn_page_map_fit(TrnPageMap *map, TrnPageMap **next)
{
    // Shrinks only when four times as sparse as growth allows: after an anchor moved far, or after
    // a world was unloaded.
    const uint64_t pages = (uint64_t)map->directory_pages + 1;
    const size_t cells = trn_spatial_array_stats(map->directory->array).cells;
    *next = map;
    if (map->hash_capacity > PAGE_HASH_CAPACITY_FIRST &&
        map->hash_capacity / TRN_PAGE_MAP_CELLS_PER_PAGE > map->hash_pages + 1) {
        return page_map_rehash(map, 0, next);
    }
    if (map->directory->reserved || cells < 1024 ||
        cells / ((size_t)TRN_PAGE_MAP_CELLS_PER_PAGE * 4) < pages) {
        return TRN_RESULT_OK;
    }
    TrnSpatialExtent tight = {{0}, {0}}; // fits an empty directory, without a search
    if (map->directory_pages > 0) {
        if (!page_map_may_search(map)) {
            return TRN_RESULT_OK;
        }
        tight = page_map_tight(map, false);
    }
    return page_extent_is_dense(map, &tight, pages) ? page_map_reshape(map, &tight, next)
                                                    : TRN_RESULT_OK;
}

// ---- walk --------------------------------------------------------------------------------------

/// Sets the row of the walk from its y and z.
static void page_walk_row(TrnPageWalk *walk)
{
    const TrnSpatialArray *directory = walk->map->directory->array;
    int64_t row =
        (walk->z - directory->origin[2]) + directory->extent[2] * (walk->y - directory->origin[1]);
    int64_t first = row * directory->extent[0] + (walk->low[0] - directory->origin[0]);
    const _Atomic(TrnPage *) *cells = (const _Atomic(TrnPage *) *)(const void *)directory->cells;
    walk->row = cells + first;
    walk->row_end = walk->row + (walk->high[0] - walk->low[0] + 1);
}

/// Returns whether looking up every page of a box costs less than reading every slot of the hash
/// (whose pages are likely not cached).
static bool page_walk_probes(const TrnPageMap *map, TrnBox pages)
{
    uint64_t x = (uint64_t)((int64_t)pages.max.x - pages.min.x + 1);
    uint64_t y = (uint64_t)((int64_t)pages.max.y - pages.min.y + 1);
    uint64_t z = (uint64_t)((int64_t)pages.max.z - pages.min.z + 1);
    uint64_t volume;
    return !__builtin_mul_overflow(x, y, &volume) && !__builtin_mul_overflow(volume, z, &volume) &&
           volume < map->hash_capacity;
}

TrnPageWalk trn_page_walk(const TrnPageMap *map, TrnBox pages)
{
    TrnPageWalk walk = {.map = map, .box = pages, .probe = pages.min};
    if (trn_box_is_empty(pages)) {
        walk.high[1] = -1;
        walk.outlier = map->hash_capacity;
        return walk;
    }
    walk.probing = map->hash_capacity && page_walk_probes(map, pages);
    const TrnSpatialArray *directory = map->directory->array;
    const int64_t min[3] = {pages.min.x, pages.min.y, pages.min.z};
    const int64_t max[3] = {pages.max.x, pages.max.y, pages.max.z};
    bool inside = true;
    for (int axis = 0; axis < 3; axis++) {
        int64_t last = directory->origin[axis] + directory->extent[axis] - 1;
        walk.low[axis] = min[axis] > directory->origin[axis] ? min[axis] : directory->origin[axis];
        walk.high[axis] = max[axis] < last ? max[axis] : last;
        inside &= walk.low[axis] <= walk.high[axis];
    }
    if (!inside) {
        walk.low[1] = 0;
        walk.high[1] = -1;
    }
    walk.y = walk.low[1];
    walk.z = walk.low[2];
    if (inside) {
        page_walk_row(&walk);
    }
    return walk;
}

/// Moves to the next row of the directory. Returns false past the last.
static bool page_walk_next_row(TrnPageWalk *walk)
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
    page_walk_row(walk);
    return true;
}

/// Moves the probe to the next coordinate, x fastest, then z, then y; ends probing at the last.
static void page_walk_step(TrnPageWalk *walk)
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
    walk->outlier = walk->map->hash_capacity; // all have been probed
}

static TrnPage *page_walk_next_probe(TrnPageWalk *walk)
{
    while (walk->probing) {
        TrnCoord page = walk->probe;
        page_walk_step(walk);
        if (!trn_page_map_cell(walk->map, page.x, page.y, page.z)) {
            TrnPage *found = trn_page_map_find_outlier(walk->map, page.x, page.y, page.z);
            if (found) {
                return found;
            }
        }
    }
    return NULL;
}

TrnPage *trn_page_walk_next(TrnPageWalk *walk)
{
    do {
        while (walk->row != walk->row_end) {
            TrnPage *page = atomic_load_explicit(walk->row++, memory_order_acquire);
            if (page) {
                return page;
            }
        }
    } while (page_walk_next_row(walk));
    if (walk->probing) {
        return page_walk_next_probe(walk);
    }
    while (walk->outlier < walk->map->hash_capacity) {
        TrnPage *page = page_hash_load(walk->map, walk->outlier++);
        if (page_is_real(page) && trn_box_contains(walk->box, trn_page_coord_of(page))) {
            return page;
        }
    }
    return NULL;
}

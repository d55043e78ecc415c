/// Private: maps page coordinates to pages. A map is one version; readers may keep using it while
/// the writer makes the next.
///
/// Pages near each other are in an auto-expanding array, the directory. The others, the outlier
/// pages, are in a hash. The writer stores and clears single entries of both in place. To reshape
/// either, it makes a copy, which the chunk index publishes as the next version. So a reader sees
/// the old shape or the new one, never a mixture.
#ifndef TERRANE_INDEX_PAGE_MAP_H
#define TERRANE_INDEX_PAGE_MAP_H

#include <terrane/spatial_array.h>

#include "page.h"

/// The directory grows as long as its box holds at most this many cells per page.
#define TRN_PAGE_MAP_CELLS_PER_PAGE 64

/// The array of pages near each other. Versions of a map that differ only in their hash share it.
typedef struct TrnPageDirectory {
    TrnSpatialArray *array; ///< of _Atomic(TrnPage *)
    uint32_t users;         ///< maps that share it, counted by the writer
    bool reserved;          ///< the caller reserved a box: it may grow, but never shrinks
    double made_us;         ///< microseconds to make it from the one before; 0 for the first
} TrnPageDirectory;

typedef struct TrnPageMap {
    // A copy of the directory's shape in 32 bits: page coordinates have fewer, so no difference
    // overflows.
    _Atomic(TrnPage *) *cells;
    int32_t origin[3];
    uint32_t extent[3];
    size_t stride_z, stride_y;
    TrnPageDirectory *directory; ///< owns the cells
    /// [hash_capacity] outlier pages; open addressing with linear probing; NULL when empty.
    _Atomic(TrnPage *) *hash;
    uint32_t hash_capacity; ///< a power of two, or 0
    // Used by the writer only:
    uint32_t directory_pages, hash_pages;
    uint32_t hash_used; ///< slots with pages or tombstones
    /// Pages added or removed since the map was last searched for a better fit. The search visits
    /// every cell, so it is amortized over that many changes.
    uint32_t changes;
    TrnAllocator allocator;
} TrnPageMap;

/// Creates an empty map. Errors: NO_MEMORY.
TrnResult trn_page_map_create(const TrnAllocator *allocator, size_t directory_bytes_max,
                              TrnPageMap **map);
void trn_page_map_destroy(TrnPageMap *map);

/// Returns the memory of a map, without what it shares with `next` (which may be NULL).
size_t trn_page_map_bytes(const TrnPageMap *map, const TrnPageMap *next);

/// Returns the directory's extent in pages; an empty box if it has no cells.
TrnBox trn_page_map_box(const TrnPageMap *map);

/// Finds an outlier page, or NULL. Out of line, so that its callers stay small.
__attribute__((noinline, cold)) TrnPage *trn_page_map_find_outlier(const TrnPageMap *map, int32_t x,
                                                                   int32_t y, int32_t z);

/// Returns the directory's cell at page coordinates, or NULL outside it. Takes three numbers
/// instead of a TrnCoord: gcc moves a struct through vector registers and memory, which took a
/// third of a lookup.
static inline _Atomic(TrnPage *) *trn_page_map_cell(const TrnPageMap *map, int32_t x, int32_t y,
                                                    int32_t z)
{
    const uint32_t dx = (uint32_t)(x - map->origin[0]);
    const uint32_t dy = (uint32_t)(y - map->origin[1]);
    const uint32_t dz = (uint32_t)(z - map->origin[2]);
    if (dx >= map->extent[0] || dy >= map->extent[1] || dz >= map->extent[2]) {
        return NULL;
    }
    return map->cells + (dx + dz * map->stride_z + dy * map->stride_y);
}

/// Finds the page at page coordinates, or NULL. Wait-free.
static inline TrnPage *trn_page_map_find(const TrnPageMap *map, int32_t x, int32_t y, int32_t z)
{
    const _Atomic(TrnPage *) *cell = trn_page_map_cell(map, x, y, z);
    if (__builtin_expect(cell != NULL, 1)) {
        return atomic_load_explicit(cell, memory_order_acquire);
    }
    return map->hash_capacity ? trn_page_map_find_outlier(map, x, y, z) : NULL;
}

/// Adds a page that the map does not contain, in place if the shape allows it, otherwise in a copy.
/// @param next     receives `map` if it was changed in place, otherwise the next version with all
///                 pages; the caller publishes it and retires `map`
/// Errors: NO_MEMORY; the map stays as it was.
TrnResult trn_page_map_add(TrnPageMap *map, TrnPage *page, TrnPageMap **next);

/// Removes a page, in place.
void trn_page_map_remove(TrnPageMap *map, const TrnPage *page);

/// Replaces a page by one of the same coordinates, in place, with one atomic store.
void trn_page_map_replace(TrnPageMap *map, const TrnPage *old_page, TrnPage *new_page);

/// Copies a map with a directory that also covers a box of pages.
/// @param next  receives the copy, or `map` itself if its directory covers the box already
/// Errors: OUT_OF_RANGE, NO_MEMORY.
TrnResult trn_page_map_reserve(TrnPageMap *map, TrnBox pages, TrnPageMap **next);

/// Copies a map with a smaller directory or hash.
/// @param next  receives the copy, or `map` itself if a copy would free little, or too few pages
///              have changed to pay for the search
/// Errors: NO_MEMORY.
TrnResult trn_page_map_fit(TrnPageMap *map, TrnPageMap **next);

/// A walk over the pages of a box of page coordinates: the directory first, in memory order, then
/// the outlier pages.
typedef struct TrnPageWalk {
    const TrnPageMap *map;
    TrnBox box;
    /// The part of the box inside the directory, high inclusive; low[1] > high[1] when finished.
    int64_t low[3], high[3];
    int64_t y, z;
    const _Atomic(TrnPage *) *row, *row_end; ///< the rest of the current row
    uint32_t outlier;                        ///< the next slot of the hash
    bool probing; ///< outlier pages are looked up one by one instead, `probe` next
    TrnCoord probe;
} TrnPageWalk;

TrnPageWalk trn_page_walk(const TrnPageMap *map, TrnBox pages);

/// Returns the next page, or NULL at the end.
TrnPage *trn_page_walk_next(TrnPageWalk *walk);

#endif

/// Private: finds a page by its coordinate. One version of the answer, which readers may hold on to
/// while the writer makes the next.
///
/// Pages near each other stand in an auto-expanding array, the directory; the others in a small
/// hash beside it. Cells of both are written in place while they hold a page or none. Whatever
/// changes their shape is done on a copy, which the owner then publishes as the next version: a
/// reader sees either shape, never one half-moved.
#ifndef TERRANE_INDEX_PAGE_MAP_H
#define TERRANE_INDEX_PAGE_MAP_H

#include <terrane/spatial_array.h>

#include "page.h"

/// The directory grows while its box holds at most so many cells per page.
#define TRN_PAGE_MAP_CELLS_PER_PAGE 64

/// The array of pages near each other. Versions of a map that differ in their hash alone share it;
/// users are counted by the writer.
typedef struct TrnPageDirectory {
    TrnSpatialArray *array; ///< of _Atomic(TrnPage *)
    uint32_t users;
    /// reaches over a box that the caller asked for: it may grow, but is never cut down
    bool reserved;
    double made_us; ///< how long it took to make from the one before; 0 for the first
} TrnPageDirectory;

typedef struct TrnPageMap {
    // The directory's shape once more, in 32 bits: page coordinates have 29, so no difference
    // overflows.
    _Atomic(TrnPage *) *cells;
    int32_t origin[3];
    uint32_t extent[3];
    size_t stride_z, stride_y;
    TrnPageDirectory *directory; ///< owns the cells
    /// [hash_capacity] open addressing with linear probing; NULL when there are no outliers
    _Atomic(TrnPage *) *hash;
    uint32_t hash_capacity; ///< a power of two, or 0
    // The writer's alone:
    uint32_t directory_pages, hash_pages, hash_used; ///< used: pages and tombstones
    /// Pages that came or went since the map was last looked over for a better fit. A look visits
    /// every cell, so it is paid for by as many of them.
    uint32_t changes;
    TrnAllocator allocator;
} TrnPageMap;

/// An empty map. Errors: NO_MEMORY.
TrnResult trn_page_map_create(const TrnAllocator *allocator, size_t directory_bytes_max,
                              TrnPageMap **map);
void trn_page_map_destroy(TrnPageMap *map);

/// The memory that a map holds, without what it shares with `next` (which may be NULL).
size_t trn_page_map_bytes(const TrnPageMap *map, const TrnPageMap *next);

/// The directory's extent in pages; an empty box when it has no cells.
TrnBox trn_page_map_box(const TrnPageMap *map);

/// The page among the outliers, or NULL. Out of line, so that who looks pages up stays small.
__attribute__((noinline, cold)) TrnPage *trn_page_map_find_outlier(const TrnPageMap *map, int32_t x,
                                                                   int32_t y, int32_t z);

/// The directory's cell of a page coordinate, or NULL outside of it. Three numbers instead of a
/// TrnCoord: as a struct gcc moves them through vector registers and memory, which took a third of
/// a look-up.
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

/// The page at a page coordinate, or NULL. Wait-free.
static inline TrnPage *trn_page_map_find(const TrnPageMap *map, int32_t x, int32_t y, int32_t z)
{
    const _Atomic(TrnPage *) *cell = trn_page_map_cell(map, x, y, z);
    if (__builtin_expect(cell != NULL, 1)) {
        return atomic_load_explicit(cell, memory_order_acquire);
    }
    return map->hash_capacity ? trn_page_map_find_outlier(map, x, y, z) : NULL;
}

/// Adds a page that is not there yet, in place where the shape allows it, otherwise in a copy.
/// @param next     receives `map` when it was changed in place, otherwise the next version, which
///                 holds all pages; the caller publishes it and retires `map`
/// Errors: NO_MEMORY; the map is as it was.
TrnResult trn_page_map_add(TrnPageMap *map, TrnPage *page, TrnPageMap **next);

/// Takes a page out, in place.
void trn_page_map_remove(TrnPageMap *map, const TrnPage *page);

/// A copy whose directory reaches over a box of pages, too; `map` itself when it does already.
/// Errors: OUT_OF_RANGE, NO_MEMORY.
TrnResult trn_page_map_reserve(TrnPageMap *map, TrnBox pages, TrnPageMap **next);

/// A copy with a smaller directory or hash, where enough has gone for a look to be paid for and it
/// frees much; otherwise `map` itself. Errors: NO_MEMORY.
TrnResult trn_page_map_fit(TrnPageMap *map, TrnPageMap **next);

/// A walk over the pages of a box of page coordinates: the directory first, in order of its memory,
/// then the outliers.
typedef struct TrnPageWalk {
    const TrnPageMap *map;
    TrnBox box;
    /// the part of the box inside the directory, high inclusive; low[1] > high[1] when done with it
    int64_t low[3], high[3];
    int64_t y, z;
    const _Atomic(TrnPage *) *row, *row_end; ///< what is left of the present row
    uint32_t outlier;                        ///< the next slot of the hash
    bool probing; ///< outliers are looked up one by one instead, `probe` next
    TrnCoord probe;
} TrnPageWalk;

TrnPageWalk trn_page_walk(const TrnPageMap *map, TrnBox pages);

/// The next page, or NULL at the end.
TrnPage *trn_page_walk_next(TrnPageWalk *walk);

#endif

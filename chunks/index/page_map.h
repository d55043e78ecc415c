/// Private: maps page coordinates to pages.
///
/// Pages near each other are in an array, the directory. The others, the outlier pages, are in a
/// hash, by which they are found, and in a list, by which they are walked. A map is one version:
/// a directory and a list, which hold each page in exactly one of them. Readers use one version
/// throughout a call. Writes change single entries in place. To change the shape of the directory,
/// or to drop the holes of the list, the writer builds the next version aside, a limited number of
/// entries at each write; meanwhile every write is applied to both. So a reader sees the old shape
/// or the new one, never a mixture, and no write takes long.
///
/// All versions share the hash, which contains at least the outlier pages of each. A version
/// ignores what lies in its directory's box.
#ifndef TERRANE_INDEX_PAGE_MAP_H
#define TERRANE_INDEX_PAGE_MAP_H

#include "page.h"
#include "page_directory.h"
#include "page_hash.h"
#include "page_list.h"

/// The directory grows as long as its box holds at most this many cells for each page in it. With
/// 8, pages of which every second one along each axis exists cost more than in the hash.
#define TRN_PAGE_MAP_CELLS_PER_PAGE 6

typedef struct TrnPageMapShared TrnPageMapShared;

typedef struct TrnPageMap {
    TrnPageBlock block;
    // A copy of the directory's shape.
    _Atomic(TrnPage *) *cells; ///< cells[-1] is NULL or TRN_PAGE_OUTSIDE
    int32_t origin[3];
    uint32_t extent[3];
    int64_t last[3]; ///< extent - 1
    size_t stride_z, stride_y;
    const TrnPageHash *hash;
    TrnPageList *list; ///< outlier pages, and some that lie in the directory's box
    TrnPageDirectory *directory;
    TrnPageMapShared *shared;
    size_t retired_bytes; ///< what was retired with it
} TrnPageMap;

/// Creates an empty map.
/// @param directory_bytes_max  larger directories are not built
/// @param hash_key             of the hash of outlier pages
/// @param memory               outlives the map and the versions that follow it
/// Errors: NO_MEMORY.
TrnResult trn_page_map_create(TrnPageMemory *memory, size_t directory_bytes_max, uint64_t hash_key,
                              TrnPageMap **map);

/// Frees the last version, which no reader uses. The earlier ones have been reclaimed.
void trn_page_map_destroy(TrnPageMap *map);

/// Retires a version that new readers can no longer reach. Cannot fail.
/// @param next  the version that was published in its place; NULL if it was the last
void trn_page_map_retire(TrnPageMap *map, const TrnPageMap *next);

/// Figures of a map. Threads: the writer. O(1).
typedef struct TrnPageMapFigures {
    size_t pages, outliers, directory_pages, directory_cells;
    uint32_t directory_growths; ///< how often the directory was reshaped
    uint64_t hash_key;
} TrnPageMapFigures;

TrnPageMapFigures trn_page_map_figures(const TrnPageMap *map);

/// Returns the directory's extent in pages; an empty box if it has no cells.
TrnBox trn_page_map_box(const TrnPageMap *map);

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

/// Loads the directory's page at page coordinates; outside it, TRN_PAGE_OUTSIDE if there may be an
/// outlier page, otherwise NULL. Does not branch on whether the cell exists, which is unpredictable
/// for look-ups around a world.
static inline TrnPage *trn_page_map_directory_page(const TrnPageMap *map, int32_t x, int32_t y,
                                                   int32_t z)
{
    const uint32_t dx = (uint32_t)(x - map->origin[0]);
    const uint32_t dy = (uint32_t)(y - map->origin[1]);
    const uint32_t dz = (uint32_t)(z - map->origin[2]);
    const int64_t outside =
        ((map->last[0] - dx) | (map->last[1] - dy) | (map->last[2] - dz)) >> 63; // 0 or -1
    const size_t cell = dx + dz * map->stride_z + dy * map->stride_y;
    return atomic_load_explicit(&map->cells[(int64_t)cell | outside], memory_order_acquire);
}

/// Returns whether the hash has pages: outlier pages, or some that were.
static inline bool trn_page_map_has_outliers(const TrnPageMap *map)
{
    return atomic_load_explicit(&map->hash->top, memory_order_relaxed) != NULL;
}

/// Finds the page at page coordinates, or NULL. Wait-free.
static inline TrnPage *trn_page_map_find(const TrnPageMap *map, int32_t x, int32_t y, int32_t z)
{
    const _Atomic(TrnPage *) *cell = trn_page_map_cell(map, x, y, z);
    if (__builtin_expect(cell != NULL, 1)) {
        return atomic_load_explicit(cell, memory_order_acquire);
    }
    return trn_page_map_has_outliers(map) ? trn_page_hash_find(map->hash, x, y, z) : NULL;
}

/// Prefetches what finding, adding or removing a page at page coordinates touches. Threads: the
/// writer.
static inline void trn_page_map_prefetch(const TrnPageMap *map, int32_t x, int32_t y, int32_t z)
{
    if (!trn_page_map_cell(map, x, y, z)) {
        trn_page_hash_prefetch(map->hash, x, y, z);
    }
}

/// Adds a page that the map does not contain, and continues or starts to build the next version.
/// @param next  receives `map`, or the next version if it is finished, with all pages; the caller
///              publishes it and retires `map`
/// Errors: NO_MEMORY; the map stays as it was.
TrnResult trn_page_map_add(TrnPageMap *map, TrnPage *page, TrnPageMap **next);

/// Removes a page, in place.
void trn_page_map_remove(TrnPageMap *map, const TrnPage *page);

/// Replaces a page by another one of the same coordinates, in place, wherever the map and the
/// version being built hold it.
void trn_page_map_replace(TrnPageMap *map, const TrnPage *page, TrnPage *other);

/// Extends the directory over a box of pages, in this call.
/// @param next  receives the next version, or `map` itself if its directory covers the box already
/// Errors: OUT_OF_RANGE, NO_MEMORY.
TrnResult trn_page_map_reserve(TrnPageMap *map, TrnBox pages, TrnPageMap **next);

/// Continues to build the next version, or starts one with a smaller directory if few of its cells
/// are used. Call it after pages have been removed. Cannot fail: without memory the map stays.
/// @param next  as for trn_page_map_add
void trn_page_map_fit(TrnPageMap *map, TrnPageMap **next);

/// A walk over the pages of a box of page coordinates: the directory first, in memory order, then
/// the outlier pages, in the order of their coordinates (x fastest, then z, then y) if the box is
/// small, otherwise in the order in which they became outliers.
typedef struct TrnPageWalk {
    const TrnPageMap *map;
    TrnBox box;
    /// The part of the box inside the directory, high inclusive; low[1] > high[1] when finished.
    int64_t low[3], high[3];
    int64_t y, z;
    const _Atomic(TrnPage *) *row, *row_end; ///< the rest of the current row
    uint32_t outlier, outlier_end;           ///< the rest of the list
    bool probing; ///< outlier pages are looked up one by one instead, `probe` next
    TrnCoord probe;
} TrnPageWalk;

TrnPageWalk trn_page_walk(const TrnPageMap *map, TrnBox pages);

/// Returns the next page, or NULL at the end.
TrnPage *trn_page_walk_next(TrnPageWalk *walk);

#endif

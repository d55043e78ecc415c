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
#ifndef TERRANE_INDEX_MAP_MAP_H
#define TERRANE_INDEX_MAP_MAP_H

#include "map_version.h"

/// Creates an empty map.
/// @param directory_bytes_max  larger directories are not built
/// @param hash_key             of the hash of outlier pages
/// @param memory               outlives the map and the versions that follow it
/// Errors: NO_MEMORY.
TrnResult trn_map_create(TrnMapMemory *memory, size_t directory_bytes_max, uint64_t hash_key,
                         TrnMap **map);

/// Frees the last version, which no reader uses. The earlier ones have been reclaimed.
void trn_map_destroy(TrnMap *map);

/// Retires a version that new readers can no longer reach. Cannot fail.
/// @param next  the version that was published in its place; NULL if it was the last
void trn_map_retire(TrnMap *map, const TrnMap *next);

/// Figures of a map. Threads: the writer. O(1).
typedef struct TrnMapFigures {
    size_t pages, outliers, directory_pages, directory_cells;
    uint32_t directory_growths; ///< how often the directory was reshaped
    uint64_t hash_key;
} TrnMapFigures;

TrnMapFigures trn_map_figures(const TrnMap *map);

/// Returns the directory's extent in pages; an empty box if it has no cells.
TrnBox trn_map_box(const TrnMap *map);

/// Adds a page that the map does not contain, and continues or starts to build the next version.
/// @param next  receives `map`, or the next version if it is finished, with all pages; the caller
///              publishes it and retires `map`
/// Errors: NO_MEMORY; the map stays as it was.
TrnResult trn_map_add(TrnMap *map, TrnPage *page, TrnMap **next);

/// Removes a page, in place.
void trn_map_remove(TrnMap *map, const TrnPage *page);

/// Replaces a page by another one of the same coordinates, in place, wherever the map and the
/// version being built hold it.
void trn_map_replace(TrnMap *map, const TrnPage *page, TrnPage *other);

/// Extends the directory over a box of pages, in this call.
/// @param next  receives the next version, or `map` itself if its directory covers the box already
/// Errors: OUT_OF_RANGE, NO_MEMORY.
TrnResult trn_map_reserve(TrnMap *map, TrnBox pages, TrnMap **next);

/// Continues to build the next version, or starts one with a smaller directory if few of its cells
/// are used. Call it after pages have been removed. Cannot fail: without memory the map stays.
/// @param next  as for trn_map_add
void trn_map_fit(TrnMap *map, TrnMap **next);

/// A walk over the pages of a box of page coordinates: the directory first, in memory order, then
/// the outlier pages, in the order of their coordinates (x fastest, then z, then y) if the box is
/// small, otherwise in the order in which they became outliers.
typedef struct TrnMapWalk {
    const TrnMap *map;
    TrnBox box;
    /// The part of the box inside the directory, high inclusive; low[1] > high[1] when finished.
    int64_t low[3], high[3];
    int64_t y, z;
    const _Atomic(TrnPage *) *row, *row_end; ///< the rest of the current row
    uint32_t outlier, outlier_end;           ///< the rest of the list
    bool probing; ///< outlier pages are looked up one by one instead, `probe` next
    TrnCoord probe;
} TrnMapWalk;

TrnMapWalk trn_map_walk(const TrnMap *map, TrnBox pages);

/// Returns the next page, or NULL at the end.
TrnPage *trn_map_walk_next(TrnMapWalk *walk);

#endif

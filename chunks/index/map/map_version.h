/// Private: one version of the map of pages (map.h): what readers look up in it, what all
/// versions share, and the outlier pages.
#ifndef TERRANE_INDEX_MAP_VERSION_H
#define TERRANE_INDEX_MAP_VERSION_H

#include "map_directory.h"
#include "map_hash.h"

// ---- the list of outlier pages -----------------------------------------------------------------

#define TRN_MAP_LIST_FIRST_SHIFT 4
#define TRN_MAP_LIST_SEGMENTS (32 - TRN_MAP_LIST_FIRST_SHIFT)

/// Outlier pages in the order in which they were appended, which readers may walk while the writer
/// appends and removes. It grows without moving entries; removed ones leave holes.
typedef struct TrnMapList {
    /// Segment k has twice as many entries as segment k - 1. Entries from `count` on are undefined.
    _Atomic(TrnPage *) *segments[TRN_MAP_LIST_SEGMENTS];
    _Atomic(uint32_t) count; ///< entries, holes included
    uint32_t users;          ///< versions of a map that share it, counted by the writer
    uint32_t parity;         ///< which of a page's two places is the one in this list
    TrnMapMemory *memory;
} TrnMapList;

/// Creates an empty list with no users. NULL if there is no memory.
TrnMapList *trn_map_list_create(TrnMapMemory *memory, uint32_t parity);
void trn_map_list_destroy(TrnMapList *list);

/// Ensures that the next append succeeds. Errors: NO_MEMORY.
TrnResult trn_map_list_reserve(TrnMapList *list);

/// Appends a page; its place is the count before. Call trn_map_list_reserve first.
void trn_map_list_append(TrnMapList *list, TrnPage *page);

/// Returns the memory of a list.
size_t trn_map_list_bytes(const TrnMapList *list);

static inline _Atomic(TrnPage *) *trn_map_list_entry(const TrnMapList *list, uint32_t place)
{
    const uint64_t number = (uint64_t)place + (1u << TRN_MAP_LIST_FIRST_SHIFT);
    const uint32_t bits = 63 - (uint32_t)__builtin_clzll(number);
    return &list->segments[bits - TRN_MAP_LIST_FIRST_SHIFT][number - (UINT64_C(1) << bits)];
}

static inline uint32_t trn_map_list_count(const TrnMapList *list)
{
    return atomic_load_explicit(&list->count, memory_order_acquire);
}

/// Returns the page at a place below the count, or NULL for a hole.
static inline TrnPage *trn_map_list_at(const TrnMapList *list, uint32_t place)
{
    return atomic_load_explicit(trn_map_list_entry(list, place), memory_order_acquire);
}

/// Stores another page, or NULL, at the place of a page; does nothing if another one is there.
static inline void trn_map_list_set(TrnMapList *list, uint32_t place, const TrnPage *present,
                                    TrnPage *page)
{
    if (place < trn_map_list_count(list) && trn_map_list_at(list, place) == present) {
        atomic_store_explicit(trn_map_list_entry(list, place), page, memory_order_release);
    }
}

// ---- versions ----------------------------------------------------------------------------------

typedef struct TrnMapShared TrnMapShared;

typedef struct TrnMap {
    TrnMapBlock block;
    // A copy of the directory's shape.
    _Atomic(TrnPage *) *cells; ///< cells[-1] is NULL or TRN_MAP_OUTSIDE
    int32_t origin[3];
    uint32_t extent[3];
    int64_t last[3]; ///< extent - 1
    size_t stride_z, stride_y;
    const TrnMapHash *hash;
    TrnMapList *list; ///< outlier pages, and some that lie in the directory's box
    TrnMapDirectory *directory;
    TrnMapShared *shared;
    size_t retired_bytes; ///< what was retired with it
} TrnMap;

/// The next version, while it is being built.
typedef struct TrnMapBuild {
    TrnMap *next; ///< NULL: none is being built
    enum {
        TRN_MAP_BUILD_COUNTS,
        TRN_MAP_BUILD_CELLS,
        TRN_MAP_BUILD_EVACUATE,
        TRN_MAP_BUILD_LIST,
        TRN_MAP_BUILD_DONE
    } phase;
    size_t at;       ///< the next count, cell or place of the phase
    size_t cells;    ///< cells of the next directory that are valid, from the first
    uint32_t places; ///< of the list when it was started
    bool probes;     ///< looks up outlier pages for new cells, instead of reading the list
    bool evacuates;  ///< pages of the directory may lie outside the next one
    bool at_once;    ///< is finished in the call that started it
    double us;       ///< microseconds spent
} TrnMapBuild;

/// What all versions of a map share. Used by the writer, but for the hash.
struct TrnMapShared {
    TrnMapHash hash;
    TrnMapMemory *memory;
    size_t directory_bytes_max;
    size_t pages;
    uint32_t versions; ///< published and not yet freed
    uint32_t growths;
    uint64_t credit;
    uint32_t seed_wait;      ///< pages to add or examine before a new place for it is sought
    uint32_t examined;       ///< the next place of the list to examine
    uint32_t unexamined;     ///< places that are left to examine
    uint32_t examined_pages; ///< pages of the directory when all were to be examined
    size_t cleaned;          ///< the next place of the list, or cell of the directory, to clean
    bool cleaning;           ///< pages of the directory may also be in the list
    bool cleans_cells;       ///< looks through the directory instead of the list
    TrnMapBuild build;
};

// ---- look-ups ----------------------------------------------------------------------------------

/// Returns the directory's cell at page coordinates, or NULL outside it. Takes three numbers
/// instead of a TrnCoord: gcc moves a struct through vector registers and memory, which took a
/// third of a lookup.
static inline _Atomic(TrnPage *) *trn_map_cell(const TrnMap *map, int32_t x, int32_t y, int32_t z)
{
    const uint32_t dx = (uint32_t)(x - map->origin[0]);
    const uint32_t dy = (uint32_t)(y - map->origin[1]);
    const uint32_t dz = (uint32_t)(z - map->origin[2]);
    if (dx >= map->extent[0] || dy >= map->extent[1] || dz >= map->extent[2]) {
        return NULL;
    }
    return map->cells + (dx + dz * map->stride_z + dy * map->stride_y);
}

/// Returns -1 for page coordinates outside the directory, otherwise 0.
static inline int64_t trn_map_outside(const TrnMap *map, int32_t x, int32_t y, int32_t z)
{
    const uint32_t dx = (uint32_t)(x - map->origin[0]);
    const uint32_t dy = (uint32_t)(y - map->origin[1]);
    const uint32_t dz = (uint32_t)(z - map->origin[2]);
    return ((map->last[0] - dx) | (map->last[1] - dy) | (map->last[2] - dz)) >> 63;
}

/// Loads the directory's page at page coordinates; outside it, TRN_MAP_OUTSIDE if there may be an
/// outlier page, otherwise NULL. Does not branch on whether the cell exists, which is unpredictable
/// for look-ups around a world.
static inline TrnPage *trn_map_directory_page(const TrnMap *map, int32_t x, int32_t y, int32_t z)
{
    const uint32_t dx = (uint32_t)(x - map->origin[0]);
    const uint32_t dy = (uint32_t)(y - map->origin[1]);
    const uint32_t dz = (uint32_t)(z - map->origin[2]);
    const int64_t outside = trn_map_outside(map, x, y, z);
    const size_t cell = dx + dz * map->stride_z + dy * map->stride_y;
    return atomic_load_explicit(&map->cells[(int64_t)cell | outside], memory_order_acquire);
}

/// Returns whether the hash has pages: outlier pages, or some that were.
static inline bool trn_map_has_outliers(const TrnMap *map)
{
    return atomic_load_explicit(&map->hash->top, memory_order_relaxed) != NULL;
}

/// Finds the page at page coordinates, or NULL. Wait-free.
static inline TrnPage *trn_map_find(const TrnMap *map, int32_t x, int32_t y, int32_t z)
{
    const _Atomic(TrnPage *) *cell = trn_map_cell(map, x, y, z);
    if (__builtin_expect(cell != NULL, 1)) {
        return atomic_load_explicit(cell, memory_order_acquire);
    }
    return trn_map_has_outliers(map) ? trn_map_hash_find(map->hash, x, y, z) : NULL;
}

/// Prefetches what finding, adding or removing a page at page coordinates touches. Threads: the
/// writer.
static inline void trn_map_prefetch(const TrnMap *map, int32_t x, int32_t y, int32_t z)
{
    if (!trn_map_cell(map, x, y, z)) {
        trn_map_hash_prefetch(map->hash, x, y, z);
    }
}

// ---- versions, for the writer ------------------------------------------------------------------

/// Makes a version of a directory and a list. NULL without memory.
TrnMap *trn_map_version_make(TrnMapShared *shared, TrnMapDirectory *directory, TrnMapList *list);

/// Frees a version, and what no other version shares with it.
void trn_map_version_free(TrnMap *map);

/// Frees a published version; with the last one, what all share.
void trn_map_version_free_published(TrnMap *map);

/// Discards the version that is being built.
void trn_map_version_abort_build(TrnMapShared *shared);

/// Returns the list that is being built, or NULL.
static inline TrnMapList *trn_map_version_next_list(const TrnMap *map)
{
    const TrnMap *next = map->shared->build.next;
    return next && next->list != map->list ? next->list : NULL;
}

/// Returns the directory that is being built, or NULL.
static inline TrnMapDirectory *trn_map_version_next_directory(const TrnMap *map)
{
    const TrnMap *next = map->shared->build.next;
    return next && next->directory != map->directory ? next->directory : NULL;
}

// ---- outlier pages -----------------------------------------------------------------------------

/// Returns how many pages are not in the directory.
static inline size_t trn_map_version_outliers(const TrnMap *map)
{
    return map->shared->pages - map->directory->pages;
}

/// Adds a page to the hash and the list. Errors: NO_MEMORY.
TrnResult trn_map_version_add_outlier(TrnMap *map, TrnPage *page);

/// Adds a page of the directory to the hash and the list, if they do not contain it: it will be an
/// outlier page of the next version. Errors: NO_MEMORY.
TrnResult trn_map_version_evacuate(TrnMap *map, TrnPage *page);

/// Replaces an outlier page in the hash and the lists by another one, or removes it from them. Does
/// nothing if the hash does not contain it. @param other  NULL removes
void trn_map_version_replace_outlier(TrnMap *map, TrnCoord coord, const TrnPage *page,
                                     TrnPage *other);

#endif

/// Private: one version of the map of pages (page_map.h): what readers look up in it, what all
/// versions share, and the outlier pages.
#ifndef TERRANE_INDEX_PAGE_VERSION_H
#define TERRANE_INDEX_PAGE_VERSION_H

#include "page.h"
#include "page_directory.h"
#include "page_hash.h"
#include "page_list.h"

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

/// The next version, while it is being built.
typedef struct TrnPageBuild {
    TrnPageMap *next; ///< NULL: none is being built
    enum {
        TRN_PAGE_BUILD_COUNTS,
        TRN_PAGE_BUILD_CELLS,
        TRN_PAGE_BUILD_EVACUATE,
        TRN_PAGE_BUILD_LIST,
        TRN_PAGE_BUILD_DONE
    } phase;
    size_t at;       ///< the next count, cell or place of the phase
    size_t cells;    ///< cells of the next directory that are valid, from the first
    uint32_t places; ///< of the list when it was started
    bool probes;     ///< looks up outlier pages for new cells, instead of reading the list
    bool evacuates;  ///< pages of the directory may lie outside the next one
    bool at_once;    ///< is finished in the call that started it
    double us;       ///< microseconds spent
} TrnPageBuild;

/// What all versions of a map share. Used by the writer, but for the hash.
struct TrnPageMapShared {
    TrnPageHash hash;
    TrnPageMemory *memory;
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
    TrnPageBuild build;
};

// ---- look-ups ----------------------------------------------------------------------------------

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

// ---- versions, for the writer ------------------------------------------------------------------

/// Makes a version of a directory and a list. NULL without memory.
TrnPageMap *trn_page_version_make(TrnPageMapShared *shared, TrnPageDirectory *directory,
                                  TrnPageList *list);

/// Frees a version, and what no other version shares with it.
void trn_page_version_free(TrnPageMap *map);

/// Frees a published version; with the last one, what all share.
void trn_page_version_free_published(TrnPageMap *map);

/// Discards the version that is being built.
void trn_page_version_abort_build(TrnPageMapShared *shared);

/// Returns the list that is being built, or NULL.
static inline TrnPageList *trn_page_version_next_list(const TrnPageMap *map)
{
    const TrnPageMap *next = map->shared->build.next;
    return next && next->list != map->list ? next->list : NULL;
}

/// Returns the directory that is being built, or NULL.
static inline TrnPageDirectory *trn_page_version_next_directory(const TrnPageMap *map)
{
    const TrnPageMap *next = map->shared->build.next;
    return next && next->directory != map->directory ? next->directory : NULL;
}

// ---- outlier pages -----------------------------------------------------------------------------

/// Returns how many pages are not in the directory.
static inline size_t trn_page_version_outliers(const TrnPageMap *map)
{
    return map->shared->pages - map->directory->pages;
}

/// Adds a page to the hash and the list. Errors: NO_MEMORY.
TrnResult trn_page_version_add_outlier(TrnPageMap *map, TrnPage *page);

/// Adds a page of the directory to the hash and the list, if they do not contain it: it will be an
/// outlier page of the next version. Errors: NO_MEMORY.
TrnResult trn_page_version_evacuate(TrnPageMap *map, TrnPage *page);

/// Replaces an outlier page in the hash and the lists by another one, or removes it from them. Does
/// nothing if the hash does not contain it. @param other  NULL removes
void trn_page_version_replace_outlier(TrnPageMap *map, TrnCoord coord, const TrnPage *page,
                                      TrnPage *other);

#endif

/// Private: the array of pages near each other, found by arithmetic.
///
/// A directory never changes its shape: another one is built aside, in steps, and takes its place.
/// It counts the pages of each layer along each axis, so that the box around its pages is known
/// without a search.
#ifndef TERRANE_INDEX_MAP_DIRECTORY_H
#define TERRANE_INDEX_MAP_DIRECTORY_H

#include "map_memory.h"
#include "map_page.h"

/// What look-ups outside the box find while the hash has pages: look there. It is tagged as sparse
/// pages are, so that one test finds both.
#define TRN_MAP_OUTSIDE ((TrnPage *)TRN_PAGE_SPARSE_TAG)

typedef struct TrnMapDirectory {
    /// [cell_count] x fastest, then z, then y. cells[-1] is NULL or TRN_MAP_OUTSIDE.
    _Atomic(TrnPage *) *cells;
    size_t cell_count, stride_z, stride_y;
    int32_t origin[3];
    uint32_t extent[3]; ///< all 0 for no cells
    // Used by the writer only:
    uint32_t *counts[3];      ///< [extent] pages of each layer, in one allocation
    uint32_t low[3], high[3]; ///< all layers with pages lie in low to high - 1
    uint32_t pages;
    uint32_t users; ///< versions of a map that share it
    bool reserved;  ///< the caller reserved a box: it never shrinks
    double made_us; ///< microseconds to build it; 0 for the first
    TrnMapMemory *memory;
} TrnMapDirectory;

/// Creates a directory over a box, with no users. Its cells and counts are undefined:
/// trn_map_directory_clear clears them.
/// @param pages  may be empty @return NULL if there is no memory
TrnMapDirectory *trn_map_directory_create(TrnMapMemory *memory, TrnBox pages);
void trn_map_directory_destroy(TrnMapDirectory *directory);

/// Returns its extent in pages; an empty box if it has no cells.
TrnBox trn_map_directory_box(const TrnMapDirectory *directory);

/// Returns the memory of a directory.
size_t trn_map_directory_bytes(const TrnMapDirectory *directory);

/// How many counts a directory has.
size_t trn_map_directory_counts(const TrnMapDirectory *directory);

/// Clears counts from number `first` to `end` - 1.
void trn_map_directory_clear_counts(TrnMapDirectory *directory, size_t first, size_t end);

/// Sets the cells from number `first` to `end` - 1 to those of another directory, or NULL outside
/// it, and counts their pages. The counts have been cleared.
void trn_map_directory_copy(TrnMapDirectory *directory, const TrnMapDirectory *from, size_t first,
                            size_t end);

/// Returns the number of the cell at page coordinates, SIZE_MAX outside.
static inline size_t trn_map_directory_cell(const TrnMapDirectory *directory, TrnCoord page)
{
    const uint32_t dx = (uint32_t)page.x - (uint32_t)directory->origin[0];
    const uint32_t dy = (uint32_t)page.y - (uint32_t)directory->origin[1];
    const uint32_t dz = (uint32_t)page.z - (uint32_t)directory->origin[2];
    if (dx >= directory->extent[0] || dy >= directory->extent[1] || dz >= directory->extent[2]) {
        return SIZE_MAX;
    }
    return dx + dz * directory->stride_z + dy * directory->stride_y;
}

/// Returns the page coordinates of a cell.
TrnCoord trn_map_directory_coord(const TrnMapDirectory *directory, size_t cell);

/// Stores a page in a vacant cell, and removes the page of a cell.
void trn_map_directory_add(TrnMapDirectory *directory, size_t cell, TrnPage *page);
void trn_map_directory_remove(TrnMapDirectory *directory, size_t cell);

/// Returns how many layers along an axis a box around all pages and a coordinate has, or 0 if
/// layers at an end have lost all pages: trn_map_directory_tight() then finds out. There are
/// pages.
static inline uint64_t trn_map_directory_span(const TrnMapDirectory *directory, int axis,
                                              int32_t at)
{
    const int64_t low = directory->low[axis], high = directory->high[axis];
    const int64_t layer = (int64_t)at - directory->origin[axis];
    const bool is_tight = directory->counts[axis][low] > 0 && directory->counts[axis][high - 1] > 0;
    const int64_t first = layer < low ? layer : low, end = layer >= high ? layer + 1 : high;
    return is_tight ? (uint64_t)(end - first) : 0;
}

/// Returns a box around all pages; empty if there are none. Each call looks at a limited number of
/// layers that have lost all pages, so it may still include some.
/// @param exact  receives whether it includes none
TrnBox trn_map_directory_tight(TrnMapDirectory *directory, bool *exact);

#endif

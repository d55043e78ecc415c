// The array of pages near each other.

#include "map_directory.h"

#include <stdalign.h>
#include <string.h>

/// How many vacated layers one call of trn_map_directory_tight skips on each side of an axis.
#define MAP_DIRECTORY_LAYERS_A_CALL 256

size_t trn_map_directory_counts(const TrnMapDirectory *directory)
{
    return (size_t)directory->extent[0] + directory->extent[1] + directory->extent[2];
}

/// Cells allocated before the first one, to which look-ups outside the box go: a cache line.
#define MAP_DIRECTORY_CELLS_BEFORE (TRN_CACHE_LINE / sizeof(_Atomic(TrnPage *)))

static size_t map_directory_cell_bytes(const TrnMapDirectory *directory)
{
    return (MAP_DIRECTORY_CELLS_BEFORE + directory->cell_count) * sizeof(_Atomic(TrnPage *));
}

size_t trn_map_directory_bytes(const TrnMapDirectory *directory)
{
    return sizeof *directory + map_directory_cell_bytes(directory) +
           trn_map_directory_counts(directory) * sizeof(uint32_t);
}

/// Sets the shape of a directory to a box. Returns false if its cells do not fit the address space.
static bool map_directory_set_shape(TrnMapDirectory *directory, TrnBox pages)
{
    const uint64_t volume = trn_map_box_volume(pages);
    if (volume > SIZE_MAX / 2 / sizeof(_Atomic(TrnPage *))) {
        return false;
    }
    if (volume > 0) {
        const int32_t min[3] = {pages.min.x, pages.min.y, pages.min.z};
        const int32_t max[3] = {pages.max.x, pages.max.y, pages.max.z};
        for (int axis = 0; axis < 3; axis++) {
            directory->origin[axis] = min[axis];
            directory->extent[axis] = (uint32_t)max[axis] - (uint32_t)min[axis] + 1;
            directory->low[axis] = directory->extent[axis];
        }
    }
    directory->cell_count = (size_t)volume;
    directory->stride_z = directory->extent[0];
    directory->stride_y = (size_t)directory->extent[0] * directory->extent[2];
    return true;
}

/// Allocates the cells, which are undefined but for the one before the first; NULL without memory.
static _Atomic(TrnPage *) *map_directory_take_cells(const TrnMapDirectory *directory)
{
    _Atomic(TrnPage *) *taken =
        trn_map_take(directory->memory, map_directory_cell_bytes(directory), TRN_CACHE_LINE);
    if (!taken) {
        return NULL;
    }
    atomic_init(&taken[MAP_DIRECTORY_CELLS_BEFORE - 1], NULL);
    return taken + MAP_DIRECTORY_CELLS_BEFORE;
}

TrnMapDirectory *trn_map_directory_create(TrnMapMemory *memory, TrnBox pages)
{
    TrnMapDirectory *made = trn_map_take(memory, sizeof *made, alignof(TrnMapDirectory));
    if (!made) {
        return NULL;
    }
    *made = (TrnMapDirectory){.memory = memory};
    bool is_made = map_directory_set_shape(made, pages);
    if (is_made) {
        made->cells = map_directory_take_cells(made);
        is_made = made->cells != NULL;
    }
    if (is_made && made->cell_count > 0) {
        made->counts[0] = trn_map_take(memory, trn_map_directory_counts(made) * sizeof(uint32_t),
                                       alignof(uint32_t));
        is_made = made->counts[0] != NULL;
    }
    if (!is_made) {
        trn_map_directory_destroy(made);
        return NULL;
    }
    if (made->counts[0]) {
        made->counts[1] = made->counts[0] + made->extent[0];
        made->counts[2] = made->counts[1] + made->extent[1];
    }
    return made;
}

void trn_map_directory_destroy(TrnMapDirectory *directory)
{
    if (directory) {
        TrnMapMemory *memory = directory->memory;
        trn_map_give(memory, directory->counts[0],
                     trn_map_directory_counts(directory) * sizeof(uint32_t));
        trn_map_give(memory,
                     directory->cells ? directory->cells - MAP_DIRECTORY_CELLS_BEFORE : NULL,
                     map_directory_cell_bytes(directory));
        trn_map_give(memory, directory, sizeof *directory);
    }
}

TrnBox trn_map_directory_box(const TrnMapDirectory *directory)
{
    const int32_t *origin = directory->origin;
    const uint32_t *extent = directory->extent;
    TrnBox box = {{1, 1, 1}, {0, 0, 0}};
    if (directory->cell_count > 0) {
        box.min = (TrnCoord){origin[0], origin[1], origin[2]};
        box.max = (TrnCoord){(int32_t)(origin[0] + (int64_t)extent[0] - 1),
                             (int32_t)(origin[1] + (int64_t)extent[1] - 1),
                             (int32_t)(origin[2] + (int64_t)extent[2] - 1)};
    }
    return box;
}

TrnCoord trn_map_directory_coord(const TrnMapDirectory *directory, size_t cell)
{
    const size_t row = cell / directory->stride_z;
    return (TrnCoord){directory->origin[0] + (int32_t)(cell % directory->stride_z),
                      directory->origin[1] + (int32_t)(row / directory->extent[2]),
                      directory->origin[2] + (int32_t)(row % directory->extent[2])};
}

// ---- counts ------------------------------------------------------------------------------------

void trn_map_directory_clear_counts(TrnMapDirectory *directory, size_t first, size_t end)
{
    if (first < end) {
        memset(directory->counts[0] + first, 0, (end - first) * sizeof(uint32_t));
    }
}

/// Adds to the counts of the layers of a cell.
static void map_directory_count(TrnMapDirectory *directory, TrnCoord page, uint32_t change)
{
    const int32_t at[3] = {page.x, page.y, page.z};
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t layer = (uint32_t)at[axis] - (uint32_t)directory->origin[axis];
        uint32_t *low = &directory->low[axis], *high = &directory->high[axis];
        directory->counts[axis][layer] += change;
        *low = layer < *low ? layer : *low;
        *high = layer >= *high ? layer + 1 : *high;
    }
    directory->pages += change;
}

TrnBox trn_map_directory_tight(TrnMapDirectory *directory, bool *exact)
{
    TrnBox box = {{1, 1, 1}, {0, 0, 0}};
    *exact = true;
    if (directory->pages == 0) {
        return box;
    }
    int32_t min[3], max[3];
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t *counts = directory->counts[axis];
        uint32_t *low = &directory->low[axis], *high = &directory->high[axis];
        for (int i = 0; i < MAP_DIRECTORY_LAYERS_A_CALL && counts[*low] == 0; i++) {
            ++*low;
        }
        for (int i = 0; i < MAP_DIRECTORY_LAYERS_A_CALL && counts[*high - 1] == 0; i++) {
            --*high;
        }
        *exact &= counts[*low] > 0 && counts[*high - 1] > 0;
        min[axis] = (int32_t)(directory->origin[axis] + (int64_t)*low);
        max[axis] = (int32_t)(directory->origin[axis] + (int64_t)*high - 1);
    }
    box.min = (TrnCoord){min[0], min[1], min[2]};
    box.max = (TrnCoord){max[0], max[1], max[2]};
    return box;
}

// ---- cells -------------------------------------------------------------------------------------

void trn_map_directory_add(TrnMapDirectory *directory, size_t cell, TrnPage *page)
{
    atomic_store_explicit(&directory->cells[cell], page, memory_order_release);
    map_directory_count(directory, trn_page_coord_of(page), 1);
}

void trn_map_directory_remove(TrnMapDirectory *directory, size_t cell)
{
    atomic_store_explicit(&directory->cells[cell], NULL, memory_order_release);
    map_directory_count(directory, trn_map_directory_coord(directory, cell), UINT32_MAX);
}

/// Copies cells of one row, and counts their pages. Does not read the pages: each would miss the
/// cache.
/// @param coord  of the first cell
static void map_directory_copy_run(TrnMapDirectory *directory, const TrnMapDirectory *from,
                                   TrnCoord coord, size_t first, size_t count)
{
    const size_t source = trn_map_directory_cell(from, coord);
    for (size_t i = 0; source != SIZE_MAX && i < count; i++, coord.x++) {
        TrnPage *page = atomic_load_explicit(&from->cells[source + i], memory_order_relaxed);
        if (page) {
            atomic_store_explicit(&directory->cells[first + i], page, memory_order_relaxed);
            map_directory_count(directory, coord, 1);
        }
    }
}

/// Copies what another directory has of the cells from `first` to `end` - 1, which lie in one row.
static void map_directory_copy_row(TrnMapDirectory *directory, const TrnMapDirectory *from,
                                   size_t first, size_t end)
{
    const TrnCoord at = trn_map_directory_coord(directory, first);
    const int64_t x = at.x, x_end = x + (int64_t)(end - first);
    const int64_t from_x = from->origin[0], from_end = from_x + from->extent[0];
    const int64_t low = x > from_x ? x : from_x, high = x_end < from_end ? x_end : from_end;
    if (low < high) {
        map_directory_copy_run(directory, from, (TrnCoord){(int32_t)low, at.y, at.z},
                               first + (size_t)(low - x), (size_t)(high - low));
    }
}

void trn_map_directory_copy(TrnMapDirectory *directory, const TrnMapDirectory *from, size_t first,
                            size_t end)
{
    if (first < end) {
        memset((void *)(directory->cells + first), 0, (end - first) * sizeof *directory->cells);
    }
    while (first < end && from->pages > 0) {
        const size_t row_end = (first / directory->stride_z + 1) * directory->stride_z;
        const size_t run_end = row_end < end ? row_end : end;
        map_directory_copy_row(directory, from, first, run_end);
        first = run_end;
    }
}

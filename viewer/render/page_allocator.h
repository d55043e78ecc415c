/// Allocates runs of adjacent pages in a buffer; the buffer itself is elsewhere.
///
/// Free runs are sorted and merged. Taking searches all of them for the best fit: some hundred runs
/// in practice, far below a microsecond, less than copying data into the buffer afterwards.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <terrane/base.h>

typedef struct PageRun {
    uint32_t first, count;
} PageRun;

/// All zeroes: no pages; call page_allocator_grow.
typedef struct PageAllocator {
    PageRun *free_runs; ///< [free_count] sorted, never adjacent
    uint32_t free_count, free_capacity;
    uint32_t taken_runs;        ///< runs taken and not yet freed
    uint32_t pages;             ///< all pages
    uint32_t taken;             ///< pages in taken runs
    const TrnAllocator *memory; ///< borrowed; NULL: trn_allocator_default()
} PageAllocator;

/// Adds pages at the end. @param pages  the new total, not below the current one
/// @return false if out of memory
bool page_allocator_grow(PageAllocator *allocator, uint32_t pages);

/// Takes `count` (not 0) adjacent pages.
/// @return false if no free run is long enough, or if out of memory; then nothing changes
bool page_allocator_take(PageAllocator *allocator, uint32_t count, uint32_t *first);

/// Finds the pages below `end` that page_allocator_take would take.
/// @return the length of the free run; 0 if none is long enough
uint32_t page_allocator_find(const PageAllocator *allocator, uint32_t count, uint32_t end,
                             uint32_t *first);

/// Takes pages at a place, which must be the start of a free run. Needs no memory if a run was
/// freed since the last was taken.
/// @return false if it is not, or if out of memory; then nothing changes
bool page_allocator_take_first(PageAllocator *allocator, uint32_t first, uint32_t count);

/// Returns one past the last taken page, or 0 if none is taken.
uint32_t page_allocator_end(const PageAllocator *allocator);

/// Frees pages that were taken as one run. Needs no memory.
/// @return false if some of them are not taken
bool page_allocator_give(PageAllocator *allocator, uint32_t first, uint32_t count);

void page_allocator_free(PageAllocator *allocator);

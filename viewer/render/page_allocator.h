/// Gives out runs of neighbouring pages of a buffer whose memory lies elsewhere.
///
/// The free runs are kept sorted and merged with their neighbours. Taking looks through them for
/// the smallest that fits: some hundred runs in practice, far below a microsecond beside the copy
/// into the buffer that follows.
#ifndef TERRANE_VIEWER_PAGE_ALLOCATOR_H
#define TERRANE_VIEWER_PAGE_ALLOCATOR_H

#include <stdbool.h>
#include <stdint.h>

#include <terrane/base.h>

typedef struct PageRun {
    uint32_t first, count;
} PageRun;

/// All zeroes has no pages: grow it.
typedef struct PageAllocator {
    PageRun *free_runs; ///< [free_count], sorted, never touching each other
    uint32_t free_count, free_capacity;
    uint32_t taken_runs;        ///< runs given out and not yet given back
    uint32_t pages;             ///< in all
    uint32_t taken;             ///< of them given out
    const TrnAllocator *memory; ///< borrowed; NULL: trn_allocator_default()
} PageAllocator;

/// Adds pages at the end. @param pages  the new number in all, not below the present one. False
/// when there is no memory.
bool page_allocator_grow(PageAllocator *allocator, uint32_t pages);

/// Takes `count` (not 0) neighbouring pages. False when no free run is long enough, or no memory;
/// nothing has changed then.
bool page_allocator_take(PageAllocator *allocator, uint32_t count, uint32_t *first);

/// Where page_allocator_take would take pages if there were none from `end` on.
/// @return pages of the free run there; 0 when none below is long enough
uint32_t page_allocator_find(const PageAllocator *allocator, uint32_t count, uint32_t end,
                             uint32_t *first);

/// Takes pages at a place. False when they are not free and at the start of a free run, or no
/// memory; nothing has changed then. Needs no memory where a run was given back since the last was
/// taken.
bool page_allocator_take_first(PageAllocator *allocator, uint32_t first, uint32_t count);

/// One past the last page that is taken; 0 when none is.
uint32_t page_allocator_end(const PageAllocator *allocator);

/// Gives back pages that were taken in one piece. Never needs memory. False when some of them are
/// not taken.
bool page_allocator_give(PageAllocator *allocator, uint32_t first, uint32_t count);

void page_allocator_free(PageAllocator *allocator);

#endif

#include "render/page_allocator.h"

#include <string.h>

static TrnAllocator page_allocator_memory_of(const PageAllocator *allocator)
{
    return allocator->memory ? *allocator->memory : trn_allocator_default();
}

static void page_allocator_free_runs(PageAllocator *allocator)
{
    if (allocator->free_runs) {
        const TrnAllocator memory = page_allocator_memory_of(allocator);
        memory.free(allocator->free_runs, allocator->free_capacity * sizeof *allocator->free_runs,
                    memory.user);
    }
}

/// Reserves capacity for the largest possible number of free runs with `taken_runs` taken: one
/// between any two, and one at each end. Reserved when taking, so that freeing never fails.
static bool page_allocator_reserve_runs(PageAllocator *allocator, uint32_t taken_runs)
{
    uint32_t needed = taken_runs + 1;
    if (needed <= allocator->free_capacity) {
        return true;
    }
    uint32_t capacity = needed < 64 ? 64 : needed * 2;
    const TrnAllocator memory = page_allocator_memory_of(allocator);
    PageRun *runs = memory.alloc(capacity * sizeof *runs, _Alignof(PageRun), memory.user);
    if (!runs) {
        return false;
    }
    if (allocator->free_count) {
        memcpy(runs, allocator->free_runs, allocator->free_count * sizeof *runs);
    }
    page_allocator_free_runs(allocator);
    allocator->free_runs = runs;
    allocator->free_capacity = capacity;
    return true;
}

/// Returns the index of the first free run at or after a page.
static uint32_t page_allocator_run_behind(const PageAllocator *allocator, uint32_t page)
{
    uint32_t low = 0, high = allocator->free_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (allocator->free_runs[middle].first < page) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void page_allocator_remove_run(PageAllocator *allocator, uint32_t index)
{
    PageRun *run = &allocator->free_runs[index];
    memmove(run, run + 1, (allocator->free_count - index - 1) * sizeof *run);
    allocator->free_count--;
}

static void page_allocator_insert_run(PageAllocator *allocator, uint32_t index, PageRun added)
{
    PageRun *run = &allocator->free_runs[index];
    memmove(run + 1, run, (allocator->free_count - index) * sizeof *run);
    *run = added;
    allocator->free_count++;
}

/// Adds a free run and merges it with adjacent ones.
static void page_allocator_merge_run(PageAllocator *allocator, PageRun added)
{
    uint32_t index = page_allocator_run_behind(allocator, added.first);
    PageRun *runs = allocator->free_runs;
    bool touches_before = index > 0 && runs[index - 1].first + runs[index - 1].count == added.first;
    bool touches_behind =
        index < allocator->free_count && added.first + added.count == runs[index].first;
    if (touches_before && touches_behind) {
        runs[index - 1].count += added.count + runs[index].count;
        page_allocator_remove_run(allocator, index);
    } else if (touches_before) {
        runs[index - 1].count += added.count;
    } else if (touches_behind) {
        runs[index].first = added.first;
        runs[index].count += added.count;
    } else {
        page_allocator_insert_run(allocator, index, added);
    }
}

bool page_allocator_grow(PageAllocator *allocator, uint32_t pages)
{
    if (pages <= allocator->pages) {
        return pages == allocator->pages;
    }
    if (!page_allocator_reserve_runs(allocator, allocator->taken_runs)) {
        return false;
    }
    PageRun added = {allocator->pages, pages - allocator->pages};
    allocator->pages = pages;
    page_allocator_merge_run(allocator, added);
    return true;
}

/// Takes the first pages of a free run.
static void page_allocator_take_from(PageAllocator *allocator, uint32_t index, uint32_t count)
{
    PageRun *run = &allocator->free_runs[index];
    run->first += count;
    run->count -= count;
    if (run->count == 0) {
        page_allocator_remove_run(allocator, index);
    }
    allocator->taken += count;
    allocator->taken_runs++;
}

uint32_t page_allocator_find(const PageAllocator *allocator, uint32_t count, uint32_t end,
                             uint32_t *first)
{
    uint32_t best_count = UINT32_MAX;
    for (uint32_t i = 0; i < allocator->free_count && best_count > count; i++) {
        const PageRun run = allocator->free_runs[i];
        if (run.first >= end) {
            break;
        }
        if (run.count >= count && run.count < best_count) {
            *first = run.first;
            best_count = run.count;
        }
    }
    return best_count < UINT32_MAX ? best_count : 0;
}

bool page_allocator_take(PageAllocator *allocator, uint32_t count, uint32_t *first)
{
    uint32_t found = 0;
    if (!page_allocator_find(allocator, count, UINT32_MAX, &found) ||
        !page_allocator_take_first(allocator, found, count)) {
        return false;
    }
    *first = found;
    return true;
}

bool page_allocator_take_first(PageAllocator *allocator, uint32_t first, uint32_t count)
{
    const uint32_t index = page_allocator_run_behind(allocator, first);
    if (count == 0 || index == allocator->free_count ||
        allocator->free_runs[index].first != first || allocator->free_runs[index].count < count ||
        !page_allocator_reserve_runs(allocator, allocator->taken_runs + 1)) {
        return false;
    }
    page_allocator_take_from(allocator, index, count);
    return true;
}

uint32_t page_allocator_end(const PageAllocator *allocator)
{
    if (allocator->free_count == 0) {
        return allocator->pages;
    }
    const PageRun last = allocator->free_runs[allocator->free_count - 1];
    return last.first + last.count == allocator->pages ? last.first : allocator->pages;
}

bool page_allocator_give(PageAllocator *allocator, uint32_t first, uint32_t count)
{
    if (count == 0 || count > allocator->pages || first > allocator->pages - count) {
        return false;
    }
    uint32_t index = page_allocator_run_behind(allocator, first);
    const PageRun *runs = allocator->free_runs;
    if ((index < allocator->free_count && runs[index].first < first + count) ||
        (index > 0 && runs[index - 1].first + runs[index - 1].count > first)) {
        return false;
    }
    page_allocator_merge_run(allocator, (PageRun){first, count});
    allocator->taken -= count;
    allocator->taken_runs--;
    return true;
}

void page_allocator_free(PageAllocator *allocator)
{
    page_allocator_free_runs(allocator);
    *allocator = (PageAllocator){.memory = allocator->memory};
}

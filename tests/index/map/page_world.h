/// Pages for tests of the private structures that find them: a world of pages by coordinate, whose
/// memory is retired as an index retires it.
#pragma once

#include "testing.h"

#include "index/page.h"

/// Fake readers, by number of their slot.
#define PAGE_WORLD_READERS 3

typedef struct PageWorld {
    TestAllocator counts;
    TrnRetire retire;
    TrnMapMemory memory;
} PageWorld;

static inline void page_world_open(PageWorld *world)
{
    memset(world, 0, sizeof *world);
    const TrnAllocator allocator = test_allocator(&world->counts);
    assert_int_equal(trn_retire_init(&world->retire, PAGE_WORLD_READERS, world, &allocator),
                     TRN_RESULT_OK);
    world->memory = (TrnMapMemory){.allocator = allocator, .retire = &world->retire};
}

static inline void page_world_close(PageWorld *world)
{
    trn_retire_close(&world->retire);
    assert_int_equal(world->memory.bytes, 0);
    assert_int_equal(world->memory.retired_bytes, 0);
    assert_int_equal(world->counts.live_blocks, 0);
}

/// A reader enters or leaves a section, as trn_chunk_index_read_begin and _end do.
static inline void page_world_enter(PageWorld *world, uint32_t reader)
{
    atomic_store(&world->retire.readers[reader].epoch, atomic_load(&world->retire.epoch));
}

static inline void page_world_leave(PageWorld *world, uint32_t reader)
{
    atomic_store(&world->retire.readers[reader].epoch, 0);
}

/// Creates a page of its own allocation, so that the address sanitizer sees every late access.
/// Every second one is sparse, so that its pointer has a tag.
static inline TrnPage *page_world_page(TrnCoord coord)
{
    const uint32_t form = (coord.x ^ coord.z) & 1 ? 0 : TRN_PAGE_FORM_FULL;
    const size_t bytes = trn_page_form_bytes(form, 1);
    void *memory = trn_aligned_alloc(bytes, TRN_CACHE_LINE);
    assert_non_null(memory);
    return trn_page_init(memory, form, coord, 1);
}

/// Frees a page. @param page  a TrnPage or NULL
static inline void page_world_free(void *page, void *context)
{
    (void)context;
    trn_aligned_free(trn_page_is_sparse(page) ? (void *)trn_page_sparse(page) : page);
}

static inline void page_world_retire(PageWorld *world, TrnPage *page)
{
    const size_t fail_at = world->counts.fail_at;
    world->counts.fail_at = 0;
    assert_int_equal(trn_retire_reserve(&world->retire, 1), TRN_RESULT_OK);
    world->counts.fail_at = fail_at;
    trn_retire(&world->retire, page, page_world_free, 0);
}

// Large blocks that are address ranges, and objects of one size that come from a pool.

#include "map_memory.h"

#include "base/address_range.h"
#include "pool/pool_internal.h"

/// Once the pool is large it allocates this part of its memory at a time, up to a huge page.
#define MAP_MEMORY_RUN_PART 4

// ---- large blocks ------------------------------------------------------------------------------

static bool map_memory_is_large(size_t bytes)
{
    return bytes >= TRN_HUGE_PAGE_BYTES && trn_address_range_is_supported();
}

static void *map_memory_alloc(size_t bytes, size_t alignment, void *user)
{
    (void)user;
    if (!map_memory_is_large(bytes)) {
        const TrnAllocator small = trn_allocator_default();
        return trn_take(&small, bytes, alignment);
    }
    TrnAddressRange range;
    if (alignment > TRN_HUGE_PAGE_BYTES ||
        trn_address_range_reserve(bytes, &range) != TRN_RESULT_OK) {
        return NULL;
    }
    if (trn_address_range_commit(&range, 0, range.bytes) != TRN_RESULT_OK) {
        trn_address_range_release(&range);
        return NULL;
    }
    trn_huge_pages_ask(range.start, bytes);
    return range.start;
}

static void map_memory_free(void *memory, size_t bytes, void *user)
{
    (void)user;
    if (!map_memory_is_large(bytes)) {
        const TrnAllocator small = trn_allocator_default();
        trn_give(&small, memory, bytes);
        return;
    }
    const size_t page = trn_address_range_page_bytes();
    TrnAddressRange range = {memory, (bytes + page - 1) & ~(page - 1)};
    trn_address_range_release(&range);
}

TrnAllocator trn_map_allocator(void)
{
    const TrnAllocator allocator = {map_memory_alloc, map_memory_free, NULL};
    return allocator;
}

// ---- objects of one size -----------------------------------------------------------------------

static size_t map_memory_pool_bytes(const TrnMapMemory *memory)
{
    return memory->pool ? trn_pool_stats(memory->pool).bytes : 0;
}

static TrnResult map_memory_create_pool(TrnMapMemory *memory, size_t bytes)
{
    TrnPoolDef def = trn_pool_def(bytes);
    def.slot_alignment = TRN_CACHE_LINE;
    def.block_slots = 1;
    def.allocator = &memory->allocator;
    const TrnResult result = trn_pool_create(&def, &memory->pool);
    if (result == TRN_RESULT_OK) {
        const size_t blocks = (TRN_HUGE_PAGE_BYTES + bytes - 1) / bytes;
        trn_pool_allow_runs(memory->pool, (uint32_t)blocks, MAP_MEMORY_RUN_PART);
    }
    return result;
}

/// Destroys the pool if it has no object.
static void map_memory_drop_pool(TrnMapMemory *memory)
{
    if (memory->pool && trn_pool_stats(memory->pool).taken == 0) {
        trn_pool_destroy(memory->pool);
        memory->pool = NULL;
    }
}

void *trn_map_block_take_pooled(TrnMapMemory *memory, size_t bytes)
{
    const size_t before = map_memory_pool_bytes(memory);
    void *taken = NULL;
    if (memory->pool || map_memory_create_pool(memory, bytes) == TRN_RESULT_OK) {
        (void)trn_pool_alloc(memory->pool, NULL, &taken);
    }
    if (taken) {
        *(TrnMapBlock *)taken = (TrnMapBlock){.memory = memory, .bytes = bytes, .is_pooled = true};
    } else {
        map_memory_drop_pool(memory);
    }
    memory->bytes += map_memory_pool_bytes(memory) - before;
    return taken;
}

void trn_map_block_give_pooled(TrnMapBlock *block)
{
    TrnMapMemory *memory = block->memory;
    const size_t before = map_memory_pool_bytes(memory);
    (void)trn_pool_free(memory->pool, trn_pool_id(memory->pool, block));
    map_memory_drop_pool(memory);
    memory->bytes += map_memory_pool_bytes(memory) - before;
}

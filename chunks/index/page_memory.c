// Objects of one size that come from a pool.

#include "page_memory.h"

#include "base/address_range.h"
#include "pool_internal.h"

/// Once the pool is large it allocates this part of its memory at a time, up to a huge page.
#define PAGE_MEMORY_RUN_PART 4

static size_t page_memory_pool_bytes(const TrnPageMemory *memory)
{
    return memory->pool ? trn_pool_stats(memory->pool).bytes : 0;
}

static TrnResult page_memory_create_pool(TrnPageMemory *memory, size_t bytes)
{
    TrnPoolDef def = trn_pool_def(bytes);
    def.slot_alignment = TRN_CACHE_LINE;
    def.block_slots = 1;
    def.allocator = &memory->allocator;
    const TrnResult result = trn_pool_create(&def, &memory->pool);
    if (result == TRN_RESULT_OK) {
        const size_t blocks = (TRN_HUGE_PAGE_BYTES + bytes - 1) / bytes;
        trn_pool_allow_runs(memory->pool, (uint32_t)blocks, PAGE_MEMORY_RUN_PART);
    }
    return result;
}

/// Destroys the pool if it has no object.
static void page_memory_drop_pool(TrnPageMemory *memory)
{
    if (memory->pool && trn_pool_stats(memory->pool).taken == 0) {
        trn_pool_destroy(memory->pool);
        memory->pool = NULL;
    }
}

void *trn_page_block_take_pooled(TrnPageMemory *memory, size_t bytes)
{
    const size_t before = page_memory_pool_bytes(memory);
    void *taken = NULL;
    if (memory->pool || page_memory_create_pool(memory, bytes) == TRN_RESULT_OK) {
        (void)trn_pool_alloc(memory->pool, NULL, &taken);
    }
    if (taken) {
        *(TrnPageBlock *)taken =
            (TrnPageBlock){.memory = memory, .bytes = bytes, .is_pooled = true};
    } else {
        page_memory_drop_pool(memory);
    }
    memory->bytes += page_memory_pool_bytes(memory) - before;
    return taken;
}

void trn_page_block_give_pooled(TrnPageBlock *block)
{
    TrnPageMemory *memory = block->memory;
    const size_t before = page_memory_pool_bytes(memory);
    (void)trn_pool_free(memory->pool, trn_pool_id(memory->pool, block));
    page_memory_drop_pool(memory);
    memory->bytes += page_memory_pool_bytes(memory) - before;
}

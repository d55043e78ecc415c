#include "block_pool.h"

#include <stdlib.h>

enum { BLOCK_SLOTS = 1024, BLOCK_BYTES = BLOCK_SLOTS * sizeof(ContenderChunk) };

/// The pool's blocks lie in the array of chunks. Its tables are allocated separately.
struct BlockPool {
    TrnPool *pool;
    TrnAllocator tables;
    uintptr_t first, next, end; ///< addresses: first chunk, next block, end of the chunks
};

static void *block_pool_alloc(size_t bytes, size_t alignment, void *user)
{
    BlockPool *blocks = user;
    if (bytes != BLOCK_BYTES || blocks->next >= blocks->end) {
        return blocks->tables.alloc(bytes, alignment, blocks->tables.user);
    }
    const uintptr_t block = blocks->next;
    blocks->next += BLOCK_BYTES;
    return (void *)block; // the pool never uses the last block's part after the chunks
}

static void block_pool_free(void *memory, size_t bytes, void *user)
{
    const BlockPool *blocks = user;
    if ((uintptr_t)memory < blocks->first || (uintptr_t)memory >= blocks->end) {
        blocks->tables.free(memory, bytes, blocks->tables.user);
    }
}

/// Allocates a slot for each chunk. @return whether each slot has its chunk's address
static bool block_pool_fill(BlockPool *blocks, const ContenderChunk *chunks, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        void *slot;
        if (trn_pool_alloc(blocks->pool, NULL, &slot) != TRN_RESULT_OK || slot != &chunks[i]) {
            return false;
        }
    }
    return true;
}

BlockPool *block_pool_create(const ContenderChunk *chunks, uint32_t count)
{
    BlockPool *blocks = calloc(1, sizeof *blocks);
    if (!blocks) {
        return NULL;
    }
    blocks->tables = trn_allocator_default();
    blocks->first = blocks->next = (uintptr_t)chunks;
    blocks->end = blocks->first + count * sizeof(ContenderChunk);
    const TrnAllocator allocator = {block_pool_alloc, block_pool_free, blocks};
    TrnPoolDef def = trn_pool_def(sizeof(ContenderChunk));
    def.block_slots = BLOCK_SLOTS; // the default for slots of this size
    def.allocator = &allocator;
    if (trn_pool_create(&def, &blocks->pool) != TRN_RESULT_OK ||
        !block_pool_fill(blocks, chunks, count)) {
        block_pool_destroy(blocks);
        return NULL;
    }
    return blocks;
}

void block_pool_destroy(BlockPool *blocks)
{
    if (blocks) {
        trn_pool_destroy(blocks->pool);
        free(blocks);
    }
}

const TrnPool *block_pool_slots(const BlockPool *blocks)
{
    return blocks->pool;
}

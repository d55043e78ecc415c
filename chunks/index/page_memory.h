/// Private: memory of the structures that find pages: counted, and retired while readers may see
/// it.
#ifndef TERRANE_INDEX_PAGE_MEMORY_H
#define TERRANE_INDEX_PAGE_MEMORY_H

#include <terrane/pool.h>

#include "base/memory.h"
#include "retire.h"

/// Returns the allocator of an index whose caller gives none: as trn_allocator_default(), but
/// blocks of a huge page or more are address ranges. So they are aligned to huge pages and exactly
/// as large as was asked for; C libraries map a huge page more for the alignment.
TrnAllocator trn_page_allocator(void);

/// Lies in the chunk index, which outlives everything it counts.
typedef struct TrnPageMemory {
    TrnAllocator allocator;
    TrnRetire *retire;
    size_t bytes;         ///< allocated, retired memory included
    size_t retired_bytes; ///< kept only for readers
    TrnPool *pool;        ///< of trn_page_block_take_pooled(); NULL while it has no object
} TrnPageMemory;

/// The start of every allocation that readers may see after it has been replaced.
typedef struct TrnPageBlock {
    TrnRetireLink link; ///< first, so that the link is the allocation
    TrnPageMemory *memory;
    size_t bytes;
    bool is_pooled;
} TrnPageBlock;

/// Allocates; NULL if there is no memory.
static inline void *trn_page_take(TrnPageMemory *memory, size_t bytes, size_t alignment)
{
    void *taken = trn_take(&memory->allocator, bytes, alignment);
    memory->bytes += taken ? bytes : 0;
    return taken;
}

/// Frees memory of trn_page_take(); NULL is fine.
static inline void trn_page_give(TrnPageMemory *memory, void *taken, size_t bytes)
{
    memory->bytes -= taken ? bytes : 0;
    trn_give(&memory->allocator, taken, bytes);
}

/// Allocates an object that starts with a block. NULL if there is no memory.
static inline void *trn_page_block_take(TrnPageMemory *memory, size_t bytes)
{
    TrnPageBlock *block = trn_page_take(memory, bytes, TRN_CACHE_LINE);
    if (block) {
        *block = (TrnPageBlock){.memory = memory, .bytes = bytes};
    }
    return block;
}

/// Allocates an object that starts with a block, from a pool: for objects that are many in large
/// worlds, whose memory is then huge pages. NULL if there is no memory.
/// @param bytes  the same in all calls
void *trn_page_block_take_pooled(TrnPageMemory *memory, size_t bytes);

/// Frees an object of trn_page_block_take_pooled().
void trn_page_block_give_pooled(TrnPageBlock *block);

/// Frees an object that starts with a block at once. NULL is fine.
static inline void trn_page_block_give(TrnPageBlock *block)
{
    if (block && block->is_pooled) {
        trn_page_block_give_pooled(block);
    } else if (block) {
        trn_page_give(block->memory, block, block->bytes);
    }
}

/// Retires an object that starts with a block. `owner` frees it; its function must call
/// trn_page_block_reclaim. Cannot fail.
static inline void trn_page_block_retire(TrnPageBlock *block, const TrnRetireOwner *owner)
{
    block->memory->retired_bytes += block->bytes;
    trn_retire_link(block->memory->retire, owner, &block->link);
}

/// Frees a retired object.
static inline void trn_page_block_reclaim(TrnRetireLink *link, void *context)
{
    (void)context;
    TrnPageBlock *block = (TrnPageBlock *)(void *)link;
    block->memory->retired_bytes -= block->bytes;
    trn_page_block_give(block);
}

#endif

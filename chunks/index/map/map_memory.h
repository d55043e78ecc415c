/// Private: memory of the structures that find pages: counted, and retired while readers may see
/// it.
#ifndef TERRANE_INDEX_MAP_MEMORY_H
#define TERRANE_INDEX_MAP_MEMORY_H

#include <terrane/pool.h>

#include "base/memory.h"
#include "base/retire.h"

/// Returns the allocator of an index whose caller gives none: as trn_allocator_default(), but
/// blocks of a huge page or more are address ranges. So they are aligned to huge pages and exactly
/// as large as was asked for; C libraries map a huge page more for the alignment.
TrnAllocator trn_map_allocator(void);

/// Lies in the chunk index, which outlives everything it counts.
typedef struct TrnMapMemory {
    TrnAllocator allocator;
    TrnRetire *retire;
    size_t bytes;         ///< allocated, retired memory included
    size_t retired_bytes; ///< kept only for readers
    TrnPool *pool;        ///< of trn_map_block_take_pooled(); NULL while it has no object
} TrnMapMemory;

/// The start of every allocation that readers may see after it has been replaced.
typedef struct TrnMapBlock {
    TrnRetireLink link; ///< first, so that the link is the allocation
    TrnMapMemory *memory;
    size_t bytes;
    bool is_pooled;
} TrnMapBlock;

/// Allocates; NULL if there is no memory.
static inline void *trn_map_take(TrnMapMemory *memory, size_t bytes, size_t alignment)
{
    void *taken = trn_take(&memory->allocator, bytes, alignment);
    memory->bytes += taken ? bytes : 0;
    return taken;
}

/// Frees memory of trn_map_take(); NULL is fine.
static inline void trn_map_give(TrnMapMemory *memory, void *taken, size_t bytes)
{
    memory->bytes -= taken ? bytes : 0;
    trn_give(&memory->allocator, taken, bytes);
}

/// Allocates an object that starts with a block. NULL if there is no memory.
static inline void *trn_map_block_take(TrnMapMemory *memory, size_t bytes)
{
    TrnMapBlock *block = trn_map_take(memory, bytes, TRN_CACHE_LINE);
    if (block) {
        *block = (TrnMapBlock){.memory = memory, .bytes = bytes};
    }
    return block;
}

/// Allocates an object that starts with a block, from a pool: for objects that are many in large
/// worlds, whose memory is then huge pages. NULL if there is no memory.
/// @param bytes  the same in all calls
void *trn_map_block_take_pooled(TrnMapMemory *memory, size_t bytes);

/// Frees an object of trn_map_block_take_pooled().
void trn_map_block_give_pooled(TrnMapBlock *block);

/// Frees an object that starts with a block at once. NULL is fine.
static inline void trn_map_block_give(TrnMapBlock *block)
{
    if (block && block->is_pooled) {
        trn_map_block_give_pooled(block);
    } else if (block) {
        trn_map_give(block->memory, block, block->bytes);
    }
}

/// Retires an object that starts with a block. `owner` frees it; its function must call
/// trn_map_block_reclaim. Cannot fail.
static inline void trn_map_block_retire(TrnMapBlock *block, const TrnRetireOwner *owner)
{
    block->memory->retired_bytes += block->bytes;
    trn_retire_link(block->memory->retire, owner, &block->link);
}

/// Frees a retired object.
static inline void trn_map_block_reclaim(TrnRetireLink *link, void *context)
{
    (void)context;
    TrnMapBlock *block = (TrnMapBlock *)(void *)link;
    block->memory->retired_bytes -= block->bytes;
    trn_map_block_give(block);
}

#endif

// The pool: blocks of slots, a free list through the free slots, and occupancy bits and generations
// beside them.
//
// One free list serves all blocks (6 ns for a pair of alloc and free); a list per block, from which
// empty blocks could be unhooked at once, was measured at 16 ns, so blocks go back in
// trn_pool_trim, which rebuilds the list from the bits.

#include <terrane/pool.h>

#include <stdalign.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

#define POOL_BLOCK_BYTES ((size_t)256 * 1024)
#define POOL_SLOTS_MAX                                                                             \
    0x80000000u      // a multiple of every block size, and index1 stays inside 32 bits
#define POOL_NONE 0u // free-list links are index1, so zero ends the list

typedef struct PoolBlock {
    unsigned char *slots; // NULL once trimmed away
    uint32_t taken;
} PoolBlock;

struct TrnPool {
    TrnAllocator allocator;
    size_t slot_bytes, slot_alignment;
    uint32_t block_slots, block_shift; // slots in a block: 1 << block_shift
    uint32_t slot_max;
    uint32_t free_index1; // head of the free list
    uint32_t taken, taken_peak;
    uint32_t block_count, block_capacity; // tables below hold room for block_capacity blocks
    uint32_t live_blocks;                 // those with slots
    PoolBlock *blocks;
    uint64_t *bits;        // one bit per slot, set while taken
    uint32_t *generations; // one per slot, odd while taken; outlives the block, so that stale ids
                           // stay stale
};

TrnPoolDef trn_pool_def(size_t slot_bytes)
{
    TrnPoolDef def = {.slot_bytes = slot_bytes, .slot_alignment = 16};
    return def;
}

static bool pool_def_is_valid(const TrnPoolDef *def)
{
    size_t alignment = def->slot_alignment;
    return def->slot_bytes >= 1 && def->slot_bytes <= (size_t)1 << 30 && alignment >= 8 &&
           alignment <= 4096 && (alignment & (alignment - 1)) == 0 &&
           def->block_slots <= 1u << 20 && def->slot_max <= POOL_SLOTS_MAX;
}

/// The shift of the power of two at or above the slots asked for; at least one 64-bit word of occupancy.
static uint32_t pool_block_shift(uint32_t block_slots, size_t slot_bytes)
{
    size_t wanted = block_slots ? block_slots : POOL_BLOCK_BYTES / slot_bytes;
    uint32_t shift = 0;
    while (((size_t)1 << shift) < wanted && shift < 20) {
        shift++;
    }
    return shift;
}

TrnResult trn_pool_create(const TrnPoolDef *def, TrnPool **pool)
{
    if (!def || !pool || !pool_def_is_valid(def)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnPool *made = trn_take(&allocator, sizeof *made, alignof(TrnPool));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(made, 0, sizeof *made);
    made->allocator = allocator;
    made->slot_alignment = def->slot_alignment;
    made->slot_bytes = (def->slot_bytes + def->slot_alignment - 1) & ~(def->slot_alignment - 1);
    made->block_shift = pool_block_shift(def->block_slots, made->slot_bytes);
    made->block_slots = 1u << made->block_shift;
    made->slot_max = def->slot_max ? def->slot_max : POOL_SLOTS_MAX;
    *pool = made;
    return TRN_RESULT_OK;
}

static size_t pool_bits_bytes(const TrnPool *pool, uint32_t blocks)
{
    return (((size_t)blocks << pool->block_shift) + 63) / 64 * sizeof(uint64_t);
}

static size_t pool_generations_bytes(const TrnPool *pool, uint32_t blocks)
{
    return ((size_t)blocks << pool->block_shift) * sizeof(uint32_t);
}

static size_t pool_block_bytes(const TrnPool *pool)
{
    return pool->slot_bytes << pool->block_shift;
}

static void pool_give_tables(TrnPool *pool)
{
    trn_give(&pool->allocator, pool->blocks, pool->block_capacity * sizeof(PoolBlock));
    trn_give(&pool->allocator, pool->bits, pool_bits_bytes(pool, pool->block_capacity));
    trn_give(&pool->allocator, pool->generations,
             pool_generations_bytes(pool, pool->block_capacity));
}

void trn_pool_destroy(TrnPool *pool)
{
    if (!pool) {
        return;
    }
    for (uint32_t i = 0; i < pool->block_count; i++) {
        trn_give(&pool->allocator, pool->blocks[i].slots, pool_block_bytes(pool));
    }
    pool_give_tables(pool);
    TrnAllocator allocator = pool->allocator;
    trn_give(&allocator, pool, sizeof *pool);
}

static unsigned char *pool_slot(const TrnPool *pool, uint32_t index)
{
    uint32_t within = index & (pool->block_slots - 1);
    return pool->blocks[index >> pool->block_shift].slots + within * pool->slot_bytes;
}

/// The link that a free slot holds in its first four bytes.
static uint32_t pool_link(const TrnPool *pool, uint32_t index)
{
    uint32_t link;
    memcpy(&link, pool_slot(pool, index), sizeof link);
    return link;
}

static void pool_push_free(TrnPool *pool, uint32_t index)
{
    memcpy(pool_slot(pool, index), &pool->free_index1, sizeof pool->free_index1);
    pool->free_index1 = index + 1;
}

/// Makes room for one more block in the tables: all three or none.
static TrnResult pool_grow_tables(TrnPool *pool)
{
    uint32_t capacity = pool->block_capacity ? pool->block_capacity * 2 : 4;
    TrnPool next = *pool;
    next.block_capacity = capacity;
    next.blocks = trn_take(&pool->allocator, capacity * sizeof(PoolBlock), TRN_CACHE_LINE);
    next.bits = trn_take(&pool->allocator, pool_bits_bytes(pool, capacity), TRN_CACHE_LINE);
    next.generations =
        trn_take(&pool->allocator, pool_generations_bytes(pool, capacity), TRN_CACHE_LINE);
    if (!next.blocks || !next.bits || !next.generations) {
        pool_give_tables(&next);
        return TRN_RESULT_NO_MEMORY;
    }
    memset(next.bits, 0, pool_bits_bytes(pool, capacity));
    memset(next.generations, 0, pool_generations_bytes(pool, capacity));
    if (pool->block_capacity) {
        memcpy(next.blocks, pool->blocks, pool->block_count * sizeof(PoolBlock));
        memcpy(next.bits, pool->bits, pool_bits_bytes(pool, pool->block_capacity));
        memcpy(next.generations, pool->generations,
               pool_generations_bytes(pool, pool->block_capacity));
    }
    pool_give_tables(pool);
    *pool = next;
    return TRN_RESULT_OK;
}

/// Which entry of the table the next block goes to: one that was trimmed away, or a new one at the end.
static uint32_t pool_vacant_block(const TrnPool *pool)
{
    if (pool->live_blocks < pool->block_count) {
        for (uint32_t i = 0; i < pool->block_count; i++) {
            if (!pool->blocks[i].slots) {
                return i;
            }
        }
    }
    return pool->block_count;
}

static TrnResult pool_add_block(TrnPool *pool)
{
    uint32_t block = pool_vacant_block(pool);
    if ((uint64_t)(block + 1) << pool->block_shift > POOL_SLOTS_MAX) {
        return TRN_RESULT_FULL;
    }
    if (block == pool->block_capacity) {
        TrnResult result = pool_grow_tables(pool);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    size_t alignment =
        pool->slot_alignment > TRN_CACHE_LINE ? pool->slot_alignment : TRN_CACHE_LINE;
    unsigned char *slots = trn_take(&pool->allocator, pool_block_bytes(pool), alignment);
    if (!slots) {
        return TRN_RESULT_NO_MEMORY;
    }
    pool->blocks[block] = (PoolBlock){slots, 0};
    pool->block_count += block == pool->block_count;
    pool->live_blocks++;
    // Pushed from the last slot, so that slots are handed out in address order.
    for (uint32_t i = pool->block_slots; i-- > 0;) {
        pool_push_free(pool, (block << pool->block_shift) + i);
    }
    return TRN_RESULT_OK;
}

TrnResult trn_pool_alloc(TrnPool *pool, TrnPoolId *id, void **slot)
{
    if (pool->taken >= pool->slot_max) {
        return TRN_RESULT_FULL;
    }
    if (pool->free_index1 == POOL_NONE) {
        TrnResult result = pool_add_block(pool);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    uint32_t index = pool->free_index1 - 1;
    pool->free_index1 = pool_link(pool, index);
    pool->bits[index / 64] |= (uint64_t)1 << (index % 64);
    pool->generations[index]++;
    pool->blocks[index >> pool->block_shift].taken++;
    pool->taken++;
    pool->taken_peak = pool->taken > pool->taken_peak ? pool->taken : pool->taken_peak;
    if (id) {
        *id = (TrnPoolId){index + 1, pool->generations[index]};
    }
    *slot = pool_slot(pool, index);
    return TRN_RESULT_OK;
}

/// Whether an id names a taken slot. Generations are odd while a slot is taken, so a made-up even one never matches.
static bool pool_id_is_live(const TrnPool *pool, TrnPoolId id)
{
    uint32_t index = id.index1 - 1; // the null id wraps to the top
    return (id.generation & 1) &&
           (uint64_t)index < (uint64_t)pool->block_count << pool->block_shift &&
           pool->generations[index] == id.generation;
}

TrnResult trn_pool_free(TrnPool *pool, TrnPoolId id)
{
    if (!pool_id_is_live(pool, id)) {
        return TRN_RESULT_STALE_ID;
    }
    uint32_t index = id.index1 - 1;
    pool->bits[index / 64] &= ~((uint64_t)1 << (index % 64));
    pool->generations[index]++;
    pool->blocks[index >> pool->block_shift].taken--;
    pool->taken--;
    pool_push_free(pool, index);
    return TRN_RESULT_OK;
}

void *trn_pool_get(const TrnPool *pool, TrnPoolId id)
{
    return pool_id_is_live(pool, id) ? pool_slot(pool, id.index1 - 1) : NULL;
}

void *trn_pool_next(const TrnPool *pool, uint32_t *cursor, TrnPoolId *id)
{
    uint64_t end = (uint64_t)pool->block_count << pool->block_shift;
    for (uint64_t index = *cursor; index < end; index = (index | 63) + 1) {
        uint64_t word = pool->bits[index / 64] >> (index % 64);
        if (word == 0) {
            continue;
        }
        uint32_t found = (uint32_t)index + (uint32_t)__builtin_ctzll(word);
        *cursor = found + 1;
        if (id) {
            *id = (TrnPoolId){found + 1, pool->generations[found]};
        }
        return pool_slot(pool, found);
    }
    *cursor = (uint32_t)end;
    return NULL;
}

/// Puts the free slots of one block on the free list, in address order.
static void pool_push_free_of_block(TrnPool *pool, uint32_t block)
{
    for (uint32_t i = pool->block_slots; i-- > 0;) {
        uint32_t index = (block << pool->block_shift) + i;
        if (!(pool->bits[index / 64] >> (index % 64) & 1)) {
            pool_push_free(pool, index);
        }
    }
}

void trn_pool_trim(TrnPool *pool)
{
    pool->free_index1 = POOL_NONE;
    for (uint32_t block = pool->block_count; block-- > 0;) {
        PoolBlock *entry = &pool->blocks[block];
        if (entry->slots && entry->taken == 0) {
            trn_give(&pool->allocator, entry->slots, pool_block_bytes(pool));
            entry->slots = NULL;
            pool->live_blocks--;
        } else if (entry->slots) {
            pool_push_free_of_block(pool, block);
        }
    }
}

TrnPoolStats trn_pool_stats(const TrnPool *pool)
{
    TrnPoolStats stats = {
        .taken = pool->taken,
        .taken_peak = pool->taken_peak,
        .slot_max = pool->slot_max == POOL_SLOTS_MAX ? 0 : pool->slot_max,
        .blocks = pool->live_blocks,
        .block_slots = pool->block_slots,
        .slot_bytes = pool->slot_bytes,
        .bytes = sizeof *pool + pool->live_blocks * pool_block_bytes(pool) +
                 pool->block_capacity * sizeof(PoolBlock) +
                 pool_bits_bytes(pool, pool->block_capacity) +
                 pool_generations_bytes(pool, pool->block_capacity),
    };
    return stats;
}

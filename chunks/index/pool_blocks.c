// Blocks of a pool: allocates and frees them, keeps their tables, and finds them by address.

#include "pool_blocks.h"

#include <string.h>

// ---- blocks by address -------------------------------------------------------------------------

static uint64_t pool_map_granule(const TrnPoolMap *map, const void *address)
{
    return (uint64_t)(uintptr_t)address >> map->granule_shift;
}

static uint32_t pool_map_home(const TrnPoolMap *map, uint64_t granule)
{
    return (uint32_t)(granule * 0x9E3779B97F4A7C15u >> 32) & (map->capacity - 1);
}

/// Returns the entry of the block that begins in a granule, or the vacant entry to insert it at.
static uint32_t pool_map_entry(const TrnPoolMap *map, uint64_t granule)
{
    uint32_t at = pool_map_home(map, granule);
    while (map->entries[at] && pool_map_granule(map, map->entries[at]->slots) != granule) {
        at = (at + 1) & (map->capacity - 1);
    }
    return at;
}

static void pool_map_add(TrnPoolMap *map, TrnPoolBlock *block)
{
    map->entries[pool_map_entry(map, pool_map_granule(map, block->slots))] = block;
    map->count++;
}

/// Moves later entries into the gap, so that no tombstones accumulate.
static void pool_map_remove(TrnPoolMap *map, const TrnPoolBlock *block)
{
    uint32_t mask = map->capacity - 1;
    uint32_t gap = pool_map_entry(map, pool_map_granule(map, block->slots));
    for (uint32_t at = (gap + 1) & mask; map->entries[at]; at = (at + 1) & mask) {
        uint32_t home = pool_map_home(map, pool_map_granule(map, map->entries[at]->slots));
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            map->entries[gap] = map->entries[at];
            gap = at;
        }
    }
    map->entries[gap] = NULL;
    map->count--;
}

static size_t pool_map_bytes(const TrnPoolMap *map)
{
    return map->capacity * sizeof(TrnPoolBlock *);
}

/// Reserves capacity for one more block.
static TrnResult pool_map_reserve(TrnPool *pool)
{
    TrnPoolMap *map = &pool->map;
    if ((map->count + 1) * (uint64_t)2 <= map->capacity) {
        return TRN_RESULT_OK;
    }
    TrnPoolMap next = *map;
    next.capacity = map->capacity ? map->capacity * 2 : 8;
    next.count = 0;
    next.entries = trn_take(&pool->allocator, pool_map_bytes(&next), TRN_CACHE_LINE);
    if (!next.entries) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(next.entries, 0, pool_map_bytes(&next));
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->entries[i]) {
            pool_map_add(&next, map->entries[i]);
        }
    }
    trn_give(&pool->allocator, map->entries, pool_map_bytes(map));
    pool->table_bytes += pool_map_bytes(&next) - pool_map_bytes(map);
    *map = next;
    return TRN_RESULT_OK;
}

/// A block is less than two granules long, so it begins in the address's own granule or in one of
/// the two below.
static TrnPoolBlock *pool_map_find(const TrnPool *pool, const void *address)
{
    const TrnPoolMap *map = &pool->map;
    for (uint64_t back = 0; back <= 2 && map->count; back++) {
        uint64_t granule = pool_map_granule(map, address) - back;
        TrnPoolBlock *block = map->entries[pool_map_entry(map, granule)];
        if (block && (uintptr_t)address - (uintptr_t)block->slots < trn_pool_block_bytes(pool)) {
            return block;
        }
    }
    return NULL;
}

TrnPoolBlock *trn_pool_block_at(const TrnPool *pool, const void *address)
{
    if (!pool->range) {
        return pool_map_find(pool, address);
    }
    size_t block = ((uintptr_t)address - (uintptr_t)pool->range) / trn_pool_block_bytes(pool);
    return block < trn_pool_block_count(pool) ? trn_pool_block(pool, (uint32_t)block) : NULL;
}

// ---- tables ------------------------------------------------------------------------------------

static size_t pool_bit_words(const TrnPool *pool)
{
    return (((size_t)1 << pool->block_shift) + 63) / 64;
}

static size_t pool_free_words(const TrnPool *pool)
{
    return (pool_bit_words(pool) + 63) / 64;
}

static size_t pool_words(const TrnPool *pool)
{
    return pool_bit_words(pool) + pool_free_words(pool);
}

static size_t pool_segment_blocks(const TrnPool *pool, uint32_t segment)
{
    return pool->range ? pool->range_slots >> pool->block_shift : (size_t)1 << segment;
}

/// A segment is one allocation: blocks, views, words of bits, generations.
static size_t pool_segment_bytes(const TrnPool *pool, uint32_t segment)
{
    return pool_segment_blocks(pool, segment) *
           (sizeof(TrnPoolBlock) + sizeof(TrnPoolView) + pool_words(pool) * sizeof(uint64_t) +
            (sizeof(TrnPoolGeneration) << pool->block_shift));
}

static TrnResult pool_segment_take(TrnPool *pool, uint32_t segment)
{
    size_t bytes = pool_segment_bytes(pool, segment);
    TrnPoolBlock *records = trn_take(&pool->allocator, bytes, TRN_CACHE_LINE);
    if (!records) {
        return TRN_RESULT_NO_MEMORY;
    }
    pool->blocks[segment] = records;
    pool->views[segment] = (TrnPoolView *)(records + pool_segment_blocks(pool, segment));
    pool->table_bytes += bytes;
    return TRN_RESULT_OK;
}

/// Initialises a new block. Clears its part of the tables only now, so that a long segment, or a
/// large reserved range, costs nothing before it is used.
static TrnPoolBlock *pool_block_init(TrnPool *pool, uint32_t index)
{
    TrnPoolPlace place = trn_pool_place(pool, index);
    size_t blocks = pool_segment_blocks(pool, place.segment);
    TrnPoolView *views = pool->views[place.segment];
    uint64_t *words = (uint64_t *)(views + blocks);
    TrnPoolGeneration *generations = (TrnPoolGeneration *)(words + blocks * pool_words(pool));
    TrnPoolBlock *block = &pool->blocks[place.segment][place.at];
    *block = (TrnPoolBlock){.first = index << pool->block_shift};
    block->bits = words + place.at * pool_words(pool);
    block->free_words = block->bits + pool_bit_words(pool);
    block->generations = generations + ((size_t)place.at << pool->block_shift);
    memset(block->bits, 0, pool_bit_words(pool) * sizeof(uint64_t));
    block->bits[0] = ~trn_pool_word_mask(pool);
    memset(block->free_words, 0xFF, pool_free_words(pool) * sizeof(uint64_t));
    const size_t bit_words = pool_bit_words(pool);
    if (bit_words % 64) {
        block->free_words[bit_words / 64] = ((uint64_t)1 << (bit_words % 64)) - 1;
    }
    memset(block->generations, 0, sizeof(TrnPoolGeneration) << pool->block_shift);
    atomic_init(&views[place.at].slots, NULL);
    views[place.at].generations = block->generations;
    return block;
}

// ---- blocks ------------------------------------------------------------------------------------

/// Appends a block without slots to the tables, as the only vacant one.
static TrnResult pool_block_append(TrnPool *pool)
{
    uint32_t index = trn_pool_block_count(pool);
    uint64_t end = pool->range ? pool->range_slots : TRN_POOL_SLOTS_MAX;
    if ((uint64_t)(index + 1) << pool->block_shift > end) {
        return TRN_RESULT_FULL;
    }
    uint32_t segment = trn_pool_place(pool, index).segment;
    if (!pool->blocks[segment]) {
        TrnResult result = pool_segment_take(pool, segment);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    pool->vacant = pool_block_init(pool, index);
    atomic_store_explicit(&pool->block_count, index + 1, memory_order_release);
    return TRN_RESULT_OK;
}

/// Gives a block its slots: its part of the range, or a new allocation.
static TrnResult pool_block_take_slots(TrnPool *pool, TrnPoolBlock *block)
{
    if (pool->range) {
        block->slots = pool->range + block->first * pool->slot_bytes;
        return TRN_RESULT_OK;
    }
    TrnResult result = pool_map_reserve(pool);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    size_t alignment =
        pool->slot_alignment > TRN_CACHE_LINE ? pool->slot_alignment : TRN_CACHE_LINE;
    block->slots = trn_take(&pool->allocator, trn_pool_block_bytes(pool), alignment);
    if (!block->slots) {
        return TRN_RESULT_NO_MEMORY;
    }
    pool_map_add(&pool->map, block);
    return TRN_RESULT_OK;
}

TrnResult trn_pool_block_take(TrnPool *pool, TrnPoolBlock **block)
{
    if (!pool->vacant) {
        TrnResult result = pool_block_append(pool);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    TrnPoolBlock *taken = pool->vacant;
    TrnResult result = pool_block_take_slots(pool, taken);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    pool->vacant = taken->next;
    pool->live_blocks++;
    TrnPoolPlace place = trn_pool_place(pool, taken->first >> pool->block_shift);
    atomic_store_explicit(&pool->views[place.segment][place.at].slots, taken->slots,
                          memory_order_relaxed);
    *block = taken;
    return TRN_RESULT_OK;
}

void trn_pool_block_give(TrnPool *pool, TrnPoolBlock *block)
{
    if (!pool->range) {
        pool_map_remove(&pool->map, block);
        trn_give(&pool->allocator, block->slots, trn_pool_block_bytes(pool));
    }
    block->slots = NULL;
    block->next = pool->vacant;
    pool->vacant = block;
    pool->live_blocks--;
}

TrnResult trn_pool_range_take(TrnPool *pool, uint32_t reserve_slots)
{
    uint32_t mask = trn_pool_slot_mask(pool);
    uint32_t blocks = (reserve_slots >> pool->block_shift) + ((reserve_slots & mask) != 0);
    if ((uint64_t)blocks * trn_pool_block_bytes(pool) > SIZE_MAX / 2) {
        return TRN_RESULT_NO_MEMORY;
    }
    pool->range_slots = blocks << pool->block_shift;
    size_t alignment =
        pool->slot_alignment > TRN_CACHE_LINE ? pool->slot_alignment : TRN_CACHE_LINE;
    pool->range = trn_take(&pool->allocator, pool->range_slots * pool->slot_bytes, alignment);
    if (!pool->range) {
        return TRN_RESULT_NO_MEMORY;
    }
    // All blocks are in the first segment.
    while ((uint64_t)1 << pool->segment_shift < blocks) {
        pool->segment_shift++;
    }
    return pool_segment_take(pool, 0);
}

void trn_pool_blocks_free(TrnPool *pool)
{
    for (uint32_t i = 0; i < trn_pool_block_count(pool) && !pool->range; i++) {
        trn_give(&pool->allocator, trn_pool_block(pool, i)->slots, trn_pool_block_bytes(pool));
    }
    for (uint32_t i = 0; i < TRN_POOL_SEGMENTS; i++) {
        trn_give(&pool->allocator, pool->blocks[i], pool_segment_bytes(pool, i));
    }
    trn_give(&pool->allocator, pool->map.entries, pool_map_bytes(&pool->map));
    trn_give(&pool->allocator, pool->range, pool->range_slots * pool->slot_bytes);
}

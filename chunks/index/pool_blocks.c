// Blocks of a pool: allocates and frees them, keeps their tables, and finds them by address.

#include "pool_blocks.h"

#include <string.h>

#define POOL_RUN_PART 32u // part of the blocks that is allocated at a time

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

/// Reserves capacity for more blocks.
static TrnResult pool_map_reserve(TrnPool *pool, uint32_t blocks)
{
    TrnPoolMap *map = &pool->map;
    const uint64_t capacity = (map->count + (uint64_t)blocks) * 2;
    if (capacity <= map->capacity) {
        return TRN_RESULT_OK;
    }
    TrnPoolMap next = *map;
    next.capacity = map->capacity ? map->capacity : 8;
    while (next.capacity < capacity) {
        next.capacity *= 2;
    }
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

/// Adds a block without slots to the tables, as a vacant one.
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
    TrnPoolBlock *block = pool_block_init(pool, index);
    block->next = pool->vacant;
    pool->vacant = block;
    atomic_store_explicit(&pool->block_count, index + 1, memory_order_release);
    return TRN_RESULT_OK;
}

/// Gives a vacant block its slots. @return the block
static TrnPoolBlock *pool_block_occupy(TrnPool *pool, unsigned char *slots)
{
    TrnPoolBlock *block = pool->vacant;
    pool->vacant = block->next;
    pool->live_blocks++;
    block->slots = slots;
    block->is_resting = false;
    TrnPoolPlace place = trn_pool_place(pool, block->first >> pool->block_shift);
    atomic_store_explicit(&pool->views[place.segment][place.at].slots, slots, memory_order_relaxed);
    return block;
}

/// Removes a block's slots, so that it is vacant.
static void pool_block_vacate(TrnPool *pool, TrnPoolBlock *block)
{
    if (!pool->range) {
        pool_map_remove(&pool->map, block);
    }
    block->slots = NULL;
    block->next = pool->vacant;
    pool->vacant = block;
    pool->live_blocks--;
}

// ---- runs --------------------------------------------------------------------------------------

static void pool_rest(TrnPool *pool, TrnPoolBlock *block)
{
    block->is_resting = true;
    block->previous = &pool->resting;
    block->next = pool->resting.next;
    block->next->previous = block;
    pool->resting.next = block;
}

static void pool_wake(TrnPoolBlock *block)
{
    block->is_resting = false;
    block->previous->next = block->next;
    block->next->previous = block->previous;
}

/// How many blocks to allocate together.
static uint32_t pool_run_wanted(const TrnPool *pool)
{
    const uint32_t part = pool->live_blocks / POOL_RUN_PART;
    return part < 1 ? 1 : part < pool->run_max ? part : pool->run_max;
}

static size_t pool_alignment(const TrnPool *pool)
{
    return pool->slot_alignment > TRN_CACHE_LINE ? pool->slot_alignment : TRN_CACHE_LINE;
}

/// Allocates a run of blocks, of which all but the first rest.
/// Errors: NO_MEMORY, FULL; the pool stays as it was, except that its tables may have grown.
static TrnResult pool_run_take(TrnPool *pool, uint32_t count, TrnPoolBlock **first)
{
    TrnResult result = pool_map_reserve(pool, count);
    uint32_t vacant = 0;
    for (const TrnPoolBlock *block = pool->vacant; block && vacant < count; block = block->next) {
        vacant++;
    }
    for (; vacant < count && result == TRN_RESULT_OK; vacant++) {
        result = pool_block_append(pool);
    }
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const size_t bytes = trn_pool_block_bytes(pool);
    unsigned char *slots = trn_take(&pool->allocator, count * bytes, pool_alignment(pool));
    if (!slots) {
        return TRN_RESULT_NO_MEMORY;
    }
    for (uint32_t i = count; i-- > 0;) {
        *first = pool_block_occupy(pool, slots + i * bytes);
        (*first)->run_at = (uint8_t)i;
        (*first)->run_count = (uint8_t)count;
        pool_map_add(&pool->map, *first);
        if (i) {
            pool_rest(pool, *first);
        }
    }
    return TRN_RESULT_OK;
}

/// Frees the run of a resting block if all of it rests.
static void pool_run_give(TrnPool *pool, const TrnPoolBlock *block)
{
    const size_t bytes = trn_pool_block_bytes(pool);
    const uint32_t count = block->run_count;
    unsigned char *slots = block->slots - block->run_at * bytes;
    for (uint32_t i = 0; i < count; i++) {
        if (!trn_pool_block_at(pool, slots + i * bytes)->is_resting) {
            return;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        TrnPoolBlock *each = trn_pool_block_at(pool, slots + i * bytes);
        pool_wake(each);
        pool_block_vacate(pool, each);
    }
    trn_give(&pool->allocator, slots, count * bytes);
}

TrnResult trn_pool_block_take(TrnPool *pool, TrnPoolBlock **block)
{
    if (pool->range) {
        TrnResult result = pool->vacant ? TRN_RESULT_OK : pool_block_append(pool);
        if (result == TRN_RESULT_OK) {
            *block = pool_block_occupy(pool, pool->range + pool->vacant->first * pool->slot_bytes);
        }
        return result;
    }
    if (pool->resting.next != &pool->resting) {
        *block = pool->resting.next;
        pool_wake(*block);
        return TRN_RESULT_OK;
    }
    const uint32_t wanted = pool_run_wanted(pool);
    TrnResult result = pool_run_take(pool, wanted, block);
    return result != TRN_RESULT_OK && wanted > 1 ? pool_run_take(pool, 1, block) : result;
}

void trn_pool_block_give(TrnPool *pool, TrnPoolBlock *block)
{
    if (pool->range) {
        pool_block_vacate(pool, block);
    } else {
        pool_rest(pool, block);
        pool_run_give(pool, block);
    }
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
        const TrnPoolBlock *block = trn_pool_block(pool, i);
        if (block->slots && block->run_at == 0) {
            trn_give(&pool->allocator, block->slots, block->run_count * trn_pool_block_bytes(pool));
        }
    }
    for (uint32_t i = 0; i < TRN_POOL_SEGMENTS; i++) {
        trn_give(&pool->allocator, pool->blocks[i], pool_segment_bytes(pool, i));
    }
    trn_give(&pool->allocator, pool->map.entries, pool_map_bytes(&pool->map));
    trn_give(&pool->allocator, pool->range, pool->range_slots * pool->slot_bytes);
}

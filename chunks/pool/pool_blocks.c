// Blocks of a pool: commits or allocates and frees them, keeps their records and tables, and finds
// them by address.

#include "pool_blocks_internal.h"

#include <string.h>

#define POOL_FIRST_SHIFT 3u    // entries of the first table and of the first segment of buckets
#define POOL_GROUP_BYTES 1024u // records are allocated together up to this size

// ---- blocks by address -------------------------------------------------------------------------

static uint64_t pool_map_granule(const TrnPoolMap *map, const void *address)
{
    return (uint64_t)(uintptr_t)address >> map->granule_shift;
}

static uint32_t pool_log2(uint32_t number)
{
    return 31 - (uint32_t)__builtin_clz(number);
}

/// Which segment a bucket is in.
static uint32_t pool_map_segment(uint32_t bucket)
{
    return pool_log2(bucket + (1u << POOL_FIRST_SHIFT)) - POOL_FIRST_SHIFT;
}

static size_t pool_map_segment_bytes(uint32_t segment)
{
    return sizeof(TrnPoolBlock *) << (segment + POOL_FIRST_SHIFT);
}

static TrnPoolBlock **pool_map_bucket(const TrnPoolMap *map, uint32_t bucket)
{
    const uint32_t segment = pool_map_segment(bucket);
    return &map->segments[segment][bucket - ((1u << (segment + POOL_FIRST_SHIFT)) -
                                             (1u << POOL_FIRST_SHIFT))];
}

/// Returns the bucket of a granule: by one more bit of its hash where that bucket is split already.
static TrnPoolBlock **pool_map_home(const TrnPoolMap *map, uint64_t granule)
{
    const uint32_t hash = (uint32_t)(granule * 0x9E3779B97F4A7C15u >> 32);
    const uint32_t half = 1u << pool_log2(map->bucket_count);
    const uint32_t bucket = hash & (half * 2 - 1);
    return pool_map_bucket(map, bucket < map->bucket_count ? bucket : bucket - half);
}

static void pool_map_push(TrnPoolMap *map, TrnPoolBlock *block)
{
    TrnPoolBlock **home = pool_map_home(map, pool_map_granule(map, block->slots));
    block->map_next = *home;
    *home = block;
}

/// Adds a bucket and moves what belongs there from the bucket that is half a table before it.
static void pool_map_split(TrnPoolMap *map)
{
    const uint32_t added = map->bucket_count++;
    *pool_map_bucket(map, added) = NULL;
    if (added == 0) {
        return;
    }
    TrnPoolBlock **from = pool_map_bucket(map, added - (1u << pool_log2(added)));
    TrnPoolBlock *block = *from;
    *from = NULL;
    while (block) {
        TrnPoolBlock *next = block->map_next;
        pool_map_push(map, block);
        block = next;
    }
}

static void pool_map_add(TrnPoolMap *map, TrnPoolBlock *block)
{
    if (map->count++ >= map->bucket_count) {
        pool_map_split(map);
    }
    pool_map_push(map, block);
}

static void pool_map_remove(TrnPoolMap *map, const TrnPoolBlock *block)
{
    TrnPoolBlock **link = pool_map_home(map, pool_map_granule(map, block->slots));
    while (*link != block) {
        link = &(*link)->map_next;
    }
    *link = block->map_next;
    map->count--;
}

/// Allocates the buckets that adding some blocks may need.
static TrnResult pool_map_reserve(TrnPool *pool, uint32_t blocks)
{
    TrnPoolMap *map = &pool->map;
    for (uint32_t i = 0; i <= pool_map_segment(map->count + blocks - 1); i++) {
        if (!map->segments[i]) {
            map->segments[i] =
                trn_take(&pool->allocator, pool_map_segment_bytes(i), TRN_CACHE_LINE);
            if (!map->segments[i]) {
                return TRN_RESULT_NO_MEMORY;
            }
            pool->table_bytes += pool_map_segment_bytes(i);
        }
    }
    return TRN_RESULT_OK;
}

/// A block is less than two granules long, so it begins in the address's own granule or in one of
/// the two below.
static TrnPoolBlock *pool_map_find(const TrnPool *pool, const void *address)
{
    const TrnPoolMap *map = &pool->map;
    const uint64_t granule = pool_map_granule(map, address);
    for (uint64_t back = 0; back <= 2 && map->count; back++) {
        TrnPoolBlock *block = *pool_map_home(map, granule - back);
        for (; block; block = block->map_next) {
            if ((uintptr_t)address - (uintptr_t)block->slots < trn_pool_block_bytes(pool)) {
                return block;
            }
        }
    }
    return NULL;
}

TrnPoolBlock *trn_pool_block_at(const TrnPool *pool, const void *address)
{
    const size_t offset = (uintptr_t)address - (uintptr_t)pool->range_start;
    if (offset >= pool->range_slots * pool->slot_bytes) {
        return pool_map_find(pool, address);
    }
    const size_t block = offset / trn_pool_block_bytes(pool);
    return block < trn_pool_block_count(pool) ? trn_pool_block(pool, (uint32_t)block) : NULL;
}

// ---- the flat table ----------------------------------------------------------------------------

static uint32_t pool_table_length(uint32_t table)
{
    return 1u << (table + POOL_FIRST_SHIFT);
}

static size_t pool_table_bytes(uint32_t table)
{
    return pool_table_length(table) * (sizeof(TrnPoolBase) + sizeof(TrnPoolBlock *));
}

static TrnResult pool_table_take(TrnPool *pool, uint32_t table)
{
    TrnPoolBase *bases = trn_take(&pool->allocator, pool_table_bytes(table), TRN_CACHE_LINE);
    if (!bases) {
        return TRN_RESULT_NO_MEMORY;
    }
    pool->tables[table] =
        (TrnPoolTable){bases, (TrnPoolBlock **)(bases + pool_table_length(table))};
    pool->table_bytes += pool_table_bytes(table);
    return TRN_RESULT_OK;
}

static void pool_table_use(TrnPool *pool, uint32_t table)
{
    pool->table_at = table;
    atomic_store_explicit(&pool->bases, pool->tables[table].bases, memory_order_release);
    atomic_store_explicit(&pool->blocks, pool->tables[table].blocks, memory_order_release);
}

/// Makes the table long enough for one more block. From half its length on, each block added copies
/// one entry of the first half to the next table, and further writes go to both; so the next table
/// is complete when it is needed.
static TrnResult pool_table_grow(TrnPool *pool, uint32_t index)
{
    if (!pool->tables[0].bases && pool_table_take(pool, 0) != TRN_RESULT_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    if (index == 0) {
        pool_table_use(pool, 0);
    }
    if (index == pool_table_length(pool->table_at)) {
        pool_table_use(pool, pool->table_at + 1);
    }
    const uint32_t at = pool->table_at, half = pool_table_length(at) / 2;
    if (index < half || at + 1 == TRN_POOL_TABLES) {
        return TRN_RESULT_OK;
    }
    if (!pool->tables[at + 1].bases && pool_table_take(pool, at + 1) != TRN_RESULT_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnPoolTable *from = &pool->tables[at], *to = &pool->tables[at + 1];
    atomic_init(&to->bases[index - half],
                atomic_load_explicit(&from->bases[index - half], memory_order_relaxed));
    to->blocks[index - half] = from->blocks[index - half];
    return TRN_RESULT_OK;
}

/// Enters a new block in the table, and in the one that it is being copied to.
static void pool_table_add(TrnPool *pool, uint32_t index, TrnPoolBlock *block)
{
    for (uint32_t i = pool->table_at; i < TRN_POOL_TABLES && pool->tables[i].bases; i++) {
        atomic_init(&pool->tables[i].bases[index], 0);
        pool->tables[i].blocks[index] = block;
    }
}

/// Enters where a block that got slots begins.
static void pool_table_set_base(TrnPool *pool, const TrnPoolBlock *block)
{
    const uint32_t index = block->first >> pool->block_shift;
    const uintptr_t base = (uintptr_t)block->slots - block->first * pool->slot_bytes;
    for (uint32_t i = pool->table_at; i < TRN_POOL_TABLES && pool->tables[i].bases; i++) {
        atomic_store_explicit(&pool->tables[i].bases[index], base, memory_order_relaxed);
    }
}

// ---- records -----------------------------------------------------------------------------------

static size_t pool_bit_words(const TrnPool *pool)
{
    return (((size_t)1 << pool->block_shift) + 63) / 64;
}

static size_t pool_free_words(const TrnPool *pool)
{
    return (pool_bit_words(pool) + 63) / 64;
}

static size_t pool_generation_bytes(const TrnPool *pool)
{
    const size_t bytes = sizeof(TrnPoolGeneration) << pool->block_shift;
    return (bytes + sizeof(uint64_t) - 1) & ~(sizeof(uint64_t) - 1);
}

/// Bytes of a record: whole cache lines.
static size_t pool_record_bytes(const TrnPool *pool)
{
    const size_t words = pool_bit_words(pool) + pool_free_words(pool);
    const size_t bytes =
        sizeof(TrnPoolBlock) + pool_generation_bytes(pool) + words * sizeof(uint64_t);
    return (bytes + TRN_CACHE_LINE - 1) & ~(size_t)(TRN_CACHE_LINE - 1);
}

/// How many records are allocated together: a power of two.
static uint32_t pool_group_blocks(const TrnPool *pool)
{
    uint32_t blocks = 1;
    while (pool_record_bytes(pool) * blocks * 2 <= POOL_GROUP_BYTES) {
        blocks *= 2;
    }
    return blocks;
}

static size_t pool_group_bytes(const TrnPool *pool)
{
    return pool_group_blocks(pool) * pool_record_bytes(pool);
}

/// Returns memory for the record of the next block, or NULL.
static TrnPoolBlock *pool_record_take(TrnPool *pool, uint32_t index)
{
    if (index % pool_group_blocks(pool) != 0) {
        const TrnPoolBlock *last = trn_pool_block(pool, index - 1);
        return (TrnPoolBlock *)(void *)((unsigned char *)last + pool_record_bytes(pool));
    }
    TrnPoolBlock *record = trn_take(&pool->allocator, pool_group_bytes(pool), TRN_CACHE_LINE);
    pool->table_bytes += record ? pool_group_bytes(pool) : 0;
    return record;
}

/// Initialises the record of a vacant block.
static void pool_record_init(const TrnPool *pool, uint32_t index, TrnPoolBlock *block)
{
    const size_t bit_words = pool_bit_words(pool);
    *block = (TrnPoolBlock){.first = index << pool->block_shift};
    memset(trn_pool_generations(block), 0, pool_generation_bytes(pool));
    block->bits = (uint64_t *)(void *)((unsigned char *)trn_pool_generations(block) +
                                       pool_generation_bytes(pool));
    block->free_words = block->bits + bit_words;
    memset(block->bits, 0, bit_words * sizeof(uint64_t));
    block->bits[0] = ~trn_pool_word_mask(pool);
    memset(block->free_words, 0xFF, pool_free_words(pool) * sizeof(uint64_t));
    if (bit_words % 64) {
        block->free_words[bit_words / 64] = ((uint64_t)1 << (bit_words % 64)) - 1;
    }
}

static TrnPoolBlock **pool_vacant_list(TrnPool *pool, const TrnPoolBlock *block)
{
    return block->first < pool->range_slots ? &pool->range_vacant : &pool->vacant;
}

/// Adds the record of a block without slots, as a vacant one.
static TrnResult pool_block_append(TrnPool *pool)
{
    const uint32_t index = trn_pool_block_count(pool);
    if ((uint64_t)(index + 1) << pool->block_shift > TRN_POOL_SLOTS_MAX) {
        return TRN_RESULT_FULL;
    }
    if (pool_table_grow(pool, index) != TRN_RESULT_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnPoolBlock *block = pool_record_take(pool, index);
    if (!block) {
        return TRN_RESULT_NO_MEMORY;
    }
    pool_record_init(pool, index, block);
    pool_table_add(pool, index, block);
    TrnPoolBlock **vacant = pool_vacant_list(pool, block);
    block->next = *vacant;
    *vacant = block;
    atomic_store_explicit(&pool->block_count, index + 1, memory_order_release);
    return TRN_RESULT_OK;
}

// ---- blocks ------------------------------------------------------------------------------------

/// Gives the first of a list of vacant blocks its slots. @return the block
static TrnPoolBlock *pool_block_occupy(TrnPool *pool, TrnPoolBlock **vacant, unsigned char *slots)
{
    TrnPoolBlock *block = *vacant;
    *vacant = block->next;
    pool->live_blocks++;
    if (pool->counted_bytes) {
        *pool->counted_bytes += pool->slot_bytes << pool->block_shift;
    }
    block->slots = slots;
    block->is_resting = false;
    pool_table_set_base(pool, block);
    return block;
}

/// Removes a block's slots, so that it is vacant.
static void pool_block_vacate(TrnPool *pool, TrnPoolBlock *block)
{
    TrnPoolBlock **vacant = pool_vacant_list(pool, block);
    block->slots = NULL;
    block->next = *vacant;
    *vacant = block;
    pool->live_blocks--;
    if (pool->counted_bytes) {
        *pool->counted_bytes -= pool->slot_bytes << pool->block_shift;
    }
}

// ---- the range ---------------------------------------------------------------------------------

void trn_pool_range_reserve(TrnPool *pool, uint32_t reserve_slots)
{
    const size_t page = trn_address_range_page_bytes();
    uint32_t shift = pool->block_shift;
    while (pool->slot_bytes << shift < page) {
        shift++;
    }
    const uint32_t blocks = (reserve_slots >> shift) + ((reserve_slots & ((1u << shift) - 1)) != 0);
    const uint64_t bytes = (uint64_t)blocks * (pool->slot_bytes << shift);
    if (sizeof(void *) < 8 || bytes > SIZE_MAX / 2 ||
        trn_address_range_reserve((size_t)bytes, &pool->range) != TRN_RESULT_OK) {
        return;
    }
    pool->block_shift = shift;
    pool->range_start = pool->range.start;
    pool->range_blocks = blocks;
    pool->range_slots = blocks << shift;
}

/// Whether a block of the range has memory: because it has slots, or because some is ready for its
/// first use.
static bool pool_range_has(const TrnPool *pool, uint32_t block)
{
    if (block >= pool->range_blocks) {
        return false;
    }
    const bool is_made = block < trn_pool_block_count(pool);
    return is_made && trn_pool_block(pool, block)->run_count > 0
               ? trn_pool_block(pool, block)->slots != NULL
               : block * trn_pool_block_bytes(pool) < pool->ready_bytes;
}

/// The pages of a block of the range that it shares with no other that has memory. A block is at
/// least a page, so only its neighbours can share one.
static void pool_range_pages(const TrnPool *pool, const TrnPoolBlock *block, size_t *offset,
                             size_t *bytes)
{
    const size_t page = trn_address_range_page_bytes();
    const uint32_t at = block->first >> pool->block_shift;
    size_t from = block->first * pool->slot_bytes, to = from + trn_pool_block_bytes(pool);
    from = (from + (pool_range_has(pool, at - 1) ? page - 1 : 0)) & ~(page - 1);
    to = (to + (pool_range_has(pool, at + 1) ? 0 : page - 1)) & ~(page - 1);
    *offset = from;
    *bytes = to - from;
}

static TrnResult pool_range_commit(TrnPool *pool, size_t offset, size_t bytes)
{
    const TrnPoolCommits *commits = &pool->commits;
    if ((commits->admit && !commits->admit(bytes, commits->user)) ||
        trn_address_range_commit(&pool->range, offset, bytes) != TRN_RESULT_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    if (commits->add) {
        commits->add(bytes, commits->user);
    }
    pool->committed_bytes += bytes;
    return TRN_RESULT_OK;
}

/// Commits memory from the end of what is ready to the end of a new block. No more, so that the
/// system does not back it with a huge page, whose first touch clears 2 MiB or even compacts memory
/// to find one: 0.25 to 17 ms.
static TrnResult pool_range_extend(TrnPool *pool, const TrnPoolBlock *block)
{
    const size_t from = pool->ready_bytes, page = trn_address_range_page_bytes();
    const size_t end = block->first * pool->slot_bytes + trn_pool_block_bytes(pool);
    const size_t to = (end + page - 1) & ~(page - 1);
    if (to <= from) {
        return TRN_RESULT_OK;
    }
    const TrnResult result = pool_range_commit(pool, from, to - from);
    pool->ready_bytes = result == TRN_RESULT_OK ? to : from;
    return result;
}

/// Vacates a block of the range. If the system does not take its pages back, they are used again
/// with the block.
static void pool_range_decommit(TrnPool *pool, TrnPoolBlock *block)
{
    size_t offset, bytes;
    pool_range_pages(pool, block, &offset, &bytes);
    pool_block_vacate(pool, block);
    (void)trn_address_range_decommit(&pool->range, offset, bytes);
    pool->committed_bytes -= bytes;
    if (pool->commits.remove) {
        pool->commits.remove(bytes, pool->commits.user);
    }
}

/// Takes a block of the range, which has one left: one that was used before, or the next.
static TrnResult pool_range_take(TrnPool *pool, TrnPoolBlock **block)
{
    const TrnResult result = pool->range_vacant ? TRN_RESULT_OK : pool_block_append(pool);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    const TrnPoolBlock *vacant = pool->range_vacant;
    const size_t start = vacant->first * pool->slot_bytes;
    size_t offset, bytes;
    pool_range_pages(pool, vacant, &offset, &bytes);
    if ((vacant->run_count > 0 ? pool_range_commit(pool, offset, bytes)
                               : pool_range_extend(pool, vacant)) != TRN_RESULT_OK) {
        return TRN_RESULT_NO_MEMORY;
    }
    *block = pool_block_occupy(pool, &pool->range_vacant, pool->range_start + start);
    (*block)->run_count = 1;
    return TRN_RESULT_OK;
}

// ---- runs --------------------------------------------------------------------------------------

/// The first of the blocks that were allocated together with one.
static TrnPoolBlock *pool_run_first(const TrnPool *pool, TrnPoolBlock *block)
{
    return block->run_at
               ? pool_map_find(pool, block->slots - block->run_at * trn_pool_block_bytes(pool))
               : block;
}

static void pool_rest(TrnPool *pool, TrnPoolBlock *block)
{
    pool->resting_blocks++;
    block->is_resting = true;
    block->previous = &pool->resting;
    block->next = pool->resting.next;
    block->next->previous = block;
    pool->resting.next = block;
}

static void pool_wake(TrnPool *pool, TrnPoolBlock *block)
{
    pool->resting_blocks--;
    block->is_resting = false;
    block->previous->next = block->next;
    block->next->previous = block->previous;
}

/// How many blocks to allocate together.
static uint32_t pool_run_wanted(const TrnPool *pool)
{
    const uint32_t part = pool->live_blocks / pool->run_part;
    return part < 1 ? 1 : part < pool->run_max ? part : pool->run_max;
}

static size_t pool_alignment(const TrnPool *pool)
{
    return pool->slot_alignment > TRN_CACHE_LINE ? pool->slot_alignment : TRN_CACHE_LINE;
}

/// Allocates a run of blocks outside the range, of which all but the first rest.
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
    pool->outside_bytes += count * bytes;
    for (uint32_t i = count; i-- > 0;) {
        *first = pool_block_occupy(pool, &pool->vacant, slots + i * bytes);
        (*first)->run_at = i & TRN_POOL_RUN_MAX;
        (*first)->run_count = count & TRN_POOL_RUN_MAX;
        pool_map_add(&pool->map, *first);
        if (i) {
            pool_rest(pool, *first);
        }
    }
    (*first)->run_resting = (count - 1) & TRN_POOL_RUN_MAX;
    return TRN_RESULT_OK;
}

/// Frees a run whose blocks all rest. @param first  its first block
static void pool_run_give(TrnPool *pool, const TrnPoolBlock *first)
{
    const size_t bytes = trn_pool_block_bytes(pool);
    const uint32_t count = first->run_count;
    unsigned char *slots = first->slots;
    for (uint32_t i = 0; i < count; i++) {
        TrnPoolBlock *each = pool_map_find(pool, slots + i * bytes);
        pool_wake(pool, each);
        pool_map_remove(&pool->map, each);
        pool_block_vacate(pool, each);
    }
    pool->outside_bytes -= count * bytes;
    trn_give(&pool->allocator, slots, count * bytes);
}

TrnResult trn_pool_block_take(TrnPool *pool, TrnPoolBlock **block)
{
    if (pool->range_vacant || trn_pool_block_count(pool) < pool->range_blocks) {
        return pool_range_take(pool, block);
    }
    if (pool->resting.next != &pool->resting) {
        *block = pool->resting.next;
        pool_run_first(pool, *block)->run_resting--;
        pool_wake(pool, *block);
        return TRN_RESULT_OK;
    }
    const uint32_t wanted = pool_run_wanted(pool);
    TrnResult result = pool_run_take(pool, wanted, block);
    return result != TRN_RESULT_OK && wanted > 1 ? pool_run_take(pool, 1, block) : result;
}

void trn_pool_block_give(TrnPool *pool, TrnPoolBlock *block)
{
    if (block->first < pool->range_slots) {
        pool_range_decommit(pool, block);
        return;
    }
    TrnPoolBlock *first = pool_run_first(pool, block);
    first->run_resting++;
    pool_rest(pool, block);
    if (first->run_resting == first->run_count) {
        pool_run_give(pool, first);
    }
}

void trn_pool_blocks_free(TrnPool *pool)
{
    const uint32_t count = trn_pool_block_count(pool), group = pool_group_blocks(pool);
    for (uint32_t i = pool->range_blocks; i < count; i++) {
        const TrnPoolBlock *block = trn_pool_block(pool, i);
        if (block->slots && block->run_at == 0) {
            trn_give(&pool->allocator, block->slots, block->run_count * trn_pool_block_bytes(pool));
        }
    }
    for (uint32_t i = 0; i < count; i += group) {
        trn_give(&pool->allocator, trn_pool_block(pool, i), pool_group_bytes(pool));
    }
    for (uint32_t i = 0; i < TRN_POOL_TABLES; i++) {
        trn_give(&pool->allocator, pool->tables[i].bases, pool_table_bytes(i));
        trn_give(&pool->allocator, pool->map.segments[i], pool_map_segment_bytes(i));
    }
    if (pool->commits.remove && pool->committed_bytes) {
        pool->commits.remove(pool->committed_bytes, pool->commits.user);
    }
    trn_address_range_release(&pool->range);
}

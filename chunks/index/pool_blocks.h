/// Private: the blocks of a pool, their tables, and the lookup of a block by address.
///
/// The tables are allocated in segments, each twice as long as all before it. Segments never move,
/// so readers on other threads can read them while the writer adds blocks.
#ifndef TERRANE_INDEX_POOL_BLOCKS_H
#define TERRANE_INDEX_POOL_BLOCKS_H

#include <terrane/pool.h>

#include <assert.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/memory.h"
#include "pool_kernels.h"

/// A multiple of every block size, so that index1 fits in 32 bits.
#define TRN_POOL_SLOTS_MAX 0x80000000u
#define TRN_POOL_SEGMENTS 32
#define TRN_POOL_RUN_MAX UINT8_MAX ///< most blocks that are allocated together

/// One per slot: odd while it is taken. Readers load it while the writer increments it.
typedef _Atomic(uint32_t) TrnPoolGeneration;

/// A block as readers see it. Separate from the writer's record, whose cache line changes with
/// every slot allocated.
typedef struct TrnPoolView {
    _Atomic(unsigned char *) slots; ///< stays unchanged when the block is freed
    TrnPoolGeneration *generations; ///< outlive the block, so that stale ids stay stale
} TrnPoolView;

/// A block as the writer sees it: one cache line.
typedef struct TrnPoolBlock {
    alignas(TRN_CACHE_LINE) unsigned char *slots; ///< NULL while the block is vacant
    uint64_t *bits; ///< one bit per slot: set while taken, or beyond a block of less than 64 slots
    uint64_t *free_words; ///< one bit per word of `bits`: set while the word has a free slot
    TrnPoolGeneration *generations;
    /// In the ring or the list of resting blocks; next alone in the spare and vacant lists.
    struct TrnPoolBlock *next, *previous;
    uint32_t first; ///< index of its first slot
    uint32_t taken;
    uint8_t is_listed;         ///< whether it is in the ring
    uint8_t is_resting;        ///< whether it is empty, and waits for the others of its run
    uint8_t run_at, run_count; ///< its place among the blocks that were allocated together
    uint32_t low_free;         ///< no word of `free_words` before this one has a bit
} TrnPoolBlock;

static_assert(sizeof(TrnPoolBlock) == TRN_CACHE_LINE || sizeof(void *) != 8, "one cache line");

/// A hash from address to block: open addressing, at most half full. The key is the granule in
/// which a block begins. No two blocks begin in the same one, because a granule is no larger than a
/// block.
typedef struct TrnPoolMap {
    TrnPoolBlock **entries;
    uint32_t count, capacity; ///< capacity: zero or a power of two
    uint32_t granule_shift;
} TrnPoolMap;

struct TrnPool {
    // Read by readers.
    TrnPoolView *views[TRN_POOL_SEGMENTS];
    _Atomic(uint32_t) block_count; ///< blocks ever made; stored with release after their tables
    uint32_t block_shift;          ///< slots in a block: 1 << block_shift
    uint32_t segment_shift;        ///< blocks in the first segment: 1 << segment_shift
    uint32_t run_max;              ///< see trn_pool_allow_runs; used by the writer, here as it fits
    size_t slot_bytes;
    unsigned char *range; ///< of reserve_slots slots, or NULL
    TrnPoolRangeKernel range_pointers;
    /// See trn_pool_share_spare; may be NULL. Used by the writer; here because it fits.
    size_t *spare_budget;

    // Used by the writer only, on separate cache lines. A block with a free slot is the hot block,
    // in the ring, or in the spare list. The ring may also contain full blocks.
    TrnPoolBlock ring;    ///< head of the ring; counts as full, so that it also means "no block"
    TrnPoolBlock resting; ///< head of the ring of empty blocks whose run is in use
    TrnPoolBlock *hot;    ///< the block that slots are allocated from
    TrnPoolBlock *spare;  ///< list of the empty blocks that are kept
    TrnPoolBlock *vacant; ///< list of table entries whose blocks were freed
    uint32_t taken, taken_peak;
    uint32_t slot_max;    ///< the effective limit
    uint32_t live_blocks; ///< blocks that have slots
    TrnPoolBlock *blocks[TRN_POOL_SEGMENTS];
    TrnPoolMap map;
    void (*destroy)(void *slot, void *user);
    void *user;
    TrnAllocator allocator;
    size_t slot_alignment;
    size_t table_bytes;   ///< of all segments
    uint32_t range_slots; ///< rounded up to whole blocks
    uint32_t def_slot_max;
};

/// The position of a block in the tables.
typedef struct TrnPoolPlace {
    uint32_t segment, at;
} TrnPoolPlace;

static inline TrnPoolPlace trn_pool_place(const TrnPool *pool, uint32_t block)
{
    uint32_t shifted = block + (1u << pool->segment_shift);
    uint32_t top = 31 - (uint32_t)__builtin_clz(shifted);
    return (TrnPoolPlace){top - pool->segment_shift, shifted ^ (1u << top)};
}

static inline TrnPoolBlock *trn_pool_block(const TrnPool *pool, uint32_t block)
{
    TrnPoolPlace place = trn_pool_place(pool, block);
    return &pool->blocks[place.segment][place.at];
}

static inline const TrnPoolView *trn_pool_view(const TrnPool *pool, uint32_t block)
{
    TrnPoolPlace place = trn_pool_place(pool, block);
    return &pool->views[place.segment][place.at];
}

static inline uint32_t trn_pool_slot_mask(const TrnPool *pool)
{
    return (1u << pool->block_shift) - 1;
}

/// Returns the bits of a word that represent slots.
static inline uint64_t trn_pool_word_mask(const TrnPool *pool)
{
    return pool->block_shift < 6 ? ((uint64_t)1 << (1u << pool->block_shift)) - 1 : UINT64_MAX;
}

static inline uint32_t trn_pool_block_count(const TrnPool *pool)
{
    return atomic_load_explicit(&pool->block_count, memory_order_acquire);
}

/// Returns the address of a slot of a pool without a range, through the block table.
static inline unsigned char *trn_pool_table_slot(const TrnPool *pool, uint32_t slot)
{
    const uint32_t block = slot >> pool->block_shift;
    TRN_ASSERT(block < trn_pool_block_count(pool));
    unsigned char *base =
        atomic_load_explicit(&trn_pool_view(pool, block)->slots, memory_order_relaxed);
    return base + (slot & trn_pool_slot_mask(pool)) * pool->slot_bytes;
}

/// As trn_pool_slot(), for loops and look-ups in the index.
static inline void *trn_pool_slot_inline(const TrnPool *pool, uint32_t slot)
{
    return pool->range ? pool->range + slot * pool->slot_bytes : trn_pool_table_slot(pool, slot);
}

static inline size_t trn_pool_block_bytes(const TrnPool *pool)
{
    return pool->slot_bytes << pool->block_shift;
}

/// Allocates the reserved range and its tables. Errors: NO_MEMORY; call trn_pool_blocks_free then
/// too.
TrnResult trn_pool_range_take(TrnPool *pool, uint32_t reserve_slots);

/// Allocates a block, or takes a resting one. All its slots are free, and it is in no list.
/// Errors: NO_MEMORY, FULL; the pool stays as it was, except that its tables may have grown.
TrnResult trn_pool_block_take(TrnPool *pool, TrnPoolBlock **block);

/// Frees an empty block that is in no list. A block of a run rests until the whole run is empty.
void trn_pool_block_give(TrnPool *pool, TrnPoolBlock *block);

/// Frees all blocks, the range and the tables.
void trn_pool_blocks_free(TrnPool *pool);

/// Returns the block that an address lies in, or NULL.
TrnPoolBlock *trn_pool_block_at(const TrnPool *pool, const void *address);

#endif

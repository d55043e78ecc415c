/// Private: the blocks of a pool, the tables over them, and the way from an address back to its
/// block.
///
/// Tables come in segments, each twice as long as all before it, that never move: readers on other
/// threads look into them while the writer adds blocks.
#ifndef TERRANE_INDEX_POOL_BLOCKS_H
#define TERRANE_INDEX_POOL_BLOCKS_H

#include <terrane/pool.h>

#include <assert.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/memory.h"
#include "index/pool_kernels.h"

/// A multiple of every block size, and index1 stays inside 32 bits.
#define TRN_POOL_SLOTS_MAX 0x80000000u
#define TRN_POOL_SEGMENTS 32

/// One per slot: odd while it is taken. Readers look while the writer counts; both relaxed.
typedef _Atomic(uint32_t) TrnPoolGeneration;

/// A block as readers see it. Apart from the writer's record, whose line changes with every slot
/// taken.
typedef struct TrnPoolView {
    _Atomic(unsigned char *) slots; ///< left as it was when the block goes back
    TrnPoolGeneration *generations; ///< outlive the block, so that stale ids stay stale
} TrnPoolView;

/// A block as the writer sees it: one cache line.
typedef struct TrnPoolBlock {
    alignas(TRN_CACHE_LINE) unsigned char *slots; ///< NULL while the block is vacant
    uint64_t *bits; ///< one bit per slot, set while taken or beyond the block (fewer than 64 slots)
    uint64_t *room; ///< one bit per word of `bits`: set while the word has a free slot
    TrnPoolGeneration *generations;
    struct TrnPoolBlock *next, *previous; ///< in the ring, or (next) among the spare or vacant ones
    uint32_t first;                       ///< index of its first slot
    uint32_t taken;
    uint32_t is_listed; ///< whether it is in the ring
    uint32_t low_room;  ///< no word of `room` before this one has a bit
} TrnPoolBlock;

static_assert(sizeof(TrnPoolBlock) == TRN_CACHE_LINE || sizeof(void *) != 8, "one cache line");

/// Blocks by address: open addressing, at most half full. A block is found under the granule that
/// it begins in; no two begin in the same one, since a granule is no larger than a block.
typedef struct TrnPoolMap {
    TrnPoolBlock **entries;
    uint32_t count, capacity; ///< capacity: zero or a power of two
    uint32_t granule_shift;
} TrnPoolMap;

struct TrnPool {
    // What readers look at.
    TrnPoolView *views[TRN_POOL_SEGMENTS];
    _Atomic(uint32_t) block_count; ///< blocks ever begun; released when their tables are ready
    uint32_t block_shift;          ///< slots in a block: 1 << block_shift
    uint32_t segment_shift;        ///< blocks in the first segment: 1 << segment_shift
    size_t slot_bytes;
    unsigned char *range; ///< of reserve_slots slots, or NULL
    TrnPoolRangeKernel range_pointers;
    /// see trn_pool_share_spare; or NULL. The writer's, here since there is room.
    size_t *spare_budget;

    // The writer's own, on lines of its own. A block with room is the hot one, in the ring, or a
    // spare one; the ring may hold full ones too.
    TrnPoolBlock ring;    ///< both ends of the ring; full itself, it also stands for no block
    TrnPoolBlock *hot;    ///< the block that slots are taken from
    TrnPoolBlock *spare;  ///< list of the empty blocks that are kept
    TrnPoolBlock *vacant; ///< list of blocks that went back
    uint32_t taken, taken_peak;
    uint32_t slot_max;    ///< the cap in force
    uint32_t live_blocks; ///< those with slots
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

/// Where a block stands in the tables.
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

/// The bits of a word that stand for slots.
static inline uint64_t trn_pool_word_mask(const TrnPool *pool)
{
    return pool->block_shift < 6 ? ((uint64_t)1 << (1u << pool->block_shift)) - 1 : UINT64_MAX;
}

static inline uint32_t trn_pool_block_count(const TrnPool *pool)
{
    return atomic_load_explicit(&pool->block_count, memory_order_acquire);
}

static inline size_t trn_pool_block_bytes(const TrnPool *pool)
{
    return pool->slot_bytes << pool->block_shift;
}

/// Takes the reserved range and its tables. Errors: NO_MEMORY; what was taken goes back with
/// trn_pool_blocks_free.
TrnResult trn_pool_range_take(TrnPool *pool, uint32_t reserve_slots);

/// A block with all slots free, in no list: one that went back before, or a new one.
/// Errors: NO_MEMORY, FULL. The pool is then as it was, but for tables that may have grown.
TrnResult trn_pool_block_take(TrnPool *pool, TrnPoolBlock **block);

/// Gives an empty block, in no list, back.
void trn_pool_block_give(TrnPool *pool, TrnPoolBlock *block);

/// Gives all blocks, the range and the tables back.
void trn_pool_blocks_free(TrnPool *pool);

/// The block that an address lies in, or NULL.
TrnPoolBlock *trn_pool_block_at(const TrnPool *pool, const void *address);

#endif

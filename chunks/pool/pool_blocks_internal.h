/// Private: the blocks of a pool, their tables, the lookup of a block by address, and the kernels
/// that turn slot indices into addresses: in a range by arithmetic, elsewhere through the flat
/// table.
///
/// The first blocks lie one behind the other in an address range, if the pool has one: a slot's
/// address follows from its index. Further blocks come from the allocator, and a flat table holds
/// where they begin. Every block has a record that outlives its slots, so that stale ids stay
/// stale.
///
/// No table is copied or cleared in one call: the flat table is copied into one of twice its size
/// entry by entry, as blocks are added, and the hash of block addresses splits one bucket at a
/// time.
#ifndef TERRANE_POOL_POOL_BLOCKS_INTERNAL_H
#define TERRANE_POOL_POOL_BLOCKS_INTERNAL_H

#include <terrane/pool.h>

#include <assert.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/address_range.h"
#include "base/cpu.h"
#include "base/memory.h"
#include "pool_internal.h"

// ---- kernels -----------------------------------------------------------------------------------

/// The output array may alias any pointer type: to the caller its elements are chunks, pages or
/// other objects.
typedef void *TrnAnyPointer __attribute__((may_alias));

/// Where a block begins, less the bytes of all slots before it: a slot's address is this plus its
/// index times slot_bytes. It does not change while a slot of the block is taken.
typedef _Atomic(uintptr_t) TrnPoolBase;

/// @param range       address of slot 0
/// @param slot_bytes  below 2^32
/// @param slots       [count] slot indices
/// @param out         [count] receives the addresses
typedef void (*TrnPoolRangeKernel)(unsigned char *range, size_t slot_bytes, const uint32_t *slots,
                                   size_t count, void **out);

/// @param bases        [blocks of all slots]
/// @param block_shift  slots in a block: 1 << block_shift
/// The others as for TrnPoolRangeKernel.
typedef void (*TrnPoolTableKernel)(const TrnPoolBase *bases, uint32_t block_shift,
                                   size_t slot_bytes, const uint32_t *slots, size_t count,
                                   void **out);

/// The kernels of one instruction set.
typedef struct TrnPoolKernels {
    const char *name; ///< "AVX-512", "AVX2", "NEON" or "scalar"
    TrnPoolRangeKernel range_pointers;
    TrnPoolTableKernel table_pointers;
} TrnPoolKernels;

/// The kernels for every instruction set, fastest first; the last is the scalar twin.
extern const TrnKernelTable trn_pool_kernels;

// ---- blocks ------------------------------------------------------------------------------------

/// A multiple of every block size, so that index1 fits in 32 bits.
#define TRN_POOL_SLOTS_MAX 0x80000000u
#define TRN_POOL_TABLES 29    ///< each twice as long as the one before
#define TRN_POOL_RUN_MAX 1023 ///< most blocks that are allocated together

/// One per slot: odd while it is taken. Readers load it while the writer increments it.
typedef _Atomic(uint32_t) TrnPoolGeneration;

/// The record of a block: one cache line of the writer's, then the generations, then the words of
/// bits. Readers read the generations only.
typedef struct TrnPoolBlock {
    alignas(TRN_CACHE_LINE) unsigned char *slots; ///< NULL while the block is vacant
    uint64_t *bits; ///< one bit per slot: set while taken, or beyond a block of less than 64 slots
    uint64_t *free_words; ///< one bit per word of `bits`: set while it has a free slot
    /// In the ring or the list of resting blocks; next alone in the spare and vacant lists.
    struct TrnPoolBlock *next, *previous;
    struct TrnPoolBlock *map_next; ///< in its bucket of the map
    uint32_t first;                ///< index of its first slot
    uint32_t taken;                ///< slots, `ready` included
    uint16_t low_free;             ///< no word of `free_words` before this one has a bit
    uint8_t is_listed;             ///< whether it is in the ring
    /// Its place among the blocks that were allocated together; run_count is 0 before its first
    /// use. The first of them counts those that rest: that are empty, and wait for the others.
    uint32_t run_at : 10, run_count : 10, run_resting : 10, is_resting : 1;
} TrnPoolBlock;

static_assert(sizeof(TrnPoolBlock) == TRN_CACHE_LINE || sizeof(void *) != 8, "one cache line");

/// A freed slot that the next alloc hands out. Its block still counts it as taken, with its bit
/// set.
typedef struct TrnPoolReady {
    TrnPoolGeneration *generation;
    unsigned char *slot;
    uint64_t next_id; ///< the id that it gets next: index1, and the generation above it; 0 for none
} TrnPoolReady;

/// A hash from address to block, for blocks outside the range (Litwin, "Linear hashing", 1980). The
/// key is the granule in which a block begins. No two blocks begin in the same one, because a
/// granule is no larger than a block.
typedef struct TrnPoolMap {
    TrnPoolBlock **segments[TRN_POOL_TABLES]; ///< of buckets; each as long as all before it
    uint32_t bucket_count;                    ///< in use
    uint32_t count;                           ///< blocks
    uint32_t granule_shift;
} TrnPoolMap;

/// The flat table: one allocation, the bases first.
typedef struct TrnPoolTable {
    TrnPoolBase *bases;
    TrnPoolBlock **blocks;
} TrnPoolTable;

struct TrnPool {
    // Read by readers.
    _Atomic(TrnPoolBase *) bases;    ///< the flat table; older ones are kept for readers
    _Atomic(TrnPoolBlock **) blocks; ///< its records
    _Atomic(uint32_t) block_count;   ///< blocks ever made; stored with release after the above
    uint32_t block_shift;            ///< slots in a block: 1 << block_shift
    uint32_t slot_mask;              ///< slots in a block, minus one
    size_t slot_bytes;
    unsigned char *range_start; ///< or NULL
    uint32_t range_slots;       ///< whole blocks; 0 without a range
    uint32_t range_blocks;
    const TrnPoolKernels *kernels;

    // Used by the writer only, on separate cache lines.
    alignas(TRN_CACHE_LINE) TrnPoolReady ready;
    void (*destroy)(void *slot, void *user);
    void *user;

    // A block with a free slot, `ready` apart, is the hot block, in the ring, or in the spare list.
    // The ring may also contain full blocks.
    TrnPoolBlock ring;    ///< head of the ring; counts as full, so that it also means "no block"
    TrnPoolBlock resting; ///< head of the ring of empty blocks whose run is in use
    TrnPoolBlock *hot;    ///< the block that slots are allocated from
    TrnPoolBlock *spare;  ///< list of the empty blocks that are kept
    TrnPoolBlock *vacant; ///< list of records without slots, of blocks outside the range
    TrnPoolBlock *range_vacant;
    uint32_t taken;          ///< of all blocks; `ready` included
    uint32_t slot_max;       ///< the effective limit
    uint32_t live_blocks;    ///< blocks that have slots
    uint32_t resting_blocks; ///< and how many of them rest
    uint32_t table_at;       ///< which of the tables is in use
    uint32_t run_part;       ///< see trn_pool_allow_runs
    TrnPoolTable tables[TRN_POOL_TABLES];
    TrnPoolMap map;
    uint32_t run_max; ///< see trn_pool_allow_runs
    uint32_t def_slot_max;
    size_t *spare_budget;  ///< see trn_pool_share_spare; may be NULL
    size_t *counted_bytes; ///< see trn_pool_count_blocks; may be NULL
    TrnPoolCommits commits;
    TrnAddressRange range;
    TrnAllocator allocator;
    size_t slot_alignment;
    size_t table_bytes;     ///< of records, tables and buckets
    size_t committed_bytes; ///< of the range
    size_t ready_bytes;     ///< of the range: up to here all was committed once
    size_t outside_bytes;   ///< of blocks outside it
};

/// Returns the bits of a word that represent slots.
static inline uint64_t trn_pool_word_mask(const TrnPool *pool)
{
    return pool->block_shift < 6 ? ((uint64_t)1 << (1u << pool->block_shift)) - 1 : UINT64_MAX;
}

static inline uint32_t trn_pool_block_count(const TrnPool *pool)
{
    return atomic_load_explicit(&pool->block_count, memory_order_acquire);
}

static inline const TrnPoolBase *trn_pool_bases(const TrnPool *pool)
{
    return atomic_load_explicit(&pool->bases, memory_order_acquire);
}

static inline TrnPoolBlock *trn_pool_block(const TrnPool *pool, uint32_t block)
{
    return atomic_load_explicit(&pool->blocks, memory_order_acquire)[block];
}

/// Index1 of `ready`; 0 for none.
static inline uint32_t trn_pool_ready_index1(const TrnPool *pool)
{
    return (uint32_t)pool->ready.next_id;
}

static inline TrnPoolGeneration *trn_pool_generations(const TrnPoolBlock *block)
{
    return (TrnPoolGeneration *)(block + 1);
}

/// Returns the address of a slot of any block, through the flat table.
static inline unsigned char *trn_pool_table_slot(const TrnPool *pool, uint32_t slot)
{
    const uint32_t block = slot >> pool->block_shift;
    TRN_ASSERT(block < trn_pool_block_count(pool));
    const uintptr_t base = atomic_load_explicit(&trn_pool_bases(pool)[block], memory_order_relaxed);
    return (unsigned char *)(base + slot * pool->slot_bytes); // NOLINT(performance-no-int-to-ptr)
}

/// As trn_pool_slot(), for loops and look-ups in the index.
static inline void *trn_pool_slot_inline(const TrnPool *pool, uint32_t slot)
{
    return slot < pool->range_slots ? pool->range_start + slot * pool->slot_bytes
                                    : trn_pool_table_slot(pool, slot);
}

static inline size_t trn_pool_block_bytes(const TrnPool *pool)
{
    return pool->slot_bytes << pool->block_shift;
}

/// Reserves addresses for `reserve_slots` slots and enlarges blocks to at least a page. Does
/// nothing where the system refuses. Before the first block.
void trn_pool_range_reserve(TrnPool *pool, uint32_t reserve_slots);

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

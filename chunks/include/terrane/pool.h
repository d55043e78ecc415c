/// Terrane, pool: fixed-size slots allocated from big blocks.
///
/// Slots never move; allocating and freeing are O(1). Every slot has a generation, so that a stale
/// id is detected, in release builds too. Iteration reads 64 occupancy bits at a time, so it is
/// fast even when few slots are taken. Empty blocks go back to the allocator, or to the system, all
/// but one.
///
/// Threads: one thread at a time, the writer, calls alloc, free, trim, destroy, gather, id and
/// stats. Any number of other threads may call get at the same time, for any id: the tables that it
/// reads are never freed or moved before the pool is destroyed. An address is valid only while its
/// slot stays taken, which the caller must ensure. An id must reach another thread through a lock,
/// or through release and acquire.
///
/// Tier: stable.
#ifndef TERRANE_POOL_H
#define TERRANE_POOL_H

#include <terrane/base.h>

TRN_C_BEGIN

/// A pool. Opaque; the caller creates and destroys it.
typedef struct TrnPool TrnPool;

/// Names a slot for as long as it is taken. All zeroes is the null id, which names no slot.
typedef struct TrnPoolId {
    uint32_t index1;     ///< slot index plus one
    uint32_t generation; ///< odd while the slot is taken; wraps after 2^31 reuses of one slot
} TrnPoolId;

/// Start from trn_pool_def() and change what you need.
typedef struct TrnPoolDef {
    /// 1..2^30; rounded up to a multiple of slot_alignment. If you mostly touch the first bytes of
    /// each slot, an odd number of cache lines (320 rather than 256) spreads them over all cache
    /// sets: walking 100,000 such slots took half the time.
    size_t slot_bytes;
    size_t slot_alignment; ///< power of two, 8..4096
    /// Slots per block, at most 2^20, rounded up to a power of two; 0 means blocks of about 256
    /// KiB. The default allocator requests huge pages for blocks of 2 MiB or more.
    uint32_t block_slots;
    uint32_t slot_max; ///< maximum taken slots; 0 means no limit
    /// If not 0: reserves addresses for this many slots from the system, not from the allocator, so
    /// that slot addresses follow from their indices without a table. Memory is committed block by
    /// block, as slots are allocated, and decommitted with empty blocks. Where the system refuses,
    /// on 32-bit systems, and for further slots, blocks come from the allocator. In a range a block
    /// is at least a page.
    uint32_t reserve_slots;
    /// Called for each taken slot that is freed, or still taken when the pool is destroyed; may be
    /// NULL. By then the slot's id is stale; the slot is not reused before the call returns. May
    /// free other slots of the pool and, except during trn_pool_destroy, allocate some. Must not
    /// walk or destroy the pool.
    void (*destroy)(void *slot, void *user);
    void *user;                    ///< passed to destroy
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnPoolDef;

/// Returns the defaults: slots of `slot_bytes`, aligned to 16, no limit, nothing reserved.
TRN_API TrnPoolDef trn_pool_def(size_t slot_bytes);

/// Creates an empty pool. Allocates no block before the first slot.
/// Errors: BAD_ARGUMENT, NO_MEMORY.
TRN_API TrnResult trn_pool_create(const TrnPoolDef *def, TrnPool **pool);

/// Destroys a pool and all its slots. @param pool  may be NULL
TRN_API void trn_pool_destroy(TrnPool *pool);

/// Allocates a slot: one that was freed since the last call, or the lowest free one of the block in
/// use.
/// @param id    receives the slot's id; may be NULL
/// @param slot  receives the slot's address, stable until it is freed; contents undefined
/// Errors: NO_MEMORY, FULL (slot_max).
/// Cost: O(1); allocates a block when all are full. No table is ever copied or cleared as a whole.
TRN_API TrnResult trn_pool_alloc(TrnPool *pool, TrnPoolId *id, void **slot);

/// Frees a slot. A block that becomes empty is kept if no other empty block is, otherwise it is
/// freed.
/// Errors: STALE_ID; nothing changes. Cost: O(1).
TRN_API TrnResult trn_pool_free(TrnPool *pool, TrnPoolId id);

/// Returns the slot of an id, or NULL if the id is null, stale or of another pool.
/// Threads: any, concurrently with the writer. O(1).
TRN_API void *trn_pool_get(const TrnPool *pool, TrnPoolId id);

/// Returns the id of a slot from its address, or the null id if this is not the address of a taken
/// slot of this pool.
/// @param slot  any address; it is not dereferenced
/// Cost: O(1): arithmetic in a reserved range, otherwise at most three probes of a hash of block
/// addresses.
TRN_API TrnPoolId trn_pool_id(const TrnPool *pool, const void *slot);

/// Walks the taken slots in index order, many at a time. Start with *cursor = 0 and call
/// until it returns 0. The slots returned may be freed before the next call.
/// @param out  [capacity] receives addresses; caller owns; batches of a few hundred are fastest
/// @return how many were written; 0 at the end (or when capacity is 0)
TRN_API size_t trn_pool_gather(const TrnPool *pool, uint32_t *cursor, void **out, size_t capacity);

/// Frees all empty blocks, so that only blocks with a taken slot are left. Stale ids are still
/// detected.
/// Cost: O(empty blocks).
TRN_API void trn_pool_trim(TrnPool *pool);

/// Statistics of a pool.
typedef struct TrnPoolStats {
    uint32_t taken;        ///< slots
    uint32_t slot_max;     ///< as in the def; 0 means no limit
    uint32_t blocks;       ///< allocated, empty ones included
    uint32_t block_slots;  ///< slots in each block
    size_t slot_bytes;     ///< from one slot to the next
    size_t bytes;          ///< memory in use: tables and blocks; of a range, what is committed
    size_t reserved_bytes; ///< addresses of the range; 0 without one
} TrnPoolStats;

/// Returns the statistics of a pool. Threads: the writer. O(1).
TRN_API TrnPoolStats trn_pool_stats(const TrnPool *pool);

TRN_C_END
#endif

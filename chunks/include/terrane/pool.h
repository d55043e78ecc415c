/// Terrane, pool: fixed-size slots taken from big blocks.
///
/// Slots never move, taking and giving back are O(1), every slot has a generation so that a stale
/// id is caught (in release builds too), and 64 occupancy bits at a time make iteration fast even
/// when few slots are left. Blocks that empty go back to the allocator by themselves, all but one.
///
/// Threads: one thread at a time writes (alloc, free, retire, reuse, trim, destroy) and walks
/// (next, gather, id, stats). Beside it any number of threads may call get, slot, pointers, ids and
/// base: what they read is never freed or moved before the pool is destroyed. get and ids may be
/// asked about any slot at any time; an address is worth something only while its slot stays taken,
/// and seeing that it does is the caller's business. Whoever handed a thread the id must have done
/// so in an orderly way (a lock, or release and acquire).
#ifndef TERRANE_POOL_H
#define TERRANE_POOL_H

#include <terrane/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TrnPool TrnPool;

/// Names a slot for as long as it is taken. All zeroes is the null id, which names nothing.
typedef struct TrnPoolId {
    uint32_t index1;     ///< slot index plus one
    uint32_t generation; ///< odd while the slot is taken; comes round after 2^31 reuses of one slot
} TrnPoolId;

/// Start from trn_pool_def() and change what you need.
typedef struct TrnPoolDef {
    /// 1..2^30; rounded up to a multiple of slot_alignment. Where only the first bytes of each slot
    /// are looked at, an odd number of cache lines (320 rather than 256) spreads them over all sets
    /// of the cache: walking 100,000 took half the time.
    size_t slot_bytes;
    size_t slot_alignment; ///< power of two, 8..4096
    /// Slots in a block, at most 2^20, rounded up to a power of two; 0 picks blocks of about 256
    /// KiB. Blocks of 2 MiB or more get huge pages from the default allocator.
    uint32_t block_slots;
    uint32_t slot_max; ///< cap on taken slots; 0 means none
    /// One range of addresses for this many slots, taken from the allocator at once: slot i lies at
    /// trn_pool_base() + i * slot_bytes, and pointers need no table. The system backs it as it is
    /// touched; nothing of it goes back before the pool does. The range is a cap as well. 0 means
    /// none: blocks are taken one by one.
    uint32_t reserve_slots;
    /// Called for each taken slot that is freed, or still taken when the pool is destroyed; may be
    /// NULL. The slot's id is stale by then, and the slot is not handed out before it returns. It
    /// may free other slots of the pool and, except while the pool is destroyed, take some; it must
    /// not walk or destroy it.
    void (*destroy)(void *slot, void *user);
    void *user;                    ///< handed to destroy
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnPoolDef;

/// Slots of `slot_bytes`, aligned to 16, no cap, nothing reserved.
TRN_API TrnPoolDef trn_pool_def(size_t slot_bytes);

/// Errors: BAD_ARGUMENT, NO_MEMORY. No block is taken before the first slot is, unless a range is
/// reserved.
TRN_API TrnResult trn_pool_create(const TrnPoolDef *def, TrnPool **pool);

/// Gives everything back, taken slots too. @param pool  may be NULL
TRN_API void trn_pool_destroy(TrnPool *pool);

/// Takes a slot: the lowest free one of the block at hand.
/// @param id    receives the slot's id; may be NULL
/// @param slot  receives the slot's address, stable until it is freed; contents undefined
/// Errors: NO_MEMORY, FULL (the cap, or the reserved range). Cost: O(1); one block allocated when
/// all are full.
TRN_API TrnResult trn_pool_alloc(TrnPool *pool, TrnPoolId *id, void **slot);

/// Gives a slot back. Errors: STALE_ID, and nothing happens.
/// Cost: O(1). A block that empties is kept when it is the only one, and goes back to the allocator
/// otherwise.
TRN_API TrnResult trn_pool_free(TrnPool *pool, TrnPoolId id);

/// Makes an id stale and keeps its slot: for what other threads may still be looking at. Nobody
/// gets the slot before trn_pool_reuse; until then it counts as taken, walks meet it (with an id
/// that is stale), trn_pool_id and trn_pool_ids give the null id for it, and its destroy hook has
/// not been called.
/// Errors: STALE_ID, and nothing happens. O(1).
TRN_API TrnResult trn_pool_retire(TrnPool *pool, TrnPoolId id);

/// Gives the slot of a retired id back, as trn_pool_free does.
/// @param id  as it was handed to trn_pool_retire
/// Errors: STALE_ID where that has not happened, or the slot has gone back since; nothing happens
/// then. Not for the slot that a destroy hook is called for. Cost: as trn_pool_free.
TRN_API TrnResult trn_pool_reuse(TrnPool *pool, TrnPoolId id);

/// Has the processor fetch what giving a slot back will touch: the slot, its generation and its
/// bit, each somewhere else in memory. Asked for a dozen slots ahead, all of these come at once
/// instead of one after the other. Nothing changes. O(1). For the writer.
/// @param slot  its index: its id's index1 minus one; taken, or taken before
TRN_API void trn_pool_prefetch(const TrnPool *pool, uint32_t slot);

/// The slot behind an id, or NULL when the id is null, stale or not of this pool. O(1). Safe beside
/// the writer.
TRN_API void *trn_pool_get(const TrnPool *pool, TrnPoolId id);

/// The id of a slot from its address: O(1), at most three probes of a small hash of block
/// addresses, or arithmetic when a range is reserved.
/// @param slot  any address at all; it is not read from
/// @return the null id when this is not the address of a taken slot of this pool
TRN_API TrnPoolId trn_pool_id(const TrnPool *pool, const void *slot);

/// The address of one taken slot.
/// @param slot  its index: its id's index1 minus one; taken, and taken until the call returns
/// Safe beside the writer. O(1).
TRN_API void *trn_pool_slot(const TrnPool *pool, uint32_t slot);

/// Addresses of many taken slots, as fast as the machine can when a range is reserved.
/// @param slots  [count] slot indices: the ids' index1 minus one; each taken, and taken until the
///               call returns
/// @param out    [count] receives the addresses; caller owns; must not overlap `slots`
/// Safe beside the writer. Cost: O(count).
TRN_API void trn_pool_pointers(const TrnPool *pool, const uint32_t *slots, size_t count,
                               void **out);

/// Ids of many slots.
/// @param slots  [count] slot indices: the ids' index1 minus one; a slot that is not taken gets the
///               null id
/// @param out    [count] receives the ids; caller owns; must not overlap `slots`
/// Safe beside the writer. Cost: O(count).
TRN_API void trn_pool_ids(const TrnPool *pool, const uint32_t *slots, size_t count, TrnPoolId *out);

/// The address of slot 0 where a range is reserved, otherwise NULL. Safe beside the writer.
TRN_API void *trn_pool_base(const TrnPool *pool);

/// Walks the taken slots in the order of their indices, which within a block is address order:
/// start with *cursor = 0 and call until it returns NULL. The slot just returned, and any other,
/// may be freed while walking. Cost: about 7 ns a slot; trn_pool_gather takes 1 to 2.
/// @param id  receives the slot's id; may be NULL
TRN_API void *trn_pool_next(const TrnPool *pool, uint32_t *cursor, TrnPoolId *id);

/// The same walk, many slots at a time: start with *cursor = 0 and call until it returns 0. Those
/// returned may be freed before the next call.
/// @param out  [capacity] receives addresses; caller owns; batches of a few hundred do best
/// @return how many were written; 0 at the end (or when capacity is 0)
TRN_API size_t trn_pool_gather(const TrnPool *pool, uint32_t *cursor, void **out, size_t capacity);

/// Lets a pool keep more empty blocks than one, until trn_pool_trim: for memory that comes and goes
/// by many blocks at a time.
/// @param room  bytes left for them, which several pools of one thread may share; the caller's, for
///              as long as any of the pools lives. Each pool's first empty block is not counted.
TRN_API void trn_pool_share_spare(TrnPool *pool, size_t *room);

/// Gives back the empty blocks that are kept, so that no block without a taken slot is left. Ids
/// stay caught as stale.
/// Cost: O(empty blocks).
TRN_API void trn_pool_trim(TrnPool *pool);

/// Figures of a pool.
typedef struct TrnPoolStats {
    uint32_t taken, taken_peak;
    uint32_t slot_max;            ///< as in the def; 0 means none
    uint32_t blocks, block_slots; ///< blocks that hold a slot or are kept; slots in each
    size_t slot_bytes;            ///< from one slot to the next
    size_t bytes; ///< memory in use: tables and blocks; of a reserved range, the part ever touched
    size_t reserved_bytes; ///< the whole reserved range, or 0
} TrnPoolStats;

TRN_API TrnPoolStats trn_pool_stats(const TrnPool *pool);

#ifdef __cplusplus
}
#endif
#endif

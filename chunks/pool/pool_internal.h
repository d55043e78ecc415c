/// Private: what the store, the voxels and the stream use of a pool in addition to its public
/// functions.
#ifndef TERRANE_POOL_POOL_INTERNAL_H
#define TERRANE_POOL_POOL_INTERNAL_H

#include <stdbool.h>

#include <terrane/pool.h>

/// Counts the memory that a pool commits in its range, and may refuse it.
typedef struct TrnPoolCommits {
    bool (*admit)(size_t bytes, void *user); ///< whether so much more may be committed
    void (*add)(size_t bytes, void *user);   ///< called once it is
    void (*remove)(size_t bytes, void *user);
    void *user;
} TrnPoolCommits;

/// Has the memory of a pool's range counted. Before the first slot.
void trn_pool_count_commits(TrnPool *pool, const TrnPoolCommits *commits);

/// Makes an id stale and keeps its slot, for objects that readers may still see. Until
/// trn_pool_reuse frees the slot:
/// - it counts as taken, and is not handed out;
/// - walks return it, with a stale id;
/// - trn_pool_id and trn_pool_ids return the null id for it;
/// - its destroy hook has not been called.
/// Errors: STALE_ID; nothing changes. Threads: the writer. O(1).
TrnResult trn_pool_retire(TrnPool *pool, TrnPoolId id);

/// Frees the slot of a retired id, as trn_pool_free does. Not for the slot whose destroy hook is
/// running.
/// @param id  as passed to trn_pool_retire
/// Errors: STALE_ID if the id has not been retired, or its slot has been freed since; nothing
/// changes.
/// Threads: the writer. Cost: as trn_pool_free.
TrnResult trn_pool_reuse(TrnPool *pool, TrnPoolId id);

/// Prefetches what trn_pool_prefetch reads of a slot's block, for pools of many small blocks.
/// Threads: the writer. O(1).
void trn_pool_prefetch_block(const TrnPool *pool, uint32_t slot);

/// Prefetches the cache lines that freeing a slot touches: the slot, its generation and its
/// occupancy bit. Called for a dozen slots ahead, so that their cache misses overlap.
/// @param slot  slot index: the id's index1 minus one; any index is allowed
/// Threads: the writer. O(1).
void trn_pool_prefetch(const TrnPool *pool, uint32_t slot);

/// Prefetches the slots that trn_pool_alloc is about to hand out, and their generations: those
/// freed last, then those of the block that it allocates from. Threads: the writer. Cost: O(count).
void trn_pool_prefetch_free(const TrnPool *pool, uint32_t count);

/// Memory that a pool has allocated and not handed out yet.
typedef struct TrnPoolFresh {
    void *memory;
    size_t bytes;
} TrnPoolFresh;

/// Allocates a block ahead, so that another thread can populate its memory before the writer needs
/// it: if the block in use has fewer than `least` free slots and no other block has any.
/// @param fresh  receives the memory of the block
/// @return whether it has allocated one; false also without memory
/// Threads: the writer.
bool trn_pool_prepare(TrnPool *pool, uint32_t least, TrnPoolFresh *fresh);

/// TrnPoolStats.slot_bytes. Threads: any. O(1).
size_t trn_pool_slot_bytes(const TrnPool *pool);

/// Lets a pool keep more than one empty block, until trn_pool_trim: for workloads that free and
/// allocate many blocks at a time.
/// @param budget  bytes still available for such blocks; several pools of one thread may share it.
///                Caller owns; must outlive the pools. Each pool's first empty block is not counted
void trn_pool_share_spare(TrnPool *pool, size_t *budget);

/// Adds the slots of a new pool's blocks to a count, which several pools of one thread may share.
/// @param bytes  caller owns; must outlive the pools
void trn_pool_count_blocks(TrnPool *pool, size_t *bytes);

/// Lets a pool allocate several blocks at a time outside its range, once it has many: for large
/// pools that would call the allocator too often, or whose blocks shall share huge pages. They are
/// freed together too, so trn_pool_trim keeps empty blocks whose run is in use. Before the first
/// slot.
/// @param blocks  most blocks at a time, 1..1023
/// @param part    1 / part of the blocks that the pool has is allocated at a time
void trn_pool_allow_runs(TrnPool *pool, uint32_t blocks, uint32_t part);

/// Returns the address of a taken slot.
/// @param slot  slot index: the id's index1 minus one; must be taken until the call returns
/// Threads: any, concurrently with the writer. O(1).
void *trn_pool_slot(const TrnPool *pool, uint32_t slot);

/// Converts slot indices of taken slots to addresses, with SIMD.
/// @param slots  [count] slot indices: the ids' index1 minus one; each must be taken until the call
///               returns
/// @param out    [count] receives the addresses; caller owns; must not overlap `slots`
/// Threads: any, concurrently with the writer. Cost: O(count).
void trn_pool_pointers(const TrnPool *pool, const uint32_t *slots, size_t count, void **out);

/// Converts slot indices to ids; a slot that is not taken gets the null id.
/// @param slots  [count] slot indices: the ids' index1 minus one
/// @param out    [count] receives the ids; caller owns; must not overlap `slots`
/// Threads: any, concurrently with the writer. Cost: O(count).
void trn_pool_ids(const TrnPool *pool, const uint32_t *slots, size_t count, TrnPoolId *out);

/// Walks the taken slots in index order, which within a block is address order. Start with
/// *cursor = 0 and call until it returns NULL. Any slot may be freed during the walk, including the
/// one just returned. Cost: about 7 ns a slot; trn_pool_gather takes 1 to 2.
/// @param id  receives the slot's id; may be NULL
void *trn_pool_next(const TrnPool *pool, uint32_t *cursor, TrnPoolId *id);

#endif

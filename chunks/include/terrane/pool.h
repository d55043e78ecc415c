/// Terrane, pool: fixed-size slots taken from big blocks.
///
/// Slots never move, taking and giving back are O(1), every slot has a generation so that a stale id is caught (in release
/// builds too), and 64 occupancy bits at a time make iteration fast even when few slots are left.
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
    uint32_t generation; ///< odd while the slot is taken
} TrnPoolId;

/// Start from trn_pool_def() and change what you need.
typedef struct TrnPoolDef {
    size_t slot_bytes;     ///< at least 1; rounded up to a multiple of slot_alignment
    size_t slot_alignment; ///< power of two, 8..4096
    uint32_t
        block_slots; ///< slots in a block, rounded up to a power of two; 0 picks blocks of about 256 KiB
    uint32_t slot_max;             ///< cap on taken slots; 0 means none
    const TrnAllocator *allocator; ///< copied; NULL means malloc
} TrnPoolDef;

/// Slots of `slot_bytes`, aligned to 16, no cap.
TRN_API TrnPoolDef trn_pool_def(size_t slot_bytes);

/// Errors: BAD_ARGUMENT, NO_MEMORY. No block is taken before the first slot is.
TRN_API TrnResult trn_pool_create(const TrnPoolDef *def, TrnPool **pool);

/// Gives everything back, taken slots too. @param pool  may be NULL
TRN_API void trn_pool_destroy(TrnPool *pool);

/// Takes a slot.
/// @param id    receives the slot's id; may be NULL
/// @param slot  receives the slot's address, stable until it is freed; contents undefined
/// Errors: NO_MEMORY, FULL (the cap). Threads: one at a time. Cost: O(1); one block allocated when all are full.
TRN_API TrnResult trn_pool_alloc(TrnPool *pool, TrnPoolId *id, void **slot);

/// Gives a slot back. Errors: STALE_ID, and nothing happens. Cost: O(1).
TRN_API TrnResult trn_pool_free(TrnPool *pool, TrnPoolId id);

/// The slot behind an id, or NULL when the id is null, stale or not of this pool. O(1).
TRN_API void *trn_pool_get(const TrnPool *pool, TrnPoolId id);

/// Walks the taken slots in address order within each block: start with *cursor = 0 and call until it returns NULL.
/// The slot just returned may be freed while walking.
/// @param id  receives the slot's id; may be NULL
TRN_API void *trn_pool_next(const TrnPool *pool, uint32_t *cursor, TrnPoolId *id);

/// Gives blocks without a taken slot back to the allocator. Ids stay caught as stale. Cost: O(blocks + free slots).
TRN_API void trn_pool_trim(TrnPool *pool);

/// Figures of a pool.
typedef struct TrnPoolStats {
    uint32_t taken, taken_peak, slot_max;
    uint32_t blocks, block_slots;
    size_t slot_bytes;
    size_t bytes; ///< all memory the pool holds
} TrnPoolStats;

TRN_API TrnPoolStats trn_pool_stats(const TrnPool *pool);

#ifdef __cplusplus
}
#endif
#endif

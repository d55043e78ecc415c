/// Private: a number for each place of a list, and which place has the least.
///
/// A tree of minima, 32 to a node. The numbers and the first level of minima are in blocks of 1,024
/// places, so that growth never copies them; the levels above have one number for 1,024 places and
/// more. All zeroes has no places and no memory. For one thread at a time.
#ifndef TERRANE_STORE_STORE_AGES_H
#define TERRANE_STORE_STORE_AGES_H

#include <stdbool.h>

#include "base/array.h"

#define TRN_AGE_NONE UINT32_MAX ///< of a place that trn_ages_first() never returns
#define TRN_AGE_NODE 32u
#define TRN_AGE_BLOCK_PLACES 1024u ///< TRN_AGE_NODE nodes
#define TRN_AGE_LEVELS 3           ///< above the blocks: the last has 2^12 numbers for 2^32 places

typedef struct TrnAgeBlock {
    uint32_t ages[TRN_AGE_BLOCK_PLACES];
    uint32_t lows[TRN_AGE_NODE]; ///< the least of each node of `ages`
} TrnAgeBlock;

TRN_ARRAY_DECLARE(TrnAgeBlocks, TrnAgeBlock *);
TRN_ARRAY_DECLARE(TrnAgeLows, uint32_t);

typedef struct TrnStoreAges {
    TrnAgeBlocks blocks;
    TrnAgeLows lows[TRN_AGE_LEVELS]; ///< of blocks, of nodes of blocks, and of nodes of those
} TrnStoreAges;

/// Adds a block of places, without ages. O(1), and O(blocks) for every doubling.
/// Errors: NO_MEMORY; the tree is unchanged.
TrnResult trn_ages_grow(TrnStoreAges *ages, const TrnAllocator *allocator);

/// Frees the last block, whose places have no ages.
void trn_ages_shrink(TrnStoreAges *ages, const TrnAllocator *allocator);

/// Frees all memory.
void trn_ages_free(TrnStoreAges *ages, const TrnAllocator *allocator);

/// Sets the age of a place, or TRN_AGE_NONE. O(log places), and O(1) for most.
void trn_ages_set(TrnStoreAges *ages, uint32_t place, uint32_t age);

/// The first place with the least age. @return false: no place has an age
/// O(log places).
bool trn_ages_first(const TrnStoreAges *ages, uint32_t *place);

/// Prefetches what trn_ages_set() touches.
static inline void trn_ages_prefetch(const TrnStoreAges *ages, uint32_t place)
{
    __builtin_prefetch(
        &ages->blocks.items[place / TRN_AGE_BLOCK_PLACES]->ages[place % TRN_AGE_BLOCK_PLACES], 1);
}

#endif

/// A pool without a reserved range over chunks that already lie in one: number i is slot i of both
/// pools, at the same address. So a contender can look up addresses in a table of blocks, as a
/// store made by trn_store_create(NULL, ...) does, and answer with the addresses of the others.
#ifndef TERRANE_BENCH_CONTENDERS_BLOCK_POOL_H
#define TERRANE_BENCH_CONTENDERS_BLOCK_POOL_H

#include "contender.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BlockPool BlockPool;

/// @param chunks  [count] aligned to a cache line; borrowed; only their addresses are used
/// @return NULL if there is no memory
BlockPool *block_pool_create(const ContenderChunk *chunks, uint32_t count);
/// @param blocks  may be NULL
void block_pool_destroy(BlockPool *blocks);
const TrnPool *block_pool_slots(const BlockPool *blocks);

#ifdef __cplusplus
}
#endif
#endif

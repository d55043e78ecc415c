/// A second pool over the chunks of a pool: slot i of both is the same chunk at the same address.
/// This one has no reserved range, so it finds addresses in a table of blocks, as the pool of
/// trn_store_create(NULL, ...) does.
#pragma once

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

/// Private: the loaded chunks in the order of their last uses, for eviction.
///
/// A chunk has a place in a block of 256 places. A use clears the bit of its place and gives it the
/// next one at the end, so that it touches the chunk's header and little else. Blocks without
/// chunks are freed, and two adjacent ones whose chunks fit in one are merged; so there are at most
/// two blocks for 240 chunks. Blocks are linked in two lists: the chunks that an eviction passes by
/// wait in a list of their own until it ends. For one thread at a time.
#ifndef TERRANE_STORE_STORE_USES_H
#define TERRANE_STORE_STORE_USES_H

#include "store/store_impl.h"

/// Errors: NO_MEMORY.
TrnResult trn_uses_create(TrnStore *store);
void trn_uses_destroy(TrnStore *store);

/// Reserves capacity for one more chunk, so that no use can fail. O(1), and O(chunks / 2,000)
/// for every doubling. Errors: NO_MEMORY.
TrnResult trn_uses_reserve(TrnStore *store);

/// Adds a chunk, as the last used.
void trn_uses_add(TrnStore *store, TrnChunk *chunk);

/// Makes a chunk that has changed the last used, unless trn_store_touch() was called since its last
/// use: chunks that were touched later stay behind it. O(1), and at times 256 chunks are moved.
void trn_uses_change(TrnStore *store, TrnChunk *chunk);

/// Removes a chunk. Cost: as trn_uses_change().
void trn_uses_remove(TrnStore *store, const TrnChunk *chunk);

/// The least recently used chunk that is neither busy nor passed by, or NULL. Busy chunks that it
/// meets leave the order until trn_uses_return(). O(1) for each.
TrnChunk *trn_uses_first(TrnStore *store);

/// Lets a chunk that is no longer busy go first again, if it left the order. O(1).
void trn_uses_return(TrnStore *store, TrnChunk *chunk);

/// Makes trn_uses_first() pass a chunk by. O(1).
void trn_uses_pass(TrnStore *store, TrnChunk *chunk);

/// Puts the chunks that were passed by back where they were: before all others. O(1).
void trn_uses_end_pass(TrnStore *store);

/// Frees blocks that the chunks do not need. Cost: O(bytes freed).
void trn_uses_trim(TrnStore *store);

#endif

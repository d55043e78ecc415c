/// Private: keeps coarse columns for the chunks above and below, and for other threads.
#ifndef TERRANE_TERRAIN_COARSE_CACHE_IMPL_H
#define TERRANE_TERRAIN_COARSE_CACHE_IMPL_H

#include <stdatomic.h>
#include <stddef.h>

#include <terrane/terrain.h>

struct TrnCoarseColumn;
struct TrnCoarseCacheBounds;

/// Coarse columns by a hash of coordinate and level: each has one slot, where it replaces the
/// column that was there. The lock is held for one look-up at a time.
typedef struct TrnCoarseCache {
    atomic_flag lock;
    size_t slot_count; ///< a power of two
    struct TrnCoarseColumn **slots;
    struct TrnCoarseCacheBounds *bounds; ///< of more columns, in the same way
} TrnCoarseCache;

/// Creates terrain->coarse_cache.
/// Errors: NO_MEMORY.
TrnResult trn_coarse_cache_create(TrnTerrain *terrain, uint32_t column_max);

void trn_coarse_cache_destroy(TrnTerrain *terrain);

#endif

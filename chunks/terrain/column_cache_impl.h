/// Private: keeps generated columns for the chunks above and below, and for other threads.
#ifndef TERRANE_TERRAIN_COLUMN_CACHE_IMPL_H
#define TERRANE_TERRAIN_COLUMN_CACHE_IMPL_H

#include <stdatomic.h>

#include <terrane/pool.h>
#include <terrane/spatial_array.h>
#include <terrane/terrain.h>

struct TrnColumn;

/// Columns by coordinate, evicted oldest first. The lock is held for one look-up at a time, never
/// while a column is generated.
typedef struct TrnColumnCache {
    atomic_flag lock;
    uint32_t column_max;
    TrnSpatialArray *columns; ///< of struct TrnColumn *
    TrnPool *pool;            ///< of struct TrnColumn
    struct TrnColumn *oldest, *newest;
} TrnColumnCache;

/// Creates terrain->cache. On failure trn_column_cache_destroy frees what was created.
TrnResult trn_column_cache_create(TrnTerrain *terrain, uint32_t column_max);

void trn_column_cache_destroy(TrnTerrain *terrain);

/// Returns a column from the cache, and generates it first if it is missing. Return it with
/// trn_column_release.
/// @param spare  receives the column if the cache is full, out of memory or locked too long
const struct TrnColumn *trn_column_acquire(TrnTerrain *terrain, TrnCoord coord,
                                           struct TrnColumn *spare);

void trn_column_release(const struct TrnColumn *column);

#endif

/// Private: keeps generated columns for the chunks above and below, and for other threads.
#ifndef TERRANE_TERRAIN_COLUMN_CACHE_H
#define TERRANE_TERRAIN_COLUMN_CACHE_H

#include "terrain/terrain_impl.h"

/// Creates terrain->cache. On failure trn_column_cache_destroy frees what was created.
TrnResult trn_column_cache_create(TrnTerrain *terrain, uint32_t column_max);

void trn_column_cache_destroy(TrnTerrain *terrain);

/// Returns a column from the cache, and generates it first if it is missing. Return it with
/// trn_column_release.
/// @param spare  receives the column if the cache is full, out of memory or locked too long
const TrnColumn *trn_column_acquire(TrnTerrain *terrain, TrnCoord coord, TrnColumn *spare);

void trn_column_release(const TrnColumn *column);

#endif

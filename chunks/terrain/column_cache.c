// The column cache: a 2D spatial array finds columns, a queue orders them by age, a pool holds
// them. base/coord_map.h would be simpler, since it has no range, but finding a cached column takes
// a tenth longer with it.

#include "terrain/column_cache.h"

#include "base/memory.h"
#include "terrain/land_impl.h"

/// Evicts the oldest column without readers.
/// @return false if there is none
static bool cache_evict_oldest(TrnColumnCache *cache)
{
    TrnColumn *before = NULL, *column = cache->oldest;
    while (column && atomic_load_explicit(&column->readers, memory_order_acquire) > 0) {
        before = column;
        column = column->newer;
    }
    if (!column) {
        return false;
    }
    *(before ? &before->newer : &cache->oldest) = column->newer;
    cache->newest = cache->newest == column ? before : cache->newest;
    (void)trn_spatial_array_remove(cache->columns, column->coord);
    (void)trn_pool_free(cache->pool, column->id);
    return true;
}

/// Adds a column to the array. If a moving viewer left empty cells behind, shrinking frees them. If
/// it jumped so far that no array can span the old columns and the new one, evicts all columns
/// without readers.
static TrnResult cache_insert(TrnColumnCache *cache, TrnColumn *column)
{
    TrnResult result = trn_spatial_array_insert(cache->columns, column->coord, &column);
    if (result != TRN_RESULT_OUT_OF_RANGE) {
        return result;
    }
    if (trn_spatial_array_shrink(cache->columns) == TRN_RESULT_OK) {
        result = trn_spatial_array_insert(cache->columns, column->coord, &column);
        if (result != TRN_RESULT_OUT_OF_RANGE) {
            return result;
        }
    }
    while (cache_evict_oldest(cache)) {
    }
    (void)trn_spatial_array_shrink(cache->columns); // an empty array frees its cells
    return trn_spatial_array_insert(cache->columns, column->coord, &column);
}

/// Finds a column and adds a reader.
static TrnColumn *cache_find(TrnColumnCache *cache, TrnCoord coord)
{
    TrnColumn *column = trn_spatial_array_pointer(cache->columns, coord);
    if (column) {
        atomic_fetch_add_explicit(&column->readers, 1, memory_order_relaxed);
    }
    return column;
}

/// Allocates a column, with the caller as its reader. Returns NULL if the cache is full of columns
/// with readers, or out of memory.
static TrnColumn *cache_reserve(TrnColumnCache *cache)
{
    while (cache->columns->count >= cache->column_max) {
        if (!cache_evict_oldest(cache)) {
            return NULL;
        }
    }
    TrnPoolId id;
    void *slot;
    if (trn_pool_alloc(cache->pool, &id, &slot) != TRN_RESULT_OK) {
        return NULL;
    }
    TrnColumn *column = slot;
    column->id = id;
    column->newer = NULL;
    atomic_init(&column->readers, 1);
    return column;
}

/// Makes a generated column visible to all threads, or frees it if another thread was faster or the
/// array cannot hold it.
/// @return the column to read, or NULL if none is cached
static TrnColumn *cache_publish(TrnColumnCache *cache, TrnColumn *column)
{
    TrnColumn *cached = cache_find(cache, column->coord);
    if (cached || cache_insert(cache, column) != TRN_RESULT_OK) {
        (void)trn_pool_free(cache->pool, column->id);
        return cached;
    }
    *(cache->oldest ? &cache->newest->newer : &cache->oldest) = column;
    cache->newest = column;
    return column;
}

static const TrnColumn *cache_generate_spare(TrnTerrain *terrain, TrnCoord coord, TrnColumn *spare)
{
    atomic_init(&spare->readers, 1);
    trn_land_generate_column(terrain, coord, spare);
    return spare;
}

const TrnColumn *trn_column_acquire(TrnTerrain *terrain, TrnCoord coord, TrnColumn *spare)
{
    TrnColumnCache *cache = &terrain->cache;
    if (!trn_cache_try_lock(&cache->lock)) {
        return cache_generate_spare(terrain, coord, spare);
    }
    TrnColumn *column = cache_find(cache, coord);
    TrnColumn *reserved = column ? NULL : cache_reserve(cache);
    trn_cache_unlock(&cache->lock);
    if (column) {
        return column;
    }
    if (!reserved) {
        return cache_generate_spare(terrain, coord, spare);
    }
    trn_land_generate_column(terrain, coord, reserved);
    while (!trn_cache_try_lock(&cache->lock)) { // the slot must be published or freed
    }
    column = cache_publish(cache, reserved);
    trn_cache_unlock(&cache->lock);
    return column ? column : cache_generate_spare(terrain, coord, spare);
}

void trn_column_release(const TrnColumn *column)
{
    // Readers only change the counter; the rest of the column is constant.
    atomic_fetch_sub_explicit(&((TrnColumn *)column)->readers, 1, memory_order_release);
}

TrnResult trn_column_cache_create(TrnTerrain *terrain, uint32_t column_max)
{
    TrnColumnCache *cache = &terrain->cache;
    atomic_flag_clear(&cache->lock);
    cache->column_max = column_max;
    // 32 cells per column are enough for what doubling makes of any view; at least 64 KiB.
    uint64_t bytes = (uint64_t)column_max * 32 * sizeof(TrnColumn *);
    bytes = bytes < (64u << 10) ? 64u << 10 : bytes > (1u << 30) ? 1u << 30 : bytes;
    TrnSpatialArrayDef array_def = trn_spatial_array_def(sizeof(TrnColumn *));
    array_def.dimensions = 2;
    array_def.bytes_max = (size_t)bytes;
    array_def.allocator = &terrain->allocator;
    TrnResult result = trn_spatial_array_create(&array_def, &cache->columns);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPoolDef pool_def = trn_pool_def(sizeof(TrnColumn));
    pool_def.allocator = &terrain->allocator;
    return trn_pool_create(&pool_def, &cache->pool);
}

void trn_column_cache_destroy(TrnTerrain *terrain)
{
    trn_spatial_array_destroy(terrain->cache.columns);
    trn_pool_destroy(terrain->cache.pool);
}

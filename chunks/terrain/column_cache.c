// Columns that were made, for the other chunks above and below, and for other threads.

#include "base/memory.h"
#include "terrain/terrain_impl.h"

/// How often the lock is tried. Who holds it holds it for as long as a look-up takes, or was put to
/// sleep by the system: then making the column anew is cheaper than waiting.
#define CACHE_LOCK_TRIES 256

static bool cache_lock(TrnTerrain *terrain)
{
    for (int i = 0; i < CACHE_LOCK_TRIES; i++) {
        if (!atomic_flag_test_and_set_explicit(&terrain->cache.lock, memory_order_acquire)) {
            return true;
        }
    }
    return false;
}

static void cache_unlock(TrnTerrain *terrain)
{
    atomic_flag_clear_explicit(&terrain->cache.lock, memory_order_release);
}

static bool cache_is_read(const TrnColumn *column)
{
    return atomic_load_explicit(&column->readers, memory_order_acquire) > 0;
}

/// Takes the oldest column that nobody reads out of the queue and the array. @return whether there
/// was one
static bool cache_drop_oldest(TrnTerrain *terrain)
{
    TrnColumn *before = NULL, *column = terrain->cache.oldest;
    while (column && cache_is_read(column)) {
        before = column;
        column = column->newer;
    }
    if (!column) {
        return false;
    }
    *(before ? &before->newer : &terrain->cache.oldest) = column->newer;
    terrain->cache.newest = terrain->cache.newest == column ? before : terrain->cache.newest;
    (void)trn_spatial_array_remove(terrain->cache.columns, column->coord);
    (void)trn_pool_free(terrain->cache.pool, column->id);
    return true;
}

/// Finds reserved in the array for a column. Whoever walks on leaves an empty stretch behind, which
/// shrinking gives back; whoever jumps far away leaves columns that no array can hold together with
/// the new one.
static TrnResult cache_insert(TrnTerrain *terrain, TrnColumn *column)
{
    TrnResult result = trn_spatial_array_insert(terrain->cache.columns, column->coord, &column);
    if (result != TRN_RESULT_OUT_OF_RANGE) {
        return result;
    }
    if (trn_spatial_array_shrink(terrain->cache.columns) == TRN_RESULT_OK) {
        result = trn_spatial_array_insert(terrain->cache.columns, column->coord, &column);
        if (result != TRN_RESULT_OUT_OF_RANGE) {
            return result;
        }
    }
    while (cache_drop_oldest(terrain)) {
    }
    (void)trn_spatial_array_shrink(terrain->cache.columns); // an empty one gives its cells back
    return trn_spatial_array_insert(terrain->cache.columns, column->coord, &column);
}

/// Finds a column and counts a reader of it.
static TrnColumn *cache_find(TrnTerrain *terrain, TrnCoord coord)
{
    TrnColumn *column = trn_spatial_array_pointer(terrain->cache.columns, coord);
    if (column) {
        atomic_fetch_add_explicit(&column->readers, 1, memory_order_relaxed);
    }
    return column;
}

/// Room for a column that is about to be made, read by its maker; or NULL.
static TrnColumn *cache_reserve(TrnTerrain *terrain)
{
    while (terrain->cache.columns->count >= terrain->cache.column_max) {
        if (!cache_drop_oldest(terrain)) {
            return NULL;
        }
    }
    TrnPoolId id;
    void *slot;
    if (trn_pool_alloc(terrain->cache.pool, &id, &slot) != TRN_RESULT_OK) {
        return NULL;
    }
    TrnColumn *column = slot;
    column->id = id;
    column->newer = NULL;
    atomic_init(&column->readers, 1);
    return column;
}

/// Hands a made column to everybody, unless another thread was faster, or there is no reserved.
/// @return the one to read, NULL where the made one could not be kept
static TrnColumn *cache_publish(TrnTerrain *terrain, TrnColumn *made)
{
    TrnColumn *existing = cache_find(terrain, made->coord);
    if (existing || cache_insert(terrain, made) != TRN_RESULT_OK) {
        (void)trn_pool_free(terrain->cache.pool, made->id);
        return existing;
    }
    *(terrain->cache.oldest ? &terrain->cache.newest->newer : &terrain->cache.oldest) = made;
    terrain->cache.newest = made;
    return made;
}

static const TrnColumn *cache_generate_spare(TrnTerrain *terrain, TrnCoord coord, TrnColumn *spare)
{
    atomic_init(&spare->readers, 1);
    trn_land_generate_column(terrain, coord, spare);
    return spare;
}

const TrnColumn *trn_column_acquire(TrnTerrain *terrain, TrnCoord coord, TrnColumn *spare)
{
    if (!cache_lock(terrain)) {
        return cache_generate_spare(terrain, coord, spare);
    }
    TrnColumn *column = cache_find(terrain, coord);
    TrnColumn *reserved = column ? NULL : cache_reserve(terrain);
    cache_unlock(terrain);
    if (column) {
        return column;
    }
    if (!reserved) {
        return cache_generate_spare(terrain, coord, spare);
    }
    trn_land_generate_column(terrain, coord, reserved);
    while (
        !cache_lock(terrain)) { // the reserved has to be given back or filled: the holder works on
    }
    column = cache_publish(terrain, reserved);
    cache_unlock(terrain);
    return column ? column : cache_generate_spare(terrain, coord, spare);
}

void trn_column_release(const TrnColumn *column)
{
    // Readers count themselves; to everybody else the column is constant.
    atomic_fetch_sub_explicit(&((TrnColumn *)column)->readers, 1, memory_order_release);
}

TrnResult trn_column_cache_create(TrnTerrain *terrain, uint32_t column_max)
{
    atomic_flag_clear(&terrain->cache.lock);
    terrain->cache.column_max = column_max;
    // Room for 32 cells a column holds what doubling makes of any view; a small cache's is 64 KiB.
    uint64_t bytes = (uint64_t)column_max * 32 * sizeof(TrnColumn *);
    bytes = bytes < (64u << 10) ? 64u << 10 : bytes > (1u << 30) ? 1u << 30 : bytes;
    TrnSpatialArrayDef array_def = trn_spatial_array_def(sizeof(TrnColumn *));
    array_def.dimensions = 2;
    array_def.bytes_max = (size_t)bytes;
    array_def.allocator = &terrain->allocator;
    TrnResult result = trn_spatial_array_create(&array_def, &terrain->cache.columns);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    TrnPoolDef pool_def = trn_pool_def(sizeof(TrnColumn));
    pool_def.allocator = &terrain->allocator;
    return trn_pool_create(&pool_def, &terrain->cache.pool);
}

void trn_column_cache_destroy(TrnTerrain *terrain)
{
    trn_spatial_array_destroy(terrain->cache.columns);
    trn_pool_destroy(terrain->cache.pool);
}

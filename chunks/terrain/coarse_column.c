// Coarse columns: generated from the same fields as columns of level 0, and kept in a table.

#include "base/memory.h"
#include "terrain/coarse_impl.h"

// ---- generation ---------------------------------------------------------------------------------

static void coarse_set_bounds(TrnCoarseColumn *column)
{
    const uint32_t level = (uint32_t)column->key.y;
    TrnCoarseBounds bounds = {.ground = INT32_MAX, .rock = INT32_MAX, .top = INT32_MIN};
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int32_t ground = column->heights[i] >> level;
        const int32_t rock = ground - trn_coarse_cover_layers(column->covers[i], level);
        const int32_t top = ground + (trn_coarse_crown(column->covers[i]) >> level);
        bounds.ground = ground < bounds.ground ? ground : bounds.ground;
        bounds.rock = rock < bounds.rock ? rock : bounds.rock;
        bounds.top = top > bounds.top ? top : bounds.top;
        if (column->seas[i] != TRN_BLOCK_AIR && column->waters[i] > TRN_TERRAIN_SEA_LEVEL) {
            bounds.top = column->waters[i] > bounds.top ? column->waters[i] : bounds.top;
            continue;
        }
        bounds.has_sea |= column->seas[i] != TRN_BLOCK_AIR;
        bounds.has_dry_pits |=
            column->heights[i] < TRN_TERRAIN_SEA_LEVEL && column->seas[i] == TRN_BLOCK_AIR;
    }
    column->bounds = bounds;
}

/// Copies what chunks need of a column.
static void coarse_pack(const TrnColumn *from, TrnCoarseColumn *to)
{
    const uint32_t level = (uint32_t)to->key.y;
    to->strata_shift_range[0] = from->strata_shift_range[0];
    to->strata_shift_range[1] = from->strata_shift_range[1];
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const TrnBlock surface = from->plants[i] == TRN_BLOCK_ICE ? TRN_BLOCK_ICE : TRN_BLOCK_WATER;
        to->seas[i] = (uint8_t)(trn_column_is_wet(from, i) ? surface : TRN_BLOCK_AIR);
        to->waters[i] = (int16_t)(from->waters[i] >> level);
        to->strata_shifts[i] = from->strata_shifts[i];
        to->covers[i] = from->covers[i];
    }
}

/// Errors: NO_MEMORY.
static TrnResult coarse_generate(TrnTerrain *terrain, TrnCoord key, TrnCoarseColumn *to)
{
    const uint32_t level = (uint32_t)key.y;
    const size_t land_bytes = trn_land_scratch_bytes(level);
    const size_t bytes = land_bytes + trn_coarse_heights_scratch_bytes();
    unsigned char *scratch = trn_take(&terrain->allocator, bytes, TRN_CACHE_LINE);
    if (!scratch) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnColumn column;
    trn_land_generate_column_level(terrain, (TrnCoord){key.x, 0, key.z}, level, scratch, &column);
    trn_coarse_heights(terrain, level, true, scratch + land_bytes, &column, to->heights);
    coarse_pack(&column, to);
    coarse_set_bounds(to);
    trn_give(&terrain->allocator, scratch, bytes);
    return TRN_RESULT_OK;
}

// ---- cache --------------------------------------------------------------------------------------

/// The cache keeps the bounds of this many columns for each column that it keeps whole.
#define COARSE_BOUNDS_PER_SLOT 8

/// Attempts to take the lock. A thread that fails generates the column again instead of waiting.
#define COARSE_LOCK_TRIES 256

static bool coarse_try_lock(TrnCoarseCache *cache)
{
    for (int i = 0; i < COARSE_LOCK_TRIES; i++) {
        if (!atomic_flag_test_and_set_explicit(&cache->lock, memory_order_acquire)) {
            return true;
        }
    }
    return false;
}

static void coarse_unlock(TrnCoarseCache *cache)
{
    atomic_flag_clear_explicit(&cache->lock, memory_order_release);
}

static uint64_t coarse_hash(const TrnTerrain *terrain, TrnCoord key)
{
    return trn_land_hash(terrain->seed, key.x, key.y, key.z);
}

static TrnCoarseColumn **coarse_slot(TrnTerrain *terrain, TrnCoord key)
{
    return &terrain->coarse_cache
                .slots[coarse_hash(terrain, key) & (terrain->coarse_cache.slot_count - 1)];
}

static TrnCoarseCacheBounds *coarse_bounds_slot(TrnTerrain *terrain, TrnCoord key)
{
    const size_t count = terrain->coarse_cache.slot_count * COARSE_BOUNDS_PER_SLOT;
    return &terrain->coarse_cache.bounds[coarse_hash(terrain, key) & (count - 1)];
}

bool trn_coarse_find_bounds(TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                            TrnCoarseBounds *bounds)
{
    const TrnCoord key = {coord.x, (int32_t)level, coord.z};
    if (!coarse_try_lock(&terrain->coarse_cache)) {
        return false;
    }
    const TrnCoarseCacheBounds *slot = coarse_bounds_slot(terrain, key);
    const bool is_it = trn_coord_equal(slot->key, key);
    if (is_it) {
        *bounds = slot->bounds;
    }
    coarse_unlock(&terrain->coarse_cache);
    return is_it;
}

static TrnCoarseColumn *coarse_find(TrnTerrain *terrain, TrnCoord key)
{
    if (!coarse_try_lock(&terrain->coarse_cache)) {
        return NULL;
    }
    TrnCoarseColumn *column = *coarse_slot(terrain, key);
    const bool is_it = column && trn_coord_equal(column->key, key);
    if (is_it) {
        atomic_fetch_add_explicit(&column->readers, 1, memory_order_relaxed);
    }
    coarse_unlock(&terrain->coarse_cache);
    return is_it ? column : NULL;
}

/// Keeps a column's bounds, and puts it into its slot unless readers still need the one there.
static void coarse_publish(TrnTerrain *terrain, TrnCoarseColumn *column)
{
    if (!coarse_try_lock(&terrain->coarse_cache)) {
        return;
    }
    *coarse_bounds_slot(terrain, column->key) = (TrnCoarseCacheBounds){column->key, column->bounds};
    TrnCoarseColumn **slot = coarse_slot(terrain, column->key), *old = *slot;
    const bool is_free = !old || atomic_load_explicit(&old->readers, memory_order_acquire) == 0;
    if (is_free) {
        column->is_cached = true;
        *slot = column;
    }
    coarse_unlock(&terrain->coarse_cache);
    if (is_free && old) {
        trn_give(&terrain->allocator, old, sizeof *old);
    }
}

TrnResult trn_coarse_acquire(TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                             const TrnCoarseColumn **column)
{
    const TrnCoord key = {coord.x, (int32_t)level, coord.z};
    TrnCoarseColumn *found = coarse_find(terrain, key);
    if (!found) {
        found = trn_take(&terrain->allocator, sizeof *found, TRN_CACHE_LINE);
        if (!found) {
            return TRN_RESULT_NO_MEMORY;
        }
        found->key = key;
        found->is_cached = false;
        atomic_init(&found->readers, 1);
        const TrnResult result = coarse_generate(terrain, key, found);
        if (result != TRN_RESULT_OK) {
            trn_give(&terrain->allocator, found, sizeof *found);
            return result;
        }
        coarse_publish(terrain, found);
    }
    *column = found;
    return TRN_RESULT_OK;
}

void trn_coarse_release(TrnTerrain *terrain, const TrnCoarseColumn *column)
{
    // Readers only change the counter; the rest of the column is constant.
    TrnCoarseColumn *released = (TrnCoarseColumn *)column;
    if (released->is_cached) {
        atomic_fetch_sub_explicit(&released->readers, 1, memory_order_release);
    } else {
        trn_give(&terrain->allocator, released, sizeof *released);
    }
}

TrnResult trn_coarse_bounds(TrnTerrain *terrain, TrnCoord coord, uint32_t level,
                            TrnCoarseBounds *bounds)
{
    if (trn_coarse_find_bounds(terrain, coord, level, bounds)) {
        return TRN_RESULT_OK;
    }
    const TrnCoarseColumn *column;
    const TrnResult result = trn_coarse_acquire(terrain, coord, level, &column);
    if (result == TRN_RESULT_OK) {
        *bounds = column->bounds;
        trn_coarse_release(terrain, column);
    }
    return result;
}

TrnResult trn_coarse_cache_create(TrnTerrain *terrain, uint32_t column_max)
{
    TrnCoarseCache *cache = &terrain->coarse_cache;
    atomic_flag_clear(&cache->lock);
    size_t count = 4;
    while (count < column_max / 4) {
        count *= 2;
    }
    cache->slot_count = count;
    cache->slots = trn_take(&terrain->allocator, count * sizeof(TrnCoarseColumn *), TRN_CACHE_LINE);
    for (size_t i = 0; cache->slots && i < count; i++) {
        cache->slots[i] = NULL;
    }
    count *= COARSE_BOUNDS_PER_SLOT;
    cache->bounds = trn_take(&terrain->allocator, count * sizeof *cache->bounds, TRN_CACHE_LINE);
    for (size_t i = 0; cache->bounds && i < count; i++) {
        cache->bounds[i].key = (TrnCoord){0, 0, 0}; // no coarse column: level 0
    }
    return cache->slots && cache->bounds ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

void trn_coarse_cache_destroy(TrnTerrain *terrain)
{
    TrnCoarseCache *cache = &terrain->coarse_cache;
    for (size_t i = 0; cache->slots && i < cache->slot_count; i++) {
        if (cache->slots[i]) {
            trn_give(&terrain->allocator, cache->slots[i], sizeof(TrnCoarseColumn));
        }
    }
    if (cache->slots) {
        trn_give(&terrain->allocator, cache->slots, cache->slot_count * sizeof(TrnCoarseColumn *));
    }
    if (cache->bounds) {
        trn_give(&terrain->allocator, cache->bounds,
                 cache->slot_count * COARSE_BOUNDS_PER_SLOT * sizeof *cache->bounds);
    }
}

#include "anvil_cache.h"

#include <string.h>

#include "base/memory.h"

TrnResult trn_anvil_cache_open(TrnAnvilCache *cache, const TrnAnvilFiles *files,
                               TrnImportNotes *notes, const TrnAllocator *allocator)
{
    cache->files = files;
    cache->notes = notes;
    cache->allocator = allocator;
    if (!trn_mutex_init(&cache->mutex)) {
        return TRN_RESULT_NO_MEMORY;
    }
    if (!trn_condition_init(&cache->condition)) {
        trn_mutex_destroy(&cache->mutex);
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result =
        trn_coord_map_reserve(&cache->places, allocator, TRN_ANVIL_CACHE_SLOTS);
    if (result != TRN_RESULT_OK) {
        trn_condition_destroy(&cache->condition);
        trn_mutex_destroy(&cache->mutex);
    }
    return result;
}

// ---- slots --------------------------------------------------------------------------------------

static size_t cache_section_bytes(const TrnAnvilCached *slot)
{
    return slot->sections ? (size_t)(slot->y_high - slot->y_low) * sizeof *slot->sections : 0;
}

static size_t cache_slot_bytes(const TrnAnvilCached *slot)
{
    return trn_array_bytes(&slot->bytes) + cache_section_bytes(slot);
}

static void cache_free_slot(const TrnAnvilCache *cache, TrnAnvilCached *slot)
{
    trn_give(cache->allocator, slot->sections, cache_section_bytes(slot));
    trn_array_free(&slot->bytes, cache->allocator);
    *slot = (TrnAnvilCached){0};
}

/// Forgets a column that no thread uses. The cache is locked.
static void cache_drop(TrnAnvilCache *cache, TrnAnvilCached *slot)
{
    const TrnCoord place = {slot->x, 0, slot->z};
    trn_coord_map_remove(&cache->places, trn_coord_map_find(&cache->places, place));
    cache->bytes -= cache_slot_bytes(slot);
    cache_free_slot(cache, slot);
}

/// Returns the slot that was not used for the longest time, a vacant one first; NULL if threads use
/// them all. The cache is locked.
static TrnAnvilCached *cache_oldest(TrnAnvilCache *cache)
{
    TrnAnvilCached *oldest = NULL;
    for (uint32_t i = 0; i < TRN_ANVIL_CACHE_SLOTS; i++) {
        TrnAnvilCached *slot = &cache->slots[i];
        if (slot->users == 0 && (!oldest || slot->last_use < oldest->last_use)) {
            oldest = slot;
        }
    }
    return oldest;
}

/// Drops columns until the rest fit. The cache is locked.
static void cache_trim(TrnAnvilCache *cache)
{
    while (cache->bytes > TRN_ANVIL_CACHE_BYTES) {
        TrnAnvilCached *oldest = NULL;
        for (uint32_t i = 0; i < TRN_ANVIL_CACHE_SLOTS; i++) {
            TrnAnvilCached *slot = &cache->slots[i];
            if (slot->is_used && slot->users == 0 &&
                (!oldest || slot->last_use < oldest->last_use)) {
                oldest = slot;
            }
        }
        if (!oldest) {
            return;
        }
        cache_drop(cache, oldest);
    }
}

void trn_anvil_cache_close(TrnAnvilCache *cache)
{
    for (uint32_t i = 0; i < TRN_ANVIL_CACHE_SLOTS; i++) {
        cache_free_slot(cache, &cache->slots[i]);
    }
    trn_coord_map_free(&cache->places, cache->allocator);
    trn_condition_destroy(&cache->condition);
    trn_mutex_destroy(&cache->mutex);
}

// ---- loading ------------------------------------------------------------------------------------

/// Keeps the sections that a column has. @return false if there is no memory
static bool cache_keep_sections(const TrnAnvilCache *cache, TrnAnvilCached *slot,
                                const TrnAnvilColumn *column)
{
    slot->is_padded = column->version >= TRN_ANVIL_VERSION_PADDED;
    slot->is_there = true;
    if (column->y_low >= column->y_high) {
        return true;
    }
    slot->y_low = column->y_low;
    slot->y_high = column->y_high;
    const size_t bytes = (size_t)(slot->y_high - slot->y_low) * sizeof *slot->sections;
    slot->sections = trn_take(cache->allocator, bytes, sizeof(void *));
    if (slot->sections) {
        memcpy(slot->sections, column->sections + (slot->y_low - TRN_ANVIL_Y_MIN), bytes);
    }
    return slot->sections != NULL;
}

/// Reads a decompressed column. Errors: CORRUPT with the fault, NO_MEMORY.
static TrnResult cache_parse(const TrnAnvilCache *cache, TrnAnvilCached *slot, const char **fault)
{
    TrnAnvilColumn column;
    if (!trn_anvil_column(slot->bytes.items, slot->bytes.count, &column)) {
        *fault = "columns: not the data of a column";
        return TRN_RESULT_CORRUPT;
    }
    if (column.version < TRN_ANVIL_VERSION_NAMES) {
        *fault = "columns: older than Minecraft 1.13, which can upgrade them";
        return TRN_RESULT_CORRUPT;
    }
    trn_import_ignored(cache->notes, "sections too low or too high", column.outside_count);
    return cache_keep_sections(cache, slot, &column) ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

/// Reads a column's file. Errors: NOT_FOUND, CORRUPT with the fault, NO_MEMORY.
static TrnResult cache_read(const TrnAnvilCache *cache, TrnAnvilCached *slot, const char **fault)
{
    TrnAnvilStored stored = {0};
    TrnResult result = trn_anvil_files_read(cache->files, slot->x, slot->z, &stored, fault);
    if (result == TRN_RESULT_OK) {
        result = trn_region_decompress(stored.compression, stored.bytes.items, stored.bytes.count,
                                       cache->allocator, &slot->bytes);
        const bool is_known =
            stored.compression >= TRN_REGION_GZIP && stored.compression <= TRN_REGION_LZ4;
        *fault = is_known ? "columns: their data does not decompress"
                          : "columns: compressed in an unknown way";
    }
    trn_array_free(&stored.bytes, cache->allocator);
    return result == TRN_RESULT_OK ? cache_parse(cache, slot, fault) : result;
}

/// Fills a slot. A damaged column is counted, and is not there. Errors: NO_MEMORY.
static TrnResult cache_load(const TrnAnvilCache *cache, TrnAnvilCached *slot)
{
    const char *fault = "";
    const TrnResult result = cache_read(cache, slot, &fault);
    if (result == TRN_RESULT_CORRUPT) {
        trn_import_damaged(cache->notes, fault, "column %d,%d", (int)slot->x, (int)slot->z);
    }
    if (result != TRN_RESULT_OK) { // its bytes are of no use
        trn_array_free(&slot->bytes, cache->allocator);
        slot->is_there = false;
    }
    return result == TRN_RESULT_NO_MEMORY ? result : TRN_RESULT_OK;
}

/// Loads a column into a slot that no thread uses. The cache is locked, except while it reads.
static TrnResult cache_fill(TrnAnvilCache *cache, TrnAnvilCached *slot, int32_t x, int32_t z)
{
    if (slot->is_used) {
        cache_drop(cache, slot);
    }
    slot->x = x;
    slot->z = z;
    slot->users = 1;
    slot->is_used = slot->is_loading = true;
    trn_coord_map_add(&cache->places, (TrnCoord){x, 0, z})->pointer = slot;
    trn_mutex_unlock(&cache->mutex);

    const TrnResult result = cache_load(cache, slot);

    trn_mutex_lock(&cache->mutex);
    slot->is_loading = false;
    cache->bytes += cache_slot_bytes(slot);
    if (result != TRN_RESULT_OK) {
        slot->users = 0; // no other thread waits for the slot itself
        cache_drop(cache, slot);
    } else {
        cache_trim(cache);
    }
    trn_condition_wake_all(&cache->condition);
    return result;
}

TrnResult trn_anvil_cache_take(TrnAnvilCache *cache, int32_t x, int32_t z, TrnAnvilCached **column)
{
    TrnResult result = TRN_RESULT_OK;
    TrnAnvilCached *taken = NULL;
    trn_mutex_lock(&cache->mutex);
    while (!taken && result == TRN_RESULT_OK) {
        const TrnCoordEntry *entry = trn_coord_map_find(&cache->places, (TrnCoord){x, 0, z});
        TrnAnvilCached *slot = entry ? entry->pointer : cache_oldest(cache);
        if (!slot || slot->is_loading) {
            trn_condition_wait(&cache->condition, &cache->mutex);
        } else if (entry) {
            slot->users++;
            taken = slot;
        } else {
            result = cache_fill(cache, slot, x, z);
            taken = slot;
        }
    }
    if (result == TRN_RESULT_OK) {
        taken->last_use = ++cache->uses;
        *column = taken;
    }
    trn_mutex_unlock(&cache->mutex);
    return result;
}

void trn_anvil_cache_give(TrnAnvilCache *cache, TrnAnvilCached *column)
{
    trn_mutex_lock(&cache->mutex);
    if (--column->users == 0) {
        cache_trim(cache); // while many threads load, more than the limit may be in use
        trn_condition_wake_all(&cache->condition);
    }
    trn_mutex_unlock(&cache->mutex);
}

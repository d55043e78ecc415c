#include "anvil_cache.h"

#include <string.h>

#include "base/memory.h"

TrnResult trn_anvil_cache_open(TrnAnvilCache *cache, const TrnAnvilFiles *files,
                               TrnImportNotes *notes, const TrnAllocator *allocator)
{
    cache->files = files;
    cache->bytes_max = TRN_ANVIL_CACHE_BYTES;
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
    while (cache->bytes > cache->bytes_max) {
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
    trn_array_free(&cache->towers, cache->allocator);
    trn_coord_map_free(&cache->tower_places, cache->allocator);
    trn_condition_destroy(&cache->condition);
    trn_mutex_destroy(&cache->mutex);
}

// ---- loading ------------------------------------------------------------------------------------

/// Keeps the sections that a column has. @return false if there is no memory
static bool cache_keep_sections(const TrnAnvilCache *cache, TrnAnvilCached *slot,
                                const TrnAnvilColumn *column)
{
    slot->packing = trn_anvil_packing(column->version);
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

/// Why a column is left out.
typedef struct CacheFault {
    const char *text;
    bool is_unsupported; ///< otherwise it is damaged
} CacheFault;

/// Reads a decompressed column. Errors: CORRUPT with the fault, NO_MEMORY.
static TrnResult cache_parse(const TrnAnvilCache *cache, TrnAnvilCached *slot, CacheFault *fault)
{
    TrnAnvilColumn column;
    if (!trn_anvil_column(slot->bytes.items, slot->bytes.count, &column)) {
        *fault = (CacheFault){"columns: not the data of a column", false};
        return TRN_RESULT_CORRUPT;
    }
    if (!column.has_sections) {
        *fault = (CacheFault){"columns without land, such as entities or points of interest: name "
                              "the world's folder, or its folder region",
                              true};
        return TRN_RESULT_CORRUPT;
    }
    trn_import_ignored(cache->notes, "sections too low or too high", column.outside_count);
    slot->contents = column.contents;
    slot->contents_type = column.contents_type;
    return cache_keep_sections(cache, slot, &column) ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

/// Reads a column's file. Errors: NOT_FOUND, CORRUPT with the fault, NO_MEMORY.
static TrnResult cache_read(const TrnAnvilCache *cache, TrnAnvilCached *slot, CacheFault *fault)
{
    TrnAnvilStored stored = {0};
    bool is_cut = false;
    TrnResult result = trn_anvil_files_read(cache->files, slot->x, slot->z, &stored, &fault->text);
    if (result == TRN_RESULT_OK) {
        result =
            trn_region_decompress(stored.compression, stored.bytes.items, stored.bytes.count,
                                  TRN_REGION_COLUMN_MAX, cache->allocator, &slot->bytes, &is_cut);
        const bool is_known =
            stored.compression >= TRN_REGION_GZIP && stored.compression <= TRN_REGION_LZ4;
        *fault = is_known ? (CacheFault){"columns: their data does not decompress", false}
                          : (CacheFault){"columns compressed in an unknown way: open the world in "
                                         "Minecraft with the compression deflate or lz4",
                                         true};
    }
    trn_array_free(&stored.bytes, cache->allocator);
    if (result == TRN_RESULT_CORRUPT && is_cut) { // all may be there but the checksum
        CacheFault rest;
        const TrnResult parsed = cache_parse(cache, slot, &rest);
        return parsed == TRN_RESULT_OK || parsed == TRN_RESULT_NO_MEMORY ? parsed : result;
    }
    return result == TRN_RESULT_OK ? cache_parse(cache, slot, fault) : result;
}

/// Fills a slot. A damaged column is counted, and is not there. Errors: NO_MEMORY.
static TrnResult cache_load(const TrnAnvilCache *cache, TrnAnvilCached *slot)
{
    CacheFault fault = {"", false};
    const TrnResult result = cache_read(cache, slot, &fault);
    if (result == TRN_RESULT_CORRUPT) {
        trn_import_piece(cache->notes,
                         fault.is_unsupported ? TRN_IMPORT_NOTE_UNSUPPORTED
                                              : TRN_IMPORT_NOTE_DAMAGED,
                         fault.text, "column %d,%d", (int)slot->x, (int)slot->z);
    }
    if (result != TRN_RESULT_OK) { // its bytes are of no use
        trn_array_free(&slot->bytes, cache->allocator);
        slot->is_there = false;
    }
    return result == TRN_RESULT_NO_MEMORY ? result : TRN_RESULT_OK;
}

// ---- towers ------------------------------------------------------------------------------------

/// Whether a section is air alone, as most are that Minecraft writes far up.
static bool cache_is_air(const TrnAnvilSection *section)
{
    TrnNbt palette = section->palette;
    TrnAnvilState state;
    return !section->is_damaged && !section->numbers &&
           (section->palette_count == 0 ||
            (section->palette_count == 1 && trn_anvil_palette_next(&palette, &state) &&
             trn_nbt_text_is(state.name, "minecraft:air")));
}

/// Finds or adds the tower of a column. @return NULL if there is no memory
static TrnAnvilTower *cache_tower(TrnAnvilCache *cache, int32_t x, int32_t z)
{
    const TrnAnvilTower tower = {.x = x >> 1, .z = z >> 1};
    const TrnCoord place = {tower.x, 0, tower.z};
    const TrnCoordEntry *entry = trn_coord_map_find(&cache->tower_places, place);
    if (entry) {
        return &cache->towers.items[entry->number];
    }
    if (trn_coord_map_reserve(&cache->tower_places, cache->allocator, 1) != TRN_RESULT_OK ||
        trn_array_push(&cache->towers, cache->allocator, tower) != TRN_RESULT_OK) {
        return NULL;
    }
    trn_coord_map_add(&cache->tower_places, place)->number = cache->towers.count - 1;
    return &cache->towers.items[cache->towers.count - 1];
}

/// Notes what a column has beyond the usual heights. The cache is locked.
static TrnResult cache_note_tower(TrnAnvilCache *cache, const TrnAnvilCached *slot)
{
    TrnAnvilTower *tower = NULL;
    for (int32_t y = slot->y_low; y < slot->y_high; y++) {
        const bool is_usual = y >= TRN_ANVIL_USUAL_LOW && y < TRN_ANVIL_USUAL_HIGH;
        if (is_usual || cache_is_air(&slot->sections[y - slot->y_low])) {
            continue;
        }
        tower = tower ? tower : cache_tower(cache, slot->x, slot->z);
        if (!tower) {
            return TRN_RESULT_NO_MEMORY;
        }
        const uint32_t bit = (uint32_t)(y - TRN_ANVIL_Y_MIN);
        tower->has[bit / 64] |= UINT64_C(1) << bit % 64;
    }
    return TRN_RESULT_OK;
}

// ---- taking -------------------------------------------------------------------------------------

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

    TrnResult result = cache_load(cache, slot);

    trn_mutex_lock(&cache->mutex);
    if (result == TRN_RESULT_OK && cache->notes_towers) {
        result = cache_note_tower(cache, slot);
    }
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

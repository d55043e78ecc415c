#include "base/coord_map.h"

#include <stdalign.h>
#include <string.h>

#include "base/entropy.h"
#include "base/memory.h"

#define COORD_MAP_CAPACITY_FIRST 8
#define COORD_MAP_CAPACITY_MAX (UINT32_C(1) << 31)
#define COORD_MAP_SMALL 1024u ///< slots: tables up to this are replaced at once
/// Slots that are cleared or moved for each entry. From half full to full, a map with n slots takes
/// 3 n / 8 entries, and clears 2 n; then it moves n before it has taken 3 n / 8 entries more.
#define COORD_MAP_STEP 8u
#define COORD_MAP_TRIES 64u ///< entries from one try to allocate the next table to another

// ---- tables ------------------------------------------------------------------------------------

/// The slot of a coordinate, or the vacant one where it would go. The table has memory.
static TrnCoordEntry *coord_map_slot(const TrnCoordTable *table, uint64_t key, TrnCoord coord)
{
    const uint32_t mask = table->capacity - 1;
    uint32_t slot = trn_coord_hash(coord, key) & mask;
    while (table->slots[slot].is_used && !trn_coord_equal(table->slots[slot].coord, coord)) {
        slot = (slot + 1) & mask;
    }
    return &table->slots[slot];
}

static TrnCoordEntry *coord_map_find_in(const TrnCoordTable *table, uint64_t key, TrnCoord coord)
{
    TrnCoordEntry *entry = table->capacity ? coord_map_slot(table, key, coord) : NULL;
    return entry && entry->is_used ? entry : NULL;
}

/// Allocates a table whose slots are not clear. Errors: NO_MEMORY.
static TrnResult coord_map_take(const TrnAllocator *allocator, uint64_t capacity,
                                TrnCoordTable *table)
{
    size_t bytes;
    if (capacity > COORD_MAP_CAPACITY_MAX ||
        __builtin_mul_overflow(capacity, sizeof *table->slots, &bytes)) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnCoordEntry *slots = trn_take(allocator, bytes, alignof(TrnCoordEntry));
    if (!slots) {
        return TRN_RESULT_NO_MEMORY;
    }
    *table = (TrnCoordTable){slots, (uint32_t)capacity};
    return TRN_RESULT_OK;
}

static void coord_map_give(const TrnAllocator *allocator, TrnCoordTable *table)
{
    trn_give(allocator, table->slots, table->capacity * sizeof *table->slots);
    *table = (TrnCoordTable){0};
}

// ---- growth ------------------------------------------------------------------------------------

/// Clears some slots of the next table.
static void coord_map_clear(TrnCoordMap *map, uint64_t slots)
{
    const uint32_t left = map->next.capacity - map->at;
    const uint32_t count = slots < left ? (uint32_t)slots : left;
    memset(map->next.slots + map->at, 0, count * sizeof *map->next.slots);
    map->at += count;
}

/// Moves some slots of the old table, and then up to a vacant one: so no chain is cut.
static void coord_map_move(TrnCoordMap *map, const TrnAllocator *allocator, uint64_t slots)
{
    const uint32_t mask = map->old.capacity - 1;
    bool is_vacant = true;
    for (; map->left > 0 && (slots > 0 || !is_vacant); map->left--) {
        TrnCoordEntry *entry = &map->old.slots[map->at];
        is_vacant = !entry->is_used;
        if (entry->is_used) {
            *coord_map_slot(&map->table, map->key, entry->coord) = *entry;
            entry->is_used = 0;
        }
        map->at = (map->at + 1) & mask;
        slots -= slots > 0;
    }
    if (map->left == 0) {
        coord_map_give(allocator, &map->old);
        map->at = 0;
    }
}

/// Makes the next table, which is clear, the one for new entries.
static void coord_map_switch(TrnCoordMap *map)
{
    map->old = map->table;
    map->table = map->next;
    map->next = (TrnCoordTable){0};
    map->left = map->old.capacity;
    map->at = 0;
    while (map->left && map->old.slots[map->at].is_used) { // a chain may begin at the table's end
        map->at++;
    }
}

/// Replaces the table by one of another capacity. Errors: NO_MEMORY; the map is unchanged.
static TrnResult coord_map_grow(TrnCoordMap *map, const TrnAllocator *allocator, uint64_t capacity)
{
    TrnCoordTable next = map->next;
    uint32_t at = map->at;
    if (next.capacity != capacity) {
        if (coord_map_take(allocator, capacity, &next) != TRN_RESULT_OK) {
            return TRN_RESULT_NO_MEMORY;
        }
        if (map->old.capacity) {
            coord_map_move(map, allocator, UINT64_MAX);
        }
        coord_map_give(allocator, &map->next);
        at = 0;
    }
    map->key = map->key ? map->key : trn_entropy_key();
    map->next = next;
    map->at = at;
    coord_map_clear(map, UINT64_MAX);
    coord_map_switch(map);
    if (map->old.capacity <= COORD_MAP_SMALL) {
        coord_map_move(map, allocator, UINT64_MAX);
    }
    return TRN_RESULT_OK;
}

/// What each entry does for growth.
static void coord_map_step(TrnCoordMap *map, const TrnAllocator *allocator, uint32_t more)
{
    const uint64_t slots = (uint64_t)COORD_MAP_STEP * more;
    if (map->old.capacity) {
        coord_map_move(map, allocator, slots);
    } else if (map->next.capacity) {
        coord_map_clear(map, slots);
    } else if (map->table.capacity > COORD_MAP_SMALL &&
               (uint64_t)map->count * 8 >= (uint64_t)map->table.capacity * 3 &&
               map->count % COORD_MAP_TRIES == 0) {
        // Without memory now, it is allocated later.
        (void)coord_map_take(allocator, (uint64_t)map->table.capacity * 2, &map->next);
        map->at = 0;
    }
}

TrnResult trn_coord_map_reserve(TrnCoordMap *map, const TrnAllocator *allocator, uint32_t more)
{
    const uint64_t wanted = (uint64_t)map->count + more;
    uint64_t capacity = map->table.capacity ? map->table.capacity : COORD_MAP_CAPACITY_FIRST;
    while (capacity * 3 < wanted * 4) {
        capacity *= 2;
    }
    if (more == 0) {
        return TRN_RESULT_OK;
    }
    coord_map_step(map, allocator, more);
    return capacity == map->table.capacity ? TRN_RESULT_OK
                                           : coord_map_grow(map, allocator, capacity);
}

// ---- entries -----------------------------------------------------------------------------------

TrnCoordEntry *trn_coord_map_find(const TrnCoordMap *map, TrnCoord coord)
{
    if (map->count == 0) {
        return NULL;
    }
    TrnCoordEntry *entry = coord_map_find_in(&map->table, map->key, coord);
    return entry ? entry : coord_map_find_in(&map->old, map->key, coord);
}

TrnCoordEntry *trn_coord_map_add(TrnCoordMap *map, TrnCoord coord)
{
    TRN_ASSERT((uint64_t)map->table.capacity * 3 >= ((uint64_t)map->count + 1) * 4); // reserved
    TrnCoordEntry *entry = coord_map_slot(&map->table, map->key, coord);
    TRN_ASSERT(!entry->is_used); // not in the map yet
    *entry = (TrnCoordEntry){.coord = coord, .is_used = 1};
    map->count++;
    return entry;
}

void trn_coord_map_remove(TrnCoordMap *map, TrnCoordEntry *entry)
{
    // Backward-shift deletion: an entry behind the gap moves into it unless the gap lies before the
    // slot that the entry hashes to.
    const bool is_old =
        map->old.capacity && entry >= map->old.slots && entry < map->old.slots + map->old.capacity;
    const TrnCoordTable *table = is_old ? &map->old : &map->table;
    const uint32_t mask = table->capacity - 1;
    uint32_t gap = (uint32_t)(entry - table->slots);
    TRN_ASSERT(gap < table->capacity && entry->is_used);
    for (uint32_t at = (gap + 1) & mask; table->slots[at].is_used; at = (at + 1) & mask) {
        const uint32_t home = trn_coord_hash(table->slots[at].coord, map->key) & mask;
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            table->slots[gap] = table->slots[at];
            gap = at;
        }
    }
    table->slots[gap] = (TrnCoordEntry){0};
    map->count--;
}

TrnCoordEntry *trn_coord_map_next(const TrnCoordMap *map, uint64_t *at)
{
    const uint64_t end = (uint64_t)map->table.capacity + map->old.capacity;
    while (*at < end) {
        const uint64_t slot = (*at)++;
        TrnCoordEntry *entry = slot < map->table.capacity
                                   ? &map->table.slots[slot]
                                   : &map->old.slots[slot - map->table.capacity];
        if (entry->is_used) {
            return entry;
        }
    }
    return NULL;
}

void trn_coord_map_trim(TrnCoordMap *map, const TrnAllocator *allocator)
{
    if (map->count == 0) {
        trn_coord_map_free(map, allocator);
    }
}

void trn_coord_map_free(TrnCoordMap *map, const TrnAllocator *allocator)
{
    coord_map_give(allocator, &map->table);
    coord_map_give(allocator, &map->old);
    coord_map_give(allocator, &map->next);
    *map = (TrnCoordMap){.key = map->key};
}

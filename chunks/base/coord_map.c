#include "base/coord_map.h"

#include <stdalign.h>
#include <string.h>

#include "base/entropy.h"
#include "base/memory.h"

#define COORD_MAP_CAPACITY_FIRST 8
#define COORD_MAP_CAPACITY_MAX (UINT32_C(1) << 31)

/// The slot of a coordinate, or the vacant one where it would go. The map has memory.
static TrnCoordEntry *coord_map_slot(const TrnCoordMap *map, TrnCoord coord)
{
    const uint32_t mask = map->capacity - 1;
    uint32_t slot = trn_coord_hash(coord, map->key) & mask;
    while (map->slots[slot].is_used && !trn_coord_equal(map->slots[slot].coord, coord)) {
        slot = (slot + 1) & mask;
    }
    return &map->slots[slot];
}

/// Moves all entries into a table of another capacity.
static TrnResult coord_map_rehash(TrnCoordMap *map, const TrnAllocator *allocator,
                                  uint32_t capacity)
{
    size_t bytes;
    if (__builtin_mul_overflow(capacity, sizeof *map->slots, &bytes)) {
        return TRN_RESULT_NO_MEMORY;
    }
    TrnCoordMap wide = {
        .capacity = capacity, .count = map->count, .key = map->key ? map->key : trn_entropy_key()};
    wide.slots = trn_take(allocator, bytes, alignof(TrnCoordEntry));
    if (!wide.slots) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(wide.slots, 0, bytes);
    for (uint32_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].is_used) {
            *coord_map_slot(&wide, map->slots[i].coord) = map->slots[i];
        }
    }
    trn_give(allocator, map->slots, trn_coord_map_bytes(map));
    *map = wide;
    return TRN_RESULT_OK;
}

TrnResult trn_coord_map_reserve(TrnCoordMap *map, const TrnAllocator *allocator, uint32_t more)
{
    const uint64_t wanted = (uint64_t)map->count + more;
    uint64_t capacity = map->capacity ? map->capacity : COORD_MAP_CAPACITY_FIRST;
    while (capacity * 3 < wanted * 4) {
        capacity *= 2;
    }
    if (more == 0 || capacity == map->capacity) {
        return TRN_RESULT_OK;
    }
    return capacity <= COORD_MAP_CAPACITY_MAX ? coord_map_rehash(map, allocator, (uint32_t)capacity)
                                              : TRN_RESULT_NO_MEMORY;
}

TrnCoordEntry *trn_coord_map_find(const TrnCoordMap *map, TrnCoord coord)
{
    TrnCoordEntry *entry = map->count ? coord_map_slot(map, coord) : NULL;
    return entry && entry->is_used ? entry : NULL;
}

TrnCoordEntry *trn_coord_map_add(TrnCoordMap *map, TrnCoord coord)
{
    TRN_ASSERT((uint64_t)map->capacity * 3 >= ((uint64_t)map->count + 1) * 4); // reserved
    TrnCoordEntry *entry = coord_map_slot(map, coord);
    TRN_ASSERT(!entry->is_used); // not in the map yet
    *entry = (TrnCoordEntry){.coord = coord, .is_used = 1};
    map->count++;
    return entry;
}

void trn_coord_map_remove(TrnCoordMap *map, TrnCoordEntry *entry)
{
    // Backward-shift deletion: an entry behind the gap moves into it unless the gap lies before the
    // slot that the entry hashes to.
    const uint32_t mask = map->capacity - 1;
    uint32_t gap = (uint32_t)(entry - map->slots);
    TRN_ASSERT(gap < map->capacity && entry->is_used);
    for (uint32_t at = (gap + 1) & mask; map->slots[at].is_used; at = (at + 1) & mask) {
        const uint32_t home = trn_coord_hash(map->slots[at].coord, map->key) & mask;
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            map->slots[gap] = map->slots[at];
            gap = at;
        }
    }
    map->slots[gap] = (TrnCoordEntry){0};
    map->count--;
}

void trn_coord_map_trim(TrnCoordMap *map, const TrnAllocator *allocator)
{
    if (map->count == 0) {
        trn_coord_map_free(map, allocator);
    }
}

void trn_coord_map_free(TrnCoordMap *map, const TrnAllocator *allocator)
{
    trn_give(allocator, map->slots, trn_coord_map_bytes(map));
    *map = (TrnCoordMap){.key = map->key};
}

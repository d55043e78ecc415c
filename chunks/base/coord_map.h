/// Private: a map from coordinates to pointers or numbers.
///
/// Open addressing with linear probing, at most three quarters full. Removal closes the gap, so
/// there are no tombstones and look-ups stay short however often entries come and go. A large map
/// grows in steps: half full, it allocates the next table, and clears some of its slots for each
/// entry; full, it moves some entries for each new one, and looks in both tables until all are
/// moved. All zeroes is an empty map without memory. For one thread at a time.
#ifndef TERRANE_BASE_COORD_MAP_H
#define TERRANE_BASE_COORD_MAP_H

#include <terrane/base.h>
#include <terrane/coord.h>

#include "base/hash.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An entry of a map. The caller chooses one of the two values and may change it in place.
typedef struct TrnCoordEntry {
    TrnCoord coord;
    uint32_t is_used; ///< 0 in a vacant slot, which the caller never sees
    union {
        void *pointer;
        uint64_t number;
    };
} TrnCoordEntry;

/// A table of a map. All zeroes is none.
typedef struct TrnCoordTable {
    TrnCoordEntry *slots; ///< [capacity]
    uint32_t capacity;    ///< 0 or a power of two
} TrnCoordTable;

typedef struct TrnCoordMap {
    TrnCoordTable table; ///< new entries go here
    TrnCoordTable old;   ///< until its entries have moved to `table`
    TrnCoordTable next;  ///< until it is needed: its first `at` slots are clear
    uint32_t at;         ///< in `old` or `next`, of which there is at most one
    uint32_t left;       ///< slots of `old` still to move
    uint32_t count;      ///< entries in the map
    /// Of trn_coord_hash(). If it is 0 when the map first takes memory, the map draws one from the
    /// system, so that no file or player can choose coordinates that collide. Set it only to repeat
    /// the order of the slots.
    uint64_t key;
} TrnCoordMap;

/// Ensures that the next `more` calls of trn_coord_map_add() succeed. Removals keep that promise.
/// Growth moves entries. O(more).
/// Errors: NO_MEMORY; the map is unchanged.
TrnResult trn_coord_map_reserve(TrnCoordMap *map, const TrnAllocator *allocator, uint32_t more);

/// The entry of a coordinate, or NULL. Valid until the next reserve, add or remove.
TrnCoordEntry *trn_coord_map_find(const TrnCoordMap *map, TrnCoord coord);

/// Adds an entry, with a value of 0, for a coordinate that is not in the map. Cannot fail: the
/// caller has reserved capacity. Does not move other entries.
TrnCoordEntry *trn_coord_map_add(TrnCoordMap *map, TrnCoord coord);

/// Removes an entry of the map. Moves others; keeps the memory, and so what was reserved.
void trn_coord_map_remove(TrnCoordMap *map, TrnCoordEntry *entry);

/// The next entry, in no particular order, or NULL.
/// @param at  0 at first; valid until the next reserve, add or remove
TrnCoordEntry *trn_coord_map_next(const TrnCoordMap *map, uint64_t *at);

/// Frees the memory of a map without entries; otherwise does nothing. Undoes reserve.
void trn_coord_map_trim(TrnCoordMap *map, const TrnAllocator *allocator);

/// Removes all entries and frees the memory. The key stays.
void trn_coord_map_free(TrnCoordMap *map, const TrnAllocator *allocator);

/// Bytes that a map has allocated.
static inline size_t trn_coord_map_bytes(const TrnCoordMap *map)
{
    return ((size_t)map->table.capacity + map->old.capacity + map->next.capacity) *
           sizeof *map->table.slots;
}

#ifdef __cplusplus
}
#endif
#endif

// uthash, a hash table in C with a list of entries per bucket. This contender allocates each entry
// with malloc; a game could save that by putting the UT_hash_handle into its chunk struct.

#include <stdlib.h>

/// If memory runs out, uthash calls uthash_nonfatal_oom instead of ending the program.
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ((entry)->is_lost = true)
#include <uthash.h>

#include "builtin.h"
#include "chunk_list.h"
#include "frustum.h"
#include "refusal.h"

typedef struct UthashEntry {
    TrnCoord coord; // the key: three int32, no padding
    bool is_lost;   // inserting the entry ran out of memory
    const ContenderChunk *chunk;
    UT_hash_handle hh;
} UthashEntry;

typedef struct UthashMap {
    UthashEntry *entries;
    Refusal refusal;
} UthashMap;

static void uthash_map_destroy(void *self)
{
    UthashMap *map = self;
    UthashEntry *entry = map->entries;
    // HASH_CLEAR frees only the table. The entries stay linked.
    HASH_CLEAR(hh, map->entries);
    while (entry) {
        UthashEntry *next = entry->hh.next;
        free(entry);
        entry = next;
    }
    free(map);
}

static bool uthash_map_insert_one(UthashMap *map, const ContenderEntry *entry)
{
    UthashEntry *made = malloc(sizeof *made);
    if (made) {
        made->coord = entry->coord;
        made->chunk = entry->chunk;
        made->is_lost = false;
        HASH_ADD(hh, map->entries, coord, sizeof made->coord, made);
        if (!made->is_lost) {
            return true;
        }
    }
    free(made);
    map->refusal.reason = REFUSAL_NO_MEMORY;
    return false;
}

static inline UthashEntry *uthash_map_entry(const UthashMap *map, TrnCoord coord)
{
    UthashEntry *entry;
    HASH_FIND(hh, map->entries, &coord, sizeof coord, entry);
    return entry;
}

static void uthash_map_remove(void *self, const TrnCoord *coords, size_t count)
{
    UthashMap *map = self;
    for (size_t i = 0; i < count; i++) {
        UthashEntry *entry = uthash_map_entry(map, coords[i]);
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the entry and the table exist
        HASH_DELETE(hh, map->entries, entry);
        free(entry);
    }
}

static inline const ContenderChunk *uthash_map_find_one(const void *self, TrnCoord coord)
{
    const UthashEntry *entry = uthash_map_entry(self, coord);
    return entry ? entry->chunk : NULL;
}

static size_t uthash_map_gather_all(void *self, void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    const UthashMap *map = self;
    for (const UthashEntry *entry = map->entries; entry; entry = entry->hh.next) {
        chunk_list_append(&list, entry->chunk);
    }
    return list.count;
}

/// Iterates over the list of all entries, in order of insertion.
static size_t uthash_map_gather_box(const UthashMap *map, TrnBox box, const FrustumTest *frustum,
                                    void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    for (const UthashEntry *entry = map->entries; entry; entry = entry->hh.next) {
        if (trn_box_contains(box, entry->coord) &&
            (!frustum || frustum_reaches(frustum, entry->coord))) {
            chunk_list_append(&list, entry->chunk);
        }
    }
    return list.count;
}

#define CONTENDER(function) uthash_map_##function
#define CONTENDER_STRUCT UthashMap
#define CONTENDER_OWN_GATHER_ALL
#define CONTENDER_PROBES
#include "contender_body.h"

const Contender contender_uthash = CONTENDER_TABLE("uthash", probe);
const Contender contender_uthash_filtered = CONTENDER_TABLE("uthash, filtered", gather);

// uthash, the hash of C programs: a list of entries per bucket, each entry from malloc. The handle
// would lie in the chunk's own struct if that were ours.

#include <stdlib.h>

/// uthash_nonfatal_oom reports a lack of memory instead of ending the program.
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ((entry)->is_lost = true)
#include <uthash.h>

#include "builtin.h"
#include "find_loops.h"
#include "refusal.h"

typedef struct UthashEntry {
    TrnCoord coord; // the key: three int32, no padding
    bool is_lost;   // there was no memory to put it in
    const ContenderChunk *chunk;
    UT_hash_handle hh;
} UthashEntry;

typedef struct UthashMap {
    UthashEntry *entries;
    Refusal refusal;
} UthashMap;

static void *uthash_map_create(const ContenderWorld *world)
{
    (void)world;
    return calloc(1, sizeof(UthashMap));
}

static void uthash_map_destroy(void *self)
{
    UthashMap *map = self;
    UthashEntry *entry = map->entries;
    // HASH_CLEAR frees the table alone, and leaves the entries linked as they are.
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

static size_t uthash_map_insert(void *self, const ContenderEntry *entries, size_t count)
{
    size_t taken = 0;
    while (taken < count && uthash_map_insert_one(self, &entries[taken])) {
        taken++;
    }
    return taken;
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
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it is there, and so is the table
        HASH_DELETE(hh, map->entries, entry);
        free(entry);
    }
}

static inline const ContenderChunk *uthash_map_find_one(const void *self, TrnCoord coord)
{
    const UthashEntry *entry = uthash_map_entry(self, coord);
    return entry ? entry->chunk : NULL;
}

static void uthash_map_find(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    find_each(self, uthash_map_find_one, coords, count, out);
}

static size_t uthash_map_gather(void *self, TrnBox box, void *out, size_t capacity)
{
    return find_in_box(self, uthash_map_find_one, box, NULL, out, capacity);
}

static size_t uthash_map_gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum,
                                        void *out, size_t capacity)
{
    const FrustumTest test = frustum_test(frustum);
    return find_in_box(self, uthash_map_find_one, box, &test, out, capacity);
}

static size_t uthash_map_gather_all(void *self, void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    const UthashMap *map = self;
    for (const UthashEntry *entry = map->entries; entry; entry = entry->hh.next) {
        append_chunk(&list, entry->chunk);
    }
    return list.count;
}

static void uthash_map_neighbours(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    find_neighbours_of_each(self, uthash_map_find_one, coords, count, out);
}

static size_t uthash_map_gather_ready(void *self, const ContenderChunk *const *chunks, size_t count,
                                      void *out, size_t capacity)
{
    return find_ready(self, uthash_map_find_one, chunks, count, out, capacity);
}

static void uthash_map_explain(const void *self, char *text, size_t size)
{
    refusal_explain(&((const UthashMap *)self)->refusal, text, size);
}

const Contender contender_uthash = {
    .version = TERRANE_CONTENDER_VERSION,
    .name = "uthash",
    .answers = CONTENDER_POINTERS,
    .create = uthash_map_create,
    .destroy = uthash_map_destroy,
    .insert = uthash_map_insert,
    .remove = uthash_map_remove,
    .find = uthash_map_find,
    .gather = uthash_map_gather,
    .gather_all = uthash_map_gather_all,
    .gather_frustum = uthash_map_gather_frustum,
    .neighbours = uthash_map_neighbours,
    .gather_ready = uthash_map_gather_ready,
    .explain = uthash_map_explain,
};

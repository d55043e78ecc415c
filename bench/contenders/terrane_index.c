// Three contenders that use Terrane's chunk index, with chunk numbers as values. One answers with
// the numbers. The other two answer with addresses of chunks: one computes them from a reserved
// range, one reads them from a pool's table of blocks, as trn_store_create(NULL, ...) does.
// "Visible" and "ready" are bit planes.

#include "builtin.h"
#include "pool/pool_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum { PLANE_VISIBLE = 1, PLANE_READY = 2 };

/// How many chunks are found before their addresses are computed.
enum { FOUND_AT_ONCE = 256 };

typedef struct TerraneIndex {
    TrnChunkIndex *index;
    const ContenderWorld *world;
    const TrnPool *pool; ///< pool of the slots that gathers return; NULL: they return numbers
    TrnResult refused;
} TerraneIndex;

static TerraneIndex *terrane_index_create(const ContenderWorld *world, const TrnPool *pool)
{
    static const TrnPlaneDef planes[] = {{"visible", false}, {"ready", false}};
    TerraneIndex *self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = planes;
    def.plane_count = 2;
    def.page_max = UINT32_C(1) << 24; // enough for 2^24 scattered chunks with a page each
    self->world = world;
    self->pool = pool;
    if (trn_chunk_index_create(&def, &self->index) != TRN_RESULT_OK) {
        free(self);
        return NULL;
    }
    return self;
}

static void *terrane_pointers_create(const ContenderWorld *world)
{
    return terrane_index_create(world, world->pool);
}

static void *terrane_block_table_create(const ContenderWorld *world)
{
    return terrane_index_create(world, world->block_pool);
}

static void *terrane_numbers_create(const ContenderWorld *world)
{
    return terrane_index_create(world, NULL);
}

static void terrane_index_destroy(void *self)
{
    trn_chunk_index_destroy(((TerraneIndex *)self)->index);
    free(self);
}

static size_t terrane_index_insert(void *self, const ContenderEntry *entries, size_t count)
{
    TerraneIndex *terrane = self;
    size_t taken = 0;
    for (; taken < count; taken++) {
        terrane->refused =
            trn_chunk_index_insert(terrane->index, entries[taken].coord, entries[taken].number);
        if (terrane->refused != TRN_RESULT_OK) {
            break;
        }
    }
    return taken;
}

static void terrane_index_remove(void *self, const TrnCoord *coords, size_t count)
{
    TrnChunkIndex *index = ((TerraneIndex *)self)->index;
    for (size_t i = 0; i < count; i++) {
        trn_chunk_index_remove(index, coords[i], NULL);
    }
}

static void terrane_index_set_visible(void *self, const TrnCoord *coords, size_t count,
                                      bool is_visible)
{
    TrnChunkIndex *index = ((TerraneIndex *)self)->index;
    for (size_t i = 0; i < count; i++) {
        trn_chunk_index_plane_set(index, PLANE_VISIBLE, coords[i], is_visible);
    }
}

static void terrane_index_explain(const void *self, char *text, size_t size)
{
    snprintf(text, size, "%s", trn_result_text(((const TerraneIndex *)self)->refused));
}

// ---- gathers -----------------------------------------------------------------------------------

static size_t terrane_gather_wanted(const TerraneIndex *terrane, TrnChunkGather *wanted, void *out,
                                    size_t capacity)
{
    if (terrane->pool) {
        wanted->pointers = out;
        wanted->pool = terrane->pool;
    } else {
        wanted->values = out;
    }
    wanted->capacity = capacity;
    return trn_chunk_index_gather(terrane->index, wanted);
}

static size_t terrane_index_gather(void *self, TrnBox box, void *out, size_t capacity)
{
    TrnChunkGather wanted = {.box = box};
    return terrane_gather_wanted(self, &wanted, out, capacity);
}

static size_t terrane_index_gather_all(void *self, void *out, size_t capacity)
{
    return terrane_index_gather(self, trn_box_everything(), out, capacity);
}

static size_t terrane_index_gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum,
                                           void *out, size_t capacity)
{
    TrnChunkGather wanted = {.box = box, .frustum = frustum};
    return terrane_gather_wanted(self, &wanted, out, capacity);
}

static size_t terrane_index_gather_visible(void *self, TrnBox box, void *out, size_t capacity)
{
    TrnChunkGather wanted = {.box = box, .planes.all = TRN_PLANE_BIT(PLANE_VISIBLE)};
    return terrane_gather_wanted(self, &wanted, out, capacity);
}

static size_t terrane_index_gather_ready(void *self, const ContenderChunk *const *chunks,
                                         size_t count, void *out, size_t capacity)
{
    (void)chunks;
    (void)count;
    const TerraneIndex *terrane = self;
    const TrnPlaneQuery ready = {.all = TRN_PLANE_BIT(TRN_PLANE_PRESENT),
                                 .all_faces = TRN_PLANE_BIT(TRN_PLANE_PRESENT)};
    trn_chunk_index_plane_compute(terrane->index, PLANE_READY, &ready);
    TrnChunkGather wanted = {.box = trn_box_everything(), .planes.all = TRN_PLANE_BIT(PLANE_READY)};
    return terrane_gather_wanted(terrane, &wanted, out, capacity);
}

// ---- pointers ----------------------------------------------------------------------------------

/// @param by_block_table  true: reads the address from the pool's table of blocks; false: computes
/// it by one multiplication
static inline const ContenderChunk *terrane_chunk(const TerraneIndex *terrane, uint32_t number,
                                                  bool by_block_table)
{
    return number == TRN_CHUNK_VALUE_NONE ? NULL
           : by_block_table               ? trn_pool_slot(terrane->pool, number)
                                          : &terrane->world->chunks[number];
}

static inline void terrane_find_pointers(const TerraneIndex *terrane, const TrnCoord *coords,
                                         size_t count, void *out, bool by_block_table)
{
    const ContenderChunk **chunks = out;
    uint32_t numbers[FOUND_AT_ONCE];
    for (size_t at = 0; at < count; at += FOUND_AT_ONCE) {
        const size_t part = count - at < FOUND_AT_ONCE ? count - at : FOUND_AT_ONCE;
        trn_chunk_index_find_many(terrane->index, coords + at, part, numbers);
        for (size_t i = 0; i < part; i++) {
            chunks[at + i] = terrane_chunk(terrane, numbers[i], by_block_table);
        }
    }
}

static inline void terrane_find_neighbours(const TerraneIndex *terrane, const TrnCoord *coords,
                                           size_t count, void *out, bool by_block_table)
{
    const ContenderChunk **chunks = out;
    for (size_t i = 0; i < count; i++) {
        uint32_t numbers[TRN_FACE_COUNT];
        trn_chunk_index_neighbours(terrane->index, coords[i], numbers);
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            *chunks++ = terrane_chunk(terrane, numbers[face], by_block_table);
        }
    }
}

static void terrane_pointers_find(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    terrane_find_pointers(self, coords, count, out, false);
}

static void terrane_pointers_neighbours(const void *self, const TrnCoord *coords, size_t count,
                                        void *out)
{
    terrane_find_neighbours(self, coords, count, out, false);
}

static void terrane_block_table_find(const void *self, const TrnCoord *coords, size_t count,
                                     void *out)
{
    terrane_find_pointers(self, coords, count, out, true);
}

static void terrane_block_table_neighbours(const void *self, const TrnCoord *coords, size_t count,
                                           void *out)
{
    terrane_find_neighbours(self, coords, count, out, true);
}

// ---- numbers -----------------------------------------------------------------------------------

static void terrane_numbers_find(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    const TrnChunkIndex *index = ((const TerraneIndex *)self)->index;
    uint32_t *numbers = out;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = CONTENDER_NUMBER_NONE;
        trn_chunk_index_find(index, coords[i], &numbers[i]);
    }
}

static void terrane_numbers_neighbours(const void *self, const TrnCoord *coords, size_t count,
                                       void *out)
{
    const TrnChunkIndex *index = ((const TerraneIndex *)self)->index;
    uint32_t *numbers = out;
    for (size_t i = 0; i < count; i++) {
        trn_chunk_index_neighbours(index, coords[i], numbers + i * TRN_FACE_COUNT);
    }
}

#define TERRANE_TABLE(label, kind, variant)                                                        \
    {                                                                                              \
        .version = TERRANE_CONTENDER_VERSION, .name = (label), .answers = (kind),                  \
        .create = terrane_##variant##_create, .destroy = terrane_index_destroy,                    \
        .insert = terrane_index_insert, .remove = terrane_index_remove,                            \
        .find = terrane_##variant##_find, .gather = terrane_index_gather,                          \
        .gather_all = terrane_index_gather_all, .gather_frustum = terrane_index_gather_frustum,    \
        .set_visible = terrane_index_set_visible, .gather_visible = terrane_index_gather_visible,  \
        .neighbours = terrane_##variant##_neighbours, .gather_ready = terrane_index_gather_ready,  \
        .explain = terrane_index_explain,                                                          \
    }

const Contender contender_terrane_pointers =
    TERRANE_TABLE("Terrane index, pointers", CONTENDER_POINTERS, pointers);

const Contender contender_terrane_block_table =
    TERRANE_TABLE("Terrane index, pointers by block table", CONTENDER_POINTERS, block_table);

const Contender contender_terrane_numbers =
    TERRANE_TABLE("Terrane index, numbers", CONTENDER_NUMBERS, numbers);

// Terrane's chunk index, whose values are chunk numbers: as three contenders. One answers with the
// numbers, two with the chunks' addresses: computed from a reserved range, and read from a pool's
// table of blocks, as in a store made by trn_store_create(NULL, ...). "Visible" and "ready" are bit
// planes.

#include "builtin.h"
#include "index/pool_internal.h"

#include <stdio.h>
#include <stdlib.h>

enum { PLANE_VISIBLE = 1, PLANE_READY = 2 };

typedef struct TerraneIndex {
    TrnChunkIndex *index;
    const ContenderWorld *world;
    const TrnPool *pool; ///< where addresses come from
    TrnResult refused;
} TerraneIndex;

static void *terrane_index_create(const ContenderWorld *world)
{
    static const TrnPlaneDef planes[] = {{"visible", false}, {"ready", false}};
    TerraneIndex *self = calloc(1, sizeof *self);
    if (!self) {
        return NULL;
    }
    TrnChunkIndexDef def = trn_chunk_index_def();
    def.planes = planes;
    def.plane_count = 2;
    def.page_max = UINT32_C(1) << 24; // a page for each of as many scattered chunks
    self->world = world;
    self->pool = world->pool;
    if (trn_chunk_index_create(&def, &self->index) != TRN_RESULT_OK) {
        free(self);
        return NULL;
    }
    return self;
}

static void *terrane_block_table_create(const ContenderWorld *world)
{
    TerraneIndex *self = terrane_index_create(world);
    if (self) {
        self->pool = world->block_pool;
    }
    return self;
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

/// Computes the plane "ready" again.
static void terrane_index_compute_ready(TrnChunkIndex *index)
{
    const TrnPlaneQuery query = {.all = TRN_PLANE_BIT(TRN_PLANE_PRESENT),
                                 .all_faces = TRN_PLANE_BIT(TRN_PLANE_PRESENT)};
    trn_chunk_index_plane_compute(index, PLANE_READY, &query);
}

static void terrane_index_explain(const void *self, char *text, size_t size)
{
    snprintf(text, size, "%s", trn_result_text(((const TerraneIndex *)self)->refused));
}

// ---- pointers ----------------------------------------------------------------------------------

static size_t gather_terrane_pointers(const TerraneIndex *terrane, TrnChunkGather *wanted,
                                      void *out, size_t capacity)
{
    wanted->pointers = out;
    wanted->pool = terrane->pool;
    wanted->capacity = capacity;
    return trn_chunk_index_gather(terrane->index, wanted);
}

/// @param by_block_table  whether the pool's table of blocks gives the address, or one
/// multiplication
static inline const ContenderChunk *terrane_chunk(const TerraneIndex *terrane, uint32_t number,
                                                  bool by_block_table)
{
    return number == TRN_CHUNK_VALUE_NONE ? NULL
           : by_block_table               ? trn_pool_slot(terrane->pool, number)
                                          : &terrane->world->chunks[number];
}

static inline void find_terrane_pointers(const TerraneIndex *terrane, const TrnCoord *coords,
                                         size_t count, void *out, bool by_block_table)
{
    const ContenderChunk **chunks = out;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = TRN_CHUNK_VALUE_NONE;
        trn_chunk_index_find(terrane->index, coords[i], &number);
        chunks[i] = terrane_chunk(terrane, number, by_block_table);
    }
}

static inline void find_terrane_neighbours(const TerraneIndex *terrane, const TrnCoord *coords,
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
    find_terrane_pointers(self, coords, count, out, false);
}

static void terrane_pointers_neighbours(const void *self, const TrnCoord *coords, size_t count,
                                        void *out)
{
    find_terrane_neighbours(self, coords, count, out, false);
}

static size_t terrane_pointers_gather(void *self, TrnBox box, void *out, size_t capacity)
{
    TrnChunkGather wanted = {.box = box};
    return gather_terrane_pointers(self, &wanted, out, capacity);
}

static size_t terrane_pointers_gather_all(void *self, void *out, size_t capacity)
{
    return terrane_pointers_gather(self, trn_box_everything(), out, capacity);
}

static size_t terrane_pointers_gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum,
                                              void *out, size_t capacity)
{
    TrnChunkGather wanted = {.box = box, .frustum = frustum};
    return gather_terrane_pointers(self, &wanted, out, capacity);
}

static size_t terrane_pointers_gather_visible(void *self, TrnBox box, void *out, size_t capacity)
{
    TrnChunkGather wanted = {.box = box, .planes.all = TRN_PLANE_BIT(PLANE_VISIBLE)};
    return gather_terrane_pointers(self, &wanted, out, capacity);
}

static size_t terrane_pointers_gather_ready(void *self, const ContenderChunk *const *chunks,
                                            size_t count, void *out, size_t capacity)
{
    (void)chunks;
    (void)count;
    const TerraneIndex *terrane = self;
    terrane_index_compute_ready(terrane->index);
    TrnChunkGather wanted = {.box = trn_box_everything(), .planes.all = TRN_PLANE_BIT(PLANE_READY)};
    return gather_terrane_pointers(terrane, &wanted, out, capacity);
}

const Contender contender_terrane_pointers = {
    .version = TERRANE_CONTENDER_VERSION,
    .name = "Terrane index, pointers",
    .answers = CONTENDER_POINTERS,
    .create = terrane_index_create,
    .destroy = terrane_index_destroy,
    .insert = terrane_index_insert,
    .remove = terrane_index_remove,
    .find = terrane_pointers_find,
    .gather = terrane_pointers_gather,
    .gather_all = terrane_pointers_gather_all,
    .gather_frustum = terrane_pointers_gather_frustum,
    .set_visible = terrane_index_set_visible,
    .gather_visible = terrane_pointers_gather_visible,
    .neighbours = terrane_pointers_neighbours,
    .gather_ready = terrane_pointers_gather_ready,
    .explain = terrane_index_explain,
};

// ---- pointers from a table of blocks -----------------------------------------------------------

static void terrane_block_table_find(const void *self, const TrnCoord *coords, size_t count,
                                     void *out)
{
    find_terrane_pointers(self, coords, count, out, true);
}

static void terrane_block_table_neighbours(const void *self, const TrnCoord *coords, size_t count,
                                           void *out)
{
    find_terrane_neighbours(self, coords, count, out, true);
}

const Contender contender_terrane_block_table = {
    .version = TERRANE_CONTENDER_VERSION,
    .name = "Terrane index, pointers by block table",
    .answers = CONTENDER_POINTERS,
    .create = terrane_block_table_create,
    .destroy = terrane_index_destroy,
    .insert = terrane_index_insert,
    .remove = terrane_index_remove,
    .find = terrane_block_table_find,
    .gather = terrane_pointers_gather,
    .gather_all = terrane_pointers_gather_all,
    .gather_frustum = terrane_pointers_gather_frustum,
    .set_visible = terrane_index_set_visible,
    .gather_visible = terrane_pointers_gather_visible,
    .neighbours = terrane_block_table_neighbours,
    .gather_ready = terrane_pointers_gather_ready,
    .explain = terrane_index_explain,
};

// ---- numbers -----------------------------------------------------------------------------------

static size_t gather_terrane_numbers(const TerraneIndex *terrane, TrnChunkGather *wanted, void *out,
                                     size_t capacity)
{
    wanted->values = out;
    wanted->capacity = capacity;
    return trn_chunk_index_gather(terrane->index, wanted);
}

static void terrane_numbers_find(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    const TrnChunkIndex *index = ((const TerraneIndex *)self)->index;
    uint32_t *numbers = out;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = CONTENDER_NUMBER_NONE;
        trn_chunk_index_find(index, coords[i], &numbers[i]);
    }
}

static size_t terrane_numbers_gather(void *self, TrnBox box, void *out, size_t capacity)
{
    TrnChunkGather wanted = {.box = box};
    return gather_terrane_numbers(self, &wanted, out, capacity);
}

static size_t terrane_numbers_gather_all(void *self, void *out, size_t capacity)
{
    return terrane_numbers_gather(self, trn_box_everything(), out, capacity);
}

static size_t terrane_numbers_gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum,
                                             void *out, size_t capacity)
{
    TrnChunkGather wanted = {.box = box, .frustum = frustum};
    return gather_terrane_numbers(self, &wanted, out, capacity);
}

static size_t terrane_numbers_gather_visible(void *self, TrnBox box, void *out, size_t capacity)
{
    TrnChunkGather wanted = {.box = box, .planes.all = TRN_PLANE_BIT(PLANE_VISIBLE)};
    return gather_terrane_numbers(self, &wanted, out, capacity);
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

static size_t terrane_numbers_gather_ready(void *self, const ContenderChunk *const *chunks,
                                           size_t count, void *out, size_t capacity)
{
    (void)chunks;
    (void)count;
    const TerraneIndex *terrane = self;
    terrane_index_compute_ready(terrane->index);
    TrnChunkGather wanted = {.box = trn_box_everything(), .planes.all = TRN_PLANE_BIT(PLANE_READY)};
    return gather_terrane_numbers(terrane, &wanted, out, capacity);
}

const Contender contender_terrane_numbers = {
    .version = TERRANE_CONTENDER_VERSION,
    .name = "Terrane index, numbers",
    .answers = CONTENDER_NUMBERS,
    .create = terrane_index_create,
    .destroy = terrane_index_destroy,
    .insert = terrane_index_insert,
    .remove = terrane_index_remove,
    .find = terrane_numbers_find,
    .gather = terrane_numbers_gather,
    .gather_all = terrane_numbers_gather_all,
    .gather_frustum = terrane_numbers_gather_frustum,
    .set_visible = terrane_index_set_visible,
    .gather_visible = terrane_numbers_gather_visible,
    .neighbours = terrane_numbers_neighbours,
    .gather_ready = terrane_numbers_gather_ready,
    .explain = terrane_index_explain,
};

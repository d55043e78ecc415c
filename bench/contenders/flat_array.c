// Terrane's spatial array, an auto-expanding flat array of pointers, twice: a box looked up cell by
// cell, as most games that use an array do, and row by row.

#include "builtin.h"

#include <stdlib.h>

#include <terrane/spatial_array.h>

#include "extent.h"
#include "find_loops.h"
#include "refusal.h"

typedef struct FlatArray {
    TrnSpatialArray *cells; // of const ContenderChunk *
    Refusal refusal;
} FlatArray;

static void *flat_array_create(const ContenderWorld *world)
{
    (void)world;
    FlatArray *array = calloc(1, sizeof *array);
    if (!array) {
        return NULL;
    }
    TrnSpatialArrayDef def = trn_spatial_array_def(sizeof(const ContenderChunk *));
    def.bytes_max = ARRAY_BYTES_MAX;
    if (trn_spatial_array_create(&def, &array->cells) != TRN_RESULT_OK) {
        free(array);
        return NULL;
    }
    return array;
}

static void flat_array_destroy(void *self)
{
    FlatArray *array = self;
    trn_spatial_array_destroy(array->cells);
    free(array);
}

/// What the cells would take with one more coordinate inside.
static double flat_array_bytes_with(const TrnSpatialArray *cells, TrnCoord coord)
{
    const int64_t unit[3] = {coord.x, coord.y, coord.z};
    Extent extent;
    memcpy(extent.origin, cells->origin, sizeof extent.origin);
    memcpy(extent.size, cells->extent, sizeof extent.size);
    extent = extent_reach(extent, unit);
    return extent_units(&extent) * (double)sizeof(const ContenderChunk *);
}

static bool flat_array_insert_one(FlatArray *array, const ContenderEntry *entry)
{
    TrnResult result = trn_spatial_array_insert(array->cells, entry->coord, &entry->chunk);
    if (result == TRN_RESULT_OUT_OF_RANGE) {
        // A long walk leaves empty cells behind.
        if (trn_spatial_array_shrink(array->cells) == TRN_RESULT_OK) {
            result = trn_spatial_array_insert(array->cells, entry->coord, &entry->chunk);
        }
    }
    if (result == TRN_RESULT_OK) {
        return true;
    }
    array->refusal = refusal_of_bytes(flat_array_bytes_with(array->cells, entry->coord));
    return false;
}

static size_t flat_array_insert(void *self, const ContenderEntry *entries, size_t count)
{
    size_t taken = 0;
    while (taken < count && flat_array_insert_one(self, &entries[taken])) {
        taken++;
    }
    return taken;
}

static void flat_array_remove(void *self, const TrnCoord *coords, size_t count)
{
    TrnSpatialArray *cells = ((FlatArray *)self)->cells;
    for (size_t i = 0; i < count; i++) {
        trn_spatial_array_remove(cells, coords[i]);
    }
}

static inline const ContenderChunk *flat_array_find_one(const void *self, TrnCoord coord)
{
    return trn_spatial_array_pointer(((const FlatArray *)self)->cells, coord);
}

static void flat_array_find(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    find_each(self, flat_array_find_one, coords, count, out);
}

static size_t flat_array_gather_cells(void *self, TrnBox box, void *out, size_t capacity)
{
    return find_in_box(self, flat_array_find_one, box, NULL, out, capacity);
}

static size_t flat_array_gather_frustum_cells(void *self, TrnBox box, const TrnFrustum *frustum,
                                              void *out, size_t capacity)
{
    const FrustumTest test = frustum_test(frustum);
    return find_in_box(self, flat_array_find_one, box, &test, out, capacity);
}

static size_t flat_array_gather_rows(void *self, TrnBox box, void *out, size_t capacity)
{
    return trn_spatial_array_gather(((FlatArray *)self)->cells, box, out, capacity);
}

static size_t flat_array_gather_all(void *self, void *out, size_t capacity)
{
    return flat_array_gather_rows(self, trn_box_everything(), out, capacity);
}

/// Of each row only what reaches into the frustum is read.
static size_t flat_array_gather_frustum_rows(void *self, TrnBox box, const TrnFrustum *frustum,
                                             void *out, size_t capacity)
{
    const TrnSpatialArray *array = ((FlatArray *)self)->cells;
    const ContenderChunk *const *cells = (const ContenderChunk *const *)(const void *)array->cells;
    const FrustumTest test = frustum_test(frustum);
    ChunkList list = chunk_list(out, capacity);
    Extent extent;
    memcpy(extent.origin, array->origin, sizeof extent.origin);
    memcpy(extent.size, array->extent, sizeof extent.size);
    const int shift[3] = {0, 0, 0};
    int64_t low[3], high[3];
    if (!extent_clip(&extent, box, shift, low, high)) {
        return 0;
    }
    for (int64_t y = low[1]; y <= high[1]; y++) {
        for (int64_t z = low[2]; z <= high[2]; z++) {
            int64_t x = low[0], last = high[0];
            if (frustum_clip_row(&test, y, z, &x, &last)) {
                append_row(&list, cells + extent_at(&extent, x, y, z), (size_t)(last - x + 1));
            }
        }
    }
    return list.count;
}

/// The six cells around one that has a cell on each side.
static inline void flat_array_inner_neighbours(const ContenderChunk *const *cell, ptrdiff_t z_step,
                                               ptrdiff_t y_step, const ContenderChunk **out)
{
    out[TRN_FACE_NEG_X] = cell[-1];
    out[TRN_FACE_POS_X] = cell[1];
    out[TRN_FACE_NEG_Y] = cell[-y_step];
    out[TRN_FACE_POS_Y] = cell[y_step];
    out[TRN_FACE_NEG_Z] = cell[-z_step];
    out[TRN_FACE_POS_Z] = cell[z_step];
}

static inline bool flat_array_is_inner(const TrnSpatialArray *cells, TrnCoord coord)
{
    return extent_is_between(coord.x - cells->origin[0], cells->extent[0]) &&
           extent_is_between(coord.y - cells->origin[1], cells->extent[1]) &&
           extent_is_between(coord.z - cells->origin[2], cells->extent[2]);
}

static inline void flat_array_neighbours_of(const FlatArray *array, TrnCoord coord,
                                            const ContenderChunk **out)
{
    const TrnSpatialArray *cells = array->cells;
    if (flat_array_is_inner(cells, coord)) {
        const ptrdiff_t z_step = (ptrdiff_t)cells->extent[0];
        const ptrdiff_t y_step = z_step * (ptrdiff_t)cells->extent[2];
        flat_array_inner_neighbours(trn_spatial_array_cell(cells, coord), z_step, y_step, out);
    } else {
        find_neighbours_of_each(array, flat_array_find_one, &coord, 1, out);
    }
}

static void flat_array_neighbours(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    const ContenderChunk **chunks = out;
    for (size_t i = 0; i < count; i++) {
        flat_array_neighbours_of(self, coords[i], chunks + i * TRN_FACE_COUNT);
    }
}

static size_t flat_array_gather_ready(void *self, const ContenderChunk *const *chunks, size_t count,
                                      void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    for (size_t i = 0; i < count; i++) {
        const ContenderChunk *six[TRN_FACE_COUNT];
        flat_array_neighbours_of(self, chunks[i]->coord, six);
        // All are read anyway, so one branch decides.
        if ((six[0] != NULL) & (six[1] != NULL) & (six[2] != NULL) & (six[3] != NULL) &
            (six[4] != NULL) & (six[5] != NULL)) {
            append_chunk(&list, chunks[i]);
        }
    }
    return list.count;
}

static void flat_array_explain(const void *self, char *text, size_t size)
{
    refusal_explain(&((const FlatArray *)self)->refusal, text, size);
}

const Contender contender_flat_array_cells = {
    .version = TERRANE_CONTENDER_VERSION,
    .name = "flat array, per cell",
    .answers = CONTENDER_POINTERS,
    .create = flat_array_create,
    .destroy = flat_array_destroy,
    .insert = flat_array_insert,
    .remove = flat_array_remove,
    .find = flat_array_find,
    .gather = flat_array_gather_cells,
    .gather_all = flat_array_gather_all,
    .gather_frustum = flat_array_gather_frustum_cells,
    .neighbours = flat_array_neighbours,
    .gather_ready = flat_array_gather_ready,
    .explain = flat_array_explain,
};

const Contender contender_flat_array_rows = {
    .version = TERRANE_CONTENDER_VERSION,
    .name = "flat array, rows",
    .answers = CONTENDER_POINTERS,
    .create = flat_array_create,
    .destroy = flat_array_destroy,
    .insert = flat_array_insert,
    .remove = flat_array_remove,
    .find = flat_array_find,
    .gather = flat_array_gather_rows,
    .gather_all = flat_array_gather_all,
    .gather_frustum = flat_array_gather_frustum_rows,
    .neighbours = flat_array_neighbours,
    .gather_ready = flat_array_gather_ready,
    .explain = flat_array_explain,
};

// Two contenders that use Terrane's spatial array, a flat array of pointers that grows. One gathers
// a box cell by cell, as most games with an array do; the other reads whole rows.

#include "builtin.h"

#include <stdlib.h>

#include <terrane/spatial_array.h>

#include "chunk_list.h"
#include "extent.h"
#include "frustum.h"
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

/// How many bytes the array would take if it contained one more coordinate.
static double flat_array_bytes_with(const TrnSpatialArray *cells, TrnCoord coord)
{
    const int64_t unit[3] = {coord.x, coord.y, coord.z};
    const Extent extent = extent_reach(extent_of(cells), unit);
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

/// Gathers a box row by row. With a frustum, reads only the cells of each row that reach into it.
static size_t flat_array_gather_box(const FlatArray *self, TrnBox box, const FrustumTest *frustum,
                                    void *out, size_t capacity)
{
    const TrnSpatialArray *array = self->cells;
    if (!frustum) {
        return trn_spatial_array_gather(array, box, out, capacity);
    }
    const ContenderChunk *const *cells = (const ContenderChunk *const *)(const void *)array->cells;
    ChunkList list = chunk_list(out, capacity);
    const Extent extent = extent_of(array);
    const int shift[3] = {0, 0, 0};
    int64_t low[3], high[3];
    if (!extent_clip(&extent, box, shift, low, high)) {
        return 0;
    }
    for (int64_t y = low[1]; y <= high[1]; y++) {
        for (int64_t z = low[2]; z <= high[2]; z++) {
            int64_t x = low[0], last = high[0];
            if (frustum_clip_row(frustum, y, z, &x, &last)) {
                chunk_list_append_row(&list, cells + extent_at(&extent, x, y, z),
                                      (size_t)(last - x + 1));
            }
        }
    }
    return list.count;
}

/// The six neighbours of a cell that is not at the array's border.
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
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            out[face] = flat_array_find_one(array, trn_coord_neighbour(coord, (TrnFace)face));
        }
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
        // All six are read anyway, so one branch tests them together.
        if ((six[0] != NULL) & (six[1] != NULL) & (six[2] != NULL) & (six[3] != NULL) &
            (six[4] != NULL) & (six[5] != NULL)) {
            chunk_list_append(&list, chunks[i]);
        }
    }
    return list.count;
}

#define CONTENDER(function) flat_array_##function
#define CONTENDER_STRUCT FlatArray
#define CONTENDER_OWN_CREATE
#define CONTENDER_OWN_NEIGHBOURS
#define CONTENDER_OWN_READY
#define CONTENDER_PROBES
#include "contender_body.h"

const Contender contender_flat_array_cells = CONTENDER_TABLE("flat array, per cell", probe);

const Contender contender_flat_array_rows = CONTENDER_TABLE("flat array, rows", gather);

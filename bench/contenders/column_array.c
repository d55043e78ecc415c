// An array over x and z of columns: for worlds that are wide and few chunks high. Terrane's spatial
// array in two dimensions holds a column in each cell; a column of one chunk is that chunk, a
// higher one has a list of its chunks from the lowest to the highest.

#include "builtin.h"

#include <stdio.h>
#include <stdlib.h>

#include <terrane/spatial_array.h>

#include "extent.h"
#include "find_loops.h"

/// All zeroes: there is none. The lowest and the highest place are never empty.
typedef struct Column {
    union {
        const ContenderChunk *only;  // length 1
        const ContenderChunk **list; // [length], upwards
    } at;
    int32_t low;
    uint32_t length;
} Column;

typedef struct ColumnArray {
    TrnSpatialArray *columns;
    double refused_bytes; // what it would have taken; 0: there was no memory
} ColumnArray;

/// Columns are for worlds of one or few players: 4,096 x 2,048 of them, 65,536 chunks high.
#define COLUMNS_BYTES_MAX ((size_t)128 << 20)
#define COLUMN_LENGTH_MAX ((int64_t)1 << 16)

static inline TrnCoord column_place(TrnCoord coord)
{
    const TrnCoord place = {coord.x, 0, coord.z};
    return place;
}

static inline const Column *column_at(const ColumnArray *array, TrnCoord coord)
{
    return trn_spatial_array_cell(array->columns, column_place(coord));
}

/// The column's chunks, upwards.
static inline const ContenderChunk *const *column_chunks(const Column *column)
{
    return column->length == 1 ? &column->at.only : column->at.list;
}

static void *column_array_create(const ContenderWorld *world)
{
    (void)world;
    ColumnArray *array = calloc(1, sizeof *array);
    TrnSpatialArrayDef def = trn_spatial_array_def(sizeof(Column));
    def.dimensions = 2;
    def.bytes_max = COLUMNS_BYTES_MAX;
    if (array && trn_spatial_array_create(&def, &array->columns) != TRN_RESULT_OK) {
        free(array);
        return NULL;
    }
    return array;
}

static void column_array_destroy(void *self)
{
    ColumnArray *array = self;
    size_t cursor = 0;
    for (const Column *column; (column = trn_spatial_array_next(array->columns, &cursor, NULL));) {
        if (column->length > 1) {
            free((void *)column->at.list);
        }
    }
    trn_spatial_array_destroy(array->columns);
    free(array);
}

// ---- columns -----------------------------------------------------------------------------------

/// The next power of two: lists grow by doubling.
static size_t column_capacity(uint32_t length)
{
    size_t capacity = 2;
    while (capacity < length) {
        capacity *= 2;
    }
    return capacity;
}

/// A list of at least `length` with the column's chunks in it, or NULL when there is no memory.
static const ContenderChunk **column_list(const Column *column, uint32_t length)
{
    if (column->length > 1 && column_capacity(column->length) == column_capacity(length)) {
        return column->at.list;
    }
    const size_t bytes = column_capacity(length) * sizeof(const ContenderChunk *);
    const ContenderChunk **list =
        realloc(column->length > 1 ? (void *)column->at.list : NULL, bytes);
    if (list && column->length == 1) {
        list[0] = column->at.only;
    }
    return list;
}

/// Puts a chunk above, below or between those of a column. False when there is no memory.
static bool column_put(Column *column, int32_t y, const ContenderChunk *chunk)
{
    const int64_t low = y < column->low ? y : column->low;
    const int64_t end = (int64_t)column->low + column->length;
    const uint32_t length = (uint32_t)((y >= end ? (int64_t)y + 1 : end) - low);
    const uint32_t below = (uint32_t)(column->low - low);
    const ContenderChunk **list = column_list(column, length);
    if (!list) {
        return false;
    }
    memmove((void *)(list + below), (void *)list, column->length * sizeof(const ContenderChunk *));
    for (uint32_t i = 0; i < length; i++) {
        if (i < below || i >= below + column->length) {
            list[i] = NULL;
        }
    }
    list[y - low] = chunk;
    *column = (Column){.at.list = list, .low = (int32_t)low, .length = length};
    return true;
}

/// Takes a chunk out, and with it what is empty at either end. A column of none is all zeroes.
static void column_take(Column *column, int32_t y)
{
    if (column->length == 1) {
        *column = (Column){0};
        return;
    }
    const ContenderChunk **list = column->at.list;
    const size_t capacity = column_capacity(column->length);
    list[y - column->low] = NULL;
    uint32_t first = 0, end = column->length;
    while (!list[first]) {
        first++;
    }
    while (!list[end - 1]) {
        end--;
    }
    column->low += (int32_t)first;
    column->length = end - first;
    if (column->length == 1) {
        column->at.only = list[first];
        free((void *)list);
        return;
    }
    memmove((void *)list, (void *)(list + first), column->length * sizeof(const ContenderChunk *));
    const size_t wanted = column_capacity(column->length);
    if (wanted < capacity) {
        const ContenderChunk **less =
            realloc((void *)list, wanted * sizeof(const ContenderChunk *));
        column->at.list = less ? less : list;
    }
}

static bool column_is_too_high(const Column *column, int32_t y)
{
    const int64_t end = (int64_t)column->low + column->length;
    return end - y > COLUMN_LENGTH_MAX || (int64_t)y + 1 - column->low > COLUMN_LENGTH_MAX;
}

/// What the array would take with one more column.
static double column_array_bytes(const ColumnArray *array, TrnCoord coord)
{
    const TrnSpatialArrayStats stats = trn_spatial_array_stats(array->columns);
    Extent extent;
    memcpy(extent.origin, stats.origin, sizeof extent.origin);
    memcpy(extent.size, stats.extent, sizeof extent.size);
    const int64_t unit[3] = {coord.x, 0, coord.z};
    const Extent grown = extent_reach(extent, unit);
    return extent_units(&grown) * (double)sizeof(Column);
}

// ---- changes -----------------------------------------------------------------------------------

static bool column_array_insert_one(ColumnArray *array, const ContenderEntry *entry)
{
    const Column *there = column_at(array, entry->coord);
    if (there && there->length) {
        Column column = *there;
        if (column_is_too_high(&column, entry->coord.y)) {
            array->refused_bytes = (double)(COLUMN_LENGTH_MAX * sizeof(void *));
            return false;
        }
        return column_put(&column, entry->coord.y, entry->chunk) &&
               trn_spatial_array_insert(array->columns, column_place(entry->coord), &column) ==
                   TRN_RESULT_OK;
    }
    const Column column = {.at.only = entry->chunk, .low = entry->coord.y, .length = 1};
    const TrnResult result =
        trn_spatial_array_insert(array->columns, column_place(entry->coord), &column);
    if (result == TRN_RESULT_OUT_OF_RANGE) {
        array->refused_bytes = column_array_bytes(array, entry->coord);
    }
    return result == TRN_RESULT_OK;
}

static size_t column_array_insert(void *self, const ContenderEntry *entries, size_t count)
{
    size_t taken = 0;
    while (taken < count && column_array_insert_one(self, &entries[taken])) {
        taken++;
    }
    return taken;
}

static void column_array_remove(void *self, const TrnCoord *coords, size_t count)
{
    ColumnArray *array = self;
    for (size_t i = 0; i < count; i++) {
        Column column = *column_at(array, coords[i]);
        column_take(&column, coords[i].y);
        if (column.length) {
            (void)trn_spatial_array_insert(array->columns, column_place(coords[i]), &column);
        } else {
            (void)trn_spatial_array_remove(array->columns, column_place(coords[i]));
        }
    }
}

// ---- questions ---------------------------------------------------------------------------------

static inline const ContenderChunk *column_array_find_one(const void *self, TrnCoord coord)
{
    const Column *column = column_at(self, coord);
    if (!column) {
        return NULL;
    }
    const uint32_t place = (uint32_t)coord.y - (uint32_t)column->low;
    return place < column->length ? column_chunks(column)[place] : NULL;
}

static void column_array_find(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    find_each(self, column_array_find_one, coords, count, out);
}

static void column_array_neighbours(const void *self, const TrnCoord *coords, size_t count,
                                    void *out)
{
    find_neighbours_of_each(self, column_array_find_one, coords, count, out);
}

static size_t column_array_gather_ready(void *self, const ContenderChunk *const *chunks,
                                        size_t count, void *out, size_t capacity)
{
    return find_ready(self, column_array_find_one, chunks, count, out, capacity);
}

/// @param box  of one column: x and z are those of its lower corner
static inline void gather_column(const Column *column, TrnBox box, const FrustumTest *frustum,
                                 ChunkList *list)
{
    const int64_t end = (int64_t)column->low + column->length;
    const int64_t first = box.min.y > column->low ? box.min.y : column->low;
    const int64_t last = box.max.y < end - 1 ? box.max.y : end - 1;
    const ContenderChunk *const *chunks = column_chunks(column);
    for (int64_t y = first; y <= last; y++) {
        const ContenderChunk *chunk = chunks[y - column->low];
        const TrnCoord coord = {box.min.x, (int32_t)y, box.min.z};
        if (chunk && (!frustum || frustum_reaches(frustum, coord))) {
            append_chunk(list, chunk);
        }
    }
}

static size_t column_array_gather_box(const ColumnArray *array, TrnBox box,
                                      const FrustumTest *frustum, void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    const TrnSpatialArray *columns = array->columns;
    Extent extent;
    memcpy(extent.origin, columns->origin, sizeof extent.origin);
    memcpy(extent.size, columns->extent, sizeof extent.size);
    const TrnBox flat = {column_place(box.min), column_place(box.max)};
    const int shift[3] = {0, 0, 0};
    int64_t low[3], high[3];
    if (!extent_clip(&extent, flat, shift, low, high)) {
        return 0;
    }
    for (int64_t z = low[2]; z <= high[2]; z++) {
        const Column *row =
            (const Column *)(const void *)columns->cells + extent_at(&extent, low[0], 0, z);
        for (int64_t x = low[0]; x <= high[0]; x++) {
            box.min.x = (int32_t)x;
            box.min.z = (int32_t)z;
            gather_column(&row[x - low[0]], box, frustum, &list);
        }
    }
    return list.count;
}

static size_t column_array_gather(void *self, TrnBox box, void *out, size_t capacity)
{
    return column_array_gather_box(self, box, NULL, out, capacity);
}

static size_t column_array_gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum,
                                          void *out, size_t capacity)
{
    const FrustumTest test = frustum_test(frustum);
    return column_array_gather_box(self, box, &test, out, capacity);
}

static size_t column_array_gather_all(void *self, void *out, size_t capacity)
{
    return column_array_gather_box(self, trn_box_everything(), NULL, out, capacity);
}

static void column_array_explain(const void *self, char *text, size_t size)
{
    const double bytes = ((const ColumnArray *)self)->refused_bytes;
    if (bytes > (double)COLUMNS_BYTES_MAX) {
        snprintf(text, size, "its columns would take %.3g GB; the limit is 128 MiB", bytes / 1e9);
    } else {
        snprintf(text, size, "%s", bytes > 0 ? "its columns are at most 65,536 high" : "no memory");
    }
}

const Contender contender_column_array = {
    .version = TERRANE_CONTENDER_VERSION,
    .name = "2D array of columns",
    .answers = CONTENDER_POINTERS,
    .create = column_array_create,
    .destroy = column_array_destroy,
    .insert = column_array_insert,
    .remove = column_array_remove,
    .find = column_array_find,
    .gather = column_array_gather,
    .gather_all = column_array_gather_all,
    .gather_frustum = column_array_gather_frustum,
    .neighbours = column_array_neighbours,
    .gather_ready = column_array_gather_ready,
    .explain = column_array_explain,
};

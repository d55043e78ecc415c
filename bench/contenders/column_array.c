// A 2D array of columns, for worlds that are wide and a few chunks high: Terrane's spatial array in
// two dimensions, with a column in each cell. A column of one chunk stores its pointer, a higher
// one a list from the lowest chunk to the highest.

#include "builtin.h"

#include <stdio.h>
#include <stdlib.h>

#include <terrane/spatial_array.h>

#include "chunk_list.h"
#include "extent.h"
#include "frustum.h"

/// All zeroes: an empty column. The first and the last item of the list are never NULL.
typedef struct Column {
    union {
        const ContenderChunk *only;  // length 1
        const ContenderChunk **list; // [length], lowest first
    } at;
    int32_t low;
    uint32_t length;
} Column;

typedef struct ColumnArray {
    TrnSpatialArray *columns;
    double refused_bytes; // bytes of the refused size; 0: out of memory
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

/// The column's chunks, lowest first.
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

/// Allocates a list of at least `length` items and copies the column's chunks to it. @return NULL
/// if out of memory
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

/// Adds a chunk to a column at any height. @return false if out of memory
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

/// Removes a chunk, and then NULL items at both ends of the list.
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

/// How many bytes the array would take with one more column.
static double column_array_bytes(const ColumnArray *array, TrnCoord coord)
{
    const int64_t unit[3] = {coord.x, 0, coord.z};
    const Extent grown = extent_reach(extent_of(array->columns), unit);
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

/// @param box  its lower corner gives the column's x and z
static inline void column_gather(const Column *column, TrnBox box, const FrustumTest *frustum,
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
            chunk_list_append(list, chunk);
        }
    }
}

static size_t column_array_gather_box(const ColumnArray *array, TrnBox box,
                                      const FrustumTest *frustum, void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    const TrnSpatialArray *columns = array->columns;
    const Extent extent = extent_of(columns);
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
            column_gather(&row[x - low[0]], box, frustum, &list);
        }
    }
    return list.count;
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

#define CONTENDER(function) column_array_##function
#define CONTENDER_STRUCT ColumnArray
#define CONTENDER_OWN_CREATE
#define CONTENDER_OWN_EXPLAIN
#include "contender_body.h"

const Contender contender_column_array = CONTENDER_TABLE("2D array of columns", gather);

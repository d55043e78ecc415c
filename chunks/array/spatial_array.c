// The auto-expanding spatial array: one allocation of cells, an origin that may be negative, and an
// extent that doubles.

#include <terrane/spatial_array.h>

#include <stdalign.h>
#include <string.h>

#include "base/memory.h"

#define SPATIAL_ARRAY_ELEMENT_BYTES_MAX 65536
#define SPATIAL_ARRAY_BYTES_MAX_DEFAULT ((size_t)1 << 30)

/// Extents are 64 bits wide, since one that covers all of int32 does not fit 32.
typedef struct SpatialExtent {
    int64_t origin[3], extent[3];
} SpatialExtent;

TrnSpatialArrayDef trn_spatial_array_def(size_t element_bytes)
{
    TrnSpatialArrayDef def = {.dimensions = 3,
                              .element_bytes = element_bytes,
                              .bytes_max = SPATIAL_ARRAY_BYTES_MAX_DEFAULT};
    return def;
}

TrnResult trn_spatial_array_create(const TrnSpatialArrayDef *def, TrnSpatialArray **array)
{
    if (!def || !array || def->dimensions < 1 || def->dimensions > 3 || def->element_bytes < 1 ||
        def->element_bytes > SPATIAL_ARRAY_ELEMENT_BYTES_MAX) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    TrnAllocator allocator = trn_allocator_or_default(def->allocator);
    TrnSpatialArray *made =
        trn_take(&allocator, sizeof *made + def->element_bytes, alignof(TrnSpatialArray));
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    memset(made, 0, sizeof *made + def->element_bytes);
    made->sentinel = (unsigned char *)(made + 1);
    if (def->sentinel) {
        memcpy(made->sentinel, def->sentinel, def->element_bytes);
    }
    made->element_bytes = def->element_bytes;
    made->bytes_max = def->bytes_max;
    made->dimensions = def->dimensions;
    made->allocator = allocator;
    *array = made;
    return TRN_RESULT_OK;
}

static size_t spatial_cell_count(const TrnSpatialArray *array)
{
    return (size_t)array->extent[0] * (size_t)array->extent[1] * (size_t)array->extent[2];
}

static void spatial_free_cells(TrnSpatialArray *array)
{
    trn_give(&array->allocator, array->cells, spatial_cell_count(array) * array->element_bytes);
    array->cells = NULL;
    memset(array->origin, 0, sizeof array->origin);
    memset(array->extent, 0, sizeof array->extent);
}

void trn_spatial_array_destroy(TrnSpatialArray *array)
{
    if (!array) {
        return;
    }
    spatial_free_cells(array);
    TrnAllocator allocator = array->allocator;
    trn_give(&allocator, array, sizeof *array + array->element_bytes);
}

/// Returns whether a coordinate is 0 on every axis that the array does not have.
static bool spatial_coord_is_valid(const TrnSpatialArray *array, TrnCoord coord)
{
    return (array->dimensions == 3 || coord.y == 0) && (array->dimensions >= 2 || coord.z == 0);
}

/// Doubles one axis towards a coordinate until it lies inside. Growth towards lower coordinates
/// moves the origin.
static void spatial_expand_axis(int64_t *origin, int64_t *extent, int64_t coord)
{
    if (*extent == 0) {
        *origin = coord;
        *extent = 1;
    }
    while (coord >= *origin + *extent) {
        *extent *= 2;
    }
    while (coord < *origin) {
        *origin -= *extent;
        *extent *= 2;
    }
}

/// Computes the bytes of an extent's cells. Returns false if they exceed the array's maximum.
static bool spatial_extent_bytes(const TrnSpatialArray *array, const SpatialExtent *extent,
                                 size_t *bytes)
{
    uint64_t total = array->element_bytes; // an extent of 2^32 cells does not fit 32 bits
    for (int axis = 0; axis < 3; axis++) {
        if (__builtin_mul_overflow(total, (uint64_t)extent->extent[axis], &total)) {
            return false;
        }
    }
    *bytes = (size_t)total;
    return total <= array->bytes_max;
}

static void spatial_fill_sentinel(const TrnSpatialArray *array, unsigned char *cells, size_t count)
{
    const size_t size = array->element_bytes;
    bool one_byte = size == 1 || memcmp(array->sentinel, array->sentinel + 1, size - 1) == 0;
    if (one_byte) {
        memset(cells, array->sentinel[0], count * size);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(cells + i * size, array->sentinel, size);
    }
}

/// Copies the elements in both extents from the array to the cells of the other extent, row by row.
static void spatial_copy_shared(const TrnSpatialArray *array, const SpatialExtent *to,
                                unsigned char *cells)
{
    int64_t low[3], high[3]; // the shared box, high exclusive
    for (int axis = 0; axis < 3; axis++) {
        int64_t end = array->origin[axis] + array->extent[axis];
        int64_t to_end = to->origin[axis] + to->extent[axis];
        low[axis] = array->origin[axis] > to->origin[axis] ? array->origin[axis] : to->origin[axis];
        high[axis] = end < to_end ? end : to_end;
        if (low[axis] >= high[axis]) {
            return;
        }
    }
    const size_t size = array->element_bytes;
    const size_t row_bytes = (size_t)(high[0] - low[0]) * size;
    for (int64_t y = low[1]; y < high[1]; y++) {
        for (int64_t z = low[2]; z < high[2]; z++) {
            size_t from_row =
                (size_t)((z - array->origin[2]) + array->extent[2] * (y - array->origin[1]));
            size_t to_row = (size_t)((z - to->origin[2]) + to->extent[2] * (y - to->origin[1]));
            size_t from = from_row * (size_t)array->extent[0] + (size_t)(low[0] - array->origin[0]);
            size_t dest = to_row * (size_t)to->extent[0] + (size_t)(low[0] - to->origin[0]);
            memcpy(cells + dest * size, array->cells + from * size, row_bytes);
        }
    }
}

/// Changes the extent of an array; elements outside the new one are dropped.
/// Errors: OUT_OF_RANGE (would exceed bytes_max), NO_MEMORY; the array stays as it was.
static TrnResult spatial_move_to(TrnSpatialArray *array, const SpatialExtent *to)
{
    size_t bytes;
    if (!spatial_extent_bytes(array, to, &bytes)) {
        return TRN_RESULT_OUT_OF_RANGE;
    }
    unsigned char *cells = trn_take(&array->allocator, bytes, TRN_CACHE_LINE);
    if (!cells) {
        return TRN_RESULT_NO_MEMORY;
    }
    spatial_fill_sentinel(array, cells, bytes / array->element_bytes);
    if (array->cells) {
        spatial_copy_shared(array, to, cells);
    }
    spatial_free_cells(array);
    array->cells = cells;
    memcpy(array->origin, to->origin, sizeof array->origin);
    memcpy(array->extent, to->extent, sizeof array->extent);
    return TRN_RESULT_OK;
}

/// Returns the extent that an array would have after doubling until a box lies inside.
static SpatialExtent spatial_extent_grown(const TrnSpatialArray *array, TrnBox box)
{
    SpatialExtent to;
    memcpy(to.origin, array->origin, sizeof to.origin);
    memcpy(to.extent, array->extent, sizeof to.extent);
    const int64_t low[3] = {box.min.x, box.min.y, box.min.z};
    const int64_t high[3] = {box.max.x, box.max.y, box.max.z};
    for (int axis = 0; axis < 3; axis++) {
        if (to.extent[axis] == 0) { // the first extent is exactly the box
            to.origin[axis] = low[axis];
            to.extent[axis] = high[axis] - low[axis] + 1;
        }
        spatial_expand_axis(&to.origin[axis], &to.extent[axis], low[axis]);
        spatial_expand_axis(&to.origin[axis], &to.extent[axis], high[axis]);
    }
    return to;
}

/// Grows once, so that both corners of a box lie inside.
static TrnResult spatial_grow(TrnSpatialArray *array, TrnBox box)
{
    SpatialExtent to = spatial_extent_grown(array, box);
    TrnResult result = spatial_move_to(array, &to);
    array->growths += result == TRN_RESULT_OK;
    return result;
}

static bool spatial_is_sentinel(const TrnSpatialArray *array, const void *element)
{
    return memcmp(element, array->sentinel, array->element_bytes) == 0;
}

/// Returns the cell at a coordinate for writing, or NULL outside the extent.
static unsigned char *spatial_cell(TrnSpatialArray *array, TrnCoord coord)
{
    const unsigned char *cell = trn_spatial_array_cell(array, coord);
    return cell ? array->cells + (cell - array->cells) : NULL;
}

TrnResult trn_spatial_array_insert(TrnSpatialArray *array, TrnCoord coord, const void *element)
{
    if (!spatial_coord_is_valid(array, coord) || spatial_is_sentinel(array, element)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    unsigned char *cell = spatial_cell(array, coord);
    if (!cell) {
        TrnResult result = spatial_grow(array, (TrnBox){coord, coord});
        if (result != TRN_RESULT_OK) {
            return result;
        }
        cell = spatial_cell(array, coord);
    }
    array->count += spatial_is_sentinel(array, cell);
    memcpy(cell, element, array->element_bytes);
    return TRN_RESULT_OK;
}

TrnResult trn_spatial_array_remove(TrnSpatialArray *array, TrnCoord coord)
{
    unsigned char *cell = spatial_cell(array, coord);
    if (!cell || spatial_is_sentinel(array, cell)) {
        return TRN_RESULT_NOT_FOUND;
    }
    memcpy(cell, array->sentinel, array->element_bytes);
    array->count--;
    return TRN_RESULT_OK;
}

TrnResult trn_spatial_array_reserve(TrnSpatialArray *array, TrnBox box)
{
    if (trn_box_is_empty(box) || !spatial_coord_is_valid(array, box.min) ||
        !spatial_coord_is_valid(array, box.max)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    if (trn_spatial_array_cell(array, box.min) && trn_spatial_array_cell(array, box.max)) {
        return TRN_RESULT_OK;
    }
    return spatial_grow(array, box);
}

/// Returns the tightest extent around the elements. The array must not be empty.
static SpatialExtent spatial_tight_extent(const TrnSpatialArray *array)
{
    int64_t low[3] = {INT64_MAX, INT64_MAX, INT64_MAX};
    int64_t high[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    size_t cursor = 0;
    TrnCoord coord;
    while (trn_spatial_array_next(array, &cursor, &coord)) {
        const int64_t at[3] = {coord.x, coord.y, coord.z};
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = at[axis] < low[axis] ? at[axis] : low[axis];
            high[axis] = at[axis] > high[axis] ? at[axis] : high[axis];
        }
    }
    SpatialExtent tight;
    for (int axis = 0; axis < 3; axis++) {
        tight.origin[axis] = low[axis];
        tight.extent[axis] = high[axis] - low[axis] + 1;
    }
    return tight;
}

TrnResult trn_spatial_array_shrink(TrnSpatialArray *array)
{
    if (array->count == 0) {
        spatial_free_cells(array);
        return TRN_RESULT_OK;
    }
    SpatialExtent tight = spatial_tight_extent(array);
    if (memcmp(tight.extent, array->extent, sizeof tight.extent) == 0) {
        return TRN_RESULT_OK;
    }
    return spatial_move_to(array, &tight);
}

void trn_spatial_array_clear(TrnSpatialArray *array)
{
    if (array->cells) {
        spatial_fill_sentinel(array, array->cells, spatial_cell_count(array));
    }
    array->count = 0;
}

/// Copies the elements among a row of `cells` to `out`, at most `capacity`. Returns how many there
/// are.
typedef size_t (*SpatialRowGather)(const unsigned char *cells, size_t cells_in_row,
                                   const unsigned char *sentinel, size_t element_bytes,
                                   unsigned char *out, size_t capacity);

static size_t spatial_gather_row_any(const unsigned char *cells, size_t cells_in_row,
                                     const unsigned char *sentinel, size_t element_bytes,
                                     unsigned char *out, size_t capacity)
{
    size_t count = 0;
    for (size_t i = 0; i < cells_in_row; i++, cells += element_bytes) {
        if (memcmp(cells, sentinel, element_bytes) == 0) {
            continue;
        }
        if (count < capacity) {
            memcpy(out + count * element_bytes, cells, element_bytes);
        }
        count++;
    }
    return count;
}

// Branch-free, so that mixed rows cost no mispredictions: writes every cell, and advances only past
// an element. Needs capacity for the whole row; otherwise falls back to spatial_gather_row_any.
#define SPATIAL_GATHER_ROW(name, type)                                                             \
    static size_t name(const unsigned char *cells, size_t cells_in_row,                            \
                       const unsigned char *sentinel, size_t element_bytes, unsigned char *out,    \
                       size_t capacity)                                                            \
    {                                                                                              \
        if (capacity < cells_in_row) {                                                             \
            return spatial_gather_row_any(cells, cells_in_row, sentinel, element_bytes, out,       \
                                          capacity);                                               \
        }                                                                                          \
        type absent;                                                                               \
        memcpy(&absent, sentinel, sizeof absent);                                                  \
        size_t count = 0;                                                                          \
        for (size_t i = 0; i < cells_in_row; i++) {                                                \
            type element;                                                                          \
            memcpy(&element, cells + i * sizeof element, sizeof element);                          \
            memcpy(out + count * sizeof element, &element, sizeof element);                        \
            count += element != absent;                                                            \
        }                                                                                          \
        return count;                                                                              \
    }

SPATIAL_GATHER_ROW(spatial_gather_row_4, uint32_t)
SPATIAL_GATHER_ROW(spatial_gather_row_8, uint64_t)

/// Clips a box to the extent. Returns false if nothing is left.
static bool spatial_clip(const TrnSpatialArray *array, TrnBox box, int64_t low[3], int64_t high[3])
{
    const int64_t min[3] = {box.min.x, box.min.y, box.min.z};
    const int64_t max[3] = {box.max.x, box.max.y, box.max.z};
    for (int axis = 0; axis < 3; axis++) {
        int64_t last = array->origin[axis] + array->extent[axis] - 1;
        low[axis] = min[axis] > array->origin[axis] ? min[axis] : array->origin[axis];
        high[axis] = max[axis] < last ? max[axis] : last;
        if (low[axis] > high[axis]) {
            return false;
        }
    }
    return true;
}

size_t trn_spatial_array_gather(const TrnSpatialArray *array, TrnBox box, void *out,
                                size_t capacity)
{
    int64_t low[3], high[3];
    if (!spatial_clip(array, box, low, high)) {
        return 0;
    }
    const size_t size = array->element_bytes;
    const SpatialRowGather gather_row = size == sizeof(uint64_t)   ? spatial_gather_row_8
                                        : size == sizeof(uint32_t) ? spatial_gather_row_4
                                                                   : spatial_gather_row_any;
    const size_t cells_in_row = (size_t)(high[0] - low[0] + 1);
    const size_t row_stride = (size_t)array->extent[0] * size;
    size_t count = 0;
    for (int64_t y = low[1]; y <= high[1]; y++) {
        int64_t row = (low[2] - array->origin[2]) + array->extent[2] * (y - array->origin[1]);
        const unsigned char *cells =
            array->cells + (size_t)row * row_stride + (size_t)(low[0] - array->origin[0]) * size;
        for (int64_t z = low[2]; z <= high[2]; z++, cells += row_stride) {
            size_t left = count < capacity ? capacity - count : 0;
            unsigned char *end = left ? (unsigned char *)out + count * size : out;
            count += gather_row(cells, cells_in_row, array->sentinel, size, end, left);
        }
    }
    return count;
}

static TrnCoord spatial_coord_of_cell(const TrnSpatialArray *array, size_t cell)
{
    size_t nx = (size_t)array->extent[0], nz = (size_t)array->extent[2];
    TrnCoord coord = {(int32_t)(array->origin[0] + (int64_t)(cell % nx)),
                      (int32_t)(array->origin[1] + (int64_t)(cell / (nx * nz))),
                      (int32_t)(array->origin[2] + (int64_t)(cell / nx % nz))};
    return coord;
}

const void *trn_spatial_array_next(const TrnSpatialArray *array, size_t *cursor, TrnCoord *coord)
{
    const size_t count = spatial_cell_count(array);
    for (size_t cell = *cursor; cell < count; cell++) {
        const unsigned char *element = array->cells + cell * array->element_bytes;
        if (spatial_is_sentinel(array, element)) {
            continue;
        }
        if (coord) {
            *coord = spatial_coord_of_cell(array, cell);
        }
        *cursor = cell + 1;
        return element;
    }
    *cursor = count;
    return NULL;
}

TrnSpatialArrayStats trn_spatial_array_stats(const TrnSpatialArray *array)
{
    size_t cells = spatial_cell_count(array);
    TrnSpatialArrayStats stats = {
        .cells = cells,
        .count = array->count,
        .fill = cells ? (double)array->count / (double)cells : 0.0,
        .bytes = sizeof *array + array->element_bytes + cells * array->element_bytes,
        .growths = array->growths,
    };
    memcpy(stats.origin, array->origin, sizeof stats.origin);
    memcpy(stats.extent, array->extent, sizeof stats.extent);
    return stats;
}

// A toroidal array, as in clipmaps: a window with edges of a power of two, where the lowest bits of
// a coordinate select the cell. A cell holds a chunk number plus one. Each slice of the window
// stores its coordinate and its number of chunks, so cells need no coordinates. An axis doubles
// when a second coordinate maps to a slice in use.

#include "builtin.h"

#include <stdlib.h>
#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "frustum.h"
#include "refusal.h"

/// All cells of the window that share one coordinate along an axis.
typedef struct TorusSlice {
    int32_t coord; // undefined while `chunks` is 0
    uint32_t chunks;
} TorusSlice;

/// Consecutive slices along x that stand for consecutive coordinates.
typedef struct TorusRun {
    int32_t coord; // of the first slice
    uint32_t slice, length;
} TorusRun;

typedef struct TorusArray {
    uint32_t *cells;       // number + 1, 0 for none; x fastest, then z, then y
    TorusSlice *slices[3]; // [1 << bits[axis]]; NULL before the first chunk
    TorusRun *runs;        // [1 << bits[0]] scratch of a gather
    unsigned bits[3];      // of axes x, y, z
    const ContenderChunk *chunks;
    Refusal refusal;
} TorusArray;

typedef struct TorusList {
    uint32_t *out;
    size_t capacity, count;
} TorusList;

static void *torus_array_create(const ContenderWorld *world)
{
    TorusArray *array = calloc(1, sizeof *array);
    if (array) {
        array->chunks = world->chunks;
    }
    return array;
}

static void torus_array_free_parts(TorusArray *array)
{
    free(array->cells);
    free(array->runs);
    for (int axis = 0; axis < 3; axis++) {
        free(array->slices[axis]);
    }
}

static void torus_array_destroy(void *self)
{
    torus_array_free_parts(self);
    free(self);
}

static inline uint32_t torus_axis(TrnCoord coord, int axis)
{
    return (uint32_t)(axis == 0 ? coord.x : axis == 1 ? coord.y : coord.z);
}

static inline TorusSlice *torus_slice(const TorusArray *array, TrnCoord coord, int axis)
{
    const uint32_t mask = (UINT32_C(1) << array->bits[axis]) - 1;
    return &array->slices[axis][torus_axis(coord, axis) & mask];
}

static inline size_t torus_cell(const TorusArray *array, TrnCoord coord)
{
    const uint32_t x = (uint32_t)coord.x & ((UINT32_C(1) << array->bits[0]) - 1);
    const uint32_t y = (uint32_t)coord.y & ((UINT32_C(1) << array->bits[1]) - 1);
    const uint32_t z = (uint32_t)coord.z & ((UINT32_C(1) << array->bits[2]) - 1);
    return (size_t)x | (size_t)z << array->bits[0] | (size_t)y << (array->bits[0] + array->bits[2]);
}

static inline bool torus_slice_is(const TorusArray *array, TrnCoord coord, int axis)
{
    const TorusSlice *slice = torus_slice(array, coord, axis);
    return slice->coord == (int32_t)torus_axis(coord, axis) && slice->chunks != 0;
}

/// The cell's content at a coordinate: number + 1, or 0.
static inline uint32_t torus_find(const TorusArray *array, TrnCoord coord)
{
    if (!array->cells || !torus_slice_is(array, coord, 0) || !torus_slice_is(array, coord, 1) ||
        !torus_slice_is(array, coord, 2)) {
        return 0;
    }
    return array->cells[torus_cell(array, coord)];
}

/// The number of the chunk at a coordinate: an empty cell, 0, becomes CONTENDER_NUMBER_NONE.
static inline uint32_t torus_array_find_one(const void *self, TrnCoord coord)
{
    return torus_find(self, coord) - 1;
}

/// Inserts a chunk. Its slices must be empty or have its coordinates.
static void torus_put(TorusArray *array, TrnCoord coord, uint32_t cell)
{
    for (int axis = 0; axis < 3; axis++) {
        TorusSlice *slice = torus_slice(array, coord, axis);
        slice->coord = (int32_t)torus_axis(coord, axis);
        slice->chunks++;
    }
    array->cells[torus_cell(array, coord)] = cell;
}

/// Allocates an empty array of this size. @return false if out of memory
static bool torus_allocate(TorusArray *array, const unsigned bits[3])
{
    memset(array->slices, 0, sizeof array->slices);
    array->cells = calloc((size_t)1 << (bits[0] + bits[1] + bits[2]), sizeof *array->cells);
    array->runs = calloc((size_t)1 << bits[0], sizeof *array->runs);
    bool done = array->cells && array->runs;
    for (int axis = 0; axis < 3; axis++) {
        array->bits[axis] = bits[axis];
        array->slices[axis] = calloc((size_t)1 << bits[axis], sizeof *array->slices[axis]);
        done = done && array->slices[axis];
    }
    if (!done) {
        torus_array_free_parts(array);
    }
    return done;
}

/// Puts all chunks of one array into a larger one.
static void torus_move(const TorusArray *from, TorusArray *to)
{
    const uint32_t nx = UINT32_C(1) << from->bits[0], ny = UINT32_C(1) << from->bits[1],
                   nz = UINT32_C(1) << from->bits[2];
    const uint32_t *cell = from->cells;
    for (uint32_t y = 0; y < ny; y++) {
        for (uint32_t z = 0; z < nz; z++) {
            for (uint32_t x = 0; x < nx; x++, cell++) {
                if (*cell) {
                    const TrnCoord coord = {from->slices[0][x].coord, from->slices[1][y].coord,
                                            from->slices[2][z].coord};
                    torus_put(to, coord, *cell);
                }
            }
        }
    }
}

static bool torus_resize(TorusArray *array, const unsigned bits[3])
{
    const unsigned all = bits[0] + bits[1] + bits[2];
    const double bytes = (all < 64 ? (double)(UINT64_C(1) << all) : 1.8e19) * sizeof *array->cells;
    TorusArray larger = *array;
    if (bytes > (double)ARRAY_BYTES_MAX || !torus_allocate(&larger, bits)) {
        array->refusal = refusal_of_bytes(bytes);
        return false;
    }
    if (array->cells) {
        torus_move(array, &larger);
    }
    torus_array_free_parts(array);
    *array = larger;
    return true;
}

/// How many bits an axis needs so that its coordinates in use and that of `coord` are in different
/// slices.
static unsigned torus_bits_needed(const TorusArray *array, TrnCoord coord, int axis)
{
    const uint32_t wanted = torus_axis(coord, axis);
    unsigned bits = array->bits[axis];
    const uint32_t slices = UINT32_C(1) << bits;
    for (uint32_t i = 0; i < slices; i++) {
        const TorusSlice *slice = &array->slices[axis][i];
        const uint32_t differs = (uint32_t)slice->coord ^ wanted;
        if (slice->chunks && differs) {
            const unsigned lowest = (unsigned)__builtin_ctz(differs) + 1;
            bits = bits < lowest ? lowest : bits;
        }
    }
    return bits;
}

/// Grows the window if other coordinates use the slices of `coord`, which is rare.
static bool torus_reserve(TorusArray *array, TrnCoord coord)
{
    const unsigned none[3] = {0, 0, 0};
    if (!array->cells) {
        return torus_resize(array, none);
    }
    unsigned bits[3];
    bool fits = true;
    for (int axis = 0; axis < 3; axis++) {
        const TorusSlice *slice = torus_slice(array, coord, axis);
        const bool is_taken =
            slice->chunks != 0 && slice->coord != (int32_t)torus_axis(coord, axis);
        bits[axis] = is_taken ? torus_bits_needed(array, coord, axis) : array->bits[axis];
        fits = fits && !is_taken;
    }
    return fits || torus_resize(array, bits);
}

static bool torus_array_insert_one(TorusArray *array, const ContenderEntry *entry)
{
    if (!torus_reserve(array, entry->coord)) {
        return false;
    }
    torus_put(array, entry->coord, entry->number + 1);
    return true;
}

static void torus_array_remove(void *self, const TrnCoord *coords, size_t count)
{
    TorusArray *array = self;
    for (size_t i = 0; i < count; i++) {
        array->cells[torus_cell(array, coords[i])] = 0;
        for (int axis = 0; axis < 3; axis++) {
            torus_slice(array, coords[i], axis)->chunks--;
        }
    }
}

/// Appends the numbers of the cells of a row that are not 0.
static inline void torus_append(TorusList *list, const uint32_t *cells, size_t count)
{
#if defined(__AVX512F__)
    const size_t slack = 16; // whole registers are written past the end
    if (list->count + count + slack <= list->capacity) {
        uint32_t *out = list->out + list->count;
        for (size_t i = 0; i < count; i += 16) {
            const size_t left = count - i;
            const __mmask16 row = left < 16 ? (__mmask16)((1u << left) - 1) : (__mmask16)0xFFFF;
            const __m512i some = _mm512_maskz_loadu_epi32(row, cells + i);
            const __mmask16 there = _mm512_test_epi32_mask(some, some);
            const __m512i packed = _mm512_maskz_compress_epi32(there, some);
            _mm512_storeu_si512(out, _mm512_sub_epi32(packed, _mm512_set1_epi32(1)));
            out += __builtin_popcount(there);
        }
        list->count = (size_t)(out - list->out);
        return;
    }
#else
    if (list->count + count + 1 <= list->capacity) {
        uint32_t *out = list->out + list->count;
        for (size_t i = 0; i < count; i++) {
            *out = cells[i] - 1;
            out += cells[i] != 0; // no branch: empty cells are unpredictable
        }
        list->count = (size_t)(out - list->out);
        return;
    }
#endif
    for (size_t i = 0; i < count; i++) {
        if (cells[i]) {
            if (list->count < list->capacity) {
                list->out[list->count] = cells[i] - 1;
            }
            list->count++;
        }
    }
}

static inline bool torus_slice_within(const TorusSlice *slice, int32_t low, int32_t high)
{
    return slice->chunks != 0 && slice->coord >= low && slice->coord <= high;
}

/// Collects the slices along x that lie in a box, as runs. @return how many runs
static size_t torus_find_runs(TorusArray *array, int32_t low, int32_t high)
{
    const uint32_t slices = UINT32_C(1) << array->bits[0];
    size_t runs = 0;
    for (uint32_t i = 0; i < slices; i++) {
        const TorusSlice *slice = &array->slices[0][i];
        if (!torus_slice_within(slice, low, high)) {
            continue;
        }
        TorusRun *last = runs ? &array->runs[runs - 1] : NULL;
        if (last && last->slice + last->length == i &&
            (int64_t)last->coord + last->length == slice->coord) {
            last->length++;
        } else {
            array->runs[runs++] = (TorusRun){slice->coord, i, 1};
        }
    }
    return runs;
}

/// Appends the part of a row that lies in [first, last].
static inline void torus_append_row(TorusList *list, const TorusArray *array, size_t runs,
                                    const uint32_t *row, int64_t first, int64_t last)
{
    for (size_t i = 0; i < runs; i++) {
        const TorusRun *run = &array->runs[i];
        const int64_t start = run->coord < first ? first : run->coord;
        const int64_t run_end = (int64_t)run->coord + run->length - 1;
        const int64_t end = run_end > last ? last : run_end;
        if (start <= end) {
            torus_append(list, row + run->slice + (start - run->coord), (size_t)(end - start + 1));
        }
    }
}

static void torus_gather_layer(const TorusArray *array, TrnBox box, const FrustumTest *frustum,
                               size_t runs, uint32_t y, TorusList *list)
{
    const uint32_t rows = UINT32_C(1) << array->bits[2];
    for (uint32_t z = 0; z < rows; z++) {
        const TorusSlice *slice = &array->slices[2][z];
        int64_t first = box.min.x, last = box.max.x;
        if (!torus_slice_within(slice, box.min.z, box.max.z) ||
            (frustum &&
             !frustum_clip_row(frustum, array->slices[1][y].coord, slice->coord, &first, &last))) {
            continue;
        }
        const size_t row = ((size_t)y << array->bits[2] | z) << array->bits[0];
        torus_append_row(list, array, runs, array->cells + row, first, last);
    }
}

static size_t torus_array_gather_box(TorusArray *array, TrnBox box, const FrustumTest *frustum,
                                     void *out, size_t capacity)
{
    TorusList list = {out, capacity, 0};
    if (!array->cells) {
        return 0;
    }
    const size_t runs = torus_find_runs(array, box.min.x, box.max.x);
    const uint32_t layers = UINT32_C(1) << array->bits[1];
    for (uint32_t y = 0; runs && y < layers; y++) {
        if (torus_slice_within(&array->slices[1][y], box.min.y, box.max.y)) {
            torus_gather_layer(array, box, frustum, runs, y, &list);
        }
    }
    return list.count;
}

#define CONTENDER(function) torus_array_##function
#define CONTENDER_STRUCT TorusArray
#define CONTENDER_ANSWER uint32_t
#define CONTENDER_OWN_CREATE
#include "contender_body.h"

const Contender contender_toroidal_array = CONTENDER_TABLE("toroidal array, numbers", gather);

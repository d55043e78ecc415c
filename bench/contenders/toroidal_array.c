// A toroidal array, as clipmaps use it: a window of a power of two per axis, in which a
// coordinate's cell is its lowest bits. Cells are chunk numbers plus one. Every slice of the window
// knows which coordinate it stands for and how many chunks it holds, which verifies what a cell is
// without a word beside it. An axis doubles when a second coordinate wants a slice that is taken.

#include "builtin.h"

#include <stdlib.h>
#include <string.h>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "frustum.h"
#include "refusal.h"

/// All places of the window with one coordinate along an axis.
typedef struct TorusSlice {
    int32_t coord; // which; means nothing while there are no chunks
    uint32_t chunks;
} TorusSlice;

/// Consecutive slices along x that stand for consecutive coordinates.
typedef struct TorusRun {
    int32_t coord; // of the first
    uint32_t slice, length;
} TorusRun;

typedef struct ToroidalArray {
    uint32_t *cells;       // number + 1, 0 for none; x fastest, then z, then y
    TorusSlice *slices[3]; // [1 << bits[axis]]; NULL before the first chunk
    TorusRun *runs;        // [1 << bits[0]] scratch of a gather
    unsigned bits[3];      // of axes x, y, z
    const ContenderChunk *chunks;
    Refusal refusal;
} ToroidalArray;

typedef struct NumberList {
    uint32_t *out;
    size_t capacity, count;
} NumberList;

static void *toroidal_array_create(const ContenderWorld *world)
{
    ToroidalArray *array = calloc(1, sizeof *array);
    if (array) {
        array->chunks = world->chunks;
    }
    return array;
}

static void toroidal_array_free_parts(ToroidalArray *array)
{
    free(array->cells);
    free(array->runs);
    for (int axis = 0; axis < 3; axis++) {
        free(array->slices[axis]);
    }
}

static void toroidal_array_destroy(void *self)
{
    toroidal_array_free_parts(self);
    free(self);
}

static inline uint32_t torus_axis(TrnCoord coord, int axis)
{
    return (uint32_t)(axis == 0 ? coord.x : axis == 1 ? coord.y : coord.z);
}

static inline TorusSlice *torus_slice(const ToroidalArray *array, TrnCoord coord, int axis)
{
    const uint32_t mask = (UINT32_C(1) << array->bits[axis]) - 1;
    return &array->slices[axis][torus_axis(coord, axis) & mask];
}

static inline size_t torus_cell(const ToroidalArray *array, TrnCoord coord)
{
    const uint32_t x = (uint32_t)coord.x & ((UINT32_C(1) << array->bits[0]) - 1);
    const uint32_t y = (uint32_t)coord.y & ((UINT32_C(1) << array->bits[1]) - 1);
    const uint32_t z = (uint32_t)coord.z & ((UINT32_C(1) << array->bits[2]) - 1);
    return (size_t)x | (size_t)z << array->bits[0] | (size_t)y << (array->bits[0] + array->bits[2]);
}

static inline bool torus_slice_is(const ToroidalArray *array, TrnCoord coord, int axis)
{
    const TorusSlice *slice = torus_slice(array, coord, axis);
    return slice->coord == (int32_t)torus_axis(coord, axis) && slice->chunks != 0;
}

/// The cell's content at a coordinate: number + 1, or 0.
static inline uint32_t torus_find(const ToroidalArray *array, TrnCoord coord)
{
    if (!array->cells || !torus_slice_is(array, coord, 0) || !torus_slice_is(array, coord, 1) ||
        !torus_slice_is(array, coord, 2)) {
        return 0;
    }
    return array->cells[torus_cell(array, coord)];
}

/// Puts a chunk where its slices are free or its own.
static void torus_put(ToroidalArray *array, TrnCoord coord, uint32_t cell)
{
    for (int axis = 0; axis < 3; axis++) {
        TorusSlice *slice = torus_slice(array, coord, axis);
        slice->coord = (int32_t)torus_axis(coord, axis);
        slice->chunks++;
    }
    array->cells[torus_cell(array, coord)] = cell;
}

/// An empty array of this size. @return whether there was memory
static bool torus_allocate(ToroidalArray *array, const unsigned bits[3])
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
        toroidal_array_free_parts(array);
    }
    return done;
}

/// Puts what one array holds into another, larger one.
static void torus_move(const ToroidalArray *from, ToroidalArray *to)
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

static bool torus_resize(ToroidalArray *array, const unsigned bits[3])
{
    const unsigned all = bits[0] + bits[1] + bits[2];
    const double bytes = (all < 64 ? (double)(UINT64_C(1) << all) : 1.8e19) * sizeof *array->cells;
    ToroidalArray larger = *array;
    if (bytes > (double)ARRAY_BYTES_MAX || !torus_allocate(&larger, bits)) {
        array->refusal = refusal_of_bytes(bytes);
        return false;
    }
    if (array->cells) {
        torus_move(array, &larger);
    }
    toroidal_array_free_parts(array);
    *array = larger;
    return true;
}

/// How many bits an axis needs so that no two of its coordinates, nor this one, share a slice.
static unsigned torus_bits_needed(const ToroidalArray *array, TrnCoord coord, int axis)
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

/// Makes room for a coordinate. Most come to slices that are their own already.
static bool torus_make_room(ToroidalArray *array, TrnCoord coord)
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

static size_t toroidal_array_insert(void *self, const ContenderEntry *entries, size_t count)
{
    ToroidalArray *array = self;
    size_t taken = 0;
    while (taken < count && torus_make_room(array, entries[taken].coord)) {
        torus_put(array, entries[taken].coord, entries[taken].number + 1);
        taken++;
    }
    return taken;
}

static void toroidal_array_remove(void *self, const TrnCoord *coords, size_t count)
{
    ToroidalArray *array = self;
    for (size_t i = 0; i < count; i++) {
        array->cells[torus_cell(array, coords[i])] = 0;
        for (int axis = 0; axis < 3; axis++) {
            torus_slice(array, coords[i], axis)->chunks--;
        }
    }
}

// 0, which is none, minus one is CONTENDER_NUMBER_NONE.

static void toroidal_array_find(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    uint32_t *numbers = out;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = torus_find(self, coords[i]) - 1;
    }
}

static void toroidal_array_neighbours(const void *self, const TrnCoord *coords, size_t count,
                                      void *out)
{
    uint32_t *number = out;
    for (size_t i = 0; i < count; i++) {
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            *number++ = torus_find(self, trn_coord_neighbour(coords[i], (TrnFace)face)) - 1;
        }
    }
}

static bool torus_has_neighbours(const ToroidalArray *array, TrnCoord coord)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (!torus_find(array, trn_coord_neighbour(coord, (TrnFace)face))) {
            return false;
        }
    }
    return true;
}

static size_t toroidal_array_gather_ready(void *self, const ContenderChunk *const *chunks,
                                          size_t count, void *out, size_t capacity)
{
    uint32_t *numbers = out;
    size_t ready = 0;
    for (size_t i = 0; i < count; i++) {
        if (torus_has_neighbours(self, chunks[i]->coord)) {
            if (ready < capacity) {
                numbers[ready] = chunks[i]->number;
            }
            ready++;
        }
    }
    return ready;
}

/// Appends the numbers of the cells of a row that are not 0.
static inline void append_numbers(NumberList *list, const uint32_t *cells, size_t count)
{
#if defined(__AVX512F__)
    const size_t slack = 16; // whole registers are written
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
            out += cells[i] != 0; // no branch: whether a cell is empty cannot be foretold
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

/// The slices along x that a box meets, as runs. @return how many
static size_t torus_find_runs(ToroidalArray *array, int32_t low, int32_t high)
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
static inline void append_torus_row(NumberList *list, const ToroidalArray *array, size_t runs,
                                    const uint32_t *row, int64_t first, int64_t last)
{
    for (size_t i = 0; i < runs; i++) {
        const TorusRun *run = &array->runs[i];
        const int64_t start = run->coord < first ? first : run->coord;
        const int64_t run_end = (int64_t)run->coord + run->length - 1;
        const int64_t end = run_end > last ? last : run_end;
        if (start <= end) {
            append_numbers(list, row + run->slice + (start - run->coord),
                           (size_t)(end - start + 1));
        }
    }
}

static void torus_gather_layer(const ToroidalArray *array, TrnBox box, const FrustumTest *frustum,
                               size_t runs, uint32_t y, NumberList *list)
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
        append_torus_row(list, array, runs, array->cells + row, first, last);
    }
}

static size_t torus_gather_box(ToroidalArray *array, TrnBox box, const FrustumTest *frustum,
                               void *out, size_t capacity)
{
    NumberList list = {out, capacity, 0};
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

static size_t toroidal_array_gather(void *self, TrnBox box, void *out, size_t capacity)
{
    return torus_gather_box(self, box, NULL, out, capacity);
}

static size_t toroidal_array_gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum,
                                            void *out, size_t capacity)
{
    const FrustumTest test = frustum_test(frustum);
    return torus_gather_box(self, box, &test, out, capacity);
}

static size_t toroidal_array_gather_all(void *self, void *out, size_t capacity)
{
    return torus_gather_box(self, trn_box_everything(), NULL, out, capacity);
}

static void toroidal_array_explain(const void *self, char *text, size_t size)
{
    refusal_explain(&((const ToroidalArray *)self)->refusal, text, size);
}

const Contender contender_toroidal_array = {
    .version = TERRANE_CONTENDER_VERSION,
    .name = "toroidal array, numbers",
    .answers = CONTENDER_NUMBERS,
    .create = toroidal_array_create,
    .destroy = toroidal_array_destroy,
    .insert = toroidal_array_insert,
    .remove = toroidal_array_remove,
    .find = toroidal_array_find,
    .gather = toroidal_array_gather,
    .gather_all = toroidal_array_gather_all,
    .gather_frustum = toroidal_array_gather_frustum,
    .neighbours = toroidal_array_neighbours,
    .gather_ready = toroidal_array_gather_ready,
    .explain = toroidal_array_explain,
};

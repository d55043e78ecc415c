// A flat array of pointers that grows by doubling, with a bit per cell. Gathers copy runs of set
// bits; the search for chunks with all six neighbours handles 64 cells at a time. Rows begin at
// multiples of 64, so the extent's unit is a word of 64 x 1 x 1 chunks.

#include "builtin.h"

#include <stdlib.h>

#include "chunk_list.h"
#include "extent.h"
#include "frustum.h"
#include "refusal.h"

typedef struct RunArray {
    Extent extent; // in words
    uint64_t *present;
    const ContenderChunk **cells; // 64 per word, and CHUNK_LIST_SLACK more
    Refusal refusal;
} RunArray;

enum { RUN_BITS = 64 };
static const int run_shift[3] = {6, 0, 0};
static const double run_word_bytes = RUN_BITS * sizeof(const ContenderChunk *) + sizeof(uint64_t);

static void run_array_destroy(void *self)
{
    RunArray *array = self;
    free(array->present);
    free((void *)array->cells);
    free(array);
}

/// Copies the words in use to their places in another extent, which contains them all.
static void run_array_copy(const RunArray *array, const Extent *to, uint64_t *present,
                           const ContenderChunk **cells)
{
    const Extent *from = &array->extent;
    size_t word = 0;
    for (int64_t y = from->origin[1]; y < from->origin[1] + from->size[1]; y++) {
        for (int64_t z = from->origin[2]; z < from->origin[2] + from->size[2]; z++) {
            for (int64_t x = from->origin[0]; x < from->origin[0] + from->size[0]; x++, word++) {
                if (array->present[word] == 0) {
                    continue;
                }
                const size_t at = extent_at(to, x, y, z);
                present[at] = array->present[word];
                memcpy((void *)(cells + at * RUN_BITS), array->cells + word * RUN_BITS,
                       RUN_BITS * sizeof(const ContenderChunk *));
            }
        }
    }
}

static bool run_array_reshape(RunArray *array, Extent extent)
{
    const size_t words = (size_t)extent_units(&extent);
    uint64_t *present = calloc(words, sizeof *present);
    const ContenderChunk **cells =
        calloc(words * RUN_BITS + CHUNK_LIST_SLACK, sizeof(const ContenderChunk *));
    if (!present || !cells) {
        free(present);
        free((void *)cells);
        return false;
    }
    run_array_copy(array, &extent, present, cells);
    free(array->present);
    free((void *)array->cells);
    array->present = present;
    array->cells = cells;
    array->extent = extent;
    return true;
}

/// Grows the extent to contain a word. If that exceeds the limit, first drops the empty words that
/// a long walk leaves behind.
static bool run_array_reach(RunArray *array, const int64_t word[3])
{
    Extent wanted = extent_reach(array->extent, word);
    if (extent_units(&wanted) * run_word_bytes > (double)ARRAY_BYTES_MAX) {
        wanted = extent_in_use(&array->extent, array->present, sizeof *array->present);
        wanted = extent_reach(wanted, word);
    }
    const double bytes = extent_units(&wanted) * run_word_bytes;
    if (bytes <= (double)ARRAY_BYTES_MAX && run_array_reshape(array, wanted)) {
        return true;
    }
    array->refusal = refusal_of_bytes(bytes);
    return false;
}

static bool run_array_insert_one(RunArray *array, const ContenderEntry *entry)
{
    const int64_t word[3] = {entry->coord.x >> 6, entry->coord.y, entry->coord.z};
    if (!extent_has(&array->extent, word[0], word[1], word[2]) && !run_array_reach(array, word)) {
        return false;
    }
    const size_t at = extent_at(&array->extent, word[0], word[1], word[2]);
    const unsigned bit = (unsigned)entry->coord.x & 63;
    array->present[at] |= UINT64_C(1) << bit;
    array->cells[at * RUN_BITS + bit] = entry->chunk;
    return true;
}

static void run_array_remove(void *self, const TrnCoord *coords, size_t count)
{
    RunArray *array = self;
    for (size_t i = 0; i < count; i++) {
        const size_t at = extent_at(&array->extent, coords[i].x >> 6, coords[i].y, coords[i].z);
        const unsigned bit = (unsigned)coords[i].x & 63;
        array->present[at] &= ~(UINT64_C(1) << bit);
        array->cells[at * RUN_BITS + bit] = NULL;
    }
}

static inline const ContenderChunk *run_array_find_one(const void *self, TrnCoord coord)
{
    const RunArray *array = self;
    if (!extent_has(&array->extent, coord.x >> 6, coord.y, coord.z)) {
        return NULL;
    }
    const size_t at = extent_at(&array->extent, coord.x >> 6, coord.y, coord.z);
    return array->cells[at * RUN_BITS + ((unsigned)coord.x & 63)];
}

/// Appends those of 64 cells whose bit in a word is set, run by run.
static inline void run_append(ChunkList *list, const ContenderChunk *const *cells, uint64_t bits)
{
    while (bits) {
        const unsigned first = (unsigned)__builtin_ctzll(bits);
        const uint64_t after = ~(bits >> first);
        const unsigned length = after ? (unsigned)__builtin_ctzll(after) : RUN_BITS;
        chunk_list_append_run(list, cells + first, length);
        if (first + length >= RUN_BITS) {
            return;
        }
        bits &= ~UINT64_C(0) << (first + length);
    }
}

/// Appends the chunks from x to `last` of a row inside the extent.
static inline void run_append_row(ChunkList *list, const RunArray *array, int64_t y, int64_t z,
                                  int64_t x, int64_t last)
{
    const int64_t first_word = x >> 6, last_word = last >> 6;
    size_t at = extent_at(&array->extent, first_word, y, z);
    uint64_t mask = ~UINT64_C(0) << (x & 63);
    for (int64_t word = first_word; word <= last_word; word++, at++) {
        if (word == last_word) {
            mask &= ~UINT64_C(0) >> (63 - (last & 63));
        }
        run_append(list, array->cells + at * RUN_BITS, array->present[at] & mask);
        mask = ~UINT64_C(0);
    }
}

static size_t run_array_gather_box(const RunArray *array, TrnBox box, const FrustumTest *frustum,
                                   void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    int64_t low[3], high[3];
    if (!extent_clip(&array->extent, box, run_shift, low, high)) {
        return 0;
    }
    const int64_t x_low = low[0] * RUN_BITS < box.min.x ? box.min.x : low[0] * RUN_BITS;
    const int64_t x_end = high[0] * RUN_BITS + RUN_BITS - 1;
    const int64_t x_high = x_end > box.max.x ? box.max.x : x_end;
    for (int64_t y = low[1]; y <= high[1]; y++) {
        for (int64_t z = low[2]; z <= high[2]; z++) {
            int64_t x = x_low, last = x_high;
            if (!frustum || frustum_clip_row(frustum, y, z, &x, &last)) {
                run_append_row(&list, array, y, z, x, last);
            }
        }
    }
    return list.count;
}

/// Whether all six neighbours of a coordinate lie inside the extent.
static inline bool run_array_is_inner(const Extent *extent, TrnCoord coord)
{
    return extent_is_between(coord.x - extent->origin[0] * RUN_BITS, extent->size[0] * RUN_BITS) &&
           extent_is_between(coord.y - extent->origin[1], extent->size[1]) &&
           extent_is_between(coord.z - extent->origin[2], extent->size[2]);
}

static void run_array_neighbours(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    const RunArray *array = self;
    const Extent *extent = &array->extent;
    const ptrdiff_t z_step = (ptrdiff_t)extent->size[0] * RUN_BITS;
    const ptrdiff_t y_step = z_step * (ptrdiff_t)extent->size[2];
    const ContenderChunk **chunks = out;
    for (size_t i = 0; i < count; i++, chunks += TRN_FACE_COUNT) {
        if (!run_array_is_inner(extent, coords[i])) {
            for (int face = 0; face < TRN_FACE_COUNT; face++) {
                chunks[face] =
                    run_array_find_one(self, trn_coord_neighbour(coords[i], (TrnFace)face));
            }
            continue;
        }
        const size_t at = extent_at(extent, coords[i].x >> 6, coords[i].y, coords[i].z);
        const ContenderChunk *const *cell =
            array->cells + at * RUN_BITS + ((unsigned)coords[i].x & 63);
        chunks[TRN_FACE_NEG_X] = cell[-1];
        chunks[TRN_FACE_POS_X] = cell[1];
        chunks[TRN_FACE_NEG_Y] = cell[-y_step];
        chunks[TRN_FACE_POS_Y] = cell[y_step];
        chunks[TRN_FACE_NEG_Z] = cell[-z_step];
        chunks[TRN_FACE_POS_Z] = cell[z_step];
    }
}

static inline uint64_t run_array_word(const RunArray *array, int64_t x, int64_t y, int64_t z)
{
    return extent_has(&array->extent, x, y, z) ? array->present[extent_at(&array->extent, x, y, z)]
                                               : 0;
}

/// The chunks of a word that have all six neighbours. The array never reaches both ends of int32,
/// so no neighbours wrap around.
static inline uint64_t run_array_ready_bits(const RunArray *array, uint64_t bits, int64_t x,
                                            int64_t y, int64_t z)
{
    bits &= run_array_word(array, x, y - 1, z) & run_array_word(array, x, y + 1, z);
    bits &= run_array_word(array, x, y, z - 1) & run_array_word(array, x, y, z + 1);
    if (bits == 0) {
        return 0;
    }
    const uint64_t word = run_array_word(array, x, y, z);
    return bits & (word << 1 | run_array_word(array, x - 1, y, z) >> 63) &
           (word >> 1 | run_array_word(array, x + 1, y, z) << 63);
}

static size_t run_array_gather_ready(void *self, const ContenderChunk *const *chunks, size_t count,
                                     void *out, size_t capacity)
{
    (void)chunks;
    (void)count;
    const RunArray *array = self;
    const Extent *extent = &array->extent;
    ChunkList list = chunk_list(out, capacity);
    size_t at = 0;
    for (int64_t y = extent->origin[1]; y < extent->origin[1] + extent->size[1]; y++) {
        for (int64_t z = extent->origin[2]; z < extent->origin[2] + extent->size[2]; z++) {
            for (int64_t x = extent->origin[0]; x < extent->origin[0] + extent->size[0];
                 x++, at++) {
                const uint64_t bits = array->present[at];
                if (bits) {
                    run_append(&list, array->cells + at * RUN_BITS,
                               run_array_ready_bits(array, bits, x, y, z));
                }
            }
        }
    }
    return list.count;
}

#define CONTENDER(function) run_array_##function
#define CONTENDER_STRUCT RunArray
#define CONTENDER_OWN_NEIGHBOURS
#define CONTENDER_OWN_READY
#include "contender_body.h"

const Contender contender_flat_array_runs = CONTENDER_TABLE("flat array, occupancy runs", gather);

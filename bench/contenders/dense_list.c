// No index at all: a list of coordinates and pointers, as in games that go through all their chunks
// every frame. Gathers go through it once; finding one goes through half of it, 64 at a time.

#include "builtin.h"

#include <stdlib.h>

#include "find_loops.h"
#include "refusal.h"

typedef struct DenseList {
    int32_t *axes[3]; // [capacity] x, y, z
    const ContenderChunk **chunks;
    size_t count, capacity; // capacity is a multiple of LIST_BLOCK
    Refusal refusal;
} DenseList;

enum { LIST_BLOCK = 64 };

static void *dense_list_create(const ContenderWorld *world)
{
    (void)world;
    return calloc(1, sizeof(DenseList));
}

static void dense_list_destroy(void *self)
{
    DenseList *list = self;
    for (int axis = 0; axis < 3; axis++) {
        free(list->axes[axis]);
    }
    free((void *)list->chunks);
    free(list);
}

static bool dense_list_grow(DenseList *list)
{
    const size_t capacity = list->capacity ? list->capacity * 2 : LIST_BLOCK;
    for (int axis = 0; axis < 3; axis++) {
        int32_t *places = realloc(list->axes[axis], capacity * sizeof *places);
        if (!places) {
            return false; // what has grown so far stays larger than need be
        }
        // Blocks are compared whole, whatever lies behind the end.
        memset(places + list->count, 0, (capacity - list->count) * sizeof *places);
        list->axes[axis] = places;
    }
    void *chunks = realloc((void *)list->chunks, capacity * sizeof(const ContenderChunk *));
    if (!chunks) {
        return false;
    }
    list->chunks = chunks;
    list->capacity = capacity;
    return true;
}

static size_t dense_list_insert(void *self, const ContenderEntry *entries, size_t count)
{
    DenseList *list = self;
    for (size_t i = 0; i < count; i++) {
        if (list->count == list->capacity && !dense_list_grow(list)) {
            list->refusal.reason = REFUSAL_NO_MEMORY;
            return i;
        }
        const size_t at = list->count++;
        list->axes[0][at] = entries[i].coord.x;
        list->axes[1][at] = entries[i].coord.y;
        list->axes[2][at] = entries[i].coord.z;
        list->chunks[at] = entries[i].chunk;
    }
    return count;
}

static inline bool dense_list_is_at(const DenseList *list, size_t at, TrnCoord coord)
{
    return ((list->axes[0][at] == coord.x) & (list->axes[1][at] == coord.y) &
            (list->axes[2][at] == coord.z)) != 0;
}

/// Whether a block holds a coordinate; without a way out in the middle, so that compilers make
/// vectors of it.
static inline bool dense_list_block_has(const DenseList *list, size_t block, TrnCoord coord)
{
    const int32_t *x = list->axes[0] + block, *y = list->axes[1] + block,
                  *z = list->axes[2] + block;
    int32_t any = 0;
    for (int i = 0; i < LIST_BLOCK; i++) {
        any |= (x[i] == coord.x) & (y[i] == coord.y) & (z[i] == coord.z);
    }
    return any != 0;
}

/// The place of a coordinate in the list, or its count.
static inline size_t dense_list_place(const DenseList *list, TrnCoord coord)
{
    for (size_t block = 0; block < list->count; block += LIST_BLOCK) {
        if (!dense_list_block_has(list, block, coord)) {
            continue;
        }
        for (size_t at = block; at < block + LIST_BLOCK && at < list->count; at++) {
            if (dense_list_is_at(list, at, coord)) {
                return at;
            }
        }
    }
    return list->count;
}

static void dense_list_remove(void *self, const TrnCoord *coords, size_t count)
{
    DenseList *list = self;
    for (size_t i = 0; i < count; i++) {
        const size_t at = dense_list_place(list, coords[i]);
        const size_t last = --list->count;
        for (int axis = 0; axis < 3; axis++) {
            list->axes[axis][at] = list->axes[axis][last];
        }
        list->chunks[at] = list->chunks[last];
    }
}

static inline const ContenderChunk *dense_list_find_one(const void *self, TrnCoord coord)
{
    const DenseList *list = self;
    const size_t at = dense_list_place(list, coord);
    return at < list->count ? list->chunks[at] : NULL;
}

static void dense_list_find(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    find_each(self, dense_list_find_one, coords, count, out);
}

/// One bit for each of up to 64 chunks from `block` on that lies in the box.
static inline uint64_t dense_list_bits_in_box(const DenseList *list, size_t block, TrnBox box)
{
    const int32_t *x = list->axes[0] + block, *y = list->axes[1] + block,
                  *z = list->axes[2] + block;
    unsigned char inside[LIST_BLOCK];
    for (int i = 0; i < LIST_BLOCK; i++) {
        inside[i] = (x[i] >= box.min.x) & (x[i] <= box.max.x) & (y[i] >= box.min.y) &
                    (y[i] <= box.max.y) & (z[i] >= box.min.z) & (z[i] <= box.max.z);
    }
    uint64_t bits = 0;
    for (unsigned i = 0; i < LIST_BLOCK; i += 8) {
        uint64_t eight;
        memcpy(&eight, inside + i, sizeof eight);
        bits |= (eight * UINT64_C(0x0102040810204080) >> 56) << i; // the lowest bit of each byte
    }
    const size_t left = list->count - block;
    return left < LIST_BLOCK ? bits & ((UINT64_C(1) << left) - 1) : bits;
}

static uint64_t dense_list_bits_in_frustum(const DenseList *list, size_t block, uint64_t bits,
                                           const FrustumTest *frustum)
{
    uint64_t kept = bits;
    for (uint64_t left = bits; left; left &= left - 1) {
        const size_t at = block + (size_t)__builtin_ctzll(left);
        const TrnCoord coord = {list->axes[0][at], list->axes[1][at], list->axes[2][at]};
        if (!frustum_reaches(frustum, coord)) {
            kept &= ~(left & -left);
        }
    }
    return kept;
}

static size_t dense_list_gather_box(const DenseList *list, TrnBox box, const FrustumTest *frustum,
                                    void *out, size_t capacity)
{
    ChunkList found = chunk_list(out, capacity);
    for (size_t block = 0; block < list->count; block += LIST_BLOCK) {
        uint64_t bits = dense_list_bits_in_box(list, block, box);
        if (frustum) {
            bits = dense_list_bits_in_frustum(list, block, bits, frustum);
        }
        append_bits(&found, list->chunks + block, bits);
    }
    return found.count;
}

static size_t dense_list_gather(void *self, TrnBox box, void *out, size_t capacity)
{
    return dense_list_gather_box(self, box, NULL, out, capacity);
}

static size_t dense_list_gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum,
                                        void *out, size_t capacity)
{
    const FrustumTest test = frustum_test(frustum);
    return dense_list_gather_box(self, box, &test, out, capacity);
}

static size_t dense_list_gather_all(void *self, void *out, size_t capacity)
{
    const DenseList *list = self;
    const size_t written = list->count < capacity ? list->count : capacity;
    if (written) {
        memcpy(out, (const void *)list->chunks, written * sizeof(const ContenderChunk *));
    }
    return list->count;
}

static void dense_list_neighbours(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    find_neighbours_of_each(self, dense_list_find_one, coords, count, out);
}

static size_t dense_list_gather_ready(void *self, const ContenderChunk *const *chunks, size_t count,
                                      void *out, size_t capacity)
{
    return find_ready(self, dense_list_find_one, chunks, count, out, capacity);
}

static void dense_list_explain(const void *self, char *text, size_t size)
{
    refusal_explain(&((const DenseList *)self)->refusal, text, size);
}

const Contender contender_dense_list = {
    .version = TERRANE_CONTENDER_VERSION,
    .name = "dense list, scanned",
    .answers = CONTENDER_POINTERS,
    .create = dense_list_create,
    .destroy = dense_list_destroy,
    .insert = dense_list_insert,
    .remove = dense_list_remove,
    .find = dense_list_find,
    .gather = dense_list_gather,
    .gather_all = dense_list_gather_all,
    .gather_frustum = dense_list_gather_frustum,
    .neighbours = dense_list_neighbours,
    .gather_ready = dense_list_gather_ready,
    .explain = dense_list_explain,
};

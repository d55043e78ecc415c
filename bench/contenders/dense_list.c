// A list of coordinates and pointers without an index, as in games that iterate over all chunks
// every frame. A gather scans the list once; a find scans half of it on average, 64 chunks at a
// time.

#include "builtin.h"

#include <stdlib.h>

#include "chunk_list.h"
#include "frustum.h"
#include "refusal.h"

typedef struct DenseList {
    int32_t *axes[3]; // [capacity] x, y, z
    const ContenderChunk **chunks;
    size_t count, capacity; // capacity is a multiple of LIST_BLOCK
    Refusal refusal;
} DenseList;

enum { LIST_BLOCK = 64 };

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
            return false; // arrays that were already reallocated stay larger
        }
        // Whole blocks are compared, so the places past the end must be initialised.
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

static bool dense_list_insert_one(DenseList *list, const ContenderEntry *entry)
{
    if (list->count == list->capacity && !dense_list_grow(list)) {
        list->refusal.reason = REFUSAL_NO_MEMORY;
        return false;
    }
    const size_t at = list->count++;
    list->axes[0][at] = entry->coord.x;
    list->axes[1][at] = entry->coord.y;
    list->axes[2][at] = entry->coord.z;
    list->chunks[at] = entry->chunk;
    return true;
}

static inline bool dense_list_is_at(const DenseList *list, size_t at, TrnCoord coord)
{
    return ((list->axes[0][at] == coord.x) & (list->axes[1][at] == coord.y) &
            (list->axes[2][at] == coord.z)) != 0;
}

/// Whether a block holds a coordinate. The loop has no early exit, so that compilers vectorise it.
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

/// Tests up to 64 chunks, from number `block` on.
/// @return bit i is set if the box contains chunk `block` + i
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
        chunk_list_append_bits(&found, list->chunks + block, bits);
    }
    return found.count;
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

#define CONTENDER(function) dense_list_##function
#define CONTENDER_STRUCT DenseList
#define CONTENDER_OWN_GATHER_ALL
#include "contender_body.h"

const Contender contender_dense_list = CONTENDER_TABLE("dense list, scanned", gather);

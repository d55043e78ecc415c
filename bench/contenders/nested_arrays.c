// Arrays of arrays of arrays, y outermost, then z, then x: each begins and ends where it has to,
// and grows by itself.

#include "builtin.h"

#include <stdlib.h>

#include "find_loops.h"
#include "refusal.h"

/// An array with an origin. The outer ones hold nests, the innermost pointers to chunks; what is
/// not there is all zeroes.
typedef struct Nest {
    int64_t first;           // the coordinate of its first item
    uint32_t length, in_use; // items, and how many of them are there
    void *items;
} Nest;

typedef struct NestedArrays {
    Nest planes; // of rows of chunks
    size_t bytes;
    Refusal refusal;
} NestedArrays;

enum { CHUNK_BYTES = sizeof(const ContenderChunk *) };

static void *nested_arrays_create(const ContenderWorld *world)
{
    (void)world;
    return calloc(1, sizeof(NestedArrays));
}

/// Gives an array back, not what its items hold.
static void nest_free(NestedArrays *arrays, Nest *nest, size_t item_bytes)
{
    void *items = nest->items;
    arrays->bytes -= nest->length * item_bytes;
    *nest = (Nest){0, 0, 0, NULL};
    free(items);
}

static void nested_arrays_destroy(void *self)
{
    NestedArrays *arrays = self;
    Nest *planes = arrays->planes.items;
    for (uint32_t y = 0; y < arrays->planes.length; y++) {
        Nest *rows = planes[y].items;
        for (uint32_t z = 0; z < planes[y].length; z++) {
            free(rows[z].items);
        }
        free(rows);
    }
    free(planes);
    free(arrays);
}

/// Where an item lies, or NULL outside.
static inline void *nest_item(const Nest *nest, int64_t at, size_t item_bytes)
{
    const uint64_t place = (uint64_t)(at - nest->first);
    return place < nest->length ? (unsigned char *)nest->items + place * item_bytes : NULL;
}

static bool nest_item_is_there(const Nest *nest, uint32_t place, size_t item_bytes)
{
    if (item_bytes == CHUNK_BYTES) {
        return ((const ContenderChunk *const *)nest->items)[place] != NULL;
    }
    return ((const Nest *)nest->items)[place].in_use != 0;
}

/// Cuts [*low, *high] to the coordinates in use; there is at least one.
static void nest_trim(const Nest *nest, size_t item_bytes, int64_t *low, int64_t *high)
{
    uint32_t first = 0, last = nest->length - 1;
    while (!nest_item_is_there(nest, first, item_bytes)) {
        first++;
    }
    while (!nest_item_is_there(nest, last, item_bytes)) {
        last--;
    }
    *low = nest->first + first;
    *high = nest->first + last;
}

/// Takes another array for the coordinates in use and one more, half as long again to that side.
/// What a moving world has left behind at the other side is given up. @return the one more, or NULL
/// when there is no memory
static void *nest_grow(NestedArrays *arrays, Nest *nest, int64_t at, size_t item_bytes)
{
    int64_t low = at, high = at, used_low = at, used_high = at - 1;
    if (nest->in_use) {
        nest_trim(nest, item_bytes, &used_low, &used_high);
        low = used_low < at ? used_low : at;
        high = used_high > at ? used_high : at;
    }
    const int64_t length = high - low + 1 + (high - low) / 2;
    const double bytes = (double)arrays->bytes + (double)length * (double)item_bytes;
    unsigned char *items =
        bytes <= (double)ARRAY_BYTES_MAX ? calloc((size_t)length, item_bytes) : NULL;
    if (!items) {
        arrays->refusal = refusal_of_bytes(bytes);
        return NULL;
    }
    const int64_t first = at < used_low ? high - length + 1 : low;
    if (nest->in_use) {
        memcpy(items + (size_t)(used_low - first) * item_bytes,
               nest_item(nest, used_low, item_bytes),
               (size_t)(used_high - used_low + 1) * item_bytes);
    }
    const uint32_t in_use = nest->in_use;
    nest_free(arrays, nest, item_bytes);
    arrays->bytes += (size_t)length * item_bytes;
    *nest = (Nest){first, (uint32_t)length, in_use, items};
    return items + (size_t)(at - first) * item_bytes;
}

/// Where an item lies, after growing if need be; NULL when there is no memory.
static inline void *nest_reach(NestedArrays *arrays, Nest *nest, int64_t at, size_t item_bytes)
{
    void *item = nest_item(nest, at, item_bytes);
    return item ? item : nest_grow(arrays, nest, at, item_bytes);
}

static bool nested_arrays_insert_one(NestedArrays *arrays, const ContenderEntry *entry)
{
    Nest *plane = nest_reach(arrays, &arrays->planes, entry->coord.y, sizeof(Nest));
    Nest *row = plane ? nest_reach(arrays, plane, entry->coord.z, sizeof(Nest)) : NULL;
    const ContenderChunk **cell = row ? nest_reach(arrays, row, entry->coord.x, CHUNK_BYTES) : NULL;
    if (!cell) {
        return false;
    }
    *cell = entry->chunk;
    plane->in_use += row->in_use == 0;
    arrays->planes.in_use += plane->in_use == 1 && row->in_use == 0;
    row->in_use++;
    return true;
}

static size_t nested_arrays_insert(void *self, const ContenderEntry *entries, size_t count)
{
    size_t taken = 0;
    while (taken < count && nested_arrays_insert_one(self, &entries[taken])) {
        taken++;
    }
    return taken;
}

static void nested_arrays_remove_one(NestedArrays *arrays, TrnCoord coord)
{
    Nest *plane = nest_item(&arrays->planes, coord.y, sizeof(Nest));
    Nest *row = nest_item(plane, coord.z, sizeof(Nest));
    const ContenderChunk **cell = nest_item(row, coord.x, CHUNK_BYTES);
    *cell = NULL;
    if (--row->in_use > 0) {
        return;
    }
    nest_free(arrays, row, CHUNK_BYTES);
    if (--plane->in_use > 0) {
        return;
    }
    nest_free(arrays, plane, sizeof(Nest));
    arrays->planes.in_use--;
}

static void nested_arrays_remove(void *self, const TrnCoord *coords, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        nested_arrays_remove_one(self, coords[i]);
    }
}

static inline const ContenderChunk *nested_arrays_find_one(const void *self, TrnCoord coord)
{
    const Nest *plane = nest_item(&((const NestedArrays *)self)->planes, coord.y, sizeof(Nest));
    const Nest *row = plane ? nest_item(plane, coord.z, sizeof(Nest)) : NULL;
    const ContenderChunk *const *cell = row ? nest_item(row, coord.x, CHUNK_BYTES) : NULL;
    return cell ? *cell : NULL;
}

static void nested_arrays_find(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    find_each(self, nested_arrays_find_one, coords, count, out);
}

/// The part of [*low, *high] that an array has. @return whether there is any
static inline bool nest_clip(const Nest *nest, int64_t *low, int64_t *high)
{
    const int64_t end = nest->first + nest->length - 1;
    *low = *low < nest->first ? nest->first : *low;
    *high = *high > end ? end : *high;
    return *low <= *high;
}

static void gather_nested_row(const Nest *row, int64_t x, int64_t last, ChunkList *list)
{
    if (nest_clip(row, &x, &last)) {
        const ContenderChunk *const *cells = row->items;
        append_row(list, cells + (x - row->first), (size_t)(last - x + 1));
    }
}

static void gather_nested_plane(const Nest *plane, TrnBox box, const FrustumTest *frustum,
                                int64_t y, ChunkList *list)
{
    int64_t low = box.min.z, high = box.max.z;
    if (!nest_clip(plane, &low, &high)) {
        return;
    }
    const Nest *row = nest_item(plane, low, sizeof(Nest));
    for (int64_t z = low; z <= high; z++, row++) {
        int64_t x = box.min.x, last = box.max.x;
        if (row->in_use && (!frustum || frustum_clip_row(frustum, y, z, &x, &last))) {
            gather_nested_row(row, x, last, list);
        }
    }
}

static size_t nested_arrays_gather_box(const NestedArrays *arrays, TrnBox box,
                                       const FrustumTest *frustum, void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    int64_t low = box.min.y, high = box.max.y;
    if (!nest_clip(&arrays->planes, &low, &high)) {
        return 0;
    }
    const Nest *plane = nest_item(&arrays->planes, low, sizeof(Nest));
    for (int64_t y = low; y <= high; y++, plane++) {
        if (plane->in_use) {
            gather_nested_plane(plane, box, frustum, y, &list);
        }
    }
    return list.count;
}

static size_t nested_arrays_gather(void *self, TrnBox box, void *out, size_t capacity)
{
    return nested_arrays_gather_box(self, box, NULL, out, capacity);
}

static size_t nested_arrays_gather_frustum(void *self, TrnBox box, const TrnFrustum *frustum,
                                           void *out, size_t capacity)
{
    const FrustumTest test = frustum_test(frustum);
    return nested_arrays_gather_box(self, box, &test, out, capacity);
}

static size_t nested_arrays_gather_all(void *self, void *out, size_t capacity)
{
    return nested_arrays_gather_box(self, trn_box_everything(), NULL, out, capacity);
}

static void nested_arrays_neighbours(const void *self, const TrnCoord *coords, size_t count,
                                     void *out)
{
    find_neighbours_of_each(self, nested_arrays_find_one, coords, count, out);
}

static size_t nested_arrays_gather_ready(void *self, const ContenderChunk *const *chunks,
                                         size_t count, void *out, size_t capacity)
{
    return find_ready(self, nested_arrays_find_one, chunks, count, out, capacity);
}

static void nested_arrays_explain(const void *self, char *text, size_t size)
{
    refusal_explain(&((const NestedArrays *)self)->refusal, text, size);
}

const Contender contender_nested_arrays = {
    .version = TERRANE_CONTENDER_VERSION,
    .name = "array of arrays",
    .answers = CONTENDER_POINTERS,
    .create = nested_arrays_create,
    .destroy = nested_arrays_destroy,
    .insert = nested_arrays_insert,
    .remove = nested_arrays_remove,
    .find = nested_arrays_find,
    .gather = nested_arrays_gather,
    .gather_all = nested_arrays_gather_all,
    .gather_frustum = nested_arrays_gather_frustum,
    .neighbours = nested_arrays_neighbours,
    .gather_ready = nested_arrays_gather_ready,
    .explain = nested_arrays_explain,
};

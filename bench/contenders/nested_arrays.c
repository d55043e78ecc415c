// Arrays of arrays of arrays: y outermost, then z, then x. Each array has its own origin and
// length, and grows independently.

#include "builtin.h"

#include <stdlib.h>

#include "chunk_list.h"
#include "frustum.h"
#include "refusal.h"

/// An array with an origin. The items of the two outer levels are nests; the items of the innermost
/// level are pointers to chunks. Empty items are all zeroes.
typedef struct Nest {
    int64_t first;           // the coordinate of its first item
    uint32_t length, in_use; // items, and how many of them are not empty
    void *items;
} Nest;

typedef struct NestedArrays {
    Nest planes; // of rows of chunks
    size_t bytes;
    Refusal refusal;
} NestedArrays;

enum { CHUNK_BYTES = sizeof(const ContenderChunk *) };

/// Frees an array, but not the arrays in its items.
static void nested_free(NestedArrays *arrays, Nest *nest, size_t item_bytes)
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

/// The address of an item, or NULL if it lies outside the array.
static inline void *nested_item(const Nest *nest, int64_t at, size_t item_bytes)
{
    const uint64_t place = (uint64_t)(at - nest->first);
    return place < nest->length ? (unsigned char *)nest->items + place * item_bytes : NULL;
}

static bool nested_item_exists(const Nest *nest, uint32_t place, size_t item_bytes)
{
    if (item_bytes == CHUNK_BYTES) {
        return ((const ContenderChunk *const *)nest->items)[place] != NULL;
    }
    return ((const Nest *)nest->items)[place].in_use != 0;
}

/// The range of coordinates in use. At least one item must be in use.
static void nested_trim(const Nest *nest, size_t item_bytes, int64_t *low, int64_t *high)
{
    uint32_t first = 0, last = nest->length - 1;
    while (!nested_item_exists(nest, first, item_bytes)) {
        first++;
    }
    while (!nested_item_exists(nest, last, item_bytes)) {
        last--;
    }
    *low = nest->first + first;
    *high = nest->first + last;
}

/// Replaces the array by one that covers the coordinates in use and `at`, and is 1.5 times as long,
/// with the extra length towards `at`. Drops empty items at the other end, which a moving world
/// leaves behind. @return the item at `at`, or NULL if out of memory
static void *nested_grow(NestedArrays *arrays, Nest *nest, int64_t at, size_t item_bytes)
{
    int64_t low = at, high = at, used_low = at, used_high = at - 1;
    if (nest->in_use) {
        nested_trim(nest, item_bytes, &used_low, &used_high);
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
               nested_item(nest, used_low, item_bytes),
               (size_t)(used_high - used_low + 1) * item_bytes);
    }
    const uint32_t in_use = nest->in_use;
    nested_free(arrays, nest, item_bytes);
    arrays->bytes += (size_t)length * item_bytes;
    *nest = (Nest){first, (uint32_t)length, in_use, items};
    return items + (size_t)(at - first) * item_bytes;
}

/// The address of an item. Grows the array if the item lies outside. @return NULL if out of memory
static inline void *nested_reach(NestedArrays *arrays, Nest *nest, int64_t at, size_t item_bytes)
{
    void *item = nested_item(nest, at, item_bytes);
    return item ? item : nested_grow(arrays, nest, at, item_bytes);
}

static bool nested_arrays_insert_one(NestedArrays *arrays, const ContenderEntry *entry)
{
    Nest *plane = nested_reach(arrays, &arrays->planes, entry->coord.y, sizeof(Nest));
    Nest *row = plane ? nested_reach(arrays, plane, entry->coord.z, sizeof(Nest)) : NULL;
    const ContenderChunk **cell =
        row ? nested_reach(arrays, row, entry->coord.x, CHUNK_BYTES) : NULL;
    if (!cell) {
        return false;
    }
    *cell = entry->chunk;
    plane->in_use += row->in_use == 0;
    arrays->planes.in_use += plane->in_use == 1 && row->in_use == 0;
    row->in_use++;
    return true;
}

static void nested_arrays_remove_one(NestedArrays *arrays, TrnCoord coord)
{
    Nest *plane = nested_item(&arrays->planes, coord.y, sizeof(Nest));
    Nest *row = nested_item(plane, coord.z, sizeof(Nest));
    const ContenderChunk **cell = nested_item(row, coord.x, CHUNK_BYTES);
    *cell = NULL;
    if (--row->in_use > 0) {
        return;
    }
    nested_free(arrays, row, CHUNK_BYTES);
    if (--plane->in_use > 0) {
        return;
    }
    nested_free(arrays, plane, sizeof(Nest));
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
    const Nest *plane = nested_item(&((const NestedArrays *)self)->planes, coord.y, sizeof(Nest));
    const Nest *row = plane ? nested_item(plane, coord.z, sizeof(Nest)) : NULL;
    const ContenderChunk *const *cell = row ? nested_item(row, coord.x, CHUNK_BYTES) : NULL;
    return cell ? *cell : NULL;
}

/// Clips [*low, *high] to an array. @return whether the range and the array overlap
static inline bool nested_clip(const Nest *nest, int64_t *low, int64_t *high)
{
    const int64_t end = nest->first + nest->length - 1;
    *low = *low < nest->first ? nest->first : *low;
    *high = *high > end ? end : *high;
    return *low <= *high;
}

static void nested_gather_row(const Nest *row, int64_t x, int64_t last, ChunkList *list)
{
    if (nested_clip(row, &x, &last)) {
        const ContenderChunk *const *cells = row->items;
        chunk_list_append_row(list, cells + (x - row->first), (size_t)(last - x + 1));
    }
}

static void nested_gather_plane(const Nest *plane, TrnBox box, const FrustumTest *frustum,
                                int64_t y, ChunkList *list)
{
    int64_t low = box.min.z, high = box.max.z;
    if (!nested_clip(plane, &low, &high)) {
        return;
    }
    const Nest *row = nested_item(plane, low, sizeof(Nest));
    for (int64_t z = low; z <= high; z++, row++) {
        int64_t x = box.min.x, last = box.max.x;
        if (row->in_use && (!frustum || frustum_clip_row(frustum, y, z, &x, &last))) {
            nested_gather_row(row, x, last, list);
        }
    }
}

static size_t nested_arrays_gather_box(const NestedArrays *arrays, TrnBox box,
                                       const FrustumTest *frustum, void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    int64_t low = box.min.y, high = box.max.y;
    if (!nested_clip(&arrays->planes, &low, &high)) {
        return 0;
    }
    const Nest *plane = nested_item(&arrays->planes, low, sizeof(Nest));
    for (int64_t y = low; y <= high; y++, plane++) {
        if (plane->in_use) {
            nested_gather_plane(plane, box, frustum, y, &list);
        }
    }
    return list.count;
}

#define CONTENDER(function) nested_arrays_##function
#define CONTENDER_STRUCT NestedArrays
#include "contender_body.h"

const Contender contender_nested_arrays = CONTENDER_TABLE("array of arrays", gather);

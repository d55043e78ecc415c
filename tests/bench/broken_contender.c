// Wrong contenders that terrane-bench must detect: a plain list of chunks with one fault, chosen by
// BROKEN_... at compile time.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contender.h"

typedef struct List {
    const ContenderChunk **chunks;
    size_t count, capacity;
} List;

static void list_find(const void *self, const TrnCoord *coords, size_t count, void *out);

static void *list_create(const ContenderWorld *world)
{
    (void)world;
    (void)list_find; // one variant lacks it
#ifdef BROKEN_CRASHES_IN_CREATE
    abort();
#endif
    return calloc(1, sizeof(List));
}

static void list_destroy(void *self)
{
    free(((List *)self)->chunks);
    free(self);
}

static size_t list_insert(void *self, const ContenderEntry *entries, size_t count)
{
    List *list = self;
#if defined(BROKEN_REFUSES) || defined(BROKEN_EXPLAINS)
    return 0;
#endif
#ifdef BROKEN_TAKES_TOO_MANY
    return count + 1;
#endif
    if (list->count + count > list->capacity) {
        size_t capacity = 2 * (list->count + count);
        const ContenderChunk **grown = realloc(list->chunks, capacity * sizeof(const void *));
        if (!grown) {
            return 0;
        }
        list->chunks = grown;
        list->capacity = capacity;
    }
    for (size_t i = 0; i < count; i++) {
        list->chunks[list->count++] = entries[i].chunk;
    }
    return count;
}

static size_t list_at(const List *list, TrnCoord coord)
{
    size_t i = 0;
    while (i < list->count && !trn_coord_equal(list->chunks[i]->coord, coord)) {
        i++;
    }
    return i;
}

static void list_remove(void *self, const TrnCoord *coords, size_t count)
{
    List *list = self;
    for (size_t i = 0; i < count; i++) {
#ifdef BROKEN_REMOVES_WRONGLY
        (void)coords;
        const size_t at = 0;
#else
        const size_t at = list_at(list, coords[i]);
#endif
        list->chunks[at] = list->chunks[list->count - 1];
        list->count--;
    }
}

static void list_find(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    const List *list = self;
    const ContenderChunk **found = out;
    for (size_t i = 0; i < count; i++) {
#ifdef BROKEN_FINDS_WRONGLY
        (void)coords;
        found[i] = list->chunks[0];
#else
        size_t at = list_at(list, coords[i]);
        found[i] = at < list->count ? list->chunks[at] : NULL;
#endif
    }
}

static size_t list_gather(void *self, TrnBox box, void *out, size_t capacity)
{
    const List *list = self;
    const ContenderChunk **found = out;
    size_t count = 0;
#ifdef BROKEN_CRASHES
    abort();
#endif
#ifdef BROKEN_GATHERS_TOO_MUCH
    // Correct for a box around everything, wrong for any other.
    box = (TrnBox){{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
#endif
#ifdef BROKEN_WRITES_BEHIND
    found[capacity] = list->chunks[0];
#endif
    for (size_t i = 0; i < list->count; i++) {
        if (trn_box_contains(box, list->chunks[i]->coord)) {
            if (count < capacity) {
                found[count] = list->chunks[i];
            }
            count++;
        }
    }
#ifdef BROKEN_LEAVES_OUT
    count--;
#endif
    return count;
}

static size_t list_gather_all(void *self, void *out, size_t capacity)
{
    TrnBox everything = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    return list_gather(self, everything, out, capacity);
}

#ifdef BROKEN_EXPLAINS
static void list_explain(const void *self, char *text, size_t size)
{
    (void)self;
    (void)snprintf(text, size, "it says \033[2J so");
}
#endif

static const Contender broken = {
#ifdef BROKEN_VERSION
    .version = TERRANE_CONTENDER_VERSION + 1,
#else
    .version = TERRANE_CONTENDER_VERSION,
#endif
    .name = "broken list",
    .answers = CONTENDER_POINTERS,
    .create = list_create,
    .destroy = list_destroy,
    .insert = list_insert,
    .remove = list_remove,
#ifndef BROKEN_LACKS_FIND
    .find = list_find,
#endif
    .gather = list_gather,
    .gather_all = list_gather_all,
#ifdef BROKEN_EXPLAINS
    .explain = list_explain,
#endif
};

#ifdef BROKEN_LACKS_EXPORT
const Contender *another_name(void);
__attribute__((visibility("default"))) const Contender *another_name(void)
#else
const Contender *terrane_contender(void)
#endif
{
#ifdef BROKEN_CRASHES_WHILE_LOADING
    abort();
#endif
    return &broken;
}

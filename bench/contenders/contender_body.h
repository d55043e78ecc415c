/// Implements the functions of a Contender in C with a few functions of the including source. The
/// source defines
///
///     #define CONTENDER(function) flat_array_##function
///     #define CONTENDER_STRUCT FlatArray             // has a member `Refusal refusal`
///     #define CONTENDER_ANSWER const ContenderChunk * // or uint32_t for chunk numbers
///
/// and the functions destroy, remove and
///
///     bool insert_one(FlatArray *, const ContenderEntry *);    // false: see `refusal`
///     CONTENDER_ANSWER find_one(const void *self, TrnCoord);
///     size_t gather_box(FlatArray *, TrnBox, const FrustumTest *, void *out, size_t capacity);
///
/// and then includes this file. If the source defines a macro CONTENDER_OWN_..., it defines that
/// function too. All calls are direct, so compilers inline `find_one` into each loop.

#include <stdlib.h>

#include "chunk_list.h"
#include "frustum.h"
#include "refusal.h"

#ifndef CONTENDER_ANSWER
#define CONTENDER_ANSWER const ContenderChunk *
#define CONTENDER_IS_FOUND(answer) ((answer) != NULL)
#define CONTENDER_ANSWER_OF(chunk) (chunk)
#define CONTENDER_KIND CONTENDER_POINTERS
#else
#define CONTENDER_IS_FOUND(answer) ((answer) != CONTENDER_NUMBER_NONE)
#define CONTENDER_ANSWER_OF(chunk) ((chunk)->number)
#define CONTENDER_KIND CONTENDER_NUMBERS
#endif

#ifndef CONTENDER_OWN_CREATE
static void *CONTENDER(create)(const ContenderWorld *world)
{
    (void)world;
    return calloc(1, sizeof(CONTENDER_STRUCT));
}
#endif

static size_t CONTENDER(insert)(void *self, const ContenderEntry *entries, size_t count)
{
    size_t taken = 0;
    while (taken < count && CONTENDER(insert_one)(self, &entries[taken])) {
        taken++;
    }
    return taken;
}

static void CONTENDER(find)(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    CONTENDER_ANSWER *answers = out;
    for (size_t i = 0; i < count; i++) {
        answers[i] = CONTENDER(find_one)(self, coords[i]);
    }
}

#ifndef CONTENDER_OWN_NEIGHBOURS
static void CONTENDER(neighbours)(const void *self, const TrnCoord *coords, size_t count, void *out)
{
    CONTENDER_ANSWER *answers = out;
    for (size_t i = 0; i < count; i++) {
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            *answers++ = CONTENDER(find_one)(self, trn_coord_neighbour(coords[i], (TrnFace)face));
        }
    }
}
#endif

#ifndef CONTENDER_OWN_READY
static inline bool CONTENDER(has_all_neighbours)(const void *self, TrnCoord coord)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (!CONTENDER_IS_FOUND(
                CONTENDER(find_one)(self, trn_coord_neighbour(coord, (TrnFace)face)))) {
            return false;
        }
    }
    return true;
}

static size_t CONTENDER(gather_ready)(void *self, const ContenderChunk *const *chunks, size_t count,
                                      void *out, size_t capacity)
{
    CONTENDER_ANSWER *answers = out;
    size_t ready = 0;
    for (size_t i = 0; i < count; i++) {
        if (CONTENDER(has_all_neighbours)(self, chunks[i]->coord)) {
            if (ready < capacity) {
                answers[ready] = CONTENDER_ANSWER_OF(chunks[i]);
            }
            ready++;
        }
    }
    return ready;
}
#endif

#ifdef CONTENDER_PROBES
/// Gathers a box by looking up each of its coordinates. With a frustum, looks up only coordinates
/// whose chunks reach into it.
static inline size_t CONTENDER(probe_box)(const void *self, TrnBox box, const FrustumTest *frustum,
                                          void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    if (trn_box_is_empty(box)) {
        return 0;
    }
    // int64 counters: a box may end at INT32_MAX.
    for (int64_t y = box.min.y; y <= box.max.y; y++) {
        for (int64_t z = box.min.z; z <= box.max.z; z++) {
            int64_t x = box.min.x, last = box.max.x;
            if (frustum && !frustum_clip_row(frustum, y, z, &x, &last)) {
                continue;
            }
            for (; x <= last; x++) {
                const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                const ContenderChunk *chunk = CONTENDER(find_one)(self, coord);
                if (chunk) {
                    chunk_list_append(&list, chunk);
                }
            }
        }
    }
    return list.count;
}

static size_t CONTENDER(probe)(void *self, TrnBox box, void *out, size_t capacity)
{
    return CONTENDER(probe_box)(self, box, NULL, out, capacity);
}

static size_t CONTENDER(probe_frustum)(void *self, TrnBox box, const TrnFrustum *frustum, void *out,
                                       size_t capacity)
{
    const FrustumTest test = frustum_test(frustum);
    return CONTENDER(probe_box)(self, box, &test, out, capacity);
}
#endif

#ifndef CONTENDER_OWN_GATHER
static size_t CONTENDER(gather)(void *self, TrnBox box, void *out, size_t capacity)
{
    return CONTENDER(gather_box)(self, box, NULL, out, capacity);
}

static size_t CONTENDER(gather_frustum)(void *self, TrnBox box, const TrnFrustum *frustum,
                                        void *out, size_t capacity)
{
    const FrustumTest test = frustum_test(frustum);
    return CONTENDER(gather_box)(self, box, &test, out, capacity);
}
#endif

#ifndef CONTENDER_OWN_GATHER_ALL
static size_t CONTENDER(gather_all)(void *self, void *out, size_t capacity)
{
    return CONTENDER(gather)(self, trn_box_everything(), out, capacity);
}
#endif

#ifndef CONTENDER_OWN_EXPLAIN
static void CONTENDER(explain)(const void *self, char *text, size_t size)
{
    refusal_explain(&((const CONTENDER_STRUCT *)self)->refusal, text, size);
}
#endif

/// The table of functions. @param box  which functions gather a box: `gather` or `probe`
#define CONTENDER_TABLE(label, box)                                                                \
    {                                                                                              \
        .version = TERRANE_CONTENDER_VERSION, .name = (label), .answers = CONTENDER_KIND,          \
        .create = CONTENDER(create), .destroy = CONTENDER(destroy), .insert = CONTENDER(insert),   \
        .remove = CONTENDER(remove), .find = CONTENDER(find), .gather = CONTENDER(box),            \
        .gather_all = CONTENDER(gather_all), .gather_frustum = CONTENDER(box##_frustum),           \
        .neighbours = CONTENDER(neighbours), .gather_ready = CONTENDER(gather_ready),              \
        .explain = CONTENDER(explain),                                                             \
    }

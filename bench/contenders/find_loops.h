/// What follows from finding one chunk, for contenders in C that answer with pointers: the loops
/// that a Contender's functions are made of, with the function that finds inlined into each.
#ifndef TERRANE_BENCH_CONTENDERS_FIND_LOOPS_H
#define TERRANE_BENCH_CONTENDERS_FIND_LOOPS_H

#include "chunk_list.h"
#include "frustum.h"

/// The chunk at a coordinate, or NULL.
typedef const ContenderChunk *FindChunk(const void *self, TrnCoord coord);

/// Compilers turn the call through `find` into its body only where this is inlined itself.
#define FIND_LOOP static inline __attribute__((always_inline))

FIND_LOOP void find_each(const void *self, FindChunk *find, const TrnCoord *coords, size_t count,
                         void *out)
{
    const ContenderChunk **chunks = (const ContenderChunk **)out;
    for (size_t i = 0; i < count; i++) {
        chunks[i] = find(self, coords[i]);
    }
}

FIND_LOOP void find_neighbours_of_each(const void *self, FindChunk *find, const TrnCoord *coords,
                                       size_t count, void *out)
{
    const ContenderChunk **chunks = (const ContenderChunk **)out;
    for (size_t i = 0; i < count; i++) {
        for (int face = 0; face < TRN_FACE_COUNT; face++) {
            *chunks++ = find(self, trn_coord_neighbour(coords[i], (TrnFace)face));
        }
    }
}

FIND_LOOP bool all_neighbours_found(const void *self, FindChunk *find, TrnCoord coord)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        if (!find(self, trn_coord_neighbour(coord, (TrnFace)face))) {
            return false;
        }
    }
    return true;
}

FIND_LOOP size_t find_ready(const void *self, FindChunk *find, const ContenderChunk *const *chunks,
                            size_t count, void *out, size_t capacity)
{
    ChunkList list = chunk_list(out, capacity);
    for (size_t i = 0; i < count; i++) {
        if (all_neighbours_found(self, find, chunks[i]->coord)) {
            append_chunk(&list, chunks[i]);
        }
    }
    return list.count;
}

/// Gathers a box by finding what lies at each of its coordinates; with a frustum, at each that
/// reaches into it.
FIND_LOOP size_t find_in_box(const void *self, FindChunk *find, TrnBox box,
                             const FrustumTest *frustum, void *out, size_t capacity)
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
                const ContenderChunk *chunk = find(self, coord);
                if (chunk) {
                    append_chunk(&list, chunk);
                }
            }
        }
    }
    return list.count;
}

#endif

/// What the peers of topic `mesher` have in common: how a face's block and ambient occlusion become
/// a key, and a rectangle of equal keys a quad.
#ifndef TERRANE_BENCH_MESH_PEER_QUADS_H
#define TERRANE_BENCH_MESH_PEER_QUADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/mesher.h>

#include "mesh_padded.h"

// What differs between the peers with and without ambient occlusion is a constant once this is
// inlined.
#define PEER_INLINE static inline __attribute__((always_inline))

/// From a voxel of a padded cube to the next along x, y, z.
static const ptrdiff_t mesh_peer_steps[3] = {1, (ptrdiff_t)MESH_PADDED_EDGE *MESH_PADDED_EDGE,
                                             MESH_PADDED_EDGE};

/// What faces must have in common to be merged: the block and, above it, the ambient occlusion if
/// there is any. 24 bits, not 0.
typedef int32_t FaceKey;

PEER_INLINE TrnQuad pack_quad(const int at[3], int width, int height, int face, FaceKey key,
                              bool has_ao)
{
    const TrnQuad light = has_ao ? (TrnQuad)key >> 16 : 255;
    const uint32_t place = (uint32_t)(at[0] | at[1] << 5 | at[2] << 10 | (width - 1) << 15 |
                                      (height - 1) << 20 | face << 25);
    return place | light << 28 | (TrnQuad)(key & 0xFFFF) << 36;
}

PEER_INLINE uint32_t corner_light(bool side_a, bool side_b, bool corner)
{
    return side_a && side_b ? 0 : 3u - side_a - side_b - corner;
}

/// The four corners of a face, from the layer before it. @param front  the voxel before the face
PEER_INLINE uint32_t face_light(const TrnBlock *front, ptrdiff_t u, ptrdiff_t v)
{
    const bool left = front[-u] != 0, right = front[u] != 0;
    const bool low = front[-v] != 0, high = front[v] != 0;
    return corner_light(left, low, front[-u - v] != 0) |
           corner_light(right, low, front[u - v] != 0) << 2 |
           corner_light(left, high, front[v - u] != 0) << 4 |
           corner_light(right, high, front[u + v] != 0) << 6;
}

PEER_INLINE FaceKey face_key(TrnBlock block, const TrnBlock *front, ptrdiff_t u, ptrdiff_t v,
                             bool has_ao)
{
    return block | (has_ao ? (FaceKey)(face_light(front, u, v) << 16) : 0);
}

#endif

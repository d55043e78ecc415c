/// Shared by the peers of topic `mesher`: the key of a face's block and ambient occlusion, and the
/// quad of a rectangle of equal keys.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <terrane/mesher.h>

#include "mesh_padded.h"

// Inlining makes the parameter has_ao a constant.
#define PEER_INLINE static inline __attribute__((always_inline))

/// The distance between adjacent voxels of a padded cube along x, y, z.
static const ptrdiff_t mesh_peer_steps[3] = {1, (ptrdiff_t)MESH_PADDED_EDGE *MESH_PADDED_EDGE,
                                             MESH_PADDED_EDGE};

/// Faces with equal keys are merged. A key has the block in the low 16 bits and the ambient
/// occlusion, if any, in the next 8. Never 0.
typedef int32_t FaceKey;

PEER_INLINE TrnQuad mesh_pack_quad(const int at[3], int width, int height, int face, FaceKey key,
                                   bool has_ao)
{
    const TrnQuad light = has_ao ? (TrnQuad)key >> 16 : 255;
    const uint32_t place = (uint32_t)(at[0] | at[1] << 5 | at[2] << 10 | (width - 1) << 15 |
                                      (height - 1) << 20 | face << 25);
    return place | light << 28 | (TrnQuad)(key & 0xFFFF) << 36;
}

PEER_INLINE uint32_t mesh_corner_light(bool side_a, bool side_b, bool corner)
{
    return side_a && side_b ? 0 : 3u - side_a - side_b - corner;
}

/// The ambient occlusion of a face's four corners. @param front the voxel before the face
PEER_INLINE uint32_t mesh_face_light(const TrnBlock *front, ptrdiff_t u, ptrdiff_t v)
{
    const bool left = front[-u] != 0, right = front[u] != 0;
    const bool low = front[-v] != 0, high = front[v] != 0;
    return mesh_corner_light(left, low, front[-u - v] != 0) |
           mesh_corner_light(right, low, front[u - v] != 0) << 2 |
           mesh_corner_light(left, high, front[v - u] != 0) << 4 |
           mesh_corner_light(right, high, front[u + v] != 0) << 6;
}

PEER_INLINE FaceKey mesh_face_key(TrnBlock block, const TrnBlock *front, ptrdiff_t u, ptrdiff_t v,
                                  bool has_ao)
{
    return block | (has_ao ? (FaceKey)(mesh_face_light(front, u, v) << 16) : 0);
}

#include "mesh_peers.h"

#include <stdbool.h>

enum { EDGE = TRN_CHUNK_EDGE };

/// Along x, y, z in a padded cube.
static const ptrdiff_t steps[3] = {1, (ptrdiff_t)MESH_PADDED_EDGE *MESH_PADDED_EDGE,
                                   MESH_PADDED_EDGE};

// What differs between the peers with and without light is a constant once this is inlined.
#define PEER_INLINE static inline __attribute__((always_inline))

/// What faces must have in common to be merged: the block and, above it, the light if there is any.
/// 24 bits.
typedef int32_t FaceKey;

PEER_INLINE TrnQuad pack_quad(const int at[3], int width, int height, int face, FaceKey key,
                              bool has_ao)
{
    const TrnQuad light = has_ao ? (TrnQuad)key >> 16 : 255;
    const uint32_t place = (uint32_t)(at[0] | at[1] << 5 | at[2] << 10 | (width - 1) << 15 |
                                      (height - 1) << 20 | face << 25);
    return place | light << 28 | (TrnQuad)(key & 0xFFFF) << 36;
}

// ---- ambient occlusion -------------------------------------------------------------------------

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

// ---- culling -----------------------------------------------------------------------------------

PEER_INLINE TrnQuad *cull_face(TrnQuad *out, const TrnBlock *voxel, const int at[3], int face,
                               bool has_ao)
{
    static const int widths[3] = {2, 0, 0}, heights[3] = {1, 2, 1}; // trn_quad_axes, as constants
    const int axis = face / 2;
    const TrnBlock *const front = face % 2 ? voxel + steps[axis] : voxel - steps[axis];
    if (*front == 0) {
        const FaceKey key =
            face_key(*voxel, front, steps[widths[axis]], steps[heights[axis]], has_ao);
        *out++ = pack_quad(at, 1, 1, face, key, has_ao);
    }
    return out;
}

PEER_INLINE size_t cull(const TrnBlock *padded, TrnQuad *quads, bool has_ao)
{
    TrnQuad *out = quads;
    for (int y = 0; y < EDGE; y++) {
        for (int z = 0; z < EDGE; z++) {
            const TrnBlock *const row = padded + mesh_padded_index(0, y, z);
            for (int x = 0; x < EDGE; x++) {
                if (row[x] == 0) {
                    continue;
                }
                const int at[3] = {x, y, z};
                out = cull_face(out, row + x, at, TRN_FACE_NEG_X, has_ao);
                out = cull_face(out, row + x, at, TRN_FACE_POS_X, has_ao);
                out = cull_face(out, row + x, at, TRN_FACE_NEG_Y, has_ao);
                out = cull_face(out, row + x, at, TRN_FACE_POS_Y, has_ao);
                out = cull_face(out, row + x, at, TRN_FACE_NEG_Z, has_ao);
                out = cull_face(out, row + x, at, TRN_FACE_POS_Z, has_ao);
            }
        }
    }
    return (size_t)(out - quads);
}

size_t mesh_by_culling(const TrnBlock *padded, TrnQuad *quads)
{
    return cull(padded, quads, false);
}

size_t mesh_by_culling_with_ao(const TrnBlock *padded, TrnQuad *quads)
{
    return cull(padded, quads, true);
}

// ---- classic greedy ----------------------------------------------------------------------------

/// The boundary between two layers of voxels, along an axis. The axes are constants once this is
/// inlined: three times the same code, which is a fifth faster than once.
typedef struct Slice {
    int axis, width_axis, height_axis;
    int layer; ///< the boundary lies before this one, 0..32
} Slice;

/// Which faces the boundary holds: keys of those that look along the axis, negative ones of those
/// that look back. Faces of voxels outside the chunk are left to the neighbours.
PEER_INLINE void mask_slice(Slice slice, const TrnBlock *padded, bool has_ao, FaceKey *mask)
{
    const ptrdiff_t along = steps[slice.axis];
    const ptrdiff_t u = steps[slice.width_axis], v = steps[slice.height_axis];
    const TrnBlock *const corner = padded + mesh_padded_index(0, 0, 0) + (slice.layer - 1) * along;
    const bool has_below = slice.layer > 0, has_above = slice.layer < EDGE;
    for (int j = 0; j < EDGE; j++) {
        for (int i = 0; i < EDGE; i++) {
            const TrnBlock *const below = corner + i * u + j * v, *const above = below + along;
            FaceKey key = 0;
            if (*below && !*above) {
                key = face_key(*below, above, u, v, has_ao);
                key = has_below ? key : 0;
            } else if (!*below && *above) {
                key = -face_key(*above, below, u, v, has_ao);
                key = has_above ? key : 0;
            }
            *mask++ = key;
        }
    }
}

/// Whether `width` entries of a mask are this key.
PEER_INLINE bool row_is(const FaceKey *row, int width, FaceKey key)
{
    for (int i = 0; i < width; i++) {
        if (row[i] != key) {
            return false;
        }
    }
    return true;
}

PEER_INLINE TrnQuad slice_quad(Slice slice, int i, int j, int width, int height, FaceKey key,
                               bool has_ao)
{
    const FaceKey sign = key >> 31; // branches on it would be guessed wrong half the time
    int at[3];
    at[slice.axis] = slice.layer - 1 - sign;
    at[slice.width_axis] = i;
    at[slice.height_axis] = j;
    return pack_quad(at, width, height, slice.axis * 2 + 1 + sign, (key ^ sign) - sign, has_ao);
}

/// Takes a mask apart into rectangles: as wide as they can be, then as high.
PEER_INLINE TrnQuad *emit_slice(Slice slice, FaceKey *mask, TrnQuad *out, bool has_ao)
{
    for (int j = 0; j < EDGE; j++) {
        for (int i = 0; i < EDGE;) {
            FaceKey *const first = &mask[j * EDGE + i];
            const FaceKey key = *first;
            if (key == 0) {
                i++;
                continue;
            }
            int width = 1, height = 1;
            while (i + width < EDGE && first[width] == key) {
                width++;
            }
            while (j + height < EDGE && row_is(&mask[(j + height) * EDGE + i], width, key)) {
                height++;
            }
            *out++ = slice_quad(slice, i, j, width, height, key, has_ao);
            for (int row = 0; row < height; row++) {
                for (int column = 0; column < width; column++) {
                    first[row * EDGE + column] = 0;
                }
            }
            i += width;
        }
    }
    return out;
}

PEER_INLINE TrnQuad *mesh_along(int axis, int width_axis, int height_axis, const TrnBlock *padded,
                                TrnQuad *out, bool has_ao)
{
    FaceKey mask[EDGE * EDGE];
    for (int layer = 0; layer <= EDGE; layer++) {
        const Slice slice = {axis, width_axis, height_axis, layer};
        mask_slice(slice, padded, has_ao, mask);
        out = emit_slice(slice, mask, out, has_ao);
    }
    return out;
}

PEER_INLINE size_t mesh_greedily(const TrnBlock *padded, TrnQuad *quads, bool has_ao)
{
    TrnQuad *out = mesh_along(0, 2, 1, padded, quads, has_ao); // the axes of trn_quad_axes
    out = mesh_along(1, 0, 2, padded, out, has_ao);
    out = mesh_along(2, 0, 1, padded, out, has_ao);
    return (size_t)(out - quads);
}

size_t mesh_by_greedy(const TrnBlock *padded, TrnQuad *quads)
{
    return mesh_greedily(padded, quads, false);
}

size_t mesh_by_greedy_with_ao(const TrnBlock *padded, TrnQuad *quads)
{
    return mesh_greedily(padded, quads, true);
}

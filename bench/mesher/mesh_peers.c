#include "mesh_peers.h"

#include "mesh_peer_quads.h"

enum { EDGE = TRN_CHUNK_EDGE };

// ---- culling -----------------------------------------------------------------------------------

PEER_INLINE TrnQuad *mesh_cull_face(TrnQuad *out, const TrnBlock *voxel, const int at[3], int face,
                                    bool has_ao)
{
    static const int widths[3] = {2, 0, 0}, heights[3] = {1, 2, 1}; // trn_quad_axes, as constants
    const int axis = face / 2;
    const TrnBlock *const front =
        face % 2 ? voxel + mesh_peer_steps[axis] : voxel - mesh_peer_steps[axis];
    if (*front == 0) {
        const FaceKey key = mesh_face_key(*voxel, front, mesh_peer_steps[widths[axis]],
                                          mesh_peer_steps[heights[axis]], has_ao);
        *out++ = mesh_pack_quad(at, 1, 1, face, key, has_ao);
    }
    return out;
}

PEER_INLINE size_t mesh_cull(const TrnBlock *padded, TrnQuad *quads, bool has_ao)
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
                out = mesh_cull_face(out, row + x, at, TRN_FACE_NEG_X, has_ao);
                out = mesh_cull_face(out, row + x, at, TRN_FACE_POS_X, has_ao);
                out = mesh_cull_face(out, row + x, at, TRN_FACE_NEG_Y, has_ao);
                out = mesh_cull_face(out, row + x, at, TRN_FACE_POS_Y, has_ao);
                out = mesh_cull_face(out, row + x, at, TRN_FACE_NEG_Z, has_ao);
                out = mesh_cull_face(out, row + x, at, TRN_FACE_POS_Z, has_ao);
            }
        }
    }
    return (size_t)(out - quads);
}

size_t mesh_by_culling(const TrnBlock *padded, TrnQuad *quads)
{
    return mesh_cull(padded, quads, false);
}

size_t mesh_by_culling_with_ao(const TrnBlock *padded, TrnQuad *quads)
{
    return mesh_cull(padded, quads, true);
}

// ---- classic greedy ----------------------------------------------------------------------------

/// The boundary between two layers of voxels along an axis. Inlining makes the axes constants: one
/// copy of the code for each axis, a fifth faster than shared code.
typedef struct Slice {
    int axis, width_axis, height_axis;
    int layer; ///< the layer after the boundary, 0..32
} Slice;

/// Finds the faces at the boundary. Keys are positive for faces that look along the axis, and
/// negative for faces that look back. Skips faces of voxels outside the chunk.
PEER_INLINE void mesh_mask_slice(Slice slice, const TrnBlock *padded, bool has_ao, FaceKey *mask)
{
    const ptrdiff_t along = mesh_peer_steps[slice.axis];
    const ptrdiff_t u = mesh_peer_steps[slice.width_axis], v = mesh_peer_steps[slice.height_axis];
    const TrnBlock *const corner = padded + mesh_padded_index(0, 0, 0) + (slice.layer - 1) * along;
    const bool has_below = slice.layer > 0, has_above = slice.layer < EDGE;
    for (int j = 0; j < EDGE; j++) {
        for (int i = 0; i < EDGE; i++) {
            const TrnBlock *const below = corner + i * u + j * v, *const above = below + along;
            FaceKey key = 0;
            if (*below && !*above) {
                key = mesh_face_key(*below, above, u, v, has_ao);
                key = has_below ? key : 0;
            } else if (!*below && *above) {
                key = -mesh_face_key(*above, below, u, v, has_ao);
                key = has_above ? key : 0;
            }
            *mask++ = key;
        }
    }
}

/// Whether `width` entries of a mask equal a key.
PEER_INLINE bool mesh_row_is(const FaceKey *row, int width, FaceKey key)
{
    for (int i = 0; i < width; i++) {
        if (row[i] != key) {
            return false;
        }
    }
    return true;
}

PEER_INLINE TrnQuad mesh_slice_quad(Slice slice, int i, int j, int width, int height, FaceKey key,
                                    bool has_ao)
{
    const FaceKey sign = key >> 31; // a branch would be mispredicted half the time
    int at[3];
    at[slice.axis] = slice.layer - 1 - sign;
    at[slice.width_axis] = i;
    at[slice.height_axis] = j;
    return mesh_pack_quad(at, width, height, slice.axis * 2 + 1 + sign, (key ^ sign) - sign,
                          has_ao);
}

/// Splits a mask into rectangles: as wide as possible, then as high.
PEER_INLINE TrnQuad *mesh_emit_slice(Slice slice, FaceKey *mask, TrnQuad *out, bool has_ao)
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
            while (j + height < EDGE && mesh_row_is(&mask[(j + height) * EDGE + i], width, key)) {
                height++;
            }
            *out++ = mesh_slice_quad(slice, i, j, width, height, key, has_ao);
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
        mesh_mask_slice(slice, padded, has_ao, mask);
        out = mesh_emit_slice(slice, mask, out, has_ao);
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

// An independent implementation of binary greedy meshing. Lines of solid voxels are words of bits.
// The and-not of adjacent lines gives the faces. Faces with equal keys form planes of bits, which
// are split into rectangles by counting zeroes and ones.

#include <string.h>

#include "mesh_peer_quads.h"
#include "mesh_peers.h"

enum {
    EDGE = TRN_CHUNK_EDGE,
    PADDED = MESH_PADDED_EDGE,
    ROW_BYTES = 40,            ///< a padded row, rounded up to whole registers
    LAYER_FACES = EDGE * EDGE, ///< the most faces, and so the most keys, of a layer
    TABLE = 2 * LAYER_FACES    ///< size of the hash table of keys, a power of two
};

// ---- solid voxels ------------------------------------------------------------------------------

/// Lines of voxels. Bit k is set if voxel k - 1 is solid; 34 bits are used.
typedef struct SolidLines {
    uint64_t along_x[PADDED][PADDED];    ///< [y][z]
    uint64_t along_z[PADDED][ROW_BYTES]; ///< [y][x]
} SolidLines;

/// Packs the bytes of a row, each 0 or 1, into bits.
PEER_INLINE uint64_t mesh_bits_of_row(const unsigned char row[ROW_BYTES])
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < ROW_BYTES; i += 8) {
        uint64_t eight;
        memcpy(&eight, row + i, sizeof eight);
        bits |= (eight * UINT64_C(0x0102040810204080) >> 56) << i;
    }
    return bits;
}

/// Fills the lines, in loops that compilers vectorise.
static void mesh_find_solid_lines(const TrnBlock *padded, SolidLines *lines)
{
    unsigned char is_solid[ROW_BYTES] = {0};
    memset(lines->along_z, 0, sizeof lines->along_z);
    for (int y = 0; y < PADDED; y++) {
        uint64_t *const along_z = lines->along_z[y];
        for (int z = 0; z < PADDED; z++) {
            const TrnBlock *const row = padded + ((ptrdiff_t)y * PADDED + z) * PADDED;
            for (int x = 0; x < PADDED; x++) {
                is_solid[x] = row[x] != 0;
            }
            lines->along_x[y][z] = mesh_bits_of_row(is_solid);
            for (int x = 0; x < ROW_BYTES; x++) {
                along_z[x] |= (uint64_t)is_solid[x] << z;
            }
        }
    }
}

// ---- layers of faces ---------------------------------------------------------------------------

/// A face direction, and the axes of its quads.
typedef struct Side {
    int face, axis, width_axis, height_axis;
} Side;

/// The line that lies along the quads' width at a layer and a height, -1..32 each.
PEER_INLINE uint64_t mesh_line_at(const SolidLines *lines, int axis, int layer, int height)
{
    return axis == 0   ? lines->along_z[height + 1][layer + 1]
           : axis == 1 ? lines->along_x[layer + 1][height + 1]
                       : lines->along_x[height + 1][layer + 1];
}

/// The visible faces of a layer: bit i of row j is the face at (i, j). A solid voxel has a face if
/// the voxel before it is not solid.
PEER_INLINE void mesh_find_faces(const SolidLines *lines, Side side, int layer, uint32_t rows[EDGE])
{
    const int front = side.face % 2 ? layer + 1 : layer - 1;
    for (int j = 0; j < EDGE; j++) {
        const uint64_t shown =
            mesh_line_at(lines, side.axis, layer, j) & ~mesh_line_at(lines, side.axis, front, j);
        rows[j] = (uint32_t)(shown >> 1);
    }
}

// ---- planes ------------------------------------------------------------------------------------

/// The faces of a layer, grouped by key.
typedef struct Planes {
    uint32_t rows[LAYER_FACES][EDGE];
    uint32_t used[LAYER_FACES]; ///< one bit for each row that has a face
    FaceKey keys[LAYER_FACES];
    uint16_t count;
    uint16_t table[TABLE]; ///< hash table from key to plane number + 1; 0: empty
} Planes;

PEER_INLINE uint32_t mesh_table_place(FaceKey key)
{
    return (uint32_t)key * UINT32_C(0x9E3779B1) >> 21; // 11 bits: TABLE
}

PEER_INLINE uint32_t mesh_plane_of(Planes *planes, FaceKey key)
{
    uint32_t place = mesh_table_place(key);
    while (planes->table[place]) {
        const uint32_t plane = planes->table[place] - 1u;
        if (planes->keys[plane] == key) {
            return plane;
        }
        place = (place + 1) % TABLE;
    }
    const uint32_t plane = planes->count++;
    planes->table[place] = planes->count;
    planes->keys[plane] = key;
    memset(planes->rows[plane], 0, sizeof planes->rows[plane]);
    planes->used[plane] = 0;
    return plane;
}

/// Clears only the used entries of the table.
PEER_INLINE void mesh_forget_planes(Planes *planes)
{
    for (uint32_t i = 0; i < planes->count; i++) {
        uint32_t place = mesh_table_place(planes->keys[i]);
        while (planes->table[place]) {
            planes->table[place] = 0;
            place = (place + 1) % TABLE;
        }
    }
    planes->count = 0;
}

PEER_INLINE void mesh_part_layer(Planes *planes, Side side, int layer, const uint32_t rows[EDGE],
                                 const TrnBlock *padded, bool has_ao)
{
    const ptrdiff_t u = mesh_peer_steps[side.width_axis], v = mesh_peer_steps[side.height_axis];
    const ptrdiff_t along = mesh_peer_steps[side.axis];
    const ptrdiff_t front = side.face % 2 ? along : -along;
    const TrnBlock *corner = padded + mesh_padded_index(0, 0, 0) + layer * along;
    FaceKey last = 0;
    uint32_t plane = 0;
    for (int j = 0; j < EDGE; j++) {
        for (uint32_t left = rows[j]; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            const TrnBlock *voxel = corner + i * u + j * v;
            const FaceKey key = mesh_face_key(*voxel, voxel + front, u, v, has_ao);
            if (key != last) {
                plane = mesh_plane_of(planes, key);
                last = key;
            }
            planes->rows[plane][j] |= UINT32_C(1) << i;
            planes->used[plane] |= UINT32_C(1) << j;
        }
    }
}

// ---- rectangles --------------------------------------------------------------------------------

/// Removes the rectangle that begins at the lowest bit of a plane: as wide as possible, then as
/// high.
PEER_INLINE TrnQuad mesh_take_rectangle(Side side, int layer, int j, uint32_t rows[EDGE],
                                        FaceKey key, bool has_ao)
{
    const int i = __builtin_ctz(rows[j]);
    const uint32_t rest = ~(rows[j] >> i);
    const int width = rest ? __builtin_ctz(rest) : EDGE;
    const uint32_t mask = (uint32_t)(((UINT64_C(1) << width) - 1) << i);
    int height = 1;
    rows[j] &= ~mask;
    while (j + height < EDGE && (rows[j + height] & mask) == mask) {
        rows[j + height] &= ~mask;
        height++;
    }
    int at[3];
    at[side.axis] = layer;
    at[side.width_axis] = i;
    at[side.height_axis] = j;
    return mesh_pack_quad(at, width, height, side.face, key, has_ao);
}

PEER_INLINE TrnQuad *mesh_emit_plane(TrnQuad *out, Side side, int layer, Planes *planes,
                                     uint32_t plane, bool has_ao)
{
    uint32_t *const rows = planes->rows[plane];
    for (uint32_t left = planes->used[plane]; left; left &= left - 1) {
        const int j = __builtin_ctz(left);
        while (rows[j]) {
            *out++ = mesh_take_rectangle(side, layer, j, rows, planes->keys[plane], has_ao);
        }
    }
    return out;
}

PEER_INLINE TrnQuad *mesh_side(TrnQuad *out, Side side, const SolidLines *lines, Planes *planes,
                               const TrnBlock *padded, bool has_ao)
{
    for (int layer = 0; layer < EDGE; layer++) {
        uint32_t rows[EDGE];
        mesh_find_faces(lines, side, layer, rows);
        mesh_part_layer(planes, side, layer, rows, padded, has_ao);
        for (uint32_t i = 0; i < planes->count; i++) {
            out = mesh_emit_plane(out, side, layer, planes, i, has_ao);
        }
        mesh_forget_planes(planes);
    }
    return out;
}

PEER_INLINE size_t mesh_binary(const TrnBlock *padded, TrnQuad *quads, bool has_ao)
{
    SolidLines lines;
    Planes planes; // 140 KiB
    planes.count = 0;
    memset(planes.table, 0, sizeof planes.table);
    mesh_find_solid_lines(padded, &lines);
    TrnQuad *out = quads;
    for (int way = 0; way < 2; way++) { // the axes of trn_quad_axes
        out = mesh_side(out, (Side){way, 0, 2, 1}, &lines, &planes, padded, has_ao);
        out = mesh_side(out, (Side){2 + way, 1, 0, 2}, &lines, &planes, padded, has_ao);
        out = mesh_side(out, (Side){4 + way, 2, 0, 1}, &lines, &planes, padded, has_ao);
    }
    return (size_t)(out - quads);
}

size_t mesh_by_binary_greedy(const TrnBlock *padded, TrnQuad *quads)
{
    return mesh_binary(padded, quads, false);
}

size_t mesh_by_binary_greedy_with_ao(const TrnBlock *padded, TrnQuad *quads)
{
    return mesh_binary(padded, quads, true);
}

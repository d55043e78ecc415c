// Binary greedy meshing, written from its idea: masks of solid voxels along each axis, faces by
// shift and and-not, planes of faces that are alike, and rectangles taken out of planes by counting
// zeroes and ones.

#include <string.h>

#include "mesh_peer_quads.h"

enum {
    EDGE = TRN_CHUNK_EDGE,
    PADDED = MESH_PADDED_EDGE,
    LAYER_FACES = EDGE * EDGE, ///< the most faces, and so the most keys, of a layer
    TABLE = 2 * LAYER_FACES    ///< places of a hash of keys, a power of two
};

// ---- solid voxels ------------------------------------------------------------------------------

/// A line along each axis for each (i, j) of the two others, the width and the height of quads: bit
/// k tells whether its voxel k - 1 is solid. 34 bits are used.
typedef struct SolidLines {
    uint64_t along[3][PADDED][PADDED]; ///< x: [y][z]; y: [z][x]; z: [y][x]
} SolidLines;

static void find_solid_lines(const TrnBlock *padded, SolidLines *lines)
{
    memset(lines, 0, sizeof *lines);
    for (int y = 0; y < PADDED; y++) {
        for (int z = 0; z < PADDED; z++) {
            const TrnBlock *row = padded + ((ptrdiff_t)y * PADDED + z) * PADDED;
            uint64_t bits = 0;
            for (int x = 0; x < PADDED; x++) {
                const uint64_t is_solid = row[x] != 0;
                bits |= is_solid << x;
                lines->along[1][z][x] |= is_solid << y;
                lines->along[2][y][x] |= is_solid << z;
            }
            lines->along[0][y][z] = bits;
        }
    }
}

// ---- layers of faces ---------------------------------------------------------------------------

/// A direction, and the axes that its quads span.
typedef struct Side {
    int face, axis, width_axis, height_axis;
} Side;

/// The faces of one direction: layer by layer, bit i of word j is the face at (i, j).
typedef uint32_t FaceLayers[EDGE][EDGE];

PEER_INLINE void find_layers(const SolidLines *lines, Side side, FaceLayers layers)
{
    memset(layers, 0, sizeof(FaceLayers));
    for (int j = 0; j < EDGE; j++) {
        for (int i = 0; i < EDGE; i++) {
            const uint64_t line = lines->along[side.axis][j + 1][i + 1];
            const uint64_t shown = line & ~(side.face % 2 ? line >> 1 : line << 1);
            for (uint32_t left = (uint32_t)(shown >> 1); left; left &= left - 1) {
                layers[__builtin_ctz(left)][j] |= UINT32_C(1) << i;
            }
        }
    }
}

// ---- planes ------------------------------------------------------------------------------------

/// The faces of a layer apart by key.
typedef struct Planes {
    uint32_t rows[LAYER_FACES][EDGE];
    FaceKey keys[LAYER_FACES];
    uint16_t count;
    uint16_t table[TABLE]; ///< a plane's number plus one by the hash of its key; 0: none
} Planes;

PEER_INLINE uint32_t table_place(FaceKey key)
{
    return (uint32_t)key * UINT32_C(0x9E3779B1) >> 21; // 11 bits: TABLE
}

PEER_INLINE uint32_t plane_of(Planes *planes, FaceKey key)
{
    uint32_t place = table_place(key);
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
    return plane;
}

/// Empties the table by the keys that are in it.
PEER_INLINE void forget_planes(Planes *planes)
{
    for (uint32_t i = 0; i < planes->count; i++) {
        uint32_t place = table_place(planes->keys[i]);
        while (planes->table[place]) {
            planes->table[place] = 0;
            place = (place + 1) % TABLE;
        }
    }
    planes->count = 0;
}

PEER_INLINE void part_layer(Planes *planes, Side side, int layer, const uint32_t rows[EDGE],
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
            const FaceKey key = face_key(*voxel, voxel + front, u, v, has_ao);
            if (key != last) {
                plane = plane_of(planes, key);
                last = key;
            }
            planes->rows[plane][j] |= UINT32_C(1) << i;
        }
    }
}

// ---- rectangles --------------------------------------------------------------------------------

PEER_INLINE TrnQuad *emit_plane(TrnQuad *out, Side side, int layer, uint32_t rows[EDGE],
                                FaceKey key, bool has_ao)
{
    for (int j = 0; j < EDGE; j++) {
        while (rows[j]) {
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
            *out++ = pack_quad(at, width, height, side.face, key, has_ao);
        }
    }
    return out;
}

PEER_INLINE TrnQuad *mesh_side(TrnQuad *out, Side side, const SolidLines *lines, Planes *planes,
                               const TrnBlock *padded, bool has_ao)
{
    FaceLayers layers;
    find_layers(lines, side, layers);
    for (int layer = 0; layer < EDGE; layer++) {
        part_layer(planes, side, layer, layers[layer], padded, has_ao);
        for (uint32_t i = 0; i < planes->count; i++) {
            out = emit_plane(out, side, layer, planes->rows[i], planes->keys[i], has_ao);
        }
        forget_planes(planes);
    }
    return out;
}

PEER_INLINE size_t mesh_binary(const TrnBlock *padded, TrnQuad *quads, bool has_ao)
{
    SolidLines lines;
    Planes planes; // 140 KiB
    planes.count = 0;
    memset(planes.table, 0, sizeof planes.table);
    find_solid_lines(padded, &lines);
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

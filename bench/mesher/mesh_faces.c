#include "mesh_faces.h"

#include <string.h>

enum { UNLIT = 255, LOWERED = 2 }; // the light of faces without ambient occlusion

static uint32_t mesh_shown_as(TrnBlock block, uint32_t light)
{
    return (uint32_t)block << 8 | light;
}

// ---- from quads --------------------------------------------------------------------------------

/// @return whether the voxel lies in the chunk, and its face was free
static bool mesh_put_face(MeshFaces *faces, TrnQuad quad, const uint32_t at[3])
{
    if (at[0] >= TRN_CHUNK_EDGE || at[1] >= TRN_CHUNK_EDGE || at[2] >= TRN_CHUNK_EDGE) {
        return false;
    }
    uint32_t *const face = &faces->shown[trn_quad_face(quad)][trn_local_index(at[0], at[1], at[2])];
    if (*face != 0 || trn_quad_block(quad) == TRN_BLOCK_AIR) {
        return false;
    }
    *face = mesh_shown_as(trn_quad_block(quad), trn_quad_ao(quad));
    return true;
}

static bool mesh_put_quad(MeshFaces *faces, TrnQuad quad)
{
    int width_axis = 0, height_axis = 1; // plant quads are one voxel large
    if (trn_quad_face(quad) < TRN_FACE_COUNT) {
        trn_quad_axes((TrnFace)trn_quad_face(quad), &width_axis, &height_axis);
    }
    for (uint32_t j = 0; j < trn_quad_height(quad); j++) {
        for (uint32_t i = 0; i < trn_quad_width(quad); i++) {
            uint32_t at[3] = {trn_quad_x(quad), trn_quad_y(quad), trn_quad_z(quad)};
            at[width_axis] += i;
            at[height_axis] += j;
            if (!mesh_put_face(faces, quad, at)) {
                return false;
            }
        }
    }
    return true;
}

bool mesh_faces_of_quads(MeshFaces *faces, const TrnQuad *quads, size_t count)
{
    memset(faces, 0, sizeof *faces);
    for (size_t i = 0; i < count; i++) {
        if (!mesh_put_quad(faces, quads[i])) {
            return false;
        }
    }
    return true;
}

bool mesh_light_is_exact(const TrnQuad *quads, size_t count, const TrnBlockType *types,
                         uint32_t type_count)
{
    for (size_t i = 0; i < count; i++) {
        const TrnBlock block = trn_quad_block(quads[i]);
        if (block < type_count && types[block].kind == TRN_BLOCK_KIND_LIQUID) {
            continue;
        }
        const uint32_t light = trn_quad_ao(quads[i]);
        const uint32_t corners[4] = {light & 3, light >> 2 & 3, light >> 4 & 3, light >> 6};
        const bool is_bent_across = corners[0] != corners[1] || corners[2] != corners[3];
        const bool is_bent_up = corners[0] != corners[2] || corners[1] != corners[3];
        if ((trn_quad_width(quads[i]) > 1 && is_bent_across) ||
            (trn_quad_height(quads[i]) > 1 && is_bent_up)) {
            return false;
        }
    }
    return true;
}

// ---- from blocks -------------------------------------------------------------------------------

/// The input of mesh_faces_of_blocks().
typedef struct Blocks {
    const TrnBlock *padded;
    const TrnBlockType *types;
    uint32_t type_count;
    bool has_ao;
} Blocks;

/// Returns what fills a voxel: a block, or the liquid that a plant stands in.
static TrnBlock mesh_block_at(const Blocks *blocks, const int at[3])
{
    const TrnBlock block = blocks->padded[mesh_padded_index(at[0], at[1], at[2])];
    const TrnBlock liquid = block < blocks->type_count ? blocks->types[block].liquid : 0;
    return liquid ? liquid : block;
}

static TrnBlockKind mesh_kind_of(const Blocks *blocks, TrnBlock block)
{
    return block < blocks->type_count ? blocks->types[block].kind : TRN_BLOCK_KIND_OPAQUE;
}

static bool mesh_is_opaque_at(const Blocks *blocks, const int front[3], int axis_a, int a,
                              int axis_b, int b)
{
    int at[3] = {front[0], front[1], front[2]};
    at[axis_a] += a;
    at[axis_b] += b;
    return mesh_kind_of(blocks, mesh_block_at(blocks, at)) == TRN_BLOCK_KIND_OPAQUE;
}

/// The ambient occlusion of a corner, 0..3, from its three voxels in the layer before the face.
/// @param a,b -1 or 1
static uint32_t mesh_corner_of(const Blocks *blocks, const int front[3], TrnFace face, int a, int b)
{
    int width_axis, height_axis;
    trn_quad_axes(face, &width_axis, &height_axis);
    const bool has_side_a = mesh_is_opaque_at(blocks, front, width_axis, a, height_axis, 0);
    const bool has_side_b = mesh_is_opaque_at(blocks, front, width_axis, 0, height_axis, b);
    if (has_side_a && has_side_b) {
        return 0;
    }
    const bool has_corner = mesh_is_opaque_at(blocks, front, width_axis, a, height_axis, b);
    return 3 - (uint32_t)(has_side_a + has_side_b + has_corner);
}

static uint32_t mesh_light_of(const Blocks *blocks, const int front[3], TrnFace face)
{
    uint32_t light = 0;
    for (int i = 0; i < 4; i++) {
        light |= mesh_corner_of(blocks, front, face, i & 1 ? 1 : -1, i & 2 ? 1 : -1) << 2 * i;
    }
    return light;
}

/// Whether the surface of a liquid lies below the top of its voxel.
static bool mesh_is_lowered(const Blocks *blocks, const int at[3])
{
    const int above[3] = {at[0], at[1] + 1, at[2]};
    const TrnBlockKind kind = mesh_kind_of(blocks, mesh_block_at(blocks, above));
    return kind == TRN_BLOCK_KIND_AIR || kind == TRN_BLOCK_KIND_PLANT;
}

/// The light value of a visible face.
static uint32_t mesh_shown_light(const Blocks *blocks, const int at[3], const int front[3],
                                 TrnFace face)
{
    const TrnBlockKind kind = mesh_kind_of(blocks, mesh_block_at(blocks, at));
    if (kind == TRN_BLOCK_KIND_OPAQUE || kind == TRN_BLOCK_KIND_CUTOUT) {
        return blocks->has_ao ? mesh_light_of(blocks, front, face) : UNLIT;
    }
    const bool is_low = kind == TRN_BLOCK_KIND_LIQUID && face != TRN_FACE_NEG_Y;
    return is_low && mesh_is_lowered(blocks, at) ? LOWERED : UNLIT;
}

static bool mesh_face_shows(const Blocks *blocks, const int at[3], const int front[3])
{
    const TrnBlock block = mesh_block_at(blocks, at), before = mesh_block_at(blocks, front);
    if (mesh_kind_of(blocks, before) == TRN_BLOCK_KIND_OPAQUE) {
        return false;
    }
    const TrnBlockKind kind = mesh_kind_of(blocks, block);
    return kind == TRN_BLOCK_KIND_OPAQUE || kind == TRN_BLOCK_KIND_CUTOUT || before != block;
}

static void mesh_show_voxel(MeshFaces *faces, const Blocks *blocks, const int at[3])
{
    const TrnBlock own = blocks->padded[mesh_padded_index(at[0], at[1], at[2])];
    const TrnBlock block = mesh_block_at(blocks, at);
    const uint32_t index = trn_local_index((uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]);
    const TrnBlockKind kind = mesh_kind_of(blocks, block);
    if (mesh_kind_of(blocks, own) == TRN_BLOCK_KIND_PLANT) {
        faces->shown[TRN_QUAD_PLANT_A][index] = mesh_shown_as(own, UNLIT);
        faces->shown[TRN_QUAD_PLANT_B][index] = mesh_shown_as(own, UNLIT);
    }
    if (kind == TRN_BLOCK_KIND_AIR || kind == TRN_BLOCK_KIND_PLANT ||
        kind == TRN_BLOCK_KIND_MODEL) { // models have quads of their own
        return;
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        int front[3] = {at[0], at[1], at[2]};
        front[face / 2] += face % 2 ? 1 : -1;
        if (mesh_face_shows(blocks, at, front)) {
            faces->shown[face][index] =
                mesh_shown_as(block, mesh_shown_light(blocks, at, front, (TrnFace)face));
        }
    }
}

void mesh_faces_of_blocks(MeshFaces *faces, const TrnBlock *padded, const TrnBlockType *types,
                          uint32_t type_count, bool has_ao)
{
    const Blocks blocks = {padded, types, type_count, has_ao};
    memset(faces, 0, sizeof *faces);
    for (int y = 0; y < TRN_CHUNK_EDGE; y++) {
        for (int z = 0; z < TRN_CHUNK_EDGE; z++) {
            for (int x = 0; x < TRN_CHUNK_EDGE; x++) {
                const int at[3] = {x, y, z};
                mesh_show_voxel(faces, &blocks, at);
            }
        }
    }
}

// ---- all faces ---------------------------------------------------------------------------------

size_t mesh_faces_count(const MeshFaces *faces)
{
    size_t count = 0;
    for (int face = 0; face < TRN_FACE_COUNT + 2; face++) {
        for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
            count += faces->shown[face][i] != 0;
        }
    }
    return count;
}

bool mesh_faces_equal(const MeshFaces *a, const MeshFaces *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

#include <terrane/mesh_vertices.h>

#include <string.h>

#define VERTICES_HALF_SQRT2 0.70710678f

static inline bool vertices_is_leaf(TrnQuad quad)
{
    return trn_quad_face(quad) >= TRN_FACE_COUNT;
}

/// Returns whether the corners (0,0), (1,0), (1,1), (0,1) of a face run counter-clockwise seen from
/// outside: whether the cross product of the width and height axes is the face's normal.
static inline bool vertices_is_counterclockwise(uint32_t face)
{
    return face == TRN_FACE_NEG_X || face == TRN_FACE_NEG_Y || face == TRN_FACE_POS_Z;
}

/// Writes one side of a plant's leaf.
/// @param vertices  [4]; all but position, normal and uv are set already
static void vertices_put_leaf(TrnQuad quad, bool is_back, const float offset[3],
                              TrnMeshVertex *vertices)
{
    const bool is_a = trn_quad_face(quad) == TRN_QUAD_PLANT_A;
    const float turn = is_back ? -1 : 1;
    for (uint32_t corner = 0; corner < 4; corner++) {
        TrnMeshVertex *const vertex = &vertices[corner];
        const float along = (float)(corner & 1), up = (float)(corner >> 1);
        const float at[3] = {is_a ? along : 1 - along, up, along};
        vertex->position[0] = (float)trn_quad_x(quad) + at[0] + offset[0];
        vertex->position[1] = (float)trn_quad_y(quad) + at[1] + offset[1];
        vertex->position[2] = (float)trn_quad_z(quad) + at[2] + offset[2];
        // From the front, `along` runs right.
        vertex->normal[0] = -VERTICES_HALF_SQRT2 * turn;
        vertex->normal[1] = 0;
        vertex->normal[2] = (is_a ? VERTICES_HALF_SQRT2 : -VERTICES_HALF_SQRT2) * turn;
        vertex->uv[0] = is_back ? 1 - along : along;
        vertex->uv[1] = up;
    }
}

/// Writes the corners of a rectangle.
/// @param drop,start  of a liquid's quad, in voxels
/// @param vertices    [4]; all but position, normal, uv and ao are set already
static void vertices_put_rectangle(TrnQuad quad, float drop, float start, const float offset[3],
                                   TrnMeshVertex *vertices)
{
    const uint32_t face = trn_quad_face(quad), ao = trn_quad_ao(quad);
    int across, along;
    trn_quad_axes((TrnFace)face, &across, &along);
    const float size[2] = {(float)trn_quad_width(quad), (float)trn_quad_height(quad)};
    const bool is_top = face == TRN_FACE_POS_Y;
    float low[3] = {(float)trn_quad_x(quad) + offset[0], (float)trn_quad_y(quad) + offset[1],
                    (float)trn_quad_z(quad) + offset[2]};
    low[face / 2] += face % 2 ? 1 : 0;
    low[1] -= is_top ? drop : 0;
    // On sides, only the upper edge is lowered, and the lower edge raised.
    low[1] += along == 1 ? start : 0;
    const float height = along == 1 ? size[1] - drop - start : size[1];
    for (uint32_t corner = 0; corner < 4; corner++) {
        TrnMeshVertex *const vertex = &vertices[corner];
        const bool far_across = corner & 1, far_along = corner >> 1;
        memcpy(vertex->position, low, sizeof low);
        vertex->position[across] += far_across ? size[0] : 0;
        vertex->position[along] += far_along ? height : 0;
        memset(vertex->normal, 0, sizeof vertex->normal);
        vertex->normal[face / 2] = face % 2 ? 1 : -1;
        const bool is_mirrored = face == TRN_FACE_POS_X || face == TRN_FACE_NEG_Z;
        vertex->uv[0] = far_across != is_mirrored ? size[0] : 0;
        vertex->uv[1] = far_along != is_top ? height : 0;
        vertex->ao = (uint8_t)((ao >> 2 * corner & 3u) * 85);
    }
}

uint32_t trn_quad_vertices(TrnQuad quad, bool is_transparent, const float offset[3],
                           TrnMeshVertex *vertices)
{
    const TrnMeshVertex common = {.block = trn_quad_block(quad),
                                  .face = (uint8_t)trn_quad_face(quad),
                                  .ao = 255,
                                  .user_byte = (uint8_t)trn_quad_user_byte(quad)};
    const bool is_plant = vertices_is_leaf(quad);
    const uint32_t count = is_plant ? 8 : 4;
    for (uint32_t i = 0; i < count; i++) {
        vertices[i] = common;
    }
    if (is_plant) {
        vertices_put_leaf(quad, false, offset, vertices);
        vertices_put_leaf(quad, true, offset, vertices + 4);
        return count;
    }
    // Transparent quads have no ambient occlusion: their ao bits say how high a liquid reaches.
    const uint32_t drop = is_transparent ? trn_quad_drop(quad) : 0;
    const uint32_t start = is_transparent ? trn_quad_start(quad) : 0;
    vertices_put_rectangle(is_transparent ? quad | (TrnQuad)255 << 28 : quad,
                           (float)drop / TRN_BLOCK_GRID, (float)start / TRN_BLOCK_GRID, offset,
                           vertices);
    return count;
}

void trn_model_face_vertices(const TrnModelFace *face, const float offset[3],
                             TrnMeshVertex *vertices)
{
    const uint32_t its_face = trn_model_face_face(face) % TRN_FACE_COUNT;
    const uint32_t voxel[3] = {trn_model_face_x(face), trn_model_face_y(face),
                               trn_model_face_z(face)};
    int axes[2];
    trn_quad_axes((TrnFace)its_face, &axes[0], &axes[1]);
    const bool is_mirrored[2] = {its_face == TRN_FACE_POS_X || its_face == TRN_FACE_NEG_Z,
                                 its_face == TRN_FACE_POS_Y};
    for (uint32_t corner = 0; corner < 4; corner++) {
        TrnMeshVertex *const vertex = &vertices[corner];
        memset(vertex, 0, sizeof *vertex);
        uint32_t at[3] = {0}; // on the model's grid
        at[its_face / 2] = trn_model_face_depth(face);
        for (uint32_t axis = 0; axis < 2; axis++) {
            const uint32_t end = trn_model_face_end(face, axis, corner >> axis & 1);
            at[axes[axis]] = end;
            vertex->uv[axis] =
                (float)(is_mirrored[axis] ? TRN_BLOCK_GRID - (int)end : (int)end) / TRN_BLOCK_GRID;
        }
        for (int axis = 0; axis < 3; axis++) {
            vertex->position[axis] =
                (float)voxel[axis] + (float)at[axis] / TRN_BLOCK_GRID + offset[axis];
        }
        vertex->normal[its_face / 2] = its_face % 2 ? 1 : -1;
        vertex->block = trn_model_face_block(face);
        vertex->face = (uint8_t)its_face;
        vertex->ao = (uint8_t)((trn_model_face_ao(face) >> 2 * corner & 3u) * 85);
        vertex->user_byte = (uint8_t)trn_model_face_user_byte(face);
        vertex->box = (uint8_t)trn_model_face_box(face);
    }
}

void trn_model_face_indices(const TrnModelFace *face, uint32_t first, uint32_t *indices)
{
    const TrnQuad quad = (TrnQuad)(trn_model_face_face(face) % TRN_FACE_COUNT) << 25 |
                         (TrnQuad)trn_model_face_ao(face) << 28;
    (void)trn_quad_indices(quad, first, indices);
}

/// Writes the two triangles of four corners.
/// @param is_counterclockwise  the order of the corners (0,0), (1,0), (1,1), (0,1), seen from
///               outside
static void vertices_put_triangles(uint32_t first, bool is_counterclockwise, bool is_flipped,
                                   uint32_t indices[6])
{
    static const uint32_t corners[2][6] = {{0, 1, 3, 0, 3, 2}, {1, 3, 2, 1, 2, 0}};
    for (uint32_t i = 0; i < 6; i++) {
        // For clockwise corners, swaps the last two of each triangle.
        const uint32_t transposed = i % 3 == 0 ? i : i % 3 == 1 ? i + 1 : i - 1;
        indices[i] = first + corners[is_flipped][is_counterclockwise ? i : transposed];
    }
}

uint32_t trn_quad_indices(TrnQuad quad, uint32_t first, uint32_t *indices)
{
    if (vertices_is_leaf(quad)) {
        vertices_put_triangles(first, true, false, indices);
        vertices_put_triangles(first + 4, false, false, indices + 6);
        return 12;
    }
    vertices_put_triangles(first, vertices_is_counterclockwise(trn_quad_face(quad)),
                           trn_quad_is_flipped(quad), indices);
    return 6;
}

/// Returns whether groups are in order and no larger than a chunk's.
static bool vertices_groups_are_valid(const TrnMeshInfo *info)
{
    for (uint32_t group = 0; group < TRN_MESH_GROUP_COUNT; group++) {
        if (info->first[group] > info->first[group + 1]) {
            return false;
        }
    }
    return trn_mesh_count(info) - info->first[0] <= TRN_MESH_QUADS_MAX;
}

/// Returns whether leaves, which yield twice as many vertices, are in the group of plants alone.
static bool vertices_leaves_are_in_place(const TrnQuad *quads, const TrnMeshInfo *info,
                                         uint32_t first, uint32_t end)
{
    const uint32_t leaves = info->first[TRN_MESH_PLANTS];
    const uint32_t leaves_end = info->first[TRN_MESH_PLANTS + 1];
    bool good = true;
    for (uint32_t i = first; i < end; i++) {
        good &= vertices_is_leaf(quads[i]) == (i >= leaves && i < leaves_end);
    }
    return good;
}

TrnResult trn_mesh_model_vertices(const TrnModelFace *faces, size_t count, const float offset[3],
                                  uint32_t first_index, TrnMeshVertex *vertices, uint32_t *indices)
{
    if (!offset || count > TRN_MESH_MODEL_FACES_MAX ||
        (count && (!faces || !vertices || !indices)) ||
        4 * (uint32_t)count > UINT32_MAX - first_index) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    for (size_t i = 0; i < count; i++) {
        trn_model_face_vertices(&faces[i], offset, vertices + 4 * i);
        trn_model_face_indices(&faces[i], first_index + 4 * (uint32_t)i, indices + 6 * i);
    }
    return TRN_RESULT_OK;
}

TrnResult trn_mesh_vertices(const TrnQuad *quads, const TrnMeshInfo *info, uint32_t first_group,
                            uint32_t end_group, const float offset[3], uint32_t first_index,
                            TrnMeshVertex *vertices, uint32_t *indices)
{
    if (!info || !offset || first_group > end_group || end_group > TRN_MESH_GROUP_COUNT ||
        !vertices_groups_are_valid(info)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const uint32_t first = info->first[first_group], end = info->first[end_group];
    const uint32_t count = trn_mesh_vertex_count(info, first_group, end_group);
    if ((count && (!quads || !vertices || !indices)) || count > UINT32_MAX - first_index ||
        !vertices_leaves_are_in_place(quads, info, first, end)) {
        return TRN_RESULT_BAD_ARGUMENT;
    }
    const uint32_t transparent = info->first[trn_mesh_first_group(TRN_MESH_SURFACE_TRANSPARENT)];
    const uint32_t transparent_end =
        info->first[trn_mesh_first_group(TRN_MESH_SURFACE_TRANSPARENT + 1)];
    for (uint32_t i = first; i < end; i++) {
        const bool is_transparent = i >= transparent && i < transparent_end;
        const uint32_t made = trn_quad_vertices(quads[i], is_transparent, offset, vertices);
        indices += trn_quad_indices(quads[i], first_index, indices);
        vertices += made;
        first_index += made;
    }
    return TRN_RESULT_OK;
}

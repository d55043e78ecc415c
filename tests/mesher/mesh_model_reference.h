/// A reference for models: works out face by face what trn_mesh_models() promises.
#pragma once

#include "mesh_light_reference.h"

/// Returns the type of a voxel. @param at  local, -32..63
static inline const TrnBlockType *mesh_type_at(const TrnMeshInput *input, const int at[3])
{
    static const TrnBlockType opaque = {.kind = TRN_BLOCK_KIND_OPAQUE};
    static const TrnBlockType air = {.kind = TRN_BLOCK_KIND_AIR};
    int chunk[3];
    uint32_t local[3];
    for (int axis = 0; axis < 3; axis++) {
        chunk[axis] = at[axis] < 0 ? 0 : at[axis] < MESH_EDGE ? 1 : 2;
        local[axis] = (uint32_t)(at[axis] - MESH_EDGE * (chunk[axis] - 1));
    }
    const int place = chunk[0] + 3 * chunk[2] + 9 * chunk[1];
    if (!(input->present >> place & 1)) {
        return input->missing_is_solid ? &opaque : &air;
    }
    const TrnBlock block =
        trn_snapshot_get(input->around[place], trn_local_index(local[0], local[1], local[2]));
    return block < input->type_count ? &input->types[block] : &opaque;
}

/// Returns the model of a voxel; one without boxes if it has none.
static inline const TrnBlockModel *mesh_model_at(const TrnMeshInput *input, const int at[3])
{
    static const TrnBlockModel none = {0};
    const TrnBlockType *type = mesh_type_at(input, at);
    return type->kind == TRN_BLOCK_KIND_MODEL && type->model ? type->model : &none;
}

static inline bool mesh_connects(const TrnMeshInput *input, const TrnBlockModel *model,
                                 const int at[3], int face)
{
    int next[3] = {at[0], at[1], at[2]};
    next[face / 2] += face % 2 ? 1 : -1;
    return model->connects && (mesh_type_at(input, next)->kind == TRN_BLOCK_KIND_OPAQUE ||
                               mesh_model_at(input, next)->connects == model->connects);
}

/// Returns whether a box of a model is there.
static inline bool mesh_has_box(const TrnMeshInput *input, const TrnBlockModel *model,
                                const int at[3], uint32_t i)
{
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        const bool is_asked = (model->boxes[i].connected | model->boxes[i].unconnected) >> face & 1;
        if (is_asked &&
            mesh_connects(input, model, at, face) != (model->boxes[i].connected >> face & 1)) {
            return false;
        }
    }
    return true;
}

/// Returns whether a box of the voxel fills all cells of the grid behind a rectangle.
/// @param low,high  the cells right in front of a face, relative to the voxel; high exclusive
static inline bool mesh_box_fills(const TrnMeshInput *input, const int at[3], int other,
                                  const int low[3], const int high[3])
{
    const TrnBlockModel *model = mesh_model_at(input, at);
    for (uint32_t i = 0; i < model->box_count; i++) {
        bool fills = (int)i != other;
        for (int axis = 0; axis < 3; axis++) {
            fills = fills && model->boxes[i].min[axis] <= low[axis] &&
                    model->boxes[i].max[axis] >= high[axis];
        }
        if (fills && mesh_has_box(input, model, at, i)) {
            return true;
        }
    }
    return false;
}

/// A face of a box, and the voxel of the layer that it looks into.
typedef struct MeshModelFace {
    int face, low[3], high[3]; ///< the rectangle on the grid; equal along the face's axis
    int front[3];
} MeshModelFace;

static inline bool mesh_touches(const MeshModelFace *face, int axis, int end)
{
    return end < 0 ? face->low[axis] == 0 : face->high[axis] == TRN_BLOCK_GRID;
}

/// Returns whether a voxel next to that in front of a face is opaque, or does not touch the corner.
/// @param width,height  -1, 0 or 1
static inline bool mesh_model_opaque(const MeshReference *reference, const MeshModelFace *face,
                                     int width, int height)
{
    const MeshAxes axes = mesh_axes_of(face->face);
    int at[3] = {face->front[0], face->front[1], face->front[2]};
    at[axes.width] += width;
    at[axes.height] += height;
    return mesh_is_opaque(reference, at);
}

static inline uint32_t mesh_model_corner_ao(const MeshReference *reference,
                                            const MeshModelFace *face, int right, int top)
{
    const MeshAxes axes = mesh_axes_of(face->face);
    const bool near_side = mesh_touches(face, axes.width, right);
    const bool near_other = mesh_touches(face, axes.height, top);
    const bool side = near_side && mesh_model_opaque(reference, face, right, 0);
    const bool other = near_other && mesh_model_opaque(reference, face, 0, top);
    const bool corner = near_side && near_other && mesh_model_opaque(reference, face, right, top);
    return side && other ? 0 : 3u - side - other - corner;
}

static inline uint32_t mesh_model_corner_level(const MeshReference *reference,
                                               const TrnMeshInput *input, int channel,
                                               const MeshModelFace *face, int right, int top)
{
    const MeshAxes axes = mesh_axes_of(face->face);
    const TrnLight *light = channel ? input->blocks : input->sky;
    if (!light || light->constant != TRN_LIGHT_VARIES) {
        return mesh_level(input, channel, face->front);
    }
    const int w = mesh_touches(face, axes.width, right) ? right : 0;
    const int h = mesh_touches(face, axes.height, top) ? top : 0;
    uint32_t sum = mesh_level(input, channel, face->front), count = 1, sides = 0;
    for (int i = 1; i < 4; i++) { // the voxel across comes last
        const bool touches = (w || !(i & 1)) && (h || !(i & 2)) && (i < 3 || sides);
        if (touches && !mesh_model_opaque(reference, face, i & 1 ? w : 0, i & 2 ? h : 0)) {
            int at[3] = {face->front[0], face->front[1], face->front[2]};
            at[axes.width] += i & 1 ? w : 0;
            at[axes.height] += i & 2 ? h : 0;
            sum += mesh_level(input, channel, at);
            count++;
            sides++;
        }
    }
    return (2 * sum + count) / (2 * count);
}

/// Packs a face as the header says. @param at  of the voxel
static inline TrnModelFace mesh_model_pack(const MeshReference *reference,
                                           const TrnMeshInput *input, const int at[3],
                                           TrnBlock block, uint32_t box, const MeshModelFace *face)
{
    const MeshAxes axes = mesh_axes_of(face->face);
    TrnModelFace packed = {0};
    packed.place = (uint32_t)at[0] + 32u * (uint32_t)at[1] + 1024u * (uint32_t)at[2] +
                   32768u * (uint32_t)face->face + 262144u * box;
    packed.rectangle = (uint32_t)face->low[axes.width] + 32u * (uint32_t)face->high[axes.width] +
                       1024u * (uint32_t)face->low[axes.height] +
                       32768u * (uint32_t)face->high[axes.height] +
                       1048576u * (uint32_t)face->low[axes.along];
    uint32_t ao = 0;
    for (int corner = 0; corner < 4; corner++) {
        const int right = corner & 1 ? 1 : -1, top = corner & 2 ? 1 : -1;
        ao |= (input->without_ao ? 3 : mesh_model_corner_ao(reference, face, right, top))
              << 2 * corner;
        for (int channel = 0; channel < 2; channel++) {
            packed.light |= mesh_model_corner_level(reference, input, channel, face, right, top)
                            << (8 * corner + 4 * channel);
        }
    }
    packed.look = block | ao << 16 | (uint32_t)mesh_user_byte(input, face->face, at) << 24;
    return packed;
}

/// Finds one face of a box.
/// @return whether it shows
static inline bool mesh_model_face(const MeshReference *reference, const TrnMeshInput *input,
                                   const int at[3], const TrnBlockBox *box, int own,
                                   MeshModelFace *face)
{
    const int axis = face->face / 2, step = face->face % 2 ? 1 : -1;
    int low[3], high[3], next[3] = {at[0], at[1], at[2]};
    for (int i = 0; i < 3; i++) {
        low[i] = face->low[i] = box->min[i];
        high[i] = face->high[i] = box->max[i];
        face->front[i] = at[i];
    }
    face->low[axis] = face->high[axis] = step > 0 ? box->max[axis] : box->min[axis];
    const bool is_border = face->low[axis] == (step > 0 ? TRN_BLOCK_GRID : 0);
    next[axis] += step;
    low[axis] = is_border ? step > 0 ? 0 : TRN_BLOCK_GRID - 1 : face->low[axis] - (step < 0);
    high[axis] = low[axis] + 1;
    if (!is_border) {
        return !mesh_box_fills(input, at, own, low, high);
    }
    face->front[axis] += step;
    return !mesh_is_opaque(reference, next) && !mesh_box_fills(input, next, -1, low, high);
}

/// Works out the faces of all models of the input that was read last.
/// @param faces  [capacity] receives them in order
/// @return how many there are; those beyond the capacity are not written
static inline uint32_t mesh_reference_models(const MeshReference *reference,
                                             const TrnMeshInput *input, TrnModelFace *faces,
                                             uint32_t capacity)
{
    uint32_t count = 0;
    for (int i = 0; i < TRN_CHUNK_VOXELS && reference->models; i++) {
        const int at[3] = {i % MESH_EDGE, i / (MESH_EDGE * MESH_EDGE), i / MESH_EDGE % MESH_EDGE};
        const uint32_t cell = mesh_cell(at[0], at[1], at[2]);
        if (reference->kinds[cell] != TRN_BLOCK_KIND_MODEL) {
            continue;
        }
        const TrnBlockModel *model = mesh_model_at(input, at);
        for (uint32_t box = 0; box < model->box_count; box++) {
            const int sides = mesh_has_box(input, model, at, box) ? TRN_FACE_COUNT : 0;
            for (int f = 0; f < sides; f++) {
                MeshModelFace face = {.face = f};
                if (!mesh_model_face(reference, input, at, &model->boxes[box], (int)box, &face)) {
                    continue;
                }
                if (count < capacity) {
                    faces[count] =
                        mesh_model_pack(reference, input, at, reference->blocks[cell], box, &face);
                }
                count++;
            }
        }
    }
    return count;
}

/// A reference for the light of meshes: works out corner by corner what terrane/mesher.h promises,
/// and compares the light of quads with it.
#pragma once

#include "mesh_reference.h"

/// Returns a level of an input. @param channel  0 sky, 1 blocks
static inline uint32_t mesh_level(const TrnMeshInput *input, int channel, const int at[3])
{
    const TrnLight *light = channel ? input->blocks : input->sky;
    return light ? trn_light_level(light, at[0], at[1], at[2]) : channel ? 0 : 15;
}

/// Returns a level at one corner of a face.
/// @param front      the voxel in front of the face
/// @param right,top  -1 or 1: the corner's end of the width and height
static inline uint32_t mesh_corner_level(const MeshReference *reference, const TrnMeshInput *input,
                                         int channel, int face, const int front[3], int right,
                                         int top)
{
    const MeshAxes axes = mesh_axes_of(face);
    uint32_t sum = mesh_level(input, channel, front), count = 1, sides = 0;
    for (int i = 1; i < 4; i++) { // the voxel across comes last
        int at[3] = {front[0], front[1], front[2]};
        at[axes.width] += i & 1 ? right : 0;
        at[axes.height] += i & 2 ? top : 0;
        const bool counts = !mesh_is_opaque(reference, at) && (i < 3 || sides);
        sum += counts ? mesh_level(input, channel, at) : 0;
        count += counts;
        sides += counts;
    }
    return (uint32_t)((double)sum / count + 0.5 + 1e-9); // to the nearest, halves up
}

/// Returns the light of one face, as a quad of one voxel has it.
static inline uint32_t mesh_face_light(const MeshReference *reference, const TrnMeshInput *input,
                                       int face, const int at[3])
{
    int front[3] = {at[0], at[1], at[2]};
    front[face / 2] += face % 2 ? 1 : -1;
    uint32_t light = 0;
    if (mesh_is_open(reference, face, front) && mesh_is_opaque(reference, at)) {
        return TRN_MESH_LIGHT(15, 0);
    }
    for (int corner = 0; corner < 4; corner++) {
        for (int channel = 0; channel < 2; channel++) {
            const uint32_t level = mesh_corner_level(reference, input, channel, face, front,
                                                     corner & 1 ? 1 : -1, corner & 2 ? 1 : -1);
            light |= level << (8 * corner + 4 * channel);
        }
    }
    return light;
}

/// Returns a level of a quad at a corner of one of its faces, times the quad's area. A quad that is
/// interpolated over two triangles has the same levels as one that is interpolated bilinearly, if
/// its corners lie on a plane.
/// @param w,h  0..width, 0..height
static inline uint32_t mesh_interpolated(TrnQuad quad, uint32_t light, int channel, uint32_t w,
                                         uint32_t h)
{
    const uint32_t width = trn_quad_width(quad), height = trn_quad_height(quad);
    const uint32_t weights[4] = {(width - w) * (height - h), w * (height - h), (width - w) * h,
                                 w * h};
    uint32_t sum = 0;
    for (int corner = 0; corner < 4; corner++) {
        sum += weights[corner] * (light >> (8 * corner + 4 * channel) & 15);
    }
    return sum;
}

/// Compares the light of one merged or single quad with that of each of its faces.
static inline bool mesh_light_fits(MeshReference *reference, const TrnMeshInput *input, uint32_t i,
                                   TrnQuad quad, uint32_t light)
{
    const int face = (int)trn_quad_face(quad);
    const uint32_t width = trn_quad_width(quad), height = trn_quad_height(quad);
    const MeshAxes axes = mesh_axes_of(face);
    for (uint32_t place = 0; place < width * height; place++) {
        const uint32_t w = place % width, h = place / width;
        int at[3] = {(int)trn_quad_x(quad), (int)trn_quad_y(quad), (int)trn_quad_z(quad)};
        at[axes.width] += (int)w;
        at[axes.height] += (int)h;
        const uint32_t expected = mesh_face_light(reference, input, face, at);
        for (int k = 0; k < 8; k++) {
            const uint32_t corner = (uint32_t)k / 2;
            const uint32_t has =
                mesh_interpolated(quad, light, k % 2, w + corner % 2, h + corner / 2);
            if (has != (expected >> 4 * k & 15) * width * height) {
                return MESH_PROBLEM(reference,
                                    "quad %u (face %d, %u x %u, light %08x) should have %08x at "
                                    "voxel %d %d %d",
                                    i, face, width, height, light, expected, at[0], at[1], at[2]);
            }
        }
    }
    for (int channel = 0; channel < 2 && width * height > 1; channel++) {
        const uint32_t levels = light >> 4 * channel & 0x0F0F0F0Fu;
        if ((levels & 255) + (levels >> 24) != (levels >> 8 & 255) + (levels >> 16 & 255)) {
            return MESH_PROBLEM(reference, "quad %u is merged, and its light %08x is no plane", i,
                                light);
        }
    }
    return true;
}

static inline bool mesh_light_fits_leaf(MeshReference *reference, const TrnMeshInput *input,
                                        uint32_t i, TrnQuad quad, uint32_t light)
{
    const int at[3] = {(int)trn_quad_x(quad), (int)trn_quad_y(quad), (int)trn_quad_z(quad)};
    const uint32_t own = TRN_MESH_LIGHT(mesh_level(input, 0, at), mesh_level(input, 1, at));
    return light == own ||
           MESH_PROBLEM(reference, "leaf %u has light %08x instead of %08x", i, light, own);
}

/// Checks the light of a mesh of the input that was read last.
/// @return NULL if it is correct, otherwise a text that the reference owns
static inline const char *mesh_light_problem(MeshReference *reference, const TrnMeshInput *input,
                                             const TrnQuad *quads, const uint32_t *light,
                                             const TrnMeshInfo *info)
{
    const uint32_t count = trn_mesh_count(info);
    const bool is_varied = info->light == TRN_MESH_LIGHT_VARIES;
    bool differs = false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t its = is_varied ? light[i] : info->light;
        differs |= is_varied && (its != light[0] || its != (its & 255) * 0x01010101u);
        if (trn_quad_face(quads[i]) >= TRN_QUAD_PLANT_A
                ? !mesh_light_fits_leaf(reference, input, i, quads[i], its)
                : !mesh_light_fits(reference, input, i, quads[i], its)) {
            return reference->problem;
        }
    }
    if (is_varied ? !differs : !count && info->light) {
        snprintf(reference->problem, sizeof reference->problem,
                 "all %u quads have the same light, but info says %08x", count, info->light);
        return reference->problem;
    }
    return NULL;
}

/// A reference for meshes: works out what terrane/mesher.h promises voxel by voxel, and compares
/// quads with it. Also a classic greedy mesher, as simple as possible, which says how few quads
/// suffice.
///
/// Depends on the public header alone. No global state: each thread has its own reference.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/mesher.h>

enum {
    MESH_EDGE = TRN_CHUNK_EDGE,
    MESH_CELL_EDGE = MESH_EDGE + 2, ///< a chunk and one voxel on each side
    MESH_CELL_COUNT = MESH_CELL_EDGE * MESH_CELL_EDGE * MESH_CELL_EDGE,
};

/// What a face shows: 0 for nothing, otherwise its surface, plus one, in bits 32.., its user byte
/// in bits 24..31, its ao in bits 16..23 and its block in bits 0..15.
#define MESH_FACE_SURFACE_SHIFT 32
#define MESH_FACE_USER_SHIFT 24
#define MESH_FACE_AO_SHIFT 16

typedef struct MeshReference {
    TrnBlock blocks[MESH_CELL_COUNT]; ///< of plants in a liquid, the liquid
    /// TrnBlockKind; missing chunks have the kind that stands for them
    uint8_t kinds[MESH_CELL_COUNT];
    uint32_t open_sides;                              ///< as in the input
    bool is_buried;                                   ///< open sides show nothing
    bool without_merging;                             ///< as in the input
    uint64_t faces[TRN_FACE_COUNT][TRN_CHUNK_VOXELS]; ///< by TrnFace and linear index
    bool plants[TRN_CHUNK_VOXELS];
    TrnBlock leaves[TRN_CHUNK_VOXELS];    ///< the blocks of plants
    uint8_t leaf_bytes[TRN_CHUNK_VOXELS]; ///< the user bytes of plants
    uint32_t models;
    uint32_t face_count; ///< visible faces, and two leaves for each plant; not those of models
    uint32_t min[3], max[3];
    /// Which faces quads have covered so far; plants' leaves are two more directions.
    bool covered[TRN_FACE_COUNT + 2][TRN_CHUNK_VOXELS];
    char problem[200];
} MeshReference;

/// Returns NULL if out of memory. free() it.
static inline MeshReference *mesh_reference_create(void)
{
    return calloc(1, sizeof(MeshReference));
}

// ---- input -------------------------------------------------------------------------------------

/// @param x,y,z  local, -1..32
static inline uint32_t mesh_cell(int x, int y, int z)
{
    return (uint32_t)(((y + 1) * MESH_CELL_EDGE + z + 1) * MESH_CELL_EDGE + x + 1);
}

static inline TrnBlockKind mesh_kind(const TrnMeshInput *input, TrnBlock block)
{
    return block < input->type_count ? input->types[block].kind : TRN_BLOCK_KIND_OPAQUE;
}

static inline bool mesh_kind_is_clear(uint8_t kind)
{
    return kind == TRN_BLOCK_KIND_LIQUID || kind == TRN_BLOCK_KIND_TRANSPARENT;
}

static inline void mesh_read_cell(MeshReference *reference, const TrnMeshInput *input, int x, int y,
                                  int z)
{
    const uint32_t cell = mesh_cell(x, y, z);
    const int chunk_x = x < 0 ? 0 : x < MESH_EDGE ? 1 : 2;
    const int chunk_y = y < 0 ? 0 : y < MESH_EDGE ? 1 : 2;
    const int chunk_z = z < 0 ? 0 : z < MESH_EDGE ? 1 : 2;
    const int chunk = chunk_x + 3 * chunk_z + 9 * chunk_y;
    if (!(input->present >> chunk & 1)) {
        reference->blocks[cell] = 0;
        reference->kinds[cell] =
            input->missing_is_solid ? TRN_BLOCK_KIND_OPAQUE : TRN_BLOCK_KIND_AIR;
        return;
    }
    const uint32_t index = trn_local_index((uint32_t)x & 31u, (uint32_t)y & 31u, (uint32_t)z & 31u);
    const TrnBlock block = trn_snapshot_get(input->around[chunk], index);
    const TrnBlock liquid = block < input->type_count ? input->types[block].liquid : 0;
    reference->blocks[cell] = liquid ? liquid : block;
    if (chunk == 13) { // the centre
        reference->plants[index] = mesh_kind(input, block) == TRN_BLOCK_KIND_PLANT;
        reference->leaves[index] = block;
    }
    reference->kinds[cell] = (uint8_t)mesh_kind(input, reference->blocks[cell]);
}

// ---- visible faces -----------------------------------------------------------------------------

/// The two axes that a face spans and the one along its normal: 0 x, 1 y, 2 z. A table, independent
/// of trn_quad_axes.
typedef struct MeshAxes {
    int width, height, along;
} MeshAxes;

static inline MeshAxes mesh_axes_of(int face)
{
    static const MeshAxes axes[3] = {{2, 1, 0}, {0, 2, 1}, {0, 1, 2}};
    return axes[face / 2];
}

static inline bool mesh_is_opaque(const MeshReference *reference, const int at[3])
{
    return reference->kinds[mesh_cell(at[0], at[1], at[2])] == TRN_BLOCK_KIND_OPAQUE;
}

/// Returns whether the voxel in front of a face lies behind an open side.
static inline bool mesh_is_open(const MeshReference *reference, int face, const int before[3])
{
    return reference->open_sides >> face & 1 && before[face / 2] == (face % 2 ? MESH_EDGE : -1);
}

/// Returns whether the voxel in front of an opaque face hides it.
static inline bool mesh_hides(const MeshReference *reference, int face, const int before[3])
{
    return mesh_is_open(reference, face, before) ? reference->is_buried
                                                 : mesh_is_opaque(reference, before);
}

/// Returns the ambient occlusion of one corner of a face, 0..3.
/// @param before     the voxel in front of the face
/// @param right,top  -1 or 1: the corner's end of the width and height
static inline uint32_t mesh_corner(const MeshReference *reference, int face, const int before[3],
                                   int right, int top)
{
    const MeshAxes axes = mesh_axes_of(face);
    int side[3] = {before[0], before[1], before[2]};
    int other[3] = {before[0], before[1], before[2]};
    int corner[3] = {before[0], before[1], before[2]};
    side[axes.width] += right;
    other[axes.height] += top;
    corner[axes.width] += right;
    corner[axes.height] += top;
    const bool has_side = mesh_is_opaque(reference, side);
    const bool has_other = mesh_is_opaque(reference, other);
    if (has_side && has_other) {
        return 0; // the corner is closed, whatever block it has
    }
    return 3u - has_side - has_other - mesh_is_opaque(reference, corner);
}

static inline uint32_t mesh_face_ao(const MeshReference *reference, int face, const int before[3])
{
    return mesh_corner(reference, face, before, -1, -1) |
           mesh_corner(reference, face, before, 1, -1) << 2 |
           mesh_corner(reference, face, before, -1, 1) << 4 |
           mesh_corner(reference, face, before, 1, 1) << 6;
}

/// Returns how high a liquid reaches in its voxel, 1..16.
static inline uint32_t mesh_liquid_height(const MeshReference *reference, const TrnMeshInput *input,
                                          const int at[3])
{
    const uint8_t above = reference->kinds[mesh_cell(at[0], at[1] + 1, at[2])];
    const uint8_t surface = input->types[reference->blocks[mesh_cell(at[0], at[1], at[2])]].surface;
    const bool is_covered = above == TRN_BLOCK_KIND_OPAQUE || mesh_kind_is_clear(above);
    return is_covered || surface > 16 ? 16 : surface ? surface : 14;
}

/// Returns whether two voxels hold different members of one family of liquids.
static inline bool mesh_is_family(const MeshReference *reference, const TrnMeshInput *input,
                                  uint32_t here, uint32_t there)
{
    if (reference->kinds[here] != TRN_BLOCK_KIND_LIQUID ||
        reference->kinds[there] != TRN_BLOCK_KIND_LIQUID ||
        reference->blocks[here] == reference->blocks[there]) {
        return false;
    }
    const TrnBlockType *a = &input->types[reference->blocks[here]];
    const TrnBlockType *b = &input->types[reference->blocks[there]];
    return a->family == b->family && (a->variant != 0 || b->variant != 0);
}

/// Returns the ao of a face of a liquid or transparent block, or 256 if a liquid of the same family
/// covers it.
static inline uint32_t mesh_liquid_ao(const MeshReference *reference, const TrnMeshInput *input,
                                      int face, const int at[3], const int before[3])
{
    const uint32_t here = mesh_cell(at[0], at[1], at[2]);
    const uint32_t there = mesh_cell(before[0], before[1], before[2]);
    const bool is_family = mesh_is_family(reference, input, here, there);
    if (is_family && face / 2 == 1) {
        return 256; // the lower one is full
    }
    if (reference->kinds[here] != TRN_BLOCK_KIND_LIQUID || face == TRN_FACE_NEG_Y) {
        return 255;
    }
    const uint32_t top = mesh_liquid_height(reference, input, at);
    const uint32_t bottom = is_family ? mesh_liquid_height(reference, input, before) : 0;
    if (bottom >= top) {
        return 256;
    }
    return top == 16 && bottom == 0 ? 255 : (16 - top) + 16 * bottom;
}

/// Returns the user byte of one face of a voxel. @param face  plants have that of their top
static inline uint64_t mesh_user_byte(const TrnMeshInput *input, int face, const int at[3])
{
    const uint8_t *bytes = input->user_bytes[face];
    return bytes ? bytes[trn_local_index((uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2])] : 0;
}

/// Returns what a face shows that nothing hides.
static inline uint64_t mesh_shows(TrnMeshSurface surface, uint64_t user, uint64_t ao,
                                  TrnBlock block)
{
    return (uint64_t)(surface + 1) << MESH_FACE_SURFACE_SHIFT | user << MESH_FACE_USER_SHIFT |
           ao << MESH_FACE_AO_SHIFT | block;
}

/// Returns the surface of a face that shows.
static inline TrnMeshSurface mesh_face_surface(uint64_t shows)
{
    return (TrnMeshSurface)((shows >> MESH_FACE_SURFACE_SHIFT) - 1);
}

/// Returns what one face of a voxel shows.
static inline uint64_t mesh_face(const MeshReference *reference, const TrnMeshInput *input,
                                 int face, const int at[3])
{
    const uint32_t here = mesh_cell(at[0], at[1], at[2]);
    int before[3] = {at[0], at[1], at[2]};
    before[face / 2] += face % 2 ? 1 : -1;
    const uint32_t there = mesh_cell(before[0], before[1], before[2]);
    const bool is_opaque = reference->kinds[here] == TRN_BLOCK_KIND_OPAQUE;
    const uint64_t user = mesh_user_byte(input, face, at);
    if (is_opaque ? mesh_hides(reference, face, before)
                  : reference->kinds[there] == TRN_BLOCK_KIND_OPAQUE) {
        return 0;
    }
    if (is_opaque || reference->kinds[here] == TRN_BLOCK_KIND_CUTOUT) {
        const bool is_open = is_opaque && mesh_is_open(reference, face, before);
        const bool is_dark = !input->without_ao && !is_open;
        const uint32_t ao = is_dark ? mesh_face_ao(reference, face, before) : 255;
        return mesh_shows(is_opaque ? TRN_MESH_SURFACE_OPAQUE : TRN_MESH_SURFACE_CUTOUT, user, ao,
                          reference->blocks[here]);
    }
    if (!mesh_kind_is_clear(reference->kinds[here]) ||
        (mesh_kind_is_clear(reference->kinds[there]) &&
         reference->blocks[here] == reference->blocks[there])) {
        return 0;
    }
    const uint32_t ao = mesh_liquid_ao(reference, input, face, at, before);
    return ao == 256 ? 0
                     : mesh_shows(TRN_MESH_SURFACE_TRANSPARENT, user, ao, reference->blocks[here]);
}

/// Returns whether a voxel of the 27 chunks is opaque. @param x,y,z  local, -32..63
static inline bool mesh_is_opaque_voxel(const TrnMeshInput *input, int x, int y, int z)
{
    const int chunk = (x + MESH_EDGE) / MESH_EDGE + 3 * ((z + MESH_EDGE) / MESH_EDGE) +
                      9 * ((y + MESH_EDGE) / MESH_EDGE);
    if (!(input->present >> chunk & 1)) {
        return input->missing_is_solid;
    }
    const uint32_t index = trn_local_index((uint32_t)x & 31u, (uint32_t)y & 31u, (uint32_t)z & 31u);
    return mesh_kind(input, trn_snapshot_get(input->around[chunk], index)) == TRN_BLOCK_KIND_OPAQUE;
}

/// Returns whether the chunk and the six around it are opaque all through.
static inline bool mesh_is_buried(const TrnMeshInput *input)
{
    for (int i = 0; i < MESH_EDGE * MESH_EDGE * MESH_EDGE; i++) {
        const int x = i % MESH_EDGE, y = i / MESH_EDGE % MESH_EDGE, z = i / MESH_EDGE / MESH_EDGE;
        for (int by = -MESH_EDGE; by <= MESH_EDGE; by += MESH_EDGE) {
            if (!mesh_is_opaque_voxel(input, x + by, y, z) ||
                !mesh_is_opaque_voxel(input, x, y + by, z) ||
                !mesh_is_opaque_voxel(input, x, y, z + by)) {
                return false;
            }
        }
    }
    return true;
}

/// Records what one voxel shows.
static inline void mesh_show_voxel(MeshReference *reference, const TrnMeshInput *input,
                                   const int at[3])
{
    const uint32_t index = trn_local_index((uint32_t)at[0], (uint32_t)at[1], (uint32_t)at[2]);
    const uint8_t kind = reference->kinds[mesh_cell(at[0], at[1], at[2])];
    uint32_t shown = 0;
    reference->leaf_bytes[index] = (uint8_t)mesh_user_byte(input, TRN_FACE_POS_Y, at);
    reference->models += kind == TRN_BLOCK_KIND_MODEL;
    shown += reference->plants[index] ? 2 : 0;
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        reference->faces[face][index] = 0;
        if (kind == TRN_BLOCK_KIND_OPAQUE || kind == TRN_BLOCK_KIND_CUTOUT ||
            mesh_kind_is_clear(kind)) {
            reference->faces[face][index] = mesh_face(reference, input, face, at);
            shown += reference->faces[face][index] != 0;
        }
    }
    for (int axis = 0; (shown || kind == TRN_BLOCK_KIND_MODEL) && axis < 3; axis++) {
        const uint32_t place = (uint32_t)at[axis];
        reference->min[axis] = place < reference->min[axis] ? place : reference->min[axis];
        reference->max[axis] = place > reference->max[axis] ? place : reference->max[axis];
    }
    reference->face_count += shown;
}

/// Works out what an input must show.
static inline void mesh_reference_read(MeshReference *reference, const TrnMeshInput *input)
{
    for (int y = -1; y <= MESH_EDGE; y++) {
        for (int z = -1; z <= MESH_EDGE; z++) {
            for (int x = -1; x <= MESH_EDGE; x++) {
                mesh_read_cell(reference, input, x, y, z);
            }
        }
    }
    reference->open_sides = input->open_sides;
    reference->is_buried = input->open_sides && mesh_is_buried(input);
    reference->without_merging = input->without_merging;
    reference->face_count = reference->models = 0;
    for (int axis = 0; axis < 3; axis++) {
        reference->min[axis] = MESH_EDGE;
        reference->max[axis] = 0;
    }
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int at[3] = {i % MESH_EDGE, i / (MESH_EDGE * MESH_EDGE), i / MESH_EDGE % MESH_EDGE};
        mesh_show_voxel(reference, input, at);
    }
    for (int axis = 0; axis < 3 && reference->face_count + reference->models == 0; axis++) {
        reference->min[axis] = 0;
    }
}

// ---- checks ------------------------------------------------------------------------------------

/// Describes what is wrong with a quad.
#define MESH_PROBLEM(reference, ...)                                                               \
    (snprintf((reference)->problem, sizeof(reference)->problem, __VA_ARGS__), false)

/// Returns whether corners are equal along the width, or along the height. Only then may a quad be
/// wider or higher than one voxel.
static inline bool mesh_ao_is_even(uint32_t ao, bool along_height)
{
    const uint32_t corner[4] = {ao & 3, ao >> 2 & 3, ao >> 4 & 3, ao >> 6 & 3};
    return along_height ? corner[0] == corner[2] && corner[1] == corner[3]
                        : corner[0] == corner[1] && corner[2] == corner[3];
}

/// Compares one quad with the faces that it covers, and marks them covered.
static inline bool mesh_cover(MeshReference *reference, uint32_t i, TrnQuad quad,
                              TrnMeshSurface surface)
{
    const bool is_clear = surface == TRN_MESH_SURFACE_TRANSPARENT;
    const int face = (int)trn_quad_face(quad);
    const MeshAxes axes = mesh_axes_of(face);
    const uint32_t ao = trn_quad_ao(quad);
    const uint64_t expected =
        mesh_shows(surface, trn_quad_user_byte(quad), ao, trn_quad_block(quad));
    const uint32_t low[3] = {trn_quad_x(quad), trn_quad_y(quad), trn_quad_z(quad)};
    if (low[axes.width] + trn_quad_width(quad) > MESH_EDGE ||
        low[axes.height] + trn_quad_height(quad) > MESH_EDGE) {
        return MESH_PROBLEM(reference, "quad %u leaves the chunk", i);
    }
    if (reference->without_merging && trn_quad_width(quad) * trn_quad_height(quad) != 1) {
        return MESH_PROBLEM(reference, "quad %u is merged", i);
    }
    if (is_clear && trn_quad_start(quad) && trn_quad_height(quad) > 1) {
        return MESH_PROBLEM(reference, "quad %u, a part of a side, is %u high", i,
                            trn_quad_height(quad));
    }
    if (!is_clear && ((trn_quad_width(quad) > 1 && !mesh_ao_is_even(ao, false)) ||
                      (trn_quad_height(quad) > 1 && !mesh_ao_is_even(ao, true)))) {
        return MESH_PROBLEM(reference, "quad %u (face %d, %u x %u) merges uneven ao %02x", i, face,
                            trn_quad_width(quad), trn_quad_height(quad), ao);
    }
    for (uint32_t w = 0; w < trn_quad_width(quad); w++) {
        for (uint32_t h = 0; h < trn_quad_height(quad); h++) {
            uint32_t at[3] = {low[0], low[1], low[2]};
            at[axes.width] += w;
            at[axes.height] += h;
            const uint32_t index = trn_local_index(at[0], at[1], at[2]);
            if (reference->faces[face][index] != expected) {
                return MESH_PROBLEM(reference,
                                    "quad %u shows %llx at face %d of voxel %u %u %u, which "
                                    "has %llx (0 nothing, or surface, user byte, ao and block)",
                                    i, (unsigned long long)expected, face, at[0], at[1], at[2],
                                    (unsigned long long)reference->faces[face][index]);
            }
            if (reference->covered[face][index]) {
                return MESH_PROBLEM(reference, "quad %u: covers face %d of voxel %u %u %u twice", i,
                                    face, at[0], at[1], at[2]);
            }
            reference->covered[face][index] = true;
        }
    }
    return true;
}

static inline bool mesh_cover_leaf(MeshReference *reference, uint32_t i, TrnQuad quad)
{
    const uint32_t index = trn_local_index(trn_quad_x(quad), trn_quad_y(quad), trn_quad_z(quad));
    bool *const covered = &reference->covered[trn_quad_face(quad)][index];
    const uint32_t cell =
        mesh_cell((int)trn_quad_x(quad), (int)trn_quad_y(quad), (int)trn_quad_z(quad));
    if (trn_quad_width(quad) != 1 || trn_quad_height(quad) != 1 || trn_quad_ao(quad) != 255) {
        return MESH_PROBLEM(reference, "quad %u, a leaf, is %u x %u with ao %02x", i,
                            trn_quad_width(quad), trn_quad_height(quad), trn_quad_ao(quad));
    }
    if (trn_quad_user_byte(quad) != reference->leaf_bytes[index]) {
        return MESH_PROBLEM(reference, "quad %u, a leaf, has user byte %u", i,
                            trn_quad_user_byte(quad));
    }
    if (!reference->plants[index] || trn_quad_block(quad) != reference->leaves[index]) {
        return MESH_PROBLEM(reference, "quad %u is a leaf of %u in a voxel of %u", i,
                            trn_quad_block(quad), reference->blocks[cell]);
    }
    if (*covered) {
        return MESH_PROBLEM(reference, "quad %u is a second copy of a leaf", i);
    }
    *covered = true;
    return true;
}

/// Returns a quad's position along its face's axis, greater the nearer to cameras that see it.
static inline int mesh_nearness(TrnQuad quad)
{
    const int at[3] = {(int)trn_quad_x(quad), (int)trn_quad_y(quad), (int)trn_quad_z(quad)};
    const int face = (int)trn_quad_face(quad);
    return face % 2 ? at[face / 2] : -at[face / 2];
}

static inline bool mesh_cover_group(MeshReference *reference, const TrnQuad *quads,
                                    const TrnMeshInfo *info, uint32_t group)
{
    const bool is_plants = group == TRN_MESH_PLANTS, is_clear = group >= TRN_MESH_TRANSPARENT;
    const TrnMeshSurface surface = is_clear                   ? TRN_MESH_SURFACE_TRANSPARENT
                                   : group >= TRN_MESH_CUTOUT ? TRN_MESH_SURFACE_CUTOUT
                                                              : TRN_MESH_SURFACE_OPAQUE;
    const uint32_t face = group - trn_mesh_first_group(surface);
    for (uint32_t i = info->first[group]; i < info->first[group + 1]; i++) {
        const uint32_t its_face = trn_quad_face(quads[i]);
        const bool is_leaf = its_face == TRN_QUAD_PLANT_A || its_face == TRN_QUAD_PLANT_B;
        if (quads[i] >> 60 != 0) {
            return MESH_PROBLEM(reference, "quad %u sets the free bits", i);
        }
        if (is_plants ? !is_leaf : its_face != face) {
            return MESH_PROBLEM(reference, "quad %u of face %u in group %u", i, its_face, group);
        }
        if (is_clear && i > info->first[group] &&
            mesh_nearness(quads[i]) < mesh_nearness(quads[i - 1])) {
            return MESH_PROBLEM(reference, "quad %u of group %u is behind the one before it", i,
                                group);
        }
        if (is_plants ? !mesh_cover_leaf(reference, i, quads[i])
                      : !mesh_cover(reference, i, quads[i], surface)) {
            return false;
        }
    }
    return true;
}

static inline bool mesh_is_complete(MeshReference *reference)
{
    for (uint32_t face = 0; face < TRN_FACE_COUNT + 2; face++) {
        for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
            const uint64_t shows =
                face < TRN_FACE_COUNT ? reference->faces[face][i] : reference->plants[i];
            if (shows && !reference->covered[face][i]) {
                return MESH_PROBLEM(reference,
                                    "face %u of voxel %u %u %u shows %llx and has no quad", face,
                                    i % 32, i / 1024, i / 32 % 32, (unsigned long long)shows);
            }
        }
    }
    return true;
}

/// Returns whether the groups and bounds are correct.
static inline bool mesh_info_is_right(MeshReference *reference, const TrnMeshInfo *info)
{
    if (info->first[0] != 0) {
        return MESH_PROBLEM(reference, "the first group begins at %u", info->first[0]);
    }
    for (uint32_t group = 0; group < TRN_MESH_GROUP_COUNT; group++) {
        if (info->first[group] > info->first[group + 1]) {
            return MESH_PROBLEM(reference, "group %u ends before it begins", group);
        }
    }
    if (info->first[TRN_MESH_CUTOUT] > TRN_MESH_OPAQUE_QUADS_MAX ||
        trn_mesh_count(info) > TRN_MESH_QUADS_MAX) {
        return MESH_PROBLEM(reference, "%u quads, %u of them opaque", trn_mesh_count(info),
                            info->first[TRN_MESH_CUTOUT]);
    }
    if (info->models != reference->models) {
        return MESH_PROBLEM(reference, "%u models instead of %u", info->models, reference->models);
    }
    for (int axis = 0; axis < 3; axis++) {
        if (info->min[axis] != reference->min[axis] || info->max[axis] != reference->max[axis]) {
            return MESH_PROBLEM(reference, "bounds along axis %d are %u..%u instead of %u..%u",
                                axis, info->min[axis], info->max[axis], reference->min[axis],
                                reference->max[axis]);
        }
    }
    return true;
}

/// Checks a mesh of the input that was read last.
/// @return NULL if it is correct, otherwise a text that the reference owns
static inline const char *mesh_reference_problem(MeshReference *reference, const TrnQuad *quads,
                                                 const TrnMeshInfo *info)
{
    if (!mesh_info_is_right(reference, info)) {
        return reference->problem;
    }
    memset(reference->covered, 0, sizeof reference->covered);
    for (uint32_t group = 0; group < TRN_MESH_GROUP_COUNT; group++) {
        if (!mesh_cover_group(reference, quads, info, group)) {
            return reference->problem;
        }
    }
    return mesh_is_complete(reference) ? NULL : reference->problem;
}

/// Returns whether two infos are equal, apart from the padding at their end.
static inline bool mesh_info_equal(const TrnMeshInfo *a, const TrnMeshInfo *b)
{
    return memcmp(a->first, b->first, sizeof a->first) == 0 &&
           memcmp(a->min, b->min, sizeof a->min) == 0 &&
           memcmp(a->max, b->max, sizeof a->max) == 0 && a->models == b->models;
}

// ---- classic greedy mesher ---------------------------------------------------------------------

/// One slice of faces in one direction, of one surface: [height][width] of MeshReference.faces.
typedef struct MeshSlice {
    uint64_t faces[MESH_EDGE][MESH_EDGE];
    int face, place;
    TrnMeshSurface surface;
} MeshSlice;

static inline bool mesh_slice_read(const MeshReference *reference, MeshSlice *slice)
{
    const MeshAxes axes = mesh_axes_of(slice->face);
    bool has_any = false;
    for (uint32_t h = 0; h < MESH_EDGE; h++) {
        for (uint32_t w = 0; w < MESH_EDGE; w++) {
            uint32_t at[3];
            at[axes.along] = (uint32_t)slice->place;
            at[axes.width] = w;
            at[axes.height] = h;
            const uint64_t shows =
                reference->faces[slice->face][trn_local_index(at[0], at[1], at[2])];
            slice->faces[h][w] = mesh_face_surface(shows) == slice->surface ? shows : 0;
            has_any |= slice->faces[h][w] != 0;
        }
    }
    return has_any;
}

/// Removes the largest rectangle that starts at a face from the slice, width before height.
static inline TrnQuad mesh_slice_take(MeshSlice *slice, uint32_t w, uint32_t h)
{
    const MeshAxes axes = mesh_axes_of(slice->face);
    const uint64_t shows = slice->faces[h][w], ao = shows >> MESH_FACE_AO_SHIFT & 255;
    const uint32_t corners = slice->surface == TRN_MESH_SURFACE_TRANSPARENT ? 255 : (uint32_t)ao;
    uint32_t width = 1, height = 1, at[3];
    while (mesh_ao_is_even(corners, false) && w + width < MESH_EDGE &&
           slice->faces[h][w + width] == shows) {
        width++;
    }
    while (mesh_ao_is_even(corners, true) && h + height < MESH_EDGE) {
        uint32_t alike = 0;
        while (alike < width && slice->faces[h + height][w + alike] == shows) {
            alike++;
        }
        if (alike < width) {
            break;
        }
        height++;
    }
    for (uint32_t row = 0; row < height; row++) {
        memset(&slice->faces[h + row][w], 0, width * sizeof slice->faces[0][0]);
    }
    at[axes.along] = (uint32_t)slice->place;
    at[axes.width] = w;
    at[axes.height] = h;
    const uint32_t low = at[0] | at[1] << 5 | at[2] << 10 | (width - 1) << 15 | (height - 1) << 20;
    return low | (TrnQuad)slice->face << 25 | ao << 28 | (shows & 65535) << 36 |
           (shows >> MESH_FACE_USER_SHIFT & 255) << 52;
}

/// Appends all quads of one direction, back to front.
/// @return the new count of quads
static inline uint32_t mesh_greedy_face(const MeshReference *reference, TrnMeshSurface surface,
                                        int face, TrnQuad *quads, uint32_t count)
{
    MeshSlice slice = {.face = face, .surface = surface};
    for (int i = 0; i < MESH_EDGE; i++) {
        slice.place = face % 2 ? i : MESH_EDGE - 1 - i;
        if (!mesh_slice_read(reference, &slice)) {
            continue;
        }
        for (uint32_t h = 0; h < MESH_EDGE; h++) {
            for (uint32_t w = 0; w < MESH_EDGE; w++) {
                if (slice.faces[h][w]) {
                    quads[count++] = mesh_slice_take(&slice, w, h);
                }
            }
        }
    }
    return count;
}

/// Meshes the input that was read last.
/// @param quads  [TRN_MESH_QUADS_MAX] receives the quads
/// Source: M. Lysenko, "Meshing in a Minecraft Game", 2012; faces merge only if their ambient
/// occlusion is equal.
static inline void mesh_reference_greedy(const MeshReference *reference, TrnQuad *quads,
                                         TrnMeshInfo *info)
{
    uint32_t count = 0;
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        info->first[TRN_MESH_OPAQUE + face] = count;
        count = mesh_greedy_face(reference, TRN_MESH_SURFACE_OPAQUE, face, quads, count);
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        info->first[TRN_MESH_CUTOUT + face] = count;
        count = mesh_greedy_face(reference, TRN_MESH_SURFACE_CUTOUT, face, quads, count);
    }
    info->first[TRN_MESH_PLANTS] = count;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t x = i % MESH_EDGE, y = i / (MESH_EDGE * MESH_EDGE), z = i / MESH_EDGE % 32;
        for (uint32_t leaf = 0; leaf < 2 && reference->plants[i]; leaf++) {
            const TrnQuad block = reference->blocks[mesh_cell((int)x, (int)y, (int)z)];
            quads[count++] = x | y << 5 | z << 10 | (TrnQuad)(TRN_QUAD_PLANT_A + leaf) << 25 |
                             (TrnQuad)255 << 28 | block << 36 |
                             (TrnQuad)reference->leaf_bytes[i] << 52;
        }
    }
    for (int face = 0; face < TRN_FACE_COUNT; face++) {
        info->first[TRN_MESH_TRANSPARENT + face] = count;
        count = mesh_greedy_face(reference, TRN_MESH_SURFACE_TRANSPARENT, face, quads, count);
    }
    info->first[TRN_MESH_GROUP_COUNT] = count;
    info->models = reference->models;
    for (int axis = 0; axis < 3; axis++) {
        info->min[axis] = (uint8_t)reference->min[axis];
        info->max[axis] = (uint8_t)reference->max[axis];
    }
}

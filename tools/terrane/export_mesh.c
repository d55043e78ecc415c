#include "export_mesh.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATERIAL_KEYS ((size_t)TRN_BLOCK_TYPES_MAX * EXPORT_BLOCK_FACES)

/// ExportQuad.bits of a model: TrnModelFace.place, its rectangle above, its ao above that.
#define MODEL_BIT (UINT64_C(1) << 63)
#define MODEL_RECTANGLE_AT 21
#define MODEL_AO_AT 46

ExportMesh export_mesh_start(const ExportBox *box, const TrnBlockTypes *types, bool has_ao)
{
    return (ExportMesh){.types = types,
                        .box = *box,
                        .chunks = export_box_chunks(box),
                        .has_ao = has_ao,
                        .quads_max = EXPORT_QUADS_MAX};
}

void export_mesh_free(ExportMesh *mesh)
{
    free(mesh->quads);
    free(mesh->materials);
    mesh->quads = NULL;
    mesh->materials = NULL;
}

// ---- materials ----------------------------------------------------------------------------------

/// How many faces of a block may have colours of their own.
static uint32_t count_faces(const TrnBlockType *type)
{
    return type->model ? type->model->box_count * TRN_FACE_COUNT : TRN_FACE_COUNT;
}

/// The colour of a face of a block. @param place  box * TRN_FACE_COUNT + face
static const uint8_t *colour_of(const TrnBlockType *type, uint32_t place)
{
    return type->model ? type->model->boxes[place / TRN_FACE_COUNT].colour[place % TRN_FACE_COUNT]
                       : type->colour[place];
}

/// The first face of a block with the same colour as this one.
static uint32_t first_of_colour(const TrnBlockType *type, uint32_t place)
{
    uint32_t first = 0;
    while (memcmp(colour_of(type, first), colour_of(type, place), 3) != 0) {
        first++;
    }
    return first;
}

static uint32_t material_key(const ExportMesh *mesh, TrnBlock block, uint32_t place)
{
    return block * (uint32_t)EXPORT_BLOCK_FACES +
           first_of_colour(trn_block_types_get(mesh->types, block), place);
}

bool export_material_is_transparent(const ExportMaterial *material)
{
    return trn_mesh_surface(material->type->kind) == TRN_MESH_SURFACE_TRANSPARENT;
}

bool export_material_is_plant(const ExportMaterial *material)
{
    return trn_mesh_surface(material->type->kind) == TRN_MESH_SURFACE_PLANT;
}

/// One name for all faces of a box that share a colour.
static const char *face_name(const ExportMaterial *material)
{
    static const char *const names[TRN_FACE_COUNT] = {"west", "east",  "bottom",
                                                      "top",  "north", "south"};
    const uint32_t box = material->box * TRN_FACE_COUNT, face = material->face;
    bool is_side = face != TRN_FACE_NEG_Y && face != TRN_FACE_POS_Y;
    for (uint32_t i = 0; i < TRN_FACE_COUNT && is_side; i++) {
        is_side = i == TRN_FACE_NEG_Y || i == TRN_FACE_POS_Y ||
                  first_of_colour(material->type, box + i) == box + face;
    }
    return is_side ? "side" : names[face];
}

ExportName export_material_name(const ExportMaterial *material)
{
    ExportName name;
    const int length =
        snprintf(name.text, sizeof name.text, "%.*s", TRN_BLOCK_NAME_MAX, material->type->name);
    if (material->is_only || length <= 0) {
        return name;
    }
    char *const end = name.text + length;
    const size_t left = sizeof name.text - (size_t)length;
    if (material->box) {
        (void)snprintf(end, left, "/box%u/%s", (unsigned)material->box + 1, face_name(material));
    } else {
        (void)snprintf(end, left, "/%s", face_name(material));
    }
    return name;
}

// ---- quads --------------------------------------------------------------------------------------

static bool reserve_quads(ExportMesh *mesh, size_t more)
{
    if (mesh->count + more <= mesh->capacity) {
        return true;
    }
    const size_t doubled = mesh->capacity * 2, least = mesh->count + more;
    const size_t capacity = doubled > least ? doubled : least;
    ExportQuad *grown = realloc(mesh->quads, capacity * sizeof *grown);
    if (!grown) {
        return false;
    }
    mesh->quads = grown;
    mesh->capacity = capacity;
    return true;
}

/// What a quad of the mesher is in a model.
static ExportQuad pack_quad(const ExportMesh *mesh, uint32_t chunk, TrnQuad quad)
{
    const uint32_t face = trn_quad_face(quad);
    // Plants use the colour of their top.
    const uint32_t shown = face < TRN_FACE_COUNT ? face : TRN_FACE_POS_Y;
    return (ExportQuad){quad, chunk, material_key(mesh, trn_quad_block(quad), shown)};
}

/// The same of a face of a block's model.
static ExportQuad pack_model_face(const ExportMesh *mesh, uint32_t chunk, const TrnModelFace *face)
{
    const uint32_t place = trn_model_face_box(face) * TRN_FACE_COUNT + trn_model_face_face(face);
    const uint64_t bits = MODEL_BIT | face->place |
                          (uint64_t)face->rectangle << MODEL_RECTANGLE_AT |
                          (uint64_t)trn_model_face_ao(face) << MODEL_AO_AT;
    return (ExportQuad){bits, chunk, material_key(mesh, trn_model_face_block(face), place)};
}

static TrnBlock block_of(const ExportQuad *quad)
{
    return (TrnBlock)(quad->material / EXPORT_BLOCK_FACES);
}

/// Unpacks a face of a model, without its light. @return false if it is a quad
static bool unpack_model_face(const ExportQuad *quad, TrnModelFace *face)
{
    const uint64_t bits = quad->bits;
    *face = (TrnModelFace){(uint32_t)bits & ((1u << MODEL_RECTANGLE_AT) - 1),
                           (uint32_t)(bits >> MODEL_RECTANGLE_AT) &
                               ((1u << (MODEL_AO_AT - MODEL_RECTANGLE_AT)) - 1),
                           block_of(quad) | ((uint32_t)(bits >> MODEL_AO_AT) & 255u) << 16, 0};
    return bits & MODEL_BIT;
}

TrnResult export_mesh_add(ExportMesh *mesh, TrnCoord chunk, const TrnMesh *faces)
{
    const size_t quads = trn_mesh_count(&faces->info), count = quads + faces->model_count;
    if (count > mesh->quads_max - mesh->count) {
        return TRN_RESULT_FULL;
    }
    if (!reserve_quads(mesh, count)) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnCoord min = mesh->chunks.min, max = mesh->chunks.max;
    const int64_t columns = (int64_t)max.x - min.x + 1, slabs = (int64_t)max.z - min.z + 1;
    const int64_t place =
        (((int64_t)chunk.y - min.y) * columns + ((int64_t)chunk.x - min.x)) * slabs +
        ((int64_t)chunk.z - min.z);
    for (size_t i = 0; i < quads; i++) {
        mesh->quads[mesh->count++] = pack_quad(mesh, (uint32_t)place, faces->quads[i]);
    }
    for (uint32_t i = 0; i < faces->model_count; i++) {
        mesh->quads[mesh->count++] = pack_model_face(mesh, (uint32_t)place, &faces->models[i]);
    }
    return TRN_RESULT_OK;
}

/// The lowest corner of a quad's chunk, from the box's lowest corner.
static void chunk_offset(const ExportMesh *mesh, uint32_t place, float offset[3])
{
    const TrnCoord min = mesh->chunks.min, max = mesh->chunks.max;
    const uint32_t columns = (uint32_t)((int64_t)max.x - min.x + 1);
    const uint32_t slabs = (uint32_t)((int64_t)max.z - min.z + 1);
    const int64_t x = place / slabs % columns, y = place / slabs / columns, z = place % slabs;
    const TrnVoxel first = trn_coord_voxel(min);
    offset[0] = (float)(first.x - mesh->box.min.x + x * TRN_CHUNK_EDGE);
    offset[1] = (float)(first.y - mesh->box.min.y + y * TRN_CHUNK_EDGE);
    offset[2] = (float)(first.z - mesh->box.min.z + z * TRN_CHUNK_EDGE);
}

void export_mesh_vertices(const ExportMesh *mesh, const ExportQuad *quad, TrnMeshVertex vertices[4])
{
    float offset[3];
    TrnModelFace face;
    chunk_offset(mesh, quad->chunk, offset);
    if (unpack_model_face(quad, &face)) {
        trn_model_face_vertices(&face, offset, vertices);
        return;
    }
    const TrnBlockKind kind = trn_block_types_get(mesh->types, block_of(quad))->kind;
    TrnMeshVertex all[TRN_QUAD_VERTICES_MAX];
    (void)trn_quad_vertices(quad->bits, trn_mesh_surface(kind) == TRN_MESH_SURFACE_TRANSPARENT,
                            offset, all);
    memcpy(vertices, all, 4 * sizeof *vertices); // a leaf's front is first
}

void export_mesh_indices(const ExportQuad *quad, uint32_t first, uint32_t indices[6])
{
    TrnModelFace face;
    if (unpack_model_face(quad, &face)) {
        trn_model_face_indices(&face, first, indices);
        return;
    }
    uint32_t all[TRN_QUAD_INDICES_MAX];
    (void)trn_quad_indices(quad->bits, first, all);
    memcpy(indices, all, 6 * sizeof *indices);
}

// ---- by material --------------------------------------------------------------------------------

/// Lists the keys that occur. @param counts  [MATERIAL_KEYS] of quads; receives where the quads of
/// each begin
static bool list_materials(ExportMesh *mesh, uint32_t *counts)
{
    size_t used = 0;
    for (size_t key = 0; key < MATERIAL_KEYS; key++) {
        used += counts[key] != 0;
    }
    mesh->materials = calloc(used ? used : 1, sizeof *mesh->materials);
    if (!mesh->materials) {
        return false;
    }
    size_t first = 0;
    for (size_t key = 0; key < MATERIAL_KEYS; key++) {
        const size_t count = counts[key];
        counts[key] = (uint32_t)first;
        if (count == 0) {
            continue;
        }
        const TrnBlockType *type =
            trn_block_types_get(mesh->types, (TrnBlock)(key / EXPORT_BLOCK_FACES));
        const uint32_t place = (uint32_t)(key % EXPORT_BLOCK_FACES);
        ExportMaterial *const material = &mesh->materials[mesh->material_count++];
        *material = (ExportMaterial){.type = type,
                                     .colour = colour_of(type, place),
                                     .box = place / TRN_FACE_COUNT,
                                     .face = (TrnFace)(place % TRN_FACE_COUNT),
                                     .is_only = true,
                                     .first = first,
                                     .count = count};
        for (uint32_t face = 0; face < count_faces(type); face++) {
            material->is_only = material->is_only && first_of_colour(type, face) == 0;
        }
        first += count;
    }
    return true;
}

/// Sorts the quads by key, stably.
/// @param firsts  [MATERIAL_KEYS] where the quads of each key begin; written
static bool order_quads(ExportMesh *mesh, uint32_t *firsts)
{
    ExportQuad *ordered = calloc(mesh->count ? mesh->count : 1, sizeof *ordered);
    if (!ordered) {
        return false;
    }
    for (size_t i = 0; i < mesh->count; i++) {
        ordered[firsts[mesh->quads[i].material]++] = mesh->quads[i];
    }
    free(mesh->quads);
    mesh->quads = ordered;
    mesh->capacity = mesh->count;
    return true;
}

static void measure_material(const ExportMesh *mesh, ExportMaterial *material)
{
    for (int axis = 0; axis < 3; axis++) {
        material->min[axis] = FLT_MAX;
        material->max[axis] = -FLT_MAX;
    }
    TrnMeshVertex vertices[4];
    for (size_t i = 0; i < material->count; i++) {
        export_mesh_vertices(mesh, &mesh->quads[material->first + i], vertices);
        for (uint32_t v = 0; v < 4; v++) {
            for (int axis = 0; axis < 3; axis++) {
                const float at = vertices[v].position[axis];
                material->min[axis] = at < material->min[axis] ? at : material->min[axis];
                material->max[axis] = at > material->max[axis] ? at : material->max[axis];
            }
        }
    }
}

TrnResult export_mesh_finish(ExportMesh *mesh)
{
    uint32_t *counts = calloc(MATERIAL_KEYS, sizeof *counts);
    if (!counts) {
        return TRN_RESULT_NO_MEMORY;
    }
    for (size_t i = 0; i < mesh->count; i++) {
        counts[mesh->quads[i].material]++;
    }
    const bool good = list_materials(mesh, counts) && order_quads(mesh, counts);
    free(counts);
    for (size_t i = 0; good && i < mesh->material_count; i++) {
        measure_material(mesh, &mesh->materials[i]);
    }
    return good ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

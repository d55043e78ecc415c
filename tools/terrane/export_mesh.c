#include "export_mesh.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MATERIAL_KEYS ((size_t)TRN_BLOCK_TYPES_MAX * TRN_FACE_COUNT)

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

/// The first face of a block with the same colour as this one.
static TrnFace first_of_colour(const TrnBlockType *type, TrnFace face)
{
    uint32_t first = 0;
    while (memcmp(type->colour[first], type->colour[face], sizeof type->colour[0]) != 0) {
        first++;
    }
    return (TrnFace)first;
}

static uint32_t material_key(const ExportMesh *mesh, TrnQuad quad)
{
    const TrnBlock block = trn_quad_block(quad);
    const uint32_t face = trn_quad_face(quad);
    // Plants use the colour of their top.
    const TrnFace shown = face < TRN_FACE_COUNT ? (TrnFace)face : TRN_FACE_POS_Y;
    return block * (uint32_t)TRN_FACE_COUNT +
           (uint32_t)first_of_colour(trn_block_types_get(mesh->types, block), shown);
}

bool export_material_is_transparent(const ExportMaterial *material)
{
    return trn_mesh_surface(material->type->kind) == TRN_MESH_SURFACE_TRANSPARENT;
}

bool export_material_is_plant(const ExportMaterial *material)
{
    return trn_mesh_surface(material->type->kind) == TRN_MESH_SURFACE_PLANT;
}

/// One name for all faces that share a colour.
static const char *face_name(const TrnBlockType *type, TrnFace face)
{
    static const char *const names[TRN_FACE_COUNT] = {"west", "east",  "bottom",
                                                      "top",  "north", "south"};
    const bool is_side = face != TRN_FACE_NEG_Y && face != TRN_FACE_POS_Y;
    return is_side && first_of_colour(type, TRN_FACE_POS_X) == face &&
                   first_of_colour(type, TRN_FACE_NEG_Z) == face &&
                   first_of_colour(type, TRN_FACE_POS_Z) == face
               ? "side"
               : names[face];
}

ExportName export_material_name(const ExportMaterial *material)
{
    ExportName name;
    const TrnBlockType *type = material->type;
    const int length =
        snprintf(name.text, sizeof name.text, "%.*s", TRN_BLOCK_NAME_MAX, type->name);
    if (!material->is_only && length > 0) {
        (void)snprintf(name.text + length, sizeof name.text - (size_t)length, "/%s",
                       face_name(type, material->face));
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

TrnResult export_mesh_add(ExportMesh *mesh, TrnCoord chunk, const TrnQuad *quads,
                          const TrnMeshInfo *info)
{
    const uint32_t count = trn_mesh_count(info);
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
    for (uint32_t i = 0; i < count; i++) {
        mesh->quads[mesh->count++] =
            (ExportQuad){quads[i], (uint32_t)place, material_key(mesh, quads[i])};
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

static bool is_transparent_quad(const ExportMesh *mesh, TrnQuad quad)
{
    const TrnBlockKind kind = trn_block_types_get(mesh->types, trn_quad_block(quad))->kind;
    return trn_mesh_surface(kind) == TRN_MESH_SURFACE_TRANSPARENT;
}

void export_mesh_vertices(const ExportMesh *mesh, const ExportQuad *quad, TrnMeshVertex vertices[4])
{
    float offset[3];
    chunk_offset(mesh, quad->chunk, offset);
    TrnMeshVertex all[TRN_QUAD_VERTICES_MAX];
    (void)trn_quad_vertices(quad->quad, is_transparent_quad(mesh, quad->quad), offset, all);
    memcpy(vertices, all, 4 * sizeof *vertices); // a leaf's front is first
}

void export_mesh_indices(const ExportQuad *quad, uint32_t first, uint32_t indices[6])
{
    uint32_t all[TRN_QUAD_INDICES_MAX];
    (void)trn_quad_indices(quad->quad, first, all);
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
            trn_block_types_get(mesh->types, (TrnBlock)(key / TRN_FACE_COUNT));
        ExportMaterial *const material = &mesh->materials[mesh->material_count++];
        *material = (ExportMaterial){.type = type,
                                     .face = (TrnFace)(key % TRN_FACE_COUNT),
                                     .is_only = true,
                                     .first = first,
                                     .count = count};
        for (uint32_t face = 0; face < TRN_FACE_COUNT; face++) {
            material->is_only =
                material->is_only && first_of_colour(type, (TrnFace)face) == TRN_FACE_NEG_X;
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

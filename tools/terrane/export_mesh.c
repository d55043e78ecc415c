#include "export_mesh.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/mesher.h>
#include <terrane/voxels.h>

#include "interrupt.h"
#include "progress.h"

#define EXPORT_MATERIAL_KEYS ((size_t)TRN_BLOCK_TYPES_MAX * EXPORT_BLOCK_FACES)

/// ExportQuad.bits of a model: TrnModelFace.place, its rectangle above, its ao above that.
#define EXPORT_MODEL_BIT (UINT64_C(1) << 63)
#define EXPORT_MODEL_RECTANGLE_AT 21
#define EXPORT_MODEL_AO_AT 46

/// Bytes of a quad in a glTF: four vertices and six indices.
#define EXPORT_QUAD_BYTES (4 * EXPORT_VERTEX_BYTES_MAX + 6 * 4)

// ---- the box ------------------------------------------------------------------------------------

void export_box_size(const ExportBox *box, int64_t size[3])
{
    size[0] = box->max.x - box->min.x + 1;
    size[1] = box->max.y - box->min.y + 1;
    size[2] = box->max.z - box->min.z + 1;
}

TrnBox export_box_chunks(const ExportBox *box)
{
    const TrnBox chunks = {trn_voxel_chunk(box->min), trn_voxel_chunk(box->max)};
    return chunks;
}

static int64_t export_count_chunks(TrnBox chunks)
{
    return ((int64_t)chunks.max.x - chunks.min.x + 1) * ((int64_t)chunks.max.y - chunks.min.y + 1) *
           ((int64_t)chunks.max.z - chunks.min.z + 1);
}

static bool export_check_chunk_count(const ExportBox *box, const int64_t size[3], Message *problem)
{
    const int64_t count = export_count_chunks(export_box_chunks(box));
    return count <= EXPORT_CHUNKS_MAX ||
           message_set(problem,
                       "The box of %" PRId64 "x%" PRId64 "x%" PRId64 " voxels has %" PRId64
                       " chunks, and at most %u can be exported at once; make it smaller.",
                       size[0], size[1], size[2], count, EXPORT_CHUNKS_MAX);
}

bool export_box_check(const ExportBox *box, Message *problem)
{
    if (!trn_voxel_in_world(box->min) || !trn_voxel_in_world(box->max)) {
        return message_set(problem,
                           "The box would reach out of the world, which goes from %" PRId64
                           " to %" PRId64 " along each axis; move it.",
                           TRN_VOXEL_MIN, TRN_VOXEL_MAX);
    }
    int64_t size[3];
    export_box_size(box, size);
    if (size[0] < 1 || size[1] < 1 || size[2] < 1) {
        return message_set(problem, "The box is empty: its first corner must be the lower one "
                                    "along each axis; swap them.");
    }
    if (size[0] > EXPORT_EDGE_MAX || size[1] > EXPORT_EDGE_MAX || size[2] > EXPORT_EDGE_MAX) {
        return message_set(problem,
                           "The box would be %" PRId64 "x%" PRId64 "x%" PRId64
                           " voxels, and at most %d along each axis can be exported at once; make "
                           "it smaller.",
                           size[0], size[1], size[2], EXPORT_EDGE_MAX);
    }
    return export_check_chunk_count(box, size, problem);
}

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
static uint32_t export_count_faces(const TrnBlockType *type)
{
    return type->model ? type->model->box_count * TRN_FACE_COUNT : TRN_FACE_COUNT;
}

/// The colour of a face of a block. @param place  box * TRN_FACE_COUNT + face
static const uint8_t *export_colour_of(const TrnBlockType *type, uint32_t place)
{
    return type->model ? type->model->boxes[place / TRN_FACE_COUNT].colour[place % TRN_FACE_COUNT]
                       : type->colour[place];
}

/// The first face of a block with the same colour as this one.
static uint32_t export_first_of_colour(const TrnBlockType *type, uint32_t place)
{
    uint32_t first = 0;
    while (memcmp(export_colour_of(type, first), export_colour_of(type, place), 3) != 0) {
        first++;
    }
    return first;
}

static uint32_t export_material_key(const ExportMesh *mesh, TrnBlock block, uint32_t place)
{
    return block * (uint32_t)EXPORT_BLOCK_FACES +
           export_first_of_colour(trn_block_types_get(mesh->types, block), place);
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
static const char *export_face_name(const ExportMaterial *material)
{
    static const char *const names[TRN_FACE_COUNT] = {"west", "east",  "bottom",
                                                      "top",  "north", "south"};
    const uint32_t box = material->box * TRN_FACE_COUNT, face = material->face;
    bool is_side = face != TRN_FACE_NEG_Y && face != TRN_FACE_POS_Y;
    for (uint32_t i = 0; i < TRN_FACE_COUNT && is_side; i++) {
        is_side = i == TRN_FACE_NEG_Y || i == TRN_FACE_POS_Y ||
                  export_first_of_colour(material->type, box + i) == box + face;
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
        (void)snprintf(end, left, "/box%u/%s", (unsigned)material->box + 1,
                       export_face_name(material));
    } else {
        (void)snprintf(end, left, "/%s", export_face_name(material));
    }
    return name;
}

// ---- quads --------------------------------------------------------------------------------------

static bool export_reserve_quads(ExportMesh *mesh, size_t more)
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
static ExportQuad export_pack_quad(const ExportMesh *mesh, uint32_t chunk, TrnQuad quad)
{
    const uint32_t face = trn_quad_face(quad);
    // Plants use the colour of their top.
    const uint32_t shown = face < TRN_FACE_COUNT ? face : TRN_FACE_POS_Y;
    return (ExportQuad){quad, chunk, export_material_key(mesh, trn_quad_block(quad), shown)};
}

/// The same of a face of a block's model.
static ExportQuad export_pack_model_face(const ExportMesh *mesh, uint32_t chunk,
                                         const TrnModelFace *face)
{
    const uint32_t place = trn_model_face_box(face) * TRN_FACE_COUNT + trn_model_face_face(face);
    const uint64_t bits = EXPORT_MODEL_BIT | face->place |
                          (uint64_t)face->rectangle << EXPORT_MODEL_RECTANGLE_AT |
                          (uint64_t)trn_model_face_ao(face) << EXPORT_MODEL_AO_AT;
    return (ExportQuad){bits, chunk, export_material_key(mesh, trn_model_face_block(face), place)};
}

static TrnBlock export_block_of(const ExportQuad *quad)
{
    return (TrnBlock)(quad->material / EXPORT_BLOCK_FACES);
}

/// Unpacks a face of a model, without its light. @return false if it is a quad
static bool export_unpack_model_face(const ExportQuad *quad, TrnModelFace *face)
{
    const uint64_t bits = quad->bits;
    *face = (TrnModelFace){
        (uint32_t)bits & ((1u << EXPORT_MODEL_RECTANGLE_AT) - 1),
        (uint32_t)(bits >> EXPORT_MODEL_RECTANGLE_AT) &
            ((1u << (EXPORT_MODEL_AO_AT - EXPORT_MODEL_RECTANGLE_AT)) - 1),
        export_block_of(quad) | ((uint32_t)(bits >> EXPORT_MODEL_AO_AT) & 255u) << 16, 0};
    return bits & EXPORT_MODEL_BIT;
}

/// Copies the quads and the faces of models of a chunk. Errors: NO_MEMORY, FULL (quads_max).
static TrnResult export_add_faces(ExportMesh *mesh, TrnCoord chunk, const TrnMesh *faces)
{
    const size_t quads = trn_mesh_count(&faces->info), count = quads + faces->model_count;
    if (count > mesh->quads_max - mesh->count) {
        return TRN_RESULT_FULL;
    }
    if (!export_reserve_quads(mesh, count)) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnCoord min = mesh->chunks.min, max = mesh->chunks.max;
    const int64_t columns = (int64_t)max.x - min.x + 1, slabs = (int64_t)max.z - min.z + 1;
    const int64_t place =
        (((int64_t)chunk.y - min.y) * columns + ((int64_t)chunk.x - min.x)) * slabs +
        ((int64_t)chunk.z - min.z);
    for (size_t i = 0; i < quads; i++) {
        mesh->quads[mesh->count++] = export_pack_quad(mesh, (uint32_t)place, faces->quads[i]);
    }
    for (uint32_t i = 0; i < faces->model_count; i++) {
        mesh->quads[mesh->count++] =
            export_pack_model_face(mesh, (uint32_t)place, &faces->models[i]);
    }
    return TRN_RESULT_OK;
}

/// The lowest corner of a quad's chunk, from the box's lowest corner.
static void export_chunk_offset(const ExportMesh *mesh, uint32_t place, float offset[3])
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
    export_chunk_offset(mesh, quad->chunk, offset);
    if (export_unpack_model_face(quad, &face)) {
        trn_model_face_vertices(&face, offset, vertices);
        return;
    }
    const TrnBlockKind kind = trn_block_types_get(mesh->types, export_block_of(quad))->kind;
    TrnMeshVertex all[TRN_QUAD_VERTICES_MAX];
    (void)trn_quad_vertices(quad->bits, trn_mesh_surface(kind) == TRN_MESH_SURFACE_TRANSPARENT,
                            offset, all);
    memcpy(vertices, all, 4 * sizeof *vertices); // a leaf's front is first
}

void export_mesh_indices(const ExportQuad *quad, uint32_t first, uint32_t indices[6])
{
    TrnModelFace face;
    if (export_unpack_model_face(quad, &face)) {
        trn_model_face_indices(&face, first, indices);
        return;
    }
    uint32_t all[TRN_QUAD_INDICES_MAX];
    (void)trn_quad_indices(quad->bits, first, all);
    memcpy(indices, all, 6 * sizeof *indices);
}

// ---- by material --------------------------------------------------------------------------------

/// Lists the keys that occur. @param counts  [EXPORT_MATERIAL_KEYS] of quads; receives where the
/// quads of each begin
static bool export_list_materials(ExportMesh *mesh, uint32_t *counts)
{
    size_t used = 0;
    for (size_t key = 0; key < EXPORT_MATERIAL_KEYS; key++) {
        used += counts[key] != 0;
    }
    mesh->materials = calloc(used ? used : 1, sizeof *mesh->materials);
    if (!mesh->materials) {
        return false;
    }
    size_t first = 0;
    for (size_t key = 0; key < EXPORT_MATERIAL_KEYS; key++) {
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
                                     .colour = export_colour_of(type, place),
                                     .box = place / TRN_FACE_COUNT,
                                     .face = (TrnFace)(place % TRN_FACE_COUNT),
                                     .is_only = true,
                                     .first = first,
                                     .count = count};
        for (uint32_t face = 0; face < export_count_faces(type); face++) {
            material->is_only = material->is_only && export_first_of_colour(type, face) == 0;
        }
        first += count;
    }
    return true;
}

/// Sorts the quads by key, stably.
/// @param firsts  [EXPORT_MATERIAL_KEYS] where the quads of each key begin; written
static bool export_order_quads(ExportMesh *mesh, uint32_t *firsts)
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

static void export_measure_material(const ExportMesh *mesh, ExportMaterial *material)
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

/// Lists the materials and sorts the quads by them. Errors: NO_MEMORY.
static TrnResult export_sort_quads(ExportMesh *mesh)
{
    uint32_t *counts = calloc(EXPORT_MATERIAL_KEYS, sizeof *counts);
    if (!counts) {
        return TRN_RESULT_NO_MEMORY;
    }
    for (size_t i = 0; i < mesh->count; i++) {
        counts[mesh->quads[i].material]++;
    }
    const bool good = export_list_materials(mesh, counts) && export_order_quads(mesh, counts);
    free(counts);
    for (size_t i = 0; good && i < mesh->material_count; i++) {
        export_measure_material(mesh, &mesh->materials[i]);
    }
    return good ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

// ---- slabs of chunks ----------------------------------------------------------------------------

/// Voxels of the chunks of a box, three slabs along z at a time, so that the middle one can be
/// meshed. Voxels outside the box are air, so that its sides are closed.
typedef struct ExportJob {
    ExportMesh *mesh;
    TrnGenerator generator;
    TrnVoxelHeap *heap;
    TrnVoxels *voxels[3];              ///< slab z % 3: [rows * columns], x fastest, then y
    TrnBlock blocks[TRN_CHUNK_VOXELS]; ///< of the chunk being generated
    TrnMeshInput input;
    void *scratch;
    TrnMesh chunk;       ///< of the current chunk
    int64_t done, total; ///< chunks
    Progress progress;
    Message *problem;
} ExportJob;

/// The place of a chunk in its slab.
static TrnVoxels *export_voxels_at(const ExportJob *job, TrnCoord coord)
{
    const TrnCoord min = job->mesh->chunks.min;
    const size_t columns = (size_t)((int64_t)job->mesh->chunks.max.x - min.x + 1);
    const size_t place =
        (size_t)((int64_t)coord.y - min.y) * columns + (size_t)((int64_t)coord.x - min.x);
    return &job->voxels[((int64_t)coord.z - min.z) % 3][place];
}

/// The part of a chunk's axis inside the box. @return whether that is all of it
static bool export_clip_axis(int64_t chunk_first, int64_t box_min, int64_t box_max, int range[2])
{
    const int64_t last = TRN_CHUNK_EDGE - 1, low = box_min - chunk_first,
                  high = box_max - chunk_first;
    range[0] = (int)(low > 0 ? low : 0);
    range[1] = (int)(high < last ? high : last);
    return range[0] == 0 && range[1] == last;
}

/// Replaces voxels outside the box by air.
static void export_cut_chunk(ExportJob *job, TrnCoord coord, bool *uniform)
{
    const TrnVoxel first = trn_coord_voxel(coord);
    int x[2], y[2], z[2];
    const bool whole_x = export_clip_axis(first.x, job->mesh->box.min.x, job->mesh->box.max.x, x);
    const bool whole_y = export_clip_axis(first.y, job->mesh->box.min.y, job->mesh->box.max.y, y);
    const bool whole_z = export_clip_axis(first.z, job->mesh->box.min.z, job->mesh->box.max.z, z);
    TrnBlock *const blocks = job->blocks;
    if ((whole_x && whole_y && whole_z) || (*uniform && blocks[0] == TRN_BLOCK_AIR)) {
        return;
    }
    const TrnBlock all = blocks[0];
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const int at_x = i & 31, at_z = i >> 5 & 31, at_y = i >> 10;
        const bool inside = at_x >= x[0] && at_x <= x[1] && at_y >= y[0] && at_y <= y[1] &&
                            at_z >= z[0] && at_z <= z[1];
        blocks[i] = !inside ? TRN_BLOCK_AIR : *uniform ? all : blocks[i];
    }
    *uniform = false;
}

/// Generates a chunk of the box and keeps it until the slab three further on replaces it.
static TrnResult export_generate(ExportJob *job, TrnCoord coord)
{
    bool uniform;
    const TrnResult result =
        trn_generator_generate(&job->generator, coord, 0, job->blocks, &uniform);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    export_cut_chunk(job, coord, &uniform);
    TrnVoxels *const voxels = export_voxels_at(job, coord);
    if (uniform) {
        trn_voxels_fill(job->heap, voxels, job->blocks[0], 0);
        return TRN_RESULT_OK;
    }
    return trn_voxels_encode(job->heap, voxels, job->blocks, 0);
}

/// Fills in `around` and `present` of the mesher's input, from the chunk's slab and the two next to
/// it.
static void export_look_around(ExportJob *job, TrnCoord coord)
{
    job->input.present = 0;
    for (uint32_t place = 0; place < 27; place++) {
        const TrnCoord at = trn_coord_around(coord, place);
        // If the world wraps here, the neighbour is at its other end and not in the box.
        if (trn_box_contains(job->mesh->chunks, at)) {
            job->input.around[place] = trn_voxels_snapshot(export_voxels_at(job, at));
            job->input.present |= 1u << place;
        }
    }
}

// ---- collecting
// ----------------------------------------------------------------------------------

static bool export_refuse(TrnResult result, Message *problem)
{
    return message_set(problem, "Cannot export the land: %s", trn_result_text(result));
}

/// Reports the estimated size, from the part that is done.
static bool export_refuse_quads(const ExportJob *job)
{
    const double max = (double)job->mesh->quads_max;
    const double all = max * (double)job->total / (double)(job->done + 1);
    const double mega = 1e6, giga = 1e9;
    return message_set(job->problem,
                       "This land would come to about %.1f million faces (%.2f GB), and at most "
                       "%.1f million (%.2f GB) can be exported at once; make the box smaller.",
                       all / mega, all * EXPORT_QUAD_BYTES / giga, max / mega,
                       max * EXPORT_QUAD_BYTES / giga);
}

static bool export_mesh_chunk(ExportJob *job, TrnCoord coord)
{
    export_look_around(job, coord);
    TrnResult result = trn_mesh_build(&job->chunk, &job->input, job->scratch);
    if (result == TRN_RESULT_OK) {
        result = export_add_faces(job->mesh, coord, &job->chunk);
    }
    if (result == TRN_RESULT_OK) {
        job->done++;
        progress_step(&job->progress);
        return true;
    }
    return result == TRN_RESULT_FULL ? export_refuse_quads(job)
                                     : export_refuse(result, job->problem);
}

static bool export_load_chunk(ExportJob *job, TrnCoord coord)
{
    const TrnResult result = export_generate(job, coord);
    if (result != TRN_RESULT_OK) {
        return export_refuse(result, job->problem);
    }
    return !interrupt_came() || message_set(job->problem, "Interrupted; nothing was written.");
}

/// Loads the chunks of a slab column by column, which generators do fastest.
static bool export_for_slab(ExportJob *job, int64_t z, bool (*act)(ExportJob *job, TrnCoord coord))
{
    const TrnBox chunks = job->mesh->chunks;
    for (int64_t x = chunks.min.x; x <= chunks.max.x; x++) {
        for (int64_t y = chunks.min.y; y <= chunks.max.y; y++) {
            const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
            if (!act(job, coord)) {
                return false;
            }
        }
    }
    return true;
}

/// Meshes each slab once the slab behind it is loaded.
static bool export_slabs(ExportJob *job)
{
    const TrnBox chunks = job->mesh->chunks;
    for (int64_t z = chunks.min.z; z <= chunks.max.z; z++) {
        if (!export_for_slab(job, z, export_load_chunk) ||
            (z > chunks.min.z && !export_for_slab(job, z - 1, export_mesh_chunk))) {
            return false;
        }
    }
    return export_for_slab(job, chunks.max.z, export_mesh_chunk);
}

static bool export_finish(const ExportJob *job)
{
    if (job->mesh->count == 0) {
        return message_set(job->problem, "There is nothing in this box but air; move it, or make "
                                         "it larger.");
    }
    const TrnResult result = export_sort_quads(job->mesh);
    return result == TRN_RESULT_OK || export_refuse(result, job->problem);
}

/// @param job  receives what export_end_job frees. Errors: NO_MEMORY.
static TrnResult export_begin_job(ExportJob **job, ExportMesh *mesh, TrnGenerator generator)
{
    ExportJob *made = calloc(1, sizeof *made);
    *job = made;
    if (!made) {
        return TRN_RESULT_NO_MEMORY;
    }
    made->mesh = mesh;
    made->generator = generator;
    made->total = export_count_chunks(mesh->chunks);
    made->input.types = trn_block_types_all(mesh->types, &made->input.type_count);
    made->input.without_ao = !mesh->has_ao;
    trn_mesh_init(&made->chunk, NULL);
    TrnVoxelHeapDef def = trn_voxel_heap_def();
    def.solid_bits = trn_block_types_solid_bits(mesh->types);
    def.opaque_bits = trn_block_types_opaque_bits(mesh->types);
    TrnResult result = trn_voxel_heap_create(&def, &made->heap);
    const int64_t slabs = (int64_t)mesh->chunks.max.z - mesh->chunks.min.z + 1;
    for (int i = 0; i < 3; i++) {
        made->voxels[i] = calloc((size_t)(made->total / slabs), sizeof *made->voxels[i]);
        result = made->voxels[i] ? result : TRN_RESULT_NO_MEMORY;
    }
    made->scratch = trn_aligned_alloc(TRN_MESH_SCRATCH_BYTES, 64);
    return made->scratch ? result : TRN_RESULT_NO_MEMORY;
}

static void export_end_job(ExportJob *job)
{
    for (int i = 0; job && i < 3; i++) {
        free(job->voxels[i]);
    }
    if (job) {
        trn_mesh_free(&job->chunk);
        trn_voxel_heap_destroy(job->heap);
        trn_aligned_free(job->scratch);
    }
    free(job);
}

bool export_mesh_collect(ExportMesh *mesh, TrnGenerator generator, Message *problem)
{
    ExportJob *job;
    const TrnResult result = export_begin_job(&job, mesh, generator);
    bool good = result == TRN_RESULT_OK || export_refuse(result, problem);
    if (good) {
        job->problem = problem;
        job->progress = progress_start(stderr, "terrane export", job->total);
        good = export_slabs(job) && export_finish(job);
        progress_end(&job->progress);
    }
    export_end_job(job);
    return good;
}

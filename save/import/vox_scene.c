// The scene of a file of MagicaVoxel: its models where they stand, as voxels sorted by chunk.

#include "vox_scene.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/// A model where it stands.
typedef struct VoxShape {
    uint32_t model;
    TrnVoxTransform transform;
} VoxShape;

TRN_ARRAY_DECLARE(VoxShapes, VoxShape);

/// A node that is still to be visited.
typedef struct VoxVisit {
    int32_t id;
    uint32_t depth;
    uint32_t above; ///< the index of the visit that named it; its own: none did
    TrnVoxTransform transform;
} VoxVisit;

TRN_ARRAY_DECLARE(VoxVisits, VoxVisit);

/// What reading a scene works with.
typedef struct VoxReading {
    TrnVoxScene *scene;
    TrnVoxFile file;
    VoxShapes shapes;
    VoxVisits visits;
    TrnVoxel offset;
    const char **fault;
} VoxReading;

static TrnResult vox_fault(const VoxReading *reading, const char *fault)
{
    *reading->fault = fault;
    return TRN_RESULT_CORRUPT;
}

// ---- the scene ----------------------------------------------------------------------------------

/// Moves and turns by the inner transform first, then by the outer one.
static TrnVoxTransform vox_compose(const TrnVoxTransform *outer, const TrnVoxTransform *inner)
{
    TrnVoxTransform both;
    for (int i = 0; i < 3; i++) {
        const uint8_t axis = outer->axis[i];
        both.axis[i] = inner->axis[axis];
        both.sign[i] = (int8_t)(outer->sign[i] * inner->sign[axis]);
        both.move[i] = outer->sign[i] * inner->move[axis] + outer->move[i];
    }
    return both;
}

/// Whether a node is visited already on the way down to a visit.
static bool vox_is_inside(const VoxReading *reading, uint32_t visit, int32_t id)
{
    const VoxVisit *visits = reading->visits.items;
    while (visits[visit].id != id && visits[visit].above != visit) {
        visit = visits[visit].above;
    }
    return visits[visit].id == id;
}

/// @param above  the index of the visit that names the node; that of the new one: none does
static TrnResult vox_visit_later(VoxReading *reading, int32_t id, uint32_t above,
                                 const TrnVoxTransform *transform)
{
    const bool is_named = above < reading->visits.count;
    const uint32_t depth = is_named ? reading->visits.items[above].depth + 1 : 0;
    if (is_named && vox_is_inside(reading, above, id)) {
        reading->scene->missing_count++; // the scene contains itself
        return TRN_RESULT_OK;
    }
    if (depth > TRN_VOX_DEPTH_MAX || reading->visits.count >= TRN_VOX_NODES_MAX) {
        return vox_fault(reading, "its scene is too large");
    }
    const VoxVisit visit = {id, depth, above, *transform};
    return trn_array_push(&reading->visits, &reading->scene->allocator, visit);
}

static TrnResult vox_visit_group(VoxReading *reading, uint32_t at, const TrnVoxTransform *transform,
                                 TrnVoxBytes children)
{
    TrnResult result = TRN_RESULT_OK;
    while (result == TRN_RESULT_OK && children.at < children.end) {
        result = vox_visit_later(reading, trn_vox_integer(&children), at, transform);
    }
    return result;
}

static TrnResult vox_visit_shape(VoxReading *reading, const TrnVoxTransform *transform,
                                 int32_t model)
{
    if ((uint32_t)model >= reading->file.models.count) {
        reading->scene->missing_count++;
        return TRN_RESULT_OK;
    }
    if (reading->shapes.count == TRN_VOX_SHAPES_MAX) {
        return vox_fault(reading, "its scene has too many models");
    }
    const VoxShape shape = {(uint32_t)model, *transform};
    return trn_array_push(&reading->shapes, &reading->scene->allocator, shape);
}

static TrnResult vox_visit(VoxReading *reading, uint32_t at)
{
    const VoxVisit visit = reading->visits.items[at]; // which visiting may move
    const TrnCoordEntry *entry =
        trn_coord_map_find(&reading->file.node_places, (TrnCoord){visit.id, 0, 0});
    if (!entry) {
        reading->scene->missing_count++;
        return TRN_RESULT_OK;
    }
    const TrnVoxNode *node = &reading->file.nodes.items[entry->number];
    if (node->is_hidden ||
        (node->kind == TRN_VOX_TRANSFORM &&
         trn_coord_map_find(&reading->file.hidden_layers, (TrnCoord){node->layer, 0, 0}))) {
        reading->scene->hidden_count++;
        return TRN_RESULT_OK;
    }
    switch (node->kind) {
    case TRN_VOX_GROUP:
        return vox_visit_group(reading, at, &visit.transform, node->children);
    case TRN_VOX_SHAPE:
        return vox_visit_shape(reading, &visit.transform, node->child);
    default:
        break;
    }
    const TrnVoxTransform both = vox_compose(&visit.transform, &node->transform);
    return vox_visit_later(reading, node->child, at, &both);
}

/// Marks a node as named by another. Errors: NO_MEMORY.
static TrnResult vox_name_node(TrnCoordMap *named, const TrnAllocator *allocator, int32_t id)
{
    const TrnResult result = trn_vox_add_place(named, allocator, id, 0);
    return result == TRN_RESULT_CORRUPT ? TRN_RESULT_OK : result; // named twice
}

/// Begins at every node that no other names: for scenes whose first node is missing.
static TrnResult vox_visit_tops(VoxReading *reading, const TrnVoxTransform *still)
{
    const TrnAllocator *allocator = &reading->scene->allocator;
    const TrnVoxNodes *nodes = &reading->file.nodes;
    TrnCoordMap named = {0};
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < nodes->count && result == TRN_RESULT_OK; i++) {
        TrnVoxBytes children = nodes->items[i].children;
        if (nodes->items[i].kind == TRN_VOX_TRANSFORM) {
            result = vox_name_node(&named, allocator, nodes->items[i].child);
        }
        while (children.at < children.end && result == TRN_RESULT_OK) {
            result = vox_name_node(&named, allocator, trn_vox_integer(&children));
        }
    }
    for (uint32_t i = 0; i < nodes->count && result == TRN_RESULT_OK; i++) {
        const int32_t id = nodes->items[i].id;
        if (!trn_coord_map_find(&named, (TrnCoord){id, 0, 0})) {
            result = vox_visit_later(reading, id, reading->visits.count, still);
        }
    }
    trn_coord_map_free(&named, allocator);
    return result;
}

/// Moves a model's voxels so that they turn around its centre, as MagicaVoxel does. Voxels turn as
/// points at their centres: a negative sign takes one off.
static void vox_centre(VoxShape *shape, const TrnVoxModel *model)
{
    TrnVoxTransform *transform = &shape->transform;
    for (int i = 0; i < 3; i++) {
        const int64_t pivot = model->size[transform->axis[i]] / 2;
        transform->move[i] -= transform->sign[i] * pivot + (transform->sign[i] < 0);
    }
}

/// Finds the models of the scene. Nodes are visited at most TRN_VOX_NODES_MAX times in all.
static TrnResult vox_read_shapes(VoxReading *reading)
{
    static const TrnVoxTransform still = {{0, 1, 2}, {1, 1, 1}, {0, 0, 0}};
    const TrnVoxFile *file = &reading->file;
    if (file->models.count == 0) {
        return vox_fault(reading, file->ends_early ? "it ends early" : "it has no model");
    }
    if (file->nodes.count == 0) {
        reading->scene->frame_count += file->models.count - 1;
        const VoxShape shape = {0, still};
        return trn_array_push(&reading->shapes, &reading->scene->allocator, shape);
    }
    const bool has_first = trn_coord_map_find(&file->node_places, (TrnCoord){0, 0, 0});
    reading->scene->missing_count += !has_first;
    TrnResult result =
        has_first ? vox_visit_later(reading, 0, 0, &still) : vox_visit_tops(reading, &still);
    for (uint32_t i = 0; result == TRN_RESULT_OK && i < reading->visits.count; i++) {
        result = vox_visit(reading, i);
    }
    for (uint32_t i = 0; i < reading->shapes.count; i++) {
        vox_centre(&reading->shapes.items[i], &file->models.items[reading->shapes.items[i].model]);
    }
    return result;
}

// ---- voxels -------------------------------------------------------------------------------------

/// Where a voxel of a shape is in the world. @return false if it is outside, or has no colour
static bool vox_place(VoxReading *reading, const VoxShape *shape, const TrnVoxModel *model,
                      const unsigned char *voxel, TrnVoxel *place)
{
    int64_t at[3];
    const TrnVoxTransform *transform = &shape->transform;
    for (int i = 0; i < 3; i++) {
        at[i] = transform->sign[i] * (int64_t)voxel[transform->axis[i]] + transform->move[i];
    }
    *place = (TrnVoxel){at[0] + reading->offset.x, at[2] + reading->offset.y,
                        -1 - at[1] + reading->offset.z};
    return voxel[3] != 0 && voxel[0] < model->size[0] && voxel[1] < model->size[1] &&
           voxel[2] < model->size[2] && trn_voxel_in_world(*place);
}

/// Counts a voxel of a chunk. Errors: CORRUPT, NO_MEMORY.
static TrnResult vox_count_voxel(VoxReading *reading, TrnCoord coord)
{
    TrnVoxScene *scene = reading->scene;
    const TrnCoordEntry *entry = trn_coord_map_find(&scene->places, coord);
    if (entry) {
        scene->chunks.items[entry->number].count++;
        return TRN_RESULT_OK;
    }
    if (scene->chunks.count == TRN_VOX_CHUNKS_MAX) {
        return vox_fault(reading, "its scene is too large");
    }
    TrnResult result = trn_coord_map_reserve(&scene->places, &scene->allocator, 1);
    if (result == TRN_RESULT_OK) {
        const TrnVoxChunk chunk = {coord, 0, 1};
        result = trn_array_push(&scene->chunks, &scene->allocator, chunk);
    }
    if (result == TRN_RESULT_OK) {
        trn_coord_map_add(&scene->places, coord)->number = scene->chunks.count - 1;
    }
    return result;
}

static TrnResult vox_count_shape(VoxReading *reading, const VoxShape *shape)
{
    const TrnVoxModel *model = &reading->file.models.items[shape->model];
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < model->count && result == TRN_RESULT_OK; i++) {
        const unsigned char *voxel = model->voxels + (size_t)i * 4;
        TrnVoxel place;
        if (vox_place(reading, shape, model, voxel, &place)) {
            reading->scene->is_used[voxel[3]] = true;
            result = vox_count_voxel(reading, trn_voxel_chunk(place));
        } else {
            reading->scene->outside_count += voxel[3] != 0;
        }
    }
    return result;
}

/// Adds a shape's voxels behind those that their chunks have.
static void vox_add_shape(VoxReading *reading, const VoxShape *shape)
{
    TrnVoxScene *scene = reading->scene;
    const TrnVoxModel *model = &reading->file.models.items[shape->model];
    for (uint32_t i = 0; i < model->count; i++) {
        const unsigned char *voxel = model->voxels + (size_t)i * 4;
        TrnVoxel place;
        if (vox_place(reading, shape, model, voxel, &place)) {
            const TrnCoordEntry *entry = trn_coord_map_find(&scene->places, trn_voxel_chunk(place));
            TrnVoxChunk *chunk = &scene->chunks.items[entry->number];
            scene->voxels.items[chunk->first + chunk->count++] =
                trn_voxel_local_index(place) | (uint32_t)voxel[3] << 16;
        }
    }
}

static int vox_compare_chunks(const void *a, const void *b)
{
    const TrnCoord one = ((const TrnVoxChunk *)a)->coord, other = ((const TrnVoxChunk *)b)->coord;
    const int by_y = (one.y > other.y) - (one.y < other.y);
    const int by_z = (one.z > other.z) - (one.z < other.z);
    const int by_x = (one.x > other.x) - (one.x < other.x);
    return by_y ? by_y : by_z ? by_z : by_x;
}

/// Gives each chunk its part of the voxels, and forgets the counts.
static void vox_divide_voxels(TrnVoxScene *scene)
{
    uint32_t first = 0;
    if (scene->chunks.count) {
        qsort(scene->chunks.items, scene->chunks.count, sizeof *scene->chunks.items,
              vox_compare_chunks);
    }
    for (uint32_t i = 0; i < scene->chunks.count; i++) {
        TrnVoxChunk *chunk = &scene->chunks.items[i];
        trn_coord_map_find(&scene->places, chunk->coord)->number = i;
        chunk->first = first;
        first += chunk->count;
        chunk->count = 0;
    }
    scene->voxels.count = first;
}

/// Sorts the voxels of all shapes by chunk, by counting them first.
static TrnResult vox_read_voxels(VoxReading *reading)
{
    TrnVoxScene *scene = reading->scene;
    uint64_t total = 0;
    for (uint32_t i = 0; i < reading->shapes.count; i++) {
        total += reading->file.models.items[reading->shapes.items[i].model].count;
    }
    if (total > TRN_VOX_VOXELS_MAX) {
        return vox_fault(reading, "its scene has too many voxels");
    }
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < reading->shapes.count && result == TRN_RESULT_OK; i++) {
        result = vox_count_shape(reading, &reading->shapes.items[i]);
    }
    if (result == TRN_RESULT_OK && total) {
        result = trn_array_reserve(&scene->voxels, &scene->allocator, (size_t)total);
    }
    if (result == TRN_RESULT_OK) {
        vox_divide_voxels(scene);
        for (uint32_t i = 0; i < reading->shapes.count; i++) {
            vox_add_shape(reading, &reading->shapes.items[i]);
        }
    }
    return result;
}

// ---- all ----------------------------------------------------------------------------------------

TrnResult trn_vox_scene_read(TrnVoxScene *scene, const void *bytes, size_t size, TrnVoxel offset,
                             const TrnAllocator *allocator, const char **fault)
{
    VoxReading reading = {.scene = scene, .offset = offset, .fault = fault};
    memset(scene, 0, sizeof *scene);
    scene->allocator = *allocator;
    TrnResult result = trn_vox_file_read(&reading.file, bytes, size, allocator, fault);
    if (result == TRN_RESULT_OK) {
        result = vox_read_shapes(&reading);
    }
    if (result == TRN_RESULT_OK) {
        result = vox_read_voxels(&reading);
    }
    const bool is_damaged =
        reading.file.damaged_count > 0 || scene->missing_count > 0 || reading.file.ends_early;
    if (result == TRN_RESULT_OK && scene->voxels.count == 0 && is_damaged) {
        result = vox_fault(&reading, "it is damaged, and nothing of it can be read");
    }
    memcpy(scene->palette, reading.file.palette, sizeof scene->palette);
    scene->frame_count += reading.file.frame_count;
    scene->material_count = reading.file.material_count;
    scene->damaged_count = reading.file.damaged_count;
    scene->ends_early = reading.file.ends_early;
    trn_array_free(&reading.shapes, allocator);
    trn_array_free(&reading.visits, allocator);
    trn_vox_file_free(&reading.file, allocator);
    if (result != TRN_RESULT_OK) {
        trn_vox_scene_free(scene);
    }
    return result;
}

void trn_vox_scene_free(TrnVoxScene *scene)
{
    trn_array_free(&scene->chunks, &scene->allocator);
    trn_array_free(&scene->voxels, &scene->allocator);
    trn_coord_map_free(&scene->places, &scene->allocator);
}

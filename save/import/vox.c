// Models of MagicaVoxel as a format of imports. The whole model is in memory, sorted by chunk.

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#include "file.h"
#include "format.h"
#include "placing.h"
#include "vox_scene.h"

extern const TrnImportReader trn_import_vox;

typedef struct Vox {
    TrnImport *import;
    TrnVoxScene scene;
    TrnBlock blocks[TRN_VOX_COLOURS]; ///< of the palette
} Vox;

static bool vox_recognises(const char *path)
{
    return trn_file_begins(path, "VOX ");
}

// ---- opening ------------------------------------------------------------------------------------

/// Finds the lowest corner of a scene, and its size.
static void vox_bounds(const TrnVoxScene *scene, TrnVoxel *low, uint32_t size[3])
{
    int64_t min[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, max[3] = {INT64_MIN, INT64_MIN, INT64_MIN};
    for (uint32_t i = 0; i < scene->chunks.count; i++) {
        const TrnVoxChunk *chunk = &scene->chunks.items[i];
        for (uint32_t k = 0; k < chunk->count; k++) {
            const uint32_t index = scene->voxels.items[chunk->first + k] & 0xFFFF;
            const int64_t edge = TRN_CHUNK_EDGE;
            const int64_t at[3] = {chunk->coord.x * edge + index % edge,
                                   chunk->coord.y * edge + index / (edge * edge),
                                   chunk->coord.z * edge + index / edge % edge};
            for (int axis = 0; axis < 3; axis++) {
                min[axis] = at[axis] < min[axis] ? at[axis] : min[axis];
                max[axis] = at[axis] > max[axis] ? at[axis] : max[axis];
            }
        }
    }
    const bool has_any = min[0] <= max[0];
    *low = has_any ? (TrnVoxel){min[0], min[1], min[2]} : (TrnVoxel){0, 0, 0};
    for (int axis = 0; axis < 3; axis++) {
        const int64_t edge = has_any ? max[axis] - min[axis] + 1 : 1;
        size[axis] = edge < UINT32_MAX ? (uint32_t)edge : UINT32_MAX;
    }
}

/// Reads the scene, and once more if its place follows from its size.
static TrnResult vox_read_scene(Vox *vox, const void *bytes, size_t size, const char **fault)
{
    static const TrnVoxel zero = {0, 0, 0};
    const TrnImportDef *def = &vox->import->def;
    const TrnAllocator *allocator = &vox->import->allocator;
    TrnVoxel offset = def->offset;
    if (def->place.is_placed) {
        const TrnResult result =
            trn_vox_scene_read(&vox->scene, bytes, size, zero, allocator, fault);
        if (result != TRN_RESULT_OK) {
            return result;
        }
        TrnVoxel low;
        uint32_t edges[3];
        vox_bounds(&vox->scene, &low, edges);
        trn_vox_scene_free(&vox->scene);
        offset = trn_place_offset(&def->place, edges, offset);
        offset = (TrnVoxel){offset.x - low.x, offset.y - low.y, offset.z - low.z};
    }
    return trn_vox_scene_read(&vox->scene, bytes, size, offset, allocator, fault);
}

static TrnResult vox_read_file(Vox *vox, FILE *file, const char **fault)
{
    const TrnImport *import = vox->import;
    const uint64_t size = trn_file_bytes(file);
    if (size > TRN_VOX_FILE_MAX || size == 0) {
        *fault = size ? "it is larger than 256 MiB" : "it is empty";
        return TRN_RESULT_CORRUPT;
    }
    unsigned char *bytes = trn_take(&import->allocator, (size_t)size, TRN_CACHE_LINE);
    if (!bytes) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result = trn_file_read(file, 0, bytes, (size_t)size)
                                 ? vox_read_scene(vox, bytes, (size_t)size, fault)
                                 : TRN_RESULT_IO;
    trn_give(&import->allocator, bytes, (size_t)size);
    return result;
}

static TrnResult vox_add_colours(Vox *vox)
{
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 1; i < TRN_VOX_COLOURS && result == TRN_RESULT_OK; i++) {
        if (vox->scene.is_used[i]) {
            result = trn_import_colour_block(vox->import->def.types, "magicavoxel",
                                             vox->scene.palette[i], &vox->blocks[i]);
        }
    }
    return result;
}

static void vox_note(const Vox *vox)
{
    TrnImportNotes *notes = &vox->import->notes;
    trn_import_ignored(notes, "hidden nodes", vox->scene.hidden_count);
    trn_import_ignored(notes, "further frames of animations", vox->scene.frame_count);
    trn_import_ignored(notes, "materials of glass, metal or light", vox->scene.material_count);
    trn_import_ignored(notes, "voxels outside the world or their model", vox->scene.outside_count);
    trn_import_count(notes, TRN_IMPORT_NOTE_DAMAGED, "pieces of the file: models, nodes or colours",
                     vox->scene.damaged_count);
    trn_import_count(notes, TRN_IMPORT_NOTE_DAMAGED, "nodes and models that are missing",
                     vox->scene.missing_count);
    trn_import_count(notes, TRN_IMPORT_NOTE_DAMAGED, "the file: it ends early",
                     vox->scene.ends_early);
}

static TrnResult vox_open(TrnImport *import, void *state, TrnStorageProblem *problem)
{
    Vox *vox = state;
    vox->import = import;
    const char *path = vox->import->def.path, *fault = "";
    FILE *file;
    TrnResult result = trn_file_open(path, &file);
    if (result != TRN_RESULT_OK) {
        return result;
    }
    result = vox_read_file(vox, file, &fault);
    (void)fclose(file);
    if (result == TRN_RESULT_CORRUPT) {
        trn_import_tell(problem, "Cannot read the model %.300s: %s.", path, fault);
    }
    if (result == TRN_RESULT_OK) {
        vox_note(vox);
        result = vox_add_colours(vox);
        if (result != TRN_RESULT_OK) {
            trn_vox_scene_free(&vox->scene);
        }
    }
    return result;
}

static void vox_close(void *state)
{
    trn_vox_scene_free(&((Vox *)state)->scene);
}

// ---- reading ------------------------------------------------------------------------------------

static TrnResult vox_list(void *state, TrnImportVisitor visit, void *user)
{
    const TrnVoxScene *scene = &((const Vox *)state)->scene;
    for (uint32_t i = 0; i < scene->chunks.count; i++) {
        if (!visit(user, scene->chunks.items[i].coord)) {
            break;
        }
    }
    return TRN_RESULT_OK;
}

static TrnResult vox_load(void *state, TrnCoord coord, TrnBlock *blocks, bool *uniform,
                          TrnImportContents *contents)
{
    (void)contents; // it has none
    const Vox *vox = state;
    const TrnCoordEntry *entry = trn_coord_map_find(&vox->scene.places, coord);
    if (!entry) {
        return TRN_RESULT_NOT_FOUND;
    }
    const TrnVoxChunk *chunk = &vox->scene.chunks.items[entry->number];
    memset(blocks, 0, sizeof(TrnBlock[TRN_CHUNK_VOXELS]));
    for (uint32_t i = 0; i < chunk->count; i++) {
        const uint32_t voxel = vox->scene.voxels.items[chunk->first + i];
        blocks[voxel & 0xFFFF] = vox->blocks[voxel >> 16];
    }
    *uniform = trn_import_is_uniform(blocks);
    return TRN_RESULT_OK;
}

static void vox_box(const void *state, TrnVoxel *min, TrnVoxel *max)
{
    uint32_t size[3];
    vox_bounds(&((const Vox *)state)->scene, min, size);
    *max = (TrnVoxel){min->x + size[0] - 1, min->y + size[1] - 1, min->z + size[2] - 1};
}

const TrnImportReader trn_import_vox = {.name = "vox",
                                        .state_bytes = sizeof(Vox),
                                        .recognises = vox_recognises,
                                        .open = vox_open,
                                        .list = vox_list,
                                        .load = vox_load,
                                        .has_place = true,
                                        .box = vox_box,
                                        .close = vox_close};

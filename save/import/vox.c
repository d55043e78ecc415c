// Models of MagicaVoxel as a format of imports. The whole model is in memory, sorted by chunk.

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#include "file.h"
#include "format.h"
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
                                 ? trn_vox_scene_read(&vox->scene, bytes, (size_t)size,
                                                      import->def.offset, &import->allocator, fault)
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

const TrnImportReader trn_import_vox = {.name = "vox",
                                        .state_bytes = sizeof(Vox),
                                        .recognises = vox_recognises,
                                        .open = vox_open,
                                        .list = vox_list,
                                        .load = vox_load,
                                        .close = vox_close};

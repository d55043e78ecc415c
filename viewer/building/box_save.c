#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "building/box_save.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "system.h"
#include "whole_file.h"

typedef struct BoxFormat {
    const char *ending, *label;
} BoxFormat;

static const BoxFormat FORMATS[TRN_SCHEMATIC_FORMAT_COUNT] = {
    [TRN_SCHEMATIC_SPONGE] = {".schem", "WorldEdit, Minecraft 1.13 and later (.schem)"},
    [TRN_SCHEMATIC_LITEMATICA] = {".litematic", "Litematica (.litematic)"},
    [TRN_SCHEMATIC_MCEDIT] = {".schematic", "MCEdit, Minecraft before 1.13 (.schematic)"},
    [TRN_SCHEMATIC_LUANTI] = {".mts", "Luanti (.mts)"},
    [TRN_SCHEMATIC_MAGICAVOXEL] = {".vox", "MagicaVoxel: colours alone (.vox)"},
};

const char *box_save_label(uint32_t format)
{
    return format < TRN_SCHEMATIC_FORMAT_COUNT ? FORMATS[format].label : NULL;
}

void box_save_folder(char folder[FILE_PATH_MAX])
{
    const char *home = getenv("HOME");
    const bool has_home = home && home[0] && strlen(home) < FILE_PATH_MAX / 2;
    (void)snprintf(folder, FILE_PATH_MAX, "%s%s", has_home ? home : ".",
                   has_home ? "/Terrane" : "");
}

bool box_save_path(const char *folder, const char *name, uint32_t format, char path[FILE_PATH_MAX],
                   Message *problem)
{
    char clean[FILE_PATH_MAX];
    const char *ending = FORMATS[format < TRN_SCHEMATIC_FORMAT_COUNT ? format : 0].ending;
    const size_t length = strlen(name), tail = strlen(ending);
    const bool has_ending = length > tail && strcasecmp(name + length - tail, ending) == 0;
    if (!name[strspn(name, " ")]) {
        return message_set(problem, "Give it a name.");
    }
    if (strchr(name, '/') || name[0] == '.') {
        return message_set(problem, "A name has no / and begins with no dot.");
    }
    if (!folder[strspn(folder, " ")] || !file_clean_path(folder, clean)) {
        return message_set(problem,
                           folder[0] ? "The folder's name is too long." : "Say in which folder.");
    }
    const int written =
        snprintf(path, FILE_PATH_MAX, "%s/%s%s", clean, name, has_ending ? "" : ending);
    return (written >= 0 && written < FILE_PATH_MAX) ||
           message_set(problem, "The folder's name is too long.");
}

// ---- writing ------------------------------------------------------------------------------------

typedef struct BoxSave {
    const BoxSaveDef *def;
    WholeFile file;
} BoxSave;

/// Loads a chunk of the store, with its block data.
static TrnResult box_load(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    const BoxSave *save = user;
    static const uint32_t low[3] = {0, 0, 0},
                          high[3] = {TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE - 1};
    TrnSnapshot voxels;
    TrnResult result = trn_store_snapshot(save->def->store, job->coord, &voxels);
    if (result != TRN_RESULT_OK) {
        return TRN_RESULT_BUSY; // not loaded: not air
    }
    *uniform = trn_snapshot_is_uniform(voxels);
    if (*uniform) {
        blocks[0] = trn_snapshot_uniform(voxels);
    } else {
        trn_snapshot_decode(voxels, blocks);
    }
    const uint32_t count = job->data ? trn_snapshot_count_data(voxels) : 0;
    TrnBlockData *data = count ? malloc(count * sizeof *data) : NULL;
    if (count && !data) {
        return TRN_RESULT_NO_MEMORY;
    }
    (void)trn_snapshot_list_data(voxels, low, high, data, count);
    for (uint32_t i = 0; i < count && result == TRN_RESULT_OK; i++) {
        result = trn_stream_job_set_data(job, &data[i]);
    }
    free(data);
    return result;
}

static bool box_write(void *user, const void *bytes, size_t size)
{
    BoxSave *save = user;
    whole_file_write(&save->file, bytes, size);
    return whole_file_flush(&save->file) == 0;
}

/// Says where the file is, and what it lacks.
static void box_tell(const BoxSave *save, const TrnSchematicReport *report, Message *text)
{
    char blocks[96] = "", things[96] = "";
    const bool has_colours = save->def->format == TRN_SCHEMATIC_MAGICAVOXEL;
    if (report->lost_voxels && !has_colours) {
        (void)snprintf(blocks, sizeof blocks, " Blocks that it does not know: %" PRIu64 ".",
                       report->lost_voxels);
    }
    if (report->lost_contents) {
        (void)snprintf(things, sizeof things, " Contents that it cannot hold: %" PRIu64 ".",
                       report->lost_contents);
    }
    (void)message_set(text, "Saved as %.300s.%s%s", save->def->path, blocks, things);
}

static bool box_refuse_name(Message *text)
{
    return message_set(text, "There is a file of this name already; choose another.");
}

bool box_save(const BoxSaveDef *def, Message *text)
{
    BoxSave save = {.def = def};
    TrnSchematicDef schematic = trn_schematic_def();
    TrnSchematicReport report;
    TrnStorageProblem why = {""};
    const int64_t size[3] = {def->max.x - def->min.x + 1, def->max.y - def->min.y + 1,
                             def->max.z - def->min.z + 1};
    int64_t voxels = 1;
    for (int axis = 0; axis < 3 && voxels <= BOX_SAVE_VOXELS_MAX; axis++) {
        voxels = size[axis] > BOX_SAVE_VOXELS_MAX ? size[axis] : voxels * size[axis];
    }
    if (voxels > BOX_SAVE_VOXELS_MAX) {
        return message_set(text, "The box is too large to be saved here. In a terminal, 'terrane "
                                 "export --box' does it.");
    }
    if (system_has_path(def->path)) {
        return box_refuse_name(text);
    }
    whole_file_make_folders(def->path);
    int error = whole_file_open(&save.file, def->path);
    if (error) {
        return whole_file_problem(def->path, error, text);
    }
    schematic.format = (TrnSchematicFormat)def->format;
    schematic.min = def->min;
    schematic.max = def->max;
    schematic.types = trn_store_block_types(def->store);
    schematic.source = (TrnStreamSource){.load = box_load, .user = &save};
    schematic.write = box_write;
    schematic.user = &save;
    const TrnResult result = trn_schematic_save(&schematic, &report, &why);
    error = whole_file_flush(&save.file);
    if (result != TRN_RESULT_OK) {
        whole_file_drop(&save.file);
        return error ? whole_file_problem(def->path, error, text)
               : result == TRN_RESULT_BUSY
                   ? message_set(text, "Part of the box is too far away to be loaded; go nearer.")
                   : message_set(text, "%s", why.sentence);
    }
    error = whole_file_finish_new(&save.file);
    if (error) {
        whole_file_drop(&save.file);
        return error == EEXIST ? box_refuse_name(text) : whole_file_problem(def->path, error, text);
    }
    box_tell(&save, &report, text);
    return true;
}

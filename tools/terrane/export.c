#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "export.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/terrain.h>

#include "column_survey.h"
#include "export_collect.h"
#include "export_gltf.h"
#include "export_obj.h"
#include "interrupt.h"
#include "tool_land.h"

#define EXPORT_BELOW_GROUND 16 ///< voxels of rock beneath the lowest ground
#define EXPORT_TREES 16        ///< how much higher than the ground trees may be
#define EXPORT_BUILDINGS 64    ///< how much higher than a chunk's first column a world may be
#define EXPORT_LOOKS 32        ///< samples of the ground along an edge, unless too far apart
#define EXPORT_LOOK_STEP_MIN 4 ///< voxels between two samples

// ---- files --------------------------------------------------------------------------------------

/// The model, and the second file of two of the formats: .bin of glTF, .mtl of OBJ.
typedef struct ExportFiles {
    ExportFormat format;
    ExportOut main, companion;
    char companion_path[PATH_MAX];
} ExportFiles;

static const char *name_of_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/// Replaces the ending of a path. @return false if the result is too long
static bool companion_name(char path[PATH_MAX], const char *out, const char *ending)
{
    const char *name = name_of_path(out), *dot = strrchr(name, '.');
    const size_t length = dot && dot != name ? (size_t)(dot - out) : strlen(out);
    return length < PATH_MAX &&
           snprintf(path, PATH_MAX, "%.*s%s", (int)length, out, ending) < PATH_MAX;
}

static void drop_files(ExportFiles *files)
{
    export_out_drop(&files->main);
    export_out_drop(&files->companion);
}

/// Whether an OBJ can refer to a file: a name ends with the line, and OBJ has no escapes.
static bool fits_on_line(const char *name)
{
    return strpbrk(name, "\r\n") == NULL;
}

/// Names and opens the second file.
static bool companion_open(ExportFiles *files, const char *out, Message *problem)
{
    const char *ending = files->format == EXPORT_FORMAT_GLTF ? ".bin" : ".mtl";
    if (!files->main.whole.temporary[0]) {
        return message_set(
            problem,
            "%s is not a regular file, and a model of this format needs a second, %s file; "
            "add --format glb, or choose another place with --out.",
            message_short(out).text, ending);
    }
    if (!companion_name(files->companion_path, out, ending)) {
        return message_set(problem, "The name %s is too long; choose another with --out.",
                           message_short(out).text);
    }
    if (strcmp(files->companion_path, out) == 0) {
        return message_set(
            problem, "The name %s is needed for the model's %s file; choose another with --out.",
            message_short(out).text, ending);
    }
    if (files->format == EXPORT_FORMAT_OBJ && !fits_on_line(name_of_path(out))) {
        return message_set(problem,
                           "The name contains a line break, so the .obj cannot refer to its .mtl "
                           "file; choose another with --out.");
    }
    return export_out_open(&files->companion, files->companion_path, problem);
}

static bool open_files(ExportFiles *files, const ExportOptions *options, Message *problem)
{
    *files = (ExportFiles){.format = options->format};
    if (!export_out_open(&files->main, options->out, problem)) {
        return false;
    }
    if (options->format == EXPORT_FORMAT_GLB || companion_open(files, options->out, problem)) {
        return true;
    }
    drop_files(files);
    return false;
}

static bool write_files(ExportFiles *files, const ExportMesh *mesh, const ExportSource *source,
                        Message *problem)
{
    const char *companion = name_of_path(files->companion_path);
    switch (files->format) {
    case EXPORT_FORMAT_OBJ:
        export_obj_write(&files->main, &files->companion, companion, mesh);
        return true;
    case EXPORT_FORMAT_GLTF:
        return export_gltf_write(&files->main, &files->companion, companion, mesh, source, problem);
    default:
        return export_glb_write(&files->main, mesh, source, problem);
    }
}

/// Gives the files their names: first the one that the model refers to.
static bool finish_files(ExportFiles *files, Message *problem)
{
    if (interrupt_came()) {
        return message_set(problem, "Interrupted; nothing was written.");
    }
    // If the disk is full for one of them, neither is written.
    export_out_flush(&files->main);
    if (files->main.error) {
        return export_out_finish(&files->main, problem);
    }
    return (files->format == EXPORT_FORMAT_GLB || export_out_finish(&files->companion, problem)) &&
           export_out_finish(&files->main, problem);
}

// ---- the land -----------------------------------------------------------------------------------

/// Finds the lowest and the highest voxel worth exporting. A signal ends it early; the first chunk
/// reports it.
static void find_heights(const TrnTerrain *terrain, ExportBox *box)
{
    int64_t lowest = TRN_TERRAIN_HIGHEST, size[3];
    export_box_size(box, size);
    const int64_t edge = size[0] > size[2] ? size[0] : size[2], wanted = edge / EXPORT_LOOKS;
    const int64_t least = EXPORT_LOOK_STEP_MIN, most = TRN_CHUNK_EDGE;
    const int64_t step = wanted < least ? least : wanted > most ? most : wanted;
    for (int64_t z = box->min.z; z <= box->max.z && !interrupt_came(); z += step) {
        for (int64_t x = box->min.x; x <= box->max.x; x += step) {
            int64_t height;
            if (trn_terrain_height(terrain, x, z, &height) == TRN_RESULT_OK) {
                lowest = height < lowest ? height : lowest;
            }
        }
    }
    box->min.y = lowest - EXPORT_BELOW_GROUND;
    // Above the land is only air, which costs nothing.
    box->max.y = TRN_TERRAIN_HIGHEST + EXPORT_TREES;
}

/// As find_heights, in a world: by its chunks, because players dig and build.
static bool find_world_heights(const ToolLand *land, ExportBox *box, Message *problem)
{
    static const uint16_t place[1] = {0};
    MapSource *source;
    int64_t lowest = INT64_MAX, highest = INT64_MIN;
    TrnResult result = map_source_create(land->generator, land->types, &source);
    if (result != TRN_RESULT_OK) {
        return message_set(problem, "Cannot export the world: %s", trn_result_text(result));
    }
    const TrnCoord min = trn_voxel_chunk(box->min), max = trn_voxel_chunk(box->max);
    for (int64_t z = min.z; z <= max.z && result == TRN_RESULT_OK && !interrupt_came(); z++) {
        for (int64_t x = min.x; x <= max.x && result == TRN_RESULT_OK; x++) {
            SurveyColumn column;
            result = survey_columns(source, (int32_t)x, (int32_t)z, place, 1, &column);
            if (column.top != TRN_BLOCK_AIR) {
                lowest = column.bed_y < lowest ? column.bed_y : lowest;
                highest = column.top_y > highest ? column.top_y : highest;
            }
        }
    }
    free(source);
    if (result != TRN_RESULT_OK) {
        return message_set(problem, "Cannot export the world: %s", trn_result_text(result));
    }
    const int64_t top = highest + EXPORT_BUILDINGS;
    box->min.y = lowest == INT64_MAX ? 0 : lowest - EXPORT_BELOW_GROUND;
    box->max.y = highest == INT64_MIN ? 0 : top;
    return true;
}

/// Sets the box's height, and in a world its place, as far as the command line leaves them open.
static bool place_box(const ExportOptions *options, const ToolLand *land, ExportBox *box,
                      Message *problem)
{
    *box = options->box;
    if (options->has_box) {
        return true;
    }
    if (options->world && !options->has_center) {
        box->min.x += land->spawn.x;
        box->min.z += land->spawn.z;
        box->max.x += land->spawn.x;
        box->max.z += land->spawn.z;
    }
    if (options->world) {
        return export_box_check(box, problem) && find_world_heights(land, box, problem);
    }
    find_heights(land->terrain, box);
    return true;
}

static bool export_land(const ExportOptions *options, ExportFiles *files, const ToolLand *land,
                        Message *problem)
{
    ExportBox box;
    if (!place_box(options, land, &box, problem) || !export_box_check(&box, problem)) {
        return false;
    }
    ExportSource source = {.seed = land->def.seed, .is_seedless = !land->terrain};
    if (!options->choice.file && !options->world) { // a path may be private
        terrain_choice_describe(&options->choice, source.land, sizeof source.land);
    }
    ExportMesh mesh = export_mesh_start(&box, land->types, !options->without_ao);
    const bool good = export_collect(&mesh, land->generator, problem) &&
                      write_files(files, &mesh, &source, problem) && finish_files(files, problem);
    export_mesh_free(&mesh);
    return good;
}

bool export_run(const ExportOptions *options, Message *problem)
{
    ExportFiles files;
    if (!open_files(&files, options, problem)) { // fails before the work
        return false;
    }
    TrnTerrainDef def = trn_terrain_def();
    def.seed = options->seed;
    def.shape = options->shape;
    ToolLand land;
    bool good = tool_land_open(&land, &def, options->world, problem);
    if (good) {
        good = tool_land_find_saved(&land, trn_box_everything(), problem) &&
               export_land(options, &files, &land, problem);
        tool_land_close(&land);
    }
    drop_files(&files);
    return good;
}

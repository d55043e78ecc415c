#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "export.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/terrain.h>

#include "export_collect.h"
#include "export_gltf.h"
#include "export_obj.h"
#include "interrupt.h"

#define EXPORT_BELOW_GROUND 16 ///< voxels of rock beneath the lowest ground
#define EXPORT_TREES 16        ///< how much higher than the ground trees may be
#define EXPORT_LOOKS 32 ///< at the ground along an edge, and more where they were too far apart
#define EXPORT_LOOK_STEP_MIN 4 ///< voxels between two looks

// ---- files --------------------------------------------------------------------------------------

/// The file, and the one beside it that two of the formats have.
typedef struct ExportFiles {
    ExportFormat format;
    ExportOut main, beside;
    char beside_path[PATH_MAX];
} ExportFiles;

static const char *name_of_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/// The path with another ending instead of its own.
static bool name_file_beside(char path[PATH_MAX], const char *out, const char *ending)
{
    const char *name = name_of_path(out), *dot = strrchr(name, '.');
    const size_t length = dot && dot != name ? (size_t)(dot - out) : strlen(out);
    return length < PATH_MAX &&
           snprintf(path, PATH_MAX, "%.*s%s", (int)length, out, ending) < PATH_MAX;
}

static void drop_files(ExportFiles *files)
{
    export_out_drop(&files->main);
    export_out_drop(&files->beside);
}

/// Whether an OBJ can name its colours: what it refers to ends with the line, and nothing escapes
/// that.
static bool fits_on_line(const char *name)
{
    return strpbrk(name, "\r\n") == NULL;
}

/// Names and opens the second file.
static bool open_beside_model(ExportFiles *files, const char *out, Message *problem)
{
    const char *ending = files->format == EXPORT_FORMAT_GLTF ? ".bin" : ".mtl";
    if (!files->main.whole.temporary[0]) {
        return message_set(problem,
                           "%s is no file, and a model of this format has a %s file beside it; add "
                           "--format glb, or choose another place with --out.",
                           message_short(out).text, ending);
    }
    if (!name_file_beside(files->beside_path, out, ending)) {
        return message_set(problem, "The name %s is too long; choose another with --out.",
                           message_short(out).text);
    }
    if (strcmp(files->beside_path, out) == 0) {
        return message_set(problem,
                           "The name %s is needed for the %s file beside the model; choose "
                           "another with --out.",
                           message_short(out).text, ending);
    }
    if (files->format == EXPORT_FORMAT_OBJ && !fits_on_line(name_of_path(out))) {
        return message_set(problem, "The name ends a line, and an .obj could not refer to the .mtl "
                                    "file beside it; choose another with --out.");
    }
    return export_out_open(&files->beside, files->beside_path, problem);
}

static bool open_files(ExportFiles *files, const ExportOptions *options, Message *problem)
{
    *files = (ExportFiles){.format = options->format};
    if (!export_out_open(&files->main, options->out, problem)) {
        return false;
    }
    if (options->format == EXPORT_FORMAT_GLB || open_beside_model(files, options->out, problem)) {
        return true;
    }
    drop_files(files);
    return false;
}

static bool write_files(ExportFiles *files, const ExportMesh *mesh, const ExportSource *source,
                        Message *problem)
{
    const char *beside = name_of_path(files->beside_path);
    switch (files->format) {
    case EXPORT_FORMAT_OBJ:
        export_obj_write(&files->main, &files->beside, beside, mesh);
        return true;
    case EXPORT_FORMAT_GLTF:
        return export_gltf_write(&files->main, &files->beside, beside, mesh, source, problem);
    default:
        return export_glb_write(&files->main, mesh, source, problem);
    }
}

/// Puts the files in their places: what the model refers to first.
static bool finish_files(ExportFiles *files, Message *problem)
{
    if (interrupt_came()) {
        return message_set(problem, "Interrupted; nothing was written.");
    }
    // Neither, where one of them has no room.
    export_out_flush(&files->main);
    if (files->main.error) {
        return export_out_finish(&files->main, problem);
    }
    return (files->format == EXPORT_FORMAT_GLB || export_out_finish(&files->beside, problem)) &&
           export_out_finish(&files->main, problem);
}

// ---- the land -----------------------------------------------------------------------------------

/// Finds the heights between which there is something to be seen. Whoever interrupts it is heard
/// with the first chunk.
static void find_heights(const TrnTerrain *terrain, ExportBox *box)
{
    int64_t lowest = TRN_TERRAIN_HIGHEST, size[3];
    export_box_size(box, size);
    const int64_t edge = size[0] > size[2] ? size[0] : size[2], wish = edge / EXPORT_LOOKS;
    const int64_t least = EXPORT_LOOK_STEP_MIN, most = TRN_CHUNK_EDGE;
    const int64_t step = wish < least ? least : wish > most ? most : wish;
    for (int64_t z = box->min.z; z <= box->max.z && !interrupt_came(); z += step) {
        for (int64_t x = box->min.x; x <= box->max.x; x += step) {
            int64_t height;
            if (trn_terrain_height(terrain, x, z, &height) == TRN_RESULT_OK) {
                lowest = height < lowest ? height : lowest;
            }
        }
    }
    box->min.y = lowest - EXPORT_BELOW_GROUND;
    // Above the land everything is air, and costs nothing.
    box->max.y = TRN_TERRAIN_HIGHEST + EXPORT_TREES;
}

static bool export_land(const ExportOptions *options, ExportFiles *files,
                        const TrnBlockTypes *types, TrnTerrain *terrain, Message *problem)
{
    ExportBox box = options->box;
    if (!options->has_box) {
        find_heights(terrain, &box);
    }
    if (!export_box_check(&box, problem)) {
        return false;
    }
    ExportSource source = {.seed = options->seed};
    if (!options->choice.file) { // whose name is nobody's business but the person's
        terrain_choice_describe(&options->choice, source.land, sizeof source.land);
    }
    ExportMesh mesh = export_mesh_start(&box, types, !options->without_ao);
    const bool good = export_collect(&mesh, trn_terrain_generator(terrain), problem) &&
                      write_files(files, &mesh, &source, problem) && finish_files(files, problem);
    export_mesh_free(&mesh);
    return good;
}

static bool make_land(const ExportOptions *options, TrnTerrain **terrain, TrnBlockTypes **types,
                      Message *problem)
{
    TrnTerrainDef def = trn_terrain_def();
    def.seed = options->seed;
    def.shape = options->shape;
    TrnResult result = trn_terrain_create(&def, terrain);
    if (result == TRN_RESULT_OK) {
        result = trn_block_types_create_builtin(NULL, types);
    }
    return result == TRN_RESULT_OK ||
           message_set(problem, "The land could not be made: %s", trn_result_text(result));
}

bool export_run(const ExportOptions *options, Message *problem)
{
    ExportFiles files;
    if (!open_files(&files, options, problem)) { // told before the work
        return false;
    }
    TrnTerrain *terrain = NULL;
    TrnBlockTypes *types = NULL;
    const bool good = make_land(options, &terrain, &types, problem) &&
                      export_land(options, &files, types, terrain, problem);
    drop_files(&files);
    trn_block_types_destroy(types);
    trn_terrain_destroy(terrain);
    return good;
}

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "export.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <terrane/terrain.h>

#include "commands.h"
#include "export_gltf.h"
#include "export_obj.h"
#include "export_regions.h"
#include "export_schematic.h"
#include "interrupt.h"
#include "map/map_source.h"
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
    WholeFile main, companion;
    char companion_path[PATH_MAX];
} ExportFiles;

static const char *export_name_of_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/// Replaces the ending of a path. @return false if the result is too long
static bool export_companion_name(char path[PATH_MAX], const char *out, const char *ending)
{
    const char *name = export_name_of_path(out), *dot = strrchr(name, '.');
    const size_t length = dot && dot != name ? (size_t)(dot - out) : strlen(out);
    return length < PATH_MAX &&
           snprintf(path, PATH_MAX, "%.*s%s", (int)length, out, ending) < PATH_MAX;
}

static void export_drop_files(ExportFiles *files)
{
    whole_file_drop(&files->main);
    whole_file_drop(&files->companion);
}

/// Whether an OBJ can refer to a file: a name ends with the line, and OBJ has no escapes.
static bool export_fits_on_line(const char *name)
{
    return strpbrk(name, "\r\n") == NULL;
}

static bool export_has_companion(ExportFormat format)
{
    return format == EXPORT_FORMAT_GLTF || format == EXPORT_FORMAT_OBJ;
}

static bool export_open(WholeFile *file, const char *path, Message *problem)
{
    const int error = whole_file_open(file, path);
    return !error || whole_file_problem(path, error, problem);
}

/// Names and opens the second file.
static bool export_companion_open(ExportFiles *files, const char *out, Message *problem)
{
    const char *ending = files->format == EXPORT_FORMAT_GLTF ? ".bin" : ".mtl";
    if (!files->main.temporary[0]) {
        return message_set(
            problem,
            "%s is not a regular file, and a model of this format needs a second, %s file; "
            "add --format glb, or choose another place with --out.",
            message_short(out).text, ending);
    }
    if (!export_companion_name(files->companion_path, out, ending)) {
        return message_set(problem, "The name %s is too long; choose another with --out.",
                           message_short(out).text);
    }
    if (strcmp(files->companion_path, out) == 0) {
        return message_set(
            problem, "The name %s is needed for the model's %s file; choose another with --out.",
            message_short(out).text, ending);
    }
    if (files->format == EXPORT_FORMAT_OBJ && !export_fits_on_line(export_name_of_path(out))) {
        return message_set(problem,
                           "The name contains a line break, so the .obj cannot refer to its .mtl "
                           "file; choose another with --out.");
    }
    return export_open(&files->companion, files->companion_path, problem);
}

static bool export_open_files(ExportFiles *files, const ExportOptions *options, Message *problem)
{
    *files = (ExportFiles){.format = (ExportFormat)options->format};
    if (!export_open(&files->main, options->out, problem)) {
        return false;
    }
    if (!export_has_companion(files->format) ||
        export_companion_open(files, options->out, problem)) {
        return true;
    }
    export_drop_files(files);
    return false;
}

static bool export_write_files(ExportFiles *files, const ExportMesh *mesh,
                               const ExportSource *source, Message *problem)
{
    const char *companion = export_name_of_path(files->companion_path);
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
static bool export_finish_files(ExportFiles *files, Message *problem)
{
    if (interrupt_came()) {
        return message_set(problem, "Interrupted; nothing was written.");
    }
    // If the disk is full for one of them, neither is written.
    WholeFile *const order[] = {&files->companion, &files->main};
    int error = whole_file_flush(&files->main);
    const char *failed = files->main.path;
    for (int i = !export_has_companion(files->format); i < 2 && !error; i++) {
        failed = order[i]->path;
        error = whole_file_finish(order[i]);
    }
    return !error || whole_file_problem(failed, error, problem);
}

// ---- the land -----------------------------------------------------------------------------------

/// Finds the lowest and the highest voxel worth exporting. A signal ends it early; the first chunk
/// reports it.
static void export_find_heights(const TrnTerrain *terrain, ExportBox *box)
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

/// As export_find_heights, in a world: by its chunks, because players dig and build.
static bool export_find_world_heights(const ToolLand *land, ExportBox *box, Message *problem)
{
    static const uint16_t place[1] = {0};
    MapSource *source;
    int64_t lowest = INT64_MAX, highest = INT64_MIN;
    const MapSourceDef def = {.generator = land->generator, .types = land->types};
    TrnResult result = map_source_create(&def, &source);
    if (result != TRN_RESULT_OK) {
        return message_set(problem, "Cannot export the world: %s", trn_result_text(result));
    }
    const TrnCoord min = trn_voxel_chunk(box->min), max = trn_voxel_chunk(box->max);
    for (int64_t z = min.z; z <= max.z && result == TRN_RESULT_OK && !interrupt_came(); z++) {
        for (int64_t x = min.x; x <= max.x && result == TRN_RESULT_OK; x++) {
            MapColumn column;
            result = map_source_columns(source, (int32_t)x, (int32_t)z, 0, place, 1, &column);
            if (column.top != TRN_BLOCK_AIR) {
                lowest = column.bed_y < lowest ? column.bed_y : lowest;
                highest = column.top_y > highest ? column.top_y : highest;
            }
        }
    }
    map_source_destroy(source);
    if (result != TRN_RESULT_OK) {
        return message_set(problem, "Cannot export the world: %s", trn_result_text(result));
    }
    const int64_t top = highest + EXPORT_BUILDINGS;
    box->min.y = lowest == INT64_MAX ? 0 : lowest - EXPORT_BELOW_GROUND;
    box->max.y = highest == INT64_MIN ? 0 : top;
    return true;
}

/// Sets the box's height, and in a world its place, as far as the command line leaves them open.
static bool export_place_box(const ExportOptions *options, const ToolLand *land, ExportBox *box,
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
        return export_box_check(box, problem) && export_find_world_heights(land, box, problem);
    }
    export_find_heights(land->terrain, box);
    return true;
}

static bool export_model(const ExportOptions *options, ExportFiles *files, const ToolLand *land,
                         const ExportBox *box, Message *problem)
{
    ExportSource source = {.seed = land->def.seed, .is_seedless = !land->terrain};
    if (!options->choice.file && !options->world) { // a path may be private
        terrain_choice_describe(&options->choice, source.land, sizeof source.land);
    }
    ExportMesh mesh = export_mesh_start(box, land->types, !options->without_ao);
    const bool good = export_mesh_collect(&mesh, land->generator, problem) &&
                      export_write_files(files, &mesh, &source, problem) &&
                      export_finish_files(files, problem);
    export_mesh_free(&mesh);
    return good;
}

static bool export_land(const ExportOptions *options, ExportFiles *files, ToolLand *land,
                        Message *problem)
{
    ExportBox box;
    if (!export_place_box(options, land, &box, problem) || !export_box_check(&box, problem)) {
        return false;
    }
    if (files->format < EXPORT_FORMAT_SCHEM) {
        return export_model(options, files, land, &box, problem);
    }
    return export_schematic_write(&files->main, (uint32_t)(files->format - EXPORT_FORMAT_SCHEM),
                                  &box, land, problem) &&
           export_finish_files(files, problem);
}

/// Writes region files: of the box, or of all that a world has saved.
static bool export_regions(const ExportOptions *options, ToolLand *land, Message *problem)
{
    ExportBox box;
    if (options->world && !options->has_place) {
        return export_regions_write(options->out, NULL, land, problem);
    }
    return export_place_box(options, land, &box, problem) && export_box_check(&box, problem) &&
           export_regions_write(options->out, &box, land, problem);
}

static bool export_act(void *target, Message *problem)
{
    const ExportOptions *options = target;
    const bool has_files = options->format != EXPORT_FORMAT_ANVIL;
    ExportFiles files = {.format = (ExportFormat)options->format};
    if (has_files && !export_open_files(&files, options, problem)) { // fails before the work
        return false;
    }
    TrnTerrainDef def = trn_terrain_def();
    def.seed = options->seed;
    def.shape = options->shape;
    ToolLand land;
    bool good = tool_land_open(&land, &def, options->world, problem);
    if (good) {
        good = tool_land_find_saved(&land, trn_box_everything(), problem) &&
               (has_files ? export_land(options, &files, &land, problem)
                          : export_regions(options, &land, problem));
        tool_land_close(&land);
    }
    if (has_files) {
        export_drop_files(&files);
    }
    return good;
}

// ---- the command --------------------------------------------------------------------------------

static const char *const EXPORT_FORMATS[] = {"glb",       "gltf", "obj", "schem", "litematic",
                                             "schematic", "mts",  "vox", "anvil", NULL};
_Static_assert(sizeof EXPORT_FORMATS / sizeof *EXPORT_FORMATS == EXPORT_FORMAT_COUNT + 1,
               "a word for each");

#define AT(field) .offset = offsetof(ExportOptions, field)
#define EXPORT_IS_GIVEN(field) options_given(&EXPORT_COMMAND, given, offsetof(ExportOptions, field))

// clang-format off
static const Option EXPORT_ROWS[] = {
    TERRAIN_CHOICE_ROWS(NULL, ExportOptions, seed, choice),
    {.name = "world", .help = "a world file instead, with what players built", .kind = OPTION_TEXT,
     AT(world), .argument = "FILE", .takes = "the name of a world file"},
    {.name = "center", .help = "the voxel in the middle; of a world its spawn, unless given",
     .kind = OPTION_NUMBERS, AT(center), .low = TRN_VOXEL_MIN, .high = TRN_VOXEL_MAX,
     .argument = "X,Z", .standard = "0,0", .takes = "X,Z in voxels", .example = "1000,-200"},
    {.name = "size", .help = "voxels, from 16 below the lowest ground to the highest tree",
     .kind = OPTION_NUMBERS, AT(size), .low = 1, .high = EXPORT_EDGE_MAX, .argument = "XxZ",
     .standard = "256x256", .takes = "XxZ in voxels", .example = "256x256"},
    {.name = "box", .help = "instead: the lowest and the highest voxel", .kind = OPTION_NUMBERS,
     AT(box), .low = TRN_VOXEL_MIN, .high = TRN_VOXEL_MAX, .argument = "X,Y,Z..X,Y,Z",
     .takes = "two corners X,Y,Z..X,Y,Z in voxels", .example = "-50,-10,0..49,120,99"},
    {.name = "format", .help = "the file's format; without it, the file's ending says which",
     .kind = OPTION_CHOICE, AT(format), .words = EXPORT_FORMATS,
     .usual = -1},
    {.name = "no-ao", .help = "leave out ambient occlusion: fewer, larger faces",
     .kind = OPTION_FLAG, AT(without_ao)},
    {.name = "out", .help = "the file; an existing one is replaced; without it land.glb, or "
     "what --format says", .kind = OPTION_TEXT, AT(out), .argument = "FILE",
     .takes = "the name of a file"},
    {0},
};
// clang-format on

/// The format that a file's name ends in.
static bool export_format_of_name(const char *path, int *format)
{
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < EXPORT_FORMAT_COUNT; i++) {
        if (strcasecmp(dot + 1, EXPORT_FORMATS[i]) == 0) {
            *format = i;
            return true;
        }
    }
    return false;
}

static bool export_choose_format(ExportOptions *options, Message *problem)
{
    const bool has_format = options->format >= 0;
    static const char *const names[EXPORT_FORMAT_COUNT] = {
        "land.glb",       "land.gltf", "land.obj", "land.schem", "land.litematic",
        "land.schematic", "land.mts",  "land.vox", "land"};
    if (!options->out) {
        options->format = has_format ? options->format : EXPORT_FORMAT_GLB;
        options->out = names[options->format];
        return true;
    }
    return has_format || export_format_of_name(options->out, &options->format) ||
           message_set(
               problem,
               "The name %s has no ending of a known format; end it in .glb, .gltf or .obj, as "
               "a schematic in .schem, .litematic, .schematic, .mts or .vox, or add --format.",
               message_short(options->out).text);
}

static bool export_choose_box(ExportOptions *options, bool has_size, Message *problem)
{
    ExportBox *const box = &options->box;
    const int64_t *center = options->center, *size = options->size;
    if (options->has_box) {
        if (options->has_center || has_size) {
            return message_set(problem, "--box replaces --center and --size; leave those out.");
        }
        return export_box_check(box, problem);
    }
    box->min = (TrnVoxel){center[0] - size[0] / 2, 0, center[1] - size[1] / 2};
    box->max = (TrnVoxel){box->min.x + size[0] - 1, 0, box->min.z + size[1] - 1};
    return export_box_check(box, problem);
}

static bool export_check(void *target, const bool *given, Message *problem)
{
    ExportOptions *options = target;
    const TerrainChoice *choice = &options->choice;
    if (options->world && (EXPORT_IS_GIVEN(seed) || choice->preset || choice->file)) {
        return message_set(problem, "--world names the land; leave --seed, --preset and --terrain "
                                    "out.");
    }
    options->has_center = EXPORT_IS_GIVEN(center);
    options->has_box = EXPORT_IS_GIVEN(box);
    options->has_place = options->has_box || options->has_center || EXPORT_IS_GIVEN(size);
    return export_choose_format(options, problem) &&
           export_choose_box(options, EXPORT_IS_GIVEN(size), problem) &&
           terrain_choice_shape(choice, &options->shape, problem);
}

_Static_assert(EXPORT_CHUNKS_MAX == 1048576 && EXPORT_QUADS_MAX / 1000000 == 16,
               "the help says so");
_Static_assert(sizeof(ExportBox) == 6 * sizeof(int64_t), "--box fills it");

const OptionCommand EXPORT_COMMAND = {
    .name = "export",
    .summary = "exports a piece of land or of a world as a 3D model or a schematic",
    .about = "Writes a piece of land, or of a world, as a 3D model, for Blender, engines and the "
             "web, or as a schematic of another game.",
    .stray = "the file is given as --out FILE",
    .rows = EXPORT_ROWS,
    .closing = "glb is glTF in one file; gltf has its binary data in a second file (.bin), obj its "
               "colours (.mtl). A unit is a voxel, y is up, north is -z, and the origin is the "
               "box's lowest corner, so that floats stay precise far from the world's origin. Each "
               "colour of each block is a material; water and glass are transparent; glTF has "
               "ambient occlusion as a vertex colour. The box's sides are closed, water is 1/8 "
               "lower than its voxel, and plants are two crossed, two-sided leaves.\n"
               "\n"
               "schem, litematic and schematic are schematics of Minecraft, mts of Luanti, vox "
               "a model of MagicaVoxel. Blocks get the names that terrane import reads as the same "
               "blocks; what a format has no name for is counted. A schematic has at most 134 "
               "million voxels and 65535 along a side. anvil writes region files of Minecraft 1.21 "
               "and a level.dat into the folder --out: of a box, or of all that a world has "
               "saved. It was not tried in the game.\n"
               "\n"
               "A box has at most 1048576 chunks, and a model 16 million faces. A file appears "
               "complete or not at all. The same command writes the same bytes.",
    .examples = "terrane export\n"
                "terrane export --seed 7 --center 4000,-900 --size 512x512 --out valley.glb\n"
                "terrane export --preset alps --size 400x400 --out alps.glb\n"
                "terrane export --world my.world --size 128x128 --out house.glb\n"
                "terrane export --box -50,-60,0..49,120,99 --no-ao --out block.obj\n"
                "terrane export --world my.world --box 10,60,-5..30,80,20 --out house.schem\n"
                "terrane export --world my.world --format anvil --out saves/Mine",
    .bytes = sizeof(ExportOptions),
    .check = export_check,
    .act = export_act,
};

#include "map.h"

#include <inttypes.h>
#include <stdio.h>

#include <terrane/terrain.h>

#include "commands.h"
#include "image.h"
#include "interrupt.h"
#include "map/map_axis.h"
#include "map_tiles.h"
#include "program.h"
#include "progress.h"
#include "tool_land.h"

// Columns that the terrain caches. A section visits all of its columns once for each row of chunks.
#define MAP_COLUMNS_MIN 2048
#define MAP_COLUMNS_MAX 16384

static TrnTerrainDef map_terrain(const MapOptions *options)
{
    TrnTerrainDef def = trn_terrain_def();
    def.seed = options->seed;
    def.shape = options->shape;
    const int64_t columns = options->plan.width * options->plan.scale / TRN_CHUNK_EDGE + 2;
    def.column_cache_max = columns < MAP_COLUMNS_MIN   ? MAP_COLUMNS_MIN
                           : columns > MAP_COLUMNS_MAX ? MAP_COLUMNS_MAX
                                                       : (uint32_t)columns;
    return def;
}

/// Where a map's voxels come from, and what it shows of them.
typedef struct MapLand {
    ToolLand land;
    MapSource *source;
    MapPlan plan;
} MapLand;

static void map_close_land(MapLand *land)
{
    map_source_destroy(land->source);
    tool_land_close(&land->land);
}

/// The map of a world is around its spawn, unless told otherwise.
static bool map_place_plan(MapLand *land, const MapOptions *options, Message *problem)
{
    land->plan = options->plan;
    if (options->world && !options->has_center) {
        land->plan.center_x = land->land.spawn.x;
        land->plan.center_z = land->land.spawn.z;
    }
    return map_plan_check(&land->plan, problem);
}

/// Finds what is saved of what a picture or tiles show.
static bool map_find_saved(MapLand *land, const MapOptions *options, Message *problem)
{
    const MapPyramid pyramid = map_pyramid_of(&land->plan);
    const MapTile first = {.zoom = pyramid.last_zoom};
    const MapPlan tiles = map_pyramid_plan(&pyramid, first, pyramid.columns, pyramid.rows);
    return tool_land_find_saved(&land->land, map_plan_chunks(options->tiles ? &tiles : &land->plan),
                                problem);
}

static bool map_open_land(MapLand *land, const MapOptions *options, Message *problem)
{
    *land = (MapLand){0};
    const TrnTerrainDef def = map_terrain(options);
    if (!tool_land_open(&land->land, &def, options->world, problem)) {
        return false;
    }
    if (!map_place_plan(land, options, problem) || !map_find_saved(land, options, problem)) {
        map_close_land(land);
        return false;
    }
    MapSourceDef source =
        map_source_def(land->land.generator, land->land.types, land->land.terrain);
    source.differs = options->world ? tool_land_is_saved : NULL;
    source.differs_user = land->land.world;
    const TrnResult result = map_source_create(&source, &land->source);
    if (result != TRN_RESULT_OK) {
        map_close_land(land);
        return message_set(problem, "Cannot generate the land: %s", trn_result_text(result));
    }
    return true;
}

static bool map_write_row(void *writer, const unsigned char *rgb, Message *problem)
{
    return image_writer_row(writer, rgb, problem);
}

/// Draws the rows of a picture. Shows progress.
static bool map_draw_rows(const MapLand *land, ImageWriter *writer, Message *problem)
{
    MapDrawing *drawing;
    if (!map_drawing_create(&drawing, &land->plan, land->source, map_write_row, writer, problem)) {
        return false;
    }
    Progress progress = progress_start(stderr, "terrane map", map_drawing_left(drawing));
    bool good = true;
    while (good && map_drawing_left(drawing) > 0) {
        good = map_drawing_step(drawing, problem);
        progress_step(&progress);
        if (good && interrupt_came()) {
            good = message_set(problem, "Interrupted; nothing was written.");
        }
    }
    progress_end(&progress);
    map_drawing_destroy(drawing);
    return good;
}

static bool map_draw_picture(const MapLand *land, const char *out, Message *problem)
{
    ImageWriter *writer;
    if (!image_writer_create(&writer, out, land->plan.width, land->plan.height, problem)) {
        return false;
    }
    const bool good = map_draw_rows(land, writer, problem) && image_writer_finish(writer, problem);
    image_writer_destroy(writer);
    return good;
}

/// Says which land it is. @param text  [128]
static void map_name_land(const ToolLand *land, char *text)
{
    char shape[8192];
    uint64_t hash = 0;
    if (land->terrain) {
        (void)trn_terrain_shape_write(&land->def.shape, shape, sizeof shape);
        hash = map_hash_text(shape);
    }
    (void)snprintf(text, 128, "%s, seed %" PRIu64 ", land %" PRIu32 ", shape %016" PRIx64,
                   land->world ? "world" : "generated", land->terrain ? land->def.seed : 0,
                   land->terrain ? land->def.version : 0, hash);
}

static bool map_draw_tiles(const MapLand *land, const char *folder, Message *problem)
{
    char name[128];
    int64_t drawn = 0;
    map_name_land(&land->land, name);
    const MapTilesDef def = {
        .folder = folder,
        .pyramid = map_pyramid_of(&land->plan),
        .source = land->source,
        .land = name,
        .storage = tool_land_shared(&land->land),
    };
    if (!map_tiles_draw(&def, &drawn, problem)) {
        return false;
    }
    program_print("%s/index.html: %" PRId64 " tiles in %d zooms, %" PRId64
                  " of them by this process",
                  folder, map_pyramid_tiles(&def.pyramid), def.pyramid.last_zoom + 1, drawn);
    return true;
}

static bool map_act(void *target, Message *problem)
{
    const MapOptions *options = target;
    MapLand land;
    if (!map_open_land(&land, options, problem)) {
        return false;
    }
    const bool good = options->tiles ? map_draw_tiles(&land, options->tiles, problem)
                                     : map_draw_picture(&land, options->out, problem);
    map_close_land(&land);
    return good;
}

// ---- the command --------------------------------------------------------------------------------

#define MAP_SECTION_HEIGHT 512 ///< pixels of a section, unless told otherwise

#define AT(field) .offset = offsetof(MapOptions, field)
#define MAP_IS_GIVEN(field) options_given(&MAP_COMMAND, given, offsetof(MapOptions, field))

// clang-format off
static const Option MAP_ROWS[] = {
    TERRAIN_CHOICE_ROWS(NULL, MapOptions, seed, choice),
    {.name = "world", .help = "a world file instead, with what players built", .kind = OPTION_TEXT,
     AT(world), .argument = "FILE", .takes = "the name of a world file"},
    {.name = "center", .help = "the voxel in the middle; of a world its spawn, unless given",
     .kind = OPTION_NUMBERS, AT(center), .low = TRN_VOXEL_MIN, .high = TRN_VOXEL_MAX,
     .argument = "X,Z", .standard = "0,0", .takes = "X,Z in voxels", .example = "1000,-200"},
    {.name = "size", .help = "pixels; of a section 512 high, unless given", .kind = OPTION_NUMBERS,
     AT(size), .low = 1, .high = 65536, .argument = "WxH", .standard = "1024x1024",
     .takes = "WIDTHxHEIGHT in pixels", .example = "1024x768"},
    {.name = "scale", .help = "voxels a pixel", .kind = OPTION_LONG, AT(plan.scale), .low = 1,
     .high = 1048576, .usual = 1, .takes = "a whole number of voxels a pixel"},
    {.name = "section", .help = "a vertical section along x at Z, seen from the south, instead of "
     "the land from above", .kind = OPTION_FLAG, AT(plan.is_section)},
    {.name = "height", .help = "of a section: the voxel in the middle", .kind = OPTION_LONG,
     AT(plan.center_y), .low = TRN_VOXEL_MIN, .high = TRN_VOXEL_MAX, .usual = 48, .argument = "Y",
     .takes = "a whole number of voxels"},
    {.name = "out", .help = "the picture; an existing file is replaced", .kind = OPTION_TEXT,
     AT(out), .argument = "FILE", .standard = "map.png", .takes = "the name of a file"},
    {.name = "tiles", .help = "a folder with a page that zooms into the map, instead of a picture; "
     "--size and --scale are those of the last zoom", .kind = OPTION_TEXT, AT(tiles),
     .argument = "DIR", .takes = "the name of a folder"},
    {0},
};
// clang-format on

static bool map_check(void *target, const bool *given, Message *problem)
{
    MapOptions *options = target;
    MapPlan *plan = &options->plan;
    const TerrainChoice *choice = &options->choice;
    if (options->world && (MAP_IS_GIVEN(seed) || choice->preset || choice->file)) {
        return message_set(problem, "--world names the land; leave --seed, --preset and --terrain "
                                    "out.");
    }
    if (!plan->is_section && MAP_IS_GIVEN(plan.center_y)) {
        return message_set(problem, "--height moves a section; add --section, or leave it out.");
    }
    if (options->tiles && (plan->is_section || MAP_IS_GIVEN(out))) {
        return message_set(problem,
                           "--tiles draws the land from above into a folder; leave %s out.",
                           plan->is_section ? "--section" : "--out");
    }
    options->has_center = MAP_IS_GIVEN(center);
    plan->center_x = options->center[0];
    plan->center_z = options->center[1];
    plan->width = (int)options->size[0];
    plan->height = (int)options->size[1];
    if (plan->is_section && !MAP_IS_GIVEN(size)) {
        plan->height = MAP_SECTION_HEIGHT;
    }
    return map_plan_check(plan, problem) &&
           terrain_choice_shape(&options->choice, &options->shape, problem);
}

// NOLINTNEXTLINE(misc-redundant-expression): the constants come from different headers
_Static_assert(MAP_BOTTOM_CHUNK == -32 && MAP_TOP_CHUNK == 31 && TRN_CHUNK_EDGE == 32 &&
                   MAP_AXIS_SCALE_FAR == 16 && MAP_TILE_PIXELS == 256,
               "the help says so");

const OptionCommand MAP_COMMAND = {
    .name = "map",
    .summary = "draws a map of a seed or of a world, or a vertical section",
    .about = "Draws the land of a seed, or a world, as a PNG.",
    .stray = "the picture is given as --out FILE",
    .rows = MAP_ROWS,
    .closing =
        "North (-z) is up, the sun is in the north-west, and the relief is exaggerated at "
        "large scales. Each pixel shows the topmost block between the voxels -1024 and 1023; "
        "deep water hides its bed. A pixel samples up to 16 voxels at scales up to 32 and "
        "four beyond, so the time depends on the size of the picture and not on that of the "
        "land. From a scale of 16 on, where no chunk is saved, forests are leaves on the ground.\n"
        "\n"
        "A picture appears complete or not at all. The same command writes the same bytes.\n"
        "\n"
        "--tiles makes DIR/index.html, which any browser opens, and tiles of 256 pixels as "
        "DIR/ZOOM/X/Y.png. The area grows to whole tiles. Tiles that exist stay, so the same "
        "command goes on after it was interrupted or killed; remove DIR to draw everything "
        "again. Any number of processes share the work on a world in a database, into one "
        "folder.",
    .examples =
        "terrane map\n"
        "terrane map --seed 7 --center 4000,-900 --size 1024x768 --scale 16 --out land.png\n"
        "terrane map --preset islands --scale 4\n"
        "terrane map --world my.world --out my.png\n"
        "terrane map --section --center 0,200 --out cut.png\n"
        "terrane map --world postgresql:///world --size 8192x8192 --tiles map",
    .bytes = sizeof(MapOptions),
    .check = map_check,
    .act = map_act,
};

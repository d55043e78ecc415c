#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include "map_options.h"

#include <getopt.h>
#include <inttypes.h>

#include <terrane/terrain.h>

#include "arguments.h"
#include "map_pyramid.h"

#define MAP_SECTION_HEIGHT 512 ///< pixels of a section, unless told otherwise
#define MAP_SECTION_MIDDLE 48  ///< the voxel y in its middle

enum {
    MAP_OPTION_SEED = 256,
    MAP_OPTION_PRESET,
    MAP_OPTION_TERRAIN,
    MAP_OPTION_WORLD,
    MAP_OPTION_CENTER,
    MAP_OPTION_SIZE,
    MAP_OPTION_SCALE,
    MAP_OPTION_SECTION,
    MAP_OPTION_HEIGHT,
    MAP_OPTION_OUT,
    MAP_OPTION_TILES,
    MAP_OPTION_HELP
};

static const struct option MAP_LONG_OPTIONS[] = {
    {"seed", required_argument, NULL, MAP_OPTION_SEED},
    {"preset", required_argument, NULL, MAP_OPTION_PRESET},
    {"terrain", required_argument, NULL, MAP_OPTION_TERRAIN},
    {"world", required_argument, NULL, MAP_OPTION_WORLD},
    {"center", required_argument, NULL, MAP_OPTION_CENTER},
    {"size", required_argument, NULL, MAP_OPTION_SIZE},
    {"scale", required_argument, NULL, MAP_OPTION_SCALE},
    {"section", no_argument, NULL, MAP_OPTION_SECTION},
    {"height", required_argument, NULL, MAP_OPTION_HEIGHT},
    {"out", required_argument, NULL, MAP_OPTION_OUT},
    {"tiles", required_argument, NULL, MAP_OPTION_TILES},
    {"help", no_argument, NULL, MAP_OPTION_HELP},
    {NULL, 0, NULL, 0},
};

/// The command line, before defaults that depend on it are filled in.
typedef struct MapWords {
    MapOptions options;
    bool has_size, has_height, has_seed, has_out;
} MapWords;

static bool parse_center(MapPlan *plan, const char *text, Message *problem)
{
    int64_t center[2];
    if (!argument_pair(text, ',', TRN_VOXEL_MIN, TRN_VOXEL_MAX, center)) {
        return message_set(problem,
                           "--center takes X,Z in voxels, each from %" PRId64 " to %" PRId64
                           ", such as 1000,-200, not '%s'.",
                           TRN_VOXEL_MIN, TRN_VOXEL_MAX, message_short(text).text);
    }
    plan->center_x = center[0];
    plan->center_z = center[1];
    return true;
}

static bool parse_map_value(MapWords *words, int option, const char *text, Message *problem)
{
    MapPlan *plan = &words->options.plan;
    switch (option) {
    case MAP_OPTION_CENTER:
        words->options.has_center = true;
        return parse_center(plan, text, problem);
    case MAP_OPTION_SIZE:
        words->has_size = true;
        return argument_size(text, 1, MAP_SIZE_MAX, &plan->width, &plan->height) ||
               message_set(problem,
                           "--size takes WIDTHxHEIGHT in pixels, each from 1 to %d, such as "
                           "1024x768, not '%s'; a greater --scale shows more land.",
                           MAP_SIZE_MAX, message_short(text).text);
    case MAP_OPTION_SCALE:
        return argument_integer(text, 1, MAP_SCALE_MAX, &plan->scale) ||
               message_set(problem,
                           "--scale takes a whole number of voxels a pixel from 1 to %d, not '%s'.",
                           MAP_SCALE_MAX, message_short(text).text);
    case MAP_OPTION_HEIGHT:
        words->has_height = true;
        return argument_integer(text, TRN_VOXEL_MIN, TRN_VOXEL_MAX, &plan->center_y) ||
               message_set(problem,
                           "--height takes a whole number of voxels from %" PRId64 " to %" PRId64
                           ", not '%s'.",
                           TRN_VOXEL_MIN, TRN_VOXEL_MAX, message_short(text).text);
    default:
        words->has_seed = true;
        return argument_seed(text, &words->options.seed) ||
               message_set(problem,
                           "--seed takes a whole number from 0 to 18446744073709551615, not '%s'.",
                           message_short(text).text);
    }
}

static bool parse_map_option(MapWords *words, int option, char **argv, Message *problem)
{
    switch (option) {
    case MAP_OPTION_SECTION:
        words->options.plan.is_section = true;
        return true;
    case MAP_OPTION_PRESET:
        words->options.choice.preset = optarg;
        return true;
    case MAP_OPTION_TERRAIN:
        words->options.choice.file = optarg;
        return optarg[0] || message_set(problem, "--terrain takes the name of a terrain file.");
    case MAP_OPTION_WORLD:
        words->options.world = optarg;
        return optarg[0] || message_set(problem, "--world takes the name of a world file.");
    case MAP_OPTION_OUT:
        words->options.out = optarg;
        words->has_out = true;
        return optarg[0] || message_set(problem, "--out takes the name of a file.");
    case MAP_OPTION_TILES:
        words->options.tiles = optarg;
        return optarg[0] || message_set(problem, "--tiles takes the name of a folder.");
    case MAP_OPTION_HELP:
        words->options.wants_help = true;
        return true;
    case ':':
    case '?':
        return argument_refuse(option, MAP_OPTION_SEED, "terrane help map", argv, problem);
    default:
        return parse_map_value(words, option, optarg, problem);
    }
}

static MapOptions map_options_default(void)
{
    return (MapOptions){
        .seed = trn_terrain_def().seed,
        .shape = trn_terrain_shape_default(),
        .plan = {.width = 1024, .height = 1024, .scale = 1, .center_y = MAP_SECTION_MIDDLE},
        .out = "map.png",
    };
}

static bool finish_map_options(MapWords *words, int argc, char **argv, Message *problem)
{
    MapPlan *plan = &words->options.plan;
    if (optind < argc) {
        return message_set(problem,
                           "'%s' is not an option; the picture is given as --out FILE, and terrane "
                           "help map lists the rest.",
                           message_short(argv[optind]).text);
    }
    const TerrainChoice *choice = &words->options.choice;
    if (words->options.world && (words->has_seed || choice->preset || choice->file)) {
        return message_set(problem, "--world names the land; leave --seed, --preset and --terrain "
                                    "out.");
    }
    if (words->has_height && !plan->is_section) {
        return message_set(problem, "--height moves a section; add --section, or leave it out.");
    }
    if (words->options.tiles && (plan->is_section || words->has_out)) {
        return message_set(problem,
                           "--tiles draws the land from above into a folder; leave %s out.",
                           plan->is_section ? "--section" : "--out");
    }
    if (plan->is_section && !words->has_size) {
        plan->height = MAP_SECTION_HEIGHT;
    }
    return map_plan_check(plan, problem) &&
           terrain_choice_shape(&words->options.choice, &words->options.shape, problem);
}

bool map_options_parse(MapOptions *options, int argc, char **argv, Message *problem)
{
    MapWords words = {.options = map_options_default()};
    optind = 0; // from the beginning, also when called again
    opterr = 0; // the messages are ours
    int option;
    while ((option = getopt_long(argc, argv, ":", MAP_LONG_OPTIONS, NULL)) != -1) {
        if (!parse_map_option(&words, option, argv, problem)) {
            return false;
        }
        if (words.options.wants_help) {
            *options = words.options;
            return true;
        }
    }
    if (!finish_map_options(&words, argc, argv, problem)) {
        return false;
    }
    *options = words.options;
    return true;
}

void map_options_print_help(FILE *stream)
{
    MapOptions defaults = map_options_default();
    char presets[128];
    terrain_choice_presets(presets, sizeof presets);
    fprintf(
        stream,
        "Draws the land of a seed, or a world, as a PNG.\n"
        "\n"
        "Usage: terrane map [options]\n"
        "\n"
        "  --seed N        which land (default %" PRIu64 ")\n"
        "  --preset NAME   its shape: %s\n"
        "  --terrain FILE  a shape of your own instead; docs/terrain.md describes the format\n"
        "  --world FILE    a world file instead, with what players built\n"
        "  --center X,Z    the voxel in the middle (default 0,0; of a world its spawn)\n"
        "  --size WxH      pixels, each from 1 to %d (default %dx%d, of a section %dx%d)\n"
        "  --scale N       voxels a pixel, 1 to %d (default %d)\n"
        "  --section       a vertical section along x at Z, seen from the south, instead of\n"
        "                  the land from above\n"
        "  --height Y      of a section: the voxel in the middle (default %d)\n"
        "  --out FILE      the picture; an existing file is replaced (default %s)\n"
        "  --tiles DIR     a folder with a page that zooms into the map, instead of a picture;\n"
        "                  --size and --scale are those of the last zoom\n"
        "  --help\n",
        defaults.seed, presets, MAP_SIZE_MAX, defaults.plan.width, defaults.plan.height,
        defaults.plan.width, MAP_SECTION_HEIGHT, MAP_SCALE_MAX, (int)defaults.plan.scale,
        MAP_SECTION_MIDDLE, defaults.out);
    fprintf(
        stream,
        "\n"
        "North (-z) is up, the sun is in the north-west, and the relief is exaggerated at large\n"
        "scales. Each pixel shows the topmost block between the voxels %d and %d; deep water\n"
        "hides its bed. A pixel samples up to 16 voxels at scales up to %d and four beyond, so\n"
        "the time depends on the size of the picture and not on that of the land. From a scale\n"
        "of %d on, trees are left out where no chunk is saved.\n"
        "\n"
        "A picture appears complete or not at all. The same command writes the same bytes.\n"
        "\n"
        "--tiles makes DIR/index.html, which any browser opens, and tiles of %d pixels as\n"
        "DIR/ZOOM/X/Y.png. The area grows to whole tiles. Tiles that exist stay, so the same\n"
        "command goes on after it was interrupted or killed; remove DIR to draw everything again.\n"
        "Any number of processes share the work on a world in a database, into one folder.\n"
        "\n"
        "Examples\n"
        "  terrane map\n"
        "  terrane map --seed 7 --center 4000,-900 --size 1024x768 --scale 16 --out land.png\n"
        "  terrane map --preset islands --scale 4\n"
        "  terrane map --world my.world --out my.png\n"
        "  terrane map --section --center 0,200 --out cut.png\n"
        "  terrane map --world postgresql:///world --size 8192x8192 --tiles map\n",
        MAP_BOTTOM_CHUNK * TRN_CHUNK_EDGE, (MAP_TOP_CHUNK + 1) * TRN_CHUNK_EDGE - 1, TRN_CHUNK_EDGE,
        MAP_AXIS_SCALE_FAR, MAP_TILE_PIXELS);
}

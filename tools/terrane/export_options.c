#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include "export_options.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include <terrane/terrain.h>

#include "arguments.h"
#include "export_mesh.h"

#define EXPORT_SIZE_DEFAULT 256 ///< voxels along x and z

enum {
    EXPORT_OPTION_SEED = 256,
    EXPORT_OPTION_PRESET,
    EXPORT_OPTION_TERRAIN,
    EXPORT_OPTION_WORLD,
    EXPORT_OPTION_CENTER,
    EXPORT_OPTION_SIZE,
    EXPORT_OPTION_BOX,
    EXPORT_OPTION_FORMAT,
    EXPORT_OPTION_NO_AO,
    EXPORT_OPTION_OUT,
    EXPORT_OPTION_HELP
};

static const struct option EXPORT_LONG_OPTIONS[] = {
    {"seed", required_argument, NULL, EXPORT_OPTION_SEED},
    {"preset", required_argument, NULL, EXPORT_OPTION_PRESET},
    {"terrain", required_argument, NULL, EXPORT_OPTION_TERRAIN},
    {"world", required_argument, NULL, EXPORT_OPTION_WORLD},
    {"center", required_argument, NULL, EXPORT_OPTION_CENTER},
    {"size", required_argument, NULL, EXPORT_OPTION_SIZE},
    {"box", required_argument, NULL, EXPORT_OPTION_BOX},
    {"format", required_argument, NULL, EXPORT_OPTION_FORMAT},
    {"no-ao", no_argument, NULL, EXPORT_OPTION_NO_AO},
    {"out", required_argument, NULL, EXPORT_OPTION_OUT},
    {"help", no_argument, NULL, EXPORT_OPTION_HELP},
    {NULL, 0, NULL, 0},
};

static const char *const FORMAT_NAMES[EXPORT_FORMAT_COUNT] = {"glb", "gltf", "obj"};

/// What the command line says before what it leaves out is filled in.
typedef struct ExportWords {
    ExportOptions options;
    int64_t center[2];
    int size[2];
    bool has_seed, has_size, has_format;
} ExportWords;

/// Cuts a text in two. @param left  [size] receives what is before the mark
/// @return what is behind the mark; NULL if there is no mark, or no room
static const char *cut_text(const char *text, const char *mark, char *left, size_t size)
{
    const char *at = strstr(text, mark);
    if (!at || (size_t)(at - text) >= size) {
        return NULL;
    }
    memcpy(left, text, (size_t)(at - text));
    left[at - text] = '\0';
    return at + strlen(mark);
}

static bool parse_corner(const char *text, TrnVoxel *corner)
{
    char word[32];
    int64_t pair[2];
    const char *rest = cut_text(text, ",", word, sizeof word);
    if (!rest || !argument_integer(word, TRN_VOXEL_MIN, TRN_VOXEL_MAX, &corner->x) ||
        !argument_pair(rest, ',', TRN_VOXEL_MIN, TRN_VOXEL_MAX, pair)) {
        return false;
    }
    corner->y = pair[0];
    corner->z = pair[1];
    return true;
}

static bool parse_box(ExportBox *box, const char *text, Message *problem)
{
    char low[80];
    const char *high = cut_text(text, "..", low, sizeof low);
    ExportBox read;
    if (!high || !parse_corner(low, &read.min) || !parse_corner(high, &read.max)) {
        return message_set(problem,
                           "--box takes two corners X,Y,Z..X,Y,Z in voxels, each from %" PRId64
                           " to %" PRId64 ", such as -50,-10,0..49,120,99, not '%s'.",
                           TRN_VOXEL_MIN, TRN_VOXEL_MAX, message_short(text).text);
    }
    *box = read;
    return true;
}

static bool parse_format(ExportWords *words, const char *text, Message *problem)
{
    for (int i = 0; i < EXPORT_FORMAT_COUNT; i++) {
        if (strcmp(text, FORMAT_NAMES[i]) == 0) {
            words->options.format = (ExportFormat)i;
            words->has_format = true;
            return true;
        }
    }
    return message_set(problem, "--format takes glb, gltf or obj, not '%s'.",
                       message_short(text).text);
}

static bool parse_export_value(ExportWords *words, int option, const char *text, Message *problem)
{
    switch (option) {
    case EXPORT_OPTION_CENTER:
        words->options.has_center = true;
        return argument_pair(text, ',', TRN_VOXEL_MIN, TRN_VOXEL_MAX, words->center) ||
               message_set(problem,
                           "--center takes X,Z in voxels, each from %" PRId64 " to %" PRId64
                           ", such as 1000,-200, not '%s'.",
                           TRN_VOXEL_MIN, TRN_VOXEL_MAX, message_short(text).text);
    case EXPORT_OPTION_SIZE:
        words->has_size = true;
        return argument_size(text, 1, EXPORT_EDGE_MAX, &words->size[0], &words->size[1]) ||
               message_set(problem,
                           "--size takes XxZ in voxels, each from 1 to %d, such as 256x256, not "
                           "'%s'.",
                           EXPORT_EDGE_MAX, message_short(text).text);
    case EXPORT_OPTION_BOX:
        words->options.has_box = true;
        return parse_box(&words->options.box, text, problem);
    case EXPORT_OPTION_FORMAT:
        return parse_format(words, text, problem);
    default:
        words->has_seed = true;
        return argument_seed(text, &words->options.seed) ||
               message_set(problem,
                           "--seed takes a whole number from 0 to 18446744073709551615, not '%s'.",
                           message_short(text).text);
    }
}

static bool parse_export_option(ExportWords *words, int option, char **argv, Message *problem)
{
    switch (option) {
    case EXPORT_OPTION_NO_AO:
        words->options.without_ao = true;
        return true;
    case EXPORT_OPTION_PRESET:
        words->options.choice.preset = optarg;
        return true;
    case EXPORT_OPTION_TERRAIN:
        words->options.choice.file = optarg;
        return optarg[0] || message_set(problem, "--terrain takes the name of a terrain file.");
    case EXPORT_OPTION_WORLD:
        words->options.world = optarg;
        return optarg[0] || message_set(problem, "--world takes the name of a world file.");
    case EXPORT_OPTION_OUT:
        words->options.out = optarg;
        return optarg[0] || message_set(problem, "--out takes the name of a file.");
    case EXPORT_OPTION_HELP:
        words->options.wants_help = true;
        return true;
    case ':':
    case '?':
        return argument_refuse(option, EXPORT_OPTION_SEED, "terrane help export", argv, problem);
    default:
        return parse_export_value(words, option, optarg, problem);
    }
}

/// The format that a file's name ends in.
static bool format_of_name(const char *path, ExportFormat *format)
{
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < EXPORT_FORMAT_COUNT; i++) {
        if (strcasecmp(dot + 1, FORMAT_NAMES[i]) == 0) {
            *format = (ExportFormat)i;
            return true;
        }
    }
    return false;
}

static bool choose_format(ExportWords *words, Message *problem)
{
    ExportOptions *const options = &words->options;
    if (!options->out) {
        static const char *const names[EXPORT_FORMAT_COUNT] = {"land.glb", "land.gltf", "land.obj"};
        options->out = names[options->format];
        return true;
    }
    return words->has_format || format_of_name(options->out, &options->format) ||
           message_set(
               problem,
               "The name %s has no ending of a known format; end it in .glb, .gltf or .obj, or "
               "add --format.",
               message_short(options->out).text);
}

static bool choose_box(ExportWords *words, Message *problem)
{
    ExportBox *const box = &words->options.box;
    if (words->options.has_box) {
        if (words->options.has_center || words->has_size) {
            return message_set(problem, "--box replaces --center and --size; leave those out.");
        }
        return export_box_check(box, problem);
    }
    box->min =
        (TrnVoxel){words->center[0] - words->size[0] / 2, 0, words->center[1] - words->size[1] / 2};
    box->max = (TrnVoxel){box->min.x + words->size[0] - 1, 0, box->min.z + words->size[1] - 1};
    return export_box_check(box, problem);
}

static bool finish_export_options(ExportWords *words, int argc, char **argv, Message *problem)
{
    if (optind < argc) {
        return message_set(problem,
                           "'%s' is not an option; the file is given as --out FILE, and terrane "
                           "help export lists the rest.",
                           message_short(argv[optind]).text);
    }
    const TerrainChoice *choice = &words->options.choice;
    if (words->options.world && (words->has_seed || choice->preset || choice->file)) {
        return message_set(problem, "--world names the land; leave --seed, --preset and --terrain "
                                    "out.");
    }
    return choose_format(words, problem) && choose_box(words, problem) &&
           terrain_choice_shape(&words->options.choice, &words->options.shape, problem);
}

bool export_options_parse(ExportOptions *options, int argc, char **argv, Message *problem)
{
    ExportWords words = {
        .options = {.seed = trn_terrain_def().seed, .shape = trn_terrain_shape_default()},
        .size = {EXPORT_SIZE_DEFAULT, EXPORT_SIZE_DEFAULT}};
    optind = 0; // from the beginning, also when called again
    opterr = 0; // the messages are ours
    int option;
    while ((option = getopt_long(argc, argv, ":", EXPORT_LONG_OPTIONS, NULL)) != -1) {
        if (!parse_export_option(&words, option, argv, problem)) {
            return false;
        }
        if (words.options.wants_help) {
            *options = words.options;
            return true;
        }
    }
    if (!finish_export_options(&words, argc, argv, problem)) {
        return false;
    }
    *options = words.options;
    return true;
}

void export_options_print_help(FILE *stream)
{
    char presets[128];
    terrain_choice_presets(presets, sizeof presets);
    fprintf(
        stream,
        "Writes a piece of land, or of a world, as a 3D model, for Blender, engines and the web.\n"
        "\n"
        "Usage: terrane export [options]\n"
        "\n"
        "  --seed N        which land (default %" PRIu64 ")\n"
        "  --preset NAME   its shape: %s\n"
        "  --terrain FILE  a shape of your own instead; docs/terrain.md describes the format\n"
        "  --world FILE    a world file instead, with what players built\n"
        "  --center X,Z    the voxel in the middle (default 0,0; of a world its spawn)\n"
        "  --size XxZ      voxels, each from 1 to %d (default %dx%d); from 16 voxels below\n"
        "                  the lowest ground to the highest tree\n"
        "  --box X,Y,Z..X,Y,Z\n"
        "                  instead: the lowest and the highest voxel\n"
        "  --format F      glb, gltf or obj (default: by the file's ending)\n"
        "  --no-ao         leave out ambient occlusion: fewer, larger faces\n"
        "  --out FILE      the model; an existing file is replaced (default land.glb)\n"
        "  --help\n",
        trn_terrain_def().seed, presets, EXPORT_EDGE_MAX, EXPORT_SIZE_DEFAULT, EXPORT_SIZE_DEFAULT);
    fprintf(
        stream,
        "\n"
        "glb is glTF in one file; gltf has its binary data in a second file (.bin), obj its\n"
        "colours (.mtl). A unit is a voxel, y is up, north is -z, and the origin is the box's\n"
        "lowest corner, so that floats stay precise far from the world's origin. Each colour of\n"
        "each block is a material; water and glass are transparent; glTF has ambient occlusion\n"
        "as a vertex colour. The box's sides are closed, water is 1/8 lower than its voxel, and\n"
        "plants are two crossed, two-sided leaves.\n"
        "\n"
        "A box has at most %u chunks, and a model %zu million faces. A file appears complete or\n"
        "not at all. The same command writes the same bytes.\n"
        "\n"
        "Examples\n"
        "  terrane export\n"
        "  terrane export --seed 7 --center 4000,-900 --size 512x512 --out valley.glb\n"
        "  terrane export --preset alps --size 400x400 --out alps.glb\n"
        "  terrane export --world my.world --size 128x128 --out house.glb\n"
        "  terrane export --box -50,-60,0..49,120,99 --no-ao --out block.obj\n",
        EXPORT_CHUNKS_MAX, EXPORT_QUADS_MAX / 1000000);
}

#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include "import_options.h"

#include <getopt.h>
#include <string.h>

#include "arguments.h"

enum { IMPORT_HEIGHT_MAX = 16384, IMPORT_SCALE_MAX = 256 }; // as TrnImportHeights has them

enum {
    IMPORT_OPTION_FORMAT = 256,
    IMPORT_OPTION_NAMES,
    IMPORT_OPTION_OFFSET,
    IMPORT_OPTION_HEIGHTS,
    IMPORT_OPTION_SCALE,
    IMPORT_OPTION_BASE,
    IMPORT_OPTION_SEA,
    IMPORT_OPTION_COLOURS,
    IMPORT_OPTION_OWN_COLOURS,
    IMPORT_OPTION_ADD,
    IMPORT_OPTION_JSON,
    IMPORT_OPTION_HELP
};

static const struct option IMPORT_LONG_OPTIONS[] = {
    {"format", required_argument, NULL, IMPORT_OPTION_FORMAT},
    {"names", required_argument, NULL, IMPORT_OPTION_NAMES},
    {"offset", required_argument, NULL, IMPORT_OPTION_OFFSET},
    {"heights", required_argument, NULL, IMPORT_OPTION_HEIGHTS},
    {"scale", required_argument, NULL, IMPORT_OPTION_SCALE},
    {"base", required_argument, NULL, IMPORT_OPTION_BASE},
    {"sea", required_argument, NULL, IMPORT_OPTION_SEA},
    {"colours", required_argument, NULL, IMPORT_OPTION_COLOURS},
    {"own-colours", no_argument, NULL, IMPORT_OPTION_OWN_COLOURS},
    {"add", no_argument, NULL, IMPORT_OPTION_ADD},
    {"json", no_argument, NULL, IMPORT_OPTION_JSON},
    {"help", no_argument, NULL, IMPORT_OPTION_HELP},
    {NULL, 0, NULL, 0},
};

/// Lists the formats that this program reads: "luanti, anvil or vox".
static void import_formats(char *text, size_t size)
{
    const char *names[TRN_IMPORT_FORMAT_COUNT];
    size_t count = 0, length = 0;
    for (int i = 0; i < TRN_IMPORT_FORMAT_COUNT; i++) {
        if (trn_import_format_is_built((TrnImportFormat)i)) {
            names[count++] = trn_import_format_name((TrnImportFormat)i);
        }
    }
    text[0] = '\0';
    for (size_t i = 0; i < count && length < size; i++) {
        const char *before = i == 0 ? "" : i + 1 < count ? ", " : " or ";
        length += (size_t)snprintf(text + length, size - length, "%s%s", before, names[i]);
    }
}

static bool parse_import_format(ImportOptions *options, Message *problem)
{
    for (int i = 0; i < TRN_IMPORT_FORMAT_COUNT; i++) {
        if (strcmp(optarg, trn_import_format_name((TrnImportFormat)i)) == 0) {
            options->format = (TrnImportFormat)i;
            return true;
        }
    }
    char formats[128];
    import_formats(formats, sizeof formats);
    return message_set(problem, "--format takes %s, not '%s'.", formats,
                       message_short(optarg).text);
}

static bool parse_import_offset(ImportOptions *options, Message *problem)
{
    int64_t offset[3];
    if (!argument_triple(optarg, TRN_VOXEL_MIN, TRN_VOXEL_MAX, offset)) {
        return message_set(problem, "--offset takes voxels X,Y,Z, such as 0,-64,0, not '%s'.",
                           message_short(optarg).text);
    }
    options->offset = (TrnVoxel){offset[0], offset[1], offset[2]};
    return true;
}

static bool parse_import_heights(ImportOptions *options, Message *problem)
{
    int64_t pair[2];
    if (!argument_pair(optarg, ',', -IMPORT_HEIGHT_MAX, IMPORT_HEIGHT_MAX, pair)) {
        return message_set(problem,
                           "--heights takes BLACK,WHITE from %d to %d, such as 0,128, not '%s'.",
                           -IMPORT_HEIGHT_MAX, IMPORT_HEIGHT_MAX, message_short(optarg).text);
    }
    options->heights.black = (double)pair[0];
    options->heights.white = (double)pair[1];
    return true;
}

/// Parses an option that takes one number.
static bool parse_import_number(const char *name, int64_t low, int64_t high, int64_t *number,
                                Message *problem)
{
    return argument_integer(optarg, low, high, number) ||
           message_set(problem, "%s takes a number from %lld to %lld, not '%s'.", name,
                       (long long)low, (long long)high, message_short(optarg).text);
}

/// Parses an option of pictures of heights.
static bool parse_import_land(ImportOptions *options, int option, Message *problem)
{
    TrnImportHeights *heights = &options->heights;
    int64_t number = 0;
    bool good = true;
    switch (option) {
    case IMPORT_OPTION_HEIGHTS:
        return parse_import_heights(options, problem);
    case IMPORT_OPTION_SCALE:
        good = parse_import_number("--scale", 1, IMPORT_SCALE_MAX, &number, problem);
        heights->scale = good ? (uint32_t)number : heights->scale;
        return good;
    case IMPORT_OPTION_BASE:
    case IMPORT_OPTION_SEA:
        good = parse_import_number(option == IMPORT_OPTION_BASE ? "--base" : "--sea",
                                   -IMPORT_HEIGHT_MAX, IMPORT_HEIGHT_MAX, &number, problem);
        *(option == IMPORT_OPTION_BASE ? &heights->base : &heights->sea_level) = (int32_t)number;
        return good;
    case IMPORT_OPTION_COLOURS:
        heights->colours = optarg;
        return optarg[0] || message_set(problem, "--colours takes the name of a picture.");
    default: // IMPORT_OPTION_OWN_COLOURS
        heights->has_own_types = true;
        return true;
    }
}

static bool parse_import_option(ImportOptions *options, int option, char **argv, Message *problem)
{
    switch (option) {
    case IMPORT_OPTION_FORMAT:
        return parse_import_format(options, problem);
    case IMPORT_OPTION_NAMES:
        options->names = optarg;
        return optarg[0] || message_set(problem, "--names takes the name of a file.");
    case IMPORT_OPTION_OFFSET:
        return parse_import_offset(options, problem);
    case IMPORT_OPTION_HEIGHTS:
    case IMPORT_OPTION_SCALE:
    case IMPORT_OPTION_BASE:
    case IMPORT_OPTION_SEA:
    case IMPORT_OPTION_COLOURS:
    case IMPORT_OPTION_OWN_COLOURS:
        return parse_import_land(options, option, problem);
    case IMPORT_OPTION_ADD:
        options->adds = true;
        return true;
    case IMPORT_OPTION_JSON:
        options->wants_json = true;
        return true;
    case IMPORT_OPTION_HELP:
        options->wants_help = true;
        return true;
    default: // ':' or '?'
        return argument_refuse(option, IMPORT_OPTION_FORMAT, "terrane help import", argv, problem);
    }
}

/// Takes the two words that are no options.
static bool finish_import_options(ImportOptions *options, int argc, char **argv, Message *problem)
{
    if (argc - optind < 2) {
        return message_set(problem,
                           "Name the world to import and the file to write: terrane import "
                           "SOURCE WORLD.");
    }
    if (argc - optind > 2) {
        return message_set(problem,
                           "There are two names, of the source and of the world; leave "
                           "out %s.",
                           message_short(argv[optind + 2]).text);
    }
    options->source = argv[optind];
    options->world = argv[optind + 1];
    return (options->source[0] && options->world[0]) ||
           message_set(problem, "The names of the source and of the world may not be empty.");
}

bool import_options_parse(ImportOptions *options, int argc, char **argv, Message *problem)
{
    ImportOptions words = {.format = TRN_IMPORT_AUTO, .heights = trn_import_def().heights};
    optind = 0; // from the beginning, also when called again
    opterr = 0; // the messages are ours
    int option;
    while ((option = getopt_long(argc, argv, ":", IMPORT_LONG_OPTIONS, NULL)) != -1) {
        if (!parse_import_option(&words, option, argv, problem)) {
            return false;
        }
        if (words.wants_help) {
            *options = words;
            return true;
        }
    }
    if (!finish_import_options(&words, argc, argv, problem)) {
        return false;
    }
    *options = words;
    return true;
}

void import_options_print_help(FILE *stream)
{
    char formats[128];
    import_formats(formats, sizeof formats);
    fprintf(stream,
            "Copies a world of another game into a world of Terrane.\n"
            "\n"
            "Usage: terrane import [options] SOURCE WORLD\n"
            "\n"
            "  SOURCE        the other world: its folder or its file; it is only read\n"
            "  WORLD         the file to write\n"
            "  --format F    %s (default: found from the content)\n"
            "  --names FILE  a table of which block becomes which, instead of the built-in one;\n"
            "                docs/importing.md describes the format\n"
            "  --offset X,Y,Z  voxels to move the land by (default: 0,0,0)\n"
            "  --add         add to a WORLD that exists; chunks that are imported replace its own\n"
            "  --json        print the report as JSON\n"
            "  --help\n",
            formats);
    fputs("\n"
          "Pictures of heights (PNG)\n"
          "  --heights BLACK,WHITE  heights of black and of white, in voxels (default: 0,128)\n"
          "  --scale N       voxels a pixel, 1 to 256 (default: 1)\n"
          "  --base Y        the lowest voxel (default: -16)\n"
          "  --sea Y         fill with water up to this height (default: no sea)\n"
          "  --colours FILE  a picture of the same size: blocks nearest to its colours\n"
          "  --own-colours   blocks of exactly these colours instead\n",
          stream);
    fputs("\n"
          "The report counts what could not be imported as it is: names that have no block,\n"
          "which become blocks of a colour of their own, things that Terrane does not have, and\n"
          "damaged pieces, which become air.\n"
          "\n"
          "An import can be interrupted. What was copied stays in WORLD, and the same command\n"
          "with --add copies everything again.\n"
          "\n"
          "Examples\n"
          "  terrane import ~/.minetest/worlds/home home.world\n"
          "  terrane import --names my-names.txt --json map.sqlite home.world\n"
          "  terrane import ~/.minecraft/saves/Home home.world\n"
          "  terrane import --heights 0,300 --sea 90 island.png island.world\n",
          stream);
}

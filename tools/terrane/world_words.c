#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include "world_words.h"

#include <getopt.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include <terrane/terrain.h>

#include "arguments.h"
#include "program.h"

enum {
    WORDS_JSON = 256,
    WORDS_BLOCKS,
    WORDS_SEED,
    WORDS_PRESET,
    WORDS_TERRAIN,
    WORDS_RADIUS,
    WORDS_AREA,
    WORDS_HELP
};

static const struct option WORDS_LONG_OPTIONS[] = {
    {"json", no_argument, NULL, WORDS_JSON},
    {"blocks", no_argument, NULL, WORDS_BLOCKS},
    {"seed", required_argument, NULL, WORDS_SEED},
    {"preset", required_argument, NULL, WORDS_PRESET},
    {"terrain", required_argument, NULL, WORDS_TERRAIN},
    {"radius", required_argument, NULL, WORDS_RADIUS},
    {"area", required_argument, NULL, WORDS_AREA},
    {"help", no_argument, NULL, WORDS_HELP},
    {NULL, 0, NULL, 0},
};

/// The WORLD_TAKES_... that an option belongs to; 0: every command takes it.
static uint32_t words_group(int option)
{
    switch (option) {
    case WORDS_JSON:
        return WORLD_TAKES_JSON;
    case WORDS_BLOCKS:
        return WORLD_TAKES_BLOCKS;
    case WORDS_SEED:
    case WORDS_PRESET:
    case WORDS_TERRAIN:
        return WORLD_TAKES_LAND;
    case WORDS_RADIUS:
        return WORLD_TAKES_RADIUS;
    case WORDS_AREA:
        return WORLD_TAKES_AREA;
    default:
        return 0;
    }
}

/// Reads X,Z,X,Z: two corners in voxels.
static bool words_parse_area(WorldWords *words, const char *text)
{
    char part[32];
    for (int i = 0; i < 4; i++) {
        const size_t length = strcspn(text, ",");
        if (length >= sizeof part || (text[length] == ',') != (i < 3)) {
            return false;
        }
        (void)snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (!argument_integer(part, -WORLD_AREA_MAX, WORLD_AREA_MAX, &words->area[i])) {
            return false;
        }
        text += length + (i < 3);
    }
    words->has_area = words->area[0] <= words->area[2] && words->area[1] <= words->area[3];
    return words->has_area;
}

static bool words_parse_value(WorldWords *words, int option, const char *text, Message *problem)
{
    switch (option) {
    case WORDS_PRESET:
        words->choice.preset = text;
        return true;
    case WORDS_TERRAIN:
        words->choice.file = text;
        return text[0] || message_set(problem, "--terrain takes the name of a terrain file.");
    case WORDS_AREA:
        return words_parse_area(words, text) ||
               message_set(problem,
                           "--area takes two corners in voxels, the lower one first, such as "
                           "-512,-512,511,511, not '%s'.",
                           message_short(text).text);
    case WORDS_RADIUS:
        return argument_integer(text, 0, WORLD_RADIUS_MAX, &words->radius) ||
               message_set(problem,
                           "--radius takes a whole number of chunks from 0 to %d, not '%s'.",
                           WORLD_RADIUS_MAX, message_short(text).text);
    default:
        return argument_seed(text, &words->seed) ||
               message_set(problem,
                           "--seed takes a whole number from 0 to 18446744073709551615, not '%s'.",
                           message_short(text).text);
    }
}

static bool words_parse_option(WorldWords *words, const WorldCommand *command, int option,
                               char **argv, Message *problem)
{
    const uint32_t group = words_group(option);
    char help[64];
    if (group && !(command->options & group)) {
        return message_set(
            problem, "terrane %s has no option --%s; terrane help %s lists them all.",
            command->name, WORDS_LONG_OPTIONS[option - WORDS_JSON].name, command->name);
    }
    switch (option) {
    case WORDS_JSON:
        words->wants_json = true;
        return true;
    case WORDS_BLOCKS:
        words->wants_blocks = true;
        return true;
    case WORDS_HELP:
        words->wants_help = true;
        return true;
    case ':':
    case '?':
        (void)snprintf(help, sizeof help, "terrane help %s", command->name);
        return argument_refuse(option, WORDS_JSON, help, argv, problem);
    default:
        return words_parse_value(words, option, optarg, problem);
    }
}

static bool words_take_files(WorldWords *words, const WorldCommand *command, int argc, char **argv,
                             Message *problem)
{
    for (int i = 0; i < command->files; i++) {
        if (optind >= argc || !argv[optind][0]) {
            return message_set(problem,
                               i ? "Name the new file too: terrane %s %s."
                                 : "Name a world file: terrane %s %s.",
                               command->name, command->usage);
        }
        words->files[i] = argv[optind++];
    }
    return optind >= argc ||
           message_set(problem, "There is one word too many, %s; use terrane %s %s.",
                       message_short(argv[optind]).text, command->name, command->usage);
}

bool world_words_parse(WorldWords *words, const WorldCommand *command, int argc, char **argv,
                       Message *problem)
{
    *words = (WorldWords){.seed = trn_terrain_def().seed, .radius = -1};
    optind = 0; // from the beginning, also when called again
    opterr = 0; // the messages are ours
    int option;
    while ((option = getopt_long(argc, argv, ":", WORDS_LONG_OPTIONS, NULL)) != -1) {
        if (!words_parse_option(words, command, option, argv, problem)) {
            return false;
        }
        if (words->wants_help) {
            return true;
        }
    }
    return words_take_files(words, command, argc, argv, problem) &&
           terrain_choice_shape(&words->choice, &words->shape, problem);
}

int world_command_run(const WorldCommand *command, WorldAct *act, int argc, char **argv)
{
    char program[64];
    WorldWords words;
    Message problem;
    (void)snprintf(program, sizeof program, "terrane %s", command->name);
    if (!world_words_parse(&words, command, argc, argv, &problem)) {
        return program_complain(program, &problem, PROGRAM_USAGE);
    }
    if (words.wants_help) {
        world_words_print_help(command, stdout);
        return PROGRAM_GOOD;
    }
    return act(&words, &problem) ? PROGRAM_GOOD
                                 : program_complain(program, &problem, PROGRAM_FAILED);
}

void world_words_print_help(const WorldCommand *command, FILE *stream)
{
    fprintf(stream, "%s\nUsage: terrane %s %s\n\n", command->help, command->name, command->usage);
    if (command->options & WORLD_TAKES_LAND) {
        char presets[128];
        terrain_choice_presets(presets, sizeof presets);
        fprintf(
            stream,
            "  --seed N        which land (default %" PRIu64 ")\n"
            "  --preset NAME   its shape: %s\n"
            "  --terrain FILE  a shape of your own instead; docs/terrain.md describes the format\n",
            trn_terrain_def().seed, presets);
    }
    if (command->options & WORLD_TAKES_RADIUS) {
        fprintf(stream,
                "  --radius N      generate and save the land up to N chunks around the spawn, 0 "
                "to %d\n",
                WORLD_RADIUS_MAX);
    }
    if (command->options & WORLD_TAKES_AREA) {
        fputs("  --area X,Z,X,Z  two corners in voxels: lowest x and z, highest x and z\n", stream);
    }
    if (command->options & WORLD_TAKES_BLOCKS) {
        fputs("  --blocks        also count the blocks by name, which reads every chunk\n", stream);
    }
    if (command->options & WORLD_TAKES_JSON) {
        fputs("  --json          report in JSON\n", stream);
    }
    fprintf(stream, "  --help\n%s", command->closing);
}

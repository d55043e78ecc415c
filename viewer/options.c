#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include "options.h"

#include <getopt.h>
#include <inttypes.h>

#include <terrane/stream.h>
#include <terrane/terrain.h>

#include "arguments.h"

enum {
    OPTION_HEADLESS = 256,
    OPTION_FRAMES,
    OPTION_FLIGHT,
    OPTION_OUT,
    OPTION_RECORD_TRACE,
    OPTION_SIZE,
    OPTION_SEED,
    OPTION_PRESET,
    OPTION_TERRAIN,
    OPTION_VIEW_DISTANCE,
    OPTION_VIEW_HEIGHT,
    OPTION_WORKERS,
    OPTION_MEMORY,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option LONG_OPTIONS[] = {
    {"headless", no_argument, NULL, OPTION_HEADLESS},
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"flight", required_argument, NULL, OPTION_FLIGHT},
    {"out", required_argument, NULL, OPTION_OUT},
    {"record-trace", required_argument, NULL, OPTION_RECORD_TRACE},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"preset", required_argument, NULL, OPTION_PRESET},
    {"terrain", required_argument, NULL, OPTION_TERRAIN},
    {"view-distance", required_argument, NULL, OPTION_VIEW_DISTANCE},
    {"view-height", required_argument, NULL, OPTION_VIEW_HEIGHT},
    {"workers", required_argument, NULL, OPTION_WORKERS},
    {"memory", required_argument, NULL, OPTION_MEMORY},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

Options options_default(void)
{
    return (Options){
        .action = OPTIONS_ACTION_RUN,
        .frames = 240,
        .out = ".",
        .width = 1280,
        .height = 720,
        .seed = trn_terrain_def().seed,
        .shape = trn_terrain_shape_default(),
        .view_distance = 16,
        .workers = TRN_STREAM_WORKERS_DEFAULT,
    };
}

int options_height(const Options *options)
{
    return options->view_height && options->view_height < options->view_distance
               ? options->view_height
               : options->view_distance;
}

static bool parse_integer(const char *text, int low, int high, int *value)
{
    int64_t number;
    if (!argument_integer(text, low, high, &number)) {
        return false;
    }
    *value = (int)number;
    return true;
}

static bool parse_workers(const char *text, uint32_t *workers)
{
    int number;
    if (!parse_integer(text, 0, TRN_STREAM_WORKER_MAX, &number)) {
        return false;
    }
    *workers = (uint32_t)number;
    return true;
}

static bool parse_value(Options *options, int option, const char *text, Message *problem)
{
    switch (option) {
    case OPTION_FRAMES:
        return parse_integer(text, 1, OPTIONS_FRAMES_MAX, &options->frames) ||
               message_set(problem, "--frames takes a number from 1 to %d, not '%s'.",
                           OPTIONS_FRAMES_MAX, message_short(text).text);
    case OPTION_SIZE:
        return argument_size(text, OPTIONS_SIZE_MIN, OPTIONS_SIZE_MAX, &options->width,
                             &options->height) ||
               message_set(problem,
                           "--size takes WIDTHxHEIGHT in pixels, each from %d to %d, such as "
                           "1280x720, not '%s'.",
                           OPTIONS_SIZE_MIN, OPTIONS_SIZE_MAX, message_short(text).text);
    case OPTION_SEED:
        return argument_seed(text, &options->seed) ||
               message_set(problem,
                           "--seed takes a whole number from 0 to 18446744073709551615, not '%s'.",
                           message_short(text).text);
    case OPTION_VIEW_DISTANCE:
        return parse_integer(text, OPTIONS_VIEW_DISTANCE_MIN, OPTIONS_VIEW_DISTANCE_MAX,
                             &options->view_distance) ||
               message_set(
                   problem, "--view-distance takes a number of chunks from %d to %d, not '%s'.",
                   OPTIONS_VIEW_DISTANCE_MIN, OPTIONS_VIEW_DISTANCE_MAX, message_short(text).text);
    case OPTION_VIEW_HEIGHT:
        return parse_integer(text, OPTIONS_VIEW_HEIGHT_MIN, OPTIONS_VIEW_DISTANCE_MAX,
                             &options->view_height) ||
               message_set(
                   problem, "--view-height takes a number of chunks from %d to %d, not '%s'.",
                   OPTIONS_VIEW_HEIGHT_MIN, OPTIONS_VIEW_DISTANCE_MAX, message_short(text).text);
    case OPTION_WORKERS:
        return parse_workers(text, &options->workers) ||
               message_set(problem, "--workers takes a number of threads from 0 to %u, not '%s'.",
                           TRN_STREAM_WORKER_MAX, message_short(text).text);
    case OPTION_MEMORY:
        return parse_integer(text, OPTIONS_MEMORY_MIN, OPTIONS_MEMORY_MAX, &options->memory_mib) ||
               message_set(problem, "--memory takes a number of MiB from %d to %d, not '%s'.",
                           OPTIONS_MEMORY_MIN, OPTIONS_MEMORY_MAX, message_short(text).text);
    default:
        return message_set(problem, "Unknown option; terrane-viewer --help lists them all.");
    }
}

static bool parse_option(Options *options, int option, char **argv, Message *problem)
{
    switch (option) {
    case OPTION_HEADLESS:
        options->headless = true;
        return true;
    case OPTION_FLIGHT:
        options->flight = optarg;
        return optarg[0] || message_set(problem, "--flight takes the name of a flight file.");
    case OPTION_PRESET:
        options->choice.preset = optarg;
        return true;
    case OPTION_TERRAIN:
        options->choice.file = optarg;
        return optarg[0] || message_set(problem, "--terrain takes the name of a terrain file.");
    case OPTION_OUT:
        options->out = optarg;
        return optarg[0] || message_set(problem, "--out takes the name of a folder.");
    case OPTION_RECORD_TRACE:
        options->trace = optarg;
        return optarg[0] || message_set(problem, "--record-trace takes the name of a file.");
    case OPTION_HELP:
        options->action = OPTIONS_ACTION_HELP;
        return true;
    case OPTION_VERSION:
        options->action = OPTIONS_ACTION_VERSION;
        return true;
    case ':':
        return message_set(problem, "%s needs a value; terrane-viewer --help shows which.",
                           argv[optind - 1]);
    case '?':
        // getopt_long reports a value given to an option that takes none in the same way, with the
        // option's number.
        return optopt >= 256 ? message_set(problem, "%s takes no value; leave it out.",
                                           message_short(argv[optind - 1]).text)
                             : message_set(problem,
                                           "There is no option %s; terrane-viewer --help lists "
                                           "them all.",
                                           message_short(argument_unknown(argv)).text);
    default:
        return parse_value(options, option, optarg, problem);
    }
}

bool options_parse(Options *options, int argc, char **argv, Message *problem)
{
    *options = options_default();
    optind = 0; // from the beginning, also when called again
    opterr = 0; // the messages are ours
    int option;
    while ((option = getopt_long(argc, argv, ":", LONG_OPTIONS, NULL)) != -1) {
        if (!parse_option(options, option, argv, problem)) {
            return false;
        }
        if (options->action != OPTIONS_ACTION_RUN) {
            return true;
        }
    }
    if (optind < argc) {
        return message_set(problem,
                           "'%s' is not an option; a flight is given as --flight FILE, and "
                           "terrane-viewer --help lists the rest.",
                           message_short(argv[optind]).text);
    }
    return terrain_choice_shape(&options->choice, &options->shape, problem);
}

void options_print_help(FILE *stream)
{
    Options defaults = options_default();
    char presets[128];
    terrain_choice_presets(presets, sizeof presets);
    fprintf(
        stream,
        "Flies through a voxel terrain and shows what finding its chunks costs.\n"
        "\n"
        "Usage: terrane-viewer [options]\n"
        "\n"
        "  --flight FILE        play a recorded flight, then hand over the controls\n"
        "  --view-distance N    how far to see, in chunks of 32 voxels, %d to %d (default %d)\n"
        "  --view-height N      how far above and below, if not as far; saves memory and time\n"
        "  --memory MIB         the most that chunks, meshes and their upkeep may take, %d or "
        "more;\n"
        "                       where the view does not fit it gets smaller, and the panel says "
        "so\n"
        "  --workers N          threads that make and mesh chunks, 0 to %u (default: one less "
        "than\n"
        "                       there are cores; 0: between the frames)\n"
        "  --seed N             which land to fly over (default %" PRIu64 ")\n"
        "  --preset NAME        the shape of the land: %s\n"
        "  --terrain FILE       a shape of your own instead; docs/terrain.md describes the format\n"
        "  --size WxH           pixels of the window or picture (default %dx%d)\n"
        "  --out DIR            folder for pictures; made if missing, its parents not (default .)\n"
        "  --headless           fly without a window, write DIR/flight.png, print figures: what\n"
        "                       Terrane, a flat spatial array and std::unordered_map take to\n"
        "                       gather the same chunks\n"
        "  --frames N           frames that the headless flight is spread over (default %d)\n"
        "  --record-trace FILE  write down what is asked of the chunks in every frame, for\n"
        "                       terrane-bench lookup --trace FILE\n"
        "  --help, --version\n",
        OPTIONS_VIEW_DISTANCE_MIN, OPTIONS_VIEW_DISTANCE_MAX, defaults.view_distance,
        OPTIONS_MEMORY_MIN, TRN_STREAM_WORKER_MAX, defaults.seed, presets, defaults.width,
        defaults.height, defaults.frames);
    fputs(
        "\n"
        "Keys\n"
        "  W A S D              fly          Space, Ctrl   up, down\n"
        "  mouse                look         Shift         four times as fast\n"
        "  wheel                speed        F11           full screen\n"
        "  F1                   keys         F12           write DIR/screenshot-N.png\n"
        "  F3                   figures      click         catch the mouse\n"
        "  F                    walk: then Space jumps and Ctrl sneaks; once more to fly\n"
        "  Esc                  release the mouse; once more to quit\n"
        "\n"
        "A headless flight loads the first view before it starts, spreads the whole flight evenly\n"
        "over the frames, moves the water on by 1/60 s a frame, loads a fixed number of chunks a\n"
        "frame and keeps the camera above the ground: two runs give the same picture, byte for\n"
        "byte, at any number of workers. (Where --memory cuts the view: at up to eight.) The\n"
        "picture is the view at the flight's end, fully loaded. The built-in flight is used "
        "unless\n"
        "--flight names another.\n"
        "\n"
        "A trace is there whole or not at all: of a headless flight when it comes to its end, of "
        "one\n"
        "in the window however that is left, also by Ctrl-C. docs/trace.md describes the format.\n"
        "\n"
        "Examples\n"
        "  terrane-viewer\n"
        "  terrane-viewer --view-distance 16 --seed 7\n"
        "  terrane-viewer --preset islands\n"
        "  terrane-viewer --view-distance 32 --view-height 8 --memory 512\n"
        "  xvfb-run -a terrane-viewer --headless --out pictures\n"
        "  terrane-viewer --record-trace my-flight.trace\n"
        "\n"
        "Ends with 0, with 1 when something went wrong on the way, with 2 on a wrong option, "
        "flight or\n"
        "terrain.\n",
        stream);
}

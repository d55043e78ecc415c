#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include "options.h"

#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/stream.h>
#include <terrane/terrain.h>

#include "arguments.h"
#include "render/look.h"
#include "window/input.h"
#include "world/world.h"

enum {
    OPTION_HEADLESS = 256,
    OPTION_FRAMES,
    OPTION_FLIGHT,
    OPTION_DEMO,
    OPTION_OUT,
    OPTION_CSV,
    OPTION_PICTURES,
    OPTION_VIDEO,
    OPTION_RECORD,
    OPTION_BENCHMARK,
    OPTION_RECORD_TRACE,
    OPTION_SIZE,
    OPTION_SEED,
    OPTION_PRESET,
    OPTION_TERRAIN,
    OPTION_VIEW_DISTANCE,
    OPTION_VIEW_HEIGHT,
    OPTION_WORKERS,
    OPTION_MEMORY,
    OPTION_LOOK,
    OPTION_AT,
    OPTION_INDEX_VIEW,
    OPTION_SETTINGS,
    OPTION_WRITE_SETTINGS,
    OPTION_GL_DEBUG,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option LONG_OPTIONS[] = {
    {"headless", no_argument, NULL, OPTION_HEADLESS},
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"flight", required_argument, NULL, OPTION_FLIGHT},
    {"demo", no_argument, NULL, OPTION_DEMO},
    {"out", required_argument, NULL, OPTION_OUT},
    {"csv", required_argument, NULL, OPTION_CSV},
    {"pictures", required_argument, NULL, OPTION_PICTURES},
    {"video", no_argument, NULL, OPTION_VIDEO},
    {"record", required_argument, NULL, OPTION_RECORD},
    {"benchmark", required_argument, NULL, OPTION_BENCHMARK},
    {"record-trace", required_argument, NULL, OPTION_RECORD_TRACE},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"preset", required_argument, NULL, OPTION_PRESET},
    {"terrain", required_argument, NULL, OPTION_TERRAIN},
    {"view-distance", required_argument, NULL, OPTION_VIEW_DISTANCE},
    {"view-height", required_argument, NULL, OPTION_VIEW_HEIGHT},
    {"workers", required_argument, NULL, OPTION_WORKERS},
    {"memory", required_argument, NULL, OPTION_MEMORY},
    {"look", required_argument, NULL, OPTION_LOOK},
    {"at", required_argument, NULL, OPTION_AT},
    {"index-view", no_argument, NULL, OPTION_INDEX_VIEW},
    {"settings", required_argument, NULL, OPTION_SETTINGS},
    {"write-settings", no_argument, NULL, OPTION_WRITE_SETTINGS},
    {"gl-debug", no_argument, NULL, OPTION_GL_DEBUG},
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
        .quality = LOOK_QUALITY_COUNT,
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

/// X,Y,Z,YAW,PITCH: five numbers with commas between.
static bool parse_pose(const char *text, double pose[5])
{
    for (int i = 0; i < 5; i++) {
        char *end;
        pose[i] = strtod(text, &end);
        if (end == text || !isfinite(pose[i]) || *end != (i < 4 ? ',' : 0)) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

/// Numbers of frames with commas between, or one word.
static bool parse_pictures(Options *options, const char *text, Message *problem)
{
    static const char every[] = "every=";
    options->pictures = text;
    if (strncmp(text, every, sizeof every - 1) == 0) {
        int step;
        return parse_integer(text + sizeof every - 1, 1, OPTIONS_FRAMES_MAX, &step) ||
               message_set(problem, "--pictures every=N takes a number of frames, not '%s'.",
                           message_short(text).text);
    }
    const char *at = text;
    do {
        char *end;
        if (*at < '0' || *at > '9' || strtol(at, &end, 10) > OPTIONS_FRAMES_MAX ||
            (*end != ',' && *end != '\0')) {
            return message_set(problem,
                               "--pictures takes frames with commas between, such as 0,60,120, or "
                               "every=60, not '%s'.",
                               message_short(text).text);
        }
        at = *end ? end + 1 : NULL;
    } while (at);
    return true;
}

/// The number of a list that has been read once already. @param at  where it stands; receives where
/// the next does, or NULL
static int next_picture(const char **at)
{
    char *end;
    const long frame = strtol(*at, &end, 10);
    *at = *end ? end + 1 : NULL;
    return (int)frame;
}

int options_picture_behind(const Options *options, int frames)
{
    const char *at = options->pictures;
    while (at && *at != 'e') {
        const int frame = next_picture(&at);
        if (frame >= frames) {
            return frame;
        }
    }
    return -1;
}

bool options_wants_picture(const Options *options, int frame)
{
    const char *at = options->pictures;
    if (at && *at == 'e') {
        return frame % (int)strtol(strchr(at, '=') + 1, NULL, 10) == 0;
    }
    while (at) {
        if (next_picture(&at) == frame) {
            return true;
        }
    }
    return false;
}

/// Looks are read for good once the driver is known; here to say what is wrong with them.
static bool parse_look(Options *options, const char *text, Message *problem)
{
    Look look = look_default(LOOK_QUALITY_LOW);
    options->look = text;
    return look_parse(&look, text, problem);
}

static unsigned given_by(int option)
{
    switch (option) {
    case OPTION_FRAMES:
        return OPTIONS_GIVEN_FRAMES;
    case OPTION_SIZE:
        return OPTIONS_GIVEN_SIZE;
    case OPTION_SEED:
        return OPTIONS_GIVEN_SEED;
    case OPTION_PRESET:
    case OPTION_TERRAIN:
        return OPTIONS_GIVEN_LAND;
    case OPTION_VIEW_DISTANCE:
        return OPTIONS_GIVEN_VIEW_DISTANCE;
    case OPTION_VIEW_HEIGHT:
        return OPTIONS_GIVEN_VIEW_HEIGHT;
    case OPTION_WORKERS:
        return OPTIONS_GIVEN_WORKERS;
    case OPTION_MEMORY:
        return OPTIONS_GIVEN_MEMORY;
    default:
        return 0;
    }
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
        return parse_integer(text, WORLD_VIEW_DISTANCE_MIN, WORLD_VIEW_DISTANCE_MAX,
                             &options->view_distance) ||
               message_set(
                   problem, "--view-distance takes a number of chunks from %d to %d, not '%s'.",
                   WORLD_VIEW_DISTANCE_MIN, WORLD_VIEW_DISTANCE_MAX, message_short(text).text);
    case OPTION_VIEW_HEIGHT:
        return parse_integer(text, WORLD_VIEW_HEIGHT_MIN, WORLD_VIEW_DISTANCE_MAX,
                             &options->view_height) ||
               message_set(
                   problem, "--view-height takes a number of chunks from %d to %d, not '%s'.",
                   WORLD_VIEW_HEIGHT_MIN, WORLD_VIEW_DISTANCE_MAX, message_short(text).text);
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
    case OPTION_DEMO:
        options->demo = true;
        return true;
    case OPTION_PRESET:
        options->choice.preset = optarg;
        return true;
    case OPTION_TERRAIN:
        options->choice.file = optarg;
        return optarg[0] || message_set(problem, "--terrain takes the name of a terrain file.");
    case OPTION_OUT:
        options->out = optarg;
        return optarg[0] || message_set(problem, "--out takes the name of a folder.");
    case OPTION_LOOK:
        return parse_look(options, optarg, problem);
    case OPTION_AT:
        options->placed = parse_pose(optarg, options->at);
        return options->placed ||
               message_set(problem,
                           "--at takes X,Y,Z,YAW,PITCH in voxels and degrees, such as "
                           "--at=100,60,-40,180,-10, not '%s'.",
                           message_short(optarg).text);
    case OPTION_CSV:
        options->csv = optarg;
        return optarg[0] || message_set(problem, "--csv takes the name of a file.");
    case OPTION_PICTURES:
        return parse_pictures(options, optarg, problem);
    case OPTION_VIDEO:
        options->pictures = "every=1";
        return true;
    case OPTION_RECORD:
        options->record = optarg;
        return optarg[0] || message_set(problem, "--record takes the name of a file.");
    case OPTION_BENCHMARK:
        options->benchmark = optarg;
        options->headless = true;
        return optarg[0] || message_set(problem, "--benchmark takes the name of a folder.");
    case OPTION_GL_DEBUG:
        options->gl_debug = true;
        return true;
    case OPTION_INDEX_VIEW:
        options->index_view = true;
        return true;
    case OPTION_RECORD_TRACE:
        options->trace = optarg;
        return optarg[0] || message_set(problem, "--record-trace takes the name of a file.");
    case OPTION_SETTINGS:
        options->settings = optarg;
        return optarg[0] || message_set(problem, "--settings takes the name of a file.");
    case OPTION_WRITE_SETTINGS:
        options->action = OPTIONS_ACTION_WRITE_SETTINGS;
        return true;
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

/// What does not go together.
static bool check_together(const Options *options, Message *problem)
{
    if (options->demo && (options->flight || options->headless)) {
        return message_set(problem, "--demo cannot be combined with %s%s.",
                           options->flight      ? "--flight"
                           : options->benchmark ? "--benchmark"
                                                : "--headless",
                           options->flight ? "" : ": it needs a window");
    }
    if (options->settings && options->headless) {
        return message_set(problem, "--settings is for a window: %s reads none.",
                           options->benchmark ? "--benchmark" : "--headless");
    }
    if ((options->csv || options->pictures) && !options->headless) {
        return message_set(problem, "%s needs --headless.",
                           options->csv ? "--csv" : "--pictures, or --video,");
    }
    const char *const other = options->placed     ? "--at"
                              : options->csv      ? "--csv"
                              : options->pictures ? "--pictures"
                              : options->record   ? "--record"
                              : options->trace    ? "--record-trace"
                                                  : NULL;
    return !options->benchmark || !other ||
           message_set(problem, "--benchmark goes without %s.", other);
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
        options->given |= given_by(option);
        if (options->action == OPTIONS_ACTION_HELP) {
            return true;
        }
    }
    if (optind < argc) {
        return message_set(problem,
                           "'%s' is not an option; a flight is given as --flight FILE, and "
                           "terrane-viewer --help lists the rest.",
                           message_short(argv[optind]).text);
    }
    return options->action == OPTIONS_ACTION_VERSION ||
           (check_together(options, problem) &&
            terrain_choice_shape(&options->choice, &options->shape, problem));
}

bool options_take_flight(Options *options, const char *name, const Flight *flight, Message *problem)
{
    const FlightHead *const head = &flight->head;
    if (head->has_seed && !(options->given & OPTIONS_GIVEN_SEED)) {
        options->seed = head->seed;
    }
    if (head->view_distance && !(options->given & OPTIONS_GIVEN_VIEW_DISTANCE)) {
        options->view_distance = head->view_distance;
        options->given |= OPTIONS_GIVEN_VIEW_DISTANCE; // settings give way to it
    }
    if (head->view_height && !(options->given & OPTIONS_GIVEN_VIEW_HEIGHT)) {
        options->view_height = head->view_height;
        options->given |= OPTIONS_GIVEN_VIEW_HEIGHT;
    }
    if (!head->preset[0] || options->given & OPTIONS_GIVEN_LAND) {
        return true;
    }
    Message reason;
    options->choice = (TerrainChoice){.preset = head->preset};
    return terrain_choice_shape(&options->choice, &options->shape, &reason) ||
           message_set(problem, "%s: %s", message_short(name).text, reason.text);
}

FlightHead options_flight_head(const Options *options)
{
    FlightHead head = {.has_seed = true,
                       .seed = options->seed,
                       .land_version = TRN_TERRAIN_VERSION,
                       .view_distance = options->view_distance,
                       .view_height = options_height(options)};
    if (!options->choice.file) {
        const char *preset =
            options->choice.preset ? options->choice.preset : trn_terrain_preset_name(0);
        (void)snprintf(head.preset, sizeof head.preset, "%s", preset);
    }
    return head;
}

/// The help of the window, with what is bound at first.
static void print_keys(FILE *stream)
{
    const InputBindings bindings = input_bindings_default();
    InputHelp rows[INPUT_ACTION_COUNT];
    const size_t count = input_help(&bindings, NULL, rows);
    fputs("\nKeys, if the settings say nothing else; the mouse looks around\n", stream);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || rows[i].group != rows[i - 1].group) {
            fprintf(stream, "  %s\n", input_group_title(rows[i].group));
        }
        fprintf(stream, "    %-34s %s\n", rows[i].keys, rows[i].words);
    }
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
        "  --flight FILE        play a flight or a recording, then hand over the controls; "
        "docs/flights.md\n"
        "                       describes the file\n"
        "  --demo               start with the demo: the recorded walk of the preset, or a flight "
        "where the\n"
        "                       walk does not fit the land; any control takes over\n"
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
        "  --look WORDS         how it is drawn, with commas between: quality=low|medium|high,\n"
        "                       time=0..24 (hours), scale=0.25..2, samples=0..16, "
        "debug=wireframe|\n"
        "                       chunks|states|faces|overdraw|depth; no-WORD switches off: "
        "occlusion,\n"
        "                       textures, ao, skylight, shadows, fog, clouds, waves, sway, "
        "plants,\n"
        "                       tone, lamp, holes (in leaves)\n"
        "  --at X,Y,Z,YAW,PITCH where to stand and look, in voxels and degrees, instead of "
        "flying;\n"
        "                       a window that is closed prints where you were\n"
        "  --index-view         show the pages of the chunk index, in the world and, in a window, "
        "as slices;\n"
        "                       headless, write DIR/index-slices.png as well\n"
        "  --out DIR            folder for pictures; made if missing, its parents not (default .)\n"
        "  --headless           fly without a window, write DIR/flight.png, print figures: what\n"
        "                       Terrane, a flat spatial array and std::unordered_map take to\n"
        "                       gather the same chunks\n"
        "  --frames N           frames that the headless flight is spread over (default %d), or "
        "that\n"
        "                       a recording ends after, each 1/60 s\n"
        "  --settings FILE      keys, mouse, view, ... from there instead of the usual place, "
        "which is\n"
        "                       ~/.config/terrane/viewer.ini; options win over settings\n"
        "  --write-settings     write that file with all settings, for you to change, and end; "
        "one\n"
        "                       that is there stays as it is\n"
        "  --csv FILE           with --headless: all figures of all frames, one row each\n"
        "  --pictures LIST      with --headless: DIR/frame-00060.png and so on, of the frames "
        "named\n"
        "                       as in 0,60,120 or every=60\n"
        "  --video              pictures of all frames; docs/flights.md makes a film of them\n"
        "  --record FILE        record the flight, with all that is dug and built, for --flight; "
        "in "
        "the\n"
        "                       window a key does so as well\n"
        "  --benchmark DIR      fly all built-in flights, or --flight alone, in steps of 1/60 s, "
        "and\n"
        "                       write a page with tables, plots and pictures: DIR/report.html\n"
        "  --record-trace FILE  write down what is asked of the chunks in every frame, for\n"
        "                       terrane-bench lookup --trace FILE\n"
        "  --gl-debug           have the driver check every call and print what is wrong; slower. "
        "A\n"
        "                       headless flight with an error ends with 1\n"
        "  --help, --version\n",
        WORLD_VIEW_DISTANCE_MIN, WORLD_VIEW_DISTANCE_MAX, defaults.view_distance,
        OPTIONS_MEMORY_MIN, TRN_STREAM_WORKER_MAX, defaults.seed, presets, defaults.width,
        defaults.height, defaults.frames);
    print_keys(stream);
    fputs(
        "\n"
        "A headless flight loads the first view before it starts, spreads the whole flight evenly\n"
        "over the frames, moves the water on by 1/60 s a frame, loads a fixed number of chunks a\n"
        "frame and keeps the camera above the ground: two runs give the same picture, byte for\n"
        "byte, at any number of workers. (Where --memory cuts the view: at up to eight.) The\n"
        "picture is the view at the flight's end, fully loaded. The built-in flight is used "
        "unless\n"
        "--flight names another. A recording is flown exactly as it was, 1/60 s a frame, with the "
        "land and\n"
        "the view distance that it names if no option says otherwise.\n"
        "\n"
        "A headless flight reads no settings. What is wrong in a settings file is told with its "
        "line\n"
        "and column, and all else of it holds; docs/viewer.md lists the settings.\n"
        "\n"
        "A trace is there whole or not at all: of a headless flight when it comes to its end, of "
        "one\n"
        "in the window however that is left, also by Ctrl-C. docs/trace.md describes the format.\n"
        "\n"
        "Examples\n"
        "  terrane-viewer\n"
        "  terrane-viewer --view-distance 16 --seed 7\n"
        "  terrane-viewer --preset islands\n"
        "  terrane-viewer --look quality=high,time=19.2\n"
        "  terrane-viewer --view-distance 32 --view-height 8 --memory 512\n"
        "  xvfb-run -a terrane-viewer --headless --out pictures\n"
        "  terrane-viewer --demo --preset alps\n"
        "  xvfb-run -a terrane-viewer --headless --flight assets/walks/default.flight\n"
        "  terrane-viewer --record-trace my-flight.trace\n"
        "  terrane-viewer --record my.flight\n"
        "  xvfb-run -a terrane-viewer --headless --flight my.flight --csv my.csv --video --out "
        "film\n"
        "  xvfb-run -a terrane-viewer --benchmark report\n"
        "\n"
        "Ends with 0, with 1 when something went wrong on the way, with 2 on a wrong option, "
        "flight\n"
        "or terrain.\n",
        stream);
}

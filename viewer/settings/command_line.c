#include "settings/command_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/terrain.h>

#include "settings/share.h"

// ---- pictures -----------------------------------------------------------------------------------

/// Reads the next number of a list that has been validated. @param at  position in the list;
/// receives the position of the next number, or NULL
static int command_line_next_picture(const char **at)
{
    char *end;
    const long frame = strtol(*at, &end, 10);
    *at = *end ? end + 1 : NULL;
    return (int)frame;
}

int command_line_picture_behind(const Settings *settings, int frames)
{
    const char *at = settings->pictures;
    while (at && *at != 'e') {
        const int frame = command_line_next_picture(&at);
        if (frame >= frames) {
            return frame;
        }
    }
    return -1;
}

bool command_line_wants_picture(const Settings *settings, int frame)
{
    const char *at = settings->pictures;
    if (at && *at == 'e') {
        return frame % (int)strtol(strchr(at, '=') + 1, NULL, 10) == 0;
    }
    while (at) {
        if (command_line_next_picture(&at) == frame) {
            return true;
        }
    }
    return false;
}

// ---- reading ------------------------------------------------------------------------------------

/// Checks for options that cannot be combined.
static bool command_line_check(const Settings *settings, Message *problem)
{
    if (settings->demo && (settings->flight || settings->headless)) {
        return message_set(problem, "--demo cannot be combined with %s%s.",
                           settings->flight      ? "--flight"
                           : settings->benchmark ? "--benchmark"
                                                 : "--headless",
                           settings->flight ? "" : ": it needs a window");
    }
    if (settings->world && settings->demo) {
        return message_set(problem, "--demo cannot be combined with --world: it leads elsewhere, "
                                    "and all land that is shown is saved.");
    }
    if (settings->file && settings->benchmark) {
        return message_set(problem, "--benchmark reads no settings, so that its figures compare: "
                                    "leave --settings out.");
    }
    if ((settings->csv || settings->pictures) && !settings->headless) {
        return message_set(problem, "%s needs --headless.",
                           settings->csv ? "--csv" : "--pictures, or --video,");
    }
    const char *const other = settings->placed     ? "--at"
                              : settings->csv      ? "--csv"
                              : settings->pictures ? "--pictures"
                              : settings->record   ? "--record"
                              : settings->trace    ? "--record-trace"
                              : settings->world    ? "--world"
                                                   : NULL;
    return !settings->benchmark || !other ||
           message_set(problem, "--benchmark goes without %s.", other);
}

OptionsAsk command_line_read(Settings *settings, int argc, char **argv, Message *problem)
{
    *settings = settings_default();
    const OptionsAsk ask =
        options_parse(&VIEWER, VIEWER.alone, settings, settings->given, argc, argv, problem);
    settings->has_seed = settings->has_seed || settings_is_given(settings, &settings->seed);
    const bool is_good =
        ask != OPTIONS_RUN || (command_line_check(settings, problem) &&
                               terrain_choice_shape(&settings->choice, &settings->shape, problem));
    return is_good ? ask : OPTIONS_WRONG;
}

// ---- recordings ---------------------------------------------------------------------------------

/// Takes over a number, unless the command line set it; the settings file then does not override
/// it.
static void command_line_take_number(Settings *settings, int *field, int number)
{
    const Setting *row = settings_row_of(settings, field);
    if (number && !settings_is_given(settings, field)) {
        *field = number;
        settings->given[row - settings_row(0)] = true;
    }
}

bool command_line_take_flight(Settings *settings, const char *name, const Flight *flight,
                              Message *problem)
{
    const FlightHead *const head = &flight->head;
    if (head->land_version && head->land_version < TRN_TERRAIN_VERSION_OLDEST) {
        return message_set(problem,
                           "%s: it was recorded over land of version %" PRIu32 ", which this "
                           "viewer does not generate; fly it with the version of Terrane that "
                           "recorded it.",
                           message_short(name).text, head->land_version);
    }
    if (head->has_seed && !settings->has_seed) {
        settings->seed = head->seed;
        const bool is_generated = head->land_version && head->land_version <= TRN_TERRAIN_VERSION;
        settings->land_version = is_generated ? head->land_version : settings->land_version;
    }
    command_line_take_number(settings, &settings->view_distance, head->view_distance);
    command_line_take_number(settings, &settings->detail_distance, head->detail_distance);
    command_line_take_number(settings, &settings->view_height, head->view_height);
    if (!head->preset[0] || settings->choice.preset || settings->choice.file) {
        return true;
    }
    Message reason;
    settings->choice = (TerrainChoice){.preset = head->preset};
    return terrain_choice_shape(&settings->choice, &settings->shape, &reason) ||
           message_set(problem, "%s: %s", message_short(name).text, reason.text);
}

FlightHead command_line_flight_head(const Settings *settings)
{
    FlightHead head = {.has_seed = true,
                       .seed = settings->seed,
                       .land_version = settings->land_version,
                       .view_distance = settings_view_distance(settings),
                       .detail_distance = settings_detail_distance(settings),
                       .view_height = settings_view_height(settings)};
    if (!settings->choice.file) {
        const char *preset =
            settings->choice.preset ? settings->choice.preset : trn_terrain_preset_name(0);
        (void)snprintf(head.preset, sizeof head.preset, "%s", preset);
    }
    return head;
}

// ---- help ---------------------------------------------------------------------------------------

/// Prints the help of the window with the default key bindings.
static void command_line_print_keys(FILE *stream)
{
    const InputBindings bindings = input_bindings_default();
    InputHelp rows[INPUT_ACTION_COUNT];
    const size_t count = input_help(&bindings, NULL, rows);
    fputs("\nKeys, which the settings file can change; the mouse looks around\n", stream);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || rows[i].group != rows[i - 1].group) {
            fprintf(stream, "  %s\n", input_group_title(rows[i].group));
        }
        fprintf(stream, "    %-34s %s\n", rows[i].keys, rows[i].words);
    }
}

static const struct OptionTitle TITLES[] = {
    {"run", "This run"},
    {"mouse", "Settings, which the settings file and the pause menu also have"},
    {NULL, NULL}};

static const OptionCommand FLY = {
    .name = "terrane-viewer",
    .about = "Flies through a voxel terrain and shows what finding its chunks costs.",
    .usage = "[options] [LINK]",
    .stray = "a flight is given as --flight FILE",
    .bare = SHARE_SCHEME,
    .bare_row = "at",
    .rows = SETTINGS,
    .titles = TITLES,
    .inner_title = "Words of --look, with commas between, such as time=18,no-clouds",
    .more = command_line_print_keys,
    .closing =
        "A headless flight takes the built-in flight, or the one of --flight. It loads the "
        "first view, then draws the flight in --frames frames, and writes a picture of the "
        "view at its end, fully loaded. Two runs give the same picture, byte for byte, with "
        "any number of workers (with up to eight where --memory limits the view). A "
        "recording is played exactly as it was, with its own land and view distance unless "
        "an option says otherwise.\n"
        "\n"
        "The start screen lists the files *.world of ~/.local/share/terrane/worlds, or of "
        "--worlds DIR. Options that say what to do skip it, such as --world, --seed, "
        "--preset and --at.\n"
        "\n"
        "A headless flight reads a settings file only if --settings names it. An error in a "
        "settings file is reported with its line and column, and the rest of the file applies. "
        "docs/viewer.md lists the settings.\n"
        "\n"
        "A LINK (terrane://...) leads to its land and place, as --at does; the viewer prints one "
        "when it ends, and a key copies it.\n"
        "\n"
        "A world file has its own seed, preset, time of day and player. Its land cannot be "
        "changed; --at and --look time= apply all the same. Changes are saved within "
        "seconds, and when the viewer ends, also by Ctrl-C. docs/viewer.md says what happens "
        "when a disk is full.\n"
        "\n"
        "A trace file appears complete or not at all: when a headless flight is over, or "
        "when the window closes, also by Ctrl-C. docs/trace.md describes the format.",
    .examples =
        "terrane-viewer\n"
        "terrane-viewer terrane://islands/42/100,60,-40,180,-10/9.5\n"
        "terrane-viewer --view-distance 16 --seed 7\n"
        "terrane-viewer --preset islands\n"
        "terrane-viewer --world my.world --seed 7\n"
        "terrane-viewer --look quality=high,time=19.2\n"
        "terrane-viewer --view-distance 32 --view-height 8 --memory 512\n"
        "xvfb-run -a terrane-viewer --headless --out pictures\n"
        "terrane-viewer --demo --preset alps\n"
        "xvfb-run -a terrane-viewer --headless --flight assets/walks/default.flight\n"
        "terrane-viewer --record-trace my-flight.trace\n"
        "terrane-viewer --record my.flight\n"
        "xvfb-run -a terrane-viewer --headless --flight my.flight --csv my.csv --video --out "
        "film\n"
        "xvfb-run -a terrane-viewer --benchmark report",
    .bytes = sizeof(Settings),
};

const OptionProgram VIEWER = {
    .name = "terrane-viewer",
    .summary = "flies through a voxel world",
    .alone = &FLY,
    .closing = "Exit codes: 0 success, 1 failure, 2 wrong option, flight or terrain file.",
};

#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include "options.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/terrain.h>

#include "arguments.h"

#define OPTION_BASE 256                             // of getopt_long's numbers: rows follow
#define OPTION_NO (OPTION_BASE + SETTINGS_ROWS_MAX) // the same rows with "no-"
#define OPTION_NAME_BYTES 40
#define HELP_COLUMN 28 // where the help's sentences begin
#define HELP_WIDTH 98

// ---- pictures -----------------------------------------------------------------------------------

/// The number of a list that has been read once already. @param at  where it stands; receives where
/// the next does, or NULL
static int next_picture(const char **at)
{
    char *end;
    const long frame = strtol(*at, &end, 10);
    *at = *end ? end + 1 : NULL;
    return (int)frame;
}

int options_picture_behind(const Settings *settings, int frames)
{
    const char *at = settings->pictures;
    while (at && *at != 'e') {
        const int frame = next_picture(&at);
        if (frame >= frames) {
            return frame;
        }
    }
    return -1;
}

bool options_wants_picture(const Settings *settings, int frame)
{
    const char *at = settings->pictures;
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

// ---- reading ------------------------------------------------------------------------------------

/// The table of settings as getopt_long wants it.
typedef struct OptionTable {
    struct option options[2 * SETTINGS_ROWS_MAX + 1];
    char names[2 * SETTINGS_ROWS_MAX][OPTION_NAME_BYTES];
} OptionTable;

static bool has_value(const Setting *row)
{
    return row->kind != SETTING_SWITCH && (row->kind != SETTING_OTHER || row->argument);
}

static void add_option(OptionTable *table, size_t *count, const Setting *row, bool no, int value)
{
    char name[32];
    setting_option(row, name);
    (void)snprintf(table->names[*count], OPTION_NAME_BYTES, "%s%s", no ? "no-" : "", name);
    table->options[*count] = (struct option){
        table->names[*count], has_value(row) ? required_argument : no_argument, NULL, value};
    ++*count;
}

static void make_table(OptionTable *table)
{
    size_t count = 0;
    memset(table, 0, sizeof *table);
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (row->shows & SETTING_ON_LINE) {
            add_option(table, &count, row, false, OPTION_BASE + (int)i);
            if (row->kind == SETTING_SWITCH) {
                add_option(table, &count, row, true, OPTION_NO + (int)i);
            }
        }
    }
}

static bool take_option(Settings *settings, int option, char **argv, Message *problem)
{
    if (option < OPTION_BASE) {
        return argument_refuse(option, OPTION_BASE, "terrane-viewer --help", argv, problem);
    }
    const bool no = option >= OPTION_NO;
    const size_t i = (size_t)(option - (no ? OPTION_NO : OPTION_BASE));
    const Setting *row = settings_row(i);
    char name[32], subject[48];
    setting_option(row, name);
    (void)snprintf(subject, sizeof subject, "--%s takes", name);
    settings->given[i] = true;
    return setting_read(row, settings, row->kind == SETTING_SWITCH ? no ? "no" : "yes" : optarg,
                        subject, problem);
}

/// What does not go together.
static bool check_together(const Settings *settings, Message *problem)
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
    if (settings->file && settings->headless) {
        return message_set(problem, "--settings is for a window: %s reads none.",
                           settings->benchmark ? "--benchmark" : "--headless");
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

bool options_parse(Settings *settings, int argc, char **argv, Message *problem)
{
    OptionTable table;
    make_table(&table);
    *settings = settings_default();
    optind = 0; // from the beginning, also when called again
    opterr = 0; // the messages are ours
    int option;
    while ((option = getopt_long(argc, argv, ":", table.options, NULL)) != -1) {
        if (!take_option(settings, option, argv, problem)) {
            return false;
        }
        if (settings->action == SETTINGS_ACTION_HELP) {
            return true;
        }
    }
    if (optind < argc) {
        return message_set(problem,
                           "'%s' is not an option; a flight is given as --flight FILE, and "
                           "terrane-viewer --help lists the rest.",
                           message_short(argv[optind]).text);
    }
    return settings->action == SETTINGS_ACTION_VERSION ||
           (check_together(settings, problem) &&
            terrain_choice_shape(&settings->choice, &settings->shape, problem));
}

// ---- recordings ---------------------------------------------------------------------------------

/// Takes over one number that the command line did not set, and the settings file shall not.
static void take_number(Settings *settings, int *field, int number)
{
    const Setting *row = settings_row_of(settings, field);
    if (number && !settings_is_given(settings, field)) {
        *field = number;
        settings->given[row - settings_row(0)] = true;
    }
}

bool options_take_flight(Settings *settings, const char *name, const Flight *flight,
                         Message *problem)
{
    const FlightHead *const head = &flight->head;
    if (head->has_seed && !settings->has_seed) {
        settings->seed = head->seed;
        const bool is_generated = head->land_version >= TRN_TERRAIN_VERSION_OLDEST &&
                                  head->land_version <= TRN_TERRAIN_VERSION;
        settings->land_version = is_generated ? head->land_version : settings->land_version;
    }
    take_number(settings, &settings->view_distance, head->view_distance);
    take_number(settings, &settings->detail_distance, head->detail_distance);
    take_number(settings, &settings->view_height, head->view_height);
    if (!head->preset[0] || settings->choice.preset || settings->choice.file) {
        return true;
    }
    Message reason;
    settings->choice = (TerrainChoice){.preset = head->preset};
    return terrain_choice_shape(&settings->choice, &settings->shape, &reason) ||
           message_set(problem, "%s: %s", message_short(name).text, reason.text);
}

FlightHead options_flight_head(const Settings *settings)
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

/// Prints a text from HELP_COLUMN on, in lines of at most HELP_WIDTH. @param used  of the first
/// line
static void print_wrapped(FILE *stream, const char *text, int used)
{
    int column = used;
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (column + 1 + length > HELP_WIDTH || (column == used && column >= HELP_COLUMN)) {
            fputc('\n', stream);
            column = 0;
            used = -1;
        }
        if (column < HELP_COLUMN) {
            fprintf(stream, "%*s", HELP_COLUMN - column, "");
            column = HELP_COLUMN;
        } else {
            fputc(' ', stream);
            column++;
        }
        fprintf(stream, "%.*s", length, text);
        column += length;
        text += length + (text[length] == ' ');
    }
    fputc('\n', stream);
}

/// "what it is (2 to 32; default 16)".
static void print_row(FILE *stream, const Setting *row, const Settings *defaults)
{
    char name[32], help[768], values[512] = "";
    setting_option(row, name);
    const char *argument = row->argument                 ? row->argument
                           : row->kind == SETTING_CHOICE ? "WORD"
                                                         : "N";
    const char *dashes = row->shows & SETTING_IN_LOOK ? "" : "--";
    const bool is_setting = strcmp(row->section, "run") != 0;
    const char *no = row->kind == SETTING_SWITCH && is_setting ? "[no-]" : "";
    const int used = fprintf(stream, "  %s%s%s%s%s", dashes, no, name,
                             has_value(row) && row->kind != SETTING_LOOK_SWITCH
                                 ? row->shows & SETTING_IN_LOOK ? "=" : " "
                                 : "",
                             has_value(row) && row->kind != SETTING_LOOK_SWITCH ? argument : "");
    if (row->kind < SETTING_SWITCH || row->kind == SETTING_CHOICE) {
        (void)snprintf(values, sizeof values, " (%s; default %s)", setting_range(row).text,
                       setting_text(row, defaults).text);
    }
    if (no[0]) {
        (void)snprintf(values, sizeof values, " (default %s)", setting_text(row, defaults).text);
    }
    (void)snprintf(help, sizeof help, "%s%s", row->help, values);
    print_wrapped(stream, help, used);
}

/// The options of a section, or the words of --look.
static void print_rows(FILE *stream, const char *section, unsigned shows)
{
    const Settings defaults = settings_default();
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (row->shows & shows && (!section || strcmp(row->section, section) == 0)) {
            print_row(stream, row, &defaults);
        }
    }
}

/// The help of the window, with what is bound at first.
static void print_keys(FILE *stream)
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

void options_print_help(FILE *stream)
{
    char presets[128];
    terrain_choice_presets(presets, sizeof presets);
    fprintf(stream, "Flies through a voxel terrain and shows what finding its chunks costs.\n"
                    "\n"
                    "Usage: terrane-viewer [options]\n"
                    "\n"
                    "This run\n");
    print_rows(stream, "run", SETTING_ON_LINE);
    fprintf(stream, "Presets: %s. The default seed is %" PRIu64 ".\n", presets,
            settings_default().seed);
    fputs("\nSettings, which the settings file and the pause menu also have\n", stream);
    for (size_t i = 1; settings_section(i); i++) {
        print_rows(stream, settings_section(i), SETTING_ON_LINE);
    }
    fputs("\nWords of --look, with commas between, such as time=18,no-clouds\n", stream);
    print_rows(stream, NULL, SETTING_IN_LOOK);
    print_keys(stream);
    fputs(
        "\n"
        "A headless flight takes the built-in flight, or the one of --flight. It loads the first\n"
        "view, then draws the flight in --frames frames, and writes a picture of the view at its\n"
        "end, fully loaded. Two runs give the same picture, byte for byte, with any number of\n"
        "workers (with up to eight where --memory limits the view). A recording is played exactly\n"
        "as it was, with its own land and view distance unless an option says otherwise.\n"
        "\n"
        "The start screen lists the files *.world of ~/.local/share/terrane/worlds, or of "
        "--worlds\n"
        "DIR. Options that say what to do skip it, such as --world, --seed, --preset and --at.\n"
        "\n"
        "A headless flight reads no settings file. An error in a settings file is reported with\n"
        "its line and column, and the rest of the file applies. docs/viewer.md lists the "
        "settings.\n"
        "\n"
        "A world file has its own seed, preset, time of day and player. Its land cannot be "
        "changed;\n"
        "--at and --look time= apply all the same. Changes are saved within seconds, and when the\n"
        "viewer ends, also by Ctrl-C. docs/viewer.md says what happens when a disk is full.\n"
        "\n"
        "A trace file appears complete or not at all: when a headless flight is over, or when the\n"
        "window closes, also by Ctrl-C. docs/trace.md describes the format.\n"
        "\n"
        "Examples\n"
        "  terrane-viewer\n"
        "  terrane-viewer --view-distance 16 --seed 7\n"
        "  terrane-viewer --preset islands\n"
        "  terrane-viewer --world my.world --seed 7\n"
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
        "Exit codes: 0 success, 1 failure, 2 wrong option, flight or terrain file.\n",
        stream);
}

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
/// `terrane import`: copies a world of another game into a world of Terrane.
#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include <terrane/import.h>

#include "interrupt.h"
#include "program.h"
#include "progress.h"
#include "system.h"
#include "world_import.h"

typedef struct ImportOptions {
    const char *source, *world; ///< borrowed from argv
    const char *names;          ///< a file with a table of names; NULL: the format's own
    int format;                 ///< TrnImportFormat
    TrnVoxel offset;            ///< of the land
    int64_t black_white[2], scale, base, sea; ///< of `heights`, as the words have them
    TrnImportHeights heights;                 ///< its picture of colours is borrowed from argv
    bool adds;                                ///< to a world that exists
    bool is_placed;                           ///< `at` is given
    TrnVoxel at;                              ///< where a schematic's lowest corner comes to lie
    int rotate, mirror, air;                  ///< of the words
    bool wants_json;
} ImportOptions;

/// A text of the source, made printable: it comes from a file that is not trusted.
typedef struct ImportText {
    char text[256];
} ImportText;

static ImportText import_text(const char *text)
{
    ImportText shown = {""};
    for (size_t i = 0; text[i] && i + 1 < sizeof shown.text; i++) {
        shown.text[i] = (char)(text[i] >= ' ' && text[i] <= '~' ? text[i] : '?');
    }
    return shown;
}

// ---- text --------------------------------------------------------------------------------------

typedef struct ImportLines {
    bool has[TRN_IMPORT_NOTE_COUNT]; ///< the kind's heading is printed
} ImportLines;

static bool import_print_note(void *user, const TrnImportNote *note)
{
    static const char *const headings[TRN_IMPORT_NOTE_COUNT] = {
        [TRN_IMPORT_NOTE_UNKNOWN] = "Without a block of its own, by voxels; a colour instead",
        [TRN_IMPORT_NOTE_IGNORED] = "Left out, because Terrane has nothing for it",
        [TRN_IMPORT_NOTE_DAMAGED] = "Damaged, and air now",
        [TRN_IMPORT_NOTE_UNSUPPORTED] = "Not supported, and what to do",
    };
    ImportLines *lines = user;
    if (!lines->has[note->kind]) {
        program_print("%s", headings[note->kind]);
        lines->has[note->kind] = true;
    }
    program_print("%12llu  %s%s%s", (unsigned long long)note->count, note->what,
                  note->where[0] ? ", first " : "", note->where);
    return true;
}

static TrnResult import_print_text(const WorldImport *import)
{
    ImportLines lines = {{false}};
    program_print("Imported %llu chunks (%s) in %.1f s.", (unsigned long long)import->copied.copied,
                  trn_import_format_name(trn_import_format(import->import)), import->seconds);
    return trn_import_report(import->import, import_print_note, &lines);
}

// ---- JSON --------------------------------------------------------------------------------------

typedef struct ImportJson {
    cJSON *root, *lists[TRN_IMPORT_NOTE_COUNT];
    bool is_whole; ///< false: there was no memory for something
} ImportJson;

static void import_add(ImportJson *json, cJSON *parent, const char *name, cJSON *item)
{
    const bool is_added =
        parent && item &&
        (name ? cJSON_AddItemToObject(parent, name, item) : cJSON_AddItemToArray(parent, item));
    if (!is_added) {
        cJSON_Delete(item);
        json->is_whole = false;
    }
}

static bool import_add_note(void *user, const TrnImportNote *note)
{
    ImportJson *json = user;
    cJSON *item = cJSON_CreateObject();
    import_add(json, json->lists[note->kind], NULL, item);
    if (json->is_whole) {
        import_add(json, item, "what", cJSON_CreateString(import_text(note->what).text));
        import_add(json, item, "count", cJSON_CreateNumber((double)note->count));
        if (note->where[0]) {
            import_add(json, item, "first", cJSON_CreateString(import_text(note->where).text));
        }
    }
    return json->is_whole;
}

static TrnResult import_fill_json(const WorldImport *import, ImportJson *json)
{
    static const char *const names[TRN_IMPORT_NOTE_COUNT] = {"unknown", "ignored", "damaged",
                                                             "unsupported"};
    const char *format = trn_import_format_name(trn_import_format(import->import));
    import_add(json, json->root, "format", cJSON_CreateString(format));
    import_add(json, json->root, "chunks", cJSON_CreateNumber((double)import->copied.copied));
    import_add(json, json->root, "seconds", cJSON_CreateNumber(import->seconds));
    for (int i = 0; i < TRN_IMPORT_NOTE_COUNT; i++) {
        cJSON *list = cJSON_CreateArray();
        import_add(json, json->root, names[i], list);
        json->lists[i] = json->is_whole ? list : NULL;
    }
    return trn_import_report(import->import, import_add_note, json);
}

static TrnResult import_print_json(const WorldImport *import)
{
    ImportJson json = {.root = cJSON_CreateObject(), .is_whole = true};
    const TrnResult filled = import_fill_json(import, &json);
    char *text = json.is_whole && filled == TRN_RESULT_OK ? cJSON_Print(json.root) : NULL;
    if (text) {
        program_print_json(text);
        cJSON_free(text);
    }
    cJSON_Delete(json.root);
    return text ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY;
}

static bool import_print_report(const ImportOptions *options, const WorldImport *import,
                                Message *problem)
{
    const TrnResult printed =
        options->wants_json ? import_print_json(import) : import_print_text(import);
    return printed == TRN_RESULT_OK ||
           message_set(problem, "The world is imported; out of memory for the report.");
}

// ---- copying -----------------------------------------------------------------------------------

/// The line of the step that runs.
typedef struct ImportLine {
    Progress progress;
    bool is_folding;
} ImportLine;

static bool import_step(void *user, WorldImportProgress now)
{
    ImportLine *line = user;
    if (now.is_folding && !line->is_folding) {
        progress_end(&line->progress);
        line->progress = progress_start(stderr, "terrane import: levels of detail", 1);
        line->is_folding = true;
    }
    progress_set(&line->progress, (int64_t)now.done, (int64_t)now.total);
    return interrupt_came() == 0;
}

/// Says what to do about an import that was not completed.
static bool import_fail(const ImportOptions *options, const WorldImport *import,
                        WorldImportOutcome outcome, Message *problem)
{
    const MessageText world = message_short(options->world);
    switch (outcome) {
    case WORLD_IMPORT_STOPPED:
        if (!import->copied.total) {
            return message_set(problem, "Interrupted while reading %s; nothing was imported.",
                               message_short(options->source).text);
        }
        return message_set(problem,
                           "Interrupted after %llu of %llu chunks, which are in %s; run it again "
                           "with --add for all of them.",
                           (unsigned long long)import->copied.done,
                           (unsigned long long)import->copied.total, world.text);
    case WORLD_IMPORT_STOPPED_LEVELS:
        return message_set(problem,
                           "Interrupted while making levels of detail; all chunks are in %s. Run "
                           "it again with --add for distant land.",
                           world.text);
    default:
        if (import->import && !import->has_world && !options->adds &&
            system_has_path(options->world)) {
            return message_set(problem, "%s exists; name a new file, or give --add to add to it.",
                               world.text);
        }
        return false;
    }
}

enum { IMPORT_MIRROR_NONE, IMPORT_MIRROR_X, IMPORT_MIRROR_Z };
static const char *const IMPORT_ROTATIONS[] = {"0", "90", "180", "270", NULL};
static const char *const IMPORT_MIRRORS[] = {"none", "x", "z", NULL};
static const char *const IMPORT_AIRS[] = {"keep", "replace", NULL};
_Static_assert(sizeof IMPORT_AIRS / sizeof *IMPORT_AIRS == TRN_IMPORT_AIR_COUNT + 1,
               "a word for each");

static bool import_act(void *target, Message *problem)
{
    const ImportOptions *options = target;
    WorldImport import;
    ImportLine line = {.progress = progress_start(stderr, "terrane import", 1)};
    WorldImportDef def = world_import_def();
    def.source = options->source;
    def.world = options->world;
    def.names = options->names;
    def.format = (TrnImportFormat)options->format;
    def.offset = options->offset;
    def.heights = options->heights;
    def.adds = options->adds || options->is_placed;
    if (options->is_placed) {
        def.offset = options->at;
        def.merges = true;
        def.air = (TrnImportAir)options->air;
        def.place = (TrnImportPlace){.is_placed = true,
                                     .mirrors_x = options->mirror == IMPORT_MIRROR_X,
                                     .mirrors_z = options->mirror == IMPORT_MIRROR_Z,
                                     .quarters = (uint32_t)options->rotate};
    }
    def.progress = import_step;
    def.user = &line;
    const WorldImportOutcome outcome = world_import_run(&import, &def, problem);
    progress_end(&line.progress);
    bool good = outcome == WORLD_IMPORT_DONE;
    if (outcome == WORLD_IMPORT_DONE || outcome == WORLD_IMPORT_NOTHING) {
        good = import_print_report(options, &import, problem) && good;
    } else {
        good = import_fail(options, &import, outcome, problem);
    }
    world_import_free(&import);
    return good;
}

// ---- the command --------------------------------------------------------------------------------

#define HEIGHT_MAX 16384 // as TrnImportHeights has it
#define HEIGHTS "Pictures of heights (PNG)"
#define PLACED "Schematics and models, put into a WORLD that exists"
#define AT(field) .offset = offsetof(ImportOptions, field)
#define IMPORT_IS_GIVEN(field) options_given(&IMPORT_COMMAND, given, offsetof(ImportOptions, field))
#define HEIGHT_RANGE .low = -HEIGHT_MAX, .high = HEIGHT_MAX

static const char *import_format_at(size_t i)
{
    return trn_import_format_name((TrnImportFormat)i);
}

// clang-format off
static const Option IMPORT_ROWS[] = {
    {.name = "SOURCE", .help = "the other world: its folder, its file or its database; it is only read",
     .kind = OPTION_WORD, AT(source), .takes = "the world to import"},
    {.name = "WORLD", .help = "the file to write", .kind = OPTION_WORD, AT(world),
     .takes = "the file to write too"},
    {.name = "format", .help = "the other world's format; auto: found from the content",
     .kind = OPTION_CHOICE, AT(format), .word_at = import_format_at},
    {.name = "names", .help = "a table of which block becomes which, instead of the built-in one, "
     "or before it if it has a line 'include built-in'; docs/importing.md describes the format", .kind = OPTION_TEXT, AT(names), .argument = "FILE",
     .takes = "the name of a file"},
    {.name = "offset", .help = "voxels to move the land by", .kind = OPTION_NUMBERS, AT(offset),
     .low = TRN_VOXEL_MIN, .high = TRN_VOXEL_MAX, .argument = "X,Y,Z", .standard = "0,0,0",
     .takes = "voxels X,Y,Z", .example = "0,-64,0"},
    {.name = "add", .help = "add to a WORLD that exists; chunks that are imported replace its own",
     .kind = OPTION_FLAG, AT(adds)},
    {.name = "json", .help = "print the report as JSON", .kind = OPTION_FLAG, AT(wants_json)},
    {PLACED, "at", .help = "the voxel at which the lowest corner comes to lie; the building is "
     "merged into the chunks there, voxel by voxel", .kind = OPTION_NUMBERS, AT(at),
     .low = TRN_VOXEL_MIN, .high = TRN_VOXEL_MAX, .argument = "X,Y,Z", .takes = "voxels X,Y,Z",
     .example = "100,64,-20"},
    {PLACED, "rotate", .help = "turn it clockwise, seen from above, with its stairs and doors",
     .kind = OPTION_CHOICE, AT(rotate), .words = IMPORT_ROTATIONS},
    {PLACED, "mirror", .help = "swap west and east (x), or north and south (z), before it is turned",
     .kind = OPTION_CHOICE, AT(mirror), .words = IMPORT_MIRRORS},
    {PLACED, "air", .help = "what its air does: the world's blocks stay, or become air",
     .kind = OPTION_CHOICE, AT(air), .words = IMPORT_AIRS},
    {HEIGHTS, "heights", .help = "heights of black and of white, in voxels",
     .kind = OPTION_NUMBERS, AT(black_white), HEIGHT_RANGE, .argument = "BLACK,WHITE",
     .standard = "0,128", .takes = "BLACK,WHITE", .example = "0,128"},
    {HEIGHTS, "scale", .help = "voxels a pixel", .kind = OPTION_LONG, AT(scale), .low = 1,
     .high = 256, .usual = 1},
    {HEIGHTS, "base", .help = "the lowest voxel", .kind = OPTION_LONG, AT(base), HEIGHT_RANGE,
     .usual = -16, .argument = "Y"},
    {HEIGHTS, "sea", .help = "fill with water up to this height; without it there is no sea",
     .kind = OPTION_LONG, AT(sea), HEIGHT_RANGE, .usual = TRN_IMPORT_NO_SEA, .argument = "Y"},
    {HEIGHTS, "colours", .help = "a picture of the same size: blocks nearest to its colours",
     .kind = OPTION_TEXT, AT(heights.colours), .argument = "FILE",
     .takes = "the name of a picture"},
    {HEIGHTS, "own-colours", .help = "blocks of exactly these colours instead",
     .kind = OPTION_FLAG, AT(heights.has_own_types)},
    {0},
};
// clang-format on
_Static_assert(sizeof(TrnVoxel) == 3 * sizeof(int64_t), "--offset fills it");

static bool import_check(void *target, const bool *given, Message *problem)
{
    ImportOptions *options = target;
    TrnImportHeights *heights = &options->heights;
    options->is_placed = IMPORT_IS_GIVEN(at);
    if (!options->is_placed &&
        (IMPORT_IS_GIVEN(rotate) || IMPORT_IS_GIVEN(mirror) || IMPORT_IS_GIVEN(air))) {
        return message_set(problem, "--rotate, --mirror and --air need a place; add --at X,Y,Z.");
    }
    if (options->is_placed && IMPORT_IS_GIVEN(offset)) {
        return message_set(problem, "--at says where it lies; leave --offset out.");
    }
    heights->black = (double)options->black_white[0];
    heights->white = (double)options->black_white[1];
    heights->scale = (uint32_t)options->scale;
    heights->base = (int32_t)options->base;
    heights->sea_level = (int32_t)options->sea;
    return true;
}

const OptionCommand IMPORT_COMMAND = {
    .name = "import",
    .summary = "copies a world of another game, a schematic, heightmap or model",
    .about = "Copies a world of another game into a world of Terrane.",
    .rows = IMPORT_ROWS,
    .closing = "The report counts what could not be imported as it is: names that have no block, "
               "which become blocks of a colour of their own, things that Terrane does not have, "
               "damaged pieces, which become air, and pieces that are not supported, with what to "
               "do. If nothing but air was imported, the command fails and leaves no new WORLD.\n"
               "\n"
               "An import can be interrupted. What was copied stays in WORLD, and the same command "
               "with --add copies everything again.",
    .examples = "terrane import ~/.minetest/worlds/home home.world\n"
                "terrane import --names my-names.txt --json map.sqlite home.world\n"
                "terrane import ~/.minecraft/saves/Home home.world\n"
                "terrane import --at 100,64,-20 --rotate 90 house.schem home.world\n"
                "terrane import --heights 0,300 --sea 90 island.png island.world",
    .bytes = sizeof(ImportOptions),
    .check = import_check,
    .act = import_act,
};

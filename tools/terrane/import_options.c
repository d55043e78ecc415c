#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier)
#include "import_options.h"

#include <getopt.h>
#include <string.h>

#include "arguments.h"

enum {
    IMPORT_OPTION_FORMAT = 256,
    IMPORT_OPTION_NAMES,
    IMPORT_OPTION_ADD,
    IMPORT_OPTION_JSON,
    IMPORT_OPTION_HELP
};

static const struct option IMPORT_LONG_OPTIONS[] = {
    {"format", required_argument, NULL, IMPORT_OPTION_FORMAT},
    {"names", required_argument, NULL, IMPORT_OPTION_NAMES},
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

static bool refuse_import_word(char **argv, Message *problem)
{
    // As in map_options.c: an option with a value that takes none has its number in optopt.
    if (optopt >= IMPORT_OPTION_FORMAT) {
        return message_set(problem, "%s takes no value; leave it out.",
                           message_short(argv[optind - 1]).text);
    }
    return message_set(problem, "There is no option %s; terrane help import lists them all.",
                       message_short(argument_unknown(argv)).text);
}

static bool parse_import_option(ImportOptions *options, int option, char **argv, Message *problem)
{
    switch (option) {
    case IMPORT_OPTION_FORMAT:
        return parse_import_format(options, problem);
    case IMPORT_OPTION_NAMES:
        options->names = optarg;
        return optarg[0] || message_set(problem, "--names takes the name of a file.");
    case IMPORT_OPTION_ADD:
        options->adds = true;
        return true;
    case IMPORT_OPTION_JSON:
        options->wants_json = true;
        return true;
    case IMPORT_OPTION_HELP:
        options->wants_help = true;
        return true;
    case ':':
        return message_set(problem, "%s needs a value; terrane help import shows which.",
                           message_short(argv[optind - 1]).text);
    default:
        return refuse_import_word(argv, problem);
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
    ImportOptions words = {.format = TRN_IMPORT_AUTO};
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
            "  --names FILE  which block stands for which of the other game, instead of the\n"
            "                table in this program; docs/importing.md describes the format\n"
            "  --add         add to a WORLD that exists; chunks that are imported replace its own\n"
            "  --json        print the report as JSON\n"
            "  --help\n",
            formats);
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
          "  terrane import --names my-names.txt --json map.sqlite home.world\n",
          stream);
}

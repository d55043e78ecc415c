/// terrane: the world tool. Its first word is a command.
#include <stdio.h>
#include <string.h>

#include <terrane/base.h>

#include "export.h"
#if TERRANE_TOOL_SAVES
#include "import.h"
#endif
#include "interrupt.h"
#include "map.h"
#include "program.h"
#if TERRANE_TOOL_SAVES
#include "world_commands.h"
#endif

static const char PROGRAM[] = "terrane";

typedef struct Command {
    const char *name, *summary;
    int (*run)(int argc, char **argv); ///< from the command's name on
    void (*print_help)(FILE *stream);
} Command;

static int run_map(int argc, char **argv)
{
    MapOptions options;
    Message problem;
    if (!map_options_parse(&options, argc, argv, &problem)) {
        return program_complain("terrane map", &problem, PROGRAM_USAGE);
    }
    if (options.wants_help) {
        map_options_print_help(stdout);
        return PROGRAM_GOOD;
    }
    return map_run(&options, &problem) ? PROGRAM_GOOD
                                       : program_complain("terrane map", &problem, PROGRAM_FAILED);
}

static int run_export(int argc, char **argv)
{
    ExportOptions options;
    Message problem;
    if (!export_options_parse(&options, argc, argv, &problem)) {
        return program_complain("terrane export", &problem, PROGRAM_USAGE);
    }
    if (options.wants_help) {
        export_options_print_help(stdout);
        return PROGRAM_GOOD;
    }
    return export_run(&options, &problem)
               ? PROGRAM_GOOD
               : program_complain("terrane export", &problem, PROGRAM_FAILED);
}

#if TERRANE_TOOL_SAVES
static int run_import(int argc, char **argv)
{
    ImportOptions options;
    Message problem;
    if (!import_options_parse(&options, argc, argv, &problem)) {
        return program_complain("terrane import", &problem, PROGRAM_USAGE);
    }
    if (options.wants_help) {
        import_options_print_help(stdout);
        return PROGRAM_GOOD;
    }
    return import_run(&options, &problem)
               ? PROGRAM_GOOD
               : program_complain("terrane import", &problem, PROGRAM_FAILED);
}
#endif

static const Command COMMANDS[] = {
#if TERRANE_TOOL_SAVES
    {"new", "creates a world file", world_new_run, world_new_print_help},
    {"import", "copies a world of Luanti or Minecraft, a heightmap or a model", run_import,
     import_options_print_help},
    {"info", "shows what a world file holds", world_info_run, world_info_print_help},
    {"verify", "reads and checks everything in a world file", world_verify_run,
     world_verify_print_help},
    {"repair", "rescues the intact chunks of a broken world file", world_repair_run,
     world_repair_print_help},
    {"prune", "removes chunks that equal the generated land", world_prune_run,
     world_prune_print_help},
    {"fold", "makes the levels of detail of a world file, for distant land", world_fold_run,
     world_fold_print_help},
    {"pregen", "generates an area of a world beforehand, by any number of processes",
     world_pregen_run, world_pregen_print_help},
    {"compact", "shrinks a world file by its unused space", world_compact_run,
     world_compact_print_help},
    {"copy", "copies a world between files and databases", world_copy_run, world_copy_print_help},
    {"backup", "copies a world file while it is in use", world_backup_run, world_backup_print_help},
#endif
    {"export", "exports a piece of land or of a world as a 3D model: glTF or OBJ", run_export,
     export_options_print_help},
    {"map", "draws a map of a seed or of a world, or a vertical section", run_map,
     map_options_print_help},
};
#define COMMAND_COUNT (sizeof COMMANDS / sizeof COMMANDS[0])

/// @return the command, or NULL
static const Command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(name, COMMANDS[i].name) == 0) {
            return &COMMANDS[i];
        }
    }
    return NULL;
}

static void print_help(FILE *stream)
{
    fputs("Creates, imports, checks, maps and exports worlds.\n\nUsage: terrane COMMAND "
          "[options]\n\nCommands\n",
          stream);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(stream, "  %-12s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
    }
    fputs("  help COMMAND explains a command\n"
          "\n"
          "  --help       shows this text\n"
          "  --version    shows the version\n"
          "\n"
          "Examples\n"
          "  terrane map --seed 7 --out land.png\n"
          "  terrane export --seed 7 --out land.glb\n"
          "  terrane new --seed 7 my.world\n"
          "  terrane help map\n"
          "\n"
          "Exit codes: 0 success, 1 failure, 2 wrong command line or terrain file, 128 plus the\n"
          "signal's number if interrupted.\n",
          stream);
}

/// Whether a command works on world files, in a build that has no such commands.
static bool is_world_command(const char *word)
{
#if TERRANE_TOOL_SAVES
    (void)word;
#else
    static const char *const words[] = {"new",     "info", "verify", "repair", "prune", "fold",
                                        "compact", "copy", "pregen", "backup", "import"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i]) == 0) {
            return true;
        }
    }
#endif
    return false;
}

static int refuse_command(const char *word)
{
    Message problem;
    if (is_world_command(word)) {
        message_set(&problem, "This terrane was built without worlds in files; build it with "
                              "-DTERRANE_BUILD_SAVE=ON.");
    } else if (word[0]) {
        message_set(&problem, "There is no %s %s; terrane --help lists them all.",
                    word[0] == '-' ? "option" : "command", message_short(word).text);
    } else {
        message_set(&problem, "Name a command; terrane --help lists them all.");
    }
    return program_complain(PROGRAM, &problem, PROGRAM_USAGE);
}

/// Runs help or --version. @param words  after the command; the last is NULL
static int explain(const char *command, char **words)
{
    const bool is_version = strcmp(command, "--version") == 0;
    const char *extra = is_version || !words[0] ? words[0] : words[1];
    if (extra) {
        Message problem;
        message_set(&problem, "%s takes no more words; leave out %s.", command,
                    message_short(extra).text);
        return program_complain(PROGRAM, &problem, PROGRAM_USAGE);
    }
    if (is_version) {
        printf("%s %s\n", PROGRAM, trn_version());
        return PROGRAM_GOOD;
    }
    const Command *topic = words[0] ? find_command(words[0]) : NULL;
    if (words[0] && !topic) {
        return refuse_command(words[0]);
    }
    (topic ? topic->print_help : print_help)(stdout);
    return PROGRAM_GOOD;
}

static int act(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "--help") == 0 || strcmp(word, "help") == 0 ||
        strcmp(word, "--version") == 0) {
        return explain(word, argv + 2);
    }
    const Command *command = find_command(word);
    return command ? command->run(argc - 1, argv + 1) : refuse_command(word);
}

int main(int argc, char **argv)
{
    interrupt_watch();
    return program_finish_output(PROGRAM, act(argc, argv));
}

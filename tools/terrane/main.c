/// terrane: the world tool. Its first word is a command.
#include <stdio.h>
#include <string.h>

#include <terrane/base.h>

#include "export.h"
#include "interrupt.h"
#include "map.h"
#include "program.h"

static const char PROGRAM[] = "terrane";

typedef struct Command {
    const char *name, *summary;
    int (*run)(int argc, char **argv); ///< the words from the command's name on
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
    return map_run(&options, &problem)
               ? PROGRAM_GOOD
               : program_complain("terrane map", &problem, program_failure());
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
               : program_complain("terrane export", &problem, program_failure());
}

static const Command COMMANDS[] = {
    {"export", "writes a piece of land as a 3D model: glTF or OBJ", run_export,
     export_options_print_help},
    {"map", "draws the land of a seed from above, or a cut through it", run_map,
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
    fputs("Looks at Terrane's worlds.\n\nUsage: terrane COMMAND [options]\n\nCommands\n", stream);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        fprintf(stream, "  %-12s %s\n", COMMANDS[i].name, COMMANDS[i].summary);
    }
    fputs("  help COMMAND explains a command\n"
          "\n"
          "  --help, --version\n"
          "\n"
          "Examples\n"
          "  terrane map --seed 7 --out land.png\n"
          "  terrane export --seed 7 --out land.glb\n"
          "  terrane help map\n"
          "\n"
          "Ends with 0, with 1 when something went wrong on the way, with 2 on a wrong command "
          "line or\n"
          "terrain file.\n",
          stream);
}

static int refuse_command(const char *word)
{
    Message problem;
    message_set(&problem, "There is no %s %s; terrane --help lists them all.",
                word[0] == '-' ? "option" : "command", message_short(word).text);
    return program_complain(PROGRAM, &problem, PROGRAM_USAGE);
}

static int help(const char *name)
{
    const Command *command = name ? find_command(name) : NULL;
    if (name && !command) {
        return refuse_command(name);
    }
    (command ? command->print_help : print_help)(stdout);
    return PROGRAM_GOOD;
}

static int act(int argc, char **argv)
{
    if (argc < 2) {
        Message problem;
        message_set(&problem, "Name a command; terrane --help lists them all.");
        return program_complain(PROGRAM, &problem, PROGRAM_USAGE);
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "help") == 0) {
        return help(argc > 2 ? argv[2] : NULL);
    }
    if (strcmp(word, "--version") == 0) {
        printf("%s %s\n", PROGRAM, trn_version());
        return PROGRAM_GOOD;
    }
    const Command *command = find_command(word);
    return command ? command->run(argc - 1, argv + 1) : refuse_command(word);
}

int main(int argc, char **argv)
{
    interrupt_watch();
    return program_finish_output(PROGRAM, act(argc, argv));
}

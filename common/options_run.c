#include "options_run.h"

#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "options_print.h"
#include "program.h"

int options_answer(const OptionProgram *program, const OptionCommand *command, OptionsAsk ask,
                   const Message *problem)
{
    char name[64];
    const bool is_alone = !command || command == program->alone || !command->name;
    switch (ask) {
    case OPTIONS_WRONG:
        (void)snprintf(name, sizeof name, "%s%s%s", program->name, is_alone ? "" : " ",
                       is_alone ? "" : command->name);
        return program_complain(name, problem, PROGRAM_USAGE);
    case OPTIONS_RUN:
        return -1;
    case OPTIONS_HELP:
        options_print_help(stdout, program, command && command->name ? command : NULL);
        break;
    case OPTIONS_VERSION:
        options_print_version(stdout, program);
        break;
    case OPTIONS_MANUAL:
        options_print_manual(stdout, program);
        break;
    case OPTIONS_COMPLETION:
        options_print_completion(stdout, program);
    }
    return PROGRAM_GOOD;
}

OptionsAsk options_fill(const OptionProgram *program, const OptionCommand *command, void *target,
                        int argc, char **argv, Message *problem)
{
    bool given[OPTIONS_ROWS_MAX];
    memset(target, 0, command->bytes);
    options_default(command->rows, target);
    const OptionsAsk ask = options_parse(program, command, target, given, argc, argv, problem);
    const bool is_good =
        ask != OPTIONS_RUN || !command->check || command->check(target, given, problem);
    return is_good ? ask : OPTIONS_WRONG;
}

static int options_run_command(const OptionProgram *program, const OptionCommand *command, int argc,
                               char **argv)
{
    char name[64];
    Message problem;
    void *target = malloc(command->bytes);
    (void)snprintf(name, sizeof name, "%s %s", program->name, command->name);
    if (!target) {
        (void)message_set(&problem, "Out of memory.");
        return program_complain(name, &problem, PROGRAM_FAILED);
    }
    const OptionsAsk ask = options_fill(program, command, target, argc, argv, &problem);
    int code = options_answer(program, command, ask, &problem);
    if (code < 0) {
        code = command->act(target, &problem) ? PROGRAM_GOOD
                                              : program_complain(name, &problem, PROGRAM_FAILED);
    }
    free(target);
    return code;
}

static const OptionCommand *options_find_command(const OptionProgram *program, const char *name)
{
    for (size_t i = 0; program->commands[i]; i++) {
        if (strcmp(name, program->commands[i]->name) == 0) {
            return program->commands[i];
        }
    }
    return NULL;
}

static int options_refuse_command(const OptionProgram *program, const char *name)
{
    Message problem;
    char list[64];
    Nearest nearest = {.word = name};
    for (size_t i = 0; program->commands[i]; i++) {
        nearest_try(&nearest, program->commands[i]->name);
    }
    nearest_try(&nearest, "help");
    (void)snprintf(list, sizeof list, "%s --help", program->name);
    if (name[0]) {
        (void)options_refuse("command", name, nearest.name, list, &problem);
    } else {
        (void)message_set(&problem, "Name a command; %s lists them all.", list);
    }
    for (size_t i = 0; program->missing && program->missing[i]; i++) {
        if (strcmp(program->missing[i], name) == 0) {
            (void)message_set(&problem, "%s", program->missing_help);
        }
    }
    return program_complain(program->name, &problem, PROGRAM_USAGE);
}

/// Explains the program, or the command that the next word names.
static int options_explain(const OptionProgram *program, const char *word, char **argv)
{
    Message problem = {""};
    const OptionCommand *topic = argv[0] ? options_find_command(program, argv[0]) : NULL;
    if (argv[0] && !topic) {
        return options_refuse_command(program, argv[0]);
    }
    if (argv[0] && argv[1]) {
        (void)message_set(&problem, "%s takes no more words; leave out %s.", word,
                          message_short(argv[1]).text);
        return program_complain(program->name, &problem, PROGRAM_USAGE);
    }
    return options_answer(program, topic, OPTIONS_HELP, &problem);
}

int options_run(const OptionProgram *program, int argc, char **argv)
{
    static const OptionCommand none = {0};
    const char *word = argc > 1 ? argv[1] : "help";
    Message problem;
    if (word[0] == '-') {
        bool given[OPTIONS_ROWS_MAX];
        char *first[] = {argv[0], argv[1], argc > 2 ? argv[2] : NULL};
        const OptionsAsk ask =
            options_parse(program, &none, NULL, given, argc > 2 ? 3 : 2, first, &problem);
        return ask == OPTIONS_HELP ? options_explain(program, word, argv + 2)
                                   : options_answer(program, &none, ask, &problem);
    }
    if (strcmp(word, "help") == 0) {
        return options_explain(program, word, argc > 1 ? argv + 2 : argv + 1);
    }
    const OptionCommand *command = options_find_command(program, word);
    return command ? options_run_command(program, command, argc - 1, argv + 1)
                   : options_refuse_command(program, word);
}

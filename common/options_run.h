/// What a program does about its command line.
#pragma once

#include "options.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Prints the help, the version, or on stderr what is wrong.
/// @return the exit code; -1 for OPTIONS_RUN
int options_answer(const OptionProgram *program, const OptionCommand *command, OptionsAsk ask,
                   const Message *problem);

/// Gives each field its default, then reads and checks a command line: what options_run does before
/// it acts.
/// @param target  [command->bytes] receives the fields
OptionsAsk options_fill(const OptionProgram *program, const OptionCommand *command, void *target,
                        int argc, char **argv, Message *problem);

/// Does what a program with commands is asked to do; without a word it prints its help.
/// @return the exit code
int options_run(const OptionProgram *program, int argc, char **argv);

#ifdef __cplusplus
}
#endif

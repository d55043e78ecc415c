/// What a table of options prints: the help, the manual page, bash's completion.
#pragma once

#include "options.h"

#define OPTIONS_HELP_WIDTH 98 ///< columns

/// @param command  NULL: the program, which lists its commands
void options_print_help(FILE *stream, const OptionProgram *program, const OptionCommand *command);

void options_print_version(FILE *stream, const OptionProgram *program);

/// A page for man(1), in the macros of man(7).
void options_print_manual(FILE *stream, const OptionProgram *program);

/// A script for bash: completes commands, options, their words, and names of files.
void options_print_completion(FILE *stream, const OptionProgram *program);

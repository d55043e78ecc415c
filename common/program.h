/// How a program ends.
#pragma once

#include "message.h"

enum {
    PROGRAM_GOOD,
    PROGRAM_FAILED,      ///< the work failed
    PROGRAM_USAGE,       ///< wrong command line
    PROGRAM_SIGNAL = 128 ///< plus the number of the signal that stopped it, as in shells
};

/// Prints "PROGRAM: sentence" on stderr.
/// @return the exit code: PROGRAM_SIGNAL plus its number if a signal came (interrupt.h), else
/// `code`
int program_complain(const char *program, const Message *problem, int code);

/// Prints a line on stdout, with the control characters of its texts escaped; its end is added.
/// What goes beyond 8 KiB is left out.
void program_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Prints JSON and the end of a line on stdout. Control characters that JSON does not escape itself
/// are escaped as JSON does.
/// @param text  UTF-8
void program_print_json(const char *text);

/// Flushes stdout. A full disk may show only here.
/// @param code  the program's exit code so far
/// @return the exit code
int program_finish_output(const char *program, int code);

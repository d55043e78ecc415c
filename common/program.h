/// How a program ends.
#ifndef TERRANE_COMMON_PROGRAM_H
#define TERRANE_COMMON_PROGRAM_H

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

/// Flushes stdout. A full disk may show only here.
/// @param code  the program's exit code so far
/// @return the exit code
int program_finish_output(const char *program, int code);

#endif

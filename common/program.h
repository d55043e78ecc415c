/// How a program ends.
#ifndef TERRANE_COMMON_PROGRAM_H
#define TERRANE_COMMON_PROGRAM_H

#include "message.h"

enum {
    PROGRAM_GOOD,
    PROGRAM_FAILED,      ///< something went wrong on the way
    PROGRAM_USAGE,       ///< a wrong command line
    PROGRAM_SIGNAL = 128 ///< plus the number of the signal that ended it, as shells count
};

/// Prints "PROGRAM: sentence" on stderr. @return the code
int program_complain(const char *program, const Message *problem, int code);

/// The code of a program whose work went wrong: that of the signal that came (interrupt.h), or
/// PROGRAM_FAILED.
int program_failure(void);

/// Writes out what was printed: it may wait in a buffer until now, and a full disk shows only here.
/// @param code  of the program so far
/// @return the code to end with
int program_finish_output(const char *program, int code);

#endif

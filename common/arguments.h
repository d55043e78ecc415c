/// Values on a command line. Each function parses the whole text, or returns false and leaves its
/// out-parameters unchanged.
#ifndef TERRANE_COMMON_ARGUMENTS_H
#define TERRANE_COMMON_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "message.h"

/// A decimal number in [low, high].
bool argument_integer(const char *text, int64_t low, int64_t high, int64_t *value);

/// Two numbers in [low, high] with one separator between them, such as 1280x720 or -5,7.
bool argument_pair(const char *text, char separator, int64_t low, int64_t high, int64_t pair[2]);

/// X,Y,Z: three numbers in [low, high].
bool argument_triple(const char *text, int64_t low, int64_t high, int64_t triple[3]);

/// WIDTHxHEIGHT, each in [low, high].
bool argument_size(const char *text, int low, int high, int *width, int *height);

/// Any 64-bit number, also hexadecimal (0x…).
bool argument_seed(const char *text, uint64_t *seed);

/// Says what getopt_long has just refused: an unknown option, one that lacks its value, or a value
/// of an option that takes none.
/// @param option  what it returned: ':' or '?'
/// @param lowest  of the numbers of all options, above those of letters
/// @param help    the command that lists the options, such as "terrane help map"
/// @return false
bool argument_refuse(int option, int lowest, const char *help, char **argv, Message *problem);

#endif

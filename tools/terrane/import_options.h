/// The command line of `terrane import`.
#ifndef TERRANE_TOOL_IMPORT_OPTIONS_H
#define TERRANE_TOOL_IMPORT_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include <terrane/import.h>

#include "message.h"

typedef struct ImportOptions {
    bool wants_help;
    const char *source, *world; ///< borrowed from argv
    const char *names;          ///< a file with a table of names; NULL: the format's own
    TrnImportFormat format;
    TrnVoxel offset;          ///< of the land
    TrnImportHeights heights; ///< its picture of colours is borrowed from argv
    bool adds;                ///< to a world that exists
    bool wants_json;
} ImportOptions;

/// Parses the words after `terrane`, the first of which is the command. Not thread-safe:
/// getopt_long has global state.
/// @param argv  may be reordered
bool import_options_parse(ImportOptions *options, int argc, char **argv, Message *problem);

void import_options_print_help(FILE *stream);

#endif

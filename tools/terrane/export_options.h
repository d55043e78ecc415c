/// The command line of `terrane export`.
#ifndef TERRANE_TOOL_EXPORT_OPTIONS_H
#define TERRANE_TOOL_EXPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "export_box.h"
#include "terrain_choice.h"

typedef enum ExportFormat {
    EXPORT_FORMAT_GLB,
    EXPORT_FORMAT_GLTF,
    EXPORT_FORMAT_OBJ,
    EXPORT_FORMAT_COUNT
} ExportFormat;

typedef struct ExportOptions {
    bool wants_help;
    uint64_t seed;
    TerrainChoice choice;  ///< borrowed from argv
    TrnTerrainShape shape; ///< of the choice
    const char *world;     ///< the path of a world file, which names the land; NULL: none
    bool has_center;       ///< otherwise a world's spawn is in the middle of the box
    ExportBox box;         ///< without has_box, y is not set yet
    bool has_box;          ///< otherwise y spans all land from the lowest ground up
    bool without_ao;
    ExportFormat format;
    const char *out; ///< borrowed from argv
} ExportOptions;

/// Parses the words after `terrane`, the first of which is the command, and reads the file of
/// --terrain. Not thread-safe: getopt_long has global state.
/// @param argv  may be reordered
bool export_options_parse(ExportOptions *options, int argc, char **argv, Message *problem);

void export_options_print_help(FILE *stream);

#endif

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
    TrnTerrainShape shape; ///< what the choice comes to
    ExportBox box;         ///< without has_box, y is still to be found
    bool has_box;          ///< otherwise all land above the lowest ground
    bool without_ao;
    ExportFormat format;
    const char *out; ///< borrowed from argv
} ExportOptions;

/// Reads the words behind `terrane`, of which the first is the command, and the file that --terrain
/// names. Not for two threads at once: getopt_long keeps its place globally.
/// @param argv  may be reordered
bool export_options_parse(ExportOptions *options, int argc, char **argv, Message *problem);

void export_options_print_help(FILE *stream);

#endif

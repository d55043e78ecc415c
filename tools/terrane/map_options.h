/// The command line of `terrane map`.
#ifndef TERRANE_TOOL_MAP_OPTIONS_H
#define TERRANE_TOOL_MAP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "map_draw.h"
#include "terrain_choice.h"

#define MAP_SIZE_MAX 65536    ///< pixels on a side
#define MAP_SCALE_MAX 1048576 ///< voxels a pixel

typedef struct MapOptions {
    bool wants_help;
    uint64_t seed;
    TerrainChoice choice;  ///< borrowed from argv
    TrnTerrainShape shape; ///< of the choice
    const char *world;     ///< the path of a world file, which names the land; NULL: none
    bool has_center;       ///< otherwise a world's spawn is in the middle
    MapPlan plan;
    const char *out;   ///< borrowed from argv
    const char *tiles; ///< likewise: a folder for tiles instead; NULL: a picture
} MapOptions;

/// Parses the words after `terrane`, the first of which is the command, and reads the file of
/// --terrain. Not thread-safe: getopt_long has global state.
/// @param argv  may be reordered
bool map_options_parse(MapOptions *options, int argc, char **argv, Message *problem);

void map_options_print_help(FILE *stream);

#endif

/// The command lines of commands on world files: files, and options that several of them share.
#ifndef TERRANE_TOOL_WORLD_WORDS_H
#define TERRANE_TOOL_WORLD_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "message.h"
#include "terrain_choice.h"

#define WORLD_RADIUS_MAX 512    ///< chunks
#define WORLD_AREA_MAX 10000000 ///< voxels, of a coordinate

/// Options that a command may take; --help is one of every command.
enum {
    WORLD_TAKES_JSON = 1,   ///< --json
    WORLD_TAKES_BLOCKS = 2, ///< --blocks
    WORLD_TAKES_LAND = 4,   ///< --seed, --preset, --terrain
    WORLD_TAKES_RADIUS = 8, ///< --radius
    WORLD_TAKES_AREA = 16   ///< --area
};

/// What a command takes.
typedef struct WorldCommand {
    const char *name;    ///< "info"
    uint32_t options;    ///< WORLD_TAKES_...
    int files;           ///< 1 or 2
    const char *usage;   ///< what follows the name: "FILE [options]"
    const char *help;    ///< before the options
    const char *closing; ///< behind them
} WorldCommand;

typedef struct WorldWords {
    bool wants_help, wants_json, wants_blocks;
    const char *files[2]; ///< borrowed from argv
    uint64_t seed;
    TerrainChoice choice;
    TrnTerrainShape shape; ///< of the choice
    int64_t radius;        ///< chunks; -1: nothing is generated
    int64_t area[4];       ///< voxels: lowest x, z, highest x, z
    bool has_area;
} WorldWords;

/// Does what a command is for, and prints its report. @return false with a message if that failed
typedef bool WorldAct(const WorldWords *words, Message *problem);

/// Runs a command. @return the exit code
int world_command_run(const WorldCommand *command, WorldAct *act, int argc, char **argv);

/// Parses the words after `terrane`, as map_options_parse.
bool world_words_parse(WorldWords *words, const WorldCommand *command, int argc, char **argv,
                       Message *problem);

void world_words_print_help(const WorldCommand *command, FILE *stream);

#endif

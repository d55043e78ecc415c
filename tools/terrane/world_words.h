/// What the commands on world files take, and the rows of options that several of them share.
#pragma once

#include "options.h"
#include "terrain_choice.h"

typedef struct WorldWords {
    bool wants_json, wants_blocks;
    const char *files[2]; ///< borrowed from argv
    uint64_t seed;
    TerrainChoice choice;
    int64_t radius;  ///< chunks; -1: nothing is generated
    int64_t area[4]; ///< voxels: lowest x, z, highest x, z
} WorldWords;

#define WORLD_AT(field) .offset = offsetof(WorldWords, field)
#define WORLD_FILE                                                                                 \
    {                                                                                              \
        .name = "FILE", .kind = OPTION_WORD, WORLD_AT(files[0]), .takes = "a world file"           \
    }
#define WORLD_NEW_FILE                                                                             \
    {                                                                                              \
        .name = "NEW_FILE", .kind = OPTION_WORD, WORLD_AT(files[1]), .takes = "the new file too"   \
    }
#define WORLD_JSON                                                                                 \
    {                                                                                              \
        .name = "json", .help = "report in JSON", .kind = OPTION_FLAG, WORLD_AT(wants_json)        \
    }

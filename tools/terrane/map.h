/// `terrane map`: draws the land of a seed, or a world, as a PNG or as tiles. Its table of options
/// is MAP_COMMAND (commands.h).
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "map/map_draw.h"
#include "terrain_choice.h"

typedef struct MapOptions {
    uint64_t seed;
    TerrainChoice choice;  ///< borrowed from argv
    TrnTerrainShape shape; ///< of the choice
    const char *world;     ///< the path of a world file, which names the land; NULL: none
    bool has_center;       ///< otherwise a world's spawn is in the middle
    int64_t center[2];     ///< voxels x, z
    int64_t size[2];       ///< pixels
    MapPlan plan;          ///< of these
    const char *out;       ///< borrowed from argv
    const char *tiles;     ///< likewise: a folder for tiles instead; NULL: a picture
} MapOptions;

/// A small map of the land around the origin, drawn in steps so that frames stay short.
///
/// Threads: one at a time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <terrane/block_types.h>
#include <terrane/terrain.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LAND_MAP_EDGE 128 ///< pixels
#define LAND_MAP_SCALE 16 ///< voxels a pixel

/// All zeroes: no map.
typedef struct LandMap {
    TrnTerrain *terrain;
    TrnBlockTypes *types; ///< created with the first map
    struct MapSource *source;
    struct MapDrawing *drawing;                   ///< NULL: the map is complete
    int rows;                                     ///< complete rows
    uint8_t rgb[LAND_MAP_EDGE][LAND_MAP_EDGE][3]; ///< sRGB; north is up
} LandMap;

/// Begins a new map; the old pixels stay until drawn over.
/// @return false if out of memory
bool land_map_begin(LandMap *map, uint64_t seed, const TrnTerrainShape *shape);

/// Draws the next 32 x 32 pixels; rows appear when they are complete. Cost: some ms.
/// @return whether anything was drawn
bool land_map_step(LandMap *map);

void land_map_free(LandMap *map);

#ifdef __cplusplus
}
#endif

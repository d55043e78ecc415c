/// A small map of the land around the origin, drawn in steps so that a screen stays smooth.
///
/// Threads: one at a time.
#ifndef TERRANE_VIEWER_LAND_MAP_H
#define TERRANE_VIEWER_LAND_MAP_H

#include <stdbool.h>
#include <stddef.h>
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
    TrnTerrain *terrain;                          ///< NULL: nothing is left to draw
    TrnBlockTypes *types;                         ///< created with the first map
    int step;                                     ///< chunks drawn
    uint8_t rgb[LAND_MAP_EDGE][LAND_MAP_EDGE][3]; ///< sRGB; north above, west left
} LandMap;

/// Begins the map of a land; what was drawn before stays until it is drawn over.
/// @return false if there is no memory for it
bool land_map_begin(LandMap *map, uint64_t seed, const TrnTerrainShape *shape);

/// Draws the next 32 x 32 pixels. Cost: some ms. @return whether the picture has changed
bool land_map_step(LandMap *map);

void land_map_free(LandMap *map);

#ifdef __cplusplus
}
#endif

#endif

/// The picture of the map: square tiles at several zooms, drawn in small pieces so that no frame
/// waits. Land that was not seen is darker.
///
/// Threads: that of the world's updates.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WORLD_MAP_EDGE 256 ///< of a tile, pixels
#define WORLD_MAP_TILES 256
#define WORLD_MAP_ZOOMS 7 ///< zoom n has 2^n voxels a pixel

/// A part of the map. North (-z) is up.
typedef struct WorldMapView {
    double center[2]; ///< x and z, voxels
    int zoom;         ///< 0..WORLD_MAP_ZOOMS - 1
    int width, height;
} WorldMapView;

/// A drawn tile.
typedef struct WorldMapTile {
    int zoom;
    int64_t x, z;       ///< its number from the origin
    const uint8_t *rgb; ///< [EDGE * EDGE * 3] rows from the north
    uint32_t picture;   ///< another number for each picture, never 0; 0: not drawn yet
} WorldMapTile;

typedef struct WorldMap WorldMap;
struct SeenLand;

/// @param land  borrowed
/// @return NULL if out of memory
WorldMap *world_map_create(struct SeenLand *land);
/// @param map  may be NULL
void world_map_destroy(WorldMap *map);

/// Voxels that a pixel covers along an edge.
int64_t world_map_scale(int zoom);

/// The least pixels of the screen that a pixel of the map must have, so that a view has room in the
/// tiles: 1 up to some 3000 x 2000 pixels.
/// @param width,height  pixels of the screen
int world_map_unit(int width, int height);

/// Lets tiles be drawn again where the land may have changed since the last call: call it when the
/// map is opened. They keep their old picture until then.
/// @param loaded  the chunks that may be loaded now
void world_map_refresh(WorldMap *map, TrnBox loaded);

/// Draws pieces of the tiles of a view, the nearest to its middle first.
/// @param ms  begins no piece after this time but the first; a piece takes up to some ms
/// @return whether tiles of the view are left to draw
bool world_map_work(WorldMap *map, const WorldMapView *view, double ms);

/// Returns a tile. @param slot  below WORLD_MAP_TILES; it keeps its number
WorldMapTile world_map_tile(const WorldMap *map, int slot);

#ifdef __cplusplus
}
#endif

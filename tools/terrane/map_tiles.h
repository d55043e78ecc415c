/// `terrane map --tiles`: draws land from above as a folder of tiles that a page zooms into.
///
/// Zoom 0 is one tile; each further zoom shows twice as much detail, and tile x, y of one covers
/// the tiles 2x, 2y to 2x + 1, 2y + 1 of the next. x runs east and y south from the north-western
/// corner, as in other maps of the web.
#pragma once

#include "map/map_draw.h"

#define MAP_TILE_PIXELS 256  ///< edge of a tile
#define MAP_BLOCK_TILES 4    ///< edge of what is drawn in one go, in tiles of the last zoom
#define MAP_PYRAMID_ZOOMS 12 ///< the most: 2048 tiles on a side

/// Which tiles a map has.
typedef struct MapPyramid {
    int64_t west, north; ///< the voxel of the corner of tile 0, 0
    int64_t scale;       ///< voxels a pixel at the last zoom
    int columns, rows;   ///< tiles at the last zoom
    int last_zoom;
} MapPyramid;

typedef struct MapTile {
    int zoom, x, y;
} MapTile;

/// Returns the pyramid of a plan from above, which grows to whole tiles. Their borders are
/// multiples of a tile's edge in voxels, so that maps that overlap have equal tiles.
MapPyramid map_pyramid_of(const MapPlan *plan);

/// The tiles of a zoom, from the north-western one on.
int map_pyramid_columns(const MapPyramid *pyramid, int zoom);
int map_pyramid_rows(const MapPyramid *pyramid, int zoom);
bool map_pyramid_has(const MapPyramid *pyramid, MapTile tile);

/// The number of tiles of all zooms.
int64_t map_pyramid_tiles(const MapPyramid *pyramid);

/// The plan that draws tiles of the last zoom. @param first  the north-western one
MapPlan map_pyramid_plan(const MapPyramid *pyramid, MapTile first, int columns, int rows);

/// Returns a number that is the same for the same text, everywhere.
uint64_t map_hash_text(const char *text);

typedef struct MapTilesDef {
    const char *folder;
    MapPyramid pyramid;
    MapSource *source; ///< borrowed
    const char *land;  ///< which land it is, in printable ASCII without quotes
    /// Processes that draw a world of this database share the work; NULL: there is none
    const struct TrnStorage *storage;
} MapTilesDef;

/// Draws a pyramid: the page index.html, what it shows in tiles.json, and tiles as ZOOM/X/Y.png.
/// Tiles appear complete, and those of a zoom after all that they are made from, so the same call
/// goes on where another one ended, however it did. A folder with tiles of another map is refused.
/// @param drawn  receives the number of tiles that this process wrote
/// Memory: that of a MapDrawing of four tiles, and 1 MiB.
bool map_tiles_draw(const MapTilesDef *def, int64_t *drawn, Message *problem);

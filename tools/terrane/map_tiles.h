/// `terrane map --tiles`: draws land from above as a folder of tiles that a page zooms into.
#ifndef TERRANE_TOOL_MAP_TILES_H
#define TERRANE_TOOL_MAP_TILES_H

#include "map_pyramid.h"

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
/// Memory: that of map_draw_rows for four tiles, and 1 MiB.
bool map_tiles_draw(const MapTilesDef *def, int64_t *drawn, Message *problem);

#endif

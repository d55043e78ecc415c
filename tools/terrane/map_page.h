/// The page that shows a map of tiles, and the file that says what the tiles are.
#ifndef TERRANE_TOOL_MAP_PAGE_H
#define TERRANE_TOOL_MAP_PAGE_H

#include "map_pyramid.h"

/// The colour around the land: of the page and of tiles that reach beyond the map.
#define MAP_PAGE_OUTSIDE                                                                           \
    {                                                                                              \
        12, 10, 14                                                                                 \
    }

/// Returns a number that is the same for the same text, everywhere.
uint64_t map_page_hash_text(const char *text);

/// Returns a number of a map: the same for the same map.
uint64_t map_page_hash(const MapPyramid *pyramid, const char *land);

/// Makes a folder with tiles.json and index.html, unless it has them.
/// @param land  which land it is, in printable ASCII without quotes
/// @return false with a message if the folder has another map, or a file cannot be written
bool map_page_write(const char *folder, const MapPyramid *pyramid, const char *land,
                    Message *problem);

#endif

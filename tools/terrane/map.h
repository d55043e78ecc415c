/// `terrane map`: draws the land of a seed, or a world, as a PNG or as tiles.
#ifndef TERRANE_TOOL_MAP_H
#define TERRANE_TOOL_MAP_H

#include "map_options.h"

/// Draws the picture, or the tiles. On failure no file is left, or complete tiles.
bool map_run(const MapOptions *options, Message *problem);

#endif

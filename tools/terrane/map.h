/// `terrane map`: draws the land of a seed as a PNG.
#ifndef TERRANE_TOOL_MAP_H
#define TERRANE_TOOL_MAP_H

#include "map_options.h"

/// Draws the picture and puts it in its place; when that fails, nothing is left behind.
bool map_run(const MapOptions *options, Message *problem);

#endif

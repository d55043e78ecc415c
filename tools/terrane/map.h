/// `terrane map`: draws the land of a seed as a PNG.
#ifndef TERRANE_TOOL_MAP_H
#define TERRANE_TOOL_MAP_H

#include "map_options.h"

/// Draws the picture. On failure no file is left.
bool map_run(const MapOptions *options, Message *problem);

#endif

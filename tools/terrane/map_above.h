/// Draws the land from above.
#ifndef TERRANE_TOOL_MAP_ABOVE_H
#define TERRANE_TOOL_MAP_ABOVE_H

#include "map_job.h"

/// Draws a job whose canvas is empty.
bool map_above_draw(MapJob *job);

#endif

/// Draws a vertical section through the land.
#ifndef TERRANE_TOOL_MAP_SECTION_H
#define TERRANE_TOOL_MAP_SECTION_H

#include "map_job.h"

/// Draws a job whose canvas is empty.
bool map_section_draw(MapJob *job);

/// Returns how many steps a section takes.
int64_t map_section_steps(const MapAxis *across, const MapAxis *down);

#endif

/// What both ways to draw a map share.
#ifndef TERRANE_TOOL_MAP_DRAW_IMPL_H
#define TERRANE_TOOL_MAP_DRAW_IMPL_H

#include "map_canvas.h"
#include "map_draw.h"
#include "progress.h"

typedef struct MapJob {
    MapSource *source;
    MapAxis across, down;
    int64_t cut; ///< of a section: the voxel z
    MapCanvas canvas;
    Progress progress;
    Message *problem;
} MapJob;

/// Each draws a job whose canvas is empty.
bool map_draw_above(MapJob *job);
bool map_draw_section(MapJob *job);

/// How many steps a section takes.
int64_t map_section_steps(const MapAxis *across, const MapAxis *down);

/// Between two chunks: shows progress. @param result  of the source
/// @return false when the result is an error, or a signal came
bool map_job_step(MapJob *job, TrnResult result);

#endif

/// A map being drawn.
#ifndef TERRANE_TOOL_MAP_JOB_H
#define TERRANE_TOOL_MAP_JOB_H

#include "map_canvas.h"
#include "map_source.h"

typedef struct MapJob {
    MapSource *source;
    MapAxis across, down;
    int64_t cut; ///< of a section: the voxel z
    MapCanvas canvas;
    MapSink sink;
    Message *problem;
} MapJob;

/// Call it after each chunk. @param result  of the source
/// @return false if the result is an error, or the sink stops the job
bool map_job_step(MapJob *job, TrnResult result);

#endif

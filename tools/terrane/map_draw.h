/// Draws maps: the land from above, or a vertical section.
#ifndef TERRANE_TOOL_MAP_DRAW_H
#define TERRANE_TOOL_MAP_DRAW_H

#include "image.h"
#include "map_axis.h"
#include "map_sink.h"
#include "map_source.h"

/// What to draw.
typedef struct MapPlan {
    bool is_section;
    /// voxels; y is unused from above, z is the cut of a section
    int64_t center_x, center_y, center_z;
    int width, height; ///< pixels, 1 and more
    int64_t scale;     ///< voxels a pixel, 1 and more
} MapPlan;

/// Whether the picture lies in the world. If not, the message says how far it would reach.
bool map_plan_check(const MapPlan *plan, Message *problem);

/// Draws a checked plan into a sink.
/// @return false if the source or the sink fails
/// Cost: every chunk of the picture once. Memory: from above 28 bytes for each pixel of the rows
/// that one chunk covers; of a section the same and 32 bytes a pixel of a row.
bool map_draw_rows(const MapPlan *plan, MapSource *source, MapSink sink, Message *problem);

/// Draws a checked plan as map_draw_rows, and writes its rows. Shows progress if stderr is a
/// terminal.
/// @param writer  of the plan's width and height; the caller finishes it
/// @return false if the source or the writer fails, or a signal came (interrupt.h)
bool map_draw(const MapPlan *plan, MapSource *source, ImageWriter *writer, Message *problem);

#endif

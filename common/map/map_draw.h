/// Draws maps: the land from above, or a vertical section, step by step.
#pragma once

#include "map/map_canvas.h"

/// What to draw.
typedef struct MapPlan {
    bool is_section;
    /// One sample a pixel of a source with levels, and nothing read beyond the picture's edges: a
    /// preview.
    bool is_quick;
    /// Of a source with levels: one sample a pixel, of levels from two voxels a pixel on. Quick,
    /// without trees where no chunk differs; fits the pictures next to it.
    bool is_smooth;
    /// voxels; y is unused from above, z is the cut of a section
    int64_t center_x, center_y, center_z;
    int width, height; ///< pixels, 1 and more
    int64_t scale;     ///< voxels a pixel, 1 and more
} MapPlan;

/// Whether the picture lies in the world. If not, the message says how far it would reach.
bool map_plan_check(const MapPlan *plan, Message *problem);

/// The chunks that a plan reads, or a few more.
TrnBox map_plan_chunks(const MapPlan *plan);

/// A picture in progress. Threads: one at a time.
typedef struct MapDrawing MapDrawing;

/// Begins the picture of a checked plan.
/// @param source   borrowed
/// @param row      receives the rows, each with the step that completes it
/// @param drawing  receives the drawing; free it with map_drawing_destroy
/// Memory: from above 28 bytes for each pixel of the rows that one chunk covers; of a section the
/// same and 32 bytes a pixel of a row.
bool map_drawing_create(MapDrawing **drawing, const MapPlan *plan, MapSource *source, MapRow *row,
                        void *user, Message *problem);

/// The number of steps until the picture is complete.
int64_t map_drawing_left(const MapDrawing *drawing);

/// Draws the next chunk, or column of chunks. Only if steps are left.
/// @return false with a message if the source or `row` fails; then destroy the drawing
/// Cost: that of the chunk or column; all steps together read each chunk of the picture once.
bool map_drawing_step(MapDrawing *drawing, Message *problem);

/// @param drawing  may be NULL
void map_drawing_destroy(MapDrawing *drawing);

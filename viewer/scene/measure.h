/// Collects the measurements of the last frame into series.
#pragma once

#include "scene/viewer.h"
#include "series/series.h"

/// The stats that the measurements were taken from.
typedef struct Measured {
    WorldStats world;
    RendererStats renderer;
    DebrisStats debris; ///< zeroes if there is no debris
} Measured;

/// Fills in what world and renderer measure: gathers, culling, quads, chunks, debris, memory. Other
/// values, such as the times of the frame, stay as they are.
/// @param update  of this frame
/// @return the stats used: asking the stream takes some 15 us at a view distance of 16, so it is
/// asked once a frame
Measured measure_frame(const Viewer *viewer, const TrnStreamReport *update, SeriesFrame *frame);

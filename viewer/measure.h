/// What the parts of the viewer know about the frame that was drawn last, as series.
#ifndef TERRANE_VIEWER_MEASURE_H
#define TERRANE_VIEWER_MEASURE_H

#include "series/series.h"
#include "viewer.h"

/// What the parts have told.
typedef struct Measured {
    WorldStats world;
    RendererStats renderer;
    DebrisStats debris; ///< zeroes if there is no debris
} Measured;

/// Fills in all that the parts tell: gathers, culling, quads, chunks, debris, memory. What only the
/// caller knows (the frame's times, the update's, recording) stays as it was.
/// @param update  of this frame
/// @return what that was taken from: to ask the stream costs some 15 us at a view distance of 16,
/// so that it is asked once a frame
Measured measure_frame(const Viewer *viewer, const TrnStreamReport *update, SeriesFrame *frame);

#endif

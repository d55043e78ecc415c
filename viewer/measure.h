/// What the parts of the viewer know about the frame that was drawn last, as series.
#ifndef TERRANE_VIEWER_MEASURE_H
#define TERRANE_VIEWER_MEASURE_H

#include "series/series.h"
#include "viewer.h"

/// Fills in all that the parts tell: gathers, culling, quads, chunks, debris, memory. What only the caller knows (the frame's times, the
/// update's, recording) stays as it was.
/// @param update  of this frame
/// Cost: some us.
void measure_frame(const Viewer *viewer, const TrnStreamReport *update, SeriesFrame *frame);

#endif

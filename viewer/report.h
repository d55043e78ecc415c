/// The table that a headless flight ends with.
#ifndef TERRANE_VIEWER_REPORT_H
#define TERRANE_VIEWER_REPORT_H

#include <stdio.h>

#include "viewer.h"

/// @param update_ms  what loading and meshing took of each frame
void report_print(FILE *stream, Viewer *viewer, Samples *frame_ms, Samples *update_ms);

#endif

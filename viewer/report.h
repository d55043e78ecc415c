/// The table that a headless flight ends with.
#ifndef TERRANE_VIEWER_REPORT_H
#define TERRANE_VIEWER_REPORT_H

#include <stdio.h>

#include "viewer.h"

void report_print(FILE *stream, Viewer *viewer, Samples *frame_ms);

#endif

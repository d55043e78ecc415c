/// The table that a headless flight ends with.
#ifndef TERRANE_VIEWER_REPORT_H
#define TERRANE_VIEWER_REPORT_H

#include <stdio.h>

#include "series/series.h"
#include "viewer.h"

/// @param log  of all frames of the flight
/// @return false when there is no memory to sum up; nothing is printed then
bool report_print(FILE *stream, const Viewer *viewer, const SeriesLog *log);

#endif

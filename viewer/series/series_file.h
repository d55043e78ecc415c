/// Series as CSV: one row a frame, one column a series, with a first row of their names. What was
/// not measured is empty.
#ifndef TERRANE_VIEWER_SERIES_FILE_H
#define TERRANE_VIEWER_SERIES_FILE_H

#include "message.h"
#include "series/series.h"
#include "whole_file.h"

/// Opens a file, so that a place that cannot be written is told before the flight. @param whole  to
/// be finished or dropped
/// @param path  borrowed until then
bool series_file_open(WholeFile *whole, const char *path, Message *problem);

/// Writes all frames and puts the file in its place; nothing is left behind when that fails.
bool series_file_finish(WholeFile *whole, const SeriesLog *log, Message *problem);

#endif

/// Series as CSV: one row a frame, one column a series, with their names in the first row. Figures
/// that were not measured are empty.
#ifndef TERRANE_VIEWER_SERIES_FILE_H
#define TERRANE_VIEWER_SERIES_FILE_H

#include "message.h"
#include "series/series.h"
#include "whole_file.h"

/// Opens the file, so that an unwritable path is reported before the flight.
/// @param whole  to be finished or dropped
/// @param path  borrowed until then
bool series_file_open(WholeFile *whole, const char *path, Message *problem);

/// Writes all frames and renames the file into place; on failure no file is left.
bool series_file_finish(WholeFile *whole, const SeriesLog *log, Message *problem);

#endif

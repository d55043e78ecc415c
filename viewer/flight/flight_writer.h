/// Writes recordings: the text that flight.h describes, line by line, into a file that is there
/// entirely or not at all (whole_file.h).
#ifndef TERRANE_VIEWER_FLIGHT_WRITER_H
#define TERRANE_VIEWER_FLIGHT_WRITER_H

#include "flight/flight.h"

typedef struct FlightWriter FlightWriter;

/// Opens a recording and tries whether it can be written. What is there and no regular file is
/// written to directly.
/// @param path  copied
bool flight_writer_create(FlightWriter **writer, const char *path, const FlightHead *head,
                          Message *problem);

/// Leaves nothing behind of a recording that was not finished. @param writer  may be NULL
void flight_writer_destroy(FlightWriter *writer);

/// Notes where the camera is. A key that comes less than FLIGHT_STEP_MIN after the last one is left
/// out, and so is one in the middle of a rest: the path stays the same.
/// @param pose  as in FlightKey: yaw not wrapped
/// Cost: some us.
void flight_writer_key(FlightWriter *writer, double seconds, const double pose[5]);

/// Notes something that was done. @param types  those that its blocks belong to
void flight_writer_edit(FlightWriter *writer, double seconds, const HandEdit *edit,
                        const TrnBlockTypes *types);

/// What went wrong so far, as in errno; 0: nothing. Nothing more is written after it.
int flight_writer_error(const FlightWriter *writer);

/// Writes the end and puts the file in its place. What comes later is not recorded.
/// @param note  receives what was written
/// @return false when not all of it could be written; nothing is left behind then
bool flight_writer_finish(FlightWriter *writer, Message *note, Message *problem);

#endif

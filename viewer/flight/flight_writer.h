/// Writes recordings in the format of flight.h, line by line, into a file that appears complete or
/// not at all (whole_file.h).
#ifndef TERRANE_VIEWER_FLIGHT_WRITER_H
#define TERRANE_VIEWER_FLIGHT_WRITER_H

#include "flight/flight.h"

typedef struct FlightWriter FlightWriter;

/// Opens a recording, and checks that it can be written. A path that exists and is not a regular
/// file is written to directly.
/// @param path  copied
bool flight_writer_create(FlightWriter **writer, const char *path, const FlightHead *head,
                          Message *problem);

/// Removes a recording that was not finished. @param writer  may be NULL
void flight_writer_destroy(FlightWriter *writer);

/// Records the camera's pose. A key less than FLIGHT_STEP_MIN after the last one is left out, and
/// so is one in the middle of a rest; the path stays the same.
/// @param pose  as in FlightKey: yaw not wrapped
/// Cost: some us.
void flight_writer_key(FlightWriter *writer, double seconds, const double pose[5]);

/// Records an edit. @param types  the types of its blocks
void flight_writer_edit(FlightWriter *writer, double seconds, const HandEdit *edit,
                        const TrnBlockTypes *types);

/// Returns the first error, as in errno; 0: none. After an error nothing more is written.
int flight_writer_error(const FlightWriter *writer);

/// Writes the end and renames the file into place. Later keys and edits are not recorded.
/// @param note  receives what was written
/// @return false if writing failed; no file is left then
bool flight_writer_finish(FlightWriter *writer, Message *note, Message *problem);

#endif

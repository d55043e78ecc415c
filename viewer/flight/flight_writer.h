/// Writes recordings in the format of flight.h, line by line, into a file that appears complete or
/// not at all (whole_file.h).
#pragma once

#include "flight/flight.h"

typedef struct FlightWriter FlightWriter;

/// Opens a recording, and checks that it can be written. If the path exists and is not a regular
/// file, writes to it directly.
/// @param path  copied
bool flight_writer_create(FlightWriter **writer, const char *path, const FlightHead *head,
                          Message *problem);

/// Deletes an unfinished recording. @param writer  may be NULL
void flight_writer_destroy(FlightWriter *writer);

/// Records the camera's pose. Omits a key less than FLIGHT_STEP_MIN after the last one, and a key
/// in the middle of a rest; the path stays the same.
/// @param pose  as in FlightKey: yaw not wrapped
/// Cost: some us.
void flight_writer_key(FlightWriter *writer, double seconds, const double pose[5]);

/// Records an edit. @param types  block types of the edit
void flight_writer_edit(FlightWriter *writer, double seconds, const HandEdit *edit,
                        const TrnBlockTypes *types);

/// Returns the first error as an errno value; 0: none. After an error nothing more is written.
int flight_writer_error(const FlightWriter *writer);

/// Writes the end and renames the file into place. Later keys and edits are not recorded.
/// @param note  receives what was written
/// @return false if writing failed; then no file is left
bool flight_writer_finish(FlightWriter *writer, Message *note, Message *problem);

/// The same, but replaces no file.
/// @param is_taken  receives whether a file has the name: give it another, and call again
/// @param news      receives what was written, or why not
bool flight_writer_finish_new(FlightWriter *writer, bool *is_taken, Message *news);

/// Gives the recording another path in its folder. @param path  copied
bool flight_writer_set_path(FlightWriter *writer, const char *path, Message *problem);

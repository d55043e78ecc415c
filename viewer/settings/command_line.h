/// The command line, read into the settings by their table.
#pragma once

#include "flight/flight.h"
#include "settings/settings.h"

/// The viewer's options: the rows of settings.h, and the other texts of the help.
extern const OptionProgram VIEWER;

/// Reads the command line over the defaults, and reads the file that --terrain names. Strings are
/// borrowed from argv.
OptionsAsk command_line_read(Settings *settings, int argc, char **argv, Message *problem);

/// Returns a recording's header for the land and the view, without the land's mark:
/// command_line_take_flight reads the same fields.
FlightHead command_line_flight_head(const Settings *settings);

/// Whether --pictures requests a picture of a frame.
bool command_line_wants_picture(const Settings *settings, int frame);

/// Returns the first frame that --pictures names beyond a flight of `frames` frames, or -1 if none.
int command_line_picture_behind(const Settings *settings, int frames);

/// Takes over the land and the view of a recording, unless the command line sets them.
/// @param name    of the flight, for messages
/// @param flight  borrows the preset's name to the settings
bool command_line_take_flight(Settings *settings, const char *name, const Flight *flight,
                              Message *problem);

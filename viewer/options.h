/// The command line, which fills in the settings by their table.
#ifndef TERRANE_VIEWER_OPTIONS_H
#define TERRANE_VIEWER_OPTIONS_H

#include <stdio.h>

#include "flight/flight.h"
#include "settings/settings.h"

/// Reads the command line over the defaults, and the file that --terrain names. Strings are
/// borrowed from argv. Not for two threads at once: getopt_long keeps its place globally.
/// @param argv  may be reordered
bool options_parse(Settings *settings, int argc, char **argv, Message *problem);

/// What a recording says of the land and the view, except the land's mark: what
/// options_take_flight takes.
FlightHead options_flight_head(const Settings *settings);

/// Whether --pictures asks for a picture of a frame.
bool options_wants_picture(const Settings *settings, int frame);

/// The first frame that --pictures names and that a flight of `frames` frames does not have; -1 if
/// there is none.
int options_picture_behind(const Settings *settings, int frames);

/// Takes over what a recording says of the land and the view, if the command line says nothing.
/// @param name    of the flight, for messages
/// @param flight  the preset's name is borrowed from it
bool options_take_flight(Settings *settings, const char *name, const Flight *flight,
                         Message *problem);

void options_print_help(FILE *stream);

#endif

/// Flies the built-in flights, and writes a report about them in one HTML file.
#pragma once

#include "flight/flight.h"
#include "settings/command_line.h"

/// Writes into the folder Settings.benchmark: report.html, which needs no other file; for each
/// flight NAME.csv with all series, and NAME.gnuplot, which draws the plots of the page. Runs
/// gnuplot if it is installed. Prints progress to standard error.
/// @param flight  the flight to fly; NULL: all built-in ones
/// @return false if a flight failed; the files of earlier flights stay
bool benchmark_run(const Settings *settings, const Flight *flight, Message *problem);

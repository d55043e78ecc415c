/// Flies all flights that are built in, and writes a page about them that can be sent on its own.
#ifndef TERRANE_VIEWER_BENCHMARK_H
#define TERRANE_VIEWER_BENCHMARK_H

#include "flight/flight.h"
#include "options.h"

/// Writes into the folder Settings.benchmark: report.html, which needs no other file; of each
/// flight NAME.csv with all series, and NAME.gnuplot, which draws the plots of the page, where
/// gnuplot is there. Tells on standard error how far it is.
/// @param flight  the only one that is flown; NULL: all that are built in
/// @return false where something went wrong; what was finished until then stays
bool benchmark_run(const Settings *settings, const Flight *flight, Message *problem);

#endif

/// Flies without a visible window, exactly the same every time, and reports what it measured.
#ifndef TERRANE_VIEWER_HEADLESS_H
#define TERRANE_VIEWER_HEADLESS_H

#include "flight.h"
#include "options.h"

/// Writes the picture flight.png and prints the figures on stdout.
bool headless_run(const Options *options, const Flight *flight, Message *problem);

#endif

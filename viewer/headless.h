/// Flies or walks without a visible window, exactly the same every time, and reports what it measured.
#ifndef TERRANE_VIEWER_HEADLESS_H
#define TERRANE_VIEWER_HEADLESS_H

#include "flight.h"
#include "options.h"
#include "route.h"

/// Writes the picture flight.png and prints the figures on stdout.
/// @param walk  where somebody is led on foot instead of flying; without points: nowhere
bool headless_run(const Options *options, const Flight *flight, const Route *walk,
                  Message *problem);

#endif

/// Flies in a window, by hand.
#ifndef TERRANE_VIEWER_INTERACTIVE_H
#define TERRANE_VIEWER_INTERACTIVE_H

#include "flight.h"
#include "options.h"

/// Runs until the window is closed.
/// @param flight  where the camera starts
/// @param play    whether the flight is flown before the controls are handed over
bool interactive_run(const Options *options, const Flight *flight, bool play, Message *problem);

#endif

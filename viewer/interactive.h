/// Flies in a window, by hand.
#ifndef TERRANE_VIEWER_INTERACTIVE_H
#define TERRANE_VIEWER_INTERACTIVE_H

#include "flight.h"
#include "options.h"
#include "settings_file.h"

/// Runs until the window is closed, and prints then where the camera is, as an option --at.
/// @param settings  what is in effect; changed in the pause menu
/// @param file      where they are kept: what is changed is written there
/// @param flight  where the camera starts
/// @param play    whether the flight is flown before the controls are handed over
bool interactive_run(const Options *options, Settings *settings, SettingsFile *file,
                     const Flight *flight, bool play, Message *problem);

#endif

/// Flies in a window, by hand.
#ifndef TERRANE_VIEWER_INTERACTIVE_H
#define TERRANE_VIEWER_INTERACTIVE_H

#include "flight/flight.h"
#include "settings/settings_file.h"

/// Runs until the window is closed, and prints then where the camera is, as an option --at.
/// @param settings  what is in effect; changed in the pause menu
/// @param file      where they are kept: what is changed is written there
/// @param flight    where the camera starts; flown before the controls are handed over where the
///                  command line names one
bool interactive_run(Settings *settings, SettingsFile *file, const Flight *flight,
                     Message *problem);

#endif

/// Flies in a window, by hand.
#ifndef TERRANE_VIEWER_INTERACTIVE_H
#define TERRANE_VIEWER_INTERACTIVE_H

#include "flight/flight.h"
#include "settings/settings_file.h"

typedef struct Interactive Interactive;

typedef enum InteractiveStep {
    INTERACTIVE_GOES_ON,
    INTERACTIVE_OVER,  ///< the player has quit, and the world is saved
    INTERACTIVE_LEFT,  ///< the same, but the start screen shall follow
    INTERACTIVE_FAILED ///< or a signal came
} InteractiveStep;

/// Opens the window and begins the flight. Settings, file and flight must outlive the run.
/// @param run       receives the run, or NULL if memory is out; pass it to interactive_end in
///                  either case
/// @param settings  what is in effect; changed in the pause menu
/// @param file      where they are kept: what is changed is written there
/// @param flight    where the camera starts; flown before the controls are handed over where the
///                  command line names one
/// @return false, with the reason, if it cannot begin; then only interactive_end may follow
bool interactive_begin(Interactive **run, Settings *settings, SettingsFile *file,
                       const Flight *flight, Message *problem);

/// Draws one frame. Never waits longer than window_poll does, so that a page can call it too.
/// @param problem  receives the reason of INTERACTIVE_FAILED
InteractiveStep interactive_frame(Interactive *run, Message *problem);

/// Saves the world and the settings, closes the window, and prints where the camera was, as an
/// option --at.
/// @param run   may be NULL
/// @param good  whether the last step was INTERACTIVE_OVER or INTERACTIVE_LEFT
/// @param problem  receives why not all was saved; otherwise it keeps its text
/// @return good, and everything is saved
bool interactive_end(Interactive *run, bool good, Message *problem);

/// All three: runs until the window is closed, or the player goes back to the start screen.
/// @param leaves  receives whether the start screen shall follow
bool interactive_run(Settings *settings, SettingsFile *file, const Flight *flight, bool *leaves,
                     Message *problem);

#endif

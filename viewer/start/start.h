/// The start screen: whether it is shown, and what becomes of the person's choice.
#ifndef TERRANE_VIEWER_START_H
#define TERRANE_VIEWER_START_H

#include "settings/settings.h"
#include "start/worlds_folder.h"

/// Texts of a choice that the settings borrow.
typedef struct Start {
    char world[WORLDS_PATH_MAX];
    char place[256];
} Start;

/// Whether the viewer begins with the start screen: in a window, unless an option says what to do.
bool start_is_wanted(const Settings *settings);

/// Shows the start screen in a window of its own until the person has chosen, and takes the choice
/// into the settings.
/// @param start  must outlive the settings
/// @param quits  receives whether the person wants to leave
/// @return false if there is no window, a signal came, or the file of --settings cannot be read
bool start_run(Start *start, Settings *settings, bool *quits, Message *problem);

#endif

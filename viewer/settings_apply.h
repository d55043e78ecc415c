/// Takes changed settings into a running viewer.
#ifndef TERRANE_VIEWER_SETTINGS_APPLY_H
#define TERRANE_VIEWER_SETTINGS_APPLY_H

#include "viewer.h"

/// Brings about what differs between two settings, each row by its effect (SettingEffect). What
/// cannot be stays as it was.
/// @param settings  those of the viewer; receive what came about
/// @param problem   receives why something did not; empty if all did
/// @return false when there is no world any more: see VIEWER_LOST
bool settings_apply(Viewer *viewer, Settings *settings, const Settings *wished, Message *problem);

#endif

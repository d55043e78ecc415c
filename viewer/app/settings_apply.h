/// Applies changed settings to a running viewer.
#pragma once

#include "scene/viewer.h"

/// Applies each setting that differs between `settings` and `wished`, by its effect
/// (SettingEffect). A setting that cannot be applied keeps its value.
/// @param settings  the viewer's; receive the applied values
/// @param problem   receives why a setting could not be applied; empty if all were
/// @return false if no world is open any more: see VIEWER_LOST
bool settings_apply(Viewer *viewer, Settings *settings, const Settings *wished, Message *problem);

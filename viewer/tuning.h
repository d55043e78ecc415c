/// What a person sets in the panels: between the panels, which know numbers, and the parts that
/// take them up.
#ifndef TERRANE_VIEWER_TUNING_H
#define TERRANE_VIEWER_TUNING_H

#include "panels/panel.h"
#include "settings.h"
#include "viewer.h"

typedef struct Tuning {
    Options options;    ///< those of the viewer from tuning_begin on
    double budget_ms;   ///< of an update; 0: as nobody has chosen one
    PanelNames names;   ///< for the panel
    Settings *settings; ///< borrowed; takes over what belongs there
} Tuning;

/// @param viewer  is open; its options are a copy from now on, that changes. `tuning` stays where
///                it is until the viewer is closed
void tuning_begin(Tuning *tuning, Viewer *viewer, Settings *settings);

/// How things are.
/// @param budget_ms  of an update, if nobody has chosen one
PanelSettings tuning_settings(const Tuning *tuning, const Viewer *viewer, double budget_ms);

/// Brings about what is wished. What cannot be stays as it is.
/// @param problem  receives why; empty where nothing was in the way
/// @return false when there is no world any more: see VIEWER_LOST
bool tuning_apply(Tuning *tuning, Viewer *viewer, const PanelSettings *before,
                  const PanelSettings *wished, Message *problem);

#endif

/// Mode BOX: the player marks a box of the world by two corners and saves it as a schematic.
#pragma once

#include "app/session.h"
#include "panels/panel_building.h"

/// All zeroes: no box was marked yet. It stays marked until the world is closed.
typedef struct BoxMode {
    bool has_corner[2];
    TrnVoxel corner[2]; ///< in any order
    bool is_saving;     ///< the form is open
    Outline outline;
    Message text, hint; ///< of the panel; of the picture
    Message wrong;      ///< why it was not saved; empty: none
    Message saved;      ///< what was saved; empty: nothing
} BoxMode;

void box_mode_begin(BoxMode *mode, Session *session);
void box_mode_end(Session *session);

/// Whether the form takes keys and mouse.
bool box_mode_has_panel(const BoxMode *mode);

/// Marks corners, and opens the form. @param input  of a batch of events, so that what is typed
/// behind the key that opens the form goes into it; ignored while the form is open
void box_mode_press(BoxMode *mode, Session *session, const Input *input);

/// Shows the box. Once a frame.
void box_mode_step(BoxMode *mode, Session *session);

/// Returns what the panel shows; valid until the next step.
BuildingFigures box_mode_figures(BoxMode *mode);
/// Returns the line over the picture.
const char *box_mode_hint(BoxMode *mode, const Session *session);

/// Does what the player chose in the form. @return whether the mode is over
bool box_mode_take(BoxMode *mode, Session *session, const BuildingChoice *choice);

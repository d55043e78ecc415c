/// Mode BUILDING: a file is chosen and read; a world goes to the start screen, and a building to
/// where the player looks: its box is shown there, turned and mirrored, until it is put there.
#pragma once

#include "app/session.h"
#include "building/building.h"
#include "panels/panel_building.h"

typedef enum BuildingStage {
    BUILDING_CHOOSES, ///< a file
    BUILDING_WAITS,   ///< until it is read
    BUILDING_ASKS,    ///< where it goes
    BUILDING_AIMS,    ///< its box follows the eyes
    BUILDING_TURNS    ///< it is put there as soon as it is turned
} BuildingStage;

/// All zeroes: nothing was opened yet.
typedef struct BuildingMode {
    BuildingStage stage;
    Building *building;       ///< of WAITS and later
    TrnImportPlace place;     ///< as it is put
    bool clears;              ///< its whole box becomes air first
    bool is_held;             ///< its box stays where it is
    TrnVoxel corner;          ///< lowest voxel of its box
    int64_t raised;           ///< voxels above what the player looks at
    Outline outline;          ///< its box
    Message text, hint;       ///< of the panel; of the picture
    Message wrong;            ///< about the last choice; empty: none
    char path[FILE_PATH_MAX]; ///< of what goes into a new world
} BuildingMode;

/// Begins with the choice of a file, or with a file. @param path  NULL: one is to be chosen
/// @return false if that is not possible here; a notice says why
bool building_mode_begin(BuildingMode *mode, Session *session, const char *path);
void building_mode_end(BuildingMode *mode, Session *session);

/// Whether a panel takes keys and mouse.
bool building_mode_has_panel(const BuildingMode *mode);

/// Looks whether the file is read, moves its box, and puts the building there when it is turned.
/// @param input  of the frame; ignored while there is a panel
/// @return whether the mode is over
bool building_mode_step(BuildingMode *mode, Session *session, const Input *input);

/// Returns what the panel shows; valid until the next step.
BuildingFigures building_mode_figures(BuildingMode *mode, const Session *session);
/// Returns the line over the picture, or NULL.
const char *building_mode_hint(BuildingMode *mode, const Session *session);

/// What the player chose in the panel.
typedef enum BuildingModeNext {
    BUILDING_STAYS,
    BUILDING_IS_OVER,
    BUILDING_IMPORTS ///< mode->path goes into a new world
} BuildingModeNext;

BuildingModeNext building_mode_take(BuildingMode *mode, Session *session,
                                    const BuildingChoice *choice);

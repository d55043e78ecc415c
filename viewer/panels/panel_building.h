/// The panels for buildings (Dear ImGui), behind a C header: the choice of a file, the question
/// where it goes, and the form that saves a box of the world.
#pragma once

#include <stdint.h>

#include "files/file_list.h"
#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum BuildingPage {
    BUILDING_PAGE_CHOOSE, ///< a file to open
    BUILDING_PAGE_READ,   ///< the file is being read
    BUILDING_PAGE_ASK,    ///< where it goes
    BUILDING_PAGE_SAVE    ///< a box: name, folder and format
} BuildingPage;

/// What the panel shows; borrowed.
typedef struct BuildingFigures {
    BuildingPage page;
    const char *text;  ///< READ, ASK: about the file; SAVE: about the box
    const char *wrong; ///< why the last choice failed, or NULL
    const char *saved; ///< SAVE: what was written, or NULL
    bool may_place;    ///< ASK: it is a building that fits into this world
    bool clears;       ///< ASK: its whole box becomes air first
} BuildingFigures;

typedef enum BuildingAct {
    BUILDING_NOTHING,
    BUILDING_CLOSE,
    BUILDING_OPEN,      ///< CHOOSE: `path`
    BUILDING_PLACE,     ///< ASK: into this world
    BUILDING_NEW_WORLD, ///< ASK: into a new world
    BUILDING_SAVE,      ///< SAVE: `name`, `folder`, `format`
    BUILDING_MARK       ///< SAVE: back to the box
} BuildingAct;

/// The player's choice in this frame.
typedef struct BuildingChoice {
    BuildingAct act;
    bool clears; ///< as the figures have it, or changed
    char path[FILE_PATH_MAX], folder[FILE_PATH_MAX];
    char name[FILE_NAME_BYTES];
    uint32_t format; ///< TrnSchematicFormat
} BuildingChoice;

typedef struct PanelBuilding PanelBuilding;

/// @return NULL if out of memory
PanelBuilding *panel_building_create(void);
/// @param panel  may be NULL
void panel_building_destroy(PanelBuilding *panel);

/// Whether a text is typed, or will be in the next frame.
bool panel_building_is_typing(const PanelBuilding *panel);

/// Call it between a new frame of Dear ImGui and its end.
void panel_building_show(PanelBuilding *panel, const BuildingFigures *figures,
                         BuildingChoice *choice);

/// Forgets what the player was doing: the panel is closed.
void panel_building_close(PanelBuilding *panel);

#ifdef __cplusplus
}
#endif

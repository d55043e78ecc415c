/// The map over the whole window (Dear ImGui), behind a C header: tiles, the player, named places,
/// and the list of places.
#pragma once

#include "map/places.h"
#include "map/world_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the map shows; borrowed.
typedef struct MapFigures {
    const WorldMap *tiles;
    WorldMapView view; ///< its size is of the last frame
    const Places *places;
    double aim[2]; ///< x and z of the cross, voxels; those of a place if it is chosen
    double player[2], yaw;
    const char *keys; ///< a line that says which keys do what
    const char *note; ///< a line about the places, or NULL
    bool is_drawing;  ///< tiles are not complete yet
} MapFigures;

typedef enum MapAct {
    MAP_NOTHING,
    MAP_CLOSE,
    MAP_TRAVEL, ///< to the cross
    MAP_ADD,    ///< a place at the cross, with `name`
    MAP_RENAME, ///< `place`, to `name`
    MAP_REMOVE  ///< `place`
} MapAct;

/// The player's choice in the map in this frame.
typedef struct MapChoice {
    WorldMapView view; ///< moved and zoomed; its size is that of the window, in pixels of the map
    double aim[2];
    MapAct act;
    int place; ///< number of a place; -1: none
    char name[PLACES_NAME_MAX + 1];
} MapChoice;

/// The tiles on the graphics card, and what the player does in the map.
typedef struct PanelMap PanelMap;

/// All functions here need a current OpenGL context. @return NULL if out of memory
PanelMap *panel_map_create(void);
/// @param panel  may be NULL
void panel_map_destroy(PanelMap *panel);

/// Whether a name is typed, or will be in the next frame.
bool panel_map_is_naming(const PanelMap *panel);

/// Call it between a new frame of Dear ImGui and its end. Sends a few new tiles to the graphics
/// card.
void panel_map_show(PanelMap *panel, const MapFigures *figures, MapChoice *choice);

/// Forgets what the player was doing: the map is closed.
void panel_map_close(PanelMap *panel);

#ifdef __cplusplus
}
#endif

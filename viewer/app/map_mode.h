/// Mode MAP: the player looks at a map of the land, names places and travels to them.
#pragma once

#include "app/session.h"
#include "panels/panel_map.h"

/// All zeroes: no map was opened yet.
typedef struct MapMode {
    WorldMap *tiles; ///< created when the map is opened first
    WorldMapView view;
    double aim[2];           ///< x and z of the cross, voxels
    float right, down, zoom; ///< from keys and gamepad since the last step
    bool is_drawing;
    Message keys; ///< the line of keys
} MapMode;

/// Opens the map around the player. @return false if out of memory; a notice says so
bool map_mode_begin(MapMode *map, Session *session);
void map_mode_end(Session *session);
/// Frees the tiles. Call it before the session is closed.
void map_mode_free(MapMode *map);

/// Notes what moves and zooms the map. @param has_wheel  the wheel was turned: it zooms at the
/// mouse
/// @return what is left: the program's keys, and the one that closes the map
Input map_mode_input(MapMode *map, const Input *input, bool has_wheel);

/// Moves the map, and draws pieces of it for some ms. @param seconds  of the frame
void map_mode_step(MapMode *map, Session *session, double seconds);

/// Returns what the panel shows; valid until the next step.
MapFigures map_mode_figures(MapMode *map, const Session *session);

/// Does what the player chose in the panel. @return whether the map closes
bool map_mode_take(MapMode *map, Session *session, const MapChoice *choice);

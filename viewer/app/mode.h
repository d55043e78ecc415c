/// The modes of the window. The current mode decides what the input means and what moves the
/// camera.
///
///     START ──► PLAY, PLAYBACK or DEMO        a world was chosen, or the command line names one
///     PLAY ◄──► INVENTORY, MAP, PHOTO         a key opens and closes them
///     PLAY ──► DEMO ──► PLAY                  the user is idle; the user touches the controls
///     PLAYBACK ──► PLAY                       the user touches the controls, or the flight is over
///     PLAY, DEMO, PLAYBACK ◄──► PAUSED        a pause returns to the mode that it interrupted
///     PAUSED ──► MAP, BUILDING, BOX           the pause menu's buttons, over PLAY
///     PLAY ──► BUILDING ──► PLAY, START       a file is dropped; its world becomes a new one
///     any but START ──► START                 the pause menu's button back to the worlds
///
/// app_modes.c switches between the modes. Each mode has a file that owns its state: play_mode.c,
/// demo_mode.c, playback_mode.c, photo_mode.c, inventory_mode.c, map_mode.c,
/// building_mode.c, box_mode.c, pause_mode.c; START has start/start.c. A mode's file knows the
/// shared session (session.h) and no other mode. A new mode needs a value here, a file, and a row
/// of the table in app_modes.c.
#pragma once

typedef enum AppMode {
    APP_START,     ///< the start screen: no world is open
    APP_PLAY,      ///< the player walks, flies, digs and builds
    APP_DEMO,      ///< a recorded walk plays until the user returns
    APP_PLAYBACK,  ///< plays the flight of the command line, with its edits
    APP_PHOTO,     ///< a free camera takes pictures while the body stays in place
    APP_MAP,       ///< the player looks at the map and stands still
    APP_BUILDING,  ///< a file is opened, and a building put into the world
    APP_BOX,       ///< a box of the world is marked and saved
    APP_INVENTORY, ///< the player chooses blocks and stands still
    APP_PAUSED     ///< the pause menu: nothing moves, loading continues
} AppMode;

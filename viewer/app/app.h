/// The viewer in a window: start screen and worlds, as often as the player switches. mode.h lists
/// the modes.
#pragma once

#include "app/session.h"

typedef struct App App;

typedef struct AppDef {
    Settings *settings;       ///< from the command line; borrowed, changed while the app runs
    const Settings *defaults; ///< which the settings file overrides; borrowed
    bool has_start;           ///< the start screen may be shown
} AppDef;

typedef enum AppStep {
    APP_GOES_ON,
    APP_OVER,  ///< the player has quit, and everything is saved
    APP_FAILED ///< failed, or a signal arrived
} AppStep;

/// Opens the window with the start screen or a world.
/// @param app      receives the app; pass it to app_end, also after a failure
/// @param problem  receives the reason of APP_FAILED
AppStep app_begin(App **app, const AppDef *def, Message *problem);

/// Draws one frame. Waits at most as long as window_poll, so that a web page can call it.
/// @param problem  receives the reason of APP_FAILED
AppStep app_frame(App *app, Message *problem);

/// Saves the world and the settings, closes the window, and prints the camera's place as an option
/// --at.
/// @param app      may be NULL
/// @param step     result of the last app_begin or app_frame
/// @param problem  receives why saving failed; otherwise unchanged
/// @return the exit code: PROGRAM_GOOD only if everything is saved
int app_end(App *app, AppStep step, Message *problem);

/// Runs app_begin, app_frame and app_end. @return the exit code; `problem` receives the reason
int app_run(const AppDef *def, Message *problem);

// ---- for the page -------------------------------------------------------------------------------

/// Returns the session of the open world, or NULL on the start screen.
Session *app_session(App *app);
/// Saves the world. Results as open_world_save.
TrnResult app_save(App *app, Message *problem);
/// Chooses the block in the bar at a point of the picture.
/// @param x,y  0..1, from the upper left corner
/// @return whether the point is on the bar
bool app_tap(App *app, float x, float y);

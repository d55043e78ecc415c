/// Private to app*.c: the state of the program, which mode it has, and a frame of a world.
#pragma once

#include "app/box_mode.h"
#include "app/building_mode.h"
#include "app/demo_mode.h"
#include "app/hud.h"
#include "app/inventory_mode.h"
#include "app/map_mode.h"
#include "app/pause_mode.h"
#include "app/photo_mode.h"
#include "app/play_mode.h"
#include "app/playback_mode.h"
#include "app/title.h"
#include "settings/share.h"
#include "start/start.h"
#include "window/input.h"

/// What the player wants the app to do next.
typedef enum AppWish {
    APP_STAYS,
    APP_LEAVES, ///< returns to the start screen
    APP_QUITS
} AppWish;

typedef struct App {
    Settings *settings;       ///< from the command line; borrowed
    const Settings *defaults; ///< which the settings file overrides; borrowed
    bool has_start;           ///< the start screen may be shown
    Settings line;            ///< the settings from the command line
    int code;                 ///< exit code of APP_FAILED
    AppMode mode;
    AppWish wish;
    bool is_chosen;   ///< the player chose the world on the start screen
    bool has_touched; ///< a key or button was pressed in this frame that is not for the program
    Window kept;      ///< between the start screen and a world; without a handle: none
    char copied[SHARE_BYTES]; ///< the last link that was copied; empty: none
    Start start;              ///< of mode START; the fields below are of the other modes
    Flight flight;
    Session session;
    Hud hud;
    Title title;
    Gamepad gamepad;
    Play play;
    Demo demo;
    Playback playback;
    Photo photo;
    Inventory inventory;
    MapMode map;
    BuildingMode building;
    BoxMode box;
    char opened[FILE_PATH_MAX];   ///< the file that mode BUILDING begins with; empty: none
    char imported[FILE_PATH_MAX]; ///< the start screen imports it next; empty: nothing
    Pause pause;
} App;

// ---- app_modes.c --------------------------------------------------------------------------------

/// Returns the mode that controls the camera; under the pause menu, the interrupted mode.
AppMode app_world_mode(const App *app);

/// Switches to another mode. A pause keeps the state of the mode that it interrupts, and returns to
/// it.
void app_go(App *app, AppMode next);

/// Handles the keys that switch modes, and those of the mode.
void app_take_mode_keys(App *app, const Input *input);

/// Whether the panel for buildings is open.
bool app_has_form(const App *app);

/// Whether a panel takes keys and mouse.
bool app_has_menu(const App *app);

/// Moves the camera as the mode does.
void app_move_mode(App *app, const Input *input, double step);

/// Does with the world what the mode does. A click that caught the mouse does nothing.
void app_act_mode(App *app, const Input *input, bool is_click_taken, double step);

/// Opens a file that was dropped on the window.
void app_take_dropped(App *app);

/// Applies what was chosen in the panels about modes.
void app_take_mode_choices(App *app, const PanelChoices *choices);

/// Restores camera, lens and time of day, so that the world file notes the person's.
void app_stop_mode(App *app);

// ---- app_frame.c --------------------------------------------------------------------------------

/// Runs a frame of a world. @return false with the problem
bool app_run_frame(App *app, Message *problem);

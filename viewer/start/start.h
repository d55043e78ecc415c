/// The start screen: whether it is shown, and how the person's choice changes the settings.
#pragma once

#include "settings/settings.h"
#include "start/start_screen.h"
#include "start/worlds_folder.h"
#include "window/window.h"

/// The start screen in its window. The settings borrow its texts.
typedef struct Start {
    char world[WORLDS_PATH_MAX];
    char place[256];
    Settings *settings;
    Window window;
    WorldsFolder folder;
    StartScreen *screen;
    WorldsOrder order;
    WorldsMove deleted; ///< the world deleted last
    Importer *importer; ///< of a world of another game, or a copy; NULL: none runs
    Reporter *reporter; ///< makes the report; NULL: none runs
    StartNews news;     ///< why the last choice failed, and the progress of an import
} Start;

typedef enum StartStep {
    START_GOES_ON,
    START_IS_CHOSEN, ///< the settings hold the choice
    START_QUITS,     ///< the person quits
    START_FAILED     ///< a signal arrived
} StartStep;

/// Whether the viewer begins with the start screen: in a window, unless options choose otherwise.
bool start_is_wanted(const Settings *settings);

/// Returns the settings for the start screen after a world: without the world, land, place and
/// flight from the command line, and without the values of a world file.
/// @param line  the settings from the command line
Settings start_again(const Settings *line);

/// Opens a window with the start screen.
/// @param start     must outlive the settings, and not move until start_end; pass it to start_end
///                  also after a failure
/// @param settings  receive the choice
/// @param window    is taken over if its handle is not NULL
/// @return false if there is no window, or the file of --settings cannot be read
bool start_begin(Start *start, Settings *settings, Window *window, Message *problem);

/// Says why a choice failed after the screen was closed.
/// @param about  the choice
void start_tell_failure(Start *start, StartAction about, const Message *reason);

/// Begins to import a world or a schematic.
/// @param source  path
void start_import(Start *start, const char *source);

/// Draws one frame, and puts the choice into the settings. Waits at most as long as window_poll.
/// @param problem  receives the reason of START_FAILED
StartStep start_frame(Start *start, Message *problem);

/// Closes the screen. The texts stay valid.
/// @param window  takes over the window; NULL: it is closed
void start_end(Start *start, Window *window);

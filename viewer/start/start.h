/// The start screen: whether it is shown, and what becomes of the person's choice.
#ifndef TERRANE_VIEWER_START_H
#define TERRANE_VIEWER_START_H

#include "settings/settings.h"
#include "start/start_screen.h"
#include "start/worlds_folder.h"
#include "window/window.h"

/// The start screen in its window. The settings borrow the texts of the choice.
typedef struct Start {
    char world[WORLDS_PATH_MAX];
    char place[256];
    Settings *settings;
    Window window;
    WorldsFolder folder;
    StartScreen *screen;
    Importer *importer; ///< of a world of another game; NULL: none runs
    StartNews news;     ///< why the last choice could not be taken, and how an import goes
} Start;

typedef enum StartStep {
    START_GOES_ON,
    START_IS_CHOSEN, ///< the settings say what to do
    START_QUITS,     ///< the person wants to leave
    START_FAILED     ///< a signal came
} StartStep;

/// Whether the viewer begins with the start screen: in a window, unless an option says what to do.
bool start_is_wanted(const Settings *settings);

/// Forgets which world, land, place and flight the command line named, and what a world file set:
/// for the start screen after a world. The rest stays as in `line`.
/// @param line  the settings as the command line gave them
Settings start_again(const Settings *line);

/// Opens a window with the start screen.
/// @param start     must outlive the settings, and stay where it is until start_end; pass it there
///                  in either case
/// @param settings  receive the choice
/// @return false if there is no window, or the file of --settings cannot be read
bool start_begin(Start *start, Settings *settings, Message *problem);

/// Draws one frame, and takes the choice into the settings. Never waits longer than window_poll.
/// @param problem  receives the reason of START_FAILED
StartStep start_frame(Start *start, Message *problem);

/// Closes the window. The texts stay.
void start_end(Start *start);

/// All three: shows the start screen until the person has chosen.
/// @param quits  receives whether the person wants to leave
bool start_run(Start *start, Settings *settings, bool *quits, Message *problem);

#endif

/// The choice of a file to import (Dear ImGui): a field for its path, and the list of a folder.
/// C++.
#pragma once

#include "files/file_list.h"
#include "panels/panel_widgets.h"

/// All zeroes: the folder last chosen from, or the user's, is listed when it is shown first.
struct FileChooser {
    FileList list;
    char path[FILE_PATH_MAX]; // in the field
    PanelLetters typed;       // for the field
    bool is_typing;           // the field was active in the last frame
    bool is_open;             // it was shown in the last frame
    bool takes_focus;         // the list does in the next frame
    Message problem;
};

enum class FileChoice { none, chosen, cancelled };

/// Draws the choice into the rest of the current window.
/// @param problem  about the file that was chosen last, or NULL: shown at the field
/// @param path     receives the path of what was chosen
FileChoice file_chooser_show(FileChooser *chooser, const char *problem, char path[FILE_PATH_MAX]);

/// Forgets what was typed: it is closed. The folder stays.
void file_chooser_close(FileChooser *chooser);

void file_chooser_free(FileChooser *chooser);

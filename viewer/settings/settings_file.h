/// Finds, reads and writes the settings file.
#pragma once

#include "settings/settings_text.h"

#define SETTINGS_PATH_MAX 4096
#define SETTINGS_BYTES_MAX ((size_t)256 * 1024) ///< size limit of a file

/// Finds the usual place: $XDG_CONFIG_HOME/terrane/viewer.ini, or ~/.config/terrane/viewer.ini (XDG
/// Base Directory Specification 0.8: relative paths are ignored).
/// @return false if neither variable is set; `path` is then empty
bool settings_place(char path[SETTINGS_PATH_MAX]);

typedef struct SettingsFile {
    char path[SETTINGS_PATH_MAX]; ///< empty: there is no place for a settings file
    bool is_there;                ///< the file exists
    bool is_new;                  ///< the command line names a file that does not exist:
                                  ///< settings_save creates it
    int problems;                 ///< problems in the file: if there are any, it is never written
} SettingsFile;

/// Finds the path of the file, and whether the file exists.
/// @param path  NULL: the usual place
/// @return false if the path is too long
bool settings_find(SettingsFile *file, const char *path, Message *problem);

/// Reads a file over `settings`. Reports mistakes to the ear, and keeps the setting of a broken
/// line. A file that does not exist changes nothing.
/// @param path   NULL: the usual place
/// @return false if the file exists but cannot be read
bool settings_read(SettingsFile *file, Settings *settings, const char *path, SettingsEar *ear,
                   Message *problem);

/// Writes a new file with all settings and comments. Creates its folder (0700, as the specification
/// says) and the parent folders. Never replaces an existing file.
bool settings_write(SettingsFile *file, const Settings *settings, Message *problem);

/// Writes the settings that differ into the file, whole or not at all: changes only their lines;
/// other lines, comments and order stay. A new file (SettingsFile.is_new) gets all settings, even
/// if none differ. Refuses if the file has problems: a person must fix them first.
/// @return true also if nothing differs
bool settings_save(SettingsFile *file, const Settings *before, const Settings *after,
                   Message *problem);

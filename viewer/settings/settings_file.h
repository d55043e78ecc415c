/// Where settings are kept, and how they get there.
#ifndef TERRANE_VIEWER_SETTINGS_FILE_H
#define TERRANE_VIEWER_SETTINGS_FILE_H

#include "settings/settings_text.h"

#define SETTINGS_PATH_MAX 4096
#define SETTINGS_BYTES_MAX ((size_t)256 * 1024) ///< of a file

/// The usual place: $XDG_CONFIG_HOME/terrane/viewer.ini, or ~/.config/terrane/viewer.ini (XDG Base
/// Directory Specification 0.8: paths that are not absolute do not count).
/// @return false if neither is known; `path` is empty then
bool settings_place(char path[SETTINGS_PATH_MAX]);

typedef struct SettingsFile {
    char path[SETTINGS_PATH_MAX]; ///< empty: there is no place for one
    bool is_there;                ///< the file exists
    bool is_new;                  ///< it was named and does not exist: settings_save creates it
    int problems;                 ///< in it: then it is never written to
} SettingsFile;

/// Finds out where the file is, and whether it exists.
/// @param path  NULL: the usual place
/// @return false when the path is too long
bool settings_find(SettingsFile *file, const char *path, Message *problem);

/// Reads a file over what is in `settings`. What is wrong with it goes to the ear, and what is
/// broken stays as it was. A file that does not exist changes nothing.
/// @param path   NULL: the usual place
/// @return false when the file exists and cannot be read
bool settings_read(SettingsFile *file, Settings *settings, const char *path, SettingsEar *ear,
                   Message *problem);

/// Writes a new file with all settings and what they are; makes its folder (0700, as the
/// specification says) and the folder's parents. Refuses to replace an existing file.
bool settings_write(SettingsFile *file, const Settings *settings, Message *problem);

/// Writes what differs between two settings, whole or not at all: its lines alone change,
/// everything else in the file stays, comments and order as well. A new file (SettingsFile.is_new)
/// gets all settings, also if nothing differs. Refuses if the file has problems: a person mends it
/// first.
/// @return true also when nothing differs
bool settings_save(SettingsFile *file, const Settings *before, const Settings *after,
                   Message *problem);

#endif

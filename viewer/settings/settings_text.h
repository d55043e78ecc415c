/// Settings as text: the ini format of the settings file, and the handbook's table.
#ifndef TERRANE_VIEWER_SETTINGS_TEXT_H
#define TERRANE_VIEWER_SETTINGS_TEXT_H

#include <stdio.h>

#include "settings/settings.h"

#define SETTINGS_TOLD_MAX 20  ///< problems told of one file; a last sentence counts the rest
#define SETTINGS_LINE_MAX 190 ///< characters in a line; comments may be longer

/// Hears what is wrong in a file.
typedef struct SettingsEar {
    void (*tell)(void *user, const Message *problem); ///< NULL: problems are only counted
    void *user;
    int problems; ///< how many there were, told or not
} SettingsEar;

/// Reads the text of a file over what is in `settings`. A broken line is reported with
/// FILE:LINE:COLUMN, and its setting stays as it was. A key that the file gives to an action is
/// taken from the action that had it by default.
/// @param text  [bytes] anything
/// @param file  its name, for the sentences
void settings_parse(Settings *settings, const char *text, size_t bytes, const char *file,
                    SettingsEar *ear);

/// What is bound to an action, as in the file: "w up".
SettingText settings_keys(const Settings *settings, InputAction action);

/// A text with one value changed or added.
/// @param text  zero-terminated
/// @return a new text, for free(); NULL if out of memory
char *settings_edit(const char *text, const char *section, const char *name, const char *value);

/// The text of a file with all settings, each with a comment.
void settings_print(FILE *stream, const Settings *settings);

/// The table of docs/viewer.md (Markdown).
void settings_print_table(FILE *stream);

#endif

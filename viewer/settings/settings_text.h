/// Settings as text: the ini format of the settings file, and the handbook's table.
#pragma once

#include <stdio.h>

#include "settings/settings.h"

#define SETTINGS_TOLD_MAX 20  ///< problems reported for one file; a last sentence counts the others
#define SETTINGS_LINE_MAX 190 ///< characters in a line; comments may be longer

/// Receives the problems of a file.
typedef struct SettingsEar {
    void (*tell)(void *user, const Message *problem); ///< NULL: problems are only counted
    void *user;
    int problems; ///< count, reported or not
} SettingsEar;

/// Reads a text over `settings`. Reports a broken line with FILE:LINE:COLUMN, and keeps its
/// setting. A key that the file binds to an action is removed from the action that has it by
/// default.
/// @param text  [bytes] may hold any bytes
/// @param text  [bytes] anything
/// @param file  file name for messages
void settings_parse(Settings *settings, const char *text, size_t bytes, const char *file,
                    SettingsEar *ear);

/// Returns the keys of an action as in the file: "w up".
OptionText settings_keys(const Settings *settings, InputAction action);

/// Returns a copy of the text with one value changed or added.
/// @param text  zero-terminated
/// @return a new text, for free(); NULL if out of memory
char *settings_edit(const char *text, const char *section, const char *name, const char *value);

/// Prints a settings file with all settings, each with a comment.
void settings_print(FILE *stream, const Settings *settings);

/// Prints the table of docs/viewer.md (Markdown).
void settings_print_table(FILE *stream);

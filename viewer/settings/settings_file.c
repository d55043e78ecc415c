#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "settings/settings_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system.h"
#include "whole_file.h"

#define BELOW_FOLDER "terrane/viewer.ini"

// ---- the place ----------------------------------------------------------------------------------

bool settings_place(char path[SETTINGS_PATH_MAX])
{
    char folder[SETTINGS_PATH_MAX];
    if (!system_settings_folder(folder, sizeof folder) ||
        snprintf(path, SETTINGS_PATH_MAX, "%s/" BELOW_FOLDER, folder) >= SETTINGS_PATH_MAX) {
        path[0] = '\0';
        return false;
    }
    return true;
}

// ---- reading ------------------------------------------------------------------------------------

static bool settings_refuse_to_read(const char *path, const char *reason, Message *problem)
{
    (void)message_set(problem, "Cannot read the settings %s: %s.", message_short(path).text,
                      reason);
    return false;
}

/// Reads a file's text.
/// @param text  [SETTINGS_BYTES_MAX + 1] receives the bytes; the extra byte detects a file that is
///              too large
static bool settings_fill_text(FILE *file, const char *path, char *text, size_t *bytes,
                               Message *problem)
{
    errno = 0;
    *bytes = fread(text, 1, SETTINGS_BYTES_MAX + 1, file);
    if (ferror(file)) {
        return settings_refuse_to_read(path, strerror(errno), problem);
    }
    return *bytes <= SETTINGS_BYTES_MAX ||
           settings_refuse_to_read(path, "it is larger than 256 KiB, too large for settings",
                                   problem);
}

/// @param text  receives the file's bytes and a terminating zero; for free()
static bool settings_read_text(const char *path, char **text, size_t *bytes, Message *problem)
{
    char *made = malloc(SETTINGS_BYTES_MAX + 1);
    if (!made) {
        return settings_refuse_to_read(path, "out of memory", problem);
    }
    FILE *file = fopen(path, "rb");
    bool good = file ? settings_fill_text(file, path, made, bytes, problem)
                     : settings_refuse_to_read(path, strerror(errno), problem);
    if (file) {
        (void)fclose(file);
    }
    if (!good) {
        free(made);
        return false;
    }
    made[*bytes] = '\0';
    *text = made;
    return true;
}

bool settings_find(SettingsFile *file, const char *path, Message *problem)
{
    *file = (SettingsFile){0};
    if (!path) {
        (void)settings_place(file->path);
    } else if (snprintf(file->path, sizeof file->path, "%s", path) >= (int)sizeof file->path) {
        return settings_refuse_to_read(path, strerror(ENAMETOOLONG), problem);
    }
    file->is_there = file->path[0] && access(file->path, F_OK) == 0;
    return true;
}

bool settings_read(SettingsFile *file, Settings *settings, const char *path, SettingsEar *ear,
                   Message *problem)
{
    if (!settings_find(file, path, problem)) {
        return false;
    }
    if (!file->is_there) {
        file->is_new = path != NULL;
        return true;
    }
    char *text;
    size_t bytes;
    if (!settings_read_text(file->path, &text, &bytes, problem)) {
        file->problems = 1;
        return false;
    }
    const int before = ear->problems;
    settings_parse(settings, text, bytes, file->path, ear);
    file->problems = ear->problems - before;
    free(text);
    return true;
}

// ---- writing ------------------------------------------------------------------------------------

static bool settings_refuse_to_write(const char *path, int error, Message *problem)
{
    return message_set(problem, "Cannot write the settings %s: %s.", message_short(path).text,
                       strerror(error));
}

/// Writes `text`, or all settings if it is NULL.
static bool settings_put_text(const SettingsFile *file, const char *text, const Settings *settings,
                              Message *problem)
{
    WholeFile whole;
    whole_file_make_folders(file->path);
    int error = whole_file_open(&whole, file->path);
    if (error) {
        return settings_refuse_to_write(file->path, error, problem);
    }
    if (text) { // the stream keeps the error
        (void)fputs(text, whole.file);
    } else {
        settings_print(whole.file, settings);
    }
    error = whole_file_finish(&whole);
    return !error || settings_refuse_to_write(file->path, error, problem);
}

static bool settings_refuse_without_place(Message *problem)
{
    return message_set(problem, "No place for settings: neither XDG_CONFIG_HOME nor HOME "
                                "is set. --settings FILE names one.");
}

bool settings_write(SettingsFile *file, const Settings *settings, Message *problem)
{
    if (!file->path[0]) {
        return settings_refuse_without_place(problem);
    }
    if (file->is_there) {
        return message_set(problem, "%s exists already and stays as it is; remove it first.",
                           message_short(file->path).text);
    }
    file->is_there = settings_put_text(file, NULL, settings, problem);
    file->is_new = file->is_new && !file->is_there;
    return file->is_there;
}

/// Replaces a text by an edited copy. @return false if out of memory; the text is then unchanged
static bool settings_edit_text(char **text, const char *section, const char *name,
                               const char *before, const char *after)
{
    if (strcmp(before, after) == 0) {
        return true;
    }
    char *edited = settings_edit(*text, section, name, after);
    if (!edited) {
        return false;
    }
    free(*text);
    *text = edited;
    return true;
}

static bool settings_edit_all(char **text, const Settings *before, const Settings *after)
{
    for (size_t i = 0; settings_row(i); i++) {
        const Setting *row = settings_row(i);
        if (row->shows & SETTING_IN_FILE &&
            !settings_edit_text(text, row->section, row->name, option_text(row, before).text,
                                option_text(row, after).text)) {
            return false;
        }
    }
    for (InputAction action = 0; action < INPUT_ACTION_COUNT; action++) {
        if (!settings_edit_text(text, settings_section(0), input_action_info(action)->name,
                                settings_keys(before, action).text,
                                settings_keys(after, action).text)) {
            return false;
        }
    }
    return true;
}

/// Reads the file again, because a person may have edited it since it was read.
/// @return a text for free(); NULL if it has mistakes or cannot be read
static char *settings_read_again(SettingsFile *file, Message *problem)
{
    char *text = NULL;
    size_t bytes;
    file->problems = 0;
    if (access(file->path, F_OK) != 0) {
        text = calloc(1, 1);
        if (!text) {
            (void)settings_refuse_to_write(file->path, ENOMEM, problem);
        }
        return text;
    }
    if (!settings_read_text(file->path, &text, &bytes, problem)) {
        return NULL;
    }
    Settings tried = settings_default();
    SettingsEar ear = {NULL, NULL, 0};
    settings_parse(&tried, text, bytes, file->path, &ear);
    file->problems = ear.problems;
    if (!file->problems) {
        return text;
    }
    (void)message_set(problem, "%s has mistakes and stays as it is; nothing was saved.",
                      message_short(file->path).text);
    free(text);
    return NULL;
}

bool settings_save(SettingsFile *file, const Settings *before, const Settings *after,
                   Message *problem)
{
    if (file->is_new && access(file->path, F_OK) != 0) {
        return settings_write(file, after, problem);
    }
    if (!settings_differ(before, after)) {
        return true;
    }
    if (!file->path[0]) {
        return settings_refuse_without_place(problem);
    }
    char *text = settings_read_again(file, problem);
    if (!text) {
        return false;
    }
    const bool good = settings_edit_all(&text, before, after)
                          ? settings_put_text(file, text, after, problem)
                          : settings_refuse_to_write(file->path, ENOMEM, problem);
    file->is_there = file->is_there || good;
    free(text);
    return good;
}

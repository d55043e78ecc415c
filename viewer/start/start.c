#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "start/start.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "interrupt.h"
#include "settings/settings_file.h"
#include "start/start_screen.h"
#include "system.h"
#include "terrain_choice.h"
#include "whole_file.h"
#include "window/window.h"

#define START_FRAME_LIMIT 60 // a second
#define REPORT_FRAME_LIMIT 5 // while a report measures this machine
#define START_TITLE_TEXT "Terrane - worlds"
#define REPORT_FOLDER "terrane/benchmark" // next to the worlds
_Static_assert(WINDOW_PATH_MAX == WORLDS_PATH_MAX, "a dropped path is a choice's");

bool start_is_wanted(const Settings *settings)
{
    return settings->start && !settings->headless && !settings->flight && !settings->demo &&
           !settings->world && !settings->has_seed && !settings->choice.preset &&
           !settings->choice.file && !settings->placed && !settings->record && !settings->trace;
}

Settings start_again(const Settings *line)
{
    const Settings usual = settings_default();
    Settings again = *line;
    again.flight = again.world = again.record = again.trace = NULL;
    again.demo = again.placed = again.at_is_known = again.has_seed = false;
    memcpy(again.at, usual.at, sizeof again.at);
    again.seed = usual.seed;
    again.seed_text[0] = '\0';
    again.land_version = usual.land_version;
    again.choice = usual.choice;
    again.shape = usual.shape;
    again.start = true;
    return again;
}

// ---- the choice ---------------------------------------------------------------------------------

static bool start_take_land(Settings *settings, const StartChoice *choice, Message *problem)
{
    settings->has_seed = true;
    settings->seed = choice->seed;
    memcpy(settings->seed_text, choice->seed_text, sizeof settings->seed_text);
    settings->choice = (TerrainChoice){.preset = choice->preset};
    return terrain_choice_shape(&settings->choice, &settings->shape, problem);
}

/// Reads the world again, because another program may have opened it meanwhile.
static bool start_take_world(Start *start, Settings *settings, WorldsFolder *folder, size_t i,
                             Message *problem)
{
    WorldEntry *entry = &folder->worlds[i];
    if (!worlds_folder_read(folder, entry)) {
        return message_set(problem, "%s: %s", message_short(entry->name).text, entry->reason.text);
    }
    (void)worlds_folder_path(folder, entry, start->world); // fits: the path was read before
    settings->world = start->world;
    return true;
}

static bool start_take_new(Start *start, Settings *settings, const WorldsFolder *folder,
                           const StartChoice *choice, Message *problem)
{
    if (!worlds_folder_new(folder, choice->name, start->world, problem) ||
        !start_take_land(settings, choice, problem)) {
        return false;
    }
    settings->world = start->world;
    return true;
}

/// Takes a place in the format of --at.
static bool start_take_place(Start *start, Settings *settings, const StartChoice *choice,
                             Message *problem)
{
    size_t i = 0;
    char name[OPTION_NAME_BYTES] = "";
    for (; settings_row(i); i++) {
        option_name(settings_row(i), name);
        if (strcmp(name, "at") == 0) {
            break;
        }
    }
    (void)snprintf(start->place, sizeof start->place, "%s", choice->place);
    if (!settings_row(i) ||
        !option_read(settings_row(i), settings, start->place, "A place is", problem)) {
        return false;
    }
    settings->given[i] = true;
    return terrain_choice_shape(&settings->choice, &settings->shape, problem);
}

/// @return whether the settings now hold the choice
static bool start_take_choice(Start *start, Settings *settings, WorldsFolder *folder,
                              const StartChoice *choice, Message *problem)
{
    Settings wished = *settings;
    bool good = true;
    switch (choice->action) {
    case START_OPEN:
        good = start_take_world(start, &wished, folder, choice->world, problem);
        break;
    case START_CREATE:
        good = start_take_new(start, &wished, folder, choice, problem);
        break;
    case START_PLAY:
        good = start_take_land(&wished, choice, problem);
        break;
    case START_PLACE:
        good = start_take_place(start, &wished, choice, problem);
        break;
    default:
        break;
    }
    if (good) {
        *settings = wished;
    }
    return good;
}

// ---- the window ---------------------------------------------------------------------------------

/// Mistakes of the settings file are reported when the world's window opens.
static void start_hear_nothing(void *user, const Message *mistake)
{
    (void)user;
    (void)mistake;
}

/// Defines a window as large as the world's will be.
/// @return false if the settings file that the command line names cannot be read
static bool start_define_window(const Settings *settings, WindowDef *def, Message *problem)
{
    SettingsFile file;
    SettingsEar ear = {start_hear_nothing, NULL, 0};
    Settings as_filed = *settings, of_file = settings_default();
    const bool good = settings_read(&file, &of_file, settings->file, &ear, problem);
    settings_take_file(&as_filed, &of_file);
    *def = (WindowDef){.width = as_filed.width,
                       .height = as_filed.height,
                       .visible = true,
                       .gl_debug = settings->gl_debug,
                       .gl_es = settings->gl_es};
    return good || !settings->file;
}

static void start_list_worlds(Start *start)
{
    char path[WORLDS_PATH_MAX];
    const char *named = start->settings->worlds;
    worlds_folder_free(&start->folder);
    if (named || worlds_folder_place(path)) {
        worlds_folder_list(&start->folder, named ? named : path);
        worlds_folder_sort(&start->folder, start->order);
    }
    if (start->screen) {
        start_screen_forget_worlds(start->screen);
    }
}

bool start_begin(Start *start, Settings *settings, Window *window, Message *problem)
{
    WindowDef def;
    *start = (Start){.settings = settings};
    if (!start_define_window(settings, &def, problem)) {
        return false;
    }
    if (window->handle) {
        window_take_over(&start->window, window);
    } else if (!window_open(&start->window, &def, problem)) {
        return false;
    }
    glfwSetWindowTitle(start->window.handle, START_TITLE_TEXT);
    start_list_worlds(start);
    start->screen = start_screen_create(start->window.handle, &start->folder, settings->seed);
    return start->screen || message_set(problem, "Cannot create the start screen on this driver.");
}

void start_tell_failure(Start *start, StartAction about, const Message *reason)
{
    start->news = (StartNews){.text = *reason, .is_wrong = true, .about = about};
}

/// Shows the progress of an import, and lists the worlds again at the end: the new world comes
/// first.
static void start_watch_import(Start *start)
{
    if (!start->importer) {
        return;
    }
    start->news.importing = importer_name(start->importer);
    start->news.import_now = importer_now(start->importer);
    if (start->news.import_now.has_ended) {
        start->news.is_wrong = !importer_end(start->importer, &start->news.text);
        start->news.importing = NULL;
        start->importer = NULL;
        start_list_worlds(start);
    }
}

void start_import(Start *start, const char *source)
{
    start->news.about = START_IMPORT;
    start->news.is_wrong = true;
    start->importer = importer_begin(&start->folder, source, &start->news.text);
}

// ---- worlds of the list -------------------------------------------------------------------------

/// Lists the worlds again after a change, and says what was done.
static void start_tell_change(Start *start, bool is_good, bool can_undo, const char *words,
                              const char *name)
{
    start->news.is_wrong = !is_good;
    start->news.can_undo = is_good && can_undo;
    if (is_good) {
        (void)message_set(&start->news.text, "%s %s.", words, message_short(name).text);
        start_list_worlds(start);
    }
}

static void start_change_world(Start *start, const StartChoice *choice)
{
    const WorldEntry *entry = &start->folder.worlds[choice->world];
    const WorldEntry before = *entry; // the list is read again
    Message *problem = &start->news.text;
    if (choice->action == START_RENAME) {
        start_tell_change(start, worlds_folder_rename(&start->folder, entry, choice->name, problem),
                          false, "Renamed to", choice->name);
    } else if (choice->action == START_DELETE) {
        start_tell_change(start,
                          worlds_folder_delete(&start->folder, entry, &start->deleted, problem),
                          true, "Deleted", before.name);
    } else {
        start->news.is_wrong = true;
        start->importer = importer_copy(&start->folder, entry, problem);
    }
}

/// Writes the folder of the report. @return false if the user has none
static bool start_report_folder(char folder[WORLDS_PATH_MAX + 32])
{
    char data[WORLDS_PATH_MAX];
    const bool is_good = system_data_folder(data, sizeof data);
    (void)snprintf(folder, WORLDS_PATH_MAX + 32, "%s/" REPORT_FOLDER, is_good ? data : "");
    return is_good;
}

static void start_show_report(Start *start, const char *folder)
{
    char report[WORLDS_PATH_MAX + 64];
    (void)snprintf(report, sizeof report, "%s/report.html", folder);
    start->news.is_wrong = !system_show_file(report);
    (void)message_set(&start->news.text,
                      start->news.is_wrong ? "No browser could be started for %.300s."
                                           : "Opened %.300s.",
                      report);
}

/// @param report  the path of the report's page in the folder
static void start_make_report(Start *start, const char *folder, const char *report)
{
    char program[WORLDS_PATH_MAX];
    whole_file_make_folders(report);
    start->news.is_wrong = true;
    if (!system_program_path(program, sizeof program)) {
        (void)message_set(&start->news.text,
                          "The report takes some minutes; type in a terminal: "
                          "terrane-viewer --benchmark %.300s",
                          folder);
        return;
    }
    start->reporter = reporter_begin(program, folder, &start->news.text);
    start->news.is_wrong = !start->reporter;
}

/// Opens the benchmark's report in the browser, or makes it if there is none or a new one is asked
/// for.
static void start_take_report(Start *start, StartAction action)
{
    char folder[WORLDS_PATH_MAX + 32], report[WORLDS_PATH_MAX + 64];
    if (!start_report_folder(folder)) {
        start->news.is_wrong = true;
        (void)message_set(&start->news.text, "There is no folder for a report: HOME is not set.");
        return;
    }
    (void)snprintf(report, sizeof report, "%s/report.html", folder);
    if (action == START_NEW_REPORT || access(report, R_OK) != 0) {
        start_make_report(start, folder, report);
    } else {
        start_show_report(start, folder);
        start->news.can_renew = true;
    }
}

/// Shows the progress of a report, also in the window's title, and opens it at the end.
static void start_watch_report(Start *start)
{
    char title[96] = START_TITLE_TEXT, folder[WORLDS_PATH_MAX + 32];
    StartNews *news = &start->news;
    const bool was_reporting = news->is_reporting;
    news->is_reporting = start->reporter != NULL;
    if (start->reporter) {
        news->report_now = reporter_now(start->reporter);
        (void)snprintf(title, sizeof title, START_TITLE_TEXT ", report %.0f %%",
                       (double)news->report_now.part * 100);
    }
    if (start->reporter && news->report_now.has_ended) {
        const bool is_stopped = news->report_now.is_stopped;
        news->is_wrong = !reporter_end(start->reporter, &news->text) && !is_stopped;
        start->reporter = NULL;
        if (!news->is_wrong && !is_stopped && start_report_folder(folder)) {
            start_show_report(start, folder);
        }
    }
    if (was_reporting || news->is_reporting) {
        glfwSetWindowTitle(start->window.handle, title);
    }
}

/// Whether a choice must wait until an import, a copy or a report is over.
static bool start_must_wait(const Start *start, StartAction action)
{
    const bool is_free = action == START_NOTHING || action == START_SORT ||
                         action == START_STOP_IMPORT || action == START_STOP_REPORT ||
                         action == START_QUIT;
    return (start->importer || start->reporter) && !is_free;
}

/// Handles choices that need no other window. @return whether the choice was one of them
static bool start_take_here(Start *start, const StartChoice *choice)
{
    if (start_must_wait(start, choice->action)) {
        start->news.is_wrong = true;
        (void)message_set(&start->news.text, "%s: wait for its end, or stop it.",
                          start->reporter ? "A report is being made"
                                          : "A world is being imported or copied");
        return true;
    }
    if (choice->action != START_NOTHING && choice->action != START_SORT) {
        start->news.text.text[0] = '\0';
        start->news.about = choice->action;
        start->news.can_undo = start->news.can_renew = false;
    }
    switch (choice->action) {
    case START_RENAME:
    case START_COPY:
    case START_DELETE:
        start_change_world(start, choice);
        return true;
    case START_UNDO:
        start_tell_change(start, worlds_folder_undo(&start->deleted, &start->news.text), false,
                          "Brought back", "the world");
        return true;
    case START_SORT:
        start->order = choice->order;
        worlds_folder_sort(&start->folder, start->order);
        start_screen_forget_worlds(start->screen);
        return true;
    case START_IMPORT:
        start_import(start, choice->source);
        return true;
    case START_STOP_IMPORT:
        importer_stop(start->importer);
        return true;
    case START_REPORT:
    case START_NEW_REPORT:
        start_take_report(start, choice->action);
        return true;
    case START_STOP_REPORT:
        if (start->reporter) {
            reporter_stop(start->reporter);
        }
        return true;
    default:
        return choice->action == START_NOTHING;
    }
}

static int start_frame_limit(const Start *start)
{
    const int limit = start->settings->frame_limit;
    const int most = start->reporter ? REPORT_FRAME_LIMIT : START_FRAME_LIMIT;
    return limit && limit < most ? limit : most;
}

/// Handles the events since the last frame, one batch after the other, up to a choice.
static StartChoice start_take_events(Start *start)
{
    Window *window = &start->window;
    StartChoice choice;
    do {
        window_take(window);
        choice = start_screen_draw(start->screen, &start->folder, window_text_scale(window),
                                   &start->news, &window->batch);
    } while (!window->batch.is_last && choice.action == START_NOTHING);
    return choice;
}

StartStep start_frame(Start *start, Message *problem)
{
    Window *window = &start->window;
    if (interrupt_came()) {
        (void)message_set(problem, "Interrupted.");
        return START_FAILED;
    }
    window_poll(window, start_frame_limit(start));
    (void)worlds_folder_read_next(&start->folder);
    start_watch_import(start);
    start_watch_report(start);
    StartChoice choice = start_take_events(start);
    if (window->dropped[0]) {
        choice.action = START_IMPORT;
        memcpy(choice.source, window->dropped, sizeof choice.source);
        window->dropped[0] = '\0';
    }
    if (window->batch.is_last) {
        glfwSwapBuffers(window->handle); // otherwise the rest of the events comes first
    }
    if (glfwWindowShouldClose(window->handle)) {
        choice.action = START_QUIT;
    }
    if (start_take_here(start, &choice)) {
        return START_GOES_ON;
    }
    start->news.is_wrong = true;
    if (!start_take_choice(start, start->settings, &start->folder, &choice, &start->news.text)) {
        return START_GOES_ON;
    }
    return choice.action == START_QUIT ? START_QUITS : START_IS_CHOSEN;
}

void start_end(Start *start, Window *window)
{
    if (start->importer) {
        importer_stop(start->importer);
        (void)importer_end(start->importer, NULL);
        start->importer = NULL;
    }
    if (start->reporter) {
        (void)reporter_end(start->reporter, &start->news.text);
        start->reporter = NULL;
    }
    start_screen_destroy(start->screen);
    worlds_folder_free(&start->folder);
    if (start->window.handle && window) {
        window_take_over(window, &start->window);
    } else if (start->window.handle) {
        window_close(&start->window);
    }
    start->screen = NULL;
}

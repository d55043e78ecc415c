#include "start/start.h"

#include <stdio.h>
#include <string.h>

#include "interrupt.h"
#include "settings/settings_file.h"
#include "start/start_screen.h"
#include "terrain_choice.h"
#include "window/window.h"

#define START_FRAME_LIMIT 60 // a second

bool start_is_wanted(const Settings *settings)
{
    return settings->start && !settings->headless && !settings->flight && !settings->demo &&
           !settings->world && !settings->has_seed && !settings->choice.preset &&
           !settings->choice.file && !settings->placed && !settings->record && !settings->trace;
}

// ---- the choice ---------------------------------------------------------------------------------

static bool take_land(Settings *settings, const StartChoice *choice, Message *problem)
{
    settings->has_seed = true;
    settings->seed = choice->seed;
    settings->choice = (TerrainChoice){.preset = choice->preset};
    return terrain_choice_shape(&settings->choice, &settings->shape, problem);
}

/// The world is read again: meanwhile another program may have opened it.
static bool take_world(Start *start, Settings *settings, WorldsFolder *folder, size_t i,
                       Message *problem)
{
    WorldEntry *entry = &folder->worlds[i];
    if (!worlds_folder_read(folder, entry)) {
        return message_set(problem, "%s", entry->reason.text);
    }
    (void)worlds_folder_path(folder, entry, start->world); // as it was read
    settings->world = start->world;
    return true;
}

static bool take_new(Start *start, Settings *settings, const WorldsFolder *folder,
                     const StartChoice *choice, Message *problem)
{
    if (!worlds_folder_new(folder, choice->name, start->world, problem) ||
        !take_land(settings, choice, problem)) {
        return false;
    }
    settings->world = start->world;
    return true;
}

/// What --at takes: the start screen knows no form of its own.
static bool take_place(Start *start, Settings *settings, const StartChoice *choice,
                       Message *problem)
{
    size_t i = 0;
    char name[32] = "";
    for (; settings_row(i); i++) {
        setting_option(settings_row(i), name);
        if (strcmp(name, "at") == 0) {
            break;
        }
    }
    (void)snprintf(start->place, sizeof start->place, "%s", choice->place);
    if (!settings_row(i) ||
        !setting_read(settings_row(i), settings, start->place, "A place is", problem)) {
        return false;
    }
    settings->given[i] = true;
    return terrain_choice_shape(&settings->choice, &settings->shape, problem);
}

/// @return whether the settings now say what to do
static bool take_choice(Start *start, Settings *settings, WorldsFolder *folder,
                        const StartChoice *choice, Message *problem)
{
    Settings wished = *settings;
    bool good = true;
    switch (choice->action) {
    case START_OPEN:
        good = take_world(start, &wished, folder, choice->world, problem);
        break;
    case START_CREATE:
        good = take_new(start, &wished, folder, choice, problem);
        break;
    case START_PLAY:
        good = take_land(&wished, choice, problem);
        break;
    case START_PLACE:
        good = take_place(start, &wished, choice, problem);
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

/// Mistakes of the settings file are told when the world's window opens.
static void hear_nothing(void *user, const Message *mistake)
{
    (void)user;
    (void)mistake;
}

/// A window as large as the world's will be.
/// @return false if the settings file that the command line names cannot be read
static bool define_window(const Settings *settings, WindowDef *def, Message *problem)
{
    SettingsFile file;
    SettingsEar ear = {hear_nothing, NULL, 0};
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

bool start_begin(Start *start, Settings *settings, Message *problem)
{
    char path[WORLDS_PATH_MAX];
    WindowDef def;
    *start = (Start){.settings = settings};
    if (!define_window(settings, &def, problem) || !window_open(&start->window, &def, problem)) {
        return false;
    }
    glfwSetWindowTitle(start->window.handle, "Terrane - worlds");
    if (settings->worlds || worlds_folder_place(path)) {
        worlds_folder_list(&start->folder, settings->worlds ? settings->worlds : path);
    }
    start->screen = start_screen_create(start->window.handle, &start->folder, settings->seed);
    return start->screen || message_set(problem, "Cannot create the start screen on this driver.");
}

StartStep start_frame(Start *start, Message *problem)
{
    Window *window = &start->window;
    if (interrupt_came()) {
        (void)message_set(problem, "Interrupted.");
        return START_FAILED;
    }
    (void)window_poll(window, START_FRAME_LIMIT);
    (void)worlds_folder_read_next(&start->folder);
    StartChoice choice =
        start_screen_draw(start->screen, &start->folder, window->text_scale, &start->mistake);
    glfwSwapBuffers(window->handle);
    if (glfwWindowShouldClose(window->handle)) {
        choice.action = START_QUIT;
    }
    if (choice.action == START_NOTHING ||
        !take_choice(start, start->settings, &start->folder, &choice, &start->mistake)) {
        return START_GOES_ON;
    }
    return choice.action == START_QUIT ? START_QUITS : START_IS_CHOSEN;
}

void start_end(Start *start)
{
    start_screen_destroy(start->screen);
    worlds_folder_free(&start->folder);
    if (start->window.handle) {
        window_close(&start->window);
    }
    start->screen = NULL;
}

bool start_run(Start *start, Settings *settings, bool *quits, Message *problem)
{
    StartStep step = START_FAILED;
    if (start_begin(start, settings, problem)) {
        do {
            step = start_frame(start, problem);
        } while (step == START_GOES_ON);
    }
    start_end(start);
    *quits = step == START_QUITS;
    return step != START_FAILED;
}

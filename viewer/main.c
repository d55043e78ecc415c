/// terrane-viewer: flies through a voxel terrain, controlled by the player or along a flight.
#include <stdio.h>

#include <terrane/base.h>

#include "app/app.h"
#include "headless/benchmark.h"
#include "headless/headless.h"
#include "interrupt.h"
#include "options_run.h"
#include "program.h"
#include "settings/command_line.h"
#include "settings/settings_file.h"
#include "system.h"

static const char PROGRAM[] = "terrane-viewer";

static void main_print_mistake(void *user, const Message *mistake)
{
    (void)user;
    (void)program_complain(PROGRAM, mistake, 0);
}

/// Reads the settings file that --settings names. Without it no file is read: headless flights look
/// the same for every user.
static bool main_read_settings(Settings *settings, Message *problem)
{
    SettingsFile file;
    SettingsEar ear = {main_print_mistake, NULL, 0};
    Settings of_file = settings_default();
    if (!settings_read(&file, &of_file, settings->file, &ear, problem)) {
        return false;
    }
    settings_take_file(settings, &of_file);
    return file.is_there ||
           message_set(problem, "There is no settings file '%s'; make one with --write-settings.",
                       settings->file);
}

/// Plays a flight without a visible window.
static int main_run_headless(Settings *settings)
{
    Message problem;
    Flight flight;
    if (settings->file && !main_read_settings(settings, &problem)) {
        return program_complain(PROGRAM, &problem, PROGRAM_FAILED);
    }
    const int code = viewer_prepare(settings, &flight, &problem);
    if (code != PROGRAM_GOOD) {
        return program_complain(PROGRAM, &problem, code);
    }
    const bool good = settings->benchmark
                          ? benchmark_run(settings, settings->flight ? &flight : NULL, &problem)
                          : headless_run(settings, &flight, &problem);
    flight_free(&flight);
    return good ? PROGRAM_GOOD : program_complain(PROGRAM, &problem, PROGRAM_FAILED);
}

static int main_run_window(Settings *settings)
{
    const Settings defaults = settings_default();
    const AppDef def = {settings, &defaults, .has_start = true};
    char pictures[4096];
    Message problem;
    if (!settings_is_given(settings, &settings->out) &&
        system_pictures_folder(pictures, sizeof pictures)) {
        settings->out = pictures; // not where the program happened to be started
    }
    const int code = app_run(&def, &problem);
    return code == PROGRAM_GOOD ? code : program_complain(PROGRAM, &problem, code);
}

/// Writes a settings file with the defaults and the settings of the command line.
static int main_write_settings(const Settings *settings)
{
    Message problem;
    SettingsFile file;
    if (!settings_find(&file, settings->file, &problem) ||
        !settings_write(&file, settings, &problem)) {
        return program_complain(PROGRAM, &problem, PROGRAM_FAILED);
    }
    program_print("Wrote %s", file.path);
    return PROGRAM_GOOD;
}

static int main_act(Settings *settings)
{
    if (settings->writes) {
        return main_write_settings(settings);
    }
    return settings->headless ? main_run_headless(settings) : main_run_window(settings);
}

int main(int argc, char **argv)
{
    Settings settings;
    Message problem = {""};
    interrupt_watch();
    const OptionsAsk ask = command_line_read(&settings, argc, argv, &problem);
    const int code = options_answer(&VIEWER, VIEWER.alone, ask, &problem);
    return program_finish_output(PROGRAM, code < 0 ? main_act(&settings) : code);
}

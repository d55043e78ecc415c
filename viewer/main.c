/// terrane-viewer: flies through a voxel terrain, by hand or along a recorded flight.
#include <stdio.h>

#include <terrane/base.h>

#include "assets.h"
#include "benchmark.h"
#include "headless.h"
#include "interactive.h"
#include "interrupt.h"
#include "options.h"
#include "program.h"
#include "settings/settings_file.h"
#include "start/start.h"
#include "world_notes.h"

static const char PROGRAM[] = "terrane-viewer";

static bool load_flight(const Settings *settings, Flight *flight, Message *problem)
{
    return settings->flight ? flight_read(flight, settings->flight, problem)
                            : flight_parse(flight, "the built-in flight", asset_first_flight,
                                           asset_first_flight_bytes, problem);
}

static void tell_mistake(void *user, const Message *mistake)
{
    (void)user;
    (void)program_complain(PROGRAM, mistake, 0);
}

/// A default settings file that cannot be read stops nothing; one named by --settings does.
static bool load_settings(Settings *settings, SettingsFile *file, Message *problem)
{
    SettingsEar ear = {tell_mistake, NULL, 0};
    Settings of_file = settings_default();
    const bool good = settings_read(file, &of_file, settings->file, &ear, problem);
    if (!good && !settings->file) {
        tell_mistake(NULL, problem);
    }
    settings_take_file(settings, &of_file);
    return good || !settings->file;
}

/// @param leaves  receives whether the start screen shall follow
static bool run_window(Settings *settings, const Flight *flight, bool *leaves, Message *problem)
{
    SettingsFile file;
    return load_settings(settings, &file, problem) &&
           interactive_run(settings, &file, flight, leaves, problem);
}

/// The world, or the flight, that the settings name.
static int run_world(Settings *settings, bool *leaves)
{
    Message problem;
    Flight flight;
    const int code = world_notes_take(settings, &problem);
    if (code != PROGRAM_GOOD) {
        return program_complain(PROGRAM, &problem, code);
    }
    if (!load_flight(settings, &flight, &problem)) {
        return program_complain(PROGRAM, &problem, PROGRAM_USAGE);
    }
    if (!options_take_flight(settings, settings->flight ? settings->flight : "flight", &flight,
                             &problem)) {
        flight_free(&flight);
        return program_complain(PROGRAM, &problem, PROGRAM_USAGE);
    }
    bool good = settings->benchmark
                    ? benchmark_run(settings, settings->flight ? &flight : NULL, &problem)
                : settings->headless ? headless_run(settings, &flight, &problem)
                                     : run_window(settings, &flight, leaves, &problem);
    flight_free(&flight);
    return good ? PROGRAM_GOOD : program_complain(PROGRAM, &problem, PROGRAM_FAILED);
}

/// From the start screen to a world, and back as often as the player likes.
static int run(Settings *settings)
{
    const Settings line = *settings;
    Message problem;
    Start start;
    for (bool quits = false;;) {
        if (start_is_wanted(settings) && !start_run(&start, settings, &quits, &problem)) {
            return program_complain(PROGRAM, &problem, PROGRAM_FAILED);
        }
        if (quits) {
            return PROGRAM_GOOD;
        }
        bool leaves = false;
        const int code = run_world(settings, &leaves);
        if (code != PROGRAM_GOOD || !leaves) {
            return code;
        }
        *settings = start_again(&line);
    }
}

/// A file with the defaults, and what the rest of the command line says.
static int write_settings(const Settings *settings)
{
    Message problem;
    SettingsFile file;
    if (!settings_find(&file, settings->file, &problem) ||
        !settings_write(&file, settings, &problem)) {
        return program_complain(PROGRAM, &problem, PROGRAM_FAILED);
    }
    printf("Wrote %s\n", file.path);
    return PROGRAM_GOOD;
}

static int act(Settings *settings)
{
    switch (settings->action) {
    case SETTINGS_ACTION_HELP:
        options_print_help(stdout);
        return PROGRAM_GOOD;
    case SETTINGS_ACTION_VERSION:
        printf("%s %s\n", PROGRAM, trn_version());
        return PROGRAM_GOOD;
    case SETTINGS_ACTION_WRITE:
        return write_settings(settings);
    default:
        return run(settings);
    }
}

int main(int argc, char **argv)
{
    Settings settings;
    Message problem;
    interrupt_watch();
    if (!options_parse(&settings, argc, argv, &problem)) {
        return program_complain(PROGRAM, &problem, PROGRAM_USAGE);
    }
    return program_finish_output(PROGRAM, act(&settings));
}

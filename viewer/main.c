/// terrane-viewer: flies through a voxel terrain, by hand or along a recorded flight.
#include <stdio.h>

#include <terrane/base.h>

#include "assets.h"
#include "benchmark.h"
#include "headless.h"
#include "interactive.h"
#include "interrupt.h"
#include "program.h"
#include "settings_file.h"

static const char PROGRAM[] = "terrane-viewer";

static bool load_flight(const Options *options, Flight *flight, Message *problem)
{
    return options->flight ? flight_read(flight, options->flight, problem)
                           : flight_parse(flight, "the built-in flight", asset_first_flight,
                                          asset_first_flight_bytes, problem);
}

static void tell_mistake(void *user, const Message *mistake)
{
    (void)user;
    (void)program_complain(PROGRAM, mistake, 0);
}

/// What is wrong in the usual file keeps nobody from flying; a file that was asked for has to be
/// there.
static bool load_settings(const Options *options, Settings *settings, SettingsFile *file,
                          Message *problem)
{
    SettingsEar ear = {tell_mistake, NULL, 0};
    *settings = settings_default();
    if (settings_read(file, settings, options->settings, &ear, problem)) {
        return true;
    }
    if (!options->settings) {
        tell_mistake(NULL, problem);
    }
    return options->settings == NULL;
}

static bool run_window(Options *options, const Flight *flight, Message *problem)
{
    Settings settings;
    SettingsFile file;
    if (!load_settings(options, &settings, &file, problem)) {
        return false;
    }
    settings_apply(&settings, options);
    return interactive_run(options, &settings, &file, flight, problem);
}

static int run(Options *options)
{
    Message problem;
    Flight flight;
    if (!load_flight(options, &flight, &problem)) {
        return program_complain(PROGRAM, &problem, PROGRAM_USAGE);
    }
    if (!options_take_flight(options, options->flight ? options->flight : "flight", &flight,
                             &problem)) {
        flight_free(&flight);
        return program_complain(PROGRAM, &problem, PROGRAM_USAGE);
    }
    bool good = options->benchmark
                    ? benchmark_run(options, options->flight ? &flight : NULL, &problem)
                : options->headless ? headless_run(options, &flight, &problem)
                                    : run_window(options, &flight, &problem);
    flight_free(&flight);
    return good ? PROGRAM_GOOD : program_complain(PROGRAM, &problem, PROGRAM_FAILED);
}

/// A file with the defaults, and what the rest of the command line says.
static int write_settings(const Options *options)
{
    Message problem;
    Settings settings = settings_default();
    SettingsFile file;
    settings_take(&settings, options);
    if (!settings_find(&file, options->settings, &problem) ||
        !settings_write(&file, &settings, &problem)) {
        return program_complain(PROGRAM, &problem, PROGRAM_FAILED);
    }
    printf("Wrote %s\n", file.path);
    return PROGRAM_GOOD;
}

static int act(Options *options)
{
    switch (options->action) {
    case OPTIONS_ACTION_HELP:
        options_print_help(stdout);
        return PROGRAM_GOOD;
    case OPTIONS_ACTION_VERSION:
        printf("%s %s\n", PROGRAM, trn_version());
        return PROGRAM_GOOD;
    case OPTIONS_ACTION_WRITE_SETTINGS:
        return write_settings(options);
    default:
        return run(options);
    }
}

int main(int argc, char **argv)
{
    Options options;
    Message problem;
    interrupt_watch();
    if (!options_parse(&options, argc, argv, &problem)) {
        return program_complain(PROGRAM, &problem, PROGRAM_USAGE);
    }
    return program_finish_output(PROGRAM, act(&options));
}

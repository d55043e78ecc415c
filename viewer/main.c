/// terrane-viewer: flies through a voxel terrain, by hand or along a recorded flight.
#include <stdio.h>

#include <terrane/base.h>

#include "assets.h"
#include "headless.h"
#include "interactive.h"
#include "interrupt.h"
#include "program.h"

static const char PROGRAM[] = "terrane-viewer";

static bool load_flight(const Options *options, Flight *flight, Message *problem)
{
    return options->flight ? flight_read(flight, options->flight, problem)
                           : flight_parse(flight, "the built-in flight", asset_first_flight,
                                          asset_first_flight_bytes, problem);
}

static int run(const Options *options)
{
    Message problem;
    Flight flight;
    if (!load_flight(options, &flight, &problem)) {
        return program_complain(PROGRAM, &problem, PROGRAM_USAGE);
    }
    bool good = options->headless
                    ? headless_run(options, &flight, &problem)
                    : interactive_run(options, &flight, options->flight != NULL, &problem);
    flight_free(&flight);
    return good ? PROGRAM_GOOD : program_complain(PROGRAM, &problem, program_failure());
}

static int act(const Options *options)
{
    switch (options->action) {
    case OPTIONS_ACTION_HELP:
        options_print_help(stdout);
        return PROGRAM_GOOD;
    case OPTIONS_ACTION_VERSION:
        printf("%s %s\n", PROGRAM, trn_version());
        return PROGRAM_GOOD;
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

/// terrane-viewer: flies through a voxel terrain, by hand or along a recorded flight.
#include <stdio.h>

#include <terrane/base.h>

#include "assets.h"
#include "headless.h"
#include "interactive.h"

enum { EXIT_GOOD, EXIT_FAILED, EXIT_USAGE };

static int complain(const Message *problem, int code)
{
    fprintf(stderr, "terrane-viewer: %s\n", problem->text);
    return code;
}

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
        return complain(&problem, EXIT_USAGE);
    }
    bool good = options->headless
                    ? headless_run(options, &flight, &problem)
                    : interactive_run(options, &flight, options->flight != NULL, &problem);
    flight_free(&flight);
    return good ? EXIT_GOOD : complain(&problem, EXIT_FAILED);
}

int main(int argc, char **argv)
{
    Options options;
    Message problem;
    if (!options_parse(&options, argc, argv, &problem)) {
        return complain(&problem, EXIT_USAGE);
    }
    switch (options.action) {
    case OPTIONS_ACTION_HELP:
        options_print_help(stdout);
        return EXIT_GOOD;
    case OPTIONS_ACTION_VERSION:
        printf("terrane-viewer %s\n", trn_version());
        return EXIT_GOOD;
    default:
        return run(&options);
    }
}

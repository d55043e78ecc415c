/// terrane-viewer: flies through a voxel terrain, by hand or along a recorded flight.
#include <stdio.h>

#include <terrane/base.h>

#include "assets.h"
#include "headless.h"
#include "interactive.h"
#include "interrupt.h"

// A signal ends the program with 128 and the signal's number, as shells count.
enum { EXIT_GOOD, EXIT_FAILED, EXIT_USAGE, EXIT_SIGNAL = 128 };

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
    int failed = interrupt_came() ? EXIT_SIGNAL + interrupt_came() : EXIT_FAILED;
    return good ? EXIT_GOOD : complain(&problem, failed);
}

static int act(const Options *options)
{
    switch (options->action) {
    case OPTIONS_ACTION_HELP:
        options_print_help(stdout);
        return EXIT_GOOD;
    case OPTIONS_ACTION_VERSION:
        printf("terrane-viewer %s\n", trn_version());
        return EXIT_GOOD;
    default:
        return run(options);
    }
}

/// What was printed may wait in a buffer until now, and a full disk shows only here.
static int finish_output(int code)
{
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (!lost || code != EXIT_GOOD) {
        return code;
    }
    Message problem;
    message_set(&problem,
                "Not all of the output could be written; send it to a place that has room for it.");
    return complain(&problem, EXIT_FAILED);
}

int main(int argc, char **argv)
{
    Options options;
    Message problem;
    interrupt_watch();
    if (!options_parse(&options, argc, argv, &problem)) {
        return complain(&problem, EXIT_USAGE);
    }
    return finish_output(act(&options));
}

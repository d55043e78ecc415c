// terrane-bench: what is fastest, on the same worlds, answers checked first.

#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include <getopt.h>

#include <terrane/base.h>

#include "lookup.hpp"
#include "pools.hpp"

namespace {

const char *const help_text =
    "usage: terrane-bench TOPIC [options]\n"
    "\n"
    "Times ways of keeping chunks against each other on the same worlds. Every contender's answer "
    "is "
    "checked\n"
    "before anything is timed; figures are medians, ratios are to a named baseline of the same "
    "run.\n"
    "\n"
    "topics:\n"
    "  lookup         gathering the chunks around the player: flat spatial array against "
    "std::unordered_map\n"
    "  pools          taking, giving back and walking objects of 256 bytes: pool against malloc\n"
    "\n"
    "options:\n"
    "  --quick        fewer and shorter repetitions; ends within a minute\n"
    "  --csv FILE     writes the figures as comma-separated values; - is standard output\n"
    "  --json FILE    writes the figures as JSON; - is standard output\n"
    "  --plot FILE    draws the figures as a PNG picture (needs gnuplot)\n"
    "  --help         shows this text\n"
    "  --version      shows the version\n"
    "\n"
    "examples:\n"
    "  terrane-bench lookup --quick\n"
    "  terrane-bench lookup --csv lookup.csv --plot lookup.png\n"
    "  terrane-bench pools --quick --json -\n";

struct Topic {
    const char *name;
    int (*run)(const BenchOptions &);
};

const Topic topics[] = {{"lookup", bench_lookup}, {"pools", bench_pools}};

int refuse(const std::string &what)
{
    std::fprintf(stderr, "terrane-bench: %s See terrane-bench --help.\n", what.c_str());
    return 2;
}

/// Figures of a build without optimisation, or with a sanitizer, say nothing about anybody's code.
bool build_can_be_timed()
{
    return std::strcmp(TERRANE_BUILD_TYPE, "Release") == 0 && std::strlen(TERRANE_SANITIZER) == 0;
}

const option long_options[] = {
    {"quick", no_argument, nullptr, 'q'},
    {"csv", required_argument, nullptr, 'c'},
    {"json", required_argument, nullptr, 'j'},
    {"plot", required_argument, nullptr, 'p'},
    {"help", no_argument, nullptr, 'h'},
    {"version", no_argument, nullptr, 'v'},
    {nullptr, 0, nullptr, 0},
};

int run(int count, char **arguments)
{
    BenchOptions options;
    opterr = 0;
    for (int c; (c = getopt_long(count, arguments, ":", long_options, nullptr)) != -1;) {
        switch (c) {
        case 'q':
            options.quick = true;
            break;
        case 'c':
            options.csv_path = optarg;
            break;
        case 'j':
            options.json_path = optarg;
            break;
        case 'p':
            options.plot_path = optarg;
            break;
        case 'h':
            std::fputs(help_text, stdout);
            return 0;
        case 'v':
            std::printf("terrane-bench %s\n", trn_version());
            return 0;
        case ':':
            return refuse(std::string(arguments[optind - 1]) + " needs a file name.");
        default:
            return refuse(std::string("unknown option ") + arguments[optind - 1] + ".");
        }
    }
    if (optind == count) {
        return refuse("name a topic, such as lookup.");
    }
    if (optind + 1 < count) {
        return refuse(std::string("one topic at a time; ") + arguments[optind + 1] +
                      " is one too many.");
    }
    for (const Topic &topic : topics) {
        if (std::strcmp(topic.name, arguments[optind]) != 0) {
            continue;
        }
        if (!build_can_be_timed()) {
            std::fprintf(stderr,
                         "terrane-bench: this is a " TERRANE_BUILD_TYPE " build"
                         ", whose figures say nothing. Build with cmake --preset release.\n");
            return 1;
        }
        return topic.run(options);
    }
    return refuse(std::string("there is no topic ") + arguments[optind] + ".");
}

} // namespace

int main(int count, char **arguments)
{
    try {
        return run(count, arguments);
    } catch (const std::bad_alloc &) {
        std::fprintf(stderr, "terrane-bench: there is no memory left. Free some and try again.\n");
        return 1;
    }
}

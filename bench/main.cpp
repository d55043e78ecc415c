// terrane-bench: what is fastest, on the same worlds, answers checked first.

#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include <getopt.h>

#include <terrane/base.h>

#include "index.hpp"
#include "lookup.hpp"
#include "output_file.hpp"
#include "pools.hpp"

namespace {

const char *const help_text =
    "usage: terrane-bench TOPIC [options]\n"
    "\n"
    "Times ways of keeping chunks against each other on the same worlds. Every contender's\n"
    "answer is checked before anything is timed; figures are medians, ratios are to a named\n"
    "baseline of the same run.\n"
    "\n"
    "topics:\n"
    "  index          the chunk index: gathers, look-ups, changes, memory and readers,\n"
    "                 held against targets\n"
    "  lookup         gathering the chunks around the player: Terrane's index and a flat\n"
    "                 array against hash maps\n"
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
    "  terrane-bench index --json index.json\n"
    "  terrane-bench pools --quick --json -\n";

struct Topic {
    const char *name;
    int (*run)(const BenchOptions &);
};

const Topic topics[] = {{"index", bench_index}, {"lookup", bench_lookup}, {"pools", bench_pools}};

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

/// What was asked for on the command line.
struct Request {
    bool quick = false;
    std::string csv_path, json_path, plot_path, topic;
};

/// The word that getopt_long stumbled over: a letter (there are no short options), or a whole argument.
std::string offending_option(char **arguments)
{
    const std::string word = arguments[optind - 1];
    bool is_long_with_value = word.rfind("--", 0) == 0 && word.find('=') != std::string::npos;
    return optopt != 0 && !is_long_with_value ? std::string("-") + static_cast<char>(optopt) : word;
}

/// @return -1 to go on, otherwise the exit code
int parse(int count, char **arguments, Request &request)
{
    opterr = 0;
    for (int c; (c = getopt_long(count, arguments, ":", long_options, nullptr)) != -1;) {
        if (c == 'q') {
            request.quick = true;
        } else if (c == 'c' || c == 'j' || c == 'p') {
            std::string &path = c == 'c'   ? request.csv_path
                                : c == 'j' ? request.json_path
                                           : request.plot_path;
            path = optarg;
            if (path.empty() || (c == 'p' && path == "-")) {
                return refuse("a file needs a name.");
            }
        } else if (c == 'h') {
            std::fputs(help_text, stdout);
            return 0;
        } else if (c == 'v') {
            std::printf("terrane-bench %s\n", trn_version());
            return 0;
        } else if (c == ':') {
            return refuse(std::string(arguments[optind - 1]) + " needs a file name.");
        } else {
            return refuse("unknown option " + offending_option(arguments) + ".");
        }
    }
    if (optind == count) {
        return refuse("name a topic, such as lookup.");
    }
    if (optind + 1 < count) {
        return refuse(std::string("one topic at a time; ") + arguments[optind + 1] +
                      " is one too many.");
    }
    if (request.csv_path == "-" && request.json_path == "-") {
        return refuse("standard output takes one of --csv and --json.");
    }
    request.topic = arguments[optind];
    return -1;
}

int run_topic(const Topic &topic, const Request &request)
{
    if (!build_can_be_timed()) {
        std::fprintf(stderr, "terrane-bench: this is a " TERRANE_BUILD_TYPE " build"
                             ", whose figures say nothing. Build with cmake --preset release.\n");
        return 1;
    }
    OutputFile csv, json, plot;
    if ((!request.csv_path.empty() && !csv.open(request.csv_path)) ||
        (!request.json_path.empty() && !json.open(request.json_path)) ||
        (!request.plot_path.empty() && !plot.open(request.plot_path))) {
        return 1;
    }
    BenchOptions options;
    options.quick = request.quick;
    options.csv = csv.is_open() ? &csv : nullptr;
    options.json = json.is_open() ? &json : nullptr;
    options.plot = plot.is_open() ? &plot : nullptr;
    return topic.run(options);
}

int run(int count, char **arguments)
{
    Request request;
    int code = parse(count, arguments, request);
    if (code >= 0) {
        return code;
    }
    for (const Topic &topic : topics) {
        if (topic.name == request.topic) {
            return run_topic(topic, request);
        }
    }
    return refuse("there is no topic " + request.topic + ".");
}

/// Figures that nobody received are no success.
int flushed(int code)
{
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) {
        return code;
    }
    std::fprintf(stderr, "terrane-bench: standard output could not be written to the end.\n");
    return code ? code : 1;
}

} // namespace

int main(int count, char **arguments)
{
    try {
        std::signal(SIGPIPE, SIG_IGN); // gnuplot that is not there is told in words
        return flushed(run(count, arguments));
    } catch (const std::bad_alloc &) {
        std::fprintf(stderr, "terrane-bench: there is no memory left. Free some and try again.\n");
        return 1;
    }
}

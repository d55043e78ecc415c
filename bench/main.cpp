// terrane-bench: what is fastest, on the same worlds, answers checked first.

#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include <terrane/base.h>

#include "command_line.hpp"
#include "environment.hpp"
#include "growth/growth.hpp"
#include "index/index.hpp"
#include "lookup/lookup.hpp"
#include "mesher/mesher.hpp"
#include "output_file.hpp"
#include "plot.hpp"
#include "pools/pools.hpp"
#include "store/store.hpp"
#include "stream/stream.hpp"
#include "terrain/terrain.hpp"
#include "voxels/voxels.hpp"

namespace {

struct Topic {
    const char *name;
    int (*run)(const BenchOptions &);
};

const Topic topics[] = {
    {"growth", bench_growth}, {"index", bench_index},     {"lookup", bench_lookup},
    {"mesher", bench_mesher}, {"pools", bench_pools},     {"store", bench_store},
    {"stream", bench_stream}, {"terrain", bench_terrain}, {"voxels", bench_voxels}};

/// Figures of a build without optimisation, or with a sanitizer, say nothing about anybody's code.
bool build_can_be_timed()
{
    return std::strcmp(TERRANE_BUILD_TYPE, "Release") == 0 && std::strlen(TERRANE_SANITIZER) == 0;
}

int run_topic(const Topic &topic, const CommandLine &line)
{
    if (!line.options.check && !build_can_be_timed()) {
        std::fprintf(stderr, "terrane-bench: this is a " TERRANE_BUILD_TYPE " build"
                             ", whose figures say nothing. Build with cmake --preset release.\n");
        return 1;
    }
    OutputFile csv, json;
    if ((!line.csv_path.empty() && !csv.open(line.csv_path)) ||
        (!line.json_path.empty() && !json.open(line.json_path)) ||
        (!line.options.plot_folder.empty() && !make_plot_folder(line.options.plot_folder))) {
        return 1;
    }
    BenchOptions options = line.options;
    options.csv = csv.is_open() ? &csv : nullptr;
    options.json = json.is_open() ? &json : nullptr;
    const int code = topic.run(options);
    if (!options.check) {
        Steadiness::instance().warn();
    }
    return code;
}

int run(int count, char **arguments)
{
    CommandLine line;
    const int code = parse_command_line(count, arguments, line);
    if (code >= 0) {
        return code;
    }
    for (const Topic &topic : topics) {
        if (topic.name == line.topic) {
            return run_topic(topic, line);
        }
    }
    return refuse("there is no topic " + line.topic + ".");
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

// terrane-bench: which way of keeping chunks is fastest, on the same worlds, with checked answers.

#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>

#include <terrane/base.h>

#include "blocks/blocks.hpp"
#include "driver/command_line.hpp"
#include "driver/output_file.hpp"
#include "driver/plot.hpp"
#include "driver/topic.hpp"
#include "far/far.hpp"
#include "growth/growth.hpp"
#include "index/index.hpp"
#include "light/light.hpp"
#include "lookup/lookup.hpp"
#include "mesher/mesher.hpp"
#include "pools/pools.hpp"
#if TERRANE_HAS_SAVE
#include "save/save.hpp"
#include "shared/shared.hpp"
#endif
#include "store/store.hpp"
#include "stream/stream.hpp"
#include "terrain/terrain.hpp"
#include "voxels/voxels.hpp"

namespace {

const bench::Topic *const topics[] = {
    &lookup_topic,
#ifndef __EMSCRIPTEN__ // a browser runs this topic alone
    &growth_topic, &index_topic,   &mesher_topic, &pools_topic, &store_topic,  &stream_topic,
    &far_topic,    &terrain_topic, &voxels_topic, &light_topic, &blocks_topic,
#if TERRANE_HAS_SAVE
    &save_topic,   &shared_topic,
#endif
#endif
};

/// The topics' lines in --help, broken at spaces.
std::string topics_help()
{
    const std::size_t indent = 17, width = 88;
    std::string text;
    for (const bench::Topic *topic : topics) {
        std::string line = std::string("  ") + topic->name;
        line.resize(indent, ' ');
        std::string rest = topic->help;
        while (line.size() + rest.size() > width) {
            const std::size_t end = rest.rfind(' ', width - indent);
            text += line + rest.substr(0, end) + "\n";
            rest.erase(0, end + 1);
            line.assign(indent, ' ');
        }
        text += line + rest + "\n";
    }
    return text;
}

/// Figures of a build without optimisation, or with a sanitizer, mean nothing.
bool build_can_be_timed()
{
    return std::strcmp(TERRANE_BUILD_TYPE, "Release") == 0 && std::strlen(TERRANE_SANITIZER) == 0;
}

int run_topic(const bench::Topic &topic, const CommandLine &line)
{
    if (!line.options.check && !build_can_be_timed()) {
        std::fprintf(stderr, "terrane-bench: this is a " TERRANE_BUILD_TYPE " build"
                             ", whose figures mean nothing. Build with cmake --preset release.\n");
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
    return bench::run_topic(topic, options);
}

int run(int count, char **arguments)
{
    CommandLine line;
    const int code = parse_command_line(count, arguments, topics_help().c_str(), line);
    if (code >= 0) {
        return code;
    }
    for (const bench::Topic *topic : topics) {
        if (topic->name == line.topic) {
            return run_topic(*topic, line);
        }
    }
    return refuse("there is no topic " + line.topic + ".");
}

/// Lost figures are a failure.
int flushed(int code)
{
    if (std::fflush(stdout) == 0 && !std::ferror(stdout)) {
        return code;
    }
    std::fprintf(stderr, "terrane-bench: cannot write everything to standard output.\n");
    return code ? code : 1;
}

} // namespace

int main(int count, char **arguments)
{
    try {
#ifdef SIGPIPE
        std::signal(SIGPIPE, SIG_IGN); // a missing gnuplot is reported in words
#endif
        return flushed(run(count, arguments));
    } catch (const std::bad_alloc &) {
        std::fprintf(stderr, "terrane-bench: out of memory. Free some and try again.\n");
        return 1;
    }
}

// terrane-bench: compares ways of storing chunks on the same worlds, with checked answers.

#include <csignal>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <string>

#include <terrane/base.h>

#include "driver/command_line.hpp"
#include "driver/comparison.hpp"
#include "driver/conditions.hpp"
#include "driver/output_file.hpp"
#include "driver/plot.hpp"
#include "topics.hpp"

namespace {

const bench::Topic *const topics[] = {
    &lookup_topic,
#ifndef __EMSCRIPTEN__ // a browser runs this topic alone
    &game_topic,   &growth_topic, &index_topic,   &mesher_topic, &pools_topic, &store_topic,
    &stream_topic, &far_topic,    &terrain_topic, &voxels_topic, &light_topic, &blocks_topic,
#if TERRANE_HAS_SAVE
    &save_topic,
#endif
#if TERRANE_HAS_SHARED
    &shared_topic,
#endif
#endif
};

const bench::Topic *topic_at(std::size_t i)
{
    return i < std::size(topics) ? topics[i] : nullptr;
}

const char *topic_name(std::size_t i)
{
    return topic_at(i) ? topic_at(i)->name : nullptr;
}

const char *topic_help(std::size_t i)
{
    return topic_at(i) ? topic_at(i)->help : nullptr;
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
    OutputFile csv, json, html;
    const auto before = std::make_shared<OldRun>();
#ifndef __EMSCRIPTEN__ // browsers have no files of earlier runs
    if (!line.compare_path.empty() && !read_old_run(line.compare_path, line.topic, *before)) {
        return 1;
    }
#endif
    if ((!line.csv_path.empty() && !csv.open(line.csv_path)) ||
        (!line.json_path.empty() && !json.open(line.json_path)) ||
        (!line.html_path.empty() && !html.open(line.html_path)) ||
        (!line.options.plot_folder.empty() && !make_plot_folder(line.options.plot_folder))) {
        return 1;
    }
    BenchOptions options = line.options;
    options.csv = csv.is_open() ? &csv : nullptr;
    options.json = json.is_open() ? &json : nullptr;
    options.html = html.is_open() ? &html : nullptr;
    options.before = line.compare_path.empty() ? nullptr : before;
    for (const std::string &note :
         options.check ? std::vector<std::string>() : notes_on(conditions_here())) {
        std::printf("%s\n", note.c_str());
    }
    return bench::run_topic(topic, options);
}

int run(int count, char **arguments)
{
    CommandLine line;
    const int code = parse_command_line(count, arguments, {topic_name, topic_help}, line);
    if (code >= 0) {
        return code;
    }
    for (const bench::Topic *topic : topics) {
        if (topic->name == line.topic) {
            return run_topic(*topic, line);
        }
    }
    return 2; // unreachable: parse_command_line refuses unknown topics
}

/// Flushes standard output. @return the exit code; failure if output was lost
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
    // By lines, as standard error: where both go to one file, no sentence may break a line.
    (void)std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
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

#include "topics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "contenders/contenders.h"
#include "lookup_process.hpp"
#include "lookup_trace.hpp"
#include "plugins.hpp"

namespace {

const std::uint32_t seed = 7;
const char *const name_copy = "memcpy of the answer, pointers";
const std::int32_t million = 1000000;

// ---- worlds ------------------------------------------------------------------------------------

/// A world that is created when its stage begins, since the largest take a quarter of a gigabyte.
struct Venue {
    std::string name;
    int walk_steps; ///< 0: the world has no walk
    std::function<World(const std::string &name)> make;
};

std::string with_number(const char *text, double number)
{
    char name[64];
    std::snprintf(name, sizeof name, "%s%g", text, number);
    return name;
}

void add_balls(std::vector<Venue> &venues, int radius, int walk_steps, bool has_flattened = true)
{
    venues.push_back({with_number("ball R=", radius), walk_steps, [=](const std::string &name) {
                          return world_ellipsoid(name, radius, radius);
                      }});
    if (has_flattened) {
        venues.push_back(
            {with_number("flattened ball R=", radius), walk_steps,
             [=](const std::string &name) { return world_ellipsoid(name, radius, radius / 4); }});
    }
}

void add_far(std::vector<Venue> &venues, int walked_radius, int island_radius)
{
    venues.push_back(
        {with_number("500-chunk walk R=", walked_radius) + ", all kept", 0,
         [=](const std::string &name) { return world_walked(name, walked_radius, 500); }});
    venues.push_back({"two islands, one axis", 0, [=](const std::string &name) {
                          return world_islands(name, island_radius, {million, 0, 0});
                      }});
    venues.push_back({"1,000 scattered anchors", 0, [](const std::string &name) {
                          return world_anchors(name, 1000, million, 2, 8, seed);
                      }});
}

void add_columns(std::vector<Venue> &venues, const char *name, int edge, int high)
{
    venues.push_back({name, 0, [=](const std::string &called) {
                          return world_columns(called, edge, high, 32, seed);
                      }});
}

/// Adds boxes that are filled cell by cell or in clusters.
void add_fills(std::vector<Venue> &venues, const char *kind, int cluster_radius,
               const std::vector<double> &per_cents)
{
    for (const double per_cent : per_cents) {
        venues.push_back({with_number(kind, per_cent) + " %", 0, [=](const std::string &name) {
                              return world_filled(name, 32, per_cent / 100, cluster_radius, seed);
                          }});
    }
}

std::vector<Venue> quick_venues()
{
    std::vector<Venue> venues;
    add_balls(venues, 16, 128);
    add_far(venues, 8, 8);
    add_columns(venues, "64 x 64 columns, 1 to 8 high", 64, 8);
    add_fills(venues, "random fill ", 0, {5});
    add_fills(venues, "clustered fill ", 3, {1});
    add_balls(venues, 32, 48, false); // the slowest world last: slow machines may skip it
    return venues;
}

std::vector<Venue> full_venues()
{
    std::vector<Venue> venues;
    add_balls(venues, 8, 512);
    add_balls(venues, 16, 512);
    add_balls(venues, 32, 512);
    add_balls(venues, 64, 128);
    add_far(venues, 32, 16);
    venues.push_back({"two islands, all axes", 0, [](const std::string &name) {
                          return world_islands(name, 16, {million, million, million});
                      }});
    add_columns(venues, "1,024 x 1,024 columns, 1 high", 1024, 1);
    add_columns(venues, "512 x 512 columns, 1 to 8 high", 512, 8);
    const std::vector<double> per_cents = {50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.05};
    add_fills(venues, "random fill ", 0, per_cents);
    add_fills(venues, "clustered fill ", 3, per_cents);
    return venues;
}

LookupPlan make_plan(bool is_quick)
{
    // With a sanitizer, filling a gigabyte takes half a minute if other tests run concurrently.
    const double patience = *TERRANE_SANITIZER ? 10 : 1;
#ifdef __EMSCRIPTEN__
    const double warm_ns = 5e6; // browsers recompile hot functions, optimised
#else
    const double warm_ns = 0;
#endif
    if (is_quick) {
        return {{0.3e9, 64, 0.06e9, 0.2e9, 0.3e6, 1e6, 4096, warm_ns}, 0, 1, 0.05e9, 30 * patience};
    }
    return {{20e9, 4096, 3e9, 3e9, 2e6, 30e6, 65536, warm_ns}, 7, 4, 1.5e9, 60 * patience};
}

// ---- contenders --------------------------------------------------------------------------------

const Contender *load(const std::string &path, const std::vector<const Contender *> &taken)
{
    std::string problem;
    const Contender *loaded = load_contender(path, taken, problem);
    if (!loaded) {
        throw bench::Refused{"cannot use the contender " + path + ": " + problem + "."};
    }
    return loaded;
}

/// The built-in contenders, then those of libraries. @throws bench::Refused if a library cannot be
/// loaded
std::vector<const Contender *> gather_contenders(const BenchOptions &options)
{
    std::size_t count;
    const Contender *const *builtin = contenders_builtin(&count);
    std::vector<const Contender *> contenders(builtin, builtin + count);
    for (const std::string &path : options.contenders) {
        contenders.push_back(load(path, contenders));
    }
    return contenders;
}

/// The floor for all contenders: copying the pointers of the gathered box.
bench::Attempt copy_of_answer(const LookupWorld &world)
{
    using Pointers = std::vector<const ContenderChunk *>;
    const auto from = std::make_shared<Pointers>();
    for (const std::uint32_t number : world.in_box) {
        from->push_back(&world.headers[number]);
    }
    bench::Attempt copy = {name_copy};
    copy.is_floor = true;
    copy.work = [from, to = std::make_shared<Pointers>(from->size())] {
        std::memcpy(to->data(), from->data(), from->size() * sizeof(const void *));
        keep(to->data());
    };
    return copy;
}

/// What all stages share.
struct Lookup {
    std::vector<const Contender *> contenders;
    LookupPlan plan;
    /// Memory that stands for what a game touches between two questions: enough to evict a
    /// container from all caches, except a last-level cache that many cores share.
    std::vector<char> trash = std::vector<char>(std::size_t{64} << 20, 1);
};

void add_world(bench::Bench &bench, const Lookup &lookup, const Venue &venue)
{
    const auto world =
        std::make_shared<const LookupWorld>(venue.make(venue.name), venue.walk_steps);
    std::vector<std::shared_ptr<LookupProcess>> processes;
    for (const Contender *contender : lookup.contenders) {
        processes.push_back(std::make_shared<LookupProcess>(
            *contender, contender == lookup.contenders[0], world, lookup.plan, lookup.trash));
    }
    for (std::size_t i = 0; i < question_count; i++) {
        const QuestionInfo &info = question_infos[i];
        if (info.call == Call::walk && venue.walk_steps == 0) {
            continue;
        }
        bench::Scene scene = {info.name, venue.name, info.unit, world->world.chunks.size(), 1};
        for (const auto &process : processes) {
            scene.attempts.push_back(LookupProcess::attempt(process, static_cast<Question>(i)));
        }
        if (i == place_of(Question::gather)) {
            scene.attempts.push_back(copy_of_answer(*world));
        }
        bench.add(std::move(scene));
    }
}

bool wants(const bench::Bench &bench, const Venue &venue, const std::vector<std::string> &names)
{
    return std::any_of(std::begin(question_infos), std::end(question_infos),
                       [&](const QuestionInfo &info) {
                           return (info.call != Call::walk || venue.walk_steps > 0) &&
                                  bench.wants(info.name, venue.name, names);
                       });
}

// ---- plots -------------------------------------------------------------------------------------

struct LinePlot {
    Question question;
    const char *file, *worlds, *number_after, *title, *x_label, *y_label;
};

const LinePlot line_plots[] = {
    {Question::gather, "lookup_gather", "ball R=", "R=",
     "Gathering all chunks of a box around a loaded ball", "radius R in chunks", "microseconds"},
    {Question::gather, "lookup_gather_flattened", "flattened ball R=", "R=",
     "Gathering all chunks of a box around a loaded ball, flattened to a quarter",
     "radius R in chunks", "microseconds"},
    {Question::bytes, "lookup_memory_random", "random fill ", "fill ",
     "Memory of a box filled at random", "per cent filled", "bytes per chunk"},
    {Question::bytes, "lookup_memory_clustered", "clustered fill ", "fill ",
     "Memory of a box filled in clusters", "per cent filled", "bytes per chunk"},
    {Question::gather, "lookup_gather_random", "random fill ", "fill ",
     "Gathering a box filled at random", "per cent filled", "microseconds"},
    {Question::gather, "lookup_gather_clustered", "clustered fill ", "fill ",
     "Gathering a box filled in clusters", "per cent filled", "microseconds"},
};

/// A plot with a line for each contender over the worlds with a common name prefix. Empty if only
/// one such world was measured.
Plot plot_of(const Report &report, const LinePlot &wanted)
{
    Plot plot;
    plot.file = wanted.file;
    plot.title = wanted.title;
    plot.x_label = wanted.x_label;
    plot.y_label = wanted.y_label;
    plot.is_log_x = true;
    const std::string prefix = wanted.worlds;
    add_lines(plot, report, info_of(wanted.question).name, [&](const std::string &world) {
        return world.rfind(prefix, 0) == 0 ? number_after(world, wanted.number_after)
                                           : std::nan("");
    });
    const bool has_line =
        std::any_of(plot.series.begin(), plot.series.end(),
                    [](const Series &series) { return series.points.size() > 1; });
    if (!has_line) {
        plot.series.clear();
    }
    for (Series &series : plot.series) {
        series.is_bold = series.name.rfind("Terrane", 0) == 0 || series.name == report.baseline;
    }
    return plot;
}

void conclude(Report &report)
{
    for (const LinePlot &wanted : line_plots) {
        report.plots.push_back(plot_of(report, wanted));
    }
}

// ---- the topic ---------------------------------------------------------------------------------

void make(bench::Bench &bench)
{
    const auto lookup = std::make_shared<Lookup>();
    lookup->contenders = gather_contenders(bench.options);
    lookup->plan = make_plan(bench.options.quick);
    if (*contenders_missing()) {
        bench.note("Missing when the bench was configured:\n" + std::string(contenders_missing()));
    }
    if (!bench.options.trace.empty()) {
        return add_trace(bench, lookup->contenders);
    }
    std::vector<std::string> names = {name_copy};
    for (const Contender *contender : lookup->contenders) {
        names.emplace_back(contender->name);
    }
    for (const Venue &venue : bench.options.quick ? quick_venues() : full_venues()) {
        if (wants(bench, venue, names)) {
            bench.stage([&bench, lookup, venue] { add_world(bench, *lookup, venue); });
        }
    }
    bench.note("Random worlds by seed " + std::to_string(seed) + ".");
    bench.conclude(conclude);
}

} // namespace

const bench::Topic lookup_topic = {
    "lookup",
    "finding and gathering chunks: Terrane's index, arrays, trees, well-known hash maps, and your "
    "own contender; also on a trace of your game; in full, with up to 1.7 million chunks, it takes "
    "half an hour",
    "What does each way of keeping chunks by coordinate cost?",
    "std::unordered_map, probed",
    "the unit of each question",
    "chunks",
    2,
    "gather the box | ball R=16 | Terrane index, pointers",
    make,
};

#include "lookup.hpp"

#include <cstdio>
#include <string>
#include <vector>

#include "contenders/contenders.h"
#include "driver/command_line.hpp"
#include "driver/timing.hpp"
#include "lookup_match.hpp"
#include "lookup_report.hpp"
#include "lookup_trace.hpp"
#include "plugins.hpp"

namespace {

const std::uint32_t seed = 7;
const std::int32_t million = 1000000;

/// A world that is made when its turn comes: the largest take a quarter of a gigabyte.
struct Venue {
    std::string name;
    World (*make)(const std::string &name, double parameter);
    double parameter;
    int walk_steps; ///< 0: nobody walks there
};

int whole(double parameter)
{
    return static_cast<int>(parameter);
}

World make_ball(const std::string &name, double radius)
{
    return world_ellipsoid(name, whole(radius), whole(radius));
}
World make_flattened(const std::string &name, double radius)
{
    return world_ellipsoid(name, whole(radius), whole(radius) / 4);
}
World make_walked(const std::string &name, double radius)
{
    return world_walked(name, whole(radius), 500);
}
World make_islands_one(const std::string &name, double radius)
{
    return world_islands(name, whole(radius), {million, 0, 0});
}
World make_islands_all(const std::string &name, double radius)
{
    return world_islands(name, whole(radius), {million, million, million});
}
World make_anchors(const std::string &name, double count)
{
    return world_anchors(name, whole(count), million, 2, 8, seed);
}
World make_flat_columns(const std::string &name, double edge)
{
    return world_columns(name, whole(edge), 1, 32, seed);
}
World make_columns(const std::string &name, double edge)
{
    return world_columns(name, whole(edge), 8, 32, seed);
}
World make_random(const std::string &name, double per_cent)
{
    return world_filled(name, 32, per_cent / 100, 0, seed);
}
World make_clustered(const std::string &name, double per_cent)
{
    return world_filled(name, 32, per_cent / 100, 3, seed);
}

std::string with_number(const char *text, double number)
{
    char name[64];
    std::snprintf(name, sizeof name, "%s%g", text, number);
    return name;
}

void add_fills(std::vector<Venue> &venues, const std::vector<double> &random,
               const std::vector<double> &clustered)
{
    for (double per_cent : random) {
        venues.push_back({with_number("random fill ", per_cent) + " %", make_random, per_cent, 0});
    }
    for (double per_cent : clustered) {
        venues.push_back(
            {with_number("clustered fill ", per_cent) + " %", make_clustered, per_cent, 0});
    }
}

std::vector<Venue> quick_venues()
{
    std::vector<Venue> venues = {
        {"ball R=16", make_ball, 16, 128},
        {"ball R=32", make_ball, 32, 48},
        {"flattened ball R=16", make_flattened, 16, 128},
        {"500-chunk walk R=8, all kept", make_walked, 8, 0},
        {"two islands, one axis", make_islands_one, 8, 0},
        {"1,000 scattered anchors", make_anchors, 1000, 0},
        {"64 x 64 columns, 1 to 8 high", make_columns, 64, 0},
    };
    add_fills(venues, {5}, {1});
    return venues;
}

std::vector<Venue> full_venues()
{
    std::vector<Venue> venues;
    for (double radius : {8.0, 16.0, 32.0, 64.0}) {
        const int steps = radius > 32 ? 128 : 512;
        venues.push_back({with_number("ball R=", radius), make_ball, radius, steps});
        venues.push_back({with_number("flattened ball R=", radius), make_flattened, radius, steps});
    }
    venues.push_back({"500-chunk walk R=32, all kept", make_walked, 32, 0});
    venues.push_back({"two islands, one axis", make_islands_one, 16, 0});
    venues.push_back({"two islands, all axes", make_islands_all, 16, 0});
    venues.push_back({"1,000 scattered anchors", make_anchors, 1000, 0});
    venues.push_back({"1,024 x 1,024 columns, 1 high", make_flat_columns, 1024, 0});
    venues.push_back({"512 x 512 columns, 1 to 8 high", make_columns, 512, 0});
    const std::vector<double> fills = {50, 20, 10, 5, 2, 1, 0.5, 0.2, 0.05};
    add_fills(venues, fills, fills);
    return venues;
}

LookupPlan make_plan(bool is_quick)
{
    // With a sanitizer, filling a gigabyte takes half a minute where other tests run beside it.
    const double patience = *TERRANE_SANITIZER ? 10 : 1;
    if (is_quick) {
        return {{0.4e9, 0.06e9, 0.2e9, 0.3e6, 3e6, 8192}, 5, 3, 2, 0.1e9, 30 * patience};
    }
    return {{20e9, 3e9, 3e9, 2e6, 30e6, 65536}, 15, 5, 4, 1.5e9, 60 * patience};
}

/// Seconds for all worlds together.
double time_budget(bool is_quick)
{
    return is_quick ? 45 : 12 * 60;
}

/// What a game touches between two questions: enough to take a container out of all caches but a
/// last one that many cores share.
std::vector<char> make_trash()
{
    return std::vector<char>(std::size_t{64} << 20, 1);
}

/// Built-in contenders, then those of libraries. @return false, and says why, when one cannot be
/// loaded
bool gather_contenders(const BenchOptions &options, std::vector<const Contender *> &contenders)
{
    std::size_t count;
    const Contender *const *builtin = contenders_builtin(&count);
    contenders.assign(builtin, builtin + count);
    for (const std::string &path : options.contenders) {
        std::string problem;
        const Contender *loaded = load_contender(path, contenders, problem);
        if (!loaded) {
            std::fprintf(stderr, "terrane-bench: the contender %s is no use: %s.\n", path.c_str(),
                         problem.c_str());
            return false;
        }
        contenders.push_back(loaded);
    }
    if (*contenders_missing()) {
        std::printf("Not there when the bench was configured:\n%s", contenders_missing());
    }
    return true;
}

bool is_wanted(const Venue &venue, const std::vector<const Contender *> &contenders,
               const BenchOptions &options)
{
    for (int i = 0; i < question_count; i++) {
        if (comes_from_walks(question_at(i)) && venue.walk_steps == 0) {
            continue;
        }
        for (const Contender *contender : contenders) {
            if (options.wants(question_info(question_at(i)).name, venue.name, contender->name)) {
                return true;
            }
        }
    }
    return false;
}

std::vector<Venue> wanted_venues(const std::vector<const Contender *> &contenders,
                                 const BenchOptions &options)
{
    std::vector<Venue> wanted;
    for (const Venue &venue : options.quick ? quick_venues() : full_venues()) {
        if (is_wanted(venue, contenders, options)) {
            wanted.push_back(venue);
        }
    }
    return wanted;
}

bool any_wrong(const std::vector<LookupResult> &results)
{
    bool is_wrong = false;
    for (const LookupResult &result : results) {
        if (result.is_wrong) {
            std::fprintf(stderr, "terrane-bench: %s: %s.\n", result.contender->name,
                         result.why_out.c_str());
            is_wrong = true;
        }
    }
    return is_wrong;
}

Report make_report()
{
    Report report;
    report.topic = "lookup";
    report.question = "What does each way of keeping chunks by coordinate cost?";
    return report;
}

/// @return whether every contender gave right answers
bool play(const std::vector<Venue> &venues, const std::vector<const Contender *> &contenders,
          const BenchOptions &options, Report &report)
{
    const LookupPlan plan = make_plan(options.quick);
    const std::vector<char> trash = make_trash();
    const double start = clock_ns(CLOCK_MONOTONIC);
    bool is_right = true;
    for (std::size_t i = 0; i < venues.size(); i++) {
        const double gone = (clock_ns(CLOCK_MONOTONIC) - start) * 1e-9;
        const double left =
            (time_budget(options.quick) - gone) / static_cast<double>(venues.size() - i);
        std::fprintf(stderr, "terrane-bench: %s (%zu of %zu, %.0f s so far)\n",
                     venues[i].name.c_str(), i + 1, venues.size(), gone);
        const LookupWorld world(venues[i].make(venues[i].name, venues[i].parameter),
                                venues[i].walk_steps);
        LookupMatch match(world, contenders, options, plan, trash);
        match.run(left);
        if (options.check) {
            print_check(world.world, match.results());
        } else {
            print_tables(world.world, match.results(), match.copy_us());
            add_entries(report, world.world, match.results(), match.copy_us());
        }
        std::fflush(stdout);
        is_right &= !any_wrong(match.results());
    }
    return is_right;
}

} // namespace

int bench_lookup(const BenchOptions &options)
{
    std::vector<const Contender *> contenders;
    if (!gather_contenders(options, contenders)) {
        return 1;
    }
    Report report = make_report();
    report.baseline = contenders[0]->name;
    if (!options.trace.empty()) {
        return bench_trace(contenders, options, report);
    }
    const std::vector<Venue> venues = wanted_venues(contenders, options);
    if (venues.empty()) {
        return refuse(
            "--filter leaves nothing to measure. It is looked for in \"question | world | "
            "contender\", such as \"gather the box | ball R=16 | Terrane index, "
            "pointers\".");
    }
    std::printf(
        "Every answer is checked before it is timed. Medians of interleaved rounds; baseline: "
        "%s.\nRandom worlds by seed %u.\n",
        contenders[0]->name, seed);
    const bool is_right = play(venues, contenders, options, report);
    if (options.check) {
        return is_right ? 0 : 1;
    }
    add_plots(report);
    return write_report(report, options) && is_right ? 0 : 1;
}

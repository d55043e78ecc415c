#include "pools.hpp"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "debris_full.hpp"
#include "debris_scenes.hpp"
#include "particle_grid.hpp"
#include "pool_case.hpp"
#include "pool_keeper.hpp"
#include "pool_objects.hpp"
#include "report.hpp"
#include "timing.hpp"

namespace {

bool cases_right(const std::vector<PoolCase> &cases)
{
    for (const PoolCase &measured : cases) {
        if (!measured.is_right()) {
            std::fprintf(stderr, "terrane-bench: %s gives a wrong answer; nothing was timed.\n",
                         measured.name().c_str());
            return false;
        }
    }
    return true;
}

void print_what_was_checked(const std::vector<PoolCase> &cases)
{
    std::printf(
        "Answers checked: %zu measurements agree with simple models. Seeds: objects 1, 2 and "
        "100 to 163, debris 7 and 8, full pools 11 and 12, particles 5.\n",
        cases.size());
    if (!colony_is_built()) {
        std::printf("plf::colony was not there when terrane-bench was built (Debian: "
                    "libplf-colony-dev), and is left out.\n");
    }
    std::fflush(stdout);
}

void add_entries(Report &report, const std::vector<PoolCase> &cases, const Timing &timing)
{
    for (const PoolCase &measured : cases) {
        Entry entry;
        entry.question = measured.question;
        entry.world = measured.world;
        entry.contender = measured.contender;
        entry.unit = measured.unit;
        entry.count = measured.count;
        entry.is_baseline = measured.is_baseline;
        const double divisor =
            static_cast<double>(measured.parts) * (measured.unit == "us" ? 1000.0 : 1.0);
        for (double ns : timing.nanoseconds(measured.name())) {
            entry.times.push_back(ns / divisor);
        }
        report.entries.push_back(std::move(entry));
    }
}

/// The y's of one contender, in the order of its first appearance among the series.
Series &series_of(Plot &plot, const std::string &name)
{
    for (Series &series : plot.series) {
        if (series.name == name) {
            return series;
        }
    }
    plot.series.push_back({name, {}});
    return plot.series.back();
}

/// Bars: each question and world of the objects is a group, each contender a colour.
Plot plot_objects(const Report &report)
{
    Plot plot;
    plot.file = "pools";
    plot.title = "Objects of 256 bytes";
    plot.y_label = "ns per object";
    const std::string common = "objects of 256 bytes: ";
    for (const Entry &entry : report.entries) {
        if (entry.question.rfind(common, 0) != 0 || entry.times.empty()) {
            continue;
        }
        const std::string group = entry.question.substr(common.size()) + ", " + entry.world;
        if (plot.groups.empty() || plot.groups.back() != group) {
            plot.groups.push_back(group);
        }
        series_of(plot, entry.contender)
            .points.emplace_back(static_cast<double>(plot.groups.size() - 1),
                                 spread_of(entry.times).median);
    }
    return plot;
}

/// Lines over the churn, one for each strategy.
Plot plot_debris(const Report &report, unsigned full_percent)
{
    Plot plot;
    plot.file = "debris-" + std::to_string(full_percent);
    plot.title = "Debris pool of 4,000, " + std::to_string(full_percent) + " % full";
    plot.x_label = "pieces that come and go in a frame, % of the pool";
    plot.y_label = "us per frame";
    plot.is_log_x = true;
    for (unsigned churn : {1u, 5u, 100u}) {
        const std::string world = debris_world(full_percent, churn);
        for (const Entry &entry : report.entries) {
            if (entry.question == debris_question_frame && entry.world == world &&
                !entry.times.empty()) {
                series_of(plot, entry.contender)
                    .points.emplace_back(churn, spread_of(entry.times).median);
            }
        }
    }
    return plot;
}

/// Bars of a question that is answered in microseconds.
Plot plot_frames(const Report &report, const std::string &question, const std::string &file)
{
    Plot plot = bars_of(report, question, file);
    plot.y_label = "us per frame";
    return plot;
}

/// Bars, or lines with more than one point.
bool has_something_to_show(const Plot &plot)
{
    return !plot.series.empty() && (!plot.groups.empty() || plot.series.front().points.size() > 1);
}

void add_plots(Report &report)
{
    std::vector<Plot> plots = {plot_objects(report), plot_debris(report, 50),
                               plot_debris(report, 100),
                               plot_frames(report, debris_question_full, "debris-full"),
                               plot_frames(report, particle_question_frame, "particles")};
    for (Plot &plot : plots) {
        if (has_something_to_show(plot)) {
            report.plots.push_back(std::move(plot));
        }
    }
}

Report make_report()
{
    Report report;
    report.topic = "pools";
    report.question = "Pools: what do taking, giving back and walking over objects that come and "
                      "go cost?";
    report.baseline = "the first of each block";
    report.unit = "nanoseconds";
    report.unit_symbol = "ns";
    report.counted = "objects";
    report.decimals = 2;
    return report;
}

} // namespace

int bench_pools(const BenchOptions &options)
{
    std::vector<PoolCase> cases;
    add_object_cases(cases, options);
    DebrisScenes debris(options);
    debris.add_cases(cases);
    add_full_debris_cases(cases, options);
    add_particle_cases(cases, options);
    if (!cases_right(cases) || !debris.answers_right()) {
        return 1;
    }
    print_what_was_checked(cases);
    Timing timing(options.quick);
    for (const PoolCase &measured : cases) {
        timing.add(measured.name(), measured.work);
    }
    timing.run();
    Report report = make_report();
    add_entries(report, cases, timing);
    debris.measure_spawns(options.quick, report);
    const std::string world = debris_world(100, 5);
    report.targets.push_back({world, "debris: a frame, swap-and-pop",
                              median_of(report, debris_question_frame, world, debris_swap_name),
                              "us", Target::at_most, 10});
    add_plots(report);
    print_report(report);
    print_targets(report);
    return write_report(report, options) ? 0 : 1;
}

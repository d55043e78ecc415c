#include "growth.hpp"

#include <cstdio>
#include <cstdlib>

#include <unistd.h>

#include "growth_parts.hpp"
#include "report.hpp"

namespace {

/// One line for each contender of a question: x is the number behind "n = " in a world's name.
void add_cost_lines(const Report &report, const char *question, const char *suffix, Plot &plot)
{
    std::string contender;
    for (const Entry &entry : report.entries) {
        if (entry.question != question || entry.times.empty()) {
            continue;
        }
        const std::string name = entry.contender + suffix;
        auto line = plot.series.begin();
        while (line != plot.series.end() && line->name != name) {
            ++line;
        }
        if (line == plot.series.end()) {
            line = plot.series.insert(line, Series{name, {}});
        }
        const double edge = std::strtod(entry.world.c_str() + 4, nullptr);
        line->points.emplace_back(edge, spread_of(entry.times).median);
    }
}

Plot cost_plot(const Report &report)
{
    Plot plot;
    plot.file = "growth_cost";
    plot.title = "One growth of n^3 cells to twice as many";
    plot.x_label = "n, cells per edge";
    plot.y_label = "microseconds";
    plot.is_log_x = true;
    add_cost_lines(report, question_growth_cost_one_axis, ", one axis", plot);
    add_cost_lines(report, question_growth_cost_all_axes, ", all axes", plot);
    return plot;
}

Plot bars_in(const Report &report, const char *question, const char *file, const char *unit)
{
    Plot plot = bars_of(report, question, file);
    plot.y_label = unit;
    return plot;
}

} // namespace

void show_growth_progress(const std::string &what)
{
    if (isatty(STDERR_FILENO)) {
        std::fprintf(stderr, what.empty() ? "\r%-76s\r" : "\r  %-74.74s", what.c_str());
    }
}

bool growth_is_wrong(const std::string &contender, const std::string &world)
{
    show_growth_progress("");
    std::fprintf(stderr, "terrane-bench: %s gives a wrong answer for %s; no figures are shown.\n",
                 contender.c_str(), world.c_str());
    return false;
}

int bench_growth(const BenchOptions &options)
{
    Report report;
    report.topic = "growth";
    report.question = "Growth: by how much should an array of chunks expand, how should a cell say "
                      "that no chunk is there, and what does one growth cost?";
    report.baseline = "the entry marked so of each block";
    report.unit = "the unit of each question";
    report.unit_symbol = "ns";
    report.decimals = 2;
    if (!measure_growth_policies(options, report) || !measure_growth_sentinels(options, report) ||
        !measure_growth_costs(options, report)) {
        return 1;
    }
    report.plots = {
        bars_in(report, question_growth_build, "growth_policy", "ns per chunk"),
        bars_in(report, question_growth_worst, "growth_worst", "microseconds"),
        bars_in(report, question_growth_gather, "growth_sentinel", "ns per chunk"),
        cost_plot(report),
    };
    print_report(report);
    return write_report(report, options) ? 0 : 1;
}

#include "driver/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "driver/environment.hpp"
#include "driver/options.hpp"
#include "driver/printable.h"
#include "driver/standings.hpp"

namespace {

constexpr double least_time_change = 0.05, least_size_change = 0.01;
constexpr std::size_t least_rivals = 5; ///< rows needed to compute the pace of a machine
struct Pair {
    const OldRow *before;
    const Entry *entry;
    Spread now;
    double ratio; ///< of the medians, now / before
};

std::vector<Pair> pairs_of(const Report &report, const OldRun &before)
{
    std::map<std::string, const OldRow *> rows;
    for (const OldRow &row : before.rows) {
        rows[row_name(row.question, row.world, row.contender)] = &row;
    }
    std::vector<Pair> pairs;
    for (const Entry &entry : report.entries) {
        const auto at = rows.find(row_name(entry.question, entry.world, entry.contender));
        if (entry.times.empty() || at == rows.end() || !is_cost(at->second->unit) ||
            at->second->unit != unit_of(report, entry) || at->second->spread.median <= 0) {
            continue;
        }
        const Spread now = spread_of(entry.times);
        pairs.push_back({at->second, &entry, now, now.median / at->second->spread.median});
    }
    return pairs;
}

double pace_of(const std::vector<Pair> &pairs)
{
    std::vector<double> ratios;
    for (const Pair &pair : pairs) {
        if (!is_terrane(pair.entry->contender) && !pair.entry->is_floor &&
            is_time(pair.before->unit)) {
            ratios.push_back(pair.ratio);
        }
    }
    return ratios.size() < least_rivals ? 1 : percentile(ratios, 0.5);
}

std::string obstacle_of(const OldRun &before)
{
    for (const auto &[name, text] : environment()) {
        if ((name == "processor" && text != before.processor) ||
            (name == "flags" && text != before.flags)) {
            return "its " + name + " differ" + (name == "flags" ? "" : "s") + " from this run's (" +
                   (name == "flags" ? before.flags : before.processor) + ")";
        }
    }
    return "";
}

/// Whether the ranges of the samples of both runs do not overlap.
bool is_apart(const Pair &pair, double pace)
{
    return pair.now.min > pair.before->spread.max * pace ||
           pair.now.max < pair.before->spread.min * pace;
}

void judge(Comparison &comparison, const Pair &pair)
{
    const bool times = is_time(pair.before->unit);
    const bool has_spread = pair.before->samples > 1 && pair.entry->times.size() > 1;
    comparison.compared++;
    if (times && (!comparison.obstacle.empty() || !has_spread)) {
        comparison.unsure += comparison.obstacle.empty();
        return;
    }
    const double pace = times ? comparison.pace : 1;
    const double noise = std::max(times ? least_time_change : least_size_change,
                                  pair.before->spread.relative + pair.now.relative);
    const double factor = pair.ratio / pace;
    if (std::fabs(std::log(factor)) > std::log1p(noise) && is_apart(pair, pace)) {
        auto &changes = factor > 1 ? comparison.regressions : comparison.improved;
        changes.push_back({pair.before->question, pair.before->world, pair.before->contender,
                           pair.before->unit, pair.before->spread.median, pair.now.median, factor,
                           noise});
    }
}

void sort_changes(std::vector<Change> &changes)
{
    std::stable_sort(changes.begin(), changes.end(), [](const Change &a, const Change &b) {
        return std::fabs(std::log(a.factor)) > std::fabs(std::log(b.factor));
    });
}

void print_changes(const char *title, const std::vector<Change> &changes)
{
    for (const Change &change : changes) {
        std::printf("  %-6s %5.2f x +-%3.0f %%  %s (%s; %s): %.4g to %.4g %s\n", title,
                    change.factor, 100 * change.noise, change.question.c_str(),
                    change.world.c_str(), change.contender.c_str(), change.before, change.now,
                    change.unit.c_str());
    }
}

} // namespace

Comparison compare(const Report &report, const OldRun &before)
{
    const std::vector<Pair> pairs = pairs_of(report, before);
    Comparison comparison;
    comparison.obstacle = obstacle_of(before);
    comparison.pace = pace_of(pairs);
    for (const Pair &pair : pairs) {
        if (is_terrane(pair.entry->contender)) {
            judge(comparison, pair);
        }
    }
    sort_changes(comparison.regressions);
    sort_changes(comparison.improved);
    return comparison;
}

std::set<std::string> rows_of(const std::vector<Change> &changes)
{
    std::set<std::string> rows;
    for (const Change &change : changes) {
        rows.insert(row_name(change.question, change.world, change.contender));
    }
    return rows;
}

void print_comparison(const Comparison &comparison, const OldRun &before)
{
    std::printf("\nCompared with %s of %s, commit %s: %zu rows of Terrane's are in both runs.\n",
                printable(before.path, false).c_str(), before.date.c_str(), before.commit.c_str(),
                comparison.compared);
    if (!comparison.obstacle.empty()) {
        std::printf("Times are not judged, since %s; bytes and counts are.\n",
                    comparison.obstacle.c_str());
    } else {
        std::printf("Times are divided by %.3g, the median change of all other contenders' times; "
                    "%zu of one sample are not judged.\n",
                    comparison.pace, comparison.unsure);
    }
    print_changes("worse", comparison.regressions);
    print_changes("better", comparison.improved);
    std::printf("%zu worse and %zu better beyond their spread.\n", comparison.regressions.size(),
                comparison.improved.size());
}

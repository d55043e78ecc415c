#include "driver/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "driver/environment.hpp"

namespace {

double median_or_nan(const Entry &entry)
{
    return entry.times.empty() ? std::nan("") : spread_of(entry.times).median;
}

/// Says how large the spreads of the rows are, for documents that quote the figures.
std::string steadiness_text(const Report &report)
{
    std::vector<double> spreads;
    for (const Entry &entry : report.entries) {
        if (entry.times.size() > 1) {
            spreads.push_back(100 * spread_of(entry.times).relative);
        }
    }
    if (spreads.empty()) {
        return "no row has several samples";
    }
    char text[96];
    std::snprintf(text, sizeof text, "half of the rows within %.1f %%, nine tenths within %.1f %%",
                  percentile(spreads, 0.5), percentile(spreads, 0.9));
    return text;
}

} // namespace

std::vector<std::pair<std::string, std::string>> surroundings(const Report &report)
{
    auto all = environment();
    all.emplace_back("command", report.command);
    all.emplace_back("steadiness", steadiness_text(report));
    return all;
}

bool asks_the_same(const Entry &a, const Entry &b)
{
    return a.world == b.world && a.question == b.question;
}

const std::string &unit_of(const Report &report, const Entry &entry)
{
    return entry.unit.empty() ? report.unit_symbol : entry.unit;
}

double ratio_to_baseline(const Report &report, const Entry &entry)
{
    for (const Entry &other : report.entries) {
        if (other.is_baseline && asks_the_same(other, entry)) {
            return median_or_nan(other) / median_or_nan(entry);
        }
    }
    return std::nan("");
}

Figure figure_of(const Report &report, const std::string &question, const std::string &world,
                 const std::string &contender)
{
    for (const Entry &entry : report.entries) {
        if (entry.contender == contender && entry.world == world && entry.question == question &&
            !entry.times.empty()) {
            const Spread spread = spread_of(entry.times);
            return {spread.median, spread.relative};
        }
    }
    return {std::nan("")};
}

bool is_time(const std::string &unit)
{
    const std::string word = unit.substr(0, unit.find(' '));
    return word == "ns" || word == "us" || word == "ms" || word == "s" || word == "GB/s";
}

bool Target::is_measured() const
{
    return std::isfinite(figure.value);
}

bool Target::is_within_noise() const
{
    return is_measured() && bound != none && figure.value != demanded &&
           std::fabs(figure.value - demanded) < figure.spread * std::fabs(figure.value);
}

bool Target::is_met() const
{
    return is_measured() && !is_within_noise() &&
           ((bound == at_least && figure.value >= demanded) ||
            (bound == at_most && figure.value <= demanded));
}

namespace {

void print_entry(const Report &report, const Entry &entry)
{
    std::printf("  %-44s ", entry.contender.c_str());
    if (entry.times.empty()) {
        std::printf("        -  %s\n", entry.remark.c_str());
        return;
    }
    const Spread spread = spread_of(entry.times);
    std::printf("%9.*f %-5s [%8.*f .. %8.*f]", report.decimals, spread.median,
                unit_of(report, entry).c_str(), report.decimals, spread.min, report.decimals,
                spread.max);
    if (entry.times.size() > 1) {
        std::printf(" +-%3.0f %%", 100 * spread.relative);
    } else {
        std::printf("%7s", "");
    }
    const double ratio = ratio_to_baseline(report, entry);
    if (entry.is_baseline) {
        std::printf("  baseline");
    } else if (entry.is_floor) {
        std::printf("  floor");
    } else if (std::isfinite(ratio)) {
        std::printf("  %6.1f x", ratio);
    }
    std::printf(entry.remark.empty() ? "%s\n" : "  %s\n", entry.remark.c_str());
}

} // namespace

void print_report(const Report &report)
{
    std::printf("\n%s\nIn %s: median [fastest .. slowest] +- spread (half the distance between the "
                "tenth and the ninetieth percentile);\nratio of medians to the baseline, %s.\n",
                report.question.c_str(), report.unit.c_str(), report.baseline.c_str());
    const Entry *last = nullptr;
    for (const Entry &entry : report.entries) {
        if (!last || !asks_the_same(*last, entry)) {
            std::printf("\n%s%s%s, %zu %s\n", entry.question.c_str(),
                        entry.question.empty() ? "" : ", ", entry.world.c_str(), entry.count,
                        report.counted.c_str());
        }
        last = &entry;
        print_entry(report, entry);
    }
}

const char *Target::verdict() const
{
    if (!is_measured()) {
        return "not measured";
    }
    return bound == none       ? "no target"
           : is_within_noise() ? "within noise"
           : is_met()          ? "met"
                               : "missed";
}

namespace {

/// A figure with enough digits to compare it with a demand.
std::string figure_text(double figure, const std::string &unit)
{
    const bool is_count = unit.empty();
    const double size = std::fabs(figure);
    char text[64];
    std::snprintf(text, sizeof text, "%.*f%s%s",
                  is_count     ? 0
                  : size < 10  ? 2
                  : size < 100 ? 1
                               : 0,
                  figure, unit == "x" || unit == "%" || unit.empty() ? "" : " ", unit.c_str());
    return text;
}

} // namespace

std::string demand_text(const Target &target)
{
    if (target.bound == Target::none) {
        return "";
    }
    char text[64];
    std::snprintf(text, sizeof text, "target %s %g%s%s:",
                  target.bound == Target::at_least ? ">=" : "<=", target.demanded,
                  target.unit == "x" || target.unit == "%" || target.unit.empty() ? "" : " ",
                  target.unit.c_str());
    return text;
}

void print_targets(const Report &report)
{
    std::string world;
    std::size_t met = 0, demanded = 0, noisy = 0, width = 0;
    for (const Target &target : report.targets) {
        width = std::max(width, target.what.size());
    }
    for (const Target &target : report.targets) {
        if (target.world != world) {
            world = target.world;
            std::printf("\n%s\n", world.c_str());
        }
        std::printf("  %-*s  %22s %11s, %s\n", static_cast<int>(width), target.what.c_str(),
                    demand_text(target).c_str(),
                    target.is_measured() ? figure_text(target.figure.value, target.unit).c_str()
                                         : "-",
                    target.verdict());
        met += target.is_met();
        noisy += target.is_within_noise();
        demanded += target.bound != Target::none && target.is_measured();
    }
    if (!report.targets.empty()) {
        std::printf("\n%zu of %zu targets met, %zu within noise.\n", met, demanded, noisy);
    }
}

namespace {

/// The series of a contender, added if it is missing.
Series &series_of(Plot &plot, const Entry &entry, const std::string &suffix)
{
    const std::string name = entry.contender + suffix;
    const auto at = std::find_if(plot.series.begin(), plot.series.end(),
                                 [&name](const Series &series) { return series.name == name; });
    if (at != plot.series.end()) {
        return *at;
    }
    plot.series.push_back({name, {}, false});
    return plot.series.back();
}

/// A question as the end of a file's name: "_gather_the_box".
std::string file_name_of(const std::string &question)
{
    std::string name;
    for (const char c : question) {
        const bool is_plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (is_plain) {
            name += c;
        } else if (!name.empty() && name.back() != '_') {
            name += '_';
        }
    }
    while (!name.empty() && name.back() == '_') {
        name.pop_back();
    }
    return "_" + name;
}

/// The place of a group of bars, added if it is missing.
std::size_t group_of(Plot &plot, const std::string &name)
{
    const auto at = std::find(plot.groups.begin(), plot.groups.end(), name);
    const auto place = static_cast<std::size_t>(at - plot.groups.begin());
    if (at == plot.groups.end()) {
        plot.groups.push_back(name);
    }
    return place;
}

} // namespace

Plot bars_of(const Report &report, const std::string &question, const std::string &file,
             const std::string &y_label)
{
    Plot plot;
    plot.file = file.empty() ? report.topic + file_name_of(question) : file;
    plot.title = question.empty() ? report.question : question;
    plot.y_label = y_label;
    for (const Entry &entry : report.entries) {
        if (entry.question == question && !entry.times.empty()) {
            if (plot.y_label.empty()) {
                plot.y_label = unit_of(report, entry);
            }
            const std::size_t group = group_of(plot, entry.world);
            series_of(plot, entry, "")
                .points.emplace_back(static_cast<double>(group), median_or_nan(entry));
        }
    }
    return plot;
}

void add_lines(Plot &plot, const Report &report, const std::string &question,
               const std::function<double(const std::string &world)> &x_of,
               const std::string &suffix)
{
    for (const Entry &entry : report.entries) {
        const double x = entry.question == question ? x_of(entry.world) : std::nan("");
        if (std::isfinite(x) && !entry.times.empty()) {
            series_of(plot, entry, suffix).points.emplace_back(x, median_or_nan(entry));
        }
    }
    for (Series &series : plot.series) {
        std::sort(series.points.begin(), series.points.end());
    }
}

double number_after(const std::string &name, const std::string &text)
{
    const auto at = name.find(text);
    return at == std::string::npos ? std::nan("") : std::atof(name.c_str() + at + text.size());
}

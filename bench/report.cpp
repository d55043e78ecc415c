#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

Spread spread_of(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    std::size_t half = values.size() / 2;
    double median = values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
    return {values.front(), median, values.back()};
}

namespace {

double median_or_nan(const Entry &entry)
{
    return entry.times.empty() ? std::nan("") : spread_of(entry.times).median;
}

bool asks_the_same(const Entry &a, const Entry &b)
{
    return a.world == b.world && a.question == b.question;
}

} // namespace

double ratio_to_baseline(const Report &report, const Entry &entry)
{
    for (const Entry &other : report.entries) {
        if (other.is_baseline && asks_the_same(other, entry)) {
            return median_or_nan(other) / median_or_nan(entry);
        }
    }
    return std::nan("");
}

double median_of(const Report &report, const std::string &question, const std::string &world,
                 const std::string &contender)
{
    for (const Entry &entry : report.entries) {
        if (entry.contender == contender && entry.world == world && entry.question == question) {
            return median_or_nan(entry);
        }
    }
    return std::nan("");
}

bool Target::is_measured() const
{
    return std::isfinite(figure);
}

bool Target::is_met() const
{
    return is_measured() &&
           ((bound == at_least && figure >= demanded) || (bound == at_most && figure <= demanded));
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
    const char *unit = entry.unit.empty() ? report.unit_symbol.c_str() : entry.unit.c_str();
    std::printf("%9.*f %-5s [%8.*f .. %8.*f]", report.decimals, spread.median, unit,
                report.decimals, spread.min, report.decimals, spread.max);
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
    std::printf("\n%s\nIn %s, median [fastest .. slowest]; ratio of medians to the baseline, %s.\n",
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
    return bound == none ? "no target" : is_met() ? "met" : "missed";
}

namespace {

/// Enough digits to see by how much a target is met.
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

} // namespace

void print_targets(const Report &report)
{
    std::string world;
    std::size_t met = 0, demanded = 0, width = 0;
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
                    target.is_measured() ? figure_text(target.figure, target.unit).c_str() : "-",
                    target.verdict());
        met += target.is_met();
        demanded += target.bound != Target::none && target.is_measured();
    }
    if (!report.targets.empty()) {
        std::printf("\n%zu of %zu targets met.\n", met, demanded);
    }
}

Plot bars_of(const Report &report, const std::string &question, const std::string &file)
{
    Plot plot;
    plot.file = file;
    plot.title = question.empty() ? report.question : question;
    plot.y_label = report.unit;
    auto place_of = [](std::vector<std::string> &names, const std::string &name) {
        const auto at = std::find(names.begin(), names.end(), name);
        const auto place = static_cast<std::size_t>(at - names.begin());
        if (at == names.end()) {
            names.push_back(name);
        }
        return place;
    };
    std::vector<std::string> contenders;
    for (const Entry &entry : report.entries) {
        if (entry.question != question || entry.times.empty()) {
            continue;
        }
        const std::size_t group = place_of(plot.groups, entry.world);
        const std::size_t series = place_of(contenders, entry.contender);
        plot.series.resize(contenders.size());
        plot.series[series].name = entry.contender;
        plot.series[series].points.emplace_back(static_cast<double>(group), median_or_nan(entry));
    }
    return plot;
}

#include "report.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/wait.h>

#include <terrane/base.h>

#include "output_file.hpp"

Spread spread_of(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    std::size_t half = values.size() / 2;
    double median = values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
    return {values.front(), median, values.back()};
}

double ratio_to_baseline(const Report &report, const Entry &entry)
{
    for (const Entry &other : report.entries) {
        if (other.is_baseline && other.world == entry.world) {
            return spread_of(other.times).median / spread_of(entry.times).median;
        }
    }
    return 0.0;
}

double median_of(const Report &report, const std::string &world, const std::string &contender)
{
    for (const Entry &entry : report.entries) {
        if (entry.world == world && entry.contender == contender) {
            return spread_of(entry.times).median;
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

void print_report(const Report &report)
{
    std::printf("\n%s\nIn %s, median [fastest .. slowest]; ratio of medians to the baseline, %s.\n",
                report.question.c_str(), report.unit.c_str(), report.baseline.c_str());
    std::string world;
    for (const Entry &entry : report.entries) {
        if (entry.world != world) {
            world = entry.world;
            std::printf("\n%s, %zu %s\n", world.c_str(), entry.count, report.counted.c_str());
        }
        Spread spread = spread_of(entry.times);
        std::printf("  %-44s %9.*f  [%8.*f .. %8.*f]", entry.contender.c_str(), report.decimals,
                    spread.median, report.decimals, spread.min, report.decimals, spread.max);
        if (entry.is_baseline) {
            std::printf("  baseline\n");
        } else if (entry.is_floor) {
            std::printf("  floor\n");
        } else {
            std::printf("  %6.1f x\n", ratio_to_baseline(report, entry));
        }
    }
}

namespace {

/// "met", "missed", or why neither.
const char *verdict(const Target &target)
{
    if (!target.is_measured()) {
        return "not measured";
    }
    return target.bound == Target::none ? "no target" : target.is_met() ? "met" : "missed";
}

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
                    verdict(target));
        met += target.is_met();
        demanded += target.bound != Target::none && target.is_measured();
    }
    if (!report.targets.empty()) {
        std::printf("\n%zu of %zu targets met.\n", met, demanded);
    }
}

namespace {

/// A number, or what stands for the lack of one.
std::string number_or(bool has_number, double number, const char *otherwise)
{
    return has_number ? std::to_string(number) : otherwise;
}

void write_csv(const Report &report, std::FILE *file)
{
    const char *unit = report.unit_symbol.c_str();
    const bool has_targets = !report.targets.empty();
    std::fprintf(file, "world,contender,%s,median_%s,min_%s,max_%s,repetitions,ratio%s\n",
                 report.counted.c_str(), unit, unit, unit,
                 has_targets ? ",figure,unit,demanded,verdict" : "");
    for (const Entry &entry : report.entries) {
        Spread spread = spread_of(entry.times);
        std::fprintf(file, "\"%s\",\"%s\",%zu,%.3f,%.3f,%.3f,%zu,%.3f%s\n", entry.world.c_str(),
                     entry.contender.c_str(), entry.count, spread.median, spread.min, spread.max,
                     entry.times.size(), ratio_to_baseline(report, entry),
                     has_targets ? ",,,," : "");
    }
    for (const Target &target : report.targets) {
        std::fprintf(
            file, "\"%s\",\"%s\",,,,,,,%s,%s,%s,%s\n", target.world.c_str(), target.what.c_str(),
            number_or(target.is_measured(), target.figure, "").c_str(), target.unit.c_str(),
            number_or(target.bound != Target::none, target.demanded, "").c_str(), verdict(target));
    }
}

void write_json_targets(const Report &report, std::FILE *file)
{
    const char *separator = "";
    for (const Target &target : report.targets) {
        std::fprintf(file,
                     "%s    {\"world\": \"%s\", \"what\": \"%s\", \"figure\": %s, "
                     "\"unit\": \"%s\", \"demanded\": %s, \"verdict\": \"%s\"}",
                     separator, target.world.c_str(), target.what.c_str(),
                     number_or(target.is_measured(), target.figure, "null").c_str(),
                     target.unit.c_str(),
                     number_or(target.bound != Target::none, target.demanded, "null").c_str(),
                     verdict(target));
        separator = ",\n";
    }
}

// Names are our own and hold nothing that JSON would have to escape.
void write_json(const Report &report, std::FILE *file)
{
    std::fprintf(file,
                 "{\n  \"question\": \"%s\",\n  \"version\": \"%s\",\n  \"compiler\": \"%s\",\n"
                 "  \"unit\": \"%s\",\n  \"baseline\": \"%s\",\n  \"results\": [\n",
                 report.question.c_str(), trn_version(), __VERSION__, report.unit.c_str(),
                 report.baseline.c_str());
    const char *separator = "";
    for (const Entry &entry : report.entries) {
        Spread spread = spread_of(entry.times);
        std::fprintf(file,
                     "%s    {\"world\": \"%s\", \"contender\": \"%s\", \"%s\": %zu, "
                     "\"median\": %.3f, \"min\": %.3f, \"max\": %.3f, \"repetitions\": %zu, "
                     "\"ratio\": %.3f}",
                     separator, entry.world.c_str(), entry.contender.c_str(),
                     report.counted.c_str(), entry.count, spread.median, spread.min, spread.max,
                     entry.times.size(), ratio_to_baseline(report, entry));
        separator = ",\n";
    }
    if (!report.targets.empty()) {
        std::fprintf(file, "\n  ],\n  \"targets\": [\n");
        write_json_targets(report, file);
    }
    std::fprintf(file, "\n  ]\n}\n");
}

/// Where the bars stand on: at most 1, and below every median.
double power_of_ten_below(const Report &report)
{
    double least = 1;
    for (const Entry &entry : report.entries) {
        least = std::min(least, spread_of(entry.times).median);
    }
    return std::pow(10, std::floor(std::log10(least)));
}

/// One for each of up to 16 contenders, where gnuplot by itself would begin again after 8.
const char *const many_colours =
    "linecolor rgb hsv2rgb((i * 5 % 16) / 16.0, i % 2 ? 0.45 : 0.85, i % 3 ? 0.9 : 0.65)";

/// A gnuplot script with its data inside: bars per world, one colour per contender, logarithmic.
void write_plot_script(const Report &report, std::FILE *file, const std::string &picture)
{
    std::vector<std::string> worlds, contenders;
    for (const Entry &entry : report.entries) {
        if (std::find(worlds.begin(), worlds.end(), entry.world) == worlds.end()) {
            worlds.push_back(entry.world);
        }
        if (std::find(contenders.begin(), contenders.end(), entry.contender) == contenders.end()) {
            contenders.push_back(entry.contender);
        }
    }
    std::fprintf(file, "$data << END\nworld");
    for (const std::string &contender : contenders) {
        std::fprintf(file, "\t\"%s\"", contender.c_str());
    }
    for (const std::string &world : worlds) {
        std::fprintf(file, "\n\"%s\"", world.c_str());
        for (const std::string &contender : contenders) {
            const double median = median_of(report, world, contender);
            std::fprintf(file, "\t%s", number_or(std::isfinite(median), median, "?").c_str());
        }
    }
    const bool is_big = worlds.size() > 8;
    std::fprintf(file,
                 "\nEND\nset datafile missing '?'\n"
                 "set terminal pngcairo noenhanced size %s font 'sans,12'\nset output '%s'\n"
                 "set title \"%s\"\nset ylabel '%s (logarithmic)'\nset logscale y\n"
                 "set style data histogram\nset style histogram clustered gap 1\n"
                 "set style fill solid 0.9 border -1\nset grid ytics\n"
                 "set key outside bottom center horizontal\nset yrange [%g:*]\n%s"
                 "plot for [i=2:%zu] $data using i:xtic(1) title columnheader(i) %s\n",
                 is_big ? "3200,1200" : "1200,675", picture.c_str(), report.question.c_str(),
                 report.unit.c_str(), power_of_ten_below(report),
                 is_big ? "set xtics rotate by 90 right\n" : "", contenders.size() + 1,
                 contenders.size() > 8 ? many_colours : "");
}

/// Lets gnuplot draw into a file of ours. @return false, and says why, when there is no picture
bool write_plot(const Report &report, OutputFile &picture)
{
    if (picture.written_path().find('\'') != std::string::npos) {
        std::fprintf(stderr, "terrane-bench: a plot's file name must not hold a quote.\n");
        return false;
    }
    int status = -1;
    if (std::FILE *gnuplot = popen("gnuplot >/dev/null", "w")) {
        write_plot_script(report, gnuplot, picture.written_path());
        status = pclose(gnuplot);
    }
    if (status == 0) {
        return picture.commit();
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
        std::fprintf(stderr, "terrane-bench: drawing needs gnuplot, which is not installed. Type: "
                             "apt install gnuplot-nox; or use --csv.\n");
    } else {
        std::fprintf(stderr, "terrane-bench: gnuplot failed; what it said stands above. Use --csv "
                             "to have the figures all the same.\n");
    }
    return false;
}

} // namespace

bool write_report(const Report &report, const BenchOptions &options)
{
    bool all = true;
    if (options.csv) {
        write_csv(report, options.csv->stream());
        all &= options.csv->commit();
    }
    if (options.json) {
        write_json(report, options.json->stream());
        all &= options.json->commit();
    }
    if (options.plot) {
        all &= write_plot(report, *options.plot);
    }
    return all;
}

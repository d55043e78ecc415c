#include "report.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

#include <terrane/base.h>

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

/// Writes a file through a temporary neighbour, so that nothing half-written stays behind. "-" is standard output.
bool write_file(const std::string &path, const std::function<void(std::FILE *)> &write)
{
    if (path == "-") {
        write(stdout);
        return std::fflush(stdout) == 0;
    }
    const std::string temporary = path + ".part";
    std::FILE *file = std::fopen(temporary.c_str(), "w");
    if (file) {
        write(file);
        bool written = !std::ferror(file);
        written = std::fclose(file) == 0 && written;
        if (written && std::rename(temporary.c_str(), path.c_str()) == 0) {
            return true;
        }
    }
    int error = errno;
    std::remove(temporary.c_str());
    std::fprintf(
        stderr,
        "terrane-bench: cannot write %s: %s. Name a file in a folder that is there and writable.\n",
        path.c_str(), std::strerror(error));
    return false;
}

void write_csv(const Report &report, std::FILE *file)
{
    const char *unit = report.unit_symbol.c_str();
    std::fprintf(file, "world,contender,%s,median_%s,min_%s,max_%s,repetitions,ratio\n",
                 report.counted.c_str(), unit, unit, unit);
    for (const Entry &entry : report.entries) {
        Spread spread = spread_of(entry.times);
        std::fprintf(file, "\"%s\",\"%s\",%zu,%.3f,%.3f,%.3f,%zu,%.3f\n", entry.world.c_str(),
                     entry.contender.c_str(), entry.count, spread.median, spread.min, spread.max,
                     entry.times.size(), ratio_to_baseline(report, entry));
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
    std::fprintf(file, "\n  ]\n}\n");
}

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
            for (const Entry &entry : report.entries) {
                if (entry.world == world && entry.contender == contender) {
                    std::fprintf(file, "\t%.3f", spread_of(entry.times).median);
                }
            }
        }
    }
    std::fprintf(file,
                 "\nEND\nset terminal pngcairo size 1200,675 font 'sans,12'\nset output '%s'\n"
                 "set title \"%s\"\nset ylabel '%s (logarithmic)'\nset logscale y\n"
                 "set style data histogram\nset style histogram clustered gap 1\n"
                 "set style fill solid 0.9 border -1\nset grid ytics\n"
                 "set key outside bottom center horizontal\nset yrange [1:*]\n"
                 "plot for [i=2:%zu] $data using i:xtic(1) title columnheader(i)\n",
                 picture.c_str(), report.question.c_str(), report.unit.c_str(),
                 contenders.size() + 1);
}

bool write_plot(const Report &report, const std::string &path)
{
    if (path.find('\'') != std::string::npos) {
        std::fprintf(stderr, "terrane-bench: a plot's file name must not hold a quote.\n");
        return false;
    }
    std::FILE *gnuplot = popen("gnuplot", "w");
    if (gnuplot) {
        write_plot_script(report, gnuplot, path);
        if (pclose(gnuplot) == 0) {
            return true;
        }
    }
    std::fprintf(stderr,
                 "terrane-bench: gnuplot did not draw %s. Install it (apt install gnuplot-nox), or "
                 "use --csv.\n",
                 path.c_str());
    return false;
}

} // namespace

bool write_report(const Report &report, const BenchOptions &options)
{
    bool all = true;
    if (!options.csv_path.empty()) {
        all &= write_file(options.csv_path, [&](std::FILE *file) { write_csv(report, file); });
    }
    if (!options.json_path.empty()) {
        all &= write_file(options.json_path, [&](std::FILE *file) { write_json(report, file); });
    }
    if (!options.plot_path.empty()) {
        all &= write_plot(report, options.plot_path);
    }
    return all;
}

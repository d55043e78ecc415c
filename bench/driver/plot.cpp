#include "driver/plot.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <system_error>

#include "driver/output_file.hpp"
#include "system.h"
#include "whole_file.h"

namespace {

/// Quotes a text for gnuplot, on one line.
std::string quoted(const std::string &text)
{
    std::string safe = "\"";
    for (char c : text) {
        safe += c == '"'                              ? '\''
                : c == '\\' || c == '`'               ? '/'
                : static_cast<unsigned char>(c) < ' ' ? ' '
                                                      : c;
    }
    return safe + "\"";
}

bool is_number(double y)
{
    return std::isfinite(y);
}

// ---- CSV ---------------------------------------------------------------------------------------

void write_plot_csv(const Plot &plot, std::FILE *file)
{
    std::fprintf(file, "series,%s,%s\n",
                 quoted(plot.groups.empty() ? plot.x_label : "world").c_str(),
                 quoted(plot.y_label).c_str());
    for (const Series &series : plot.series) {
        for (const auto &[x, y] : series.points) {
            const std::string at = plot.groups.empty()
                                       ? std::to_string(x)
                                       : quoted(plot.groups.at(static_cast<std::size_t>(x)));
            if (is_number(y)) {
                std::fprintf(file, "%s,%s,%g\n", quoted(series.name).c_str(), at.c_str(), y);
            }
        }
    }
}

// ---- gnuplot -----------------------------------------------------------------------------------

/// A colour for series i. Adjacent series get very different colours. gnuplot's default colours
/// repeat after 8.
std::string colour_of(std::size_t i)
{
    const double hue = static_cast<double>(i * 5 % 13) / 13.0 * 6;
    const double chroma = i % 2 ? 0.45 : 0.75, bright = i % 3 ? 0.8 : 0.6;
    int parts[3];
    for (int part = 0; part < 3; part++) {
        // The distance of the hue from red, green or blue, on a colour circle of length 6.
        const double away = std::fabs(std::remainder(hue - 2 * part, 6.0));
        const double share = std::clamp(2 - away, 0.0, 1.0);
        parts[part] = static_cast<int>(255 * bright * (1 - chroma + chroma * share));
    }
    char text[32];
    std::snprintf(text, sizeof text, "linecolor rgb '#%02x%02x%02x'",
                  static_cast<unsigned>(parts[0]), static_cast<unsigned>(parts[1]),
                  static_cast<unsigned>(parts[2]));
    return text;
}

/// Writes a data block for each series. Bars have a line for every group, lines have one for each
/// point.
void write_blocks(const Plot &plot, std::FILE *script)
{
    for (std::size_t i = 0; i < plot.series.size(); i++) {
        std::fprintf(script, "$s%zu << END\n", i);
        const auto &points = plot.series[i].points;
        for (std::size_t group = 0; group < plot.groups.size(); group++) {
            const auto at = std::find_if(points.begin(), points.end(), [group](const auto &point) {
                return point.first == static_cast<double>(group);
            });
            const bool is_there = at != points.end() && is_number(at->second);
            std::fprintf(script, "%s %s\n", quoted(plot.groups[group]).c_str(),
                         is_there ? std::to_string(at->second).c_str() : "?");
        }
        for (std::size_t k = 0; plot.groups.empty() && k < points.size(); k++) {
            if (is_number(points[k].second)) {
                std::fprintf(script, "%g %g\n", points[k].first, points[k].second);
            }
        }
        std::fprintf(script, "END\n");
    }
}

/// The lower end of bars on a logarithmic axis: a power of ten below all values.
double foot_of_bars(const Plot &plot)
{
    double least = HUGE_VAL;
    for (const Series &series : plot.series) {
        for (const auto &point : series.points) {
            least = point.second > 0 ? std::min(least, point.second) : least;
        }
    }
    return std::isfinite(least) ? std::pow(10, std::floor(std::log10(least) - 0.1)) : 0.1;
}

/// Writes an axis tick for every x that has a point.
void write_marks(const Plot &plot, std::FILE *script)
{
    std::set<double> places;
    for (const Series &series : plot.series) {
        for (const auto &point : series.points) {
            places.insert(point.first);
        }
    }
    const char *separator = "set xtics (";
    for (double place : places) {
        std::fprintf(script, "%s\"%g\" %g", separator, place, place);
        separator = ", ";
    }
    std::fprintf(script, ")\n");
}

void write_look(const Plot &plot, std::FILE *script)
{
    std::fprintf(script,
                 "set datafile missing '?'\nset title %s\nset xlabel %s\nset ylabel %s\n"
                 "set grid\nset key outside right top vertical\nset encoding utf8\n",
                 quoted(plot.title).c_str(), quoted(plot.x_label).c_str(),
                 quoted(plot.y_label).c_str());
    if (plot.groups.empty()) {
        write_marks(plot, script);
    }
    if (plot.is_log_x) {
        std::fprintf(script, "set logscale x\n");
    }
    if (plot.is_log_y) {
        std::fprintf(script, "set logscale y\n");
    }
    if (!plot.groups.empty()) {
        std::fprintf(script, "set style data histogram\nset style histogram clustered gap 1\n"
                             "set style fill solid 0.9 border -1\nset xtics rotate by -20\n");
        if (plot.is_log_y) {
            std::fprintf(script, "set yrange [%g:*]\n", foot_of_bars(plot));
        }
    }
}

void write_lines(const Plot &plot, std::FILE *script)
{
    const char *separator = "plot ";
    for (std::size_t i = 0; i < plot.series.size(); i++) {
        // The parts of a style must be contiguous: gnuplot refuses a colour after the title.
        std::fprintf(script, "%s$s%zu using %s %s", separator, i,
                     plot.groups.empty() ? "1:2 with linespoints" : "2:xtic(1) with histograms",
                     colour_of(i).c_str());
        if (plot.groups.empty()) {
            std::fprintf(script, " pointtype %zu linewidth %d", i % 13 + 1,
                         plot.series[i].is_bold ? 4 : 1);
        }
        std::fprintf(script, " title %s", quoted(plot.series[i].name).c_str());
        separator = ", \\\n  ";
    }
    std::fprintf(script, "\n");
}

/// Writes a complete script, which draws the plot as SVG and as PNG.
void write_script(const Plot &plot, std::FILE *script, const std::string &svg,
                  const std::string &png)
{
    const std::size_t bars = plot.groups.size() * plot.series.size();
    const int width = bars > 60 ? 2200 : 1300;
    const int height = plot.series.size() > 24 ? 900 : 700;
    write_blocks(plot, script);
    write_look(plot, script);
    std::fprintf(script,
                 "set terminal svg noenhanced size %d,%d font 'sans,13' background 'white'\n"
                 "set output %s\n",
                 width, height, quoted(svg).c_str());
    write_lines(plot, script);
    std::fprintf(script,
                 "set terminal pngcairo noenhanced size %d,%d font 'sans,11'\nset output %s\n",
                 width, height, quoted(png).c_str());
    write_lines(plot, script);
    std::fprintf(script, "unset output\n");
}

enum class Drawn { yes, no_gnuplot, failed };

/// Whether a picture ends with `end`. gnuplot does not report a full disk as a failure.
bool is_complete(const std::string &path, const char *end)
{
    constexpr int end_bytes = 16;
    std::ifstream file(path, std::ios::binary);
    std::string last(end_bytes, '\0');
    return file.seekg(-end_bytes, std::ios::end) && file.read(&last[0], end_bytes) &&
           last.find(end) != std::string::npos;
}

/// A picture file. gnuplot writes it under a temporary name, which finish() renames.
class Picture {
  public:
    explicit Picture(const std::string &path)
        : path_(path), error(whole_file_open(&whole_, path_.c_str()))
    {
    }
    ~Picture()
    {
        whole_file_drop(&whole_);
    }
    Picture(const Picture &) = delete;
    Picture &operator=(const Picture &) = delete;

    const char *name() const
    {
        return whole_.temporary[0] ? whole_.temporary : path_.c_str();
    }
    bool finish()
    {
        errno = whole_file_finish(&whole_);
        return errno == 0;
    }

  private:
    std::string path_;
    WholeFile whole_ = {};

  public:
    const int error; ///< errno of opening the file; 0: opened
};

Drawn draw(const Plot &plot, const std::string &stem)
{
    const SignalsHeld held;
    Picture svg(stem + ".svg"), png(stem + ".png");
    if (svg.error || png.error) {
        errno = svg.error ? svg.error : png.error;
        return Drawn::failed;
    }
    std::FILE *gnuplot = system_feed_begin("gnuplot");
    if (!gnuplot) {
        return Drawn::failed;
    }
    write_script(plot, gnuplot, svg.name(), png.name());
    const int code = system_feed_end(gnuplot);
    if (code == 0 && is_complete(svg.name(), "</svg>") && is_complete(png.name(), "IEND") &&
        svg.finish() && png.finish()) {
        return Drawn::yes;
    }
    return code == 127 ? Drawn::no_gnuplot : Drawn::failed;
}

/// A temporary folder, removed with its content by the destructor.
class TemporaryFolder {
  public:
    TemporaryFolder()
    {
        std::random_device random;
        std::error_code error;
        do {
            folder = std::filesystem::temp_directory_path(error) /
                     ("terrane-bench-" + std::to_string(random()));
            is_own = std::filesystem::create_directory(folder, error);
        } while (!is_own && !error);
    }
    ~TemporaryFolder()
    {
        std::error_code error; // failures are ignored: the system cleans up temporary files
        if (is_own) {
            std::filesystem::remove_all(folder, error);
        }
    }
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    std::string path() const
    {
        return folder.string();
    }

  private:
    std::filesystem::path folder;
    bool is_own = false;
};

bool write_one_csv(const Plot &plot, const std::string &stem)
{
    OutputFile csv;
    if (!csv.open(stem + ".csv")) {
        return false;
    }
    write_plot_csv(plot, csv.stream());
    return csv.commit();
}

/// Whether a folder's name can be quoted for gnuplot.
bool can_be_named(const std::string &folder)
{
    return folder.find_first_of("\"\\`\n") == std::string::npos;
}

bool has_points(const Plot &plot)
{
    return std::any_of(plot.series.begin(), plot.series.end(),
                       [](const Series &series) { return !series.points.empty(); });
}

void tell_why_not(Drawn drawn, const std::string &folder)
{
    std::fprintf(
        stderr,
        drawn == Drawn::no_gnuplot
            ? "terrane-bench: drawing needs gnuplot, which is not installed. Type: apt "
              "install gnuplot-nox; the figures of all pictures are in %s as CSV.\n"
            : "terrane-bench: not all pictures could be drawn; see what gnuplot said above, "
              "and whether the disk has space. Their figures are in %s as CSV.\n",
        folder.c_str());
}

} // namespace

bool write_plots(const std::vector<Plot> &plots, const std::string &folder)
{
    bool all = true;
    Drawn worst = Drawn::yes;
    for (const Plot &plot : plots) {
        if (!has_points(plot)) {
            continue; // all its rows were filtered out
        }
        const std::string stem = folder + "/" + plot.file;
        all &= write_one_csv(plot, stem);
        worst = worst == Drawn::yes ? draw(plot, stem) : worst;
    }
    if (std::none_of(plots.begin(), plots.end(), has_points)) {
        std::fprintf(stderr, "terrane-bench: --plot has nothing to draw, since no row has a "
                             "figure.\n");
    }
    if (worst != Drawn::yes) {
        tell_why_not(worst, folder);
    }
    return all && worst == Drawn::yes;
}

bool draw_plots(const std::vector<Plot> &plots, std::vector<std::string> &drawings)
{
    const TemporaryFolder folder;
    for (const Plot &plot : plots) {
        if (!has_points(plot)) {
            continue;
        }
        const std::string stem = folder.path() + "/" + plot.file;
        if (draw(plot, stem) != Drawn::yes) {
            return false;
        }
        std::ifstream file(stem + ".svg", std::ios::binary);
        drawings.emplace_back(std::istreambuf_iterator<char>(file),
                              std::istreambuf_iterator<char>());
    }
    return true;
}

bool make_plot_folder(const std::string &folder)
{
    if (!can_be_named(folder)) {
        std::fprintf(stderr, "terrane-bench: the folder of pictures must not have quotes, "
                             "backslashes or line breaks in its name. Name another for --plot.\n");
        return false;
    }
    const int made = whole_file_make_folder(folder.c_str(), false);
    const int error = made ? made : whole_file_try_folder(folder.c_str());
    if (error) {
        std::fprintf(stderr,
                     "terrane-bench: the folder %s cannot be %s: %s. Name another for --plot.\n",
                     folder.c_str(), made || error == ENOTDIR ? "made" : "written to",
                     error == ENOTDIR ? "a file has that name" : std::strerror(error));
    }
    return !error;
}

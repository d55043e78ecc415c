// Writes a run as one HTML page, which needs no other file and no network.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "driver/report.hpp"
#include "driver/standings.hpp"

namespace {

const char *const page_head =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<style>\n"
    "body { font: 15px/1.45 system-ui, sans-serif; max-width: 72em; margin: 2em auto; "
    "padding: 0 1em; color: #222 }\n"
    "h2 { margin-top: 2em } h3 { margin: 1.6em 0 0.3em; font-size: 1em }\n"
    "table { border-collapse: collapse } td, th { padding: 0.1em 0.7em; text-align: left; "
    "vertical-align: top }\n"
    "td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }\n"
    "td.bar { width: 22em } td.bar div { background: #b8bcc4; height: 0.8em; margin-top: 0.3em }\n"
    "tr.ours { font-weight: 600 } tr.ours td.bar div { background: #2f7d4f }\n"
    "tr.floor { color: #888 } .ahead, .met { color: #22693f } .behind, .missed { color: #a33 }\n"
    "details { margin: 1em 0 } svg { max-width: 100%%; height: auto }\n"
    "</style>\n</head>\n<body>\n<h1>%s</h1>\n";

/// Escapes a text for HTML.
std::string html_text(const std::string &text)
{
    std::string safe;
    for (const char c : text) {
        safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    }
    return safe;
}

void write_surroundings(const Report &report, std::FILE *file)
{
    std::fprintf(file, "<table>\n");
    for (const auto &[name, text] : surroundings(report)) {
        std::fprintf(file, "<tr><th>%s</th><td>%s</td></tr>\n", name.c_str(),
                     html_text(text).c_str());
    }
    std::fprintf(file, "</table>\n");
}

void write_standings(const Report &report, std::FILE *file)
{
    const std::vector<Standing> standings = standings_of(report);
    if (standings.empty()) {
        return;
    }
    std::fprintf(file, "<h2>Where Terrane stands</h2>\n<p>The best other contender's median "
                       "divided by Terrane's. Differences below the spread, or below 5 %%, are "
                       "equal.</p>\n<table>\n");
    for (const Standing &standing : standings) {
        const char *place = place_name(standing.place);
        std::fprintf(file,
                     "<tr><td class=\"%s\">%s</td><td class=\"n\">%s</td><td class=\"n\">%s</td>"
                     "<td>%s</td><td>%s</td><td>%s</td></tr>\n",
                     place, place, html_text(ratios_text(standing)).c_str(),
                     standing_spread_text(standing).c_str(), html_text(standing.question).c_str(),
                     html_text(worlds_text(standing)).c_str(), html_text(standing.rival).c_str());
    }
    std::fprintf(file, "</table>\n");
}

void write_targets(const Report &report, std::FILE *file)
{
    if (report.targets.empty()) {
        return;
    }
    std::fprintf(file, "<h2>Targets</h2>\n<table>\n");
    for (const Target &target : report.targets) {
        std::fprintf(file,
                     "<tr><td>%s</td><td>%s</td><td class=\"n\">%.3g %s</td><td>%s</td>"
                     "<td class=\"%s\">%s</td></tr>\n",
                     html_text(target.world).c_str(), html_text(target.what).c_str(),
                     target.figure.value, html_text(target.unit).c_str(),
                     html_text(demand_text(target)).c_str(), target.verdict(), target.verdict());
    }
    std::fprintf(file, "</table>\n");
}

/// The fraction of its table cell that a median's bar fills, on a logarithmic scale from half of
/// `least` to `most`.
double part_of(double median, double least, double most)
{
    return least > 0 ? std::log(2 * median / least) / std::log(2 * most / least) : 0;
}

void write_row(const Report &report, const Entry &entry, double least, double most, std::FILE *file)
{
    std::fprintf(file, "<tr class=\"%s\"><td>%s</td>",
                 is_terrane(entry.contender) ? "ours"
                 : entry.is_floor            ? "floor"
                                             : "",
                 html_text(entry.contender).c_str());
    if (entry.times.empty()) {
        std::fprintf(file, "<td></td><td colspan=\"4\">%s</td></tr>\n",
                     html_text(entry.remark).c_str());
        return;
    }
    const Spread spread = spread_of(entry.times);
    const double ratio = ratio_to_baseline(report, entry);
    std::fprintf(file,
                 "<td class=\"n\">%.*f %s</td><td class=\"bar\"><div style=\"width:%.0f%%\">"
                 "</div></td>",
                 report.decimals, spread.median, html_text(unit_of(report, entry)).c_str(),
                 100 * part_of(spread.median, least, most));
    entry.times.size() > 1
        ? std::fprintf(file, "<td class=\"n\">±%.0f %%</td>", 100 * spread.relative)
        : std::fprintf(file, "<td></td>");
    entry.is_baseline      ? std::fprintf(file, "<td>baseline</td>")
    : std::isfinite(ratio) ? std::fprintf(file, "<td class=\"n\">%.1f x</td>", ratio)
                           : std::fprintf(file, "<td></td>");
    std::fprintf(file, "<td>%s</td></tr>\n", html_text(entry.remark).c_str());
}

/// Writes the rows of one question on one world, from index `first` on. @return the index after
/// them
std::size_t write_scene(const Report &report, std::size_t first, std::FILE *file)
{
    const std::vector<Entry> &entries = report.entries;
    double least = HUGE_VAL, most = 0;
    std::size_t end = first;
    for (; end < entries.size() && asks_the_same(entries[first], entries[end]); end++) {
        if (!entries[end].times.empty()) {
            const double median = spread_of(entries[end].times).median;
            least = std::min(least, median);
            most = std::max(most, median);
        }
    }
    std::fprintf(file, "<h3>%s, %s (%zu %s)</h3>\n<table>\n",
                 html_text(entries[first].question).c_str(),
                 html_text(entries[first].world).c_str(), entries[first].count,
                 html_text(report.counted).c_str());
    for (std::size_t i = first; i < end; i++) {
        write_row(report, entries[i], least, most, file);
    }
    std::fprintf(file, "</table>\n");
    return end;
}

void write_drawings(const Report &report, std::FILE *file)
{
    std::vector<std::string> drawings;
    const bool all = draw_plots(report.plots, drawings);
    std::fprintf(file, "<h2>Plots</h2>\n");
    for (const std::string &drawing : drawings) {
        const std::size_t at = drawing.find("<svg"); // skips the XML header of a separate file
        std::fprintf(file, "<div>%s</div>\n", at == std::string::npos ? "" : drawing.c_str() + at);
    }
    if (!all || drawings.empty()) {
        std::fprintf(file, "<p>%s</p>\n",
                     all ? "No row has a figure to plot."
                         : "Not all plots could be drawn: that needs gnuplot "
                           "(apt install gnuplot-nox). The bars of the tables show the figures.");
    }
}

} // namespace

void write_html(const Report &report, std::FILE *file)
{
    const std::string title = html_text("terrane-bench " + report.topic);
    std::fprintf(file, page_head, title.c_str(), html_text(report.question).c_str());
    write_surroundings(report, file);
    for (const std::string &line : report.summary) {
        std::fprintf(file, "<p>%s</p>\n", html_text(line).c_str());
    }
    write_standings(report, file);
    write_targets(report, file);
    std::fprintf(file,
                 "<h2>Figures</h2>\n<p>In %s: the median, a bar on a logarithmic scale, the spread "
                 "(half the distance between the tenth and the ninetieth percentile), and the "
                 "ratio of medians to the baseline, %s.</p>\n",
                 html_text(report.unit).c_str(), html_text(report.baseline).c_str());
    for (std::size_t i = 0; i < report.entries.size();) {
        i = write_scene(report, i, file);
    }
    write_drawings(report, file);
    std::fprintf(file, "</body>\n</html>\n");
}

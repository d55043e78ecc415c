#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "series/report_page.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <terrane/base.h>

#include "series/series.h"
#include "system.h"
#include "whole_file.h"

// ---- the machine --------------------------------------------------------------------------------

ReportMachine report_machine(void)
{
    const SystemFacts facts = system_facts();
    ReportMachine machine = {.cores = facts.cores, .memory_gib = facts.memory_gib};
    (void)snprintf(machine.processor, sizeof machine.processor, "%s", facts.processor);
    (void)snprintf(machine.system, sizeof machine.system, "%s", facts.name);
    (void)snprintf(machine.compiler, sizeof machine.compiler, "%s",
#ifdef __clang__
                   __VERSION__
#else
                   "GCC " __VERSION__
#endif
    );
    return machine;
}

// ---- text ---------------------------------------------------------------------------------------

/// Writes text, escaped for elements and attributes.
static void report_put_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        const char *name = *text == '<'   ? "&lt;"
                           : *text == '>' ? "&gt;"
                           : *text == '&' ? "&amp;"
                           : *text == '"' ? "&quot;"
                                          : NULL;
        if (name) {
            (void)fputs(name, file);
        } else if ((unsigned char)*text >= ' ') {
            (void)fputc(*text, file);
        }
    }
}

static void report_put_row(FILE *file, const char *what, const char *value)
{
    (void)fputs("<tr><th>", file);
    report_put_text(file, what);
    (void)fputs("</th><td>", file);
    report_put_text(file, value);
    (void)fputs("</td></tr>\n", file);
}

/// Writes a file as base64 (RFC 4648).
static void report_put_base64(FILE *file, FILE *from)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char bytes[3];
    size_t count;
    while ((count = fread(bytes, 1, 3, from)) > 0) {
        const unsigned group = (unsigned)bytes[0] << 16 |
                               (count > 1 ? (unsigned)bytes[1] << 8 : 0) |
                               (count > 2 ? (unsigned)bytes[2] : 0);
        (void)fputc(letters[group >> 18], file);
        (void)fputc(letters[group >> 12 & 63], file);
        (void)fputc(count > 1 ? letters[group >> 6 & 63] : '=', file);
        (void)fputc(count > 2 ? letters[group & 63] : '=', file);
    }
}

/// Embeds a picture of the folder into the page, if it exists.
static void report_put_image(FILE *file, const char *folder, const char *name, const char *kind,
                             const char *words)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) {
        return;
    }
    FILE *from = fopen(path, "rb");
    if (!from) {
        return;
    }
    (void)fputs("<img alt=\"", file);
    report_put_text(file, words);
    (void)fprintf(file, "\" src=\"data:image/%s;base64,", kind);
    report_put_base64(file, from);
    (void)fputs("\"/>\n", file);
    (void)fclose(from);
}

// ---- parts of the page --------------------------------------------------------------------------

static const char REPORT_STYLE[] =
    "body{font:16px/1.5 system-ui,sans-serif;color:#1c2733;background:#fff;margin:0 auto;"
    "max-width:1240px;padding:1.5rem}\n"
    "h1{margin:0 0 .2rem;font-size:1.9rem}h2{margin:2.6rem 0 .3rem;border-top:1px solid #d5dde5;"
    "padding-top:1.6rem}\n"
    "p{margin:.4rem 0;max-width:60rem}.quiet{color:#5a6b7b}\n"
    ".wide{overflow-x:auto}.wide th,.wide td{padding:.22rem .5rem}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.8rem 0}\n"
    "th,td{padding:.22rem .8rem;text-align:right;border-bottom:1px solid #e4eaf0}\n"
    "th:first-child,td:first-child{text-align:left}thead th{color:#5a6b7b;font-weight:600;"
    "vertical-align:bottom}\n"
    ".facts td{text-align:left}.ratio{font-weight:700;color:#145a9c}\n"
    ".bad{color:#b3261e;font-weight:700}\n"
    ".pictures{display:grid;grid-template-columns:repeat(3,1fr);gap:.6rem;margin:.8rem 0}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(560px,1fr));gap:.6rem}\n"
    "img{width:100%;height:auto;display:block}details{margin:.8rem 0}summary{cursor:pointer}\n";

static void report_put_facts(FILE *file, const ReportPage *page)
{
    const ReportMachine *const machine = &page->machine;
    char text[512];
    (void)fputs("<table class=\"facts\"><tbody>\n", file);
    report_put_row(file, "Terrane", trn_version());
    report_put_row(file, "Date", machine->date);
    (void)snprintf(text, sizeof text, "%s, %ld cores, %.1f GiB", machine->processor, machine->cores,
                   machine->memory_gib);
    report_put_row(file, "Machine", text);
    report_put_row(file, "System", machine->system);
    report_put_row(file, "OpenGL", machine->driver);
    report_put_row(file, "Compiler", machine->compiler);
    (void)snprintf(text, sizeof text, "%d x %d pixels, chunks generated by %u worker%s",
                   page->width, page->height, page->workers, page->workers == 1 ? "" : "s");
    report_put_row(file, "Pictures", text);
    (void)fputs("</tbody></table>\n", file);
}

static GatherVerdict report_page_verdict(const ReportFlight *flight)
{
    double medians[SERIES_COUNT];
    for (int i = 0; i < SERIES_COUNT; i++) {
        medians[i] = flight->series[i].p50;
    }
    return gather_verdict(medians);
}

/// Writes the median, if anything was measured.
static void report_put_median(FILE *file, const SeriesSummary *summary)
{
    if (summary->count) {
        (void)fprintf(file, "<td>%.1f</td>", summary->p50);
    } else {
        (void)fputs("<td>-</td>", file);
    }
}

static void report_put_overview_row(FILE *file, const ReportFlight *flight)
{
    const SeriesSummary *const all = flight->series;
    const SeriesSummary *const frame = &all[SERIES_FRAME];
    (void)fprintf(file, "<tr><td><a href=\"#%s\">", flight->name);
    report_put_text(file, flight->title);
    (void)fprintf(file,
                  "</a></td><td>%zu</td><td>%.1f</td><td>%.1f</td><td>%.1f</td><td>%.0f</td>"
                  "<td>%.1f</td>",
                  flight->frames, frame->p50, frame->p99, frame->p999, all[SERIES_GATHERED].p50,
                  all[SERIES_GATHER_INDEX].p50);
    report_put_median(file, &all[SERIES_GATHER_ARRAY]);
    const GatherVerdict verdict = report_page_verdict(flight);
    report_put_median(file, &all[verdict.flat_map]);
    report_put_median(file, &all[verdict.map]);
    (void)fprintf(file, "<td class=\"ratio\">%.1f%s</td><td>%.1f</td>", verdict.by_best,
                  verdict.is_small ? "*" : "", verdict.by_map);
    const bool good = flight->equal == flight->compared;
    (void)fprintf(file, "<td%s>%llu of %llu</td></tr>\n", good ? "" : " class=\"bad\"",
                  (unsigned long long)flight->equal, (unsigned long long)flight->compared);
}

static void report_put_overview(FILE *file, const ReportPage *page)
{
    (void)fputs("<div class=\"wide\"><table><thead><tr><th>flight</th><th>frames</th>"
                "<th>frame<br/>p50, ms</th><th>p99</th><th>p99.9</th><th>chunks<br/>gathered</th>"
                "<th>Terrane<br/>p50, us</th><th>flat<br/>array</th><th>boost<br/>flat map</th>"
                "<th>unordered<br/>map</th>"
                "<th>best map :<br/>Terrane</th><th>unordered map "
                ":<br/>Terrane</th><th>answers<br/>equal</th></tr></thead><tbody>\n",
                file);
    for (size_t i = 0; i < page->count; i++) {
        report_put_overview_row(file, &page->flights[i]);
    }
    (void)fputs("</tbody></table></div>\n"
                "<p class=\"quiet\">In each frame the same chunks around the camera are gathered "
                "from Terrane's index, from a flat spatial array, from boost::unordered_flat_map "
                "if it is built in, and from std::unordered_map, in turns and in changing order, "
                "after the frame's own work; the answers are compared. The maps are probed for "
                "every coordinate, and walked and filtered; the faster way counts. Medians of all "
                "frames. * With fewer than 500 chunks all of it takes microseconds, and the "
                "difference does not matter.</p>\n",
                file);
}

static void report_put_pictures(FILE *file, const char *folder, const ReportFlight *flight)
{
    (void)fputs("<div class=\"pictures\">\n", file);
    for (int i = 0; i < REPORT_PICTURES; i++) {
        char name[96], words[64];
        (void)snprintf(name, sizeof name, "%s-%d.png", flight->name, flight->pictures[i]);
        (void)snprintf(words, sizeof words, "frame %d", flight->pictures[i]);
        if (flight->pictures[i] >= 0) {
            report_put_image(file, folder, name, "png", words);
        }
    }
    (void)fputs("</div>\n", file);
}

/// Returns the word of a plot's file name: NAME-WORD.svg.
static const char *report_plot_word(int plot)
{
    static const char *const words[REPORT_PLOTS] = {"times", "gathers", "chunks", "memory"};
    return words[plot];
}

static void report_put_plots(FILE *file, const char *folder, const ReportFlight *flight)
{
    static const char *const words[REPORT_PLOTS] = {
        "Times of each frame, in ms", "Gathering the same chunks, in us",
        "Chunks loaded, shown, waiting and drawn", "Memory, in MiB"};
    (void)fputs("<div class=\"plots\">\n", file);
    for (int i = 0; i < REPORT_PLOTS && flight->has_plots; i++) {
        char name[96];
        (void)snprintf(name, sizeof name, "%s-%s.svg", flight->name, report_plot_word(i));
        report_put_image(file, folder, name, "svg+xml", words[i]);
    }
    (void)fputs("</div>\n", file);
}

static void report_put_series(FILE *file, Series series, const SeriesSummary *summary)
{
    const SeriesInfo info = series_info(series);
    if (!summary->count) {
        return;
    }
    const int digits = info.is_time || strcmp(info.unit, "MiB") == 0 ? 1 : 0;
    (void)fputs("<tr><td>", file);
    report_put_text(file, info.text);
    (void)fprintf(file,
                  "</td><td>%.*f</td><td>%.*f</td><td>%.*f</td><td>%.*f</td><td>%.*f</td>"
                  "<td>%s</td></tr>\n",
                  digits, summary->p50, digits, summary->p95, digits, summary->p99, digits,
                  summary->p999, digits, summary->max, info.unit);
}

static void report_put_flight(FILE *file, const char *folder, const ReportFlight *flight)
{
    (void)fprintf(file, "<h2 id=\"%s\">", flight->name);
    report_put_text(file, flight->title);
    (void)fputs("</h2>\n<p class=\"quiet\">", file);
    report_put_text(file, flight->land);
    (void)fprintf(file, "; view distance %d chunks, %d up and down; %zu frames of 1/60 s",
                  flight->view_distance, flight->view_height, flight->frames);
    if (flight->edits) {
        (void)fprintf(file, "; %zu edits", flight->edits);
    }
    (void)fputs("</p>\n", file);
    report_put_pictures(file, folder, flight);
    report_put_plots(file, folder, flight);
    (void)fputs("<details open=\"open\"><summary>All series</summary><div class=\"wide\"><table>"
                "<thead><tr><th></th><th>p50</th><th>p95</th><th>p99</th><th>p99.9</th>"
                "<th>max</th><th></th></tr></thead><tbody>\n",
                file);
    for (int i = 0; i < SERIES_COUNT; i++) {
        report_put_series(file, (Series)i, &flight->series[i]);
    }
    (void)fputs("</tbody></table></div></details>\n", file);
}

static void report_put_page(FILE *file, const char *folder, const ReportPage *page)
{
    (void)fprintf(file,
                  "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">"
                  "<head><meta charset=\"utf-8\"/>"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
                  "<title>Terrane: what frames cost</title>\n<style>\n%s</style></head><body>\n"
                  "<h1>What frames cost</h1>\n"
                  "<p class=\"quiet\">Written by <code>terrane-viewer --benchmark</code>. The same "
                  "flights over the same land, frame by frame, on any machine.</p>\n",
                  REPORT_STYLE);
    report_put_facts(file, page);
    report_put_overview(file, page);
    if (page->no_plots) {
        (void)fputs("<p>There are no plots: ", file);
        report_put_text(file, page->no_plots);
        (void)fputs("</p>\n", file);
    }
    for (size_t i = 0; i < page->count; i++) {
        report_put_flight(file, folder, &page->flights[i]);
    }
    (void)fputs("</body></html>\n", file);
}

// ---- files --------------------------------------------------------------------------------------

static bool report_page_problem(const char *path, int error, Message *problem)
{
    return message_set(problem, "Cannot write %s: %s; choose another place with --benchmark.",
                       message_short(path).text, strerror(error));
}

bool report_write_page(const char *folder, const ReportPage *page, Message *problem)
{
    char path[PATH_MAX];
    WholeFile whole = {.file = NULL};
    int error = ENAMETOOLONG;
    if (snprintf(path, sizeof path, "%s/" REPORT_PAGE_FILE, folder) < (int)sizeof path) {
        error = whole_file_open(&whole, path);
    }
    if (!error) {
        report_put_page(whole.file, folder, page);
        error = whole_file_finish(&whole);
    }
    return !error || report_page_problem(path, error, problem);
}

typedef struct PlotLine {
    Series series;
    const char *colour;
} PlotLine;

#define PLOT_LINES_MAX 6

static const struct {
    const char *title, *axis, *more;
    PlotLine lines[PLOT_LINES_MAX];
    Series top; ///< its p99.9 is the top of the plot
} REPORT_PLOT[REPORT_PLOTS] = {
    {"Times of each frame",
     "ms",
     "", // processor time, with the driver's
     {{SERIES_FRAME, "#8a97a5"}, {SERIES_WORK, "#145a9c"}, {SERIES_UPDATE, "#e08a1e"}},
     SERIES_FRAME},
    {"Gathering the same chunks",
     "us",
     "set logscale y\n",
     {{SERIES_GATHER_MAP, "#c8442f"},
      {SERIES_GATHER_MAP_FILTERED, "#e79a8c"},
      {SERIES_GATHER_FLAT_MAP, "#e08a1e"},
      {SERIES_GATHER_FLAT_MAP_FILTERED, "#f0c48a"},
      {SERIES_GATHER_ARRAY, "#2a9d5c"},
      {SERIES_GATHER_INDEX, "#145a9c"}},
     SERIES_GATHER_MAP},
    {"Chunks",
     "chunks",
     "",
     {{SERIES_THERE, "#8a97a5"},
      {SERIES_SHOWN, "#145a9c"},
      {SERIES_QUEUED, "#e08a1e"},
      {SERIES_SEEN, "#2a9d5c"}},
     SERIES_THERE},
    {"Memory",
     "MiB",
     "",
     {{SERIES_BYTES, "#145a9c"}, {SERIES_CARD_BYTES, "#e08a1e"}},
     SERIES_BYTES},
};

static void report_write_plot(FILE *file, const ReportFlight *flight, int plot)
{
    const char *separator = "plot ";
    const double top = flight->series[REPORT_PLOT[plot].top].p999 * 1.15;
    (void)fprintf(file,
                  "set output '%s-%s.svg'\nset title '%s'\nset ylabel '%s'\n"
                  "unset logscale\nset yrange [%s:%.6g]\n%s",
                  flight->name, report_plot_word(plot), REPORT_PLOT[plot].title,
                  REPORT_PLOT[plot].axis, REPORT_PLOT[plot].more[0] ? "*" : "0", top > 0 ? top : 1,
                  REPORT_PLOT[plot].more);
    for (int i = 0; i < PLOT_LINES_MAX && REPORT_PLOT[plot].lines[i].colour; i++) {
        const PlotLine *const line = &REPORT_PLOT[plot].lines[i];
        const SeriesInfo info = series_info(line->series);
        if (flight->series[line->series].count) {
            (void)fprintf(file,
                          "%s'%s.csv' using (column('frame')/60.0):(column('%s')) with lines "
                          "linewidth 1.2 linecolor rgb '%s' title \"%s\"",
                          separator, flight->name, info.name, line->colour, info.text);
            separator = ", \\\n  ";
        }
    }
    (void)fputs(*separator == 'p' ? "\n" : "\nunset output\n", file);
}

bool report_write_script(const char *folder, const ReportFlight *flight, Message *problem)
{
    char path[PATH_MAX];
    WholeFile whole = {.file = NULL};
    int error = ENAMETOOLONG;
    if (snprintf(path, sizeof path, "%s/%s.gnuplot", folder, flight->name) < (int)sizeof path) {
        error = whole_file_open(&whole, path);
    }
    if (!error) {
        (void)fprintf(whole.file,
                      "# gnuplot %s.gnuplot, in this folder\n"
                      "set datafile separator ','\nset encoding utf8\nset grid\n"
                      "set key outside bottom center horizontal\nset xlabel 's'\n"
                      "set terminal svg noenhanced size 720,360 font 'sans,13' "
                      "background 'white'\n",
                      flight->name);
        for (int i = 0; i < REPORT_PLOTS; i++) {
            report_write_plot(whole.file, flight, i);
        }
        error = whole_file_finish(&whole);
    }
    return !error || report_page_problem(path, error, problem);
}

/// The figures of a run: printed as tables with ratios against a named baseline, written as files.
#pragma once

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "driver/options.hpp"
#include "driver/percentiles.hpp"
#include "driver/plot.hpp"

/// One row: a contender's figures for one question on one world.
struct Entry {
    std::string question; ///< "gather the box"; empty if the report has only one question
    std::string world;    ///< "ball R=16"
    std::string contender;
    std::string unit = {}; ///< of the times, "ns"; empty: the report's unit_symbol
    std::size_t count = 0; ///< chunks in the answer, or other items (Report::counted)
    bool is_baseline = false;
    bool is_floor = false;     ///< not a contender: the least that any could take
    std::vector<double> times; ///< the samples; empty if there is no figure
    std::string remark = {};   ///< why there is no figure: "the box would take 137 GB"
};

/// A figure that is compared with a demand. A missed target is only reported. Only ratios, bytes
/// and counts may have demands, since machines differ; the driver checks this. A figure that
/// differs from the demand by less than its spread is "within noise": its verdict would change from
/// run to run.
struct Target {
    enum Bound { at_least, at_most, none };
    std::string world;
    std::string what;
    Figure figure;
    std::string unit;
    Bound bound = none;
    double demanded = 0;

    bool is_measured() const;
    bool is_within_noise() const; ///< false without a bound
    bool is_met() const;          ///< false without a bound or within noise
    const char *verdict() const;  ///< "met", "missed", "within noise", or why it has no verdict
};

/// Figures that are too many for rows, such as those of every update of a flight. --plot writes
/// them as DIR/<file>.csv.
struct Table {
    std::string file; ///< without folder and extension
    std::string text; ///< lines of CSV, with a header line
};

/// A run's question, its entries grouped by question and world, and how it was measured.
struct Report {
    std::string topic; ///< "pools": the stem of its files
    std::string question;
    std::string command;  ///< the command line, as typed
    std::string baseline; ///< the baseline's name
    std::string unit = "microseconds", unit_symbol = "us";
    std::string counted = "chunks"; ///< what the entries count
    int decimals = 1;               ///< of the tables' times
    std::vector<Entry> entries;
    std::vector<Target> targets;      ///< may be empty
    std::vector<Plot> plots;          ///< for --plot, which skips those without points
    std::vector<Table> tables;        ///< for --plot too
    std::vector<std::string> summary; ///< lines that are printed at the end of a run
};

/// Whether two rows belong to one table: the same question on the same world.
bool asks_the_same(const Entry &a, const Entry &b);

/// The unit of a row.
const std::string &unit_of(const Report &report, const Entry &entry);

/// The conditions of the run, which readers need before they compare figures: pairs of a name and a
/// text.
std::vector<std::pair<std::string, std::string>> surroundings(const Report &report);

/// Whether a unit is one of time: "ns", "us a chunk", "GB/s".
bool is_time(const std::string &unit);

/// "target >= 2 x:"; empty for a figure without a demand.
std::string demand_text(const Target &target);

/// The median of a contender for a question on a world, with its spread. NaN if it has no figure.
Figure figure_of(const Report &report, const std::string &question, const std::string &world,
                 const std::string &contender);

/// The baseline's median for the entry's question on its world, divided by the entry's. NaN if one
/// of the two is missing.
double ratio_to_baseline(const Report &report, const Entry &entry);

/// A bar plot for one question: worlds are groups, contenders are colours, the y axis is
/// logarithmic.
/// @param file     empty: derived from the topic and the question
/// @param y_label  empty: the unit of the question's rows
Plot bars_of(const Report &report, const std::string &question, const std::string &file = "",
             const std::string &y_label = "");

/// Adds a line for each contender of a question to a plot, with a point for each world.
/// @param x_of    a world's x; if it is NaN, the world is left out
/// @param suffix  appended to the contenders' names
void add_lines(Plot &plot, const Report &report, const std::string &question,
               const std::function<double(const std::string &world)> &x_of,
               const std::string &suffix = "");

/// The number after a text in a name: 16 for "ball R=16" and "R=". NaN if the text is missing.
double number_after(const std::string &name, const std::string &text);

/// Prints the ratio table to standard output, a block for each question and world.
void print_report(const Report &report);

/// Prints the targets, if any, and their verdicts.
void print_targets(const Report &report);

/// Writes the run as a self-contained HTML page (report_html.cpp). Draws the plots if gnuplot is
/// installed.
void write_html(const Report &report, std::FILE *file);

/// Writes the files that the options ask for. Prints to standard error which files could not be
/// written.
/// @return whether everything was written
bool write_report(const Report &report, const BenchOptions &options);

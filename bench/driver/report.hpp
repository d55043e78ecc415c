/// The figures of a run: printed as tables with ratios against a named baseline, written as files.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driver/options.hpp"
#include "driver/plot.hpp"

/// One row: a contender's figures for one question on one world.
struct Entry {
    std::string question; ///< "gather the box"; empty where a report asks only one
    std::string world;    ///< "ball R=16"
    std::string contender;
    std::string unit = {}; ///< of the times, "ns"; empty: the report's unit_symbol
    std::size_t count = 0; ///< chunks in the answer, or what else the report counts
    bool is_baseline = false;
    bool is_floor = false;     ///< no contender: the least that any could take
    std::vector<double> times; ///< the samples; empty if there is no figure
    std::string remark = {};   ///< why there is none: "the box would take 137 GB"
};

struct Spread {
    double min, median, max;
    double relative =
        0; ///< half the distance from the 10th to the 90th percentile, divided by the median
};

/// Of at least one value.
Spread spread_of(std::vector<double> values);

/// The value that a part of all values do not exceed: 0.5 is the median. NaN of no values.
double quantile(std::vector<double> values, double part);

/// A number that was measured, and how far its samples scatter.
struct Figure {
    Figure() = default;
    Figure(double measured, double scatter = 0) : value(measured), spread(scatter)
    {
    }
    double value = 0;  ///< not finite: could not be measured
    double spread = 0; ///< relative, as Spread::relative; 0: unknown
};
Figure operator/(Figure a, Figure b);
Figure operator*(Figure a, double factor);
Figure operator+(Figure a, Figure b);

/// A figure that is compared with a demand. A missed target is reported and fails nothing, since
/// machines differ. A figure that differs from the demand by less than its spread would change its
/// verdict from run to run: it is "within noise".
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
    bool is_met() const;          ///< false without a bound, and within noise
    const char *verdict() const;  ///< "met", "missed", "within noise", or why none of them
};

/// Figures too many for rows, such as every update of a flight. --plot writes them as
/// DIR/<file>.csv.
struct Table {
    std::string file; ///< without folder and ending
    std::string text; ///< lines of CSV, with a head
};

/// A run's question, its entries grouped by question and world, and how it was measured.
struct Report {
    std::string topic; ///< "pools": what its files are called
    std::string question;
    std::string baseline; ///< the baseline's name
    std::string unit = "microseconds", unit_symbol = "us";
    std::string counted = "chunks"; ///< what the entries count
    int decimals = 1;               ///< of the tables' times
    std::vector<Entry> entries;
    std::vector<Target> targets; ///< may be empty
    std::vector<Plot> plots;     ///< what --plot draws; those without points are skipped
    std::vector<Table> tables;   ///< what --plot writes in addition
};

/// The median of a contender for a question on a world, with its spread. NaN if it has no figure.
Figure figure_of(const Report &report, const std::string &question, const std::string &world,
                 const std::string &contender);

/// The baseline's median for the entry's question on its world, divided by the entry's. NaN if one
/// of the two is missing.
double ratio_to_baseline(const Report &report, const Entry &entry);

/// Bars for one question of a report: worlds are groups, contenders are colours, logarithmic.
/// @param y_label  empty: the report's unit
Plot bars_of(const Report &report, const std::string &question, const std::string &file,
             const std::string &y_label = "");

/// Adds a line for each contender of a question to a plot, with a point for each world.
/// @param x_of    where a world stands on the x axis; NaN leaves it out
/// @param suffix  appended to the contenders' names
void add_lines(Plot &plot, const Report &report, const std::string &question,
               const std::function<double(const std::string &world)> &x_of,
               const std::string &suffix = "");

/// The number after a text in a name: of "ball R=16" and "R=" 16. NaN if the text is missing.
double number_after(const std::string &name, const std::string &text);

/// Prints the ratio table to standard output, a block for each question and world.
void print_report(const Report &report);

/// Prints the targets, if any, and their verdicts.
void print_targets(const Report &report);

/// Writes the files that the options ask for. Reports on standard error what could not be written.
/// @return whether everything was written
bool write_report(const Report &report, const BenchOptions &options);

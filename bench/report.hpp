/// Figures of a run: printed as tables of ratios against a named baseline, written as files.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"
#include "plot.hpp"

/// One contender's figures for one question on one world.
struct Entry {
    std::string question; ///< "gather the box"; empty where a report asks only one
    std::string world;    ///< "ball R=16"
    std::string contender;
    std::string unit = {}; ///< of the times, "ns"; empty: the report's unit_symbol
    std::size_t count = 0; ///< how many chunks (or what else the report counts) the answer holds
    bool is_baseline = false;
    bool is_floor = false;     ///< no contender: what copying the answer costs
    std::vector<double> times; ///< one per repetition; empty where there is no figure
    std::string remark = {};   ///< why there is none: "the box would take 137 GB"
};

struct Spread {
    double min, median, max;
};

/// Of at least one value.
Spread spread_of(std::vector<double> values);

/// A figure that is held against a demand. Missing one is reported, and fails nothing: machines
/// differ.
struct Target {
    enum Bound { at_least, at_most, none };
    std::string world;
    std::string what;
    double figure = 0; ///< not finite: could not be measured here
    std::string unit;
    Bound bound = none;
    double demanded = 0;

    bool is_measured() const;
    bool is_met() const;         ///< false without a bound
    const char *verdict() const; ///< "met", "missed", or why neither
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
    std::vector<Plot> plots;     ///< what --plot draws
};

/// The median of a contender for a question on a world, or NaN where there is none.
double median_of(const Report &report, const std::string &question, const std::string &world,
                 const std::string &contender);

/// The baseline's median for the entry's question on its world, divided by the entry's. NaN where
/// one of the two is missing.
double ratio_to_baseline(const Report &report, const Entry &entry);

/// Bars for one question of a report: worlds side by side, one colour per contender, logarithmic.
Plot bars_of(const Report &report, const std::string &question, const std::string &file);

/// Prints the ratio table to standard output, a block for each question and world.
void print_report(const Report &report);

/// Prints the targets, if any, and which are met.
void print_targets(const Report &report);

/// Writes what the options ask for. Says on standard error what could not be written, and returns
/// whether all was.
bool write_report(const Report &report, const BenchOptions &options);

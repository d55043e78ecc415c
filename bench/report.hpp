/// Figures of a run: printed as a table of ratios against a named baseline, written as files.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"

/// One contender on one world.
struct Entry {
    std::string world;
    std::string contender;
    std::size_t count = 0; ///< how many chunks (or what else the report counts) the answer holds
    bool is_baseline = false;
    bool is_floor = false;     ///< no contender: what copying the answer costs
    std::vector<double> times; ///< in the report's unit, one per repetition
};

struct Spread {
    double min, median, max;
};

/// Of at least one value.
Spread spread_of(std::vector<double> values);

/// A figure that is held against a demand. Missing one is reported, and fails nothing: machines differ.
struct Target {
    enum Bound { at_least, at_most, none };
    std::string world;
    std::string what;
    double figure = 0; ///< not finite: could not be measured here
    std::string unit;
    Bound bound = none;
    double demanded = 0;

    bool is_measured() const;
    bool is_met() const; ///< false without a bound
};

/// A run's question, its entries grouped by world, and how it was measured.
struct Report {
    std::string question;
    std::string baseline; ///< the baseline's name
    std::string unit = "microseconds", unit_symbol = "us";
    std::string counted = "chunks"; ///< what the entries count
    int decimals = 1;               ///< of the table's times
    std::vector<Entry> entries;
    std::vector<Target> targets; ///< may be empty
};

/// The median of a contender on a world, or NaN when there is no such entry.
double median_of(const Report &report, const std::string &world, const std::string &contender);

/// The baseline's median on the entry's world, divided by the entry's.
double ratio_to_baseline(const Report &report, const Entry &entry);

/// Prints the ratio table to standard output.
void print_report(const Report &report);

/// Prints the targets, if any, and which are met.
void print_targets(const Report &report);

/// Writes what the options ask for. Says on standard error what could not be written, and returns whether all was.
bool write_report(const Report &report, const BenchOptions &options);

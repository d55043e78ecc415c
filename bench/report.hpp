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

/// A run's question, its entries grouped by world, and how it was measured.
struct Report {
    std::string question;
    std::string baseline; ///< the baseline's name
    std::string unit = "microseconds", unit_symbol = "us";
    std::string counted = "chunks"; ///< what the entries count
    int decimals = 1;               ///< of the table's times
    std::vector<Entry> entries;
};

/// The baseline's median on the entry's world, divided by the entry's.
double ratio_to_baseline(const Report &report, const Entry &entry);

/// Prints the ratio table to standard output.
void print_report(const Report &report);

/// Writes what the options ask for. Says on standard error what could not be written, and returns whether all was.
bool write_report(const Report &report, const BenchOptions &options);

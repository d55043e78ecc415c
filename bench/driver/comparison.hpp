/// What changed since an earlier run of the same topic (--compare).
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "driver/report.hpp"

/// A row of an earlier run.
struct OldRow {
    std::string question, world, contender, unit;
    Spread spread;
    std::size_t samples;
};

/// An earlier run, as --json wrote it.
struct OldRun {
    std::string path;
    std::string topic, date, commit, processor, flags;
    std::vector<OldRow> rows;
};

/// Reads a file that --json wrote. On failure, prints the reason to standard error.
/// @return whether the file is a report of this topic
bool read_old_run(const std::string &path, const std::string &topic, OldRun &run);

/// A row of Terrane's that differs from the earlier run by more than noise.
struct Change {
    std::string question, world, contender, unit;
    double before, now; ///< medians
    double factor;      ///< now / before; for times, also divided by the pace of the machine
    double noise;       ///< the factor's spread
};

struct Comparison {
    std::string obstacle;     ///< why times are not compared; empty: they are
    double pace = 1;          ///< median of now / before over the times of all other contenders
    std::size_t compared = 0; ///< rows of Terrane's that both runs have
    std::size_t unsure = 0;   ///< of these, rows with a single sample
    std::vector<Change> regressions, improved; ///< the largest change first
};

/// Compares the rows of Terrane's. Times are first divided by the pace of the machine, computed
/// from the rows of other contenders. A row changed if its medians differ by more than both spreads
/// together and by 5 % (bytes and counts: 1 %), and if the ranges of its samples do not overlap.
/// Times of a single sample are not compared, nor times of runs with different processors or
/// compiler flags.
Comparison compare(const Report &report, const OldRun &before);

/// The rows of the regressions, as --filter sees them: "question | world | contender".
std::set<std::string> rows_of(const std::vector<Change> &changes);

/// Prints the comparison to standard output.
void print_comparison(const Comparison &comparison, const OldRun &before);

/// What every topic of terrane-bench is told on the command line.
#pragma once

#include <memory>
#include <string>
#include <vector>

class OutputFile;
class Filter;

/// Files are open already; NULL where none was asked for.
struct BenchOptions {
    bool quick = false;
    bool check = false; ///< only check answers; nothing is timed or written
    OutputFile *json = nullptr;
    OutputFile *csv = nullptr;
    std::string plot_folder;              ///< empty: no pictures
    std::shared_ptr<const Filter> filter; ///< what to measure of "question | world | contender"
    std::vector<std::string> contenders;  ///< shared libraries that join topic lookup
    std::string trace;                    ///< recorded operations to replay; empty: none

    /// Whether the filter lets a measurement pass. Baselines are measured whatever it says: ask
    /// only of others.
    bool wants(const std::string &question, const std::string &world,
               const std::string &contender) const;
};

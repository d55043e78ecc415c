/// The options of terrane-bench's command line, as every topic receives them.
#pragma once

#include <memory>
#include <string>
#include <vector>

class OutputFile;
class Filter;

/// Files are open already; NULL if the option is missing.
struct BenchOptions {
    bool quick = false;
    double quick_s = 60; ///< seconds within which a quick run ends
    bool check = false;  ///< checks answers only; measures and writes nothing
    OutputFile *json = nullptr;
    OutputFile *csv = nullptr;
    std::string plot_folder;              ///< empty: no plots
    std::shared_ptr<const Filter> filter; ///< what to measure of "question | world | contender"
    std::vector<std::string> contenders;  ///< shared libraries that join topic lookup
    std::string trace;                    ///< recorded operations to replay; empty: none

    /// Whether the filter passes a measurement. Baselines of what passes are measured in any case.
    bool wants(const std::string &question, const std::string &world,
               const std::string &contender) const;
};

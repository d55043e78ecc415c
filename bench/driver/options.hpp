/// The options of terrane-bench's command line, as every topic receives them.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

class OutputFile;
class Filter;
struct OldRun;

/// How --filter sees a row: "question | world | contender".
std::string row_name(const std::string &question, const std::string &world,
                     const std::string &contender);

/// The parsed options. Files are already open.
struct BenchOptions {
    bool quick = false;
    double quick_s = 60; ///< seconds within which a quick run ends
    bool check = false;  ///< only checks answers; measures and writes nothing
    OutputFile *json = nullptr;
    OutputFile *csv = nullptr;
    OutputFile *html = nullptr;
    std::string command;                  ///< the command line, as typed
    std::shared_ptr<const OldRun> before; ///< an earlier run to compare with; NULL: none
    std::string plot_folder;              ///< empty: no plots
    std::shared_ptr<const Filter> filter; ///< matches "question | world | contender"
    std::vector<std::string> contenders;  ///< shared libraries that join topic lookup
    /// Names (row_name()) of the only rows to measure, in addition to their baselines; empty: all
    /// rows.
    std::set<std::string> rows;
    std::string trace; ///< recorded operations to replay; empty: none

    /// Whether the filter passes a measurement. Its baseline is measured too.
    bool wants(const std::string &question, const std::string &world,
               const std::string &contender) const;
};

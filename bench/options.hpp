/// What every topic of terrane-bench is told on the command line.
#pragma once

#include <string>

struct BenchOptions {
    bool quick = false;
    std::string json_path; ///< empty: none
    std::string csv_path;
    std::string plot_path;
};

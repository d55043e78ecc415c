/// Timing with Google Benchmark, for topics that do not use topic.hpp yet.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "driver/clock.hpp"

/// Runs of any number of workloads. Repetitions of all of them are interleaved at random, so that a
/// slow second of the machine does not fall on one contender alone. Progress is shown on standard
/// error.
class Timing {
  public:
    explicit Timing(bool quick) : is_quick(quick)
    {
    }

    /// @param name  unique among the workloads
    /// @param work  called many times per repetition; must leave things as it found them
    void add(const std::string &name, std::function<void()> work);

    /// Times everything that was added. To be called once in a program's life.
    void run();

    /// Nanoseconds per call of a workload, one per repetition.
    std::vector<double> nanoseconds(const std::string &name) const;

  private:
    bool is_quick;
    std::vector<std::pair<std::string, std::function<void()>>> works;
    std::map<std::string, std::vector<double>> times;
};

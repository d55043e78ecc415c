/// Targets for ratios between two contenders of one run. Unlike times, ratios hold on every
/// machine.
#pragma once

#include <string>
#include <vector>

#include "driver/report.hpp"

/// A demand on the ratio of two contenders. Target::at_most: the contender's time or memory,
/// divided by that of `by`, must not exceed `demanded`. Target::at_least: the contender must be
/// `demanded` times as fast as `by`.
struct RatioDemand {
    std::string question;
    std::string world; ///< empty: every world that no earlier demand applies to
    std::string contender, by;
    Target::Bound bound;
    double demanded;
};

/// Adds a target for each world where both contenders have figures, world after world.
void add_ratios(Report &report, const std::vector<RatioDemand> &demands);

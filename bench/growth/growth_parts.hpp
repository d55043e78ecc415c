/// The three parts of topic `growth`. Each checks every contender's answers first, and adds its
/// entries to the report.
#pragma once

#include <string>

#include "report.hpp"

/// @return false when a contender answered wrongly, which is said on standard error
bool measure_growth_policies(const BenchOptions &options, Report &report);
bool measure_growth_sentinels(const BenchOptions &options, Report &report);
bool measure_growth_costs(const BenchOptions &options, Report &report);

/// Says on standard error what is being measured, where that is a terminal; an empty text wipes it
/// out.
void show_growth_progress(const std::string &what);

/// Says on standard error who answered wrongly. @return false
bool growth_is_wrong(const std::string &contender, const std::string &world);

/// The questions that are drawn.
extern const char *const question_growth_build;
extern const char *const question_growth_worst;
extern const char *const question_growth_gather;
extern const char *const question_growth_cost_one_axis;
extern const char *const question_growth_cost_all_axes;

/// Figures of topic `lookup` as tables, entries and pictures.
#pragma once

#include <string>
#include <vector>

#include "driver/report.hpp"
#include "lookup_match.hpp"

/// Prints two tables: gathers, and single chunks. Why figures are missing stands below.
void print_tables(const World &world, const std::vector<LookupResult> &results,
                  const std::vector<double> &copy_us);

/// Prints how many contenders gave right answers on a world, and why others gave none.
void print_check(const World &world, const std::vector<LookupResult> &results);

/// Adds a world's figures to a report.
void add_entries(Report &report, const World &world, const std::vector<LookupResult> &results,
                 const std::vector<double> &copy_us);

/// Draws what the report holds: gathers against R, memory against fill, worst steps.
void add_plots(Report &report);

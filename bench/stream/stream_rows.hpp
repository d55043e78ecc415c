/// Rows of topic `stream`: entries and targets.
#pragma once

#include <string>
#include <vector>

#include "driver/report.hpp"

Entry entry_of(const std::string &question, const std::string &world, const std::string &contender,
               const std::string &unit);

const double told = -1; ///< for add_target: nothing is demanded

void add_target(Report &report, const std::string &world, const std::string &what, double figure,
                const std::string &unit, double at_most);
void add_target_at_least(Report &report, const std::string &world, const std::string &what,
                         double figure, const std::string &unit, double at_least);

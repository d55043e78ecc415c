/// Replaying a recorded trace against all contenders.
#pragma once

#include <vector>

#include "contender.h"
#include "driver/options.hpp"
#include "driver/report.hpp"

/// Replays options.trace. @return the exit code
int bench_trace(const std::vector<const Contender *> &contenders, const BenchOptions &options,
                Report &report);

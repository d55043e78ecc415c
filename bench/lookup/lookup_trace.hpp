/// Replays of a recorded trace, instead of the worlds of topic `lookup`.
#pragma once

#include <vector>

#include "contender.h"
#include "driver/topic.hpp"

/// Adds the scenes of bench.options.trace. @throws bench::Refused if it cannot be read
void add_trace(bench::Bench &bench, const std::vector<const Contender *> &contenders);

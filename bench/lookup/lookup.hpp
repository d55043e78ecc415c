/// Topic `lookup`: what does it cost to collect the chunks around the player?
#pragma once

#include "driver/options.hpp"

/// @return the exit code: 0; 1 when a contender is no use or wrong, memory runs out or a file
/// cannot be written; 2 when the filter leaves nothing
int bench_lookup(const BenchOptions &options);

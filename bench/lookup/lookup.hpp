/// Topic `lookup`: what does it cost to collect the chunks around the player?
#pragma once

#include "options.hpp"

/// @return the exit code: 0, or 1 when contenders disagree, memory runs out or a file cannot be written
int bench_lookup(const BenchOptions &options);

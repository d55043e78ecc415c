/// Topic `pools`: what do taking, giving back and walking objects cost?
#pragma once

#include "options.hpp"

/// @return the exit code: 0, or 1 when contenders disagree, memory runs out or a file cannot be
/// written
int bench_pools(const BenchOptions &options);

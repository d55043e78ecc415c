/// Topic `index`: does the chunk index do what is demanded of it?
#pragma once

#include "driver/options.hpp"

/// @return the exit code: 0, or 1 when contenders disagree, memory runs out or a file cannot be
/// written. A missed target is no failure.
int bench_index(const BenchOptions &options);

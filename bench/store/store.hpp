/// Topic `store`: what a game asks of the whole store in every frame, held against its targets and
/// against a hash map of plain arrays.
#pragma once

#include "driver/options.hpp"

/// @return the exit code: 0, or 1 when contenders disagree, memory runs out or a file cannot be
/// written. A missed target is no failure.
int bench_store(const BenchOptions &options);

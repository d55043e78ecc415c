/// Topic `terrain`: what chunks of generated land cost, and noise, by instruction set.
#pragma once

#include "driver/options.hpp"

/// @return the exit code: 0, or 1 when contenders disagree or a file cannot be written. A missed
/// target is no failure.
int bench_terrain(const BenchOptions &options);

/// Topic `growth`: what it costs that an array of chunks expands by itself.
#pragma once

#include "options.hpp"

/// Measures policies of growth on worlds, ways of saying "no chunk here", and one growth against
/// size; prints and writes the report.
/// @return the exit code
int bench_growth(const BenchOptions &options);

/// Topic `mesher`: what a chunk's quads cost, made by Terrane, by classic greedy meshing and by
/// culling alone.
#pragma once

#include "driver/options.hpp"

/// @return the program's exit code
int bench_mesher(const BenchOptions &options);

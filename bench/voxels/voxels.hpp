/// Topic `voxels`: what one chunk's blocks cost in time and memory, packed by Terrane and as a
/// plain array.
#pragma once

#include "driver/options.hpp"

/// @return the program's exit code
int bench_voxels(const BenchOptions &options);

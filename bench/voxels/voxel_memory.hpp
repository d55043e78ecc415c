/// What all chunks around a player take, and how long it takes to encode them.
#pragma once

#include "driver/report.hpp"
#include "voxel_scenes.hpp"

// The lands.
inline const char *const land_generated = "view R=16, as generated";
inline const char *const land_caves = "view R=16, with caves and ores";
inline const char *const land_flat = "view R=16, flat";

inline const char *const by_elision = "plain arrays, none for uniform chunks";

/// Adds entries for each land that the options want, and figures about it.
/// @return false when a chunk is not what was encoded, which is said on standard error
bool measure_voxel_memory(const VoxelBench &bench, const BenchOptions &options, Report &report);

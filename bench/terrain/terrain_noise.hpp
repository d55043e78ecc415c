/// The noise part of topic `terrain`: every kind of noise by every set of kernels, against its
/// scalar twin.
#pragma once

#include <string>
#include <vector>

#include "driver/report.hpp"
#include "voxels/voxel_scenes.hpp"

inline const char *const noise_in_space = "gradient noise in space, 4 octaves";
inline const char *const at_every_voxel = "every voxel of a chunk";

/// "scalar kernels", "AVX2 kernels"; the scalar ones are the baseline.
std::string noise_contender(const std::string &kernels);

/// The kernels that this machine can run, the scalar ones first.
std::vector<std::string> noise_kernel_names();

/// @param is_quick  leaves out half of the questions
std::vector<VoxelScene> make_noise_scenes(bool is_quick);

/// What is demanded of noise at every voxel, and what else there is to tell.
void add_noise_targets(Report &report);

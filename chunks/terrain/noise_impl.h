/// Private: noise at scattered points.
#ifndef TERRANE_TERRAIN_NOISE_IMPL_H
#define TERRANE_TERRAIN_NOISE_IMPL_H

#include <stddef.h>

#include <terrane/noise.h>

/// Evaluates a noise at points anywhere near an origin.
/// @param noise   compiled; of a kind that is not cellular
/// @param origin  as in TrnNoiseGrid
/// @param points  by axis: [count] voxels from the origin, at most 2,000 wavelengths; NULL for 0
/// @param out     [count] receives the values
void trn_noise_fill_points(const TrnNoise *noise, TrnVoxel origin, const float *const points[3],
                           uint32_t count, float *out);

#endif

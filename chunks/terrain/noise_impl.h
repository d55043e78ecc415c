/// Private: noise at scattered points, and by chosen kernels. Valid C++.
#ifndef TERRANE_TERRAIN_NOISE_IMPL_H
#define TERRANE_TERRAIN_NOISE_IMPL_H

#include <stdbool.h>

#include <terrane/noise.h>

#include "base/cpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Evaluates a noise at points anywhere near an origin.
/// @param noise   compiled; of a kind that is not cellular
/// @param origin  as in TrnNoiseGrid
/// @param points  by axis: [count] voxels from the origin, at most 2,000 wavelengths; NULL for 0
/// @param out     [count] receives the values
void trn_noise_fill_points(const TrnNoise *noise, TrnVoxel origin, const float *const points[3],
                           uint32_t count, float *out);

// ---- kernels, for tests and the bench ----------------------------------------------------------

/// All sets of TrnNoiseKernels.
extern const TrnKernelTable trn_noise_kernels;

/// Makes a noise use other kernels than the fastest.
/// @param name  "AVX-512", "AVX2", "SSE2" ("NEON" or "vectors of four" on other machines) or
///              "scalar"
/// @return whether this machine can run them; if not, the noise is unchanged
bool trn_noise_use_kernels(TrnNoise *noise, const char *name);

#ifdef __cplusplus
}
#endif
#endif

/// Private: noise at scattered points, and by chosen kernels. Valid C++.
#ifndef TERRANE_TERRAIN_NOISE_IMPL_H
#define TERRANE_TERRAIN_NOISE_IMPL_H

#include <stdbool.h>

#include <terrane/noise.h>

#include "base/cpu.h"

#ifdef __cplusplus
extern "C" {
#endif

static inline bool trn_noise_is_cellular(uint32_t kind)
{
    return kind == TRN_NOISE_CELL_DISTANCE || kind == TRN_NOISE_CELL_BORDER;
}

/// Evaluates a noise at points anywhere near an origin.
/// @param noise   compiled; of a kind that is not cellular
/// @param origin  as in TrnNoiseGrid
/// @param points  by axis: [count] voxels from the origin, at most 2,000 wavelengths; NULL for 0
/// @param out     [count] receives the values
void trn_noise_fill_points(const TrnNoise *noise, TrnVoxel origin, const float *const points[3],
                           uint32_t count, float *out);

/// Layers of a noise, and where they are needed.
typedef struct TrnNoisePart {
    uint32_t first, end;      ///< layers
    const uint8_t *is_needed; ///< [size_y][size_z] of the grid: whether a row is; NULL: all are
} TrnNoisePart;

/// Evaluates some layers of a fractal noise without warp, which add to those before them. After all
/// layers, needed rows have the same bits as trn_noise_fill gives.
/// @param grid  valid, as in trn_noise_fill
/// @param out   the layers before the first; receives their sum with these. Rows that are not
///              needed keep their values, or get the sum too
void trn_noise_add_part(const TrnNoise *noise, const TrnNoiseGrid *grid, const TrnNoisePart *part,
                        float *out);

/// Evaluates a noise in the plane at scattered voxels, with the same bits as a grid.
/// @param noise   compiled; of a kind that is not cellular
/// @param origin  as in TrnNoiseGrid
/// @param x,z     [count] voxels from the origin
/// @param out     [count] receives the values
void trn_noise_fill_voxels(const TrnNoise *noise, TrnVoxel origin, const int32_t *x,
                           const int32_t *z, uint32_t count, float *out);

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

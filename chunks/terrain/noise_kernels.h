/// Private: the loops of a noise over points. Every set of kernels gives the same result as the
/// scalar one, bit for bit.
#ifndef TERRANE_TERRAIN_NOISE_KERNELS_H
#define TERRANE_TERRAIN_NOISE_KERNELS_H

#include <stdalign.h>
#include <stdbool.h>

#include <terrane/noise.h>

#include "base/cpu.h"

// From here on nothing is contracted to a fused multiply-add, whatever the compiler is told: that
// would be other bits where the machine has one. gcc ignores the standard's pragma.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

/// The most points that a kernel takes at a time; a multiple of any register's lanes.
#define TRN_NOISE_BATCH_MAX 64

/// Registers of a batch, where one holds four points or more; kernels with fewer look at none of
/// what is said of registers.
#define TRN_NOISE_REGISTERS_MAX (TRN_NOISE_BATCH_MAX / 4)

/// How far the points of a batch lie from its first, along one lattice axis: as places, upper and
/// lower 32 bits. All batches of a grid have the same.
typedef struct TrnNoiseOffsets {
    alignas(64) uint32_t cell[TRN_NOISE_BATCH_MAX];
    alignas(64) uint32_t fraction[TRN_NOISE_BATCH_MAX];
    /// The least and the greatest in each register, whole; 2^32 apart at most, which is never
    /// within one cell.
    uint64_t least[TRN_NOISE_REGISTERS_MAX], most[TRN_NOISE_REGISTERS_MAX];
} TrnNoiseOffsets;

/// A layer's part in a batch. A place is a lattice cell, modulo 2^32, in the upper 32 bits and a
/// fraction in the lower.
typedef struct TrnNoiseBatchLayer {
    TrnNoiseOffsets offsets[3]; ///< by lattice axis; written to the end of a register
    uint64_t at[3];             ///< the first point's place
    float slope[3][3];          ///< [lattice axis][world axis]: cells a voxel, for warp
    uint32_t seed;
    float weight;
} TrnNoiseBatchLayer;

/// Points to look at: a part of a row, or whole rows of a grid's plane.
typedef struct TrnNoiseBatch {
    const TrnNoiseBatchLayer *layers;
    uint32_t layer_count;
    uint32_t count;      ///< points
    uint32_t dimensions; ///< 2: lattice and world have no axis 1
    bool is_ridged, is_warped;
    bool wants_second;   ///< of cells: F2 too
    uint32_t seed_twist; ///< changes every layer's seed: the parts of a warp
    /// voxels; where is_warped, written to the end of a register
    alignas(64) float warp[3][TRN_NOISE_BATCH_MAX];
} TrnNoiseBatch;

/// What cells come to; written to the end of a register.
typedef struct TrnNoiseBatchCells {
    alignas(64) float first[TRN_NOISE_BATCH_MAX];
    alignas(64) float second[TRN_NOISE_BATCH_MAX]; ///< F2, where it is wanted
    alignas(64) uint32_t id[TRN_NOISE_BATCH_MAX];
} TrnNoiseBatchCells;

typedef struct TrnNoiseKernels {
    const char *name;
    uint32_t lanes; ///< points of a register

    /// The sum of the layers, or their ridges. @param out  [TRN_NOISE_BATCH_MAX], aligned to 64;
    /// written to the end of a register
    void (*gradient)(const TrnNoiseBatch *batch, float *out);

    /// Distances to the nearest points of the one layer's cells.
    void (*cells)(const TrnNoiseBatch *batch, TrnNoiseBatchCells *out);
} TrnNoiseKernels;

/// Perlin's fade gives a sum of gradients at most sqrt(dimensions) / 2; these bring it to 1, a hair
/// less so that rounding stays below.
#define TRN_NOISE_SCALE_2D 1.4142134f
#define TRN_NOISE_SCALE_3D 1.1547004f

/// A direction, as long as a register of four.
typedef struct TrnNoiseDirection {
    alignas(16) float axis[4];
} TrnNoiseDirection;

/// Gradients: 32 unit vectors. Numbers 8 to 15 are 0 to 7 with x turned round, 16 to 31 are 0 to 15
/// with y turned round, so that a register of eight and two signs hold them all. In the plane: the
/// middles of 32 equal parts of a circle, so none lies along an axis or a diagonal. In space: found
/// by minimising how far their moments of degree 1 to 6 are from those of all directions alike,
/// weighted towards the lower ones: a spherical 4-design to a thousandth. Perlin's twelve prefer
/// the diagonals of the faces.
extern const TrnNoiseDirection trn_noise_directions_2d[32], trn_noise_directions_3d[32];

/// The same, axis by axis.
extern const float trn_noise_columns_2d[2][32], trn_noise_columns_3d[3][32];

extern const TrnNoiseKernels trn_noise_kernels_scalar;

/// Four lanes by the compiler's vectors: SSE2, NEON and what else there is.
extern const TrnNoiseKernels trn_noise_kernels_four;

#if defined(__x86_64__)
extern const TrnNoiseKernels trn_noise_kernels_avx2, trn_noise_kernels_avx512;
#endif

/// All sets of TrnNoiseKernels.
extern const TrnKernelTable trn_noise_kernels;

#endif

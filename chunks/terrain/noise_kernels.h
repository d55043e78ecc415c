/// Private: the kernels of a noise, which evaluate batches of points. Every set of kernels gives
/// the same bits as the scalar set.
#ifndef TERRANE_TERRAIN_NOISE_KERNELS_H
#define TERRANE_TERRAIN_NOISE_KERNELS_H

#include <float.h>
#include <stdalign.h>
#include <stdbool.h>

#include <terrane/noise.h>

#include "terrain/noise_impl.h"

// Below this line the compiler does not contract to fused multiply-adds, with any flags: the
// bits would differ between machines with and without them. gcc ignores the standard's pragma.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

// Wider intermediate results round differently, so that the same seed would give another world.
#if FLT_EVAL_METHOD != 0
#error "Terrane needs float arithmetic in float. On 32-bit x86 compile with -msse2 -mfpmath=sse."
#endif

/// Points of a full batch; a multiple of every register's lanes.
#define TRN_NOISE_BATCH_MAX 64

/// Registers of a batch with four lanes or more. The scalar kernels do not use the bounds by
/// register.
#define TRN_NOISE_REGISTERS_MAX (TRN_NOISE_BATCH_MAX / 4)

/// Offsets of a batch's points from its first point along one lattice axis, as fixed-point numbers
/// split into upper and lower 32 bits. All batches of a grid share them.
typedef struct TrnNoiseOffsets {
    alignas(64) uint32_t cell[TRN_NOISE_BATCH_MAX];
    alignas(64) uint32_t fraction[TRN_NOISE_BATCH_MAX];
    /// Least and greatest offset in each register, as whole fixed-point numbers. They are 2^32
    /// apart where they are unknown, so that the register never counts as within one cell.
    uint64_t least[TRN_NOISE_REGISTERS_MAX], most[TRN_NOISE_REGISTERS_MAX];
} TrnNoiseOffsets;

/// One layer of a batch. A lattice position is a 64-bit fixed-point number: the cell, modulo 2^32,
/// in the upper 32 bits and the fraction in the lower.
typedef struct TrnNoiseBatchLayer {
    /// By lattice axis; written to the end of the last register.
    const TrnNoiseOffsets *offsets[3];
    uint64_t at[3];    ///< lattice position of the first point
    float slope[3][3]; ///< [lattice axis][world axis]: cells per voxel, for domain warp
    uint32_t seed;
    float weight;
} TrnNoiseBatchLayer;

/// Points to evaluate: part of a row, or whole rows of one plane of a grid.
typedef struct TrnNoiseBatch {
    const TrnNoiseBatchLayer *layers;
    uint32_t layer_count;
    uint32_t count;
    uint32_t dimensions; ///< 2: lattice and world have no axis 1
    bool is_ridged, is_warped;
    bool wants_second; ///< cellular noise: F2 as well
    /// xor-ed with every layer's seed; tells the components of a warp apart
    uint32_t seed_twist;
    /// Displacement in voxels by world axis. Where is_warped, written to the end of the last
    /// register.
    alignas(64) float warp[3][TRN_NOISE_BATCH_MAX];
} TrnNoiseBatch;

/// Results of cellular noise; written to the end of the last register.
typedef struct TrnNoiseBatchCells {
    alignas(64) float first[TRN_NOISE_BATCH_MAX];
    alignas(64) float second[TRN_NOISE_BATCH_MAX]; ///< F2, if wants_second
} TrnNoiseBatchCells;

typedef struct TrnNoiseKernels {
    const char *name;
    uint32_t lanes; ///< points per register

    /// Evaluates the sum of the layers, or of their ridges.
    /// @param out  [TRN_NOISE_BATCH_MAX], aligned to 64; written to the end of the last register
    void (*gradient)(const TrnNoiseBatch *batch, float *out);

    /// Finds the distances to the nearest feature points in the cells of layer 0.
    void (*cells)(const TrnNoiseBatch *batch, TrnNoiseBatchCells *out);
} TrnNoiseKernels;

/// With Perlin's fade a layer is at most sqrt(dimensions) / 2. These factors bring it to 1, minus a
/// margin that keeps rounding below 1.
#define TRN_NOISE_SCALE_2D 1.4142134f
#define TRN_NOISE_SCALE_3D 1.1547004f

/// Gradients of a noise; the kernels take the upper five bits of a hash as the index.
#define TRN_NOISE_DIRECTIONS 32

/// A gradient's direction, padded to a register of four.
typedef struct TrnNoiseDirection {
    alignas(16) float axis[4];
} TrnNoiseDirection;

/// Gradients: 32 unit vectors. 8 to 15 are 0 to 7 with x negated, and 16 to 31 are 0 to 15 with y
/// negated (in the plane: z), so one register of eight and two sign bits encode them all. In the
/// plane they are the middles of 32 equal arcs of a circle, so none lies along an axis or a
/// diagonal. In space they minimise how far their moments of degree 1 to 6 differ from those of a
/// uniform sphere, with more weight on the lower degrees: a spherical 4-design to within 0.001.
/// Perlin's twelve gradients favour the diagonals of the faces.
extern const TrnNoiseDirection trn_noise_directions_2d[TRN_NOISE_DIRECTIONS],
    trn_noise_directions_3d[TRN_NOISE_DIRECTIONS];

/// The same gradients, component by component: [axis][direction]. In the plane the axes are x and
/// z.
extern const float trn_noise_components_2d[2][TRN_NOISE_DIRECTIONS],
    trn_noise_components_3d[3][TRN_NOISE_DIRECTIONS];

#endif

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

/// Points of a register, at most.
#define TRN_NOISE_LANES_MAX 16

/// Registers of a batch with four lanes or more. The scalar kernels do not use the bounds by
/// register.
#define TRN_NOISE_REGISTERS_MAX (TRN_NOISE_BATCH_MAX / 4)

/// Points of a plane that are filled without regard to its rows, at most, and along x.
#define TRN_NOISE_PLANE_MAX 144
#define TRN_NOISE_PLANE_WIDTH_MAX 32

/// Points that share offsets, at most: those of such a plane, and of a batch that begins in it.
#define TRN_NOISE_PATTERN_MAX (TRN_NOISE_PLANE_MAX + TRN_NOISE_BATCH_MAX)

/// Offsets of points from a first one along one lattice axis, as fixed-point numbers split into
/// upper and lower 32 bits. All batches of a grid share them. Rows are written to the end of their
/// last register.
typedef struct TrnNoiseOffsets {
    const uint32_t *cell, *fraction;
} TrnNoiseOffsets;

/// The order of such points: in rows, and the rows in planes.
typedef struct TrnNoisePattern {
    uint32_t count;
    uint32_t size_x; ///< points of a row; at most TRN_NOISE_BATCH_MAX
    uint32_t size_z; ///< rows of a plane
} TrnNoisePattern;

/// Least and greatest offset in each register of a batch along one lattice axis, as whole
/// fixed-point numbers. They are 2^32 apart where they are unknown, so that the register never
/// counts as within one cell.
typedef struct TrnNoiseBounds {
    uint64_t least[TRN_NOISE_REGISTERS_MAX], most[TRN_NOISE_REGISTERS_MAX];
} TrnNoiseBounds;

/// Adjacent cells along one axis whose hashes are looked up instead of computed, at most.
#define TRN_NOISE_HASHES 32

/// Hashes of adjacent cells along one axis, by the lowest bits of the cell.
typedef struct TrnNoiseHashes {
    alignas(64) uint32_t low[TRN_NOISE_HASHES];  ///< of the cell
    alignas(64) uint32_t high[TRN_NOISE_HASHES]; ///< of the next one
} TrnNoiseHashes;

/// One layer of a batch. A lattice position is a 64-bit fixed-point number: the cell, modulo 2^32,
/// in the upper 32 bits and the fraction in the lower.
typedef struct TrnNoiseBatchLayer {
    /// By lattice axis; written to the end of the last register.
    TrnNoiseOffsets offsets[3];
    const TrnNoiseBounds *bounds[3];
    /// By lattice axis: of all cells that points lie in; NULL: hashes are computed. Those of x are
    /// an array by TrnNoiseBatch.twist.
    const TrnNoiseHashes *hashes[3];
    uint64_t at[3];    ///< lattice position that the offsets are from
    float slope[3][3]; ///< [lattice axis][world axis]: cells per voxel, for domain warp
    uint32_t seed;
    float weight;
} TrnNoiseBatchLayer;

/// Points to evaluate: part of a row, or whole rows of one plane of a grid.
typedef struct TrnNoiseBatch {
    const TrnNoiseBatchLayer *layers;
    uint32_t layer_count;
    uint32_t first; ///< in the offsets
    uint32_t count;
    uint32_t dimensions; ///< 2: lattice and world have no axis 1
    bool is_ridged, is_warped;
    bool is_continued; ///< values of further layers are there: sums begin with them
    bool wants_second; ///< cellular noise: F2 as well
    /// Number of the component of a warp: trn_noise_twists[twist] is xor-ed with every layer's
    /// seed, so that components differ.
    uint32_t twist;
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

    /// Writes the offsets of points.
    /// @param step  to the next point along each world axis
    /// @param cell,fraction  receive them, as in TrnNoiseOffsets
    void (*place)(const TrnNoisePattern *pattern, const uint64_t step[3], uint32_t *cell,
                  uint32_t *fraction);

    /// Adjacent cells along one axis whose hashes the set looks up: a power of two, at most
    /// TRN_NOISE_HASHES; 0: none.
    uint32_t hash_count;

    /// Writes the hashes of adjacent cells, at most hash_count.
    /// @param axis  of the lattice
    /// @param seed  of the layer, twisted; counts along x alone
    void (*hash)(uint32_t first_cell, uint32_t cells, uint32_t axis, uint32_t seed,
                 TrnNoiseHashes *hashes);

    /// Evaluates the sum of the layers, or of their ridges.
    /// @param out  [TRN_NOISE_BATCH_MAX], aligned to 64; written to the end of the last register
    void (*gradient)(const TrnNoiseBatch *batch, float *out);

    /// Finds the distances to the nearest feature points in the cells of layer 0.
    void (*cells)(const TrnNoiseBatch *batch, TrnNoiseBatchCells *out);
} TrnNoiseKernels;

/// By TrnNoiseBatch.twist.
extern const uint32_t trn_noise_twists[3];

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

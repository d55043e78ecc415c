/// Terrane, noise: seeded gradient noise and cellular noise in two and three dimensions, for single
/// voxels and for grids of them. Usable without the rest of Terrane.
///
/// A noise is a pure function of its def and a voxel. It gives the same bits on every machine,
/// compiler and instruction set, for a single voxel or in a grid, at every level of detail. A
/// position in a layer's lattice is a 64-bit fixed-point number, computed from integer voxel
/// coordinates by integer multiplication; so precision is the same at the ends of the world as at
/// its origin. Each layer's lattice is rotated against the world's axes and against the other
/// layers', so that no grid direction shows.
///
///     TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 3);   // choose
///     TrnNoise noise;
///     trn_noise_compile(&def, &noise);                         // once
///     trn_noise_fill(&noise, &grid, values);                   // often, from any thread
///
/// A single layer repeats after 2^32 wavelengths: outside the world, for wavelengths of 32 voxels
/// or more. Sums of layers do not repeat.
///
/// Sources: K. Perlin, "Improving noise" (2002): gradients on a lattice, the quintic fade. F. K.
/// Musgrave in "Texturing and modeling: a procedural approach" (1994): fractal sums, ridges. S.
/// Worley, "A cellular texture basis function" (1996). I. Quilez, "Domain warping" (2002).
///
/// Tier: stable.
#ifndef TERRANE_NOISE_H
#define TERRANE_NOISE_H

#include <terrane/base.h>
#include <terrane/coord.h>

TRN_C_BEGIN

#define TRN_NOISE_OCTAVE_MAX 8              ///< layers of a noise
#define TRN_NOISE_WARP_OCTAVE_MAX 4         ///< layers of a domain warp
#define TRN_NOISE_WAVELENGTH_MIN 1.0f       ///< the shortest wavelength of a layer, in voxels
#define TRN_NOISE_WAVELENGTH_MAX 1048576.0f ///< the longest wavelength of a layer, in voxels
#define TRN_NOISE_LEVEL_MAX 31              ///< the coarsest level of a grid
/// A grid may begin this many voxels outside the world, since generators sample around chunks.
#define TRN_NOISE_MARGIN 32

/// What a noise computes.
typedef enum TrnNoiseKind {
    /// Fractal sum of gradient noise layers, each `gain` times as strong as the one before, scaled
    /// to [-1, 1]. Slope and curvature are continuous. Standard deviation: 0.30 in 2D and 0.22 in
    /// 3D for one layer, 0.19 and 0.14 for four.
    TRN_NOISE_FRACTAL,
    /// Ridged fractal: ridges where layers cross zero; finer ridges appear only on coarser ones. In
    /// [0, 1].
    TRN_NOISE_RIDGED,
    /// Worley's F1: distance to the nearest feature point, in wavelengths. Each lattice cell holds
    /// one point. In [0, 1.74].
    TRN_NOISE_CELL_DISTANCE,
    /// Worley's F2 - F1: how much farther the second nearest point is. 0 on the borders between
    /// cells. In [0, 1.74].
    TRN_NOISE_CELL_BORDER,
    /// The number of kinds.
    TRN_NOISE_KIND_COUNT
} TrnNoiseKind;

/// Settings of a noise. Start from trn_noise_def() and change what you need. Axes are x, y, z; a 2D
/// noise uses x and z and ignores every y component here.
typedef struct TrnNoiseDef {
    TrnNoiseKind kind;   ///< what it computes
    uint32_t dimensions; ///< 2 or 3
    uint64_t seed;       ///< any value; each gives another noise
    uint32_t stream;     ///< any value; distinguishes the noises of one seed
    /// Size of the coarsest layer's features in voxels, by axis; a smaller y makes them flatter.
    /// Every layer's wavelength must lie in [TRN_NOISE_WAVELENGTH_MIN, TRN_NOISE_WAVELENGTH_MAX].
    float wavelength[3];
    uint32_t octaves; ///< layers, 1..TRN_NOISE_OCTAVE_MAX; 1 for cellular noise
    float lacunarity; ///< ratio of each layer's frequency to that of the layer before, 1..16
    float gain;       ///< ratio of each layer's strength to that of the layer before, in (0, 1]
    /// Domain warp: largest displacement in voxels, by axis. A smooth noise displaces each voxel
    /// before it is evaluated. All 0 means no warp. At most 512 of the finest layer's wavelengths.
    float warp[3];
    /// Like `wavelength`, for the warp's coarsest layer. Ignored without a warp.
    float warp_wavelength[3];
    /// Layers of the warp, 1..TRN_NOISE_WARP_OCTAVE_MAX; each is twice as fine and half as strong
    /// as the one before. Ignored without a warp.
    uint32_t warp_octaves;
} TrnNoiseDef;

/// Private: one layer of a compiled noise.
typedef struct TrnNoiseLayer {
    /// [lattice axis][world axis]: lattice cells per voxel, in units of 2^-32
    int64_t step[3][3];
    uint64_t origin[3]; ///< lattice position of voxel 0, 0, 0, in the same units
    uint32_t seed;      ///< of its gradients or points
    float weight;       ///< its part of the sum
} TrnNoiseLayer;

/// A compiled noise, in the caller's memory. Plain data: it owns nothing, needs no destructor and
/// may be copied. Its fields are private and valid only on the machine that compiled it; to save a
/// noise, save its def.
typedef struct TrnNoise {
    TrnNoiseLayer layers[TRN_NOISE_OCTAVE_MAX];           ///< [layer_count]
    TrnNoiseLayer warp_layers[TRN_NOISE_WARP_OCTAVE_MAX]; ///< [warp_layer_count]
    float warp[3];                                        ///< as in the def
    uint32_t layer_count;                                 ///< 1..TRN_NOISE_OCTAVE_MAX
    uint32_t warp_layer_count;                            ///< 0 without a warp
    uint32_t dimensions;                                  ///< as in the def
    uint32_t kind;                                        ///< TrnNoiseKind
    uint32_t kernels;                                     ///< index of the kernels in use
} TrnNoise;

/// A grid of voxels to evaluate: every 2^level-th along each axis, starting at `origin`.
typedef struct TrnNoiseGrid {
    /// First voxel: inside the world, or at most TRN_NOISE_MARGIN outside. The grid may extend
    /// farther; the noise continues there.
    TrnVoxel origin;
    uint32_t level;  ///< 0..TRN_NOISE_LEVEL_MAX; 0 evaluates every voxel
    uint32_t size_x; ///< points along x, at least 1
    uint32_t size_y; ///< points along y, at least 1; 1 for a 2D noise
    uint32_t size_z; ///< points along z, at least 1
} TrnNoiseGrid;

/// Returns the default settings: wavelength 64 voxels, no warp, 4 octaves with lacunarity 2 and
/// gain 0.5; 1 octave for cellular noise.
/// @param dimensions  2 or 3
TRN_API TrnNoiseDef trn_noise_def(TrnNoiseKind kind, uint32_t dimensions);

/// Returns what is wrong with a def, or NULL if it is valid. The sentence names the field and its
/// range. Static text; any thread.
TRN_API const char *trn_noise_def_fault(const TrnNoiseDef *def);

/// Compiles a def.
/// @param noise  receives the compiled noise
/// Errors: BAD_ARGUMENT (NULL, NaN or anything that trn_noise_def_fault reports). No allocation.
/// Any thread. Cost: O(layers).
TRN_API TrnResult trn_noise_compile(const TrnNoiseDef *def, TrnNoise *noise);

/// Evaluates the noise at one voxel of the world. The result has the same bits as in any grid.
/// @param noise  compiled; an all-zero noise is 0 everywhere
/// Any thread. Cost: O(layers), 1.2 times as much in 3D as in 2D; grids are 6 to 20 times cheaper
/// per voxel.
TRN_API float trn_noise_at(const TrnNoise *noise, TrnVoxel voxel);

/// Evaluates the noise at every voxel of a grid.
/// @param out  [size_x * size_z * size_y] receives the values, x fastest, then z, then y, like the
///             voxels of a chunk; caller owns
/// Errors: BAD_ARGUMENT (noise not compiled, origin too far outside the world, level or size out of
/// range); `out` is then unchanged. No allocation. Any thread.
/// Cost: O(voxels * layers); AVX2 takes twice as long as AVX-512, SSE2 four times. Coarser grids
/// cost up to half as much again, since adjacent points lie in different cells. Plus a compilation
/// per call. Times: docs/noise.md.
TRN_API TrnResult trn_noise_fill(const TrnNoise *noise, const TrnNoiseGrid *grid, float *out);

/// Like trn_noise_fill, but displaces each voxel by a warp of the caller's, added to the noise's
/// own. Several noises can share one warp this way.
/// @param warp  by axis: an array like `out` of displacements in voxels, or NULL for none. A
///              displacement is bounded to 2,000 wavelengths; NaN counts as the bound.
/// Errors, threads: as trn_noise_fill.
TRN_API TrnResult trn_noise_fill_warped(const TrnNoise *noise, const TrnNoiseGrid *grid,
                                        const float *const warp[3], float *out);

TRN_C_END
#endif

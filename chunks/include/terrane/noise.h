/// Terrane, noise: seeded gradient noise and cells in two and three dimensions, for single voxels
/// and for whole grids of them. Usable alone.
///
/// A pure function of its def and a voxel: the same bits on every machine, with every compiler and
/// instruction set, alone or in a grid, at every level. A voxel's place in a layer's lattice is a
/// 64-bit fixed-point number, got from the voxel's integer coordinates by integer multiplication;
/// so the noise is as fine at the ends of the world as at its origin. Each layer's lattice is
/// turned against the world's axes and against the other layers', so that none shows.
///
///   TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 3);   // choose
///   TrnNoise noise;
///   trn_noise_compile(&def, &noise);                         // once
///   trn_noise_fill(&noise, &grid, values);                   // often, from any thread
///
/// A single layer repeats itself after 2^32 of its wavelengths, which is beyond the world from 32
/// voxels on; sums of layers do not.
///
/// Sources: K. Perlin, "Improving noise" (2002): gradients on a lattice, the quintic fade. F. K.
/// Musgrave in "Texturing and modeling: a procedural approach" (1994): fractal sums, ridges. S.
/// Worley, "A cellular texture basis function" (1996). I. Quilez, "Domain warping" (2002).
#ifndef TERRANE_NOISE_H
#define TERRANE_NOISE_H

#include <terrane/base.h>
#include <terrane/coord.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRN_NOISE_OCTAVE_MAX 8      ///< layers of a noise
#define TRN_NOISE_WARP_OCTAVE_MAX 4 ///< layers of its warp
#define TRN_NOISE_WAVELENGTH_MIN 1.0f
#define TRN_NOISE_WAVELENGTH_MAX 1048576.0f
#define TRN_NOISE_LEVEL_MAX 31
/// Voxels beyond the world's ends where a grid may begin: a generator looks a little to all sides.
#define TRN_NOISE_MARGIN 32

typedef enum TrnNoiseKind {
    /// The sum of layers of gradient noise, each `gain` as strong as the one before, brought to
    /// [-1, 1]. Smooth: slope and curvature are continuous. The standard deviation of one layer
    /// is
    /// 0.30 in the plane and 0.22 in space, of four 0.19 and 0.14.
    TRN_NOISE_FRACTAL,
    /// Ridges where layers cross zero, finer ones only where coarser ones already rise; in [0,
    /// 1].
    TRN_NOISE_RIDGED,
    /// Worley's F1: how far the nearest of scattered points is, one to each lattice cell; in
    /// wavelengths, in [0, 1.74].
    TRN_NOISE_CELL_DISTANCE,
    /// F2 - F1: how much farther the second nearest point is. Zero on the borders between
    /// cells; in
    /// [0, 1.74].
    TRN_NOISE_CELL_BORDER,
    TRN_NOISE_KIND_COUNT
} TrnNoiseKind;

/// What a noise is. Start from trn_noise_def() and change what you need. Axes are x, y, z; a noise
/// in the plane looks at x and z, and neither at y nor at what is said here of it.
typedef struct TrnNoiseDef {
    TrnNoiseKind kind;
    uint32_t dimensions; ///< 2 or 3
    uint64_t seed;       ///< any value; each is another noise
    uint32_t stream;     ///< tells the noises of one seed apart; any value
    /// How far features of the coarsest layer are apart, in voxels along each axis: a smaller y
    /// flattens. That of every layer lies in [TRN_NOISE_WAVELENGTH_MIN, TRN_NOISE_WAVELENGTH_MAX].
    float wavelength[3];
    uint32_t octaves; ///< layers, 1..TRN_NOISE_OCTAVE_MAX; 1 for cells
    float lacunarity; ///< how many times finer each layer is than the one before, 1..16
    float gain;       ///< how strong each layer is beside the one before, in (0, 1]
    /// Domain warp: each voxel is looked up at most so many voxels away along each axis, by a
    /// smooth noise of its own. 0 along all axes for none; at most 512 of the finest layer's
    /// wavelengths.
    float warp[3];
    /// as `wavelength`, of the warp's coarsest layer; looked at only where there is warp
    float warp_wavelength[3];
    /// 1..TRN_NOISE_WARP_OCTAVE_MAX, each twice as fine and half as strong as the one before
    uint32_t warp_octaves;
} TrnNoiseDef;

/// One layer of a compiled noise.
typedef struct TrnNoiseLayer {
    int64_t step[3][3]; ///< [lattice axis][world axis]: lattice cells a voxel, in units of 2^-32
    uint64_t origin[3]; ///< where voxel 0, 0, 0 lies in the lattice, in the same units
    uint32_t seed;
    float weight;
} TrnNoiseLayer;

/// A compiled noise, in the caller's memory: plain data that owns nothing, needs no destroying and
/// may be copied. Its fields are not to be changed, and belong to the machine that compiled it:
/// save the def.
typedef struct TrnNoise {
    TrnNoiseLayer layers[TRN_NOISE_OCTAVE_MAX];
    TrnNoiseLayer warp_layers[TRN_NOISE_WARP_OCTAVE_MAX];
    float warp[3];
    uint32_t layer_count, warp_layer_count; ///< no warp: 0
    uint32_t dimensions;
    uint32_t kind;    ///< TrnNoiseKind
    uint32_t kernels; ///< which instruction set
} TrnNoise;

/// The voxels to look at: every 2^level-th along each axis, from `origin` on.
typedef struct TrnNoiseGrid {
    /// in the world, or TRN_NOISE_MARGIN beyond; the grid may reach farther, where the noise goes
    /// on
    TrnVoxel origin;
    uint32_t level; ///< 0..TRN_NOISE_LEVEL_MAX; 0 looks at every voxel
    /// how many along each axis, at least 1; size_y is 1 for a noise in the plane
    uint32_t size_x, size_y, size_z;
} TrnNoiseGrid;

/// What a noise of cells has to tell. Each array is [size_x * size_z * size_y], or NULL where it is
/// not wanted; caller owns.
typedef struct TrnNoiseCells {
    float *distance; ///< F1, as TRN_NOISE_CELL_DISTANCE
    float *border;   ///< F2 - F1, as TRN_NOISE_CELL_BORDER
    /// a number that is the same all over the nearest point's cell; two cells share one by chance,
    /// once in 2^32
    uint32_t *id;
} TrnNoiseCells;

/// A noise of 64 voxels' wavelength without warp; four octaves, each twice as fine and half as
/// strong; one octave for cells.
/// @param dimensions  2 or 3
TRN_API TrnNoiseDef trn_noise_def(TrnNoiseKind kind, uint32_t dimensions);

/// What is wrong with a def: one sentence that names the field and its range, or NULL where nothing
/// is. Static text; any thread.
TRN_API const char *trn_noise_def_fault(const TrnNoiseDef *def);

/// @param noise  receives the compiled noise
/// Errors: BAD_ARGUMENT (NULL, NaN or whatever else trn_noise_def_fault names). No allocation.
/// Cost: about 1 us.
TRN_API TrnResult trn_noise_compile(const TrnNoiseDef *def, TrnNoise *noise);

/// The noise at one voxel of the world, the same bits as in any grid. Any thread. Cost: about 25 ns
/// a layer in the plane, 30 in space; grids are many times cheaper a voxel.
/// @param noise  compiled; one that is all zero bytes is 0 everywhere
TRN_API float trn_noise_at(const TrnNoise *noise, TrnVoxel voxel);

/// The noise at every voxel of a grid.
/// @param out  [size_x * size_z * size_y] receives the values, x fastest, then z, then y, as voxels
///             lie in a chunk; caller owns
/// Errors: BAD_ARGUMENT (a noise that is not compiled, an origin too far outside the world, a level
/// or size out of range); `out` is then untouched. No allocation. Any thread. Cost, in space a
/// voxel and layer: 1.3 ns with AVX-512, 2.5 with AVX2, 5 with SSE2; coarser grids, whose
/// neighbours lie in different cells, up to half as much again. A call costs 1 us beside that.
TRN_API TrnResult trn_noise_fill(const TrnNoise *noise, const TrnNoiseGrid *grid, float *out);

/// The same, with every voxel looked up some way off: for noises that share one warp, or a warp of
/// your own. The noise's own warp is added.
/// @param warp  three arrays as `out`: by how many voxels along x, y and z; NULL for an axis
///              without. A noise looks at most 2,000 wavelengths away; what is more than that, or
///              NaN, it looks up there.
TRN_API TrnResult trn_noise_fill_warped(const TrnNoise *noise, const TrnNoiseGrid *grid,
                                        const float *const warp[3], float *out);

/// Distances, borders and ids of cells at every voxel of a grid, found together.
/// @param noise  of kind TRN_NOISE_CELL_DISTANCE or TRN_NOISE_CELL_BORDER
/// Errors: BAD_ARGUMENT as trn_noise_fill, and for another kind of noise. No allocation. Any
/// thread.
TRN_API TrnResult trn_noise_fill_cells(const TrnNoise *noise, const TrnNoiseGrid *grid,
                                       TrnNoiseCells out);

#ifdef __cplusplus
}
#endif
#endif

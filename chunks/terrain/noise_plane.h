/// Private: seeded gradient noise in the plane, exact over the whole world.
///
/// A voxel's place in a noise's lattice is a 64-bit fixed-point number with 24 fraction bits, got from the voxel's integer
/// coordinate by an integer multiplication. Its upper bits name the lattice cell, its lower 24 bits fit a float exactly; so the
/// noise is as fine 2^36 voxels from the origin as beside it. Everything after that is IEEE single precision additions and
/// multiplications in a fixed order, so every compiler and machine gets the same bits (as long as none of them are contracted).
///
/// Sources: K. Perlin, "Improving noise" (2002), for gradients on a lattice and the quintic fade; F. K. Musgrave in
/// "Texturing and modeling: a procedural approach" (1994), for fractal sums and the ridged multifractal.
#ifndef TERRANE_TERRAIN_NOISE_PLANE_H
#define TERRANE_TERRAIN_NOISE_PLANE_H

#include <stdint.h>

/// Fraction bits of a place in the lattice; a float holds as many exactly.
#define TRN_PLANE_NOISE_FRACTION_BITS 24

/// The most octaves of a fractal.
#define TRN_PLANE_NOISE_OCTAVE_MAX 6

/// One layer of noise. Values lie in [-1, 1], mostly within 0.6 of zero.
typedef struct TrnPlaneNoise {
    uint64_t seed;
    int64_t along, across; ///< lattice cells a voxel of x covers along the lattice's two axes
    int64_t u, v;          ///< where voxel 0,0 lies in the lattice
} TrnPlaneNoise;

/// Layers of noise, each about twice as fine as the one before and turned against it, so that no lattice shows.
typedef struct TrnPlaneNoiseFractal {
    TrnPlaneNoise octaves[TRN_PLANE_NOISE_OCTAVE_MAX];
    int count;
} TrnPlaneNoiseFractal;

/// A place to sample: a voxel, and by how many voxels it is displaced (domain warp), up to a few thousand.
typedef struct TrnPlaneNoisePlace {
    int64_t x, z;
    float warp_x, warp_z;
} TrnPlaneNoisePlace;

/// A noise whose features are about `wavelength` voxels apart, its lattice aligned with the world's axes.
/// @param stream      tells the noises of one seed apart
/// @param wavelength  2..65536
TrnPlaneNoise trn_plane_noise(uint64_t seed, uint32_t stream, int32_t wavelength);

/// A fractal of `octaves` layers, 1..TRN_PLANE_NOISE_OCTAVE_MAX.
/// @param wavelength  of the coarsest layer, 128..65536
TrnPlaneNoiseFractal trn_plane_noise_fractal(uint64_t seed, uint32_t stream, int32_t wavelength,
                                             int octaves);

/// The noise at a place, about 25 ns.
float trn_plane_noise_at(const TrnPlaneNoise *noise, TrnPlaneNoisePlace place);

/// The noise at `count` voxels x, x + 1, ... of a row, the same bits as trn_plane_noise_at without warp, about 1 ns each.
/// @param noise  with its lattice aligned, as trn_plane_noise makes it
/// @param out    [count] receives the values; caller owns
void trn_plane_noise_row(const TrnPlaneNoise *noise, int64_t x, int64_t z, int count, float *out);

/// The sum of a fractal's layers, each half as strong as the one before; in [-1, 1].
float trn_plane_noise_fractal_sum(const TrnPlaneNoiseFractal *fractal, TrnPlaneNoisePlace place);

/// Ridges where the layers cross zero, finer ones only where coarser ones already rise; in [0, 1].
float trn_plane_noise_fractal_ridged(const TrnPlaneNoiseFractal *fractal, TrnPlaneNoisePlace place);

#endif

/// Private: the shape of the land (continents, ranges, hills, rivers, climate) at points, from
/// their noises. Every set of kernels gives the same bits.
#ifndef TERRANE_TERRAIN_LAND_KERNELS_H
#define TERRANE_TERRAIN_LAND_KERNELS_H

#include "base/cpu.h"
#include "terrain/land_impl.h"

/// What a shape sets for all points.
typedef struct TrnLandSettings {
    TrnTerrainShape shape;
    float peaks;     ///< height of mountains
    float variation; ///< of temperature
    float border_noise;
} TrnLandSettings;

static inline TrnLandSettings trn_land_settings(const TrnTerrainShape *shape)
{
    return (TrnLandSettings){
        .shape = *shape,
        .peaks = trn_land_clamp(shape->mountains, 0.0f, 1.4f),
        // A warm world has no sea ice and a cold one no deserts: the farther the temperature
        // setting is from 0, the less temperature varies.
        .variation = 1.6f - 0.96f * trn_land_abs(shape->temperature),
        .border_noise = trn_land_border_noise(shape),
    };
}

/// Properties of a point that its height depends on.
typedef struct TrnLandTraits {
    float continent, inland, mountain, hilly;
    float temperature, moisture, dry, wet;
} TrnLandTraits;

/// @param noises  [TRN_LAND_LATTICE_COUNT][stride], of which it reads the i-th of each
static inline TrnLandTraits trn_land_traits(const TrnLandSettings *settings, const float *noises,
                                            size_t stride, size_t i)
{
    const TrnTerrainShape *shape = &settings->shape;
    TrnLandTraits traits;
    traits.continent = noises[TRN_LAND_CONTINENT * stride + i] * 1.7f + 0.14f + shape->land;
    traits.inland = trn_land_ramp(0.0f, 0.22f, traits.continent);
    const float range =
        noises[TRN_LAND_RANGE * stride + i] * 1.3f + (shape->mountains - 1.0f) * 0.25f;
    traits.mountain =
        trn_land_ramp(-0.06f, 0.3f, range) * trn_land_ramp(0.02f, 0.3f, traits.continent);
    traits.hilly = trn_land_ramp(-0.25f, 0.3f, noises[TRN_LAND_HILLINESS * stride + i] * 1.2f);
    traits.temperature = noises[TRN_LAND_TEMPERATURE * stride + i] * settings->variation +
                         shape->temperature + 0.05f;
    traits.moisture = noises[TRN_LAND_MOISTURE * stride + i] * 1.6f + shape->moisture;
    traits.dry = trn_land_ramp(0.0f, 0.2f, traits.temperature) *
                 trn_land_ramp(0.02f, -0.2f, traits.moisture);
    traits.wet = trn_land_ramp(0.16f, 0.3f, traits.moisture) *
                 trn_land_ramp(-0.1f, 0.05f, traits.temperature);
    return traits;
}

typedef struct TrnLandKernels {
    const char *name;

    /// Computes the fields of points from their noises, except slopes.
    void (*shape)(const TrnTerrainShape *shape, const TrnLandLattice *lattice);

    /// Interpolates a field to samples, where they are closer than lattice points.
    /// @param points  [wide][wide]
    void (*interpolate)(const float *points, uint32_t wide, const TrnLandSquare *square,
                        float *out);

    /// Interpolates rows of points along x to the samples of a chunk.
    /// @param points     [rows][TRN_LAND_POINTS]
    /// @param is_needed  [rows] whether a row is needed; NULL for all
    /// @param out        [rows][TRN_CHUNK_EDGE]
    void (*expand)(const float *points, size_t rows, const uint8_t *is_needed, float *out);

    /// Finds the least and the greatest value of rows of points.
    /// @param points      [rows][TRN_LAND_POINTS]
    /// @param least,most  [rows]
    void (*bound)(const float *points, size_t rows, float *least, float *most);

    /// Adds detail to the heights of samples; adds height and noise to their climate.
    void (*detail)(const TrnTerrainShape *shape, const TrnLandSquare *square);

    /// Chooses biomes and covers of samples, and the rock above caves. Boulders are raised before.
    void (*cover)(TrnLandGround *ground);
} TrnLandKernels;

/// All sets of kernels, of type TrnLandKernels, fastest first. They need the same instruction sets
/// as trn_slab_kernels, in the same order.
extern const TrnKernelTable trn_land_kernels;

#endif

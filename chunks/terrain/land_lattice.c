// Lattices: their noises, and the fields that depend on adjacent points.

#include <string.h>

#include "terrain/land_shape.h"
#include "terrain/noise_impl.h"
#include "terrain/rivers_impl.h"

/// Noises so smooth that coarse lattices sample them at every second point: interpolation moves the
/// ground by less than a fiftieth of a voxel of the level.
static const bool land_is_slow[TRN_LAND_LATTICE_COUNT] = {
    [TRN_LAND_TEMPERATURE] = true, [TRN_LAND_MOISTURE] = true, [TRN_LAND_STRATA] = true};

/// Greatest spacing of such points in voxels, times the world's scale.
#define LAND_SLOW_SPACING_MAX 64.0f

#define LAND_SLOW_POINTS_MAX (TRN_CHUNK_EDGE / 2 + 1)

/// Fills a noise from every second point of a lattice.
static void land_fill_slow_noise(const TrnNoise *noise, const TrnLandLattice *lattice, float *out)
{
    float sparse[LAND_SLOW_POINTS_MAX * LAND_SLOW_POINTS_MAX];
    const uint32_t points = lattice->points, wide = points / 2 + 1;
    const TrnNoiseGrid grid = {{lattice->x, 0, lattice->z}, lattice->level + 1, wide, 1, wide};
    (void)trn_noise_fill(noise, &grid, sparse);
    for (uint32_t z = 0; z < points; z++) {
        const float *near = sparse + (size_t)(z / 2) * wide;
        const float *far = sparse + (size_t)((z + 1) / 2) * wide;
        float between[LAND_SLOW_POINTS_MAX] = {0};
        for (uint32_t x = 0; x < wide; x++) {
            between[x] = (near[x] + far[x]) * 0.5f;
        }
        for (uint32_t x = 0; x < points; x++) {
            out[(size_t)z * points + x] = (between[x / 2] + between[(x + 1) / 2]) * 0.5f;
        }
    }
}

/// Noises that do not change the height before detail.
static const bool land_spares_height[TRN_LAND_LATTICE_COUNT] = {
    [TRN_LAND_CLIFF] = true, [TRN_LAND_ENTRANCE] = true, [TRN_LAND_STRATA] = true};

static void land_fill_noise(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                            uint32_t number)
{
    const TrnNoise *noise = &terrain->noises[number];
    float *out = lattice->noises[number];
    const TrnVoxel origin = {lattice->x, 0, lattice->z};
    if (lattice->places) {
        trn_noise_fill_points(noise, origin, lattice->places, lattice->count, out);
        return;
    }
    const float spacing = (float)((uint32_t)2 << lattice->level);
    if (lattice->is_coarse && land_is_slow[number] &&
        spacing <= LAND_SLOW_SPACING_MAX * terrain->shape.scale) {
        land_fill_slow_noise(noise, lattice, out);
        return;
    }
    const TrnNoiseGrid grid = {origin, lattice->level, lattice->points, 1, lattice->points};
    (void)trn_noise_fill(noise, &grid, out);
}

/// Fills a noise, or sets it to 0 where it counts nothing.
static void land_fill_if(const TrnTerrain *terrain, const TrnLandLattice *lattice, uint32_t number,
                         bool is_needed)
{
    if (is_needed) {
        land_fill_noise(terrain, lattice, number);
    } else {
        memset(lattice->noises[number], 0, lattice->count * sizeof(float));
    }
}

/// Which noises change some point of a lattice.
typedef struct LandNeeds {
    bool ridges, dunes;
} LandNeeds;

/// Finds the noises that count nothing. The traits of the extremes bound those of all points, since
/// they rise or fall with each noise, so leaving such a noise out changes nothing.
static LandNeeds land_needs(const TrnTerrain *terrain, const TrnLandLattice *lattice)
{
    const size_t count = lattice->count;
    float extremes[TRN_LAND_LATTICE_COUNT] = {0};
    extremes[TRN_LAND_CONTINENT] = trn_land_most(lattice->noises[TRN_LAND_CONTINENT], count);
    extremes[TRN_LAND_RANGE] = trn_land_most(lattice->noises[TRN_LAND_RANGE], count);
    extremes[TRN_LAND_TEMPERATURE] = trn_land_most(lattice->noises[TRN_LAND_TEMPERATURE], count);
    extremes[TRN_LAND_MOISTURE] = trn_land_least(lattice->noises[TRN_LAND_MOISTURE], count);
    const TrnLandSettings settings = trn_land_settings(&terrain->shape);
    const TrnLandTraits traits = trn_land_traits(&settings, extremes, 1, 0);
    return (LandNeeds){traits.mountain > 0.0f, traits.dry > 0.0f};
}

void trn_land_shape_lattice(const TrnTerrain *terrain, const TrnLandLattice *lattice)
{
    for (uint32_t i = 0; i < TRN_LAND_LATTICE_COUNT; i++) {
        if (i != TRN_LAND_RIDGE && i != TRN_LAND_DUNE) {
            land_fill_if(terrain, lattice, i, !lattice->places || !land_spares_height[i]);
        }
    }
    const LandNeeds needs = land_needs(terrain, lattice);
    land_fill_if(terrain, lattice, TRN_LAND_RIDGE, needs.ridges);
    land_fill_if(terrain, lattice, TRN_LAND_DUNE, needs.dunes);
    const TrnLandKernels *kernels =
        trn_kernels_at(&trn_land_kernels, trn_cpu_features(), terrain->kernels);
    kernels->shape(&terrain->shape, lattice);
    if (lattice->rivers) {
        trn_rivers_shape_lattice(lattice->rivers, lattice);
    }
}

/// Slopes from adjacent points. The last point of a row copies the one before.
static void land_slopes(const TrnLandLattice *lattice)
{
    const float *heights = lattice->fields[TRN_LAND_FIELD_HEIGHT];
    const size_t points = lattice->points;
    const float part = 1.0f / (float)((uint32_t)1 << lattice->level);
    for (size_t z = 0; z < points; z++) {
        for (size_t x = 0; x < points; x++) {
            const size_t from =
                (z + 1 < points ? z : z - 1) * points + (x + 1 < points ? x : x - 1);
            lattice->fields[TRN_LAND_FIELD_SLOPE][z * points + x] =
                trn_land_slope(heights[from], heights[from + 1], heights[from + points], part);
        }
    }
    memcpy(lattice->fields[TRN_LAND_FIELD_WIDE_SLOPE], lattice->fields[TRN_LAND_FIELD_SLOPE],
           lattice->count * sizeof(float));
}

void trn_land_limit_overhangs(const TrnLandLattice *lattice)
{
    const float *slopes = lattice->fields[TRN_LAND_FIELD_SLOPE];
    float *reaches = lattice->fields[TRN_LAND_FIELD_OVERHANG_REACH];
    for (size_t i = 0; i < lattice->count; i++) {
        reaches[i] *= trn_land_overhang_part(slopes[i]);
    }
}

void trn_land_fill_lattice(const TrnTerrain *terrain, const TrnLandLattice *lattice)
{
    trn_land_shape_lattice(terrain, lattice);
    land_slopes(lattice);
    if (!lattice->is_coarse) {
        trn_land_limit_overhangs(lattice);
    }
}

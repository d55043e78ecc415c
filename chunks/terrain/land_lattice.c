// The shape of the land (continents, ranges, hills, rivers, climate) at lattice points.

#include <string.h>

#include "terrain/land_impl.h"
#include "terrain/noise_impl.h"

/// Temperature below which the sea freezes, before noise.
#define LAND_FREEZING (-0.24f)

/// Height of the ground before hills and mountains: a cubic Hermite spline, flat around sea level
/// for beaches and shallows.
static float land_continent_height(float continent)
{
    static const struct {
        float at, height, slope;
    } knots[] = {
        {-0.60f, -62.0f, 0.0f}, {-0.28f, -36.0f, 90.0f}, {-0.06f, -7.0f, 90.0f},
        {0.00f, 0.5f, 50.0f},   {0.05f, 4.0f, 80.0f},    {0.22f, 17.0f, 60.0f},
        {0.60f, 32.0f, 0.0f},
    };
    const int last = (int)(sizeof knots / sizeof knots[0]) - 1;
    float at = trn_land_clamp(continent, knots[0].at, knots[last].at);
    int i = 0;
    for (int knot = 1; knot < last; knot++) { // without a branch that depends on `at`
        i += at > knots[knot].at;
    }
    float width = knots[i + 1].at - knots[i].at;
    float rise = knots[i + 1].height - knots[i].height;
    float t = (at - knots[i].at) / width;
    float bend_low = knots[i].slope * width - rise;
    float bend_high = rise - knots[i + 1].slope * width;
    return knots[i].height + t * rise + t * (1.0f - t) * (bend_low * (1.0f - t) + bend_high * t);
}

/// Cuts valleys, and river beds into their floors. Mountain valleys are higher, wider and dry.
/// @param river   distance from the river's centre line, in noise units; 0 on it
/// @param valley  receives 0 on the valley floor .. 1 outside the valley
static float land_carve_valley(float height, float river, float mountain, float hilly, float width,
                               float *valley)
{
    if (width <= 0.0f) {
        *valley = 1.0f;
        return height;
    }
    river = river / width;
    *valley = trn_land_ramp(0.03f, 0.22f + 0.22f * mountain, river);
    float ground = 3.2f + 64.0f * trn_land_ramp(0.25f, 0.9f, mountain);
    if (height > ground) {
        height = trn_land_lerp(ground, height, *valley);
    }
    const float bed = -4.0f;
    float wet = trn_land_ramp(14.0f, 5.0f, ground); // rivers end where their valley rises
    // wider in hills, narrow in plains
    float bank = (0.024f + 0.03f * hilly) * (0.2f + 0.8f * wet);
    float channel = trn_land_ramp(bank, bank * 0.33f, river) * wet;
    return height > bed ? trn_land_lerp(height, bed, channel) : height;
}

/// Compresses heights above 150 so that the highest peaks end near 250.
static float land_compress_peaks(float height)
{
    float above = height - 150.0f;
    return above > 0.0f ? 150.0f + above / (1.0f + above * (1.0f / 240.0f)) : height;
}

/// Properties of a lattice point that its height depends on.
typedef struct LandTraits {
    float continent, inland, mountain, hilly;
    float temperature, moisture, dry, wet;
} LandTraits;

static inline LandTraits land_traits(const TrnTerrainShape *shape, float *const *noises, size_t i)
{
    LandTraits traits;
    traits.continent = noises[TRN_LAND_CONTINENT][i] * 1.7f + 0.14f + shape->land;
    traits.inland = trn_land_ramp(0.0f, 0.22f, traits.continent);
    const float range = noises[TRN_LAND_RANGE][i] * 1.3f + (shape->mountains - 1.0f) * 0.25f;
    traits.mountain =
        trn_land_ramp(-0.06f, 0.3f, range) * trn_land_ramp(0.02f, 0.3f, traits.continent);
    traits.hilly = trn_land_ramp(-0.25f, 0.3f, noises[TRN_LAND_HILLINESS][i] * 1.2f);
    // A warm world has no sea ice and a cold one no deserts: the farther the temperature setting is
    // from 0, the less temperature varies.
    const float variation = 1.6f - 0.96f * trn_land_abs(shape->temperature);
    traits.temperature = noises[TRN_LAND_TEMPERATURE][i] * variation + shape->temperature + 0.05f;
    traits.moisture = noises[TRN_LAND_MOISTURE][i] * 1.6f + shape->moisture;
    traits.dry = trn_land_ramp(0.0f, 0.2f, traits.temperature) *
                 trn_land_ramp(0.02f, -0.2f, traits.moisture);
    traits.wet = trn_land_ramp(0.16f, 0.3f, traits.moisture) *
                 trn_land_ramp(-0.1f, 0.05f, traits.temperature);
    return traits;
}

/// Weight of the terraces: mesas in dry land, plus the shape's setting.
static float land_terracing(const TrnTerrainShape *shape, const LandTraits *traits, float terrace)
{
    const float mesa = (terrace * 1.4f - 0.28f) * 2.0f * shape->relief;
    float terraced = shape->terraces * 1.15f + trn_land_clamp(mesa, 0.0f, 1.0f);
    terraced =
        trn_land_clamp(terraced, 0.0f, 1.0f) * (0.25f + 0.75f * traits->dry + shape->terraces);
    return trn_land_clamp(terraced, 0.0f, 1.0f) * traits->inland;
}

/// Writes the climate fields and those that depend on a single noise.
static void land_shape_climate(const TrnTerrainShape *shape, const TrnLandLattice *lattice,
                               const LandTraits *traits, size_t i)
{
    float *const *noises = lattice->noises;
    lattice->fields[TRN_LAND_FIELD_TEMPERATURE][i] = traits->temperature;
    lattice->fields[TRN_LAND_FIELD_MOISTURE][i] = traits->moisture;
    // Noise of some hundred voxels gives coasts of ice with floes before them. The noise that makes
    // borders on land irregular would crumble them to dots.
    lattice->fields[TRN_LAND_FIELD_FROST][i] =
        LAND_FREEZING - traits->temperature +
        noises[TRN_LAND_HILL][i] * 0.1f * trn_land_border_noise(shape);
    lattice->fields[TRN_LAND_FIELD_ENTRANCE][i] =
        trn_land_ramp(0.05f, 0.13f, noises[TRN_LAND_ENTRANCE][i]);
    lattice->fields[TRN_LAND_FIELD_STRATA_SHIFT][i] = noises[TRN_LAND_STRATA][i] * 60.0f;
}

/// Computes the fields of one lattice point from its noises.
static void land_shape_point(const TrnTerrain *terrain, const TrnLandLattice *lattice, size_t i)
{
    const TrnTerrainShape *shape = &terrain->shape;
    float *const *noises = lattice->noises;
    const LandTraits traits = land_traits(shape, noises, i);
    const float inland = traits.inland, hilly = traits.hilly;

    float height = land_continent_height(traits.continent);
    const float hill = noises[TRN_LAND_HILL][i] * 1.4f;
    const float relief = shape->relief * (1.0f - 0.7f * traits.wet);
    height += (hill + 0.25f) * inland * (8.0f + 46.0f * hilly) * relief;
    height += traits.dry * inland * (1.0f - traits.mountain) * noises[TRN_LAND_DUNE][i] * 9.0f *
              shape->relief;
    const float mountain = traits.mountain * trn_land_clamp(shape->mountains, 0.0f, 1.4f);
    height += mountain * (20.0f + noises[TRN_LAND_RIDGE][i] * 200.0f);
    const float marsh = traits.wet * (1.0f - trn_land_clamp(mountain * 4.0f, 0.0f, 1.0f)) *
                        trn_land_ramp(44.0f, 12.0f, height);
    if (height > 0.0f) { // swamps are flat and close to sea level
        height = trn_land_lerp(height, 0.7f + hill * 3.0f, marsh);
    }
    const float terraced = land_terracing(shape, &traits, noises[TRN_LAND_TERRACE][i]);
    float valley;
    const float river = trn_land_abs(noises[TRN_LAND_RIVER][i] * 1.25f);
    // narrow gorges between terraces
    const float width = shape->rivers * (1.0f - 0.45f * terraced);
    height = land_compress_peaks(land_carve_valley(height, river, mountain, hilly, width, &valley));

    // greatest half way up a valley's sides: crags
    const float wall = valley * (1.0f - valley) * 4.0f;
    const float cliff = trn_land_ramp(-0.06f, 0.1f, noises[TRN_LAND_CLIFF][i]);
    const float reach =
        cliff * trn_land_ramp(8.0f, 36.0f, height) *
        (0.25f + 0.75f * trn_land_clamp(mountain * 1.6f + terraced + wall, 0.0f, 1.0f));
    lattice->fields[TRN_LAND_FIELD_HEIGHT][i] = height;
    lattice->fields[TRN_LAND_FIELD_DETAIL_AMPLITUDE][i] =
        (1.2f + inland * (1.6f + 2.4f * hilly) * valley) * (1.0f - 0.8f * marsh) *
        (0.3f + 0.7f * relief);
    lattice->fields[TRN_LAND_FIELD_CRAG_AMPLITUDE][i] =
        trn_land_ramp(35.0f, 110.0f, height) * 22.0f + mountain * wall * 9.0f;
    lattice->fields[TRN_LAND_FIELD_OVERHANG_REACH][i] = reach * 120.0f * shape->overhangs;
    lattice->fields[TRN_LAND_FIELD_TERRACED][i] = terraced * valley;
    land_shape_climate(shape, lattice, &traits, i);
}

/// Noises so smooth that far lattices sample them at every second point: interpolation moves the
/// ground by less than a fiftieth of a voxel of the level.
static const bool land_is_slow[TRN_LAND_LATTICE_COUNT] = {
    [TRN_LAND_TEMPERATURE] = true, [TRN_LAND_MOISTURE] = true, [TRN_LAND_STRATA] = true};

/// Greatest spacing of such points in voxels, times the world's scale.
#define LAND_SLOW_SPACING_MAX 64.0f

#define LAND_SLOW_POINTS_MAX (TRN_CHUNK_EDGE / 2 + 1)

/// Fills a noise from every second point of a lattice.
static void land_fill_slow_noise(const TrnNoise *noise, const TrnLandLattice *lattice, float *out)
{
    float coarse[LAND_SLOW_POINTS_MAX * LAND_SLOW_POINTS_MAX];
    const uint32_t points = lattice->points, wide = points / 2 + 1;
    const TrnNoiseGrid grid = {{lattice->x, 0, lattice->z}, lattice->level + 1, wide, 1, wide};
    (void)trn_noise_fill(noise, &grid, coarse);
    for (uint32_t z = 0; z < points; z++) {
        const float *near = coarse + (size_t)(z / 2) * wide;
        const float *far = coarse + (size_t)((z + 1) / 2) * wide;
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
        trn_noise_fill_points(noise, origin, lattice->places, lattice->points * lattice->points,
                              out);
        return;
    }
    const float spacing = (float)((uint32_t)2 << lattice->level);
    if (lattice->is_far && land_is_slow[number] &&
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
        const size_t count = (size_t)lattice->points * lattice->points;
        memset(lattice->noises[number], 0, count * sizeof(float));
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
    const size_t count = (size_t)lattice->points * lattice->points;
    float extremes[TRN_LAND_LATTICE_COUNT] = {0};
    float *noises[TRN_LAND_LATTICE_COUNT];
    for (uint32_t i = 0; i < TRN_LAND_LATTICE_COUNT; i++) {
        noises[i] = &extremes[i];
    }
    extremes[TRN_LAND_CONTINENT] = trn_land_most(lattice->noises[TRN_LAND_CONTINENT], count);
    extremes[TRN_LAND_RANGE] = trn_land_most(lattice->noises[TRN_LAND_RANGE], count);
    extremes[TRN_LAND_TEMPERATURE] = trn_land_most(lattice->noises[TRN_LAND_TEMPERATURE], count);
    extremes[TRN_LAND_MOISTURE] = trn_land_least(lattice->noises[TRN_LAND_MOISTURE], count);
    const LandTraits traits = land_traits(&terrain->shape, noises, 0);
    return (LandNeeds){traits.mountain > 0.0f, traits.dry > 0.0f};
}

void trn_land_shape_lattice(const TrnTerrain *terrain, const TrnLandLattice *lattice)
{
    const size_t count = (size_t)lattice->points * lattice->points;
    for (uint32_t i = 0; i < TRN_LAND_LATTICE_COUNT; i++) {
        if (i != TRN_LAND_RIDGE && i != TRN_LAND_DUNE) {
            land_fill_if(terrain, lattice, i, !lattice->places || !land_spares_height[i]);
        }
    }
    const LandNeeds needs = land_needs(terrain, lattice);
    land_fill_if(terrain, lattice, TRN_LAND_RIDGE, needs.ridges);
    land_fill_if(terrain, lattice, TRN_LAND_DUNE, needs.dunes);
    for (size_t i = 0; i < count; i++) {
        land_shape_point(terrain, lattice, i);
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
}

void trn_land_limit_overhangs(const TrnLandLattice *lattice)
{
    const float *slopes = lattice->fields[TRN_LAND_FIELD_SLOPE];
    float *reaches = lattice->fields[TRN_LAND_FIELD_OVERHANG_REACH];
    for (size_t i = 0; i < (size_t)lattice->points * lattice->points; i++) {
        reaches[i] *= trn_land_overhang_part(slopes[i]);
    }
}

void trn_land_fill_lattice(const TrnTerrain *terrain, const TrnLandLattice *lattice)
{
    trn_land_shape_lattice(terrain, lattice);
    land_slopes(lattice);
    if (!lattice->is_far) {
        trn_land_limit_overhangs(lattice);
    }
}

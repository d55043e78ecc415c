// The shape of the land (continents, ranges, hills, rivers, climate) at the points of a lattice.

#include "terrain/land_impl.h"

/// The sea freezes below, on average.
#define LAND_FREEZING (-0.24f)

/// The height of the ground before hills and mountains: a cubic Hermite spline that is flat around
/// the sea's level, so that there are beaches and shallows.
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
    while (i < last - 1 && at > knots[i + 1].at) {
        i++;
    }
    float width = knots[i + 1].at - knots[i].at;
    float rise = knots[i + 1].height - knots[i].height;
    float t = (at - knots[i].at) / width;
    float bend_low = knots[i].slope * width - rise;
    float bend_high = rise - knots[i + 1].slope * width;
    return knots[i].height + t * rise + t * (1.0f - t) * (bend_low * (1.0f - t) + bend_high * t);
}

/// Cuts valleys, and river beds in their floors. Valleys in the mountains are higher, wider and
/// dry.
/// @param river   0 in a river's middle
/// @param valley  receives 0 on a valley's floor .. 1 beyond its sides
static float land_carve(float height, float river, float mountain, float hilly, float width,
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
    float wet = trn_land_ramp(14.0f, 5.0f, ground); // a river ends where its valley rises
    float bank = (0.024f + 0.03f * hilly) * (0.2f + 0.8f * wet); // a brook in the plains
    float channel = trn_land_ramp(bank, bank * 0.33f, river) * wet;
    return height > bed ? trn_land_lerp(height, bed, channel) : height;
}

/// Bends what lies above 150 so that the highest peaks end near 250.
static float land_bend_peaks(float height)
{
    float above = height - 150.0f;
    return above > 0.0f ? 150.0f + above / (1.0f + above * (1.0f / 240.0f)) : height;
}

/// What a lattice point is like before its height is known.
typedef struct LandNature {
    float continent, inland, mountain, hilly;
    float temperature, moisture, dry, wet;
} LandNature;

static LandNature land_nature(const TrnTerrainShape *shape, float *const *noises, size_t i)
{
    LandNature nature;
    nature.continent = noises[TRN_LAND_CONTINENT][i] * 1.7f + 0.14f + shape->land;
    nature.inland = trn_land_ramp(0.0f, 0.22f, nature.continent);
    const float range = noises[TRN_LAND_RANGE][i] * 1.3f + (shape->mountains - 1.0f) * 0.25f;
    nature.mountain =
        trn_land_ramp(-0.06f, 0.3f, range) * trn_land_ramp(0.02f, 0.3f, nature.continent);
    nature.hilly = trn_land_ramp(-0.25f, 0.3f, noises[TRN_LAND_HILLINESS][i] * 1.2f);
    // A warm world has no ice in its sea and a cold one no deserts: places differ the less the
    // farther it is from the middle.
    const float differing = 1.6f - 0.96f * trn_land_abs(shape->temperature);
    nature.temperature = noises[TRN_LAND_TEMPERATURE][i] * differing + shape->temperature + 0.05f;
    nature.moisture = noises[TRN_LAND_MOISTURE][i] * 1.6f + shape->moisture;
    nature.dry = trn_land_ramp(0.0f, 0.2f, nature.temperature) *
                 trn_land_ramp(0.02f, -0.2f, nature.moisture);
    nature.wet = trn_land_ramp(0.16f, 0.3f, nature.moisture) *
                 trn_land_ramp(-0.1f, 0.05f, nature.temperature);
    return nature;
}

/// How much of the land goes in steps: mesas where it is dry, and what the shape asks for.
static float land_stepped(const TrnTerrainShape *shape, const LandNature *nature, float terrace)
{
    const float mesa = (terrace * 1.4f - 0.28f) * 2.0f * shape->relief;
    float stepped = shape->terraces * 1.15f + trn_land_clamp(mesa, 0.0f, 1.0f);
    stepped = trn_land_clamp(stepped, 0.0f, 1.0f) * (0.25f + 0.75f * nature->dry + shape->terraces);
    return trn_land_clamp(stepped, 0.0f, 1.0f) * nature->inland;
}

/// The climate's fields, and those that depend on one noise alone.
static void land_shape_climate(const TrnTerrainShape *shape, const TrnLandLattice *lattice,
                               const LandNature *nature, size_t i)
{
    float *const *noises = lattice->noises;
    lattice->fields[TRN_LAND_FIELD_TEMPERATURE][i] = nature->temperature;
    lattice->fields[TRN_LAND_FIELD_MOISTURE][i] = nature->moisture;
    // Coasts of ice and floes before them, some hundred voxels wide: what frays the borders on
    // land would crumble them to dots.
    lattice->fields[TRN_LAND_FIELD_FROST][i] =
        LAND_FREEZING - nature->temperature +
        noises[TRN_LAND_HILL][i] * 0.1f * trn_land_fray(shape);
    lattice->fields[TRN_LAND_FIELD_ENTRANCE][i] =
        trn_land_ramp(0.05f, 0.13f, noises[TRN_LAND_ENTRANCE][i]);
    lattice->fields[TRN_LAND_FIELD_BEND][i] = noises[TRN_LAND_STRATA][i] * 60.0f;
}

/// The fields of one lattice point from its noises.
static void land_shape(const TrnTerrain *terrain, const TrnLandLattice *lattice, size_t i)
{
    const TrnTerrainShape *shape = &terrain->shape;
    float *const *noises = lattice->noises;
    const LandNature nature = land_nature(shape, noises, i);
    const float inland = nature.inland, hilly = nature.hilly;

    float height = land_continent_height(nature.continent);
    const float hill = noises[TRN_LAND_HILL][i] * 1.4f;
    const float relief = shape->relief * (1.0f - 0.7f * nature.wet);
    height += (hill + 0.25f) * inland * (8.0f + 46.0f * hilly) * relief;
    height += nature.dry * inland * (1.0f - nature.mountain) * noises[TRN_LAND_DUNE][i] * 9.0f *
              shape->relief;
    const float mountain = nature.mountain * trn_land_clamp(shape->mountains, 0.0f, 1.4f);
    height += mountain * (20.0f + noises[TRN_LAND_RIDGE][i] * 200.0f);
    const float marsh = nature.wet * (1.0f - trn_land_clamp(mountain * 4.0f, 0.0f, 1.0f)) *
                        trn_land_ramp(44.0f, 12.0f, height);
    if (height > 0.0f) { // a swamp lies flat, a little above the sea and a little below
        height = trn_land_lerp(height, 0.7f + hill * 3.0f, marsh);
    }
    const float stepped = land_stepped(shape, &nature, noises[TRN_LAND_TERRACE][i]);
    float valley;
    const float river = trn_land_abs(noises[TRN_LAND_RIVER][i] * 1.25f);
    const float width = shape->rivers * (1.0f - 0.45f * stepped); // gorges
    height = land_bend_peaks(land_carve(height, river, mountain, hilly, width, &valley));

    const float wall = valley * (1.0f - valley) * 4.0f; // crags on the sides of valleys
    const float cliff = trn_land_ramp(-0.06f, 0.1f, noises[TRN_LAND_CLIFF][i]);
    const float reach =
        cliff * trn_land_ramp(8.0f, 36.0f, height) *
        (0.25f + 0.75f * trn_land_clamp(mountain * 1.6f + stepped + wall, 0.0f, 1.0f));
    lattice->fields[TRN_LAND_FIELD_HEIGHT][i] = height;
    lattice->fields[TRN_LAND_FIELD_SOFT][i] = (1.2f + inland * (1.6f + 2.4f * hilly) * valley) *
                                              (1.0f - 0.8f * marsh) * (0.3f + 0.7f * relief);
    lattice->fields[TRN_LAND_FIELD_ROCKY][i] =
        trn_land_ramp(35.0f, 110.0f, height) * 22.0f + mountain * wall * 9.0f;
    lattice->fields[TRN_LAND_FIELD_REACH][i] = reach * 120.0f * shape->overhangs;
    lattice->fields[TRN_LAND_FIELD_STEPPED][i] = stepped * valley;
    land_shape_climate(shape, lattice, &nature, i);
}

static void land_shape_all(const TrnTerrain *terrain, const TrnLandLattice *lattice)
{
    const TrnNoiseGrid grid = {
        {lattice->x, 0, lattice->z}, lattice->level, lattice->points, 1, lattice->points};
    for (uint32_t i = 0; i < TRN_LAND_LATTICE_COUNT; i++) {
        (void)trn_noise_fill(&terrain->noises[i], &grid, lattice->noises[i]);
    }
    const size_t count = (size_t)lattice->points * lattice->points;
    for (size_t i = 0; i < count; i++) {
        land_shape(terrain, lattice, i);
    }
}

/// The gradient's length, up to 8 % too much, without a root.
static float land_slope(float here, float beside, float behind)
{
    float rise_x = trn_land_abs(beside - here) * (1.0f / TRN_LAND_STEP);
    float rise_z = trn_land_abs(behind - here) * (1.0f / TRN_LAND_STEP);
    return rise_x > rise_z ? rise_x + rise_z * 0.4f : rise_z + rise_x * 0.4f;
}

/// Slopes between neighbouring points of the finest lattice; the last point of a row has that of
/// the one before.
static void land_slopes_near(const TrnLandLattice *lattice)
{
    const float *heights = lattice->fields[TRN_LAND_FIELD_HEIGHT];
    const size_t points = lattice->points;
    for (size_t z = 0; z < points; z++) {
        for (size_t x = 0; x < points; x++) {
            const size_t from =
                (z + 1 < points ? z : z - 1) * points + (x + 1 < points ? x : x - 1);
            lattice->fields[TRN_LAND_FIELD_SLOPE][z * points + x] =
                land_slope(heights[from], heights[from + 1], heights[from + points]);
        }
    }
}

/// The same where points are farther apart: the land is looked at again four voxels on. The shape
/// of the points themselves is made last, over what was there.
static void land_slopes_far(const TrnTerrain *terrain, const TrnLandLattice *lattice)
{
    const size_t count = (size_t)lattice->points * lattice->points;
    float *const beside = lattice->fields[TRN_LAND_FIELD_SLOPE], *const behind = beside + count;
    float *const heights = lattice->fields[TRN_LAND_FIELD_HEIGHT];
    TrnLandLattice moved = *lattice;
    moved.x += TRN_LAND_STEP;
    land_shape_all(terrain, &moved);
    for (size_t i = 0; i < count; i++) {
        beside[i] = heights[i];
    }
    moved.x -= TRN_LAND_STEP;
    moved.z += TRN_LAND_STEP;
    land_shape_all(terrain, &moved);
    for (size_t i = 0; i < count; i++) {
        behind[i] = heights[i];
    }
    land_shape_all(terrain, lattice);
    for (size_t i = 0; i < count; i++) {
        beside[i] = land_slope(heights[i], beside[i], behind[i]);
    }
}

/// Nothing overhangs but steep land: where it is flat, what hollows it would leave rocks in the
/// air.
static void land_hold_overhangs(const TrnLandLattice *lattice)
{
    const float *slopes = lattice->fields[TRN_LAND_FIELD_SLOPE];
    float *reaches = lattice->fields[TRN_LAND_FIELD_REACH];
    for (size_t i = 0; i < (size_t)lattice->points * lattice->points; i++) {
        reaches[i] *= trn_land_ramp(0.3f, 1.0f, slopes[i]);
    }
}

void trn_land_fill_lattice(const TrnTerrain *terrain, const TrnLandLattice *lattice)
{
    if (lattice->level > TRN_LAND_SHIFT) {
        land_slopes_far(terrain, lattice);
    } else {
        land_shape_all(terrain, lattice);
        land_slopes_near(lattice);
    }
    land_hold_overhangs(lattice);
}

// Columns: the land as a plane sees it. Its shape (continents, ranges, hills, rivers), whose
// features are a hundred voxels wide and more, is sampled on a lattice of every fourth voxel and
// interpolated. Its detail is noise on every voxel.

#include <string.h>

#include "base/memory.h"
#include "terrain/terrain_impl.h"

/// What is interpolated between lattice points.
enum {
    LAND_FIELD_HEIGHT, ///< before detail
    LAND_FIELD_SOFT,   ///< how far rounded detail reaches, in voxels
    LAND_FIELD_ROCKY,  ///< how far ridged detail reaches
    LAND_FIELD_REACH,  ///< how deep overhangs reach below the height, at a noise of 1
    LAND_FIELD_TEMPERATURE,
    LAND_FIELD_MOISTURE,
    LAND_FIELD_ENTRANCE, ///< 0..1
    LAND_FIELD_BEND,
    LAND_FIELD_STEPPED, ///< 0..1: how much of the height goes in steps
    LAND_FIELD_FROST,   ///< the sea freezes where it is positive
    LAND_FIELD_SLOPE, ///< rise per voxel; the last, since land_slopes_far uses what lies behind it
    LAND_FIELD_COUNT
};

/// A square of lattice points.
typedef struct LandLattice {
    int64_t x, z;   ///< voxel of the first point
    uint32_t level; ///< points are 2^level voxels apart
    uint32_t points;
    float *noises[TRN_LAND_LATTICE_COUNT]; ///< [points][points]
    float *fields[LAND_FIELD_COUNT];
} LandLattice;

/// A square of voxels of a lattice: every 2^level-th.
typedef struct LandSquare {
    int32_t first; ///< samples from the lattice's first point to the first voxel
    uint32_t edge;
    uint32_t level;
    uint32_t shift; ///< samples to a lattice cell: 2^shift
    float *details[TRN_LAND_PLANE_COUNT - TRN_LAND_LATTICE_COUNT]; ///< [edge][edge]
    float *fields[LAND_FIELD_COUNT];
} LandSquare;

#define LAND_DETAIL_COUNT (TRN_LAND_PLANE_COUNT - TRN_LAND_LATTICE_COUNT)
#define LAND_ARRAYS_LATTICE (TRN_LAND_LATTICE_COUNT + LAND_FIELD_COUNT)
#define LAND_ARRAYS_SQUARE (LAND_DETAIL_COUNT + LAND_FIELD_COUNT)

/// The sea freezes below, on average.
#define LAND_FREEZING (-0.24f)

/// At level 0 columns look at what surrounds them, since trees reach over.
#define LAND_SQUARE_EDGE (TRN_CHUNK_EDGE + 2 * TRN_TREE_REACH)
#define LAND_LATTICE_POINTS (LAND_SQUARE_EDGE / TRN_LAND_STEP + 2)

const TrnCoverBlocks trn_cover_blocks[TRN_COVER_COUNT] = {
    [TRN_COVER_STONE] = {TRN_BLOCK_STONE, TRN_BLOCK_STONE, 0},
    [TRN_COVER_GRASS] = {TRN_BLOCK_GRASS, TRN_BLOCK_DIRT, 4},
    [TRN_COVER_FOREST] = {TRN_BLOCK_FOREST_FLOOR, TRN_BLOCK_DIRT, 4},
    [TRN_COVER_DRY_GRASS] = {TRN_BLOCK_DRY_GRASS, TRN_BLOCK_DIRT, 3},
    [TRN_COVER_MOSS] = {TRN_BLOCK_MOSS, TRN_BLOCK_DIRT, 3},
    [TRN_COVER_MUD] = {TRN_BLOCK_MUD, TRN_BLOCK_MUD, 3},
    [TRN_COVER_DIRT] = {TRN_BLOCK_DIRT, TRN_BLOCK_DIRT, 3},
    [TRN_COVER_SAND] = {TRN_BLOCK_SAND, TRN_BLOCK_SAND, 4},
    [TRN_COVER_SANDSTONE] = {TRN_BLOCK_SANDSTONE, TRN_BLOCK_SANDSTONE, 4},
    [TRN_COVER_GRAVEL] = {TRN_BLOCK_GRAVEL, TRN_BLOCK_GRAVEL, 3},
    [TRN_COVER_SNOW] = {TRN_BLOCK_SNOW, TRN_BLOCK_DIRT, 3},
    [TRN_COVER_WOODS + TRN_TREE_OAK] = {TRN_BLOCK_OAK_LEAVES, TRN_BLOCK_DIRT, 4},
    [TRN_COVER_WOODS + TRN_TREE_PINE] = {TRN_BLOCK_PINE_LEAVES, TRN_BLOCK_DIRT, 4},
    [TRN_COVER_WOODS + TRN_TREE_ACACIA] = {TRN_BLOCK_ACACIA_LEAVES, TRN_BLOCK_DIRT, 3},
    [TRN_COVER_WOODS + TRN_TREE_CACTUS] = {TRN_BLOCK_CACTUS, TRN_BLOCK_SAND, 4},
};

// ---- noises -------------------------------------------------------------------------------------

/// How a noise grows with the world's scale.
typedef enum LandScaling {
    LAND_SCALES_NOT,
    LAND_SCALES,
    /// Half as much as the world where that is small, and never beyond its own size: ridges wider than a small island's mountains
    /// would make smooth bells of them.
    LAND_SCALES_DOWN
} LandScaling;

/// How a noise of the land is made.
typedef struct LandNoiseDef {
    TrnNoiseKind kind;
    float wavelength, wavelength_y; ///< voxels at a scale of 1
    uint32_t octaves;
    float gain;
    float warp; ///< voxels
    LandScaling scaling;
} LandNoiseDef;

static const LandNoiseDef land_noise_defs[TRN_LAND_NOISE_COUNT] = {
    [TRN_LAND_CONTINENT] = {TRN_NOISE_FRACTAL, 1700, 0, 6, 0.5f, 170, LAND_SCALES},
    [TRN_LAND_RANGE] = {TRN_NOISE_FRACTAL, 1500, 0, 3, 0.4f, 200, LAND_SCALES},
    [TRN_LAND_RIDGE] = {TRN_NOISE_RIDGED, 460, 0, 5, 0.5f, 60, LAND_SCALES_DOWN},
    [TRN_LAND_HILLINESS] = {TRN_NOISE_FRACTAL, 800, 0, 1, 0.5f, 0, LAND_SCALES},
    [TRN_LAND_HILL] = {TRN_NOISE_FRACTAL, 220, 0, 3, 0.5f, 30, LAND_SCALES_NOT},
    [TRN_LAND_RIVER] = {TRN_NOISE_FRACTAL, 1000, 0, 3, 0.4f, 120, LAND_SCALES},
    [TRN_LAND_TEMPERATURE] = {TRN_NOISE_FRACTAL, 4200, 0, 3, 0.4f, 200, LAND_SCALES},
    [TRN_LAND_MOISTURE] = {TRN_NOISE_FRACTAL, 2600, 0, 3, 0.4f, 200, LAND_SCALES},
    [TRN_LAND_CLIFF] = {TRN_NOISE_FRACTAL, 420, 0, 2, 0.5f, 0, LAND_SCALES_NOT},
    [TRN_LAND_ENTRANCE] = {TRN_NOISE_FRACTAL, 130, 0, 2, 0.5f, 0, LAND_SCALES_NOT},
    [TRN_LAND_DUNE] = {TRN_NOISE_RIDGED, 70, 0, 2, 0.4f, 30, LAND_SCALES_NOT},
    [TRN_LAND_TERRACE] = {TRN_NOISE_FRACTAL, 900, 0, 2, 0.5f, 0, LAND_SCALES},
    [TRN_LAND_STRATA] = {TRN_NOISE_FRACTAL, 340, 0, 3, 0.5f, 0, LAND_SCALES_NOT},
    [TRN_LAND_DETAIL] = {TRN_NOISE_FRACTAL, 60, 0, 3, 0.5f, 0, LAND_SCALES_NOT},
    [TRN_LAND_CRAG] = {TRN_NOISE_RIDGED, 72, 0, 4, 0.55f, 0, LAND_SCALES_NOT},
    [TRN_LAND_PATCH] = {TRN_NOISE_FRACTAL, 40, 0, 3, 0.6f, 0, LAND_SCALES_NOT},
    [TRN_LAND_OVERHANG] = {TRN_NOISE_FRACTAL, 72, 36, 2, 0.4f, 0, LAND_SCALES_NOT},
    [TRN_LAND_TUNNEL_A] = {TRN_NOISE_FRACTAL, 96, 64, 2, 0.35f, 0, LAND_SCALES_NOT},
    [TRN_LAND_TUNNEL_B] = {TRN_NOISE_FRACTAL, 96, 64, 2, 0.35f, 0, LAND_SCALES_NOT},
    [TRN_LAND_CAVERN] = {TRN_NOISE_FRACTAL, 120, 64, 3, 0.45f, 0, LAND_SCALES_NOT},
};

static float land_scale(LandScaling scaling, float scale)
{
    const float down = scale < 1.0f ? 0.5f + 0.5f * scale : 1.0f;
    return scaling == LAND_SCALES ? scale : scaling == LAND_SCALES_DOWN ? down : 1.0f;
}

static TrnNoiseDef land_noise_def(const TrnTerrain *terrain, uint32_t number)
{
    const LandNoiseDef *from = &land_noise_defs[number];
    const bool in_space = number >= TRN_LAND_PLANE_COUNT;
    const float scale = land_scale(from->scaling, terrain->shape.scale);
    TrnNoiseDef def = trn_noise_def(from->kind, in_space ? 3 : 2);
    def.seed = terrain->seed;
    def.stream = number;
    def.octaves = from->octaves;
    def.gain = from->gain;
    for (int axis = 0; axis < 3; axis++) {
        def.wavelength[axis] = from->wavelength * scale;
        def.warp[axis] = from->warp * scale;
        def.warp_wavelength[axis] = from->wavelength * scale * 0.4f;
    }
    def.wavelength[1] = in_space ? from->wavelength_y : def.wavelength[1];
    def.warp_octaves = 2;
    return def;
}

/// Layers of rock: stone and, between, others, 5 to 24 voxels thick.
static void land_make_strata(TrnTerrain *terrain)
{
    static const TrnBlock rocks[] = {TRN_BLOCK_STONE, TRN_BLOCK_LIMESTONE, TRN_BLOCK_STONE,
                                     TRN_BLOCK_SLATE, TRN_BLOCK_STONE,     TRN_BLOCK_GRANITE};
    uint32_t y = 0;
    for (uint32_t layer = 0; y < TRN_STRATA_PERIOD; layer++) {
        const uint64_t hash = trn_land_hash(terrain->seed, layer, 77, 0);
        const uint32_t thickness = 5 + (uint32_t)(hash % 10) + (layer % 2 ? 0 : 10);
        for (uint32_t i = 0; i < thickness && y < TRN_STRATA_PERIOD; i++) {
            terrain->strata[y++] = rocks[layer % (sizeof rocks / sizeof rocks[0])];
        }
    }
}

TrnResult trn_land_create(TrnTerrain *terrain)
{
    for (uint32_t i = 0; i < TRN_LAND_NOISE_COUNT; i++) {
        const TrnNoiseDef def = land_noise_def(terrain, i);
        const TrnResult result = trn_noise_compile(&def, &terrain->noises[i]);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    land_make_strata(terrain);
    return TRN_RESULT_OK;
}

// ---- shape --------------------------------------------------------------------------------------

/// The height of the ground before hills and mountains: a cubic Hermite spline that is flat around the sea's level, so that
/// there are beaches and shallows.
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

/// Steps of 22 voxels with steep edges. Made of voxels, not of the lattice's points, between which edges would look like saws.
/// @param slope  the land's; receives that of the steps
static float land_step(float height, float stepped, float *slope)
{
    const float tread = 22.0f, low = 0.62f, high = 0.9f;
    const float steps = height / tread;
    const float whole = (float)trn_land_floor(steps);
    const float t = trn_land_clamp((steps - whole - low) / (high - low), 0.0f, 1.0f);
    const float steeper = 6.0f * t * (1.0f - t) / (high - low); // the ramp's derivative
    *slope *= trn_land_lerp(1.0f, steeper, stepped);
    return trn_land_lerp(height, (whole + t * t * (3.0f - 2.0f * t)) * tread, stepped);
}

/// Cuts valleys, and river beds in their floors. Valleys in the mountains are higher, wider and dry.
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

/// By how much noises of a fixed size fray the climate's borders: where the climate changes more slowly, less of them does as much.
static float land_fray(const TrnTerrainShape *shape)
{
    return shape->scale > 1.0f ? 1.0f / shape->scale : 1.0f;
}

/// The climate's fields, and those that depend on one noise alone.
static void land_shape_climate(const TrnTerrainShape *shape, const LandLattice *lattice,
                               const LandNature *nature, size_t i)
{
    float *const *noises = lattice->noises;
    lattice->fields[LAND_FIELD_TEMPERATURE][i] = nature->temperature;
    lattice->fields[LAND_FIELD_MOISTURE][i] = nature->moisture;
    // Coasts of ice and floes before them, some hundred voxels wide: what frays the borders on
    // land would crumble them to dots.
    lattice->fields[LAND_FIELD_FROST][i] =
        LAND_FREEZING - nature->temperature + noises[TRN_LAND_HILL][i] * 0.1f * land_fray(shape);
    lattice->fields[LAND_FIELD_ENTRANCE][i] =
        trn_land_ramp(0.05f, 0.13f, noises[TRN_LAND_ENTRANCE][i]);
    lattice->fields[LAND_FIELD_BEND][i] = noises[TRN_LAND_STRATA][i] * 60.0f;
}

/// The fields of one lattice point from its noises.
static void land_shape(const TrnTerrain *terrain, const LandLattice *lattice, size_t i)
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
    lattice->fields[LAND_FIELD_HEIGHT][i] = height;
    lattice->fields[LAND_FIELD_SOFT][i] = (1.2f + inland * (1.6f + 2.4f * hilly) * valley) *
                                          (1.0f - 0.8f * marsh) * (0.3f + 0.7f * relief);
    lattice->fields[LAND_FIELD_ROCKY][i] =
        trn_land_ramp(35.0f, 110.0f, height) * 22.0f + mountain * wall * 9.0f;
    lattice->fields[LAND_FIELD_REACH][i] = reach * 120.0f * shape->overhangs;
    lattice->fields[LAND_FIELD_STEPPED][i] = stepped * valley;
    land_shape_climate(shape, lattice, &nature, i);
}

static void land_fill_lattice(const TrnTerrain *terrain, const LandLattice *lattice)
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

/// Slopes between neighbouring points of the finest lattice; the last point of a row has that of the one before.
static void land_slopes_near(const LandLattice *lattice)
{
    const float *heights = lattice->fields[LAND_FIELD_HEIGHT];
    const size_t points = lattice->points;
    for (size_t z = 0; z < points; z++) {
        for (size_t x = 0; x < points; x++) {
            const size_t from =
                (z + 1 < points ? z : z - 1) * points + (x + 1 < points ? x : x - 1);
            lattice->fields[LAND_FIELD_SLOPE][z * points + x] =
                land_slope(heights[from], heights[from + 1], heights[from + points]);
        }
    }
}

/// The same where points are farther apart: the land is looked at again four voxels on. The shape of the points themselves is
/// made last, over what was there.
static void land_slopes_far(const TrnTerrain *terrain, const LandLattice *lattice)
{
    const size_t count = (size_t)lattice->points * lattice->points;
    float *const beside = lattice->fields[LAND_FIELD_SLOPE], *const behind = beside + count;
    float *const heights = lattice->fields[LAND_FIELD_HEIGHT];
    LandLattice moved = *lattice;
    moved.x += TRN_LAND_STEP;
    land_fill_lattice(terrain, &moved);
    for (size_t i = 0; i < count; i++) {
        beside[i] = heights[i];
    }
    moved.x -= TRN_LAND_STEP;
    moved.z += TRN_LAND_STEP;
    land_fill_lattice(terrain, &moved);
    for (size_t i = 0; i < count; i++) {
        behind[i] = heights[i];
    }
    land_fill_lattice(terrain, lattice);
    for (size_t i = 0; i < count; i++) {
        beside[i] = land_slope(heights[i], beside[i], behind[i]);
    }
}

/// Nothing overhangs but steep land: where it is flat, what hollows it would leave rocks in the air.
static void land_hold_overhangs(const LandLattice *lattice)
{
    const float *slopes = lattice->fields[LAND_FIELD_SLOPE];
    float *reaches = lattice->fields[LAND_FIELD_REACH];
    for (size_t i = 0; i < (size_t)lattice->points * lattice->points; i++) {
        reaches[i] *= trn_land_ramp(0.3f, 1.0f, slopes[i]);
    }
}

// ---- from lattice to voxels ---------------------------------------------------------------------

/// Interpolates one row of a field along x.
static void land_expand_row(const float *near, const float *far, float weight_z,
                            const LandSquare *square, float *out)
{
    const uint32_t mask = (1u << square->shift) - 1;
    const float part = 1.0f / (float)(1u << square->shift);
    for (uint32_t i = 0; i < square->edge; i++) {
        const uint32_t at = (uint32_t)square->first + i;
        const size_t point = at >> square->shift;
        const float left = trn_land_lerp(near[point], far[point], weight_z);
        const float right = trn_land_lerp(near[point + 1], far[point + 1], weight_z);
        out[i] = trn_land_lerp(left, right, (float)(at & mask) * part);
    }
}

static void land_expand(const LandLattice *lattice, const LandSquare *square)
{
    const uint32_t mask = (1u << square->shift) - 1;
    const float part = 1.0f / (float)(1u << square->shift);
    for (uint32_t z = 0; z < square->edge; z++) {
        const uint32_t at = (uint32_t)square->first + z;
        const size_t row = (size_t)(at >> square->shift) * lattice->points;
        for (int field = 0; field < LAND_FIELD_COUNT; field++) {
            const float *near = lattice->fields[field] + row;
            land_expand_row(near, near + lattice->points, (float)(at & mask) * part, square,
                            square->fields[field] + (size_t)z * square->edge);
        }
    }
}

static void land_fill_details(const TrnTerrain *terrain, const LandLattice *lattice,
                              const LandSquare *square)
{
    const int64_t moved = (int64_t)square->first << square->level;
    const TrnNoiseGrid grid = {
        {lattice->x + moved, 0, lattice->z + moved}, square->level, square->edge, 1, square->edge};
    for (uint32_t i = 0; i < LAND_DETAIL_COUNT; i++) {
        (void)trn_noise_fill(&terrain->noises[TRN_LAND_LATTICE_COUNT + i], &grid,
                             square->details[i]);
    }
}

/// Adds detail to the heights, and height and patchiness to the climate.
static void land_detail(const TrnTerrain *terrain, const LandSquare *square)
{
    const float fray = 0.12f * land_fray(&terrain->shape);
    float *const *fields = square->fields;
    const float *detail = square->details[TRN_LAND_DETAIL - TRN_LAND_LATTICE_COUNT];
    const float *crag = square->details[TRN_LAND_CRAG - TRN_LAND_LATTICE_COUNT];
    const float *patch = square->details[TRN_LAND_PATCH - TRN_LAND_LATTICE_COUNT];
    const size_t count = (size_t)square->edge * square->edge;
    for (size_t i = 0; i < count; i++) {
        float height = fields[LAND_FIELD_HEIGHT][i];
        if (fields[LAND_FIELD_STEPPED][i] > 0.0f) {
            height = land_step(height, fields[LAND_FIELD_STEPPED][i], &fields[LAND_FIELD_SLOPE][i]);
        }
        height += detail[i] * 1.5f * fields[LAND_FIELD_SOFT][i] +
                  (crag[i] - 0.35f) * fields[LAND_FIELD_ROCKY][i];
        // Overhangs may reach above; trees too.
        height = trn_land_clamp(height, -100.0f, 255.0f);
        const float above = height > 30.0f ? height - 30.0f : 0.0f;
        fields[LAND_FIELD_HEIGHT][i] = height;
        fields[LAND_FIELD_TEMPERATURE][i] += patch[i] * fray - above * 0.0035f;
        fields[LAND_FIELD_MOISTURE][i] += patch[i] * fray;
    }
}

// ---- covers -------------------------------------------------------------------------------------

/// What a column of voxels looks like from above.
typedef struct LandSight {
    float height, slope, patch, temperature, moisture, reach, entrance;
} LandSight;

static LandSight land_sight(const LandSquare *square, size_t i)
{
    const LandSight sight = {square->fields[LAND_FIELD_HEIGHT][i],
                             square->fields[LAND_FIELD_SLOPE][i],
                             square->details[TRN_LAND_PATCH - TRN_LAND_LATTICE_COUNT][i],
                             square->fields[LAND_FIELD_TEMPERATURE][i],
                             square->fields[LAND_FIELD_MOISTURE][i],
                             square->fields[LAND_FIELD_REACH][i],
                             square->fields[LAND_FIELD_ENTRANCE][i]};
    return sight;
}

static TrnTerrainBiome land_biome(const LandSight *sight)
{
    if (sight->height < TRN_TERRAIN_SEA_LEVEL) {
        return TRN_TERRAIN_BIOME_SEA;
    }
    if (sight->temperature < -0.3f) {
        return TRN_TERRAIN_BIOME_SNOW;
    }
    if (sight->temperature < -0.17f) {
        return TRN_TERRAIN_BIOME_TUNDRA;
    }
    if (sight->temperature > 0.17f && sight->moisture < -0.08f) { // between it and grass: savanna
        return TRN_TERRAIN_BIOME_DESERT;
    }
    if (sight->moisture > 0.22f && sight->temperature > -0.05f && sight->height < 5.0f) {
        return TRN_TERRAIN_BIOME_SWAMP;
    }
    if (sight->temperature > 0.1f && sight->moisture < 0.08f) {
        return TRN_TERRAIN_BIOME_SAVANNA;
    }
    return sight->moisture > 0.07f ? TRN_TERRAIN_BIOME_FOREST : TRN_TERRAIN_BIOME_GRASSLAND;
}

/// What lies beneath the water and at its edge.
static TrnCover land_cover_sea_bed(const LandSight *sight)
{
    if (sight->slope > 1.3f) {
        return TRN_COVER_STONE;
    }
    if (sight->moisture > 0.22f && sight->height > -3.0f) {
        return TRN_COVER_MUD;
    }
    if (sight->height + 9.0f > sight->patch * 6.0f) {
        return TRN_COVER_SAND;
    }
    return sight->patch > 0.1f ? TRN_COVER_GRAVEL : TRN_COVER_DIRT;
}

static TrnCover land_cover_of_biome(const LandSight *sight, TrnTerrainBiome biome)
{
    static const TrnCover covers[TRN_TERRAIN_BIOME_COUNT] = {
        [TRN_TERRAIN_BIOME_SEA] = TRN_COVER_SAND,
        [TRN_TERRAIN_BIOME_GRASSLAND] = TRN_COVER_GRASS,
        [TRN_TERRAIN_BIOME_FOREST] = TRN_COVER_FOREST,
        [TRN_TERRAIN_BIOME_DESERT] = TRN_COVER_SAND,
        [TRN_TERRAIN_BIOME_SAVANNA] = TRN_COVER_DRY_GRASS,
        [TRN_TERRAIN_BIOME_TUNDRA] = TRN_COVER_MOSS,
        [TRN_TERRAIN_BIOME_SNOW] = TRN_COVER_SNOW,
        [TRN_TERRAIN_BIOME_SWAMP] = TRN_COVER_MUD,
    };
    if (biome == TRN_TERRAIN_BIOME_SWAMP && sight->patch > 0.02f) {
        return TRN_COVER_FOREST;
    }
    return covers[biome];
}

/// What lies on top: sand on shores, snow where it is cold, stone where it is steep.
static TrnCover land_cover(const LandSight *sight, TrnTerrainBiome biome)
{
    if (sight->height < TRN_TERRAIN_SEA_LEVEL + 1.0f) {
        return land_cover_sea_bed(sight);
    }
    const bool is_swamp = biome == TRN_TERRAIN_BIOME_SWAMP;
    if (!is_swamp && sight->height < 1.9f + sight->patch * 3.0f && sight->slope < 0.8f) {
        return sight->patch < -0.3f ? TRN_COVER_GRAVEL : TRN_COVER_SAND;
    }
    const float steep = 1.05f + sight->patch * 0.6f -
                        trn_land_ramp(40.0f, 120.0f, sight->height) * 0.2f - sight->reach * 0.004f;
    if (biome == TRN_TERRAIN_BIOME_SNOW) {
        const float hold = steep + 0.25f + (-0.3f - sight->temperature) * 2.0f;
        return sight->slope < hold ? TRN_COVER_SNOW : TRN_COVER_STONE;
    }
    if (sight->slope > steep) {
        return biome == TRN_TERRAIN_BIOME_DESERT ? TRN_COVER_SANDSTONE : TRN_COVER_STONE;
    }
    if (sight->slope > steep - 0.1f) {
        return biome == TRN_TERRAIN_BIOME_DESERT ? TRN_COVER_SANDSTONE : TRN_COVER_DIRT;
    }
    if (biome == TRN_TERRAIN_BIOME_TUNDRA && sight->patch < -0.25f) {
        return TRN_COVER_GRAVEL;
    }
    return land_cover_of_biome(sight, biome);
}

/// How thick the rock above caves is at least: thicker beneath water, negative where caves open.
static float land_roof(const LandSight *sight)
{
    float roof = 5.0f - 11.0f * sight->entrance;
    roof = roof < 3.0f ? -8.0f : roof; // a thinner one would leave single voxels in the air
    return trn_land_lerp(roof, 12.0f, trn_land_ramp(7.0f, 2.0f, sight->height));
}

// ---- what grows ---------------------------------------------------------------------------------

/// Whether the ground is just as high as the column says: no overhang, and no cave opens.
static bool land_is_firm(const LandSight *sight)
{
    return sight->height >= 1.0f && sight->slope < 1.0f && sight->reach == 0.0f &&
           land_roof(sight) >= 2.0f;
}

/// The kind of tree that grows in a biome, and its chance in 256 where a tree could be.
static uint8_t land_tree(const LandSight *sight, TrnTerrainBiome biome, TrnCover cover,
                         uint8_t *chance)
{
    if (!land_is_firm(sight) || cover == TRN_COVER_STONE || cover == TRN_COVER_SANDSTONE ||
        cover == TRN_COVER_GRAVEL) {
        return 0;
    }
    if (cover == TRN_COVER_SAND && biome != TRN_TERRAIN_BIOME_DESERT) {
        return 0; // a beach
    }
    static const uint8_t chances[TRN_TERRAIN_BIOME_COUNT] = {
        [TRN_TERRAIN_BIOME_GRASSLAND] = 9, [TRN_TERRAIN_BIOME_FOREST] = 200,
        [TRN_TERRAIN_BIOME_DESERT] = 7,    [TRN_TERRAIN_BIOME_SAVANNA] = 16,
        [TRN_TERRAIN_BIOME_TUNDRA] = 24,   [TRN_TERRAIN_BIOME_SNOW] = 10,
        [TRN_TERRAIN_BIOME_SWAMP] = 70,
    };
    static const uint8_t kinds[TRN_TERRAIN_BIOME_COUNT] = {
        [TRN_TERRAIN_BIOME_GRASSLAND] = TRN_TREE_OAK, [TRN_TERRAIN_BIOME_FOREST] = TRN_TREE_OAK,
        [TRN_TERRAIN_BIOME_DESERT] = TRN_TREE_CACTUS, [TRN_TERRAIN_BIOME_SAVANNA] = TRN_TREE_ACACIA,
        [TRN_TERRAIN_BIOME_TUNDRA] = TRN_TREE_PINE,   [TRN_TERRAIN_BIOME_SNOW] = TRN_TREE_PINE,
        [TRN_TERRAIN_BIOME_SWAMP] = TRN_TREE_OAK,
    };
    *chance = chances[biome];
    if (biome == TRN_TERRAIN_BIOME_FOREST && sight->temperature < 0.0f) {
        return TRN_TREE_PINE + 1;
    }
    return (uint8_t)(kinds[biome] + 1);
}

/// The plant on a voxel of ground, or air.
/// @param hash  a number of the place
static TrnBlock land_plant(const LandSight *sight, TrnTerrainBiome biome, TrnCover cover,
                           float plenty, uint64_t hash)
{
    static const struct {
        TrnCover cover;
        TrnBlock common, rare;
        uint32_t common_chance, rare_chance; ///< in 1024
    } plants[TRN_TERRAIN_BIOME_COUNT] = {
        [TRN_TERRAIN_BIOME_GRASSLAND] = {TRN_COVER_GRASS, TRN_BLOCK_TALL_GRASS, TRN_BLOCK_FLOWER,
                                         130, 14},
        [TRN_TERRAIN_BIOME_FOREST] = {TRN_COVER_FOREST, TRN_BLOCK_TALL_GRASS, TRN_BLOCK_FLOWER, 50,
                                      8},
        [TRN_TERRAIN_BIOME_DESERT] = {TRN_COVER_SAND, TRN_BLOCK_DEAD_BUSH, TRN_BLOCK_DEAD_BUSH, 4,
                                      0},
        [TRN_TERRAIN_BIOME_SAVANNA] = {TRN_COVER_DRY_GRASS, TRN_BLOCK_TALL_GRASS,
                                       TRN_BLOCK_DEAD_BUSH, 110, 6},
        [TRN_TERRAIN_BIOME_TUNDRA] = {TRN_COVER_MOSS, TRN_BLOCK_TALL_GRASS, TRN_BLOCK_DEAD_BUSH, 16,
                                      4},
        [TRN_TERRAIN_BIOME_SWAMP] = {TRN_COVER_MUD, TRN_BLOCK_REEDS, TRN_BLOCK_TALL_GRASS, 120, 30},
    };
    if (cover != plants[biome].cover || cover == TRN_COVER_STONE || !land_is_firm(sight)) {
        return TRN_BLOCK_AIR;
    }
    const float draw = (float)(hash >> 54); // 0..1023
    const float rare = (float)plants[biome].rare_chance * plenty;
    if (draw < rare) {
        return plants[biome].rare;
    }
    return draw < rare + (float)plants[biome].common_chance * plenty ? plants[biome].common
                                                                     : TRN_BLOCK_AIR;
}

// ---- columns ------------------------------------------------------------------------------------

/// Writes one voxel of a column from what is seen there.
static void land_write_place(const LandSquare *square, size_t from, TrnColumn *column, size_t to,
                             LandSight *sight)
{
    *sight = land_sight(square, from);
    const TrnTerrainBiome biome = land_biome(sight);
    column->heights[to] = sight->height;
    column->biomes[to] = (uint8_t)biome;
    column->covers[to] = (uint8_t)land_cover(sight, biome);
    column->roofs[to] = (int8_t)trn_land_floor(land_roof(sight));
    column->bends[to] =
        (int16_t)trn_land_floor(trn_land_clamp(square->fields[LAND_FIELD_BEND][from], -60, 60));
    const bool is_frozen =
        biome == TRN_TERRAIN_BIOME_SEA && square->fields[LAND_FIELD_FROST][from] > 0.0f;
    column->plants[to] = is_frozen ? TRN_BLOCK_ICE : TRN_BLOCK_AIR;
}

/// Bounds of the ground with its overhangs.
static void land_bounds(TrnColumn *column)
{
    float lowest = column->heights[0], highest = lowest, reach = 0.0f;
    int16_t least = column->bends[0], most = least;
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const float height = column->heights[i];
        const int16_t bend = column->bends[i];
        lowest = height < lowest ? height : lowest;
        highest = height > highest ? height : highest;
        least = bend < least ? bend : least;
        most = bend > most ? bend : most;
    }
    for (size_t i = 0; i < (size_t)column->points * column->points; i++) {
        reach = column->lattice_reaches[i] > reach ? column->lattice_reaches[i] : reach;
    }
    column->bend_range[0] = least;
    column->bend_range[1] = most;
    column->has_overhangs = reach > 0.0f;
    column->lowest_height = lowest;
    const float sea = (float)TRN_TERRAIN_SEA_LEVEL; // nothing overhangs below
    const float hollowed = lowest - reach * TRN_OVERHANG_MOST;
    const float bottom = lowest < sea ? lowest : hollowed < sea ? sea : hollowed;
    column->lowest = bottom - TRN_LAND_SLACK;
    column->highest = highest + TRN_LAND_SLACK;
    column->top = trn_land_floor(column->highest) + 1; // a plant
}

static void land_keep_lattice(const LandLattice *lattice, uint32_t skip, TrnColumn *column)
{
    for (uint32_t z = 0; z < column->points; z++) {
        for (uint32_t x = 0; x < column->points; x++) {
            const size_t from = (size_t)(z + skip) * lattice->points + x + skip;
            const size_t to = (size_t)z * column->points + x;
            column->lattice_heights[to] = lattice->fields[LAND_FIELD_HEIGHT][from];
            column->lattice_reaches[to] = lattice->fields[LAND_FIELD_REACH][from];
        }
    }
}

/// Deals out an array of floats to the arrays of a lattice and a square.
static void land_lay_out(float *floats, LandLattice *lattice, LandSquare *square)
{
    const size_t lattice_floats = (size_t)lattice->points * lattice->points;
    const size_t square_floats = (size_t)square->edge * square->edge;
    for (int i = 0; i < TRN_LAND_LATTICE_COUNT; i++, floats += lattice_floats) {
        lattice->noises[i] = floats;
    }
    for (int i = 0; i < LAND_FIELD_COUNT; i++, floats += lattice_floats) {
        lattice->fields[i] = floats;
    }
    floats += lattice_floats; // the slope's second array, see land_slopes_far
    for (int i = 0; i < LAND_DETAIL_COUNT; i++, floats += square_floats) {
        square->details[i] = floats;
    }
    for (int i = 0; i < LAND_FIELD_COUNT; i++, floats += square_floats) {
        square->fields[i] = floats;
    }
}

static void land_sample(const TrnTerrain *terrain, const LandLattice *lattice,
                        const LandSquare *square)
{
    if (lattice->level > TRN_LAND_SHIFT) {
        land_slopes_far(terrain, lattice);
    } else {
        land_fill_lattice(terrain, lattice);
        land_slopes_near(lattice);
    }
    land_hold_overhangs(lattice);
    land_expand(lattice, square);
    land_fill_details(terrain, lattice, square);
    land_detail(terrain, square);
}

/// What may grow in the square of a column.
typedef struct LandGrowth {
    uint8_t candidates[LAND_SQUARE_EDGE * LAND_SQUARE_EDGE];
    uint8_t chances[LAND_SQUARE_EDGE * LAND_SQUARE_EDGE];
} LandGrowth;

/// Writes a place of a column with its plant, and says what tree could stand there.
static void land_grow_inside(const TrnTerrain *terrain, const LandSquare *square, size_t from,
                             TrnColumn *column, size_t to, LandGrowth *growth)
{
    LandSight sight;
    land_write_place(square, from, column, to, &sight);
    const TrnVoxel base = trn_coord_voxel(column->coord);
    const TrnTerrainBiome biome = (TrnTerrainBiome)column->biomes[to];
    const TrnCover cover = (TrnCover)column->covers[to];
    const uint64_t hash = trn_land_hash(terrain->seed, base.x + (int64_t)(to % TRN_CHUNK_EDGE), 1,
                                        base.z + (int64_t)(to / TRN_CHUNK_EDGE));
    const TrnBlock plant = land_plant(&sight, biome, cover, terrain->shape.trees, hash);
    column->plants[to] = plant ? (uint8_t)plant : column->plants[to];
    growth->candidates[from] = land_tree(&sight, biome, cover, &growth->chances[from]);
}

/// Says what tree could stand at a place beside the column.
static void land_grow_outside(const LandSquare *square, size_t from, LandGrowth *growth)
{
    const LandSight sight = land_sight(square, from);
    const TrnTerrainBiome biome = land_biome(&sight);
    growth->candidates[from] =
        land_tree(&sight, biome, land_cover(&sight, biome), &growth->chances[from]);
}

/// Writes the places of a column, with plants and trees.
static void land_write_grown(const TrnTerrain *terrain, const LandSquare *square, TrnColumn *column)
{
    LandGrowth growth;
    memset(growth.chances, 0, sizeof growth.chances);
    for (int32_t z = 0; z < LAND_SQUARE_EDGE; z++) {
        for (int32_t x = 0; x < LAND_SQUARE_EDGE; x++) {
            const size_t from = (size_t)z * LAND_SQUARE_EDGE + (size_t)x;
            const int32_t local_x = x - TRN_TREE_REACH, local_z = z - TRN_TREE_REACH;
            if (((local_x | local_z) & ~(TRN_CHUNK_EDGE - 1)) == 0) {
                const size_t to = (size_t)local_z * TRN_CHUNK_EDGE + (size_t)local_x;
                land_grow_inside(terrain, square, from, column, to, &growth);
            } else {
                land_grow_outside(square, from, &growth);
            }
        }
    }
    const TrnTreeGround ground = {square->fields[LAND_FIELD_HEIGHT], growth.candidates,
                                  growth.chances, -TRN_TREE_REACH, LAND_SQUARE_EDGE};
    trn_trees_choose(terrain, &ground, column);
}

void trn_land_column(const TrnTerrain *terrain, TrnCoord coord, TrnColumn *column)
{
    float floats[(LAND_ARRAYS_LATTICE + 1) * LAND_LATTICE_POINTS * LAND_LATTICE_POINTS +
                 LAND_ARRAYS_SQUARE * LAND_SQUARE_EDGE * LAND_SQUARE_EDGE];
    const TrnVoxel base = trn_coord_voxel(coord);
    LandLattice lattice = {.x = base.x - TRN_TREE_REACH,
                           .z = base.z - TRN_TREE_REACH,
                           .level = TRN_LAND_SHIFT,
                           .points = LAND_LATTICE_POINTS};
    LandSquare square = {.edge = LAND_SQUARE_EDGE, .shift = TRN_LAND_SHIFT};
    land_lay_out(floats, &lattice, &square);
    land_sample(terrain, &lattice, &square);
    column->coord = coord;
    column->points = TRN_LAND_POINTS;
    column->lattice_heights = column->lattice[0];
    column->lattice_reaches = column->lattice[1];
    land_keep_lattice(&lattice, TRN_TREE_REACH / TRN_LAND_STEP, column);
    column->tree_count = 0;
    land_write_grown(terrain, &square, column);
    land_bounds(column);
    for (uint32_t i = 0; i < column->tree_count; i++) {
        const int32_t top = trn_tree_top(&column->trees[i]);
        column->top = top > column->top ? top : column->top;
    }
}

/// How many lattice points a level's chunks have along an edge, one more for slopes.
static uint32_t land_points_at(uint32_t level)
{
    const uint32_t shift = level < TRN_LAND_SHIFT ? TRN_LAND_SHIFT - level : 0;
    return ((uint32_t)TRN_CHUNK_EDGE >> shift) + 2;
}

size_t trn_land_scratch_bytes(uint32_t level)
{
    const size_t points = land_points_at(level);
    return ((LAND_ARRAYS_LATTICE + 3) * points * points +
            (size_t)LAND_ARRAYS_SQUARE * TRN_LAYER_VOXELS) *
           sizeof(float);
}

/// Seen from afar, woods have the colour of their leaves: as many voxels of the ground as crowns would cover.
static void land_cover_woods(const TrnTerrain *terrain, const LandSight *sight, TrnVoxel voxel,
                             TrnColumn *column, size_t i)
{
    uint8_t chance = 0;
    const uint8_t kind =
        land_tree(sight, (TrnTerrainBiome)column->biomes[i], (TrnCover)column->covers[i], &chance);
    const float share = (float)chance * terrain->shape.trees * 0.6f;
    const uint64_t hash = trn_land_hash(terrain->seed, voxel.x, 3, voxel.z);
    if (kind && (float)(hash >> 56) < share) {
        column->covers[i] = (uint8_t)(TRN_COVER_WOODS + kind - 1);
    }
}

void trn_land_column_at(const TrnTerrain *terrain, TrnCoord coord, uint32_t level, void *scratch,
                        TrnColumn *column)
{
    const TrnVoxel base = trn_coord_voxel(coord);
    const uint32_t shift = level < TRN_LAND_SHIFT ? TRN_LAND_SHIFT - level : 0;
    LandLattice lattice = {.x = base.x * ((int64_t)1 << level),
                           .z = base.z * ((int64_t)1 << level),
                           .level = level + shift,
                           .points = land_points_at(level)};
    LandSquare square = {.edge = TRN_CHUNK_EDGE, .level = level, .shift = shift};
    float *floats = scratch;
    column->coord = coord;
    column->points = ((uint32_t)TRN_CHUNK_EDGE >> shift) + 1;
    column->lattice_heights = floats;
    column->lattice_reaches = floats + (size_t)lattice.points * lattice.points;
    land_lay_out(floats + 2 * (size_t)lattice.points * lattice.points, &lattice, &square);
    land_sample(terrain, &lattice, &square);
    land_keep_lattice(&lattice, 0, column);
    column->tree_count = 0;
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        LandSight sight;
        land_write_place(&square, i, column, i, &sight);
        const int64_t x = (int64_t)(i % TRN_CHUNK_EDGE), z = (int64_t)(i / TRN_CHUNK_EDGE);
        const TrnVoxel voxel = {lattice.x + x * ((int64_t)1 << level), 0,
                                lattice.z + z * ((int64_t)1 << level)};
        land_cover_woods(terrain, &sight, voxel, column, i);
    }
    land_bounds(column);
}

// Lattices: the noises of a terrain, the fields that depend on adjacent points, and how far
// overhangs reach.

#include <string.h>

#include "terrain/land_kernels.h"
#include "terrain/noise_impl.h"
#include "terrain/rivers_impl.h"
#include "terrain/volume.h"

/// How a noise's wavelength follows the world's scale.
typedef enum LandScaling {
    LAND_SCALE_FIXED,
    LAND_SCALE_WITH_WORLD,
    /// Half as much as a small world shrinks, and never larger than at scale 1: ridges wider than a
    /// small island's mountains would turn them into smooth bells.
    LAND_SCALE_DOWN_HALF
} LandScaling;

/// Settings of one noise.
typedef struct LandNoiseDef {
    TrnNoiseKind kind;
    float wavelength, wavelength_y; ///< voxels at scale 1
    uint32_t octaves;
    float gain;
    float warp; ///< voxels
    LandScaling scaling;
} LandNoiseDef;

static const LandNoiseDef land_noise_defs[TRN_LAND_NOISE_COUNT] = {
    [TRN_LAND_CONTINENT] = {TRN_NOISE_FRACTAL, 1700, 0, 6, 0.5f, 170, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_RANGE] = {TRN_NOISE_FRACTAL, 1500, 0, 3, 0.4f, 200, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_RIDGE] = {TRN_NOISE_RIDGED, 460, 0, 5, 0.5f, 60, LAND_SCALE_DOWN_HALF},
    [TRN_LAND_HILLINESS] = {TRN_NOISE_FRACTAL, 800, 0, 1, 0.5f, 0, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_HILL] = {TRN_NOISE_FRACTAL, 220, 0, 3, 0.5f, 30, LAND_SCALE_FIXED},
    [TRN_LAND_RIVER] = {TRN_NOISE_FRACTAL, 1000, 0, 3, 0.4f, 120, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_TEMPERATURE] = {TRN_NOISE_FRACTAL, 4200, 0, 3, 0.4f, 200, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_MOISTURE] = {TRN_NOISE_FRACTAL, 2600, 0, 3, 0.4f, 200, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_CLIFF] = {TRN_NOISE_FRACTAL, 420, 0, 2, 0.5f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_ENTRANCE] = {TRN_NOISE_FRACTAL, 130, 0, 2, 0.5f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_DUNE] = {TRN_NOISE_RIDGED, 70, 0, 2, 0.4f, 30, LAND_SCALE_FIXED},
    [TRN_LAND_TERRACE] = {TRN_NOISE_FRACTAL, 900, 0, 2, 0.5f, 0, LAND_SCALE_WITH_WORLD},
    [TRN_LAND_STRATA] = {TRN_NOISE_FRACTAL, 340, 0, 3, 0.5f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_DETAIL] = {TRN_NOISE_FRACTAL, 60, 0, 3, 0.5f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_CRAG] = {TRN_NOISE_RIDGED, 72, 0, 4, 0.55f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_PATCH] = {TRN_NOISE_FRACTAL, 40, 0, 3, 0.6f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_OVERHANG] = {TRN_NOISE_FRACTAL, 72, 36, 2, 0.4f, 0, LAND_SCALE_FIXED},
    // Long and flat, so that one can walk in them.
    [TRN_LAND_TUNNEL_A] = {TRN_NOISE_FRACTAL, 120, 50, 2, 0.35f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_TUNNEL_B] = {TRN_NOISE_FRACTAL, 120, 50, 2, 0.35f, 0, LAND_SCALE_FIXED},
    [TRN_LAND_CAVERN] = {TRN_NOISE_FRACTAL, 120, 64, 3, 0.45f, 0, LAND_SCALE_FIXED},
};

static float land_wavelength_scale(LandScaling scaling, float scale)
{
    const float down = scale < 1.0f ? 0.5f + 0.5f * scale : 1.0f;
    return scaling == LAND_SCALE_WITH_WORLD ? scale : scaling == LAND_SCALE_DOWN_HALF ? down : 1.0f;
}

static TrnNoiseDef land_noise_def(const TrnTerrain *terrain, uint32_t number)
{
    const LandNoiseDef *from = &land_noise_defs[number];
    const bool in_space = number >= TRN_LAND_PLANE_COUNT;
    const float scale = land_wavelength_scale(from->scaling, terrain->shape.scale);
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

/// Strata: every second one is stone, between them other rocks; 5 to 24 voxels thick.
static void land_fill_strata(TrnTerrain *terrain)
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

TrnResult trn_land_compile(TrnTerrain *terrain)
{
    for (uint32_t i = 0; i < TRN_LAND_NOISE_COUNT; i++) {
        const TrnNoiseDef def = land_noise_def(terrain, i);
        const TrnResult result = trn_noise_compile(&def, &terrain->noises[i]);
        if (result != TRN_RESULT_OK) {
            return result;
        }
    }
    land_fill_strata(terrain);
    return trn_land_cover_compile(terrain);
}

// ---- lattices -----------------------------------------------------------------------------------

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

/// Fills a noise where it is missing.
static void land_fill_missing(const TrnNoise *noise, const TrnLandLattice *lattice, float *out)
{
    const TrnLandPatch *patch = lattice->missing;
    const uint32_t wide = patch->end[0] - patch->first[0], long_z = patch->end[1] - patch->first[1];
    float values[TRN_LAND_SQUARE_POINTS * TRN_LAND_SQUARE_POINTS];
    const TrnVoxel origin = {lattice->x + ((int64_t)patch->first[0] << lattice->level), 0,
                             lattice->z + ((int64_t)patch->first[1] << lattice->level)};
    const TrnNoiseGrid grid = {origin, lattice->level, wide, 1, long_z};
    (void)trn_noise_fill(noise, &grid, values);
    for (uint32_t z = 0; z < long_z; z++) {
        memcpy(out + (size_t)(patch->first[1] + z) * lattice->points + patch->first[0],
               values + (size_t)z * wide, wide * sizeof *values);
    }
}

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
    if (lattice->missing) {
        land_fill_missing(noise, lattice, out);
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
            land_fill_if(terrain, lattice, i, !lattice->is_bare || !land_spares_height[i]);
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

/// Limits overhangs to steep land, by the lattice's slopes.
static void land_limit_overhangs(const TrnLandLattice *lattice)
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
        land_limit_overhangs(lattice);
    }
}

// ---- overhangs of coarse lattices ---------------------------------------------------------------

// Level 0 limits overhangs by the slope between points TRN_LAND_STEP voxels apart. Points of a
// coarse lattice are farther apart, so where the slope between them could move the ground by a
// voxel of the level, level 0's slope is computed.

/// Slopes that are computed together, at most. Each needs two heights.
#define LAND_COARSE_SLOPES 128
#define LAND_COARSE_POINTS ((size_t)2 * LAND_COARSE_SLOPES)

/// Points of a lattice, in arrays for the noise.
typedef struct LandCoarsePoints {
    uint32_t count;
    uint32_t points[TRN_LAYER_VOXELS];
    float places[3][TRN_LAYER_VOXELS]; ///< by axis, in voxels from the lattice's first point
    float noise[TRN_LAYER_VOXELS];
} LandCoarsePoints;

static float land_coarse_place(const TrnLandLattice *lattice, uint32_t index)
{
    return (float)((int64_t)index << lattice->level);
}

/// Whether the slope between adjacent points could move the ground by a voxel of the level.
static bool land_coarse_is_uncertain(const TrnLandLattice *lattice, uint32_t i)
{
    const uint32_t last = lattice->points - 1;
    const bool has_next = i % lattice->points < last && i / lattice->points < last;
    if (lattice->level == TRN_LAND_SHIFT && has_next) {
        return false; // its slope is level 0's
    }
    const float part = trn_land_overhang_part(lattice->fields[TRN_LAND_FIELD_SLOPE][i]);
    const float reach = lattice->fields[TRN_LAND_FIELD_OVERHANG_REACH][i] * TRN_OVERHANG_NOISE_MAX;
    return reach * (part < 0.5f ? 1.0f - part : part) >= (float)((uint32_t)1 << lattice->level);
}

/// Finds the points that need level 0's slope. The ground of the others lies less than a voxel of
/// the level below the surface whatever the slope is.
static void land_coarse_find(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                             const float *heights, LandCoarsePoints *found)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < lattice->count; i++) {
        if (land_coarse_is_uncertain(lattice, i)) {
            const int32_t below = trn_land_floor(heights[i]) - (1 << lattice->level);
            const int32_t plane = (below + TRN_LAND_STEP) & ~(TRN_LAND_STEP - 1);
            found->points[count] = i;
            found->places[0][count] = land_coarse_place(lattice, i % lattice->points);
            found->places[1][count] = (float)plane;
            found->places[2][count++] = land_coarse_place(lattice, i / lattice->points);
        }
    }
    const float *const places[3] = {found->places[0], found->places[1], found->places[2]};
    trn_noise_fill_points(&terrain->noises[TRN_LAND_OVERHANG],
                          (TrnVoxel){lattice->x, 0, lattice->z}, places, count, found->noise);
    found->count = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t i = found->points[k];
        const float y = found->places[1][k];
        const float reach =
            lattice->fields[TRN_LAND_FIELD_OVERHANG_REACH][i] * trn_volume_overhang_fade(y);
        if (heights[i] - y + trn_volume_overhang(found->noise[k], reach) < 0.0f) {
            found->points[found->count++] = i;
        }
    }
}

static void land_coarse_assign_arrays(float *floats, TrnLandLattice *block)
{
    for (int i = 0; i < TRN_LAND_LATTICE_COUNT; i++, floats += LAND_COARSE_POINTS) {
        block->noises[i] = floats;
    }
    for (int i = 0; i < TRN_LAND_FIELD_COUNT; i++, floats += LAND_COARSE_POINTS) {
        block->fields[i] = floats;
    }
}

/// Computes level 0's slopes of some points.
static void land_coarse_set_slopes(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                                   const uint32_t *points, uint32_t count)
{
    float x[LAND_COARSE_POINTS], z[LAND_COARSE_POINTS];
    float floats[(TRN_LAND_LATTICE_COUNT + TRN_LAND_FIELD_COUNT) * LAND_COARSE_POINTS];
    const float *const places[3] = {x, NULL, z};
    TrnLandLattice nexts = {.x = lattice->x,
                            .z = lattice->z,
                            .count = 2 * count,
                            .is_bare = true,
                            .places = places,
                            .rivers = lattice->rivers};
    land_coarse_assign_arrays(floats, &nexts);
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t next_x = k, next_z = k + count;
        x[next_x] = x[next_z] = land_coarse_place(lattice, points[k] % lattice->points);
        z[next_x] = z[next_z] = land_coarse_place(lattice, points[k] / lattice->points);
        x[next_x] += TRN_LAND_STEP;
        z[next_z] += TRN_LAND_STEP;
    }
    trn_land_shape_lattice(terrain, &nexts);
    const float *next = nexts.fields[TRN_LAND_FIELD_HEIGHT];
    for (uint32_t k = 0; k < count; k++) {
        const float here = lattice->fields[TRN_LAND_FIELD_HEIGHT][points[k]];
        lattice->fields[TRN_LAND_FIELD_SLOPE][points[k]] =
            trn_land_slope(here, next[k], next[k + count], 1.0f / (float)TRN_LAND_STEP);
    }
}

void trn_land_limit_coarse_overhangs(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                                     const float *heights)
{
    LandCoarsePoints found;
    land_coarse_find(terrain, lattice, heights, &found);
    for (uint32_t k = 0; k < found.count; k += LAND_COARSE_SLOPES) {
        const uint32_t left = found.count - k;
        land_coarse_set_slopes(terrain, lattice, &found.points[k],
                               left < LAND_COARSE_SLOPES ? left : LAND_COARSE_SLOPES);
    }
    land_limit_overhangs(lattice);
}

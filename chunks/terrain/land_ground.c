// The ground that covers depend on: the noises of covers, and boulders, which raise the ground.

#include "terrain/land_ground.h"

#include <math.h>
#include <string.h>

#include "terrain/land_kernels.h"

/// Sea ice breaks into floes where TRN_LAND_FIELD_FROST is below this. In larger worlds the climate
/// changes more slowly, so less is enough.
static float ground_floe_rim(const TrnTerrain *terrain)
{
    return 0.09f * trn_land_border_noise(&terrain->shape);
}

/// Coarser levels have voxels larger than floes.
#define GROUND_FLOE_LEVEL_MAX 2

// ---- noises -------------------------------------------------------------------------------------

#define GROUND_NOISE_STREAM 64

TrnResult trn_land_cover_compile(TrnTerrain *terrain)
{
    static const struct {
        TrnNoiseKind kind;
        float wavelength;
        uint32_t octaves;
    } defs[TRN_COVER_NOISE_COUNT] = {
        [TRN_COVER_NOISE_BARE] = {TRN_NOISE_FRACTAL, 76, 3},
        [TRN_COVER_NOISE_STAND] = {TRN_NOISE_FRACTAL, 150, 3},
        [TRN_COVER_NOISE_FLOE] = {TRN_NOISE_CELL_BORDER, 13, 1},
    };
    TrnResult result = TRN_RESULT_OK;
    for (uint32_t i = 0; i < TRN_COVER_NOISE_COUNT && result == TRN_RESULT_OK; i++) {
        TrnNoiseDef def = trn_noise_def(defs[i].kind, 2);
        def.seed = terrain->seed;
        def.stream = GROUND_NOISE_STREAM + i;
        def.octaves = defs[i].octaves;
        for (int axis = 0; axis < 3; axis++) {
            def.wavelength[axis] = defs[i].wavelength;
        }
        result = trn_noise_compile(&def, &terrain->cover_noises[i]);
    }
    return result;
}

/// Points of the lattice of a noise of covers along an edge: of a level 1 column, or of one with
/// its border at level 0.
#define GROUND_POINTS_MAX (TRN_CHUNK_EDGE / 2 + 1)

/// Fills a noise of covers, which is interpolated from every fourth voxel.
static void ground_fill_noise(const TrnTerrain *terrain, const TrnNoise *noise,
                              const TrnLandLattice *lattice, const TrnLandSquare *square,
                              float *out)
{
    const TrnVoxel origin = {lattice->x, 0, lattice->z};
    if (square->shift == 0) {
        const TrnNoiseGrid grid = {origin, square->level, square->edge, 1, square->edge};
        (void)trn_noise_fill(noise, &grid, out);
        return;
    }
    // The lattice has one point more, for slopes.
    const uint32_t wide = lattice->points - 1;
    float points[GROUND_POINTS_MAX * GROUND_POINTS_MAX];
    const TrnNoiseGrid grid = {origin, TRN_LAND_SHIFT, wide, 1, wide};
    (void)trn_noise_fill(noise, &grid, points);
    const TrnLandKernels *kernels =
        trn_kernels_at(&trn_land_kernels, trn_cpu_features(), terrain->kernels);
    kernels->interpolate(points, wide, square, out);
}

/// Whether some sample lies at the rim of sea ice. Floes are smaller than voxels of high levels.
static bool ground_has_floes(const TrnLandSquare *square, float rim)
{
    const float *frost = square->fields[TRN_LAND_FIELD_FROST];
    const float *heights = square->fields[TRN_LAND_FIELD_HEIGHT];
    bool has_floes = false;
    for (size_t i = 0; i < square->count; i++) {
        has_floes |= frost[i] > 0.0f && frost[i] < rim && heights[i] < (float)TRN_TERRAIN_SEA_LEVEL;
    }
    return has_floes && square->level <= GROUND_FLOE_LEVEL_MAX;
}

/// Fills the noises of covers.
static void ground_fill_noises(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                               TrnLandGround *ground)
{
    const TrnLandSquare *square = ground->square;
    for (uint32_t i = 0; i < 2; i++) {
        ground_fill_noise(terrain, &terrain->cover_noises[i], lattice, square, ground->values[i]);
    }
    ground->floe_rim = ground_floe_rim(terrain);
    // Nothing grows at the border of a column that is ice.
    ground->has_floes = !square->places[0] && ground_has_floes(square, ground->floe_rim);
    if (ground->has_floes) {
        const int64_t moved = (int64_t)square->first << square->level;
        const TrnNoiseGrid grid = {{lattice->x + moved, 0, lattice->z + moved},
                                   square->level,
                                   square->edge,
                                   1,
                                   square->edge};
        (void)trn_noise_fill(&terrain->cover_noises[TRN_COVER_NOISE_FLOE], &grid, ground->floes);
    }
}

// ---- boulders -----------------------------------------------------------------------------------

/// Each square cell of this many voxels holds at most one boulder, which does not leave it.
#define GROUND_BOULDER_CELL 16
#define GROUND_BOULDER_RADIUS_MAX 3.6f

/// Boulders are lower than half a voxel of levels above this.
#define GROUND_BOULDER_LEVEL_MAX 2

typedef struct GroundBoulder {
    float x, z;         ///< from the square's first voxel
    float radius, rise; ///< voxels; height as a part of a ball's
} GroundBoulder;

/// Finds the boulder of a cell. They gather where the ground is bare.
static bool ground_boulder_in_cell(const TrnTerrain *terrain, int64_t cell_x, int64_t cell_z,
                                   TrnVoxel first, GroundBoulder *boulder)
{
    const uint64_t hash = trn_land_hash(terrain->seed, cell_x, 4, cell_z);
    const int64_t room = GROUND_BOULDER_CELL - 8;
    const TrnVoxel at = {cell_x * GROUND_BOULDER_CELL + 4 + (int64_t)(hash % (uint64_t)room), 0,
                         cell_z * GROUND_BOULDER_CELL + 4 +
                             (int64_t)((hash >> 8) % (uint64_t)room)};
    const float draw = (float)(hash >> 16 & 0xFF) * (1.0f / 256.0f);
    if (draw > 0.4f) {
        return false;
    }
    const float bare = trn_noise_at(&terrain->cover_noises[TRN_COVER_NOISE_BARE], at);
    const float size = (float)(hash >> 24 & 0xFF) * (1.0f / 255.0f);
    *boulder = (GroundBoulder){.x = (float)(at.x - first.x),
                               .z = (float)(at.z - first.z),
                               .radius = 1.2f + size * size * (GROUND_BOULDER_RADIUS_MAX - 1.2f),
                               .rise = 0.7f + (float)(hash >> 32 & 0xFF) * (0.5f / 255.0f)};
    return draw < trn_land_ramp(0.12f, 0.45f, bare) * 0.4f + 0.012f;
}

/// Whether a boulder may stand on the ground of a sample.
static bool ground_boulder_has_ground(const TrnLandSquare *square, size_t i)
{
    return square->fields[TRN_LAND_FIELD_HEIGHT][i] - square->waters[i] >= 2.0f &&
           square->fields[TRN_LAND_FIELD_WIDE_SLOPE][i] < 0.8f &&
           square->fields[TRN_LAND_FIELD_OVERHANG_REACH][i] == 0.0f;
}

/// Raises a boulder out of a sample.
/// @param x,z  voxels from the lattice's first point
static void ground_raise_sample(const TrnLandSquare *square, const GroundBoulder *boulder, float x,
                                float z, size_t i, uint8_t *marks)
{
    const float by_x = x - boulder->x, by_z = z - boulder->z;
    const float left = boulder->radius * boulder->radius - by_x * by_x - by_z * by_z;
    if (left > 0.0f && ground_boulder_has_ground(square, i)) {
        square->fields[TRN_LAND_FIELD_HEIGHT][i] += sqrtf(left) * boulder->rise;
        marks[i] = 1;
    }
}

/// The samples of a square along one axis that a boulder may cover.
typedef struct GroundSpan {
    uint32_t first, end;
} GroundSpan;

static GroundSpan ground_boulder_span(const TrnLandSquare *square, float at, float radius)
{
    const float step = (float)(1u << square->level), edge = (float)square->edge;
    const float from = at / step - (float)square->first;
    const float low = trn_land_clamp(from - radius / step, 0.0f, edge);
    const float high = trn_land_clamp(from + radius / step + 1.0f, 0.0f, edge);
    return (GroundSpan){(uint32_t)low, (uint32_t)high};
}

/// Raises a boulder out of the samples of a ground.
static void ground_raise_boulder(TrnLandGround *ground, const GroundBoulder *boulder)
{
    const TrnLandSquare *square = ground->square;
    for (uint32_t i = 0; square->places[0] && i < square->count; i++) {
        ground_raise_sample(square, boulder, (float)square->places[0][i],
                            (float)square->places[1][i], i, ground->boulders);
    }
    if (square->places[0]) {
        return;
    }
    const float step = (float)(1u << square->level);
    const GroundSpan across = ground_boulder_span(square, boulder->x, boulder->radius);
    const GroundSpan along = ground_boulder_span(square, boulder->z, boulder->radius);
    for (uint32_t z = along.first; z < along.end; z++) {
        for (uint32_t x = across.first; x < across.end; x++) {
            ground_raise_sample(square, boulder, (float)(square->first + x) * step,
                                (float)(square->first + z) * step, (size_t)z * square->edge + x,
                                ground->boulders);
        }
    }
}

static int64_t ground_boulder_cell(int64_t voxel)
{
    return voxel >= 0 ? voxel / GROUND_BOULDER_CELL
                      : -((-voxel + GROUND_BOULDER_CELL - 1) / GROUND_BOULDER_CELL);
}

/// Raises boulders out of the ground.
static void ground_raise_boulders(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                                  TrnLandGround *ground)
{
    const TrnLandSquare *square = ground->square;
    memset(ground->boulders, 0, square->count);
    if (square->level > GROUND_BOULDER_LEVEL_MAX || square->count == 0) {
        return;
    }
    const TrnVoxel first = {lattice->x, 0, lattice->z};
    const int64_t from = (int64_t)square->first << square->level;
    const uint32_t edge = square->places[0] ? TRN_LAND_SQUARE_EDGE : square->edge;
    const int64_t to = from + ((int64_t)(edge - 1) << square->level);
    for (int64_t z = ground_boulder_cell(first.z + from); z <= ground_boulder_cell(first.z + to);
         z++) {
        for (int64_t x = ground_boulder_cell(first.x + from);
             x <= ground_boulder_cell(first.x + to); x++) {
            GroundBoulder boulder;
            if (ground_boulder_in_cell(terrain, x, z, first, &boulder)) {
                ground_raise_boulder(ground, &boulder);
            }
        }
    }
}

// ---- samples ------------------------------------------------------------------------------------

static void ground_assign_arrays(const TrnLandSquare *square, void *memory, TrnLandGround *ground)
{
    uint8_t *bytes = memory;
    ground->square = square;
    ground->values[0] = square->details[TRN_LAND_DETAIL - TRN_LAND_LATTICE_COUNT];
    ground->values[1] = square->details[TRN_LAND_CRAG - TRN_LAND_LATTICE_COUNT];
    ground->floes = square->fields[TRN_LAND_FIELD_CRAG_AMPLITUDE];
    ground->strata_shifts = memory;
    ground->boulders = bytes + 2 * (size_t)square->count;
    ground->biomes = ground->boulders + square->count;
    ground->covers = ground->biomes + square->count;
    ground->roofs = (int8_t *)(ground->covers + square->count);
}

void trn_land_begin_ground(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                           const TrnLandSquare *square, void *memory, TrnLandGround *ground)
{
    ground_assign_arrays(square, memory, ground);
    if (square->count > 0) {
        ground_fill_noises(terrain, lattice, ground);
        ground_raise_boulders(terrain, lattice, ground);
        const TrnLandKernels *kernels =
            trn_kernels_at(&trn_land_kernels, trn_cpu_features(), terrain->kernels);
        kernels->cover(ground);
    }
}

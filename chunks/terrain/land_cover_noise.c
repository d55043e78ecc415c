// Noises of covers, and boulders.

#include <math.h>
#include <string.h>

#include "terrain/land_cover_impl.h"

#define COVER_NOISE_STREAM 64

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
        def.stream = COVER_NOISE_STREAM + i;
        def.octaves = defs[i].octaves;
        for (int axis = 0; axis < 3; axis++) {
            def.wavelength[axis] = defs[i].wavelength;
        }
        result = trn_noise_compile(&def, &terrain->cover_noises[i]);
    }
    return result;
}

// ---- noises -------------------------------------------------------------------------------------

/// Interpolates a noise from every fourth voxel to a square.
static void cover_interpolate(const float *points, uint32_t wide, uint32_t shift,
                              const TrnLandSquare *square, float *out)
{
    const uint32_t mask = (1u << shift) - 1;
    const float part = 1.0f / (float)(1u << shift);
    for (uint32_t z = 0; z < square->edge; z++) {
        const float *near = points + (size_t)(z >> shift) * wide, *far = near + wide;
        const float weight = (float)(z & mask) * part;
        float row[TRN_LAND_SQUARE_EDGE] = {0};
        for (uint32_t x = 0; x < wide; x++) {
            row[x] = trn_land_lerp(near[x], far[x], weight);
        }
        for (uint32_t x = 0; x < square->edge; x++) {
            out[(size_t)z * square->edge + x] =
                trn_land_lerp(row[x >> shift], row[(x >> shift) + 1], (float)(x & mask) * part);
        }
    }
}

static void cover_fill_noise(const TrnNoise *noise, const TrnLandSquare *square, TrnVoxel first,
                             float *out)
{
    if (square->level >= TRN_LAND_SHIFT) {
        const TrnNoiseGrid grid = {first, square->level, square->edge, 1, square->edge};
        (void)trn_noise_fill(noise, &grid, out);
        return;
    }
    const uint32_t shift = TRN_LAND_SHIFT - square->level, wide = (square->edge >> shift) + 1;
    float points[TRN_LAND_SQUARE_EDGE * TRN_LAND_SQUARE_EDGE];
    const TrnNoiseGrid grid = {first, TRN_LAND_SHIFT, wide, 1, wide};
    (void)trn_noise_fill(noise, &grid, points);
    cover_interpolate(points, wide, shift, square, out);
}

/// Whether some sample lies at the rim of sea ice. Floes are smaller than voxels of high levels.
static bool cover_has_floes(const TrnLandSquare *square, float rim)
{
    const float *frost = square->fields[TRN_LAND_FIELD_FROST];
    const float *heights = square->fields[TRN_LAND_FIELD_HEIGHT];
    bool has_floes = false;
    for (size_t i = 0; i < (size_t)square->edge * square->edge; i++) {
        has_floes |= frost[i] > 0.0f && frost[i] < rim && heights[i] < (float)TRN_TERRAIN_SEA_LEVEL;
    }
    return has_floes && square->level <= TRN_LAND_FLOE_LEVEL_MAX;
}

void trn_land_fill_cover_noises(const TrnTerrain *terrain, const TrnLandSquare *square,
                                TrnVoxel first, TrnLandNoises *noises)
{
    for (uint32_t i = 0; i < 2; i++) {
        cover_fill_noise(&terrain->cover_noises[i], square, first, noises->values[i]);
    }
    noises->floe_rim = trn_land_floe_rim(terrain);
    noises->has_floes = cover_has_floes(square, noises->floe_rim);
    if (noises->has_floes) {
        const TrnNoiseGrid grid = {first, square->level, square->edge, 1, square->edge};
        (void)trn_noise_fill(&terrain->cover_noises[TRN_COVER_NOISE_FLOE], &grid, noises->floes);
    }
}

// ---- boulders -----------------------------------------------------------------------------------

/// Each square cell of this many voxels holds at most one boulder, which does not leave it.
#define BOULDER_CELL 16
#define BOULDER_RADIUS_MAX 3.6f

/// Boulders are lower than half a voxel of levels above this.
#define BOULDER_LEVEL_MAX 2

typedef struct Boulder {
    float x, z;         ///< from the square's first voxel
    float radius, rise; ///< voxels; height as a part of a ball's
} Boulder;

/// Finds the boulder of a cell. They gather where the ground is bare.
static bool boulder_in_cell(const TrnTerrain *terrain, int64_t cell_x, int64_t cell_z,
                            TrnVoxel first, Boulder *boulder)
{
    const uint64_t hash = trn_land_hash(terrain->seed, cell_x, 4, cell_z);
    const int64_t room = BOULDER_CELL - 8;
    const TrnVoxel at = {cell_x * BOULDER_CELL + 4 + (int64_t)(hash % (uint64_t)room), 0,
                         cell_z * BOULDER_CELL + 4 + (int64_t)((hash >> 8) % (uint64_t)room)};
    const float draw = (float)(hash >> 16 & 0xFF) * (1.0f / 256.0f);
    if (draw > 0.4f) {
        return false;
    }
    const float bare = trn_noise_at(&terrain->cover_noises[TRN_COVER_NOISE_BARE], at);
    const float size = (float)(hash >> 24 & 0xFF) * (1.0f / 255.0f);
    *boulder = (Boulder){.x = (float)(at.x - first.x),
                         .z = (float)(at.z - first.z),
                         .radius = 1.2f + size * size * (BOULDER_RADIUS_MAX - 1.2f),
                         .rise = 0.7f + (float)(hash >> 32 & 0xFF) * (0.5f / 255.0f)};
    return draw < trn_land_ramp(0.12f, 0.45f, bare) * 0.4f + 0.012f;
}

/// Whether a boulder may stand on the ground of a sample.
static bool boulder_has_ground(const TrnLandSquare *square, size_t i)
{
    return square->fields[TRN_LAND_FIELD_HEIGHT][i] - square->waters[i] >= 2.0f &&
           square->fields[TRN_LAND_FIELD_WIDE_SLOPE][i] < 0.8f &&
           square->fields[TRN_LAND_FIELD_OVERHANG_REACH][i] == 0.0f;
}

static void boulder_raise(const TrnLandSquare *square, const Boulder *boulder, uint8_t *marks)
{
    const float step = (float)(1u << square->level), edge = (float)square->edge - 1.0f;
    const float reach = boulder->radius;
    const float low_x = trn_land_clamp((boulder->x - reach) / step, 0.0f, edge);
    const float low_z = trn_land_clamp((boulder->z - reach) / step, 0.0f, edge);
    const float high_x = (boulder->x + reach) / step, high_z = (boulder->z + reach) / step;
    for (uint32_t z = (uint32_t)low_z; z < square->edge && (float)z <= high_z; z++) {
        for (uint32_t x = (uint32_t)low_x; x < square->edge && (float)x <= high_x; x++) {
            const float by_x = (float)x * step - boulder->x, by_z = (float)z * step - boulder->z;
            const float left = reach * reach - by_x * by_x - by_z * by_z;
            const size_t i = (size_t)z * square->edge + x;
            if (left > 0.0f && boulder_has_ground(square, i)) {
                square->fields[TRN_LAND_FIELD_HEIGHT][i] += sqrtf(left) * boulder->rise;
                marks[i] = 1;
            }
        }
    }
}

static int64_t boulder_cell(int64_t voxel)
{
    return voxel >= 0 ? voxel / BOULDER_CELL : -((-voxel + BOULDER_CELL - 1) / BOULDER_CELL);
}

void trn_land_raise_boulders(const TrnTerrain *terrain, const TrnLandSquare *square, TrnVoxel first,
                             uint8_t *marks)
{
    memset(marks, 0, (size_t)square->edge * square->edge);
    if (square->level > BOULDER_LEVEL_MAX) {
        return;
    }
    const int64_t across = (int64_t)(square->edge - 1) << square->level;
    for (int64_t z = boulder_cell(first.z); z <= boulder_cell(first.z + across); z++) {
        for (int64_t x = boulder_cell(first.x); x <= boulder_cell(first.x + across); x++) {
            Boulder boulder;
            if (boulder_in_cell(terrain, x, z, first, &boulder)) {
                boulder_raise(square, &boulder, marks);
            }
        }
    }
}

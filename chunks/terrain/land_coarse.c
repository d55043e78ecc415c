// Overhangs of coarse lattices. Level 0 limits overhangs by the slope between points TRN_LAND_STEP
// voxels apart. Points of a coarse lattice are farther apart, so where the slope between them could
// move the ground by a voxel of the level, level 0's slope is computed.

#include "terrain/land_impl.h"
#include "terrain/noise_impl.h"
#include "terrain/volume_impl.h"

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
    trn_land_limit_overhangs(lattice);
}

// Samples of a lattice: its fields, interpolated, and detail, which is noise at every sample.

#include <string.h>

#include "terrain/land_kernels.h"
#include "terrain/noise_impl.h"

/// Interpolates all fields of a lattice.
static void land_interpolate(const TrnLandKernels *kernels, const TrnLandLattice *lattice,
                             const TrnLandSquare *square)
{
    for (int field = 0; field < TRN_LAND_FIELD_COUNT; field++) {
        if (square->shift == 0) { // the points are the samples
            memcpy(square->fields[field], lattice->fields[field], square->count * sizeof(float));
        } else {
            kernels->interpolate(lattice->fields[field], lattice->points, square,
                                 square->fields[field]);
        }
    }
}

static void land_fill_detail(const TrnNoise *noise, const TrnLandLattice *lattice,
                             const TrnLandSquare *square, float *out)
{
    const int64_t moved = (int64_t)square->first << square->level;
    const TrnNoiseGrid grid = {
        {lattice->x + moved, 0, lattice->z + moved}, square->level, square->edge, 1, square->edge};
    if (square->places[0]) {
        trn_noise_fill_voxels(noise, (TrnVoxel){lattice->x, 0, lattice->z}, square->places[0],
                              square->places[1], square->count, out);
    } else {
        (void)trn_noise_fill(noise, &grid, out);
    }
}

static void land_fill_details(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                              const TrnLandSquare *square)
{
    const float *crags = square->fields[TRN_LAND_FIELD_CRAG_AMPLITUDE];
    for (uint32_t i = 0; i < TRN_LAND_DETAIL_COUNT; i++) {
        const uint32_t noise = TRN_LAND_LATTICE_COUNT + i;
        if (noise == TRN_LAND_CRAG && trn_land_most(crags, square->count) <= 0.0f) {
            memset(square->details[i], 0, square->count * sizeof *square->details[i]);
        } else {
            land_fill_detail(&terrain->noises[noise], lattice, square, square->details[i]);
        }
    }
}

void trn_land_sample(const TrnTerrain *terrain, const TrnLandLattice *lattice,
                     const TrnLandSquare *square)
{
    const TrnLandKernels *kernels =
        trn_kernels_at(&trn_land_kernels, trn_cpu_features(), terrain->kernels);
    land_interpolate(kernels, lattice, square);
    land_fill_details(terrain, lattice, square);
    kernels->detail(&terrain->shape, square);
}

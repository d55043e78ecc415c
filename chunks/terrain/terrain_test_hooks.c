#include "terrain/terrain_test_hooks.h"

#include "terrain/column_cache.h"
#include "terrain/land_impl.h"
#include "terrain/noise_impl.h"
#include "terrain/slab_kernels.h"

bool trn_terrain_use_kernels(TrnTerrain *terrain, const char *name)
{
    // A machine has a set of kernels for all noises or for none, so the first one decides.
    for (int i = 0; i < TRN_LAND_NOISE_COUNT; i++) {
        if (!trn_noise_use_kernels(&terrain->noises[i], name)) {
            return false;
        }
    }
    for (int i = 0; i < TRN_COVER_NOISE_COUNT; i++) {
        (void)trn_noise_use_kernels(&terrain->cover_noises[i], name);
    }
    const uint32_t features = trn_cpu_features();
    const size_t at = trn_kernels_find(&trn_slab_kernels, features, name);
    const size_t scalar = trn_kernels_find(&trn_slab_kernels, features, "scalar");
    terrain->kernels = (uint32_t)(at == SIZE_MAX ? scalar : at);
    return true;
}

void trn_terrain_touch_column(TrnTerrain *terrain, int32_t x, int32_t z)
{
    TrnColumn spare;
    trn_column_release(trn_column_acquire(terrain, (TrnCoord){x, 0, z}, &spare));
}

bool trn_terrain_noise_request(const TrnTerrain *terrain, TrnCoord coord, unsigned i,
                               TrnNoise *noise, TrnNoiseGrid *grid)
{
    TrnVoxel from = trn_coord_voxel(coord);
    if (i >= TRN_LAND_NOISE_COUNT) {
        const unsigned cover = i - TRN_LAND_NOISE_COUNT;
        const uint32_t wide = TRN_LAND_SQUARE_EDGE / TRN_LAND_STEP + 1;
        from = (TrnVoxel){from.x - TRN_TREE_REACH, 0, from.z - TRN_TREE_REACH};
        *grid = (TrnNoiseGrid){from, TRN_LAND_SHIFT, wide, 1, wide};
        *noise = terrain->cover_noises[cover < TRN_COVER_NOISE_FLOE ? cover : 0];
        return cover < TRN_COVER_NOISE_FLOE; // floes are only near ice
    }
    *noise = terrain->noises[i];
    if (i >= TRN_LAND_PLANE_COUNT) {
        *grid = (TrnNoiseGrid){from, TRN_LAND_SHIFT, TRN_LAND_POINTS, TRN_LAND_POINTS + 1,
                               TRN_LAND_POINTS};
        return true;
    }
    // A column includes a border as wide as a tree's reach; its lattice one point more, for slopes.
    const uint32_t edge = TRN_CHUNK_EDGE + 2 * TRN_TREE_REACH;
    const bool is_lattice = i < TRN_LAND_LATTICE_COUNT;
    const uint32_t size = is_lattice ? edge / TRN_LAND_STEP + 2 : edge;
    from = (TrnVoxel){from.x - TRN_TREE_REACH, 0, from.z - TRN_TREE_REACH};
    *grid = (TrnNoiseGrid){from, is_lattice ? TRN_LAND_SHIFT : 0, size, 1, size};
    return true;
}

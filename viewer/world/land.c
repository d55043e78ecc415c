#include "world/land.h"

#include <math.h>

#define COLUMNS 8
#define COLUMNS_APART 24L // voxels

static uint64_t land_mix_height(uint64_t hash, int64_t height)
{
    for (int byte = 0; byte < 8; byte++) {
        hash = (hash ^ ((uint64_t)height >> (8 * byte) & 0xff)) * UINT64_C(0x100000001b3);
    }
    return hash;
}

uint64_t land_mark(const TrnTerrain *terrain, const double point[3])
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (int i = 0; i < COLUMNS * COLUMNS; i++) {
        const int64_t x =
            (int64_t)floor(point[0]) + (int64_t)COLUMNS_APART * (i % COLUMNS - COLUMNS / 2);
        const int64_t z =
            (int64_t)floor(point[2]) + (int64_t)COLUMNS_APART * (i / COLUMNS - COLUMNS / 2);
        int64_t height = INT64_MIN;
        (void)trn_terrain_height(terrain, x, z, &height); // stays unchanged outside the world
        hash = land_mix_height(hash, height);
    }
    return hash;
}

// ---- open sea -----------------------------------------------------------------------------------

#define RANGES 4 // distances examined, from RANGE_FIRST of the reach on, by RANGE_STEP
#define RANGE_FIRST 0.77
#define RANGE_STEP 0.06
#define SPREAD 2 // adjacent ways averaged on each side, so that the sea begins smoothly
#define SURFACE (TRN_TERRAIN_SEA_LEVEL + 1 - TRN_LIQUID_DROP)

/// Returns the store of the coarsest level.
static const TrnStore *land_sea_sea_coarsest_store(const World *world, uint32_t *level)
{
    const TrnFar *far_view = world_far(world);
    *level = far_view ? trn_far_view(far_view).levels : 0;
    return far_view ? trn_far_store(far_view, *level) : world_store(world);
}

/// Returns the share of sea along one way, 0..1.
static float land_sea_sea_look_along(const TrnStore *store, uint32_t level, const double from[2],
                                     double angle, double reach)
{
    int count = 0;
    for (int i = 0; i < RANGES; i++) {
        const double distance = reach * (RANGE_FIRST + RANGE_STEP * i);
        const TrnVoxel at = {(int64_t)floor(from[0] + sin(angle) * distance) >> level,
                             TRN_TERRAIN_SEA_LEVEL >> level,
                             (int64_t)floor(from[1] - cos(angle) * distance) >> level};
        TrnBlock block;
        count +=
            trn_store_get_block(store, at, &block) == TRN_RESULT_OK && block == TRN_BLOCK_WATER;
    }
    return (float)count / RANGES;
}

void open_sea_find(const World *world, TrnPosition camera, double reach, RendererSea *sea)
{
    uint32_t level;
    const TrnStore *store = land_sea_sea_coarsest_store(world, &level);
    const TrnVoxel corner = trn_coord_voxel(camera.chunk);
    const double from[2] = {(double)corner.x + camera.offset[0],
                            (double)corner.z + camera.offset[2]};
    float found[RENDERER_SEA_WAYS];
    *sea = (RendererSea){.above = 0};
    if (!world_has_sea(world)) {
        return;
    }
    sea->above = (float)((double)corner.y + camera.offset[1] - SURFACE);
    for (int i = 0; i < RENDERER_SEA_WAYS; i++) {
        found[i] = land_sea_sea_look_along(store, level, from,
                                           i * (2 * 3.14159265358979 / RENDERER_SEA_WAYS), reach);
    }
    for (int i = 0; i < RENDERER_SEA_WAYS; i++) {
        for (int by = -SPREAD; by <= SPREAD; by++) {
            const int way = (i + by + RENDERER_SEA_WAYS) % RENDERER_SEA_WAYS;
            sea->ways[i] += found[way] / (2 * SPREAD + 1);
        }
    }
}

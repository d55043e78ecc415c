#include "world/open_sea.h"

#include <math.h>

#define RANGES 4 // where it looks, from RANGE_FIRST of the reach on, by RANGE_STEP
#define RANGE_FIRST 0.77
#define RANGE_STEP 0.06
#define SPREAD 2 // ways to each side that count too, so that the sea begins softly
#define SURFACE (TRN_TERRAIN_SEA_LEVEL + 1 - TRN_LIQUID_DROP)

/// Returns the coarsest level that is loaded around the camera.
static const TrnStore *coarsest_store(const World *world, uint32_t *level)
{
    const TrnFar *far_view = world_far(world);
    *level = far_view ? trn_far_view(far_view).levels : 0;
    return far_view ? trn_far_store(far_view, *level) : world_store(world);
}

/// Returns how much of one way is sea, 0..1.
static float look_along(const TrnStore *store, uint32_t level, const double from[2], double angle,
                        double reach)
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
    const TrnStore *store = coarsest_store(world, &level);
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
        found[i] =
            look_along(store, level, from, i * (2 * 3.14159265358979 / RENDERER_SEA_WAYS), reach);
    }
    for (int i = 0; i < RENDERER_SEA_WAYS; i++) {
        for (int by = -SPREAD; by <= SPREAD; by++) {
            const int way = (i + by + RENDERER_SEA_WAYS) % RENDERER_SEA_WAYS;
            sea->ways[i] += found[way] / (2 * SPREAD + 1);
        }
    }
}

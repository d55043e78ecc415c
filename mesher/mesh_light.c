// Light: reads the levels of an input, and tables for the kernels (mesh_kernels_light.h).

#include "mesh_kernels.h"

const TrnMeshSlopes trn_mesh_flat = {{0}, {0}, 0};

// Rounded to the nearest, halves up. A count of 0 gives 0: its sum is 0 too.
#define MESH_LIGHT_MEAN(sum, count) (((2 * (sum) + (count)) / (2 * (count) + !(count))) & 15)
#define MESH_LIGHT_SKY(i) MESH_LIGHT_MEAN((i)&63, (i) >> 6)
#define MESH_LIGHT_BLOCKS(i) (MESH_LIGHT_MEAN((i) >> 3, (i)&7) << 4)
#define MESH_LIGHT_8(mean, i)                                                                      \
    mean(i), mean((i) + 1), mean((i) + 2), mean((i) + 3), mean((i) + 4), mean((i) + 5),            \
        mean((i) + 6), mean((i) + 7)
#define MESH_LIGHT_64(mean, i)                                                                     \
    MESH_LIGHT_8(mean, i), MESH_LIGHT_8(mean, (i) + 8), MESH_LIGHT_8(mean, (i) + 16),              \
        MESH_LIGHT_8(mean, (i) + 24), MESH_LIGHT_8(mean, (i) + 32), MESH_LIGHT_8(mean, (i) + 40),  \
        MESH_LIGHT_8(mean, (i) + 48), MESH_LIGHT_8(mean, (i) + 56)
#define MESH_LIGHT_512(mean)                                                                       \
    MESH_LIGHT_64(mean, 0), MESH_LIGHT_64(mean, 64), MESH_LIGHT_64(mean, 128),                     \
        MESH_LIGHT_64(mean, 192), MESH_LIGHT_64(mean, 256), MESH_LIGHT_64(mean, 320),              \
        MESH_LIGHT_64(mean, 384), MESH_LIGHT_64(mean, 448)

const uint8_t trn_mesh_mean_sky[512] = {MESH_LIGHT_512(MESH_LIGHT_SKY)};
const uint8_t trn_mesh_mean_blocks[512] = {MESH_LIGHT_512(MESH_LIGHT_BLOCKS)};

static bool mesh_light_is_level(const TrnLight *light)
{
    return !light || light->constant < 1u << TRN_LIGHT_LEVELS ||
           light->constant == TRN_LIGHT_VARIES;
}

bool trn_mesh_light_is_valid(const TrnMeshInput *input)
{
    return mesh_light_is_level(input->sky) && mesh_light_is_level(input->blocks);
}

static TrnMeshLevels mesh_light_levels(const TrnLight *light, uint32_t otherwise)
{
    TrnMeshLevels levels = {.constant = light ? light->constant : otherwise};
    levels.planes = levels.constant == TRN_LIGHT_VARIES ? light->planes : NULL;
    return levels;
}

void trn_mesh_light_read(TrnMeshWork *work)
{
    work->levels[0] = mesh_light_levels(work->input->sky, (1u << TRN_LIGHT_LEVELS) - 1);
    work->levels[1] = mesh_light_levels(work->input->blocks, 0);
    work->has_light = work->levels[0].planes || work->levels[1].planes;
    work->light_low = TRN_MESH_EDGE; // nothing is prepared
}

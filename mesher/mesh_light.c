// Light: checks and reads the levels of an input. The kernels do the rest (mesh_kernels_light.h).

#include "mesh_kernels.h"

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

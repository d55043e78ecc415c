// The light of a chunk, solved in its mesh job.

#include "stream_light.h"

#include <stdalign.h>

#include "base/memory.h"

TrnResult trn_stream_light_create(const TrnAllocator *allocator, TrnStreamLight **light)
{
    TrnStreamLight *created = trn_take(allocator, sizeof *created, alignof(TrnStreamLight));
    if (!created) {
        return TRN_RESULT_NO_MEMORY;
    }
    const TrnResult result = trn_light_solver_create(allocator, &created->solver);
    if (result != TRN_RESULT_OK) {
        trn_give(allocator, created, sizeof *created);
        return result;
    }
    *light = created;
    return TRN_RESULT_OK;
}

void trn_stream_light_destroy(const TrnAllocator *allocator, TrnStreamLight *light)
{
    if (light) {
        trn_light_solver_destroy(light->solver);
        trn_give(allocator, light, sizeof *light);
    }
}

void trn_stream_light_solve(TrnStreamLight *light, const TrnBlockTypes *types,
                            TrnStreamMeshInput *input)
{
    TrnSnapshot around[TRN_AROUND_COUNT];
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) { // beyond the world there is air
        around[place] =
            input->present >> place & 1 ? input->around[place] : trn_snapshot_of(TRN_BLOCK_AIR, 0);
    }
    trn_light_read(light->solver, around, types);
    trn_light_sky(light->solver, NULL, &light->sky);
    trn_light_blocks(light->solver, NULL, &light->blocks);
    input->sky = &light->sky;
    input->blocks = &light->blocks;
}

/// Shared by tests of the mesher: blocks of a chunk, and meshes of it that are checked.
#pragma once

#include "mesh_stage.h"

static TrnBlock mesh_blocks[TRN_CHUNK_VOXELS]; ///< for a test to fill

static inline TrnBlock *blocks_of(TrnBlock block)
{
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        mesh_blocks[i] = block;
    }
    return mesh_blocks;
}

static inline void put(TrnBlock *blocks, int x, int y, int z, TrnBlock block)
{
    blocks[trn_local_index((uint32_t)x, (uint32_t)y, (uint32_t)z)] = block;
}

static inline TrnBlock *checkerboard(TrnBlock even, TrnBlock odd)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t sum = i % EDGE + i / EDGE % EDGE + i / (EDGE * EDGE);
        mesh_blocks[i] = sum % 2 ? odd : even;
    }
    return mesh_blocks;
}

/// Holds `below` under a layer, and `above` from there on.
static inline TrnBlock *layered(int layer, TrnBlock below, TrnBlock above)
{
    for (int i = 0; i < TRN_CHUNK_VOXELS; i++) {
        mesh_blocks[i] = i / (EDGE * EDGE) < layer ? below : above;
    }
    return mesh_blocks;
}

/// Encodes the centre and checks the mesh.
/// @return how many faces are visible
static inline uint32_t check_centre(Stage *stage, const TrnBlock *blocks)
{
    stage_encode(stage, CENTRE, blocks);
    return stage_check(stage);
}

/// A world with something of everything: ground with air below it, a pool with a rim of ice, ferns,
/// random stones and leaves.
static inline TrnBlock garden(const void *argument, int x, int y, int z)
{
    (void)argument;
    const uint32_t dice = ((uint32_t)(x + 64) * 73856093u ^ (uint32_t)(y + 64) * 19349663u ^
                           (uint32_t)(z + 64) * 83492791u) *
                              2654435761u >>
                          24;
    const bool is_pool = x > 3 && x < 20 && z > 5 && z < 25;
    if (y < 10) {
        return y < 2 ? AIR : y == 9 && is_pool ? dice < 200 ? WATER : ICE : y > 6 ? DIRT : STONE;
    }
    return y == 10 && !is_pool && dice < 40 ? FERN
           : dice > 252                     ? SAND
           : dice > 250                     ? GLASS
           : dice > 248                     ? LEAVES
                                            : AIR;
}

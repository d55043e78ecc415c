/// Shared by tests of the tools: generators whose every voxel is known.
#pragma once

#include <string.h>

#include <terrane/generator.h>

#include "testing.h"

/// Returns the block of one voxel; it may be slow.
typedef TrnBlock (*LandBlock)(int64_t x, int64_t y, int64_t z);

static inline TrnResult generate_land(void *user, TrnCoord coord, uint32_t level, TrnBlock *blocks,
                                      bool *uniform)
{
    assert_int_equal(level, 0); // tools read only level 0 here
    const LandBlock land = *(const LandBlock *)user;
    const TrnVoxel first = trn_coord_voxel(coord);
    bool same = true;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = land(first.x + (i & 31), first.y + (i >> 10), first.z + (i >> 5 & 31));
        same = same && blocks[i] == blocks[0];
    }
    *uniform = same;
    if (same) { // the generator promises only the first block of a uniform chunk
        memset(blocks + 1, 0x5A, (TRN_CHUNK_VOXELS - 1) * sizeof *blocks);
    }
    return TRN_RESULT_OK;
}

static inline TrnResult generate_nothing(void *user, TrnCoord coord, uint32_t level,
                                         TrnBlock *blocks, bool *uniform)
{
    (void)user;
    (void)coord;
    (void)level;
    (void)blocks;
    (void)uniform;
    return TRN_RESULT_NO_MEMORY;
}

static inline TrnGenerator land_generator(LandBlock *land)
{
    return (TrnGenerator){.generate = generate_land, .user = land};
}

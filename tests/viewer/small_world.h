/// Shared by tests of the player: a store with a counting allocator, single blocks, and generated
/// land.
#pragma once

#include "position.h"

#include <terrane/terrain.h>

typedef struct SmallWorld {
    TrnStore *store;
    TestAllocator memory;
    TrnBlock ladder;
} SmallWorld;

static inline void small_begin(SmallWorld *world)
{
    memset(world, 0, sizeof *world);
    const TrnAllocator allocator = test_allocator(&world->memory);
    TrnStoreDef def = trn_store_def();
    def.allocator = &allocator;
    assert_int_equal(trn_store_create(&def, &world->store), TRN_RESULT_OK);
    TrnBlockType ladder = trn_block_type_def("test:ladder", TRN_BLOCK_KIND_TRANSPARENT);
    ladder.is_solid = false;
    ladder.is_climbable = true;
    assert_int_equal(
        trn_block_types_add(trn_store_block_types(world->store), &ladder, &world->ladder),
        TRN_RESULT_OK);
}

static inline void small_end(SmallWorld *world)
{
    trn_store_destroy(world->store);
    assert_int_equal(world->memory.live_blocks, 0);
}

/// Fills a chunk with one block.
static inline void small_fill(SmallWorld *world, TrnCoord coord, TrnBlock block)
{
    TrnChunk *chunk = trn_store_find(world->store, coord);
    if (!chunk) {
        assert_int_equal(trn_store_insert_uniform(world->store, coord, TRN_BLOCK_AIR, &chunk),
                         TRN_RESULT_OK);
    }
    trn_store_fill(world->store, chunk, block);
}

/// Inserts the chunks around the origin, with stone below y 0 and air above.
static inline void small_flat(SmallWorld *world, int32_t radius)
{
    TrnCoord coord;
    for (coord.y = -1; coord.y <= 1; coord.y++) {
        for (coord.z = -radius; coord.z < radius; coord.z++) {
            for (coord.x = -radius; coord.x < radius; coord.x++) {
                small_fill(world, coord, (TrnBlock)(coord.y < 0 ? TRN_BLOCK_STONE : TRN_BLOCK_AIR));
            }
        }
    }
}

/// Fills a box, both corners inclusive, {x, y, z} each.
static inline void small_box(SmallWorld *world, const int64_t min[3], const int64_t max[3],
                             TrnBlock block)
{
    for (int64_t y = min[1]; y <= max[1]; y++) {
        for (int64_t z = min[2]; z <= max[2]; z++) {
            for (int64_t x = min[0]; x <= max[0]; x++) {
                const TrnVoxel at = {x, y, z};
                if (!trn_store_find(world->store, trn_voxel_chunk(at))) {
                    small_fill(world, trn_voxel_chunk(at), TRN_BLOCK_AIR);
                }
                assert_int_equal(trn_store_set_block(world->store, at, block, NULL), TRN_RESULT_OK);
            }
        }
    }
}

/// Inserts generated chunks, both corners inclusive.
static inline void small_land(SmallWorld *world, TrnTerrain *terrain, TrnCoord min, TrnCoord max)
{
    TrnBlock *const blocks = calloc((size_t)TRN_CHUNK_VOXELS, sizeof *blocks);
    assert_non_null(blocks);
    TrnCoord coord;
    for (coord.y = min.y; coord.y <= max.y; coord.y++) {
        for (coord.z = min.z; coord.z <= max.z; coord.z++) {
            for (coord.x = min.x; coord.x <= max.x; coord.x++) {
                bool uniform;
                TrnChunk *chunk;
                if (trn_store_find(world->store, coord)) {
                    continue;
                }
                trn_terrain_generate(terrain, coord, blocks, &uniform);
                assert_int_equal(
                    trn_store_insert_uniform(world->store, coord, TRN_BLOCK_AIR, &chunk),
                    TRN_RESULT_OK);
                assert_int_equal(uniform ? trn_store_fill(world->store, chunk, blocks[0])
                                         : trn_store_set_voxels(world->store, chunk, blocks),
                                 TRN_RESULT_OK);
            }
        }
    }
    free(blocks);
}

/// A small world for tests of fluids: a box of chunks in a store, its block types, and a fluid of
/// water and lava.
#pragma once

#include <terrane/batch.h>
#include <terrane/fluid.h>
#include <terrane/history.h>

#include "testing.h"

enum {
    WORLD_AIR,
    WORLD_STONE,
    WORLD_GRASS, // a plant
    WORLD_COBBLE,
    WORLD_OBSIDIAN,
    WORLD_WATER,                  // 9 blocks
    WORLD_LAVA = WORLD_WATER + 9, // 9 blocks
    WORLD_KELP = WORLD_LAVA + 9   // a plant in water
};

/// Variants of a liquid.
#define WORLD_FALLING TRN_FLUID_FALLING

typedef struct FluidWorld {
    TrnBlockTypes *types;
    TrnStore *store;
    TrnFluid *fluid;
    TrnFluidLiquid liquids[2];
    TrnFluidReaction reactions[2];
    TrnFluidDef def; ///< of the fluid
} FluidWorld;

static inline void world_add_type(TrnBlockTypes *types, const char *name, TrnBlockKind kind,
                                  TrnBlock expected)
{
    const TrnBlockType type = trn_block_type_def(name, kind);
    TrnBlock id;
    assert_int_equal(trn_block_types_add(types, &type, &id), TRN_RESULT_OK);
    assert_int_equal(id, expected);
}

static inline TrnBlockTypes *world_types(void)
{
    TrnBlockTypes *types;
    assert_int_equal(trn_block_types_create(NULL, &types), TRN_RESULT_OK);
    world_add_type(types, "test:stone", TRN_BLOCK_KIND_OPAQUE, WORLD_STONE);
    world_add_type(types, "test:grass", TRN_BLOCK_KIND_PLANT, WORLD_GRASS);
    world_add_type(types, "test:cobble", TRN_BLOCK_KIND_OPAQUE, WORLD_COBBLE);
    world_add_type(types, "test:obsidian", TRN_BLOCK_KIND_OPAQUE, WORLD_OBSIDIAN);
    for (int i = 0; i < 18; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "test:%s%d", i < 9 ? "water" : "lava", i % 9);
        world_add_type(types, name, TRN_BLOCK_KIND_LIQUID, (TrnBlock)(WORLD_WATER + i));
    }
    TrnBlockType kelp = trn_block_type_def("test:kelp", TRN_BLOCK_KIND_PLANT);
    kelp.liquid = WORLD_WATER;
    assert_int_equal(trn_block_types_add(types, &kelp, NULL), TRN_RESULT_OK);
    return types;
}

/// Sets water and lava as in `world->def`: water every step, lava every third.
static inline void world_liquids(FluidWorld *world)
{
    for (int i = 0; i < 9; i++) {
        world->liquids[0].blocks[i] = (TrnBlock)(WORLD_WATER + i);
        world->liquids[1].blocks[i] = (TrnBlock)(WORLD_LAVA + i);
    }
    world->liquids[0].delay = 1;
    world->liquids[0].decay = 1;
    world->liquids[0].drop_voxels = 4;
    world->liquids[0].renews = true;
    world->liquids[1].delay = 3;
    world->liquids[1].decay = 2;
    world->liquids[1].drop_voxels = 2;
    world->liquids[1].renews = false;
    world->reactions[0] = (TrnFluidReaction){1, 0, WORLD_OBSIDIAN, WORLD_COBBLE};
    world->def = trn_fluid_def();
    world->def.liquids = world->liquids;
    world->def.liquid_count = 2;
    world->def.reactions = world->reactions;
    world->def.reaction_count = 1;
}

/// Makes a store without chunks, and a fluid. Call world_liquids() first, and change what you need.
static inline void world_open(FluidWorld *world, const TrnAllocator *allocator)
{
    world->types = world_types();
    TrnStoreDef def = trn_store_def();
    def.types = world->types;
    def.allocator = allocator;
    assert_int_equal(trn_store_create(&def, &world->store), TRN_RESULT_OK);
    assert_int_equal(trn_fluid_create(world->store, &world->def, &world->fluid), TRN_RESULT_OK);
}

static inline void world_close(FluidWorld *world)
{
    trn_fluid_destroy(world->fluid);
    trn_store_destroy(world->store);
    trn_block_types_destroy(world->types);
}

/// Loads the chunks of a box as air above a floor: the lowest layer of its lowest chunks is stone.
static inline void world_load(FluidWorld *world, TrnBox box)
{
    static TrnBlock floor[TRN_CHUNK_VOXELS];
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        floor[i] = i < TRN_CHUNK_EDGE * TRN_CHUNK_EDGE ? WORLD_STONE : WORLD_AIR;
    }
    for (int64_t y = box.min.y; y <= box.max.y; y++) {
        for (int64_t z = box.min.z; z <= box.max.z; z++) {
            for (int64_t x = box.min.x; x <= box.max.x; x++) {
                const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                const TrnResult result =
                    y == box.min.y ? trn_store_insert_voxels(world->store, coord, floor, NULL)
                                   : trn_store_insert_uniform(world->store, coord, WORLD_AIR, NULL);
                assert_int_equal(result, TRN_RESULT_OK);
            }
        }
    }
}

/// A world of 3 x 2 x 3 chunks around the chunk 0, 0, 0, which is the lowest in the middle.
static inline void world_start(FluidWorld *world)
{
    *world = (FluidWorld){0};
    world_liquids(world);
    world_open(world, NULL);
    world_load(world, (TrnBox){{-1, 0, -1}, {1, 1, 1}});
}

static inline void world_set(FluidWorld *world, int64_t x, int64_t y, int64_t z, TrnBlock block)
{
    const TrnVoxel voxel = {x, y, z};
    assert_int_equal(trn_store_set_block(world->store, voxel, block, NULL), TRN_RESULT_OK);
}

static inline void world_fill(FluidWorld *world, TrnVoxel min, TrnVoxel max, TrnBlock block)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(world->store, NULL, &batch), TRN_RESULT_OK);
    (void)trn_batch_fill_box(batch, min, max, block);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
}

static inline TrnBlock world_get(const FluidWorld *world, int64_t x, int64_t y, int64_t z)
{
    TrnBlock block;
    const TrnVoxel voxel = {x, y, z};
    assert_int_equal(trn_store_get_block(world->store, voxel, &block), TRN_RESULT_OK);
    return block;
}

/// Which variant of a liquid a voxel is; -1: it is another block.
static inline int world_level(const FluidWorld *world, TrnBlock liquid, int64_t x, int64_t y,
                              int64_t z)
{
    const int variant = world_get(world, x, y, z) - liquid;
    return variant >= 0 && variant <= WORLD_FALLING ? variant : -1;
}

static inline TrnFluidOutcome world_step(FluidWorld *world)
{
    TrnFluidOutcome outcome;
    assert_int_equal(trn_fluid_step(world->fluid, &outcome), TRN_RESULT_OK);
    return outcome;
}

/// Steps until nothing is due. @return how many steps
static inline uint32_t world_rest(FluidWorld *world)
{
    uint32_t steps = 0;
    for (; trn_fluid_stats(world->fluid).due_voxels > 0; steps++) {
        assert_true(steps < 5000);
        (void)world_step(world);
    }
    return steps;
}

/// Hashes all loaded chunks of a box, and which they are.
static inline uint64_t world_hash(const FluidWorld *world, TrnBox box)
{
    uint64_t hash = 1;
    for (int64_t y = box.min.y; y <= box.max.y; y++) {
        for (int64_t z = box.min.z; z <= box.max.z; z++) {
            for (int64_t x = box.min.x; x <= box.max.x; x++) {
                const TrnCoord coord = {(int32_t)x, (int32_t)y, (int32_t)z};
                TrnSnapshot snapshot;
                hash = hash * 0x9E3779B97F4A7C15u + 1;
                if (trn_store_snapshot(world->store, coord, &snapshot) == TRN_RESULT_OK) {
                    hash ^= trn_snapshot_hash(snapshot);
                }
            }
        }
    }
    return hash;
}

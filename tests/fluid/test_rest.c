// Liquids at rest are at rest: once nothing is due, looking at all liquids of a generated land with
// springs of water and lava changes no voxel.

#include "fluid_world.h"

#include <terrane/terrain.h>

#define BOX ((TrnBox){{-3, -1, -3}, {3, 2, 3}})

/// Loads the generated land of the box, with other coordinates by its number.
static void load_land(FluidWorld *world, TrnTerrain *terrain, int32_t number)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    for (int32_t y = BOX.min.y; y <= BOX.max.y; y++) {
        for (int32_t z = BOX.min.z; z <= BOX.max.z; z++) {
            for (int32_t x = BOX.min.x; x <= BOX.max.x; x++) {
                bool uniform;
                const TrnCoord from = {x + number * 100, y, z - number * 70};
                assert_int_equal(trn_terrain_generate(terrain, from, blocks, &uniform),
                                 TRN_RESULT_OK);
                for (uint32_t i = 1; uniform && i < TRN_CHUNK_VOXELS; i++) {
                    blocks[i] = blocks[0];
                }
                assert_int_equal(
                    trn_store_insert_voxels(world->store, (TrnCoord){x, y, z}, blocks, NULL),
                    TRN_RESULT_OK);
            }
        }
    }
}

/// Puts springs on the ground, and digs holes and pits near them.
static void add_springs(FluidWorld *world, TestRandom *random)
{
    for (uint32_t i = 0; i < 40; i++) {
        const int64_t x = test_random_range(random, -90, 120);
        const int64_t z = test_random_range(random, -90, 120);
        int64_t y = 90;
        while (y > -30 && world_get(world, x, y - 1, z) == TRN_BLOCK_AIR) {
            y--;
        }
        world_set(world, x, y, z, i % 2 ? TRN_BLOCK_WATER : TRN_BLOCK_LAVA);
        for (uint32_t k = 0; k < 6; k++) {
            const int64_t at[3] = {x + test_random_range(random, -5, 5),
                                   y - test_random_range(random, 0, 2),
                                   z + test_random_range(random, -5, 5)};
            world_set(world, at[0], at[1], at[2], k % 3 ? TRN_BLOCK_AIR : TRN_BLOCK_STONE);
        }
    }
}

static void wake_all(FluidWorld *world)
{
    for (int32_t y = BOX.min.y; y <= BOX.max.y; y++) {
        for (int32_t z = BOX.min.z; z <= BOX.max.z; z++) {
            for (int32_t x = BOX.min.x; x <= BOX.max.x; x++) {
                assert_int_equal(trn_fluid_wake(world->fluid, (TrnCoord){x, y, z}), TRN_RESULT_OK);
            }
        }
    }
}

static void open_land(FluidWorld *world)
{
    *world = (FluidWorld){0};
    world_liquids(world);
    assert_int_equal(trn_block_types_create_builtin(NULL, &world->types), TRN_RESULT_OK);
    TrnStoreDef def = trn_store_def();
    def.types = world->types;
    assert_int_equal(trn_store_create(&def, &world->store), TRN_RESULT_OK);
    assert_int_equal(trn_fluid_water(world->types, &world->liquids[0]), TRN_RESULT_OK);
    assert_int_equal(trn_fluid_lava(world->types, &world->liquids[1]), TRN_RESULT_OK);
    world->liquids[0].delay = 1;
    world->liquids[1].delay = 3;
    world->reactions[0] = (TrnFluidReaction){1, 0, TRN_BLOCK_STONE, TRN_BLOCK_STONE};
    world->def.budget_voxels = UINT32_MAX;
    assert_int_equal(trn_fluid_create(world->store, &world->def, &world->fluid), TRN_RESULT_OK);
}

static void a_rested_land_stays_as_it_is(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(52);
    TrnTerrain *terrain;
    assert_int_equal(trn_terrain_create(NULL, &terrain), TRN_RESULT_OK);
    for (int32_t number = 0; number < (int32_t)test_rounds(6, 2); number++) {
        FluidWorld world;
        open_land(&world);
        load_land(&world, terrain, number);
        add_springs(&world, &random);
        wake_all(&world);
        (void)world_rest(&world);
        const uint64_t rested = trn_fluid_stats(world.fluid).changed_voxels;
        assert_true(rested > 1000);
        add_springs(&world, &random);
        (void)world_rest(&world);
        const uint64_t before = trn_fluid_stats(world.fluid).changed_voxels;
        assert_true(before > rested);
        wake_all(&world);
        (void)world_rest(&world);
        printf("  land %d: %llu then %llu voxels changed\n", (int)number,
               (unsigned long long)before,
               (unsigned long long)(trn_fluid_stats(world.fluid).changed_voxels - before));
        assert_int_equal(trn_fluid_stats(world.fluid).changed_voxels, before);
        world_close(&world);
    }
    trn_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rested_land_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// How liquids flow, rule by rule. See also test_model.c (random worlds), test_replay.c
// (determinism), test_limits.c (memory, budgets, the ends of the world) and test_saved.c.

#include "fluid_world.h"

static void water_spreads_seven_voxels_on_flat_ground(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    world_set(&world, 16, 1, 16, WORLD_WATER);
    assert_int_equal(world_level(&world, WORLD_WATER, 17, 1, 16), -1);
    for (int far = 1; far <= 7; far++) {
        (void)world_step(&world);
        assert_int_equal(world_level(&world, WORLD_WATER, 16 + far, 1, 16), far);
        assert_int_equal(world_level(&world, WORLD_WATER, 17 + far, 1, 16), -1);
    }
    world_rest(&world);
    for (int dz = -9; dz <= 9; dz++) {
        for (int dx = -9; dx <= 9; dx++) {
            const int far = abs(dx) + abs(dz);
            assert_int_equal(world_level(&world, WORLD_WATER, 16 + dx, 1, 16 + dz),
                             far <= 7 ? far : -1);
        }
    }
    assert_int_equal(world_level(&world, WORLD_WATER, 16, 2, 16), -1);
    world_close(&world);
}

static void lava_is_slow_and_spreads_three_voxels(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    world_set(&world, 16, 1, 16, WORLD_LAVA);
    uint32_t steps = 0;
    for (; world_level(&world, WORLD_LAVA, 19, 1, 16) < 0; steps++) {
        assert_true(steps < 100);
        (void)world_step(&world);
    }
    assert_in_range(steps, 7, 9); // three spreads, each at a multiple of three
    world_rest(&world);
    for (int far = 0; far <= 3; far++) {
        assert_int_equal(world_level(&world, WORLD_LAVA, 16 + far, 1, 16), 2 * far);
    }
    assert_int_equal(world_level(&world, WORLD_LAVA, 20, 1, 16), -1);
    world_close(&world);
}

static void water_falls_and_spreads_at_the_bottom(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    world_set(&world, 16, 40, 16, WORLD_WATER); // in the upper chunk
    world_rest(&world);
    for (int y = 39; y >= 1; y--) {
        assert_int_equal(world_level(&world, WORLD_WATER, 16, y, 16), WORLD_FALLING);
    }
    for (int y = 2; y <= 40; y++) {
        assert_int_equal(world_level(&world, WORLD_WATER, 17, y, 16), -1);
    }
    for (int far = 1; far <= 7; far++) {
        assert_int_equal(world_level(&world, WORLD_WATER, 16, 1, 16 - far), far);
    }
    world_close(&world);
}

static void water_dries_up_without_its_source(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    const TrnBox box = {{-1, 0, -1}, {1, 1, 1}};
    const uint64_t dry = world_hash(&world, box);
    world_set(&world, 16, 20, 16, WORLD_WATER);
    world_set(&world, 30, 1, 30, WORLD_LAVA);
    world_rest(&world);
    assert_true(world_hash(&world, box) != dry);
    world_set(&world, 16, 20, 16, WORLD_AIR);
    world_set(&world, 30, 1, 30, WORLD_AIR);
    world_rest(&world);
    assert_true(world_hash(&world, box) == dry);
    world_close(&world);
}

/// Digs a hole into the floor.
static void dig(FluidWorld *world, int64_t x, int64_t z)
{
    world_set(world, x, 0, z, WORLD_AIR);
}

static void water_takes_the_way_to_the_nearest_drop(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    world_load(&world, (TrnBox){{0, -1, 0}, {0, -1, 0}});
    dig(&world, 21, 16); // 4 voxels beyond the eastern side
    dig(&world, 16, 10); // 5 beyond the northern one
    world_set(&world, 16, 1, 16, WORLD_WATER);
    world_rest(&world);
    for (int x = 17; x <= 21; x++) {
        assert_int_equal(world_level(&world, WORLD_WATER, x, 1, 16), x - 16);
    }
    assert_int_equal(world_level(&world, WORLD_WATER, 15, 1, 16), -1);
    assert_int_equal(world_level(&world, WORLD_WATER, 16, 1, 15), -1);
    assert_int_equal(world_level(&world, WORLD_WATER, 16, 1, 17), -1);
    assert_int_equal(world_level(&world, WORLD_WATER, 22, 1, 16), -1);
    assert_int_equal(world_level(&world, WORLD_WATER, 21, 0, 16), WORLD_FALLING);
    world_close(&world);
}

static void water_goes_both_ways_to_drops_equally_near(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    dig(&world, 18, 16);
    dig(&world, 14, 16);
    world_set(&world, 16, 1, 16, WORLD_WATER);
    world_rest(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 17, 1, 16), 1);
    assert_int_equal(world_level(&world, WORLD_WATER, 15, 1, 16), 1);
    assert_int_equal(world_level(&world, WORLD_WATER, 16, 1, 17), -1);
    world_close(&world);
}

static void a_drop_behind_a_wall_or_too_far_does_not_count(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    dig(&world, 19, 16);
    world_fill(&world, (TrnVoxel){18, 1, 8}, (TrnVoxel){18, 1, 24}, WORLD_STONE);
    dig(&world, 16, 22); // 5 beyond a side
    world_set(&world, 16, 1, 16, WORLD_WATER);
    (void)world_step(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 15, 1, 16), 1);
    assert_int_equal(world_level(&world, WORLD_WATER, 17, 1, 16), 1);
    assert_int_equal(world_level(&world, WORLD_WATER, 16, 1, 15), 1);
    assert_int_equal(world_level(&world, WORLD_WATER, 16, 1, 17), 1);
    world_close(&world);
}

static void water_replaces_plants_and_nothing_else(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    world_set(&world, 17, 1, 16, WORLD_GRASS);
    world_set(&world, 15, 1, 16, WORLD_COBBLE);
    world_set(&world, 16, 1, 16, WORLD_WATER);
    world_rest(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 17, 1, 16), 1);
    assert_int_equal(world_get(&world, 15, 1, 16), WORLD_COBBLE);
    assert_int_equal(world_get(&world, 16, 0, 16), WORLD_STONE);
    world_close(&world);
}

/// A sea of 5 voxels up to y = 8, in a block of stone, west of x = 16.
static void water_flows_out_of_a_plant_that_stands_in_it(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    world_set(&world, 16, 1, 16, WORLD_WATER);
    world_set(&world, 17, 1, 16, WORLD_KELP);
    world_rest(&world);
    assert_int_equal(world_get(&world, 17, 1, 16), WORLD_KELP);
    assert_int_equal(world_level(&world, WORLD_WATER, 18, 1, 16), 1);
    world_set(&world, 17, 1, 16, WORLD_AIR); // between the source and what flowed out
    world_rest(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 17, 1, 16), 1);
    world_close(&world);
}

static void sea_start(FluidWorld *world, bool has_sea)
{
    *world = (FluidWorld){0};
    world_liquids(world);
    world->liquids[0].has_sea = has_sea;
    world->liquids[0].sea_y = 8;
    world_open(world, NULL);
    world_load(world, (TrnBox){{-1, 0, -1}, {1, 1, 1}});
    world_fill(world, (TrnVoxel){-32, 1, -32}, (TrnVoxel){63, 8, 63}, WORLD_STONE);
    world_fill(world, (TrnVoxel){0, 4, 0}, (TrnVoxel){15, 8, 31}, WORLD_WATER);
    world_rest(world);
}

static void a_sea_fills_the_pit_that_one_digs_beside_it(void **state)
{
    (void)state;
    FluidWorld world;
    sea_start(&world, true);
    const TrnBox box = {{-1, 0, -1}, {1, 1, 1}};
    const uint64_t sea = world_hash(&world, box);
    for (uint32_t i = 0; i < 5; i++) {
        (void)world_step(&world);
    }
    assert_true(world_hash(&world, box) == sea); // it stands
    world_fill(&world, (TrnVoxel){16, 2, 10}, (TrnVoxel){26, 12, 20}, WORLD_AIR);
    world_rest(&world);
    for (int y = 2; y <= 9; y++) { // also below the bottom of the sea
        for (int z = 10; z <= 20; z++) {
            for (int x = 16; x <= 26; x++) {
                assert_int_equal(world_level(&world, WORLD_WATER, x, y, z), y <= 8 ? 0 : -1);
            }
        }
    }
    world_close(&world);
}

static void without_a_sea_level_a_pit_gets_flows(void **state)
{
    (void)state;
    FluidWorld world;
    sea_start(&world, false);
    world_fill(&world, (TrnVoxel){16, 4, 10}, (TrnVoxel){26, 8, 20}, WORLD_AIR);
    world_rest(&world);
    for (int x = 17; x <= 22; x++) {
        assert_int_equal(world_level(&world, WORLD_WATER, x, 8, 15), -1); // they fall
        assert_int_equal(world_level(&world, WORLD_WATER, x, 4, 15), x - 16);
    }
    world_close(&world);
}

static void lava_does_not_renew(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    world_set(&world, 15, 1, 16, WORLD_LAVA);
    world_set(&world, 17, 1, 16, WORLD_LAVA);
    world_set(&world, 15, 1, 26, WORLD_WATER);
    world_set(&world, 17, 1, 26, WORLD_WATER);
    world_set(&world, 16, 1, 21, WORLD_STONE);
    world_fill(&world, (TrnVoxel){-32, 1, 21}, (TrnVoxel){63, 3, 21}, WORLD_STONE);
    world_rest(&world);
    assert_int_equal(world_level(&world, WORLD_LAVA, 16, 1, 16), 2);
    assert_int_equal(world_level(&world, WORLD_WATER, 16, 1, 26), 0);
    world_close(&world);
}

static void lava_that_touches_water_becomes_stone(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    world_set(&world, 16, 1, 16, WORLD_LAVA);
    world_rest(&world);
    world_set(&world, 22, 1, 16, WORLD_WATER);
    for (uint32_t i = 0; i < 40; i++) {
        (void)world_step(&world);
    }
    uint32_t cobble = 0, water = 0;
    for (int x = 8; x < 32; x++) {
        for (int z = 4; z < 28; z++) {
            cobble += world_get(&world, x, 1, z) == WORLD_COBBLE;
            water += world_level(&world, WORLD_WATER, x, 1, z) >= 0;
        }
    }
    assert_true(cobble > 0 && water > 20);
    assert_int_equal(world_level(&world, WORLD_WATER, 22, 1, 16), 0);
    // Water pours over the source.
    world_set(&world, 16, 2, 16, WORLD_WATER);
    world_rest(&world);
    assert_int_equal(world_get(&world, 16, 1, 16), WORLD_OBSIDIAN);
    world_close(&world);
}

static void changes_of_every_kind_wake_liquids(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    world_fill(&world, (TrnVoxel){15, 1, 15}, (TrnVoxel){17, 2, 17}, WORLD_STONE);
    world_set(&world, 16, 2, 16, WORLD_WATER);
    world_rest(&world);
    TrnChunk *chunk = trn_store_find(world.store, (TrnCoord){0, 0, 0});
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    trn_snapshot_decode(trn_voxels_snapshot(&chunk->voxels), blocks);
    blocks[trn_local_index(17, 2, 16)] = WORLD_AIR;
    assert_int_equal(trn_store_set_voxels(world.store, chunk, blocks), TRN_RESULT_OK);
    (void)world_step(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 17, 2, 16), 1);

    TrnVoxelEdit edit;
    assert_int_equal(trn_store_edit_begin(world.store, chunk, &edit), TRN_RESULT_OK);
    assert_int_equal(trn_voxel_edit_set(&edit, trn_local_index(15, 2, 16), WORLD_AIR),
                     TRN_RESULT_OK);
    assert_true(trn_store_edit_commit(world.store, &edit));
    (void)world_step(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 15, 2, 16), 1);

    world_set(&world, 31, 1, 5, WORLD_WATER); // at the border to a chunk that is filled with air
    world_rest(&world);
    TrnChunk *east = trn_store_find(world.store, (TrnCoord){1, 0, 0});
    assert_int_equal(world_level(&world, WORLD_WATER, 32, 1, 5), 1);
    assert_int_equal(trn_store_fill(world.store, east, WORLD_STONE), TRN_RESULT_OK);
    world_rest(&world);
    assert_int_equal(trn_store_fill(world.store, east, WORLD_AIR), TRN_RESULT_OK);
    (void)world_step(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 32, 1, 5), 1);
    world_close(&world);
}

static void undo_of_a_dam_stops_the_flow(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    const TrnBox box = {{-1, 0, -1}, {1, 1, 1}};
    world_fill(&world, (TrnVoxel){15, 1, 15}, (TrnVoxel){17, 1, 17}, WORLD_STONE);
    world_set(&world, 16, 1, 16, WORLD_WATER);
    world_rest(&world);
    const uint64_t still = world_hash(&world, box);
    TrnHistory *history;
    assert_int_equal(trn_history_create(world.store, NULL, &history), TRN_RESULT_OK);
    TrnBatchDef def = trn_batch_def();
    def.history = history;
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(world.store, &def, &batch), TRN_RESULT_OK);
    (void)trn_batch_set(batch, (TrnVoxel){17, 1, 16}, WORLD_AIR);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    world_rest(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 23, 1, 16), 7);
    assert_int_equal(trn_history_stats(history).undo_groups, 1); // the flow is no step
    assert_int_equal(trn_history_undo(history, NULL), TRN_RESULT_OK);
    world_rest(&world);
    assert_true(world_hash(&world, box) == still);
    trn_history_destroy(history);
    world_close(&world);
}

static void a_fluid_that_is_off_notes_what_changes(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    trn_fluid_set_running(world.fluid, false);
    world_set(&world, 16, 1, 16, WORLD_WATER);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(world_step(&world).looked_voxels, 0);
    }
    assert_int_equal(world_level(&world, WORLD_WATER, 17, 1, 16), -1);
    assert_int_equal(trn_fluid_stats(world.fluid).steps, 0);
    trn_fluid_set_running(world.fluid, true);
    const TrnFluidOutcome outcome = world_step(&world);
    assert_int_equal(outcome.looked_voxels, 1);
    assert_int_equal(outcome.changed_voxels, 4);
    assert_true(outcome.revision == trn_store_revision(world.store));
    world_close(&world);
}

static void water_and_lava_have_presets(void **state)
{
    (void)state;
    TrnBlockTypes *types;
    TrnFluidLiquid water, lava = {.delay = 99};
    assert_int_equal(trn_block_types_create_builtin(NULL, &types), TRN_RESULT_OK);
    assert_int_equal(trn_fluid_water(types, &water), TRN_RESULT_OK);
    assert_int_equal(trn_fluid_lava(types, &lava), TRN_RESULT_OK);
    assert_int_equal(water.blocks[0], TRN_BLOCK_WATER);
    assert_int_equal(lava.blocks[0], TRN_BLOCK_LAVA);
    assert_true(water.renews && !lava.renews);
    assert_true(lava.delay > water.delay && lava.decay > water.decay);
    assert_int_equal(trn_fluid_water(types, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_fluid_lava(NULL, &lava), TRN_RESULT_BAD_ARGUMENT);
    trn_block_types_destroy(types);
    assert_int_equal(trn_block_types_create(NULL, &types), TRN_RESULT_OK); // has neither
    lava.delay = 99;
    assert_int_equal(trn_fluid_water(types, &lava), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_fluid_lava(types, &lava), TRN_RESULT_NOT_FOUND);
    assert_int_equal(lava.delay, 99);
    trn_block_types_destroy(types);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_spreads_seven_voxels_on_flat_ground),
        cmocka_unit_test(lava_is_slow_and_spreads_three_voxels),
        cmocka_unit_test(water_falls_and_spreads_at_the_bottom),
        cmocka_unit_test(water_dries_up_without_its_source),
        cmocka_unit_test(water_takes_the_way_to_the_nearest_drop),
        cmocka_unit_test(water_goes_both_ways_to_drops_equally_near),
        cmocka_unit_test(a_drop_behind_a_wall_or_too_far_does_not_count),
        cmocka_unit_test(water_replaces_plants_and_nothing_else),
        cmocka_unit_test(water_flows_out_of_a_plant_that_stands_in_it),
        cmocka_unit_test(a_sea_fills_the_pit_that_one_digs_beside_it),
        cmocka_unit_test(without_a_sea_level_a_pit_gets_flows),
        cmocka_unit_test(water_and_lava_have_presets),
        cmocka_unit_test(lava_does_not_renew),
        cmocka_unit_test(lava_that_touches_water_becomes_stone),
        cmocka_unit_test(changes_of_every_kind_wake_liquids),
        cmocka_unit_test(undo_of_a_dam_stops_the_flow),
        cmocka_unit_test(a_fluid_that_is_off_notes_what_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

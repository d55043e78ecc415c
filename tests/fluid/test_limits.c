// Limits of fluids: bad settings, failing memory, budgets, chunks that are missing or busy, the
// ends of the world, and damaged saved states.

#include "fluid_world.h"

#define BOX ((TrnBox){{-1, 0, -1}, {1, 1, 1}})

static TrnResult create_with(FluidWorld *world, const TrnFluidDef *def)
{
    TrnFluid *fluid = NULL;
    const TrnResult result = trn_fluid_create(world->store, def, &fluid);
    assert_true((result == TRN_RESULT_OK) == (fluid != NULL));
    trn_fluid_destroy(fluid);
    return result;
}

static void bad_settings_are_refused(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    assert_int_equal(create_with(&world, &world.def), TRN_RESULT_EXISTS);
    trn_fluid_destroy(world.fluid);
    world.fluid = NULL;
    trn_fluid_destroy(NULL);
    assert_int_equal(create_with(&world, NULL), TRN_RESULT_BAD_ARGUMENT);
    const TrnFluidDef none = trn_fluid_def();
    assert_int_equal(create_with(&world, &none), TRN_RESULT_BAD_ARGUMENT);
    for (uint32_t wrong = 0; wrong <= 14; wrong++) {
        TrnFluidLiquid liquids[2] = {world.liquids[0], world.liquids[1]};
        TrnFluidReaction reaction = world.reactions[0];
        TrnFluidDef def = world.def;
        def.liquids = liquids;
        def.reactions = &reaction;
        def.liquid_count = wrong == 1 ? 0 : wrong == 2 ? 5 : 2;
        liquids[1].delay = wrong != 3 ? 1 : 0;
        liquids[1].decay = wrong == 4 ? 0 : wrong == 5 ? 8 : 1;
        liquids[1].drop_voxels = wrong != 6 ? 5 : 6;
        liquids[1].blocks[8] = wrong == 7   ? WORLD_WATER
                               : wrong == 8 ? WORLD_STONE
                               : wrong == 9 ? 60000
                                            : WORLD_LAVA + 8;
        reaction.other = wrong == 10 ? 2 : wrong == 11 ? 1 : 0;
        reaction.flow = wrong != 12 ? WORLD_COBBLE : 60000;
        def.budget_voxels = wrong != 13 ? 64 : 63;
        def.reaction_count = wrong != 14 ? 1 : TRN_FLUID_REACTIONS_MAX + 1;
        assert_int_equal(create_with(&world, &def),
                         wrong ? TRN_RESULT_BAD_ARGUMENT : TRN_RESULT_OK);
    }
    world.def.bytes_max = 1000;
    assert_int_equal(create_with(&world, &world.def), TRN_RESULT_FULL);
    TrnFluidLiquid liquid;
    assert_int_equal(trn_fluid_liquid(world.types, WORLD_STONE, &liquid), TRN_RESULT_NOT_FOUND);
    assert_int_equal(trn_fluid_liquid(NULL, WORLD_STONE, &liquid), TRN_RESULT_BAD_ARGUMENT);
    TrnBlock slime;
    const TrnBlockType type = trn_block_type_def("test:slime", TRN_BLOCK_KIND_LIQUID);
    assert_int_equal(trn_block_types_add_family(world.types, &type, 9, &slime), TRN_RESULT_OK);
    assert_int_equal(trn_fluid_liquid(world.types, slime, &liquid), TRN_RESULT_OK);
    for (uint32_t i = 0; i <= TRN_FLUID_FALLING; i++) {
        assert_int_equal(trn_block_types_get(world.types, liquid.blocks[i])->variant, i);
        assert_int_equal(liquid.blocks[i], trn_block_types_variant(world.types, slime, i));
    }
    world_close(&world);
}

// ---- budgets -----------------------------------------------------------------------------------

static void a_budget_bounds_each_step_and_the_flow_ends_the_same(void **state)
{
    (void)state;
    uint64_t hashes[2];
    for (uint32_t i = 0; i < 2; i++) {
        FluidWorld world = {0};
        world_liquids(&world);
        world.def.budget_voxels = i ? 100 : UINT32_MAX;
        world_open(&world, NULL);
        world_load(&world, BOX);
        world_fill(&world, (TrnVoxel){0, 40, 0}, (TrnVoxel){20, 42, 20}, WORLD_WATER);
        uint32_t most = 0, steps = 0;
        for (; trn_fluid_stats(world.fluid).due_voxels > 0; steps++) {
            const TrnFluidOutcome outcome = world_step(&world);
            most = outcome.looked_voxels > most ? outcome.looked_voxels : most;
            assert_true(steps < 20000);
        }
        assert_true(i ? most <= 100 && steps > 200 : most > 1000);
        hashes[i] = world_hash(&world, BOX);
        world_close(&world);
    }
    assert_true(hashes[0] == hashes[1]); // here: without drops to choose from
}

// ---- chunks ------------------------------------------------------------------------------------

static void flows_wait_for_chunks_and_go_on_when_they_come(void **state)
{
    (void)state;
    FluidWorld world = {0};
    world_liquids(&world);
    world_open(&world, NULL);
    for (int32_t i = -1; i <= 1; i++) {
        world_load(&world, (TrnBox){{-1, -1, i}, {i ? 1 : 0, 1, i}}); // not the chunks to the east
    }
    world_fill(&world, (TrnVoxel){0, 0, 0}, (TrnVoxel){31, 0, 31}, WORLD_STONE);
    world_set(&world, 29, 1, 16, WORLD_WATER);
    world_rest(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 31, 1, 16), 2);
    TrnFluidStats stats = trn_fluid_stats(world.fluid);
    assert_true(stats.asleep_voxels > 0 && stats.asleep_sets > 0);
    // What sleeps stays as it is, also without its source.
    world_set(&world, 29, 1, 16, WORLD_AIR);
    world_rest(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 31, 1, 16), 2);
    assert_int_equal(world_level(&world, WORLD_WATER, 29, 1, 16), 4); // what sleeps feeds it
    world_set(&world, 29, 1, 16, WORLD_WATER);
    world_load(&world, (TrnBox){{1, -1, 0}, {1, 1, 0}});
    world_fill(&world, (TrnVoxel){32, 0, 0}, (TrnVoxel){63, 0, 31}, WORLD_STONE);
    world_rest(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 36, 1, 16), 7);
    world_close(&world);
}

static void a_due_chunk_that_is_unloaded_waits_for_itself(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    world_set(&world, 16, 5, 16, WORLD_WATER);
    const TrnCoord coord = {0, 0, 0};
    trn_snapshot_decode(trn_voxels_snapshot(&trn_store_find(world.store, coord)->voxels), blocks);
    assert_int_equal(trn_store_remove(world.store, coord), TRN_RESULT_OK);
    world_rest(&world);
    assert_int_equal(trn_fluid_stats(world.fluid).asleep_voxels, 1);
    assert_int_equal(trn_store_insert_voxels(world.store, coord, blocks, NULL), TRN_RESULT_OK);
    world_rest(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 16, 1, 16), WORLD_FALLING);
    assert_int_equal(trn_fluid_stats(world.fluid).asleep_voxels, 0);
    world_close(&world);
}

static void pending_edits_wake_liquids_when_their_chunk_comes(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    world_fill(&world, (TrnVoxel){15, 1, 15}, (TrnVoxel){17, 2, 17}, WORLD_STONE);
    world_set(&world, 16, 2, 16, WORLD_WATER);
    world_rest(&world);
    const TrnCoord coord = {0, 0, 0};
    trn_snapshot_decode(trn_voxels_snapshot(&trn_store_find(world.store, coord)->voxels), blocks);
    assert_int_equal(trn_store_remove(world.store, coord), TRN_RESULT_OK);
    world_fill(&world, (TrnVoxel){17, 2, 16}, (TrnVoxel){17, 2, 16}, WORLD_AIR);
    assert_int_equal(trn_store_insert_voxels(world.store, coord, blocks, NULL), TRN_RESULT_OK);
    world_rest(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, 18, 1, 16), WORLD_FALLING);
    world_close(&world);
}

static void a_step_beside_an_open_batch_can_be_repeated(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    world_set(&world, 16, 1, 16, WORLD_WATER);
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(world.store, NULL, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_set(batch, (TrnVoxel){1, 9, 1}, WORLD_STONE), TRN_RESULT_OK);
    const uint64_t before = world_hash(&world, BOX);
    for (uint32_t i = 0; i < 3; i++) {
        TrnFluidOutcome outcome = {.looked_voxels = 77};
        assert_int_equal(trn_fluid_step(world.fluid, &outcome), TRN_RESULT_BUSY);
        assert_int_equal(outcome.looked_voxels, 77);
        assert_true(world_hash(&world, BOX) == before);
        assert_int_equal(trn_fluid_stats(world.fluid).steps, 0);
    }
    trn_batch_cancel(batch);
    assert_int_equal(world_step(&world).changed_voxels, 4);
    world_close(&world);
}

static TrnResult step_again(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    const FluidWorld *world = user;
    (void)store, (void)event;
    assert_int_equal(trn_fluid_step(world->fluid, NULL), TRN_RESULT_BUSY);
    assert_int_equal(trn_fluid_load(world->fluid, NULL, 0), TRN_RESULT_BUSY);
    return TRN_RESULT_OK;
}

static void a_listener_of_a_step_cannot_step(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    world_set(&world, 16, 1, 16, WORLD_WATER);
    assert_int_equal(
        trn_store_subscribe(world.store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), step_again, &world),
        TRN_RESULT_OK);
    assert_int_equal(world_step(&world).changed_voxels, 4);
    world_close(&world);
}

static void liquids_stay_in_the_world(void **state)
{
    (void)state;
    FluidWorld world = {0};
    world_liquids(&world);
    world_open(&world, NULL);
    const TrnCoord coord = {INT32_MAX, INT32_MIN, INT32_MIN};
    const TrnCoord east = {INT32_MIN, INT32_MIN, INT32_MIN}; // where coordinates wrap
    assert_int_equal(trn_store_insert_uniform(world.store, coord, WORLD_AIR, NULL), TRN_RESULT_OK);
    assert_int_equal(trn_store_insert_uniform(world.store, east, WORLD_AIR, NULL), TRN_RESULT_OK);
    const TrnCoord others[] = {{INT32_MAX - 1, INT32_MIN, INT32_MIN},
                               {INT32_MAX, INT32_MIN + 1, INT32_MIN},
                               {INT32_MAX, INT32_MIN, INT32_MIN + 1}};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(trn_store_insert_uniform(world.store, others[i], WORLD_STONE, NULL),
                         TRN_RESULT_OK);
    }
    world_set(&world, TRN_VOXEL_MAX, TRN_VOXEL_MIN + 3, TRN_VOXEL_MIN, WORLD_WATER);
    world_rest(&world);
    assert_int_equal(world_level(&world, WORLD_WATER, TRN_VOXEL_MAX, TRN_VOXEL_MIN, TRN_VOXEL_MIN),
                     WORLD_FALLING);
    assert_int_equal(
        world_level(&world, WORLD_WATER, TRN_VOXEL_MAX - 7, TRN_VOXEL_MIN, TRN_VOXEL_MIN), 7);
    assert_int_equal(world_level(&world, WORLD_WATER, TRN_VOXEL_MIN, TRN_VOXEL_MIN, TRN_VOXEL_MIN),
                     -1);
    world_close(&world);
}

// ---- memory ------------------------------------------------------------------------------------

/// A scene with both liquids across borders, and chunks that are not loaded.
static void play_scene(FluidWorld *world)
{
    world_load(world, (TrnBox){{0, 0, 0}, {1, 1, 0}});
    world_set(world, 31, 34, 16, WORLD_WATER);
    world_set(world, 8, 1, 8, WORLD_LAVA);
    world_set(world, 12, 1, 8, WORLD_WATER);
}

/// Plays the scene, and checks each step. @return how many steps failed, once each
static uint32_t play_with_failures(TestAllocator *memory, size_t fail_at, uint64_t expected[40])
{
    const TrnAllocator allocator = test_allocator(memory);
    FluidWorld world = {0};
    uint32_t failures = 0;
    world_liquids(&world);
    world_open(&world, &allocator);
    play_scene(&world);
    test_fail(memory, fail_at, 0);
    for (uint32_t step = 0; step < 40; step++) {
        const uint64_t before = trn_store_revision(world.store);
        const TrnResult result = trn_fluid_step(world.fluid, NULL);
        if (result != TRN_RESULT_OK) {
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
            assert_true(trn_store_revision(world.store) == before);
            assert_int_equal(trn_fluid_step(world.fluid, NULL), TRN_RESULT_OK);
            failures++;
        }
        const uint64_t hash = world_hash(&world, (TrnBox){{0, 0, 0}, {1, 1, 0}});
        expected[step] = fail_at > 0 ? expected[step] : hash;
        assert_true(hash == expected[step]);
    }
    world_close(&world);
    assert_int_equal(memory->live_bytes, 0);
    return failures;
}

static void every_allocation_fails_once(void **state)
{
    (void)state;
    uint64_t expected[40];
    TestAllocator memory = {0};
    uint32_t failures = play_with_failures(&memory, 0, expected);
    assert_int_equal(failures, 0);
    const size_t allocations = memory.allocations;
    size_t tried = 0;
    for (size_t number = 1; number <= allocations; number += test_rounds(1, 3)) {
        const uint32_t failed = play_with_failures(&memory, number, expected);
        assert_true(failed <= 1);
        failures += failed;
        tried++;
    }
    assert_true(failures > tried / 8); // the others are made before the first step
}

static void changes_that_memory_refuses_are_noted_later(void **state)
{
    (void)state;
    TestAllocator memory = {0};
    const TrnAllocator allocator = test_allocator(&memory);
    FluidWorld world = {0};
    world_liquids(&world);
    world_open(&world, &allocator);
    world_load(&world, BOX);
    world_fill(&world, (TrnVoxel){15, 1, 15}, (TrnVoxel){17, 2, 17}, WORLD_STONE);
    world_set(&world, 16, 2, 16, WORLD_WATER);
    world_rest(&world);
    uint32_t missed = 0;
    for (size_t number = 1; number < 12; number++) {
        test_fail(&memory, number, number + 100);
        const TrnResult result = trn_store_set_block(world.store, (TrnVoxel){17, 2, 16},
                                                     number % 2 ? WORLD_AIR : WORLD_STONE, NULL);
        test_fail(&memory, 0, 0);
        missed += trn_fluid_stats(world.fluid).missed > missed;
        if (result == TRN_RESULT_OK) {
            world_rest(&world);
            while (trn_fluid_stats(world.fluid).missed > 0 && number % 2 &&
                   world_level(&world, WORLD_WATER, 17, 2, 16) < 0) {
                (void)world_step(&world); // finds out what it missed
            }
            assert_int_equal(world_level(&world, WORLD_WATER, 17, 2, 16), number % 2 ? 1 : -1);
        }
    }
    assert_true(missed > 0);
    world_close(&world);
    assert_int_equal(memory.live_bytes, 0);
}

static void a_fluid_at_its_cap_does_less_and_goes_on(void **state)
{
    (void)state;
    FluidWorld world;
    world_start(&world);
    world.def.bytes_max = trn_fluid_stats(world.fluid).bytes + 33000; // some sets
    trn_fluid_destroy(world.fluid);
    assert_int_equal(trn_fluid_create(world.store, &world.def, &world.fluid), TRN_RESULT_OK);
    world_fill(&world, (TrnVoxel){-30, 40, -30}, (TrnVoxel){60, 40, 60}, WORLD_WATER);
    for (uint32_t i = 0; trn_fluid_stats(world.fluid).due_voxels > 0; i++) {
        assert_true(i < 5000);
        (void)world_step(&world);
        const TrnFluidStats stats = trn_fluid_stats(world.fluid);
        assert_true(stats.bytes <= stats.bytes_max);
    }
    assert_true(trn_fluid_stats(world.fluid).capped_steps > 0);
    assert_int_equal(world_level(&world, WORLD_WATER, 16, 1, 16), WORLD_FALLING);
    world_close(&world);
}

// ---- saved states ------------------------------------------------------------------------------

static void damaged_states_are_refused(void **state)
{
    (void)state;
    FluidWorld world = {0};
    world_liquids(&world);
    world_open(&world, NULL);
    play_scene(&world);
    for (uint32_t i = 0; i < 7; i++) {
        (void)world_step(&world);
    }
    static unsigned char bytes[1 << 16], again[1 << 16], cut[1 << 16];
    const size_t size = trn_fluid_save(world.fluid, bytes, sizeof bytes);
    assert_in_range(size, 100, sizeof bytes);
    uint32_t taken = 0;
    for (size_t length = 0; length < size; length++) {
        assert_int_equal(trn_fluid_save(world.fluid, cut, length), size);
        assert_memory_equal(cut, bytes, length);
        const TrnResult result = trn_fluid_load(world.fluid, bytes, length);
        if (result == TRN_RESULT_OK) { // it ends between two sets
            taken++;
            assert_int_equal(trn_fluid_save(world.fluid, again, sizeof again), length);
            assert_int_equal(trn_fluid_load(world.fluid, bytes, size), TRN_RESULT_OK);
        } else {
            assert_int_equal(result, TRN_RESULT_CORRUPT);
        }
        assert_int_equal(trn_fluid_save(world.fluid, again, sizeof again), size);
        assert_memory_equal(again, bytes, size);
    }
    assert_true(taken < 20);
    TestRandom random = test_random_seeded(5);
    for (uint32_t i = test_rounds(20000, 2000); i > 0; i--) {
        memcpy(cut, bytes, size);
        for (int64_t k = test_random_range(&random, 1, 3); k > 0; k--) {
            cut[test_random_range(&random, 0, (int64_t)size - 1)] ^=
                (unsigned char)(1u << test_random_range(&random, 0, 7));
        }
        const TrnResult result = trn_fluid_load(world.fluid, cut, size);
        assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_CORRUPT);
        if (result == TRN_RESULT_OK) {
            assert_int_equal(trn_fluid_save(world.fluid, again, sizeof again), size);
            assert_memory_equal(again, cut, size);
            (void)trn_fluid_step(world.fluid, NULL);
        }
    }
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_settings_are_refused),
        cmocka_unit_test(a_budget_bounds_each_step_and_the_flow_ends_the_same),
        cmocka_unit_test(flows_wait_for_chunks_and_go_on_when_they_come),
        cmocka_unit_test(a_due_chunk_that_is_unloaded_waits_for_itself),
        cmocka_unit_test(pending_edits_wake_liquids_when_their_chunk_comes),
        cmocka_unit_test(a_step_beside_an_open_batch_can_be_repeated),
        cmocka_unit_test(a_listener_of_a_step_cannot_step),
        cmocka_unit_test(liquids_stay_in_the_world),
        cmocka_unit_test(every_allocation_fails_once),
        cmocka_unit_test(changes_that_memory_refuses_are_noted_later),
        cmocka_unit_test(a_fluid_at_its_cap_does_less_and_goes_on),
        cmocka_unit_test(damaged_states_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

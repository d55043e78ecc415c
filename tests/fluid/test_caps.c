// Fluids at their cap: chunks that are left behind, more voxels that are due than memory holds, the
// least caps, and chunks that come back after their voxels were dropped.

#include "fluid_world.h"

#define BOX ((TrnBox){{-1, 0, -1}, {1, 1, 1}})
#define CAP_SMALL ((size_t)1258291) // 1.2 MiB

/// A world of 3 x 2 x 3 chunks whose fluid has a cap.
static void start(FluidWorld *world, size_t bytes_max)
{
    *world = (FluidWorld){0};
    world_liquids(world);
    world->def.bytes_max = bytes_max;
    world_open(world, NULL);
    world_load(world, BOX);
}

static TrnCoord left_coord(uint32_t number)
{
    return (TrnCoord){100 + 2 * (int32_t)(number % 1000), 0, 100 + 2 * (int32_t)(number / 1000)};
}

/// Loads a chunk without neighbours, with a source at its edge, and leaves it behind.
static void leave_chunk(FluidWorld *world, TrnCoord coord)
{
    const TrnVoxel base = trn_coord_voxel(coord);
    assert_int_equal(trn_store_insert_uniform(world->store, coord, WORLD_AIR, NULL), TRN_RESULT_OK);
    world_set(world, base.x, base.y + 5, base.z + 16, WORLD_WATER);
    (void)world_step(world);
    (void)world_step(world);
    assert_int_equal(trn_store_remove(world->store, coord), TRN_RESULT_OK);
}

/// Pours water in the world's middle until it rests. @return a hash of the world
static uint64_t pour(FluidWorld *world)
{
    world_set(world, 31, 40, 16, WORLD_WATER);
    (void)world_rest(world);
    assert_int_equal(world_level(world, WORLD_WATER, 31, 1, 16), WORLD_FALLING);
    assert_int_equal(world_level(world, WORLD_WATER, 38, 1, 16), 7);
    return world_hash(world, BOX);
}

static void water_moves_after_chunks_were_left_behind(void **state)
{
    (void)state;
    const size_t caps[] = {0, trn_fluid_def().bytes_max, CAP_SMALL};
    uint64_t hashes[3];
    for (uint32_t i = 0; i < 3; i++) {
        FluidWorld world;
        start(&world, caps[i]);
        const size_t empty = trn_fluid_stats(world.fluid).bytes;
        for (uint32_t number = 0; number < 8000; number++) {
            leave_chunk(&world, left_coord(number));
        }
        const TrnFluidStats stats = trn_fluid_stats(world.fluid);
        assert_true(caps[i] == CAP_SMALL ? stats.dropped_sets > 0 : stats.dropped_sets == 0);
        assert_true(stats.dropped_sets + stats.asleep_sets >= 8000);
        assert_true(stats.bytes - empty <= (size_t)stats.asleep_sets * 256 + 200000);
        hashes[i] = pour(&world);
        assert_true(hashes[i] == hashes[0]);
        world_close(&world);
    }
}

// ---- more than is due --------------------------------------------------------------------------

#define FALLS INT64_C(12) ///< by as many, one in a chunk each

static uint64_t run_waterfalls(size_t bytes_max, uint64_t *capped)
{
    FluidWorld world = {0};
    const TrnBox box = {{0, 0, 0}, {(int32_t)FALLS - 1, 2, (int32_t)FALLS - 1}};
    world_liquids(&world);
    world.def.bytes_max = bytes_max;
    world_open(&world, NULL);
    world_load(&world, box);
    for (int64_t i = 0; i < FALLS * FALLS; i++) {
        world_set(&world, i % FALLS * 32 + 16, 90, i / FALLS * 32 + 16, WORLD_WATER);
    }
    (void)world_rest(&world);
    const TrnFluidStats stats = trn_fluid_stats(world.fluid);
    assert_true(bytes_max == 0 || stats.bytes <= bytes_max);
    *capped = stats.capped_steps;
    const uint64_t hash = world_hash(&world, box);
    world_close(&world);
    return hash;
}

static void many_waterfalls_fall_with_little_memory(void **state)
{
    (void)state;
    uint64_t capped;
    const uint64_t expected = run_waterfalls(0, &capped);
    assert_int_equal(capped, 0);
    assert_true(run_waterfalls(CAP_SMALL, &capped) == expected);
}

// ---- the least caps ----------------------------------------------------------------------------

static void each_cap_is_refused_or_lets_water_move(void **state)
{
    (void)state;
    FluidWorld world;
    start(&world, 0);
    const size_t own = trn_fluid_stats(world.fluid).bytes;
    const uint64_t expected = pour(&world);
    uint32_t refused = 0, moved = 0;
    world_close(&world);
    for (size_t bytes_max = 1; bytes_max < own + 50000; bytes_max += moved ? 997 : own / 97) {
        start(&world, 0);
        trn_fluid_destroy(world.fluid);
        world.fluid = NULL;
        world.def.bytes_max = bytes_max;
        const TrnResult result = trn_fluid_create(world.store, &world.def, &world.fluid);
        if (result == TRN_RESULT_OK) {
            assert_true(pour(&world) == expected);
            assert_true(trn_fluid_stats(world.fluid).bytes <= bytes_max);
            moved++;
        } else {
            assert_int_equal(result, TRN_RESULT_FULL);
            assert_int_equal(moved, 0);
            refused++;
        }
        world_close(&world);
    }
    assert_true(refused > 50 && moved > 5);
}

// ---- coming back -------------------------------------------------------------------------------

#define LEFT 40000u ///< chunks: a hundred times what the cap of the test holds
#define BACK 50u    ///< of these come back

/// Loads a chunk again that was left behind, and the one whose lack its source waits for.
static void bring_back(FluidWorld *world, TrnCoord coord)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    memset(blocks, 0, sizeof blocks);
    blocks[trn_local_index(0, 5, 16)] = WORLD_WATER;
    assert_int_equal(trn_store_insert_voxels(world->store, coord, blocks, NULL), TRN_RESULT_OK);
    coord.x--;
    assert_int_equal(trn_store_insert_uniform(world->store, coord, WORLD_AIR, NULL), TRN_RESULT_OK);
}

static void check_back(FluidWorld *world, TrnCoord coord)
{
    const TrnVoxel base = trn_coord_voxel(coord);
    (void)world_rest(world);
    assert_int_equal(world_level(world, WORLD_WATER, base.x, base.y + 4, base.z + 16),
                     WORLD_FALLING);
}

static void start_with_few(FluidWorld *world)
{
    start(world, 0);
    world->def.bytes_max = trn_fluid_stats(world->fluid).bytes + 90000;
    trn_fluid_destroy(world->fluid);
    assert_int_equal(trn_fluid_create(world->store, &world->def, &world->fluid), TRN_RESULT_OK);
}

static void all_moves_after_a_hundred_times_the_cap(void **state)
{
    (void)state;
    const uint32_t left = test_rounds(LEFT, LEFT / 10);
    FluidWorld world;
    start_with_few(&world);
    for (uint32_t number = 0; number < left; number++) {
        leave_chunk(&world, left_coord(number));
    }
    const TrnFluidStats stats = trn_fluid_stats(world.fluid);
    assert_true(stats.bytes <= stats.bytes_max && stats.missed == 0);
    assert_true(stats.dropped_sets + stats.asleep_sets >= left && stats.asleep_sets < 1000);
    (void)pour(&world);
    for (uint32_t i = 0; i < BACK; i++) {
        const TrnCoord coord = left_coord(left / BACK * i);
        bring_back(&world, coord);
        check_back(&world, coord);
    }
    world_close(&world);
}

static void dropped_voxels_come_back_after_saving(void **state)
{
    (void)state;
    static unsigned char bytes[1 << 20], again[1 << 20];
    FluidWorld world;
    start(&world, 0);
    for (uint32_t number = 0; number < 3; number++) {
        leave_chunk(&world, left_coord(number));
    }
    trn_fluid_drop(world.fluid, left_coord(0));
    trn_fluid_drop(world.fluid, left_coord(0)); // nothing
    trn_fluid_drop(world.fluid, left_coord(7)); // nothing
    const TrnFluidStats stats = trn_fluid_stats(world.fluid);
    assert_int_equal(stats.dropped_sets, 2);
    assert_int_equal(stats.asleep_sets, 4);
    const size_t size = trn_fluid_save(world.fluid, bytes, sizeof bytes);
    trn_fluid_destroy(world.fluid);
    assert_int_equal(trn_fluid_create(world.store, &world.def, &world.fluid), TRN_RESULT_OK);
    assert_int_equal(trn_fluid_load(world.fluid, bytes, size), TRN_RESULT_OK);
    assert_int_equal(trn_fluid_save(world.fluid, again, sizeof again), size);
    assert_memory_equal(again, bytes, size);
    for (uint32_t number = 0; number < 3; number++) {
        bring_back(&world, left_coord(number));
        check_back(&world, left_coord(number));
    }
    world_close(&world);
}

static void due_voxels_of_an_unloaded_chunk_are_dropped(void **state)
{
    (void)state;
    FluidWorld world;
    start(&world, 0);
    const TrnCoord coord = left_coord(0);
    const TrnVoxel base = trn_coord_voxel(coord);
    assert_int_equal(trn_store_insert_uniform(world.store, coord, WORLD_AIR, NULL), TRN_RESULT_OK);
    world_set(&world, base.x, base.y + 5, base.z + 16, WORLD_WATER);
    trn_fluid_drop(world.fluid, coord); // it is loaded
    assert_int_equal(trn_fluid_stats(world.fluid).due_voxels, 1);
    assert_int_equal(trn_store_remove(world.store, coord), TRN_RESULT_OK);
    trn_fluid_drop(world.fluid, coord);
    assert_int_equal(trn_fluid_stats(world.fluid).due_voxels, 0);
    (void)world_step(&world);
    assert_int_equal(trn_fluid_stats(world.fluid).due_sets, 0);
    bring_back(&world, coord);
    check_back(&world, coord);
    world_close(&world);
}

// ---- memory ------------------------------------------------------------------------------------

static void memory_that_is_refused_for_long_stops_nothing_for_good(void **state)
{
    (void)state;
    for (size_t first = 1; first < 200; first += test_rounds(1, 7)) {
        TestAllocator memory = {0};
        const TrnAllocator allocator = test_allocator(&memory);
        FluidWorld world = {0};
        world_liquids(&world);
        world_open(&world, &allocator);
        world_load(&world, BOX);
        world_set(&world, 31, 40, 16, WORLD_WATER);
        test_fail(&memory, first, first + 60);
        for (uint32_t i = 0; i < 10; i++) {
            const TrnResult result = trn_fluid_step(world.fluid, NULL);
            assert_true(result == TRN_RESULT_OK || result == TRN_RESULT_NO_MEMORY);
        }
        test_fail(&memory, 0, 0);
        (void)world_rest(&world);
        assert_int_equal(world_level(&world, WORLD_WATER, 38, 1, 16), 7);
        world_close(&world);
        assert_int_equal(memory.live_bytes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_moves_after_chunks_were_left_behind),
        cmocka_unit_test(many_waterfalls_fall_with_little_memory),
        cmocka_unit_test(each_cap_is_refused_or_lets_water_move),
        cmocka_unit_test(all_moves_after_a_hundred_times_the_cap),
        cmocka_unit_test(dropped_voxels_come_back_after_saving),
        cmocka_unit_test(due_voxels_of_an_unloaded_chunk_are_dropped),
        cmocka_unit_test(memory_that_is_refused_for_long_stops_nothing_for_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Light of few sources against the queue, after random edits: one solver solves all of them, so
// nothing that it keeps of one solve may show in the next.

#include "light_world.h"

/// Rooms of stone with doors, and open ground above some height.
static void build_rooms(World *world, uint32_t height)
{
    for (uint32_t y = 0; y < EDGE; y++) {
        for (uint32_t z = 0; z < EDGE; z++) {
            for (uint32_t x = 0; x < EDGE; x++) {
                const bool is_door = y % 6 < 3 && (x % 9 == 4 || z % 7 == 3);
                const bool is_wall = y % 6 == 5 || ((x % 9 == 0 || z % 7 == 0) && !is_door);
                world->blocks[at(x, y, z)] = y < height && is_wall ? world->stone : world->air;
            }
        }
    }
}

/// A coordinate, mostly at a border of a chunk or as far from one as light gets.
static uint32_t place_near_border(TestRandom *random)
{
    static const uint32_t places[] = {15, 16, 17, 18, 30, 31, 32, 33, 46, 47,
                                      48, 49, 62, 63, 64, 65, 77, 78, 79, 80};
    const int64_t last = (int64_t)(sizeof places / sizeof *places) - 1;
    return test_random_range(random, 0, 3) ? places[test_random_range(random, 0, last)]
                                           : (uint32_t)test_random_range(random, 0, EDGE - 1);
}

static void edit(World *world, uint32_t x, uint32_t y, uint32_t z, TrnBlock block)
{
    const TrnVoxel voxel = {(int32_t)x - 32, (int32_t)y - 32, (int32_t)z - 32};
    world->blocks[at(x, y, z)] = block;
    assert_int_equal(trn_store_set_block(world->store, voxel, block, NULL), TRN_RESULT_OK);
}

/// Places or removes an emitter or a block that light does not pass freely.
static void edit_randomly(World *world, TestRandom *random)
{
    const TrnBlock all[] = {world->torch, world->lamp,  world->emitter[7], world->dark,
                            world->stone, world->water, world->leaves,     world->air,
                            world->air,   world->air,   world->air};
    const int64_t last = (int64_t)(sizeof all / sizeof *all) - 1;
    const uint32_t x = place_near_border(random), y = place_near_border(random);
    edit(world, x, y, place_near_border(random), all[test_random_range(random, 0, last)]);
}

static void clear_chunk(World *world, uint32_t place)
{
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        const uint32_t x = place % 3 * 32 + i % 32, y = place / 9 * 32 + i / 1024;
        world->blocks[at(x, y, place / 3 % 3 * 32 + i / 32 % 32)] = world->air;
    }
}

/// Compares both lights with the queue. @param missing  bit by place: air in place of the chunk
static void assert_both(World *world, TrnLightSolver *solver, uint32_t missing)
{
    const TrnCoord centre = {0, 0, 0};
    TrnSnapshot around[TRN_AROUND_COUNT];
    const uint32_t *open_sky[9];
    TrnBlock *whole = malloc(VOXELS * sizeof *whole);
    assert_non_null(whole);
    memcpy(whole, world->blocks, VOXELS * sizeof *whole);
    (void)trn_store_snapshot_around(world->store, centre, around);
    for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
        if (missing >> place & 1) {
            around[place] = trn_snapshot_of(world->air, 0);
            clear_chunk(world, place);
        }
    }
    for (size_t i = 0; i < 9; i++) {
        open_sky[i] = world->open[i];
    }
    assert_channel(world, solver, around, false, NULL);
    assert_channel(world, solver, around, true, open_sky);
    assert_channel(world, solver, around, false, NULL);
    memcpy(world->blocks, whole, VOXELS * sizeof *whole);
    free(whole);
}

static void few_sources_give_the_levels_of_the_queue(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(56);
    World world = world_create();
    TestAllocator memory = {0}; // whose memory has any content
    const TrnAllocator allocator = test_allocator(&memory);
    TrnSnapshot around[TRN_AROUND_COUNT];
    TrnLightSolver *solver;
    assert_int_equal(trn_light_solver_create(&allocator, &solver), TRN_RESULT_OK);
    const int worlds = getenv("TERRANE_TEST_FULL") ? 12 : TEST_HAS_SANITIZER ? 1 : 3;
    for (int i = 0; i < worlds; i++) {
        build_rooms(&world, (uint32_t)test_random_range(&random, 0, (int64_t)EDGE));
        world_snapshot(&world, around);
        memset(world.open, i % 3 ? 0xF0 : 0, sizeof world.open);
        for (int round = 0; round < 12; round++) {
            for (int64_t edits = test_random_range(&random, 1, 4); edits > 0; edits--) {
                edit_randomly(&world, &random);
            }
            const uint32_t missing = round % 4 == 3 ? (uint32_t)test_random_next(&random) : 0;
            assert_both(&world, solver, missing & test_random_next(&random) & ~(1u << 13));
        }
    }
    trn_light_solver_destroy(solver);
    world_destroy(&world);
}

/// A torch in each corner of the chunk and around it, placed and removed again.
static void a_torch_is_placed_and_removed_at_every_corner(void **state)
{
    (void)state;
    static const uint32_t places[] = {16, 18, 31, 32, 63, 64, 77, 79};
    TestRandom random = test_random_seeded(57);
    World world = world_create();
    TrnSnapshot around[TRN_AROUND_COUNT];
    TrnLightSolver *solver;
    assert_int_equal(trn_light_solver_create(NULL, &solver), TRN_RESULT_OK);
    build_rooms(&world, (uint32_t)EDGE);
    world_snapshot(&world, around);
    memset(world.open, 0, sizeof world.open);
    const int rounds = getenv("TERRANE_TEST_FULL") ? 200 : TEST_HAS_SANITIZER ? 3 : 12;
    for (int round = 0; round < rounds; round++) {
        const uint32_t x = places[test_random_range(&random, 0, 7)];
        const uint32_t y = places[test_random_range(&random, 0, 7)];
        const uint32_t z = places[test_random_range(&random, 0, 7)];
        const TrnBlock before = world.blocks[at(x, y, z)];
        edit(&world, x, y, z, world.torch);
        assert_both(&world, solver, 0);
        edit(&world, x, y, z, before);
        assert_both(&world, solver, 0);
    }
    trn_light_solver_destroy(solver);
    world_destroy(&world);
}

/// In open air, where nothing but its level ends the light of an emitter.
static void an_emitter_of_every_level_lights_all_that_it_reaches(void **state)
{
    (void)state;
    const TrnCoord centre = {0, 0, 0};
    TestRandom random = test_random_seeded(58);
    World world = world_create();
    TrnSnapshot around[TRN_AROUND_COUNT];
    TrnLightSolver *solver;
    assert_int_equal(trn_light_solver_create(NULL, &solver), TRN_RESULT_OK);
    build_rooms(&world, 0);
    world_snapshot(&world, around);
    memset(world.open, 0, sizeof world.open);
    const uint32_t rounds = getenv("TERRANE_TEST_FULL") ? 300 : TEST_HAS_SANITIZER ? 4 : 45;
    for (uint32_t round = 0; round < rounds; round++) {
        const uint32_t x = (uint32_t)test_random_range(&random, 17, 78);
        const uint32_t y = (uint32_t)test_random_range(&random, 17, 78);
        const uint32_t z = (uint32_t)test_random_range(&random, 17, 78);
        edit(&world, x, y, z, world.emitter[1 + round % 15]);
        assert_both(&world, solver, 0);
        edit(&world, x, y, z, world.air);
    }
    // Along z light gets from the last row of a tile of 8 into the next, and into the one after.
    static const uint8_t levels[] = {2, 10};
    const uint32_t step = TEST_HAS_SANITIZER && !getenv("TERRANE_TEST_FULL") ? 7 : 1;
    for (uint32_t z = 17; z <= 78; z += step) {
        for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
            edit(&world, 40, 40, z, world.emitter[levels[i]]);
            assert_int_equal(trn_store_snapshot_around(world.store, centre, around),
                             (1u << TRN_AROUND_COUNT) - 1);
            assert_channel(&world, solver, around, false, NULL);
        }
        edit(&world, 40, 40, z, world.air);
    }
    trn_light_solver_destroy(solver);
    world_destroy(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_sources_give_the_levels_of_the_queue),
        cmocka_unit_test(a_torch_is_placed_and_removed_at_every_corner),
        cmocka_unit_test(an_emitter_of_every_level_lights_all_that_it_reaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

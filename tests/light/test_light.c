// Light against a breadth-first queue over all 27 chunks, with every set of kernels.

#include "light_world.h"

#include "light/sky_internal.h"

// ---- scenes ------------------------------------------------------------------------------------

static void fill(World *world, TrnBlock block)
{
    for (size_t i = 0; i < VOXELS; i++) {
        world->blocks[i] = block;
    }
}

static void fill_box(World *world, TestRandom *random, TrnBlock block, int64_t most)
{
    uint32_t first[3], size[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = (uint32_t)test_random_range(random, 1, most);
        first[axis] = (uint32_t)test_random_range(random, 0, (int64_t)(EDGE - size[axis]));
    }
    for (uint32_t y = first[1]; y < first[1] + size[1]; y++) {
        for (uint32_t z = first[2]; z < first[2] + size[2]; z++) {
            for (uint32_t x = first[0]; x < first[0] + size[0]; x++) {
                world->blocks[at(x, y, z)] = block;
            }
        }
    }
}

/// Ground with rooms, tunnels, water, trees and lamps.
static void fill_random(World *world, TestRandom *random)
{
    const TrnBlock all[] = {world->air,  world->stone, world->water, world->leaves,
                            world->lamp, world->torch, world->dark};
    const uint32_t ground = (uint32_t)test_random_range(random, 0, (int64_t)EDGE);
    fill(world, world->air);
    for (uint32_t y = 0; y < ground; y++) {
        for (uint32_t i = 0; i < EDGE * EDGE; i++) {
            world->blocks[y * EDGE * EDGE + i] = world->stone;
        }
    }
    for (int64_t i = test_random_range(random, 0, 120); i > 0; i--) {
        const TrnBlock block = all[test_random_range(random, 0, 3)];
        fill_box(world, random, block, 40);
    }
    for (int64_t i = test_random_range(random, 0, 60); i > 0; i--) {
        fill_box(world, random, all[test_random_range(random, 2, 6)], 3);
    }
    if (test_random_range(random, 0, 3) == 0) { // more types than a palette has
        for (uint32_t i = 0; i < 4000; i++) {
            world->blocks[test_random_range(random, 0, (int64_t)VOXELS - 1)] =
                (TrnBlock)(world->many + test_random_range(random, 0, 399));
        }
    }
    for (uint32_t i = 0; i < 9 * TRN_CHUNK_EDGE; i++) {
        world->open[i / TRN_CHUNK_EDGE][i % TRN_CHUNK_EDGE] = (uint32_t)test_random_next(random);
    }
}

static void test_random_worlds(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(25);
    World world = world_create();
    TestAllocator memory = {0}; // whose memory has any content
    const TrnAllocator allocator = test_allocator(&memory);
    TrnLightSolver *solver;
    assert_int_equal(trn_light_solver_create(&allocator, &solver), TRN_RESULT_OK);
    const int rounds = getenv("TERRANE_TEST_FULL") ? 200 : TEST_HAS_SANITIZER ? 3 : 8;
    for (int round = 0; round < rounds; round++) {
        fill_random(&world, &random);
        assert_solved(&world, solver, round % 3 != 0);
    }
    trn_light_solver_destroy(solver);
    world_destroy(&world);
}

static void put(World *world, TestRandom *random, TrnBlock block)
{
    world->blocks[test_random_range(random, 0, (int64_t)VOXELS - 1)] = block;
}

/// Few lamps in one medium after another, so that little is lit and every border shows.
static void test_media(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(27);
    World world = world_create();
    TrnLightSolver *solver;
    assert_int_equal(trn_light_solver_create(NULL, &solver), TRN_RESULT_OK);
    const uint32_t step = TEST_HAS_SANITIZER && !getenv("TERRANE_TEST_FULL") ? 5 : 1;
    for (uint32_t dims = 0; dims < 16; dims += step) {
        fill(&world, world.stone);
        fill_box(&world, &random, world.medium[dims], (int64_t)EDGE);
        for (int i = 0; i < 8; i++) {
            fill_box(&world, &random, world.medium[dims], 60);
            fill_box(&world, &random, world.medium[test_random_range(&random, 0, 15)], 30);
        }
        for (int i = 0; i < 12; i++) {
            put(&world, &random, world.emitter[test_random_range(&random, 1, 15)]);
        }
        memset(world.open, 0, sizeof world.open);
        for (uint32_t i = 0; i < 4; i++) { // four narrow shafts
            world.open[4][test_random_range(&random, 0, 31)] = 1u << i * 8;
        }
        assert_solved(&world, solver, true);
    }
    trn_light_solver_destroy(solver);
    world_destroy(&world);
}

/// Emitters at random places of a world with a number of types, for each width of voxels.
static void test_widths(void **state)
{
    (void)state;
    static const struct {
        uint32_t types, bits;
        bool is_dense; ///< otherwise most is air and stone
    } cases[] = {{2, 1, false},  {4, 2, false},    {16, 4, false}, {60, 8, false},
                 {256, 8, true}, {300, 16, false}, {16, 4, true},  {300, 16, true}};
    TestRandom random = test_random_seeded(28);
    World world = world_create();
    TrnSnapshot around[TRN_AROUND_COUNT];
    TrnLightSolver *solver;
    assert_int_equal(trn_light_solver_create(NULL, &solver), TRN_RESULT_OK);
    const size_t count = TEST_HAS_SANITIZER ? 6 : sizeof cases / sizeof *cases;
    for (size_t i = 0; i < count; i++) {
        TrnBlock all[300] = {world.air, world.torch, world.stone, world.medium[1]};
        for (uint32_t type = 4; type < cases[i].types; type++) {
            all[type] = type < 16 ? world.emitter[type] : (TrnBlock)(world.many + type);
        }
        for (size_t voxel = 0; voxel < VOXELS; voxel++) {
            const uint32_t type = (uint32_t)test_random_range(&random, 0, cases[i].types - 1);
            const bool is_any = cases[i].is_dense || test_random_range(&random, 0, 20) == 0;
            world.blocks[voxel] = all[is_any ? type : type % 2 * 2 % cases[i].types];
        }
        world_snapshot(&world, around);
        assert_int_equal(trn_snapshot_bits(around[TRN_AROUND_COUNT / 2]), cases[i].bits);
        assert_solved(&world, solver, false);
    }
    trn_light_solver_destroy(solver);
    world_destroy(&world);
}

static void test_emitters_everywhere(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(29);
    World world = world_create();
    TrnLightSolver *solver;
    assert_int_equal(trn_light_solver_create(NULL, &solver), TRN_RESULT_OK);
    for (size_t voxel = 0; voxel < VOXELS; voxel++) {
        world.blocks[voxel] = world.emitter[test_random_range(&random, 1, 15)];
    }
    assert_solved(&world, solver, false);
    trn_light_solver_destroy(solver);
    world_destroy(&world);
}

static void test_constant_worlds(void **state)
{
    (void)state;
    World world = world_create();
    TrnLightSolver *solver;
    assert_int_equal(trn_light_solver_create(NULL, &solver), TRN_RESULT_OK);
    const TrnBlock all[] = {world.air,    world.stone, world.lamp, world.torch,
                            world.leaves, world.water, world.dark};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        fill(&world, all[i]);
        memset(world.open, 0xFF, sizeof world.open);
        assert_solved(&world, solver, false);
        memset(world.open, 0x0F, sizeof world.open);
        assert_solved(&world, solver, true);
    }
    trn_light_solver_destroy(solver);
    world_destroy(&world);
}

/// A lamp lights what is 14 voxels away, and nothing farther.
static void test_reach(void **state)
{
    (void)state;
    static TrnLight light;
    World world = world_create();
    TrnSnapshot around[TRN_AROUND_COUNT];
    TrnLightSolver *solver;
    assert_int_equal(trn_light_solver_create(NULL, &solver), TRN_RESULT_OK);
    fill(&world, world.air);
    world.blocks[at(32 + 46, 40, 40)] = world.lamp;
    world_snapshot(&world, around);
    trn_light_read(solver, around, world.types);
    trn_light_blocks(solver, NULL, &light);
    assert_int_equal(trn_light_level(&light, 32, 8, 8), 1);
    assert_int_equal(trn_light_level(&light, 31, 8, 8), 0);
    world.blocks[at(32 + 46, 40, 40)] = world.air;
    world.blocks[at(32 + 47, 40, 40)] = world.lamp;
    world_snapshot(&world, around);
    trn_light_read(solver, around, world.types);
    trn_light_blocks(solver, NULL, &light);
    assert_int_equal(light.constant, 0);
    trn_light_solver_destroy(solver);
    world_destroy(&world);
}

/// A colour of light: what a game's table says instead of the types.
static void test_emission(void **state)
{
    (void)state;
    static uint8_t emission[TRN_BLOCK_TYPES_MAX];
    static TrnLight light;
    World world = world_create();
    TrnSnapshot around[TRN_AROUND_COUNT];
    TrnLightSolver *solver;
    assert_int_equal(trn_light_solver_create(NULL, &solver), TRN_RESULT_OK);
    fill(&world, world.air);
    world.blocks[at(40, 40, 40)] = world.lamp;
    world.blocks[at(50, 50, 50)] = world.stone;
    world_snapshot(&world, around);
    emission[world.stone] = 9;
    trn_light_read(solver, around, world.types);
    trn_light_blocks(solver, emission, &light);
    assert_int_equal(trn_light_level(&light, 8, 8, 8), 0);
    assert_int_equal(trn_light_level(&light, 18, 18, 18), 9);
    assert_int_equal(trn_light_level(&light, 18, 19, 20), 6);
    emission[world.stone] = 200; // counts as 15
    trn_light_blocks(solver, emission, &light);
    assert_int_equal(trn_light_level(&light, 18, 18, 18), 15);
    assert_int_equal(trn_light_level(&light, 18, 19, 20), 12);
    trn_light_solver_destroy(solver);
    world_destroy(&world);
}

static void test_open_columns(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(26);
    World world = world_create();
    TrnSnapshot around[TRN_AROUND_COUNT];
    for (int round = 0; round < 12; round++) {
        fill_random(&world, &random);
        for (size_t i = 0; i < VOXELS && round == 0; i++) { // more types than a palette holds
            const uint64_t number = test_random_next(&random);
            world.blocks[i] = (TrnBlock)(world.many + (number % 50 ? 1 : number / 50 % 400));
        }
        world_snapshot(&world, around);
        for (uint32_t place = 0; place < TRN_AROUND_COUNT; place++) {
            static TrnBlock blocks[TRN_CHUNK_VOXELS];
            uint32_t open[TRN_CHUNK_EDGE], same[TRN_CHUNK_EDGE];
            trn_light_open_columns(around[place], world.types, open);
            trn_snapshot_decode(around[place], blocks);
            trn_light_open_blocks(blocks, world.types, same);
            assert_memory_equal(same, open, sizeof open);
            for (uint32_t i = 0; i < 1024; i++) {
                const uint32_t x = place % 3 * 32 + i % 32, z = place / 3 % 3 * 32 + i / 32;
                bool is_open = true;
                for (uint32_t y = place / 9 * 32; y < place / 9 * 32 + 32; y++) {
                    is_open &= lost(&world, at(x, y, z)) == 0;
                }
                assert_int_equal(open[i / 32] >> i % 32 & 1, is_open);
            }
        }
    }
    world_destroy(&world);
}

static void test_arguments(void **state)
{
    (void)state;
    TestAllocator memory = {.fail_at = 1};
    const TrnAllocator allocator = test_allocator(&memory);
    TrnLightSolver *solver = NULL;
    assert_int_equal(trn_light_solver_create(NULL, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_light_solver_create(&allocator, &solver), TRN_RESULT_NO_MEMORY);
    assert_null(solver);
    trn_light_solver_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_worlds),
        cmocka_unit_test(test_constant_worlds),
        cmocka_unit_test(test_media),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_emitters_everywhere),
        cmocka_unit_test(test_reach),
        cmocka_unit_test(test_emission),
        cmocka_unit_test(test_open_columns),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

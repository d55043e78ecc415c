/// Light of a chunk by every set of kernels, against a breadth-first queue over the 27 chunks.
#include "fuzz_voxels.h"
#include "light/light_world.h"

/// Chooses a block of the world: of each kind, dimming and emission, mostly a common one.
static TrnBlock choose_block(const World *world, FuzzProgram *program)
{
    const TrnBlock common[] = {world->air,  world->stone, world->water, world->leaves,
                               world->lamp, world->torch, world->dark,  world->air};
    const uint32_t choice = fuzz_number(program, 1);
    return choice < 128   ? common[choice % 8]
           : choice < 160 ? world->medium[choice % 16]
           : choice < 224 ? world->emitter[choice % 16]
                          : (TrnBlock)(world->many + fuzz_below(program, 400));
}

static void fill_box(World *world, FuzzProgram *program)
{
    uint32_t min[3], max[3];
    fuzz_box(program, EDGE, min, max);
    const TrnBlock block = choose_block(world, program);
    for (uint32_t y = min[1]; y <= max[1]; y++) {
        for (uint32_t z = min[2]; z <= max[2]; z++) {
            for (uint32_t x = min[0]; x <= max[0]; x++) {
                world->blocks[at(x, y, z)] = block;
            }
        }
    }
}

static void put_one(World *world, FuzzProgram *program)
{
    const uint32_t x = fuzz_below(program, EDGE), y = fuzz_below(program, EDGE);
    const uint32_t z = fuzz_below(program, EDGE);
    world->blocks[at(x, y, z)] = choose_block(world, program);
}

/// Many types in a chunk, so that it needs more bits a voxel.
static void scatter(World *world, FuzzProgram *program)
{
    TestRandom random = {fuzz_number(program, 2)};
    const uint32_t types = 1 + fuzz_below(program, 400);
    for (int i = 0; i < 2000; i++) {
        world->blocks[test_random_range(&random, 0, (int64_t)VOXELS - 1)] =
            (TrnBlock)(world->many + test_random_range(&random, 0, types - 1));
    }
}

/// Closes rows of columns above the upper chunks.
static void close_sky(World *world, FuzzProgram *program)
{
    const uint32_t column = fuzz_below(program, 9), row = fuzz_below(program, TRN_CHUNK_EDGE);
    const uint32_t count = 1 + fuzz_below(program, TRN_CHUNK_EDGE), open = fuzz_number(program, 4);
    for (uint32_t i = row; i < row + count && i < TRN_CHUNK_EDGE; i++) {
        world->open[column][i] = open;
    }
}

int fuzz_light(const uint8_t *bytes, size_t size);

int fuzz_light(const uint8_t *bytes, size_t size)
{
    static World world;
    static TrnLightSolver *solver;
    FuzzProgram program = fuzz_program(bytes, size);
    if (!solver) {
        world = world_create();
        FUZZ_REQUIRE(trn_light_solver_create(NULL, &solver) == TRN_RESULT_OK);
    }
    memset(world.open, 0xFF, sizeof world.open);
    const bool has_sky = fuzz_below(&program, 2);
    const TrnBlock ground = choose_block(&world, &program);
    for (size_t i = 0; i < VOXELS; i++) {
        world.blocks[i] = ground;
    }
    for (int i = 0; i < 100 && fuzz_has_more(&program); i++) {
        const uint32_t kind = fuzz_below(&program, 16);
        (kind < 7    ? fill_box
         : kind < 12 ? put_one
         : kind < 13 ? scatter
                     : close_sky)(&world, &program);
    }
    assert_solved(&world, solver, has_sky);
    return 0;
}

// Work of light in chunks whose blocks are placed to make it slow. Light reaches 14 voxels and is
// solved for one chunk, so there is a most that blocks can make of it.

#include "work.h"

#include "light/light_world.h"
#include "light/sky_internal.h"

/// Solves what light a world has: of blocks, and of the sky. @return the work
static uint64_t solve(World *world)
{
    static TrnLight light;
    TrnSnapshot around[TRN_AROUND_COUNT];
    TrnLightSolver *solver;
    assert_int_equal(trn_light_solver_create(NULL, &solver), TRN_RESULT_OK);
    assert_true(trn_light_use_kernels(solver, "scalar")); // the same work on every machine
    world_snapshot(world, around);
    const uint64_t start = work_start();
    trn_light_read(solver, around, world->types);
    trn_light_sky(solver, NULL, &light);
    trn_light_blocks(solver, NULL, &light);
    const uint64_t work = work_since(start);
    trn_light_solver_destroy(solver);
    return work;
}

/// The block at a voxel, of `count` of a kind that is spread over all 27 chunks.
static TrnBlock spread(uint32_t voxel, uint32_t count, TrnBlock block, TrnBlock other)
{
    return voxel * UINT32_C(2654435761) < count * UINT32_C(4855) ? block : other; // of 884,736
}

/// So many lamps in the air.
static uint64_t work_of_lamps(uint32_t count)
{
    World world = world_create();
    for (uint32_t i = 0; i < VOXELS; i++) {
        world.blocks[i] = spread(i, count, world.lamp, world.air);
    }
    const uint64_t work = solve(&world);
    world_destroy(&world);
    return work;
}

/// So many voxels that dim, by every level, lit from above and from a lamp in each chunk.
static uint64_t work_of_media(uint32_t count)
{
    World world = world_create();
    for (uint32_t i = 0; i < VOXELS; i++) {
        world.blocks[i] =
            i % 32768 == 77 ? world.lamp : spread(i, count, world.medium[1 + i % 15], world.air);
    }
    const uint64_t work = solve(&world);
    world_destroy(&world);
    return work;
}

/// Corridors that fold `count` times within the chunks, with a torch in each corner.
static uint64_t work_of_corridors(uint32_t count)
{
    World world = world_create();
    for (uint32_t y = 0; y < EDGE; y++) {
        for (uint32_t z = 0; z < EDGE; z++) {
            for (uint32_t x = 0; x < EDGE; x++) {
                const uint32_t row = z * count / (uint32_t)EDGE;
                const bool is_wall = (size_t)z * count % EDGE < count || y % 2;
                const bool is_gap = x == (row % 2 ? 0 : EDGE - 1);
                world.blocks[at(x, y, z)] = is_wall && !is_gap   ? world.stone
                                            : is_gap && !is_wall ? world.torch
                                                                 : world.air;
            }
        }
    }
    const uint64_t work = solve(&world);
    world_destroy(&world);
    return work;
}

/// Chunks of so many types, of which some emit light and some dim it.
static uint64_t work_of_types(uint32_t count)
{
    World world = world_create();
    for (uint32_t i = 0; i < VOXELS; i++) {
        world.blocks[i] = (TrnBlock)(world.many + i * UINT32_C(2654435761) % count);
    }
    const uint64_t work = solve(&world);
    world_destroy(&world);
    return work;
}

/// Pieces of straight-line code for the 27 chunks, whatever is in them.
#define LIGHT_MOST (UINT64_C(32) * VOXELS)

static void assert_light_is_bounded(WorkOf work, uint32_t first, uint32_t last)
{
    for (uint32_t size = first; size <= last; size *= 2) {
        const uint64_t now = work(size);
        if (now > LIGHT_MOST) {
            fail_msg("size %u took %llu", (unsigned)size, (unsigned long long)now);
        }
    }
}

static void light_takes_bounded_work_whatever_is_in_the_chunks(void **state)
{
    (void)state;
    assert_light_is_bounded(work_of_lamps, 64, 1 << 19);
    assert_light_is_bounded(work_of_media, 64, 1 << 19);
    assert_light_is_bounded(work_of_corridors, 1, 48);
    assert_light_is_bounded(work_of_types, 2, 256);
}

// ---- open sky -----------------------------------------------------------------------------------

/// A column of chunks that each close one column of voxels more, from 0 upwards.
static TrnResult stairs_highest(void *user, TrnCoord from, int32_t lowest, int32_t *y)
{
    const int32_t top = *(const int32_t *)user;
    *y = from.y < top ? from.y : top;
    return *y >= lowest ? TRN_RESULT_OK : TRN_RESULT_NOT_FOUND;
}

static TrnResult stairs_pass(void *user, TrnCoord coord, uint32_t *open)
{
    (void)user;
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        open[z] = UINT32_MAX;
    }
    open[(uint32_t)coord.y / 32 % 32] &= ~(UINT32_C(1) << (uint32_t)coord.y % 32);
    work_count++; // a chunk was asked for
    return TRN_RESULT_OK;
}

/// What is open at the foot of a column of so many chunks.
static uint64_t work_of_stairs(uint32_t height)
{
    TrnSky *sky;
    TrnSkyMask open;
    int32_t top = (int32_t)height - 1;
    const TrnAllocator allocator = trn_allocator_default();
    const TrnSkySource source = {stairs_highest, stairs_pass, &top};
    const TrnCoord foot = {0, 0, 0};
    assert_int_equal(trn_sky_create(&allocator, 1, &sky), TRN_RESULT_OK);
    assert_int_equal(trn_sky_reserve(sky, foot), TRN_RESULT_OK);
    const uint64_t start = work_start();
    assert_int_equal(trn_sky_open(sky, &source, foot, &open), TRN_RESULT_OK);
    const uint64_t work = work_since(start);
    trn_sky_destroy(sky);
    return work;
}

/// The same asked again, where few chunks high above close columns.
static uint64_t work_of_known_columns(uint32_t depth)
{
    TrnSky *sky;
    TrnSkyMask open;
    int32_t top = (int32_t)depth + 3;
    const TrnAllocator allocator = trn_allocator_default();
    const TrnSkySource source = {stairs_highest, stairs_pass, &top};
    const TrnCoord below = {0, (int32_t)depth, 0};
    assert_int_equal(trn_sky_create(&allocator, 1, &sky), TRN_RESULT_OK);
    assert_int_equal(trn_sky_reserve(sky, below), TRN_RESULT_OK);
    assert_int_equal(trn_sky_open(sky, &source, below, &open), TRN_RESULT_OK);
    const uint64_t start = work_start();
    assert_int_equal(trn_sky_open(sky, &source, below, &open), TRN_RESULT_OK);
    const uint64_t work = work_since(start);
    trn_sky_destroy(sky);
    return work;
}

static void the_sky_takes_linear_work_in_the_chunks_above(void **state)
{
    (void)state;
    assert_work_grows(work_of_stairs, 16, 6, WORK_LINEAR);
    assert_work_grows(work_of_known_columns, 1, 10, WORK_CONSTANT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_takes_bounded_work_whatever_is_in_the_chunks),
        cmocka_unit_test(the_sky_takes_linear_work_in_the_chunks_above),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Folding on workers: the same results at any number of workers, and none is late.

#include <pthread.h>

#include "far_world.h"

/// Hashes the voxels of all coarser levels, in any order.
static uint64_t hash_levels(const World *world)
{
    static TrnBlock blocks[TRN_CHUNK_VOXELS];
    const TrnBox all = {{INT32_MIN, INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX, INT32_MAX}};
    uint64_t sum = 0;
    for (uint32_t level = 1; level <= LEVELS; level++) {
        TrnChunk *chunks[4096];
        const size_t count =
            trn_store_gather(trn_far_store(world->game->far_view, level), all, chunks, 4096);
        for (size_t i = 0; i < count; i++) {
            uint64_t hash = trn_coord_hash(chunks[i]->coord, level);
            world_read(world, level, chunks[i], blocks);
            for (uint32_t k = 0; k < TRN_CHUNK_VOXELS; k++) {
                hash = (hash ^ blocks[k]) * UINT64_C(0x100000001B3);
            }
            sum += hash;
        }
    }
    return sum;
}

/// Edits and flies. @param units  of each update; 0: as time allows, and now and then exactly
static uint64_t edit_and_fly(uint32_t workers, uint32_t units, uint32_t updates, uint64_t seed)
{
    TestRandom random = {seed};
    World *world = world_create_with(workers);
    uint64_t hash = 0;
    for (uint32_t update = 0; update < updates; update++) {
        const uint64_t dice = test_random_next(&random);
        TrnCoord *chunk = &world->game->anchor.position.chunk;
        if (dice % 4 == 0) {
            edit_by_chance(world, &random, 3);
        }
        chunk->x += dice % 16 == 1 ? 12 : dice % 16 == 2 ? -12 : (dice >> 8 & 1) ? 1 : 0;
        (void)game_update(world->game, units ? units : (dice >> 16) % 16 == 0 ? 16 : 0);
        if (units && update % 4 == 0) {
            hash = hash * UINT64_C(0x9E3779B97F4A7C15) + hash_levels(world);
            hash += trn_far_stats(world->game->far_view).folds;
        }
    }
    hash ^= world->game->hash;
    game_settle(world->game);
    world_check(world);
    world_destroy(world);
    return hash;
}

// ---- tests -------------------------------------------------------------------------------------

static void folds_replay_exactly(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(71);
    const uint64_t seed = test_random_next(&random);
    const uint32_t updates = test_rounds(60, 12);
    const uint64_t hash = edit_and_fly(0, 40, updates, seed);
    const uint32_t workers[] = {3, 1, 8};
    for (uint32_t i = 0; i < test_rounds(3, 1); i++) {
        assert_true(edit_and_fly(workers[i], 40, updates, seed) == hash);
    }
}

static void workers_fold_while_the_game_goes_on(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(72);
    for (uint32_t workers = 1; workers <= 4; workers += 3) {
        (void)edit_and_fly(workers, 0, test_rounds(120, 16), test_random_next(&random));
    }
}

static pthread_t caller;
static atomic_bool is_held;
static atomic_uint held;

/// Keeps workers until the test lets them go.
static void hold_workers(void)
{
    if (pthread_equal(pthread_self(), caller)) {
        return;
    }
    atomic_fetch_add(&held, 1);
    while (atomic_load(&is_held)) {
        (void)sched_yield();
    }
    atomic_fetch_sub(&held, 1);
}

/// Workers that are busy for long do not keep edits from the coarser levels.
static void edits_do_not_wait_for_busy_workers(void **state)
{
    (void)state;
    caller = pthread_self();
    World *world = world_create_with(2);
    game_settle(world->game);
    trn_stream_wait(world->game->stream);
    atomic_store(&is_held, true);
    world->game->generating = hold_workers;
    world->game->anchor.position.chunk.x += 1; // new land to generate
    while (atomic_load(&held) < 2) {
        game_update(world->game, 0);
    }
    const TrnVoxel min = {36, 40, -84}, max = {43, 90, -77}, top = {40, 88, -80};
    world_fill(world, min, max, TRN_BLOCK_GLOWING_STONE);
    for (uint32_t update = 0; update < 60; update++) { // a second
        game_update(world->game, 0);
    }
    assert_int_equal(atomic_load(&held), 2);
    for (uint32_t level = 0; level <= LEVELS; level++) {
        assert_int_equal(block_at(world, level, top), TRN_BLOCK_GLOWING_STONE);
    }
    atomic_store(&is_held, false);
    game_settle(world->game);
    world_check(world);
    world_destroy(world);
}

/// A far view, or a level of it, ends while its edits are folded.
static void far_views_end_while_workers_fold(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(73);
    World *world = world_create_with(3);
    game_settle(world->game);
    for (uint32_t round = 0; round < test_rounds(30, 6); round++) {
        edit_by_chance(world, &random, 3);
        for (uint32_t update = 0; update < 14; update++) { // until folding has begun
            game_update(world->game, 0);
        }
        TrnFarView view = trn_far_view(world->game->far_view);
        view.levels = round % 3 == 0 ? 1 : 2;
        if (round % 3 < 2) {
            assert_int_equal(trn_far_set_view(world->game->far_view, &view), TRN_RESULT_OK);
        } else {
            game_close_far(world->game);
            game_open_far(world->game);
        }
    }
    game_settle(world->game);
    world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_replay_exactly),
        cmocka_unit_test(workers_fold_while_the_game_goes_on),
        cmocka_unit_test(edits_do_not_wait_for_busy_workers),
        cmocka_unit_test(far_views_end_while_workers_fold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

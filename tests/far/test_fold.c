// Edits in a far view: at every level the land is what a simple model says.

#include "far_world.h"

// ---- tests -------------------------------------------------------------------------------------

static void land_without_edits_is_as_generated(void **state)
{
    (void)state;
    World *world = world_create();
    game_settle(world->game);
    world_check(world);
    assert_int_equal(trn_far_stats(world->game->far_view).folds, 0);
    assert_int_equal(trn_stream_save(world->game->stream), TRN_RESULT_OK);
    assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_OK);
    assert_true(world->rows->saved[0] > 0); // shown chunks
    assert_int_equal(world->rows->saved[1] + world->rows->saved[2], 0);
    world_destroy(world);
}

static void a_tower_appears_at_all_levels_within_a_second(void **state)
{
    (void)state;
    World *world = world_create();
    game_settle(world->game);
    const TrnVoxel min = {36, 40, -84}, max = {43, 90, -77}, top = {40, 88, -80};
    world_fill(world, min, max, TRN_BLOCK_GLOWING_STONE);
    for (uint32_t update = 0; update < 60; update++) {
        game_update(world->game, 64);
    }
    for (uint32_t level = 0; level <= LEVELS; level++) {
        assert_int_equal(block_at(world, level, top), TRN_BLOCK_GLOWING_STONE);
    }
    world_check(world);
    const uint64_t folds = trn_far_stats(world->game->far_view).folds;
    assert_true(folds > 0 && folds < 30);
    for (int64_t y = min.y; y <= max.y; y += 17) { // dug away in parts
        const TrnVoxel from = {min.x, y, min.z}, to = {max.x, y + 16, max.z};
        world_restore(world, from, to);
        game_settle(world->game);
        world_check(world);
    }
    for (uint32_t level = 0; level <= LEVELS; level++) {
        assert_int_equal(block_at(world, level, top), TRN_BLOCK_AIR);
    }
    game_check_rest(world->game);
    world_destroy(world);
}

/// Edits, and leaves at once, so that chunks are unloaded before they were folded, and come back
/// from what was saved.
static void edits_survive_flights(void **state)
{
    (void)state;
    World *world = world_create();
    TestRandom random = test_random_seeded(2026);
    game_settle(world->game);
    for (uint32_t round = 0; round < 6; round++) {
        edit_by_chance(world, &random, 6); // of loaded chunks: others are folded once they load
        for (uint32_t update = test_random_next(&random) % 4; update > 0; update--) {
            game_update(world->game, 64);
        }
        world->game->anchor.position.chunk.x += round % 3 == 2 ? -30 : 15;
        game_settle(world->game);
        world_check(world);
    }
    world->game->anchor.position.chunk = (TrnCoord){1, 1, -3};
    game_settle(world->game);
    world_check(world);
    for (uint32_t level = 0; level <= LEVELS; level++) {
        assert_true(world->rows->saved[level] > 0);
    }
    world_destroy(world);
}

/// What cannot be done is done later.
static void edits_survive_failures(void **state)
{
    (void)state;
    World *world = world_create();
    TestRandom random = test_random_seeded(33);
    game_settle(world->game);
    for (uint32_t round = 0; round < 3; round++) {
        edit_by_chance(world, &random, 5);
        atomic_store(&world->game->fail_every, 2 + round);
        for (uint32_t update = 0; update < 40; update++) {
            game_update(world->game, 64);
        }
        atomic_store(&world->game->fail_every, 0);
        game_settle(world->game);
        world_check(world);
    }
    world_destroy(world);
}

/// Saving does not wait: coarse chunks that are not loaded are saved with their edits.
static void saving_folds_all(void **state)
{
    (void)state;
    World *world = world_create();
    TestRandom random = test_random_seeded(34);
    game_settle(world->game);
    edit_by_chance(world, &random, 5);
    world_fill(world, (TrnVoxel){40, 40, -84}, (TrnVoxel){55, 55, -69}, TRN_BLOCK_SNOW);
    assert_true(trn_far_stats(world->game->far_view).folds_due > 0);
    assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_OK);
    world_check(world);
    assert_true(world->rows->saved[1] > 0 && world->rows->saved[2] > 0);

    game_close_far(world->game); // the levels come back from their rows, and new edits wait
    game_open_far(world->game);
    edit_by_chance(world, &random, 5);
    assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_OK);
    assert_int_equal(trn_far_stats(world->game->far_view).folds_due, 0);
    assert_int_equal(trn_pending_chunks(trn_far_store(world->game->far_view, 1), NULL, 0), 0);
    game_settle(world->game);
    world_check(world);
    world_destroy(world);
}

/// Edits go as far as the view has levels, and no farther.
static void levels_come_and_go(void **state)
{
    (void)state;
    World *world = world_create();
    TestRandom random = test_random_seeded(35);
    game_settle(world->game);
    edit_by_chance(world, &random, 4);
    game_update(world->game, 64);
    TrnFarView view = trn_far_view(world->game->far_view);
    assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_OK);
    view.levels = 1;
    edit_by_chance(world, &random, 1);
    assert_int_equal(trn_far_set_view(world->game->far_view, &view), TRN_RESULT_OK);
    assert_int_equal(trn_far_stats(world->game->far_view).folds_due > 0, 1);
    game_settle(world->game);
    assert_int_equal(trn_far_stats(world->game->far_view).folds_due, 0);
    world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(land_without_edits_is_as_generated),
        cmocka_unit_test(a_tower_appears_at_all_levels_within_a_second),
        cmocka_unit_test(edits_survive_flights),
        cmocka_unit_test(edits_survive_failures),
        cmocka_unit_test(saving_folds_all),
        cmocka_unit_test(levels_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

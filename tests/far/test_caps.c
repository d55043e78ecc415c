// Memory for edits of coarse chunks that are not loaded: what reaches its cap goes on and recovers.

#include "far_world.h"

/// Level 0 chunks with edits, two apart: each has a parent of its own at level 1.
enum { FAR_EDGE = 28, FAR_CHUNKS = FAR_EDGE * FAR_EDGE };

/// A voxel that no view reaches. @param i  0..FAR_CHUNKS - 1: each in another chunk of level 1
static TrnVoxel far_voxel(uint32_t i)
{
    return (TrnVoxel){64 * (int64_t)(100 + i % FAR_EDGE), 80, 64 * (int64_t)(i / FAR_EDGE)};
}

static void world_edit_far(World *world, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const TrnVoxel min = far_voxel(i), max = {min.x + 1, min.y + 1, min.z + 1};
        world_fill(world, min, max, TRN_BLOCK_GLOWING_STONE);
    }
}

static void world_set_cap(const World *world, size_t bytes_max)
{
    for (uint32_t level = 1; level <= LEVELS; level++) {
        TrnStore *store = trn_far_store(world->game->far_view, level);
        assert_int_equal(trn_pending_set_bytes_max(store, bytes_max), TRN_RESULT_OK);
    }
}

static size_t pending_bytes(const World *world, uint32_t level)
{
    return trn_edits_stats(trn_far_store(world->game->far_view, level)).pending_bytes;
}

/// What coarse chunks need that are not loaded, without a cap.
static size_t world_need(void)
{
    World *world = world_create();
    game_settle(world->game);
    world_set_cap(world, 0);
    world_edit_far(world, 0, 20);
    game_settle(world->game);
    const size_t bytes = pending_bytes(world, 1);
    world_destroy(world);
    return bytes / 20 * FAR_CHUNKS;
}

/// An edit near the player is seen within a second, at every level.
static void assert_edits_are_seen(World *world, TrnBlock block)
{
    const TrnVoxel corner = trn_coord_voxel(world->game->anchor.position.chunk);
    const TrnVoxel min = {corner.x + 8, corner.y + 68, corner.z + 4};
    const TrnVoxel max = {min.x + 3, min.y + 3, min.z + 3};
    world_fill(world, min, max, block);
    for (uint32_t update = 0; update < 60; update++) {
        (void)game_update(world->game, 64);
    }
    assert_int_equal(block_at(world, 1, min), block);
    assert_int_equal(block_at(world, 2, min), block);
}

/// Edits what takes 100 times the cap, bit by bit. @param units  of updates; 0: as time allows
static void edit_a_hundred_times_the_cap(uint32_t workers, uint32_t units)
{
    const size_t cap = world_need() / 100;
    World *world = world_create_with(workers);
    game_settle(world->game);
    world_set_cap(world, cap);
    const uint32_t part = FAR_CHUNKS / 6;
    for (uint32_t i = 0; i < 6; i++) {
        world_edit_far(world, i * part, (i + 1) * part);
        for (uint32_t update = 0; update < 250; update++) {
            (void)game_update(world->game, units);
            trn_stream_wait(world->game->stream);
            assert_true(pending_bytes(world, 1) <= cap && pending_bytes(world, 2) <= cap);
        }
        assert_edits_are_seen(world, i % 2 ? TRN_BLOCK_SNOW : TRN_BLOCK_STONE);
    }
    game_settle(world->game);
    assert_int_equal(trn_far_stats(world->game->far_view).folds_due, 0);
    assert_true(world->rows->saved[1] >= FAR_CHUNKS - FAR_CHUNKS / 10);
    assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_OK);
    assert_int_equal(trn_far_stats(world->game->far_view).unsaved, 0);

    world->game->anchor.position.chunk = trn_voxel_chunk(far_voxel(FAR_EDGE + 3));
    game_settle(world->game);
    world_check(world);
    assert_edits_are_seen(world, TRN_BLOCK_SNOW);
    world_destroy(world);
}

static void a_hundred_times_the_cap_is_written_out(void **state)
{
    (void)state;
    edit_a_hundred_times_the_cap(0, 64);
    edit_a_hundred_times_the_cap(3, 64);
}

static void workers_write_out_while_the_game_goes_on(void **state)
{
    (void)state;
    test_skip_without_threads();
    edit_a_hundred_times_the_cap(3, 0);
}

static void one_save_saves_all(void **state)
{
    (void)state;
    const size_t cap = world_need() / 100;
    World *world = world_create();
    game_settle(world->game);
    world_set_cap(world, cap);
    world_edit_far(world, 0, FAR_CHUNKS);
    assert_true(trn_far_stats(world->game->far_view).unsaved >= FAR_CHUNKS);
    assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_OK);
    const TrnFarStats stats = trn_far_stats(world->game->far_view);
    assert_true(stats.folds_due == 0 && stats.unsaved == 0);
    assert_true(world->rows->saved[1] >= FAR_CHUNKS && world->rows->saved[2] >= FAR_CHUNKS / 4);
    for (uint32_t i = 0; i < FAR_CHUNKS; i += 7) {
        const TrnVoxel voxel = far_voxel(i);
        for (uint32_t level = 1; level <= LEVELS; level++) {
            const TrnVoxel there = {voxel.x >> level, voxel.y >> level, voxel.z >> level};
            const TrnBlock *row = rows_find(world->rows, level, trn_voxel_chunk(there));
            static TrnBlock expected[TRN_CHUNK_VOXELS];
            world_expect(world, level, trn_voxel_chunk(there), expected);
            assert_non_null(row);
            assert_memory_equal(row, expected, sizeof expected);
        }
    }
    world_destroy(world);
}

/// A save that takes nothing is not asked again for each chunk.
static void a_save_that_is_full_stalls_nothing(void **state)
{
    (void)state;
    const size_t cap = world_need() / 100;
    World *world = world_create();
    game_settle(world->game);
    world_set_cap(world, cap);
    world_edit_far(world, 0, FAR_CHUNKS);
    world->rows->is_full = true;
    assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_FULL);
    assert_true(world->rows->refused < FAR_CHUNKS / 4);
    assert_true(trn_far_stats(world->game->far_view).unsaved >= FAR_CHUNKS);
    for (uint32_t update = 0; update < FAR_CHUNKS / 4 + 50; update++) {
        (void)game_update(world->game, 64);
    }
    assert_edits_are_seen(world, TRN_BLOCK_SNOW);
    world->rows->is_full = false;
    assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_OK);
    assert_int_equal(trn_far_stats(world->game->far_view).unsaved, 0);
    world_destroy(world);
}

/// Caps that hold not even one chunk: what is left is told, and what needs no memory goes on.
static void tiny_caps_tell_what_is_left(void **state)
{
    (void)state;
    const size_t caps[] = {1, 600};
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
        World *world = world_create();
        game_settle(world->game);
        world_set_cap(world, caps[i]);
        world_edit_far(world, 0, 50);
        for (uint32_t update = 0; update < 30; update++) {
            (void)game_update(world->game, 64);
        }
        assert_edits_are_seen(world, TRN_BLOCK_SNOW);
        assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_FULL);
        const TrnFarStats stats = trn_far_stats(world->game->far_view);
        assert_true(stats.unsaved >= 50 && stats.folds_due >= 50);
        world_set_cap(world, 0); // none
        assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_OK);
        assert_int_equal(trn_far_stats(world->game->far_view).unsaved, 0);
        world_destroy(world);
    }
}

/// Chunks that cannot be folded for long.
static void fresh_edits_do_not_wait_for_failed_ones(void **state)
{
    (void)state;
    World *world = world_create();
    game_settle(world->game);
    world->game->fails_beyond = 64; // chunks of level 0 along x
    world_edit_far(world, 0, FAR_CHUNKS);
    for (uint32_t update = 0; update < FAR_CHUNKS / 4 + 50; update++) {
        (void)game_update(world->game, 64);
    }
    assert_true(trn_far_stats(world->game->far_view).folds_due >= FAR_CHUNKS);
    assert_edits_are_seen(world, TRN_BLOCK_SNOW);
    world->game->fails_beyond = 0;
    game_settle(world->game);
    world_check(world);
    world_destroy(world);
}

static void refused_memory_delays_only_what_needs_it(void **state)
{
    (void)state;
    World *world = world_create();
    game_settle(world->game);
    world_set_cap(world, 16 << 10);
    for (uint32_t i = 0; i < 60; i++) {
        world_edit_far(world, i * 4, i * 4 + 4);
        for (uint32_t update = 0; update < 6; update++) {
            test_fail(&world->game->memory, 1 + (i + update) % 12, 1 + (i + update) % 12 + i % 5);
            (void)game_update(world->game, 16);
        }
        test_fail(&world->game->memory, 0, 0);
    }
    assert_edits_are_seen(world, TRN_BLOCK_SNOW);
    assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_OK);
    assert_int_equal(trn_far_stats(world->game->far_view).unsaved, 0);
    world->game->anchor.position.chunk = trn_voxel_chunk(far_voxel(FAR_EDGE + 3));
    game_settle(world->game);
    world_check(world);
    world_destroy(world);
}

/// What a level forgets without a source, since it has no memory for it.
static void without_a_source_the_oldest_edits_are_dropped(void **state)
{
    (void)state;
    const size_t cap = world_need() / 100;
    Game *game = game_create(0, (TrnCoord){1, 1, -3});
    World *world = calloc(1, sizeof *world);
    assert_non_null(world);
    world->game = game;
    game_open_far(game);
    game_settle(game);
    world_set_cap(world, cap);
    world_edit_far(world, 0, FAR_CHUNKS);
    game_settle(game);
    const TrnFarStats stats = trn_far_stats(game->far_view);
    assert_int_equal(stats.folds_due, 0);
    assert_true(stats.edits_dropped > 0 && pending_bytes(world, 1) <= cap);
    assert_edits_are_seen(world, TRN_BLOCK_SNOW);
    // Where the player comes, level 0 has its edits still, and so have the levels.
    game->anchor.position.chunk = trn_voxel_chunk(far_voxel(FAR_EDGE + 3));
    game_settle(game);
    assert_int_equal(block_at(world, 0, far_voxel(FAR_EDGE + 3)), TRN_BLOCK_GLOWING_STONE);
    assert_int_equal(block_at(world, 1, far_voxel(FAR_EDGE + 3)), TRN_BLOCK_GLOWING_STONE);
    game_destroy(game);
    free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hundred_times_the_cap_is_written_out),
        cmocka_unit_test(workers_write_out_while_the_game_goes_on),
        cmocka_unit_test(one_save_saves_all),
        cmocka_unit_test(a_save_that_is_full_stalls_nothing),
        cmocka_unit_test(tiny_caps_tell_what_is_left),
        cmocka_unit_test(fresh_edits_do_not_wait_for_failed_ones),
        cmocka_unit_test(refused_memory_delays_only_what_needs_it),
        cmocka_unit_test(without_a_source_the_oldest_edits_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

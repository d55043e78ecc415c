// The stream with workers: saves run on them, none is lost, and none waits.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include <pthread.h>

#include "stream_threaded.h"

static void saves_run_on_workers_and_none_is_lost(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 1});
    def.hooks.save = game_save;
    def.hooks.load = game_load;
    game_create(&game, &def);
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 3, 1);
    const TrnStreamAnchorId id = game_add(&game, player);
    game_settle(&game);
    for (int64_t x = -2; x <= 2; x++) {
        game_dig(&game, (TrnVoxel){x * 32 + 10, 5, 10}, 2);
    }
    player.position.chunk.x = 100;
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &player), TRN_RESULT_OK);
    game_settle(&game);
    assert_int_equal(game.save_count, 5);
    assert_int_equal(atomic_load(&game.saved_on_workers), 5);
    player.position.chunk.x = 0;
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &player), TRN_RESULT_OK);
    game_settle(&game);
    for (int64_t x = -2; x <= 2; x++) {
        TrnBlock block = 0;
        assert_int_equal(trn_store_get_block(game.store, (TrnVoxel){x * 32 + 10, 5, 10}, &block),
                         TRN_RESULT_OK);
        assert_int_equal(block, 2);
    }
    game_end(&game);
}

// ---- saves -------------------------------------------------------------------------------------

typedef struct SlowSaves {
    Game game; // first: the hooks get its address
    _Atomic(uint32_t) begun, running, running_most;
    _Atomic(bool) is_held;
} SlowSaves;

static TrnResult save_slowly(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    SlowSaves *slow = user;
    atomic_fetch_add(&slow->begun, 1);
    const uint32_t running = atomic_fetch_add(&slow->running, 1) + 1;
    if (running > atomic_load(&slow->running_most)) {
        atomic_store(&slow->running_most, running);
    }
    while (atomic_load(&slow->is_held)) { // even if it is cancelled
        test_rest_us(100);
    }
    const TrnResult result = game_save(user, job, voxels);
    atomic_fetch_sub(&slow->running, 1);
    return result;
}

static void update_until_saving(SlowSaves *slow, uint32_t saves)
{
    const double begun_ms = threaded_real_ms();
    while (atomic_load(&slow->begun) < saves) {
        game_update(&slow->game);
        test_rest_us(200);
        assert_true(threaded_real_ms() - begun_ms < 20000);
    }
}

/// A game whose only changed chunk is being saved by a worker, which blocks.
static void begin_slow_saves(SlowSaves *slow, TrnStreamAnchorId *id)
{
    Game *game = &slow->game;
    TrnStreamDef def = game_def(game);
    atomic_store(&slow->begun, 0);
    atomic_store(&slow->running, 0);
    atomic_store(&slow->running_most, 0);
    atomic_store(&slow->is_held, true);
    def.hooks.save = save_slowly;
    def.hooks.load = game_load;
    def.workers = 3;
    def.budget = (TrnStreamBudget){.ms = 5};
    game_create(game, &def);
    *id = game_add(game, game_anchor((TrnCoord){0, 0, 0}, 2, 2));
    game_settle(game);
    game_dig(game, (TrnVoxel){5, 5, 5}, 2);
    game_settle(game);
    const TrnStreamAnchor away = game_anchor((TrnCoord){100, 0, 0}, 2, 2);
    assert_int_equal(trn_stream_anchor_set(game->stream, *id, &away), TRN_RESULT_OK);
    update_until_saving(slow, 1);
}

static void check_saved_block(Game *game, TrnVoxel at, TrnBlock block)
{
    TrnBlock saved = 0;
    game_lock_saves(game);
    for (uint32_t i = 0; i < game->save_count; i++) {
        if (trn_coord_equal(game->saves[i].coord, trn_voxel_chunk(at))) {
            saved = game->saves[i].blocks[trn_local_index((uint32_t)at.x & 31, (uint32_t)at.y & 31,
                                                          (uint32_t)at.z & 31)];
        }
    }
    game_unlock_saves(game);
    assert_int_equal(saved, block);
}

static void a_chunk_wanted_again_is_not_saved_twice_at_a_time(void **state)
{
    (void)state;
    SlowSaves *slow = calloc(1, sizeof *slow);
    Game *game = &slow->game;
    TrnStreamAnchorId id;
    begin_slow_saves(slow, &id);
    const TrnStreamAnchor back = game_anchor((TrnCoord){0, 0, 0}, 2, 2);
    const TrnStreamAnchor away = game_anchor((TrnCoord){-100, 0, 0}, 2, 2);
    assert_int_equal(trn_stream_anchor_set(game->stream, id, &back), TRN_RESULT_OK);
    for (uint32_t i = 0; i < 50; i++) {
        game_update(game);
        test_rest_us(200);
    }
    game_dig(game, (TrnVoxel){5, 5, 5}, 3);
    assert_int_equal(trn_stream_anchor_set(game->stream, id, &away), TRN_RESULT_OK);
    for (uint32_t i = 0; i < 100; i++) {
        game_update(game);
        test_rest_us(200);
    }
    assert_int_equal(atomic_load(&slow->begun), 1);
    atomic_store(&slow->is_held, false);
    update_until_saving(slow, 2);
    game_settle(game);
    assert_int_equal(atomic_load(&slow->running_most), 1);
    check_saved_block(game, (TrnVoxel){5, 5, 5}, 3);
    game_end(game);
    free(slow);
}

static void *let_go_soon(void *user)
{
    SlowSaves *slow = user;
    test_rest_us(20000);
    atomic_store(&slow->is_held, false);
    return NULL;
}

static void a_chunk_removed_during_its_save_is_saved_again(void **state)
{
    (void)state;
    SlowSaves *slow = calloc(1, sizeof *slow);
    Game *game = &slow->game;
    TrnStreamAnchorId id;
    begin_slow_saves(slow, &id);
    game_dig(game, (TrnVoxel){5, 5, 5}, 3);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, let_go_soon, slow), 0);
    assert_int_equal(trn_store_remove(game->store, (TrnCoord){0, 0, 0}), TRN_RESULT_OK);
    pthread_join(thread, NULL);
    assert_int_equal(atomic_load(&slow->begun), 2);
    assert_int_equal(atomic_load(&slow->running_most), 1);
    check_saved_block(game, (TrnVoxel){5, 5, 5}, 3);
    game_settle(game);
    game_end(game);
    free(slow);
}

// ---- waiting -----------------------------------------------------------------------------------

static void *let_chunks_go_soon(void *user)
{
    Game *game = user;
    for (int i = 0; i < 300; i++) {
        test_rest_us(10000);
    }
    atomic_store(&game->is_held, false);
    return NULL;
}

static void saving_does_not_wait_for_generation(void **state)
{
    (void)state;
    Game *game = malloc(sizeof *game);
    TrnStreamDef def = threaded_def(game, 2, (TrnStreamBudget){.ms = 1});
    def.hooks.save = game_save;
    def.hooks.load = game_load;
    game_create(game, &def);
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 3, 1);
    const TrnStreamAnchorId id = game_add(game, player);
    game_settle(game);
    game_dig(game, (TrnVoxel){5, 5, 5}, 2);
    atomic_store(&game->is_held, true);
    player.position.chunk.x = 2;
    assert_int_equal(trn_stream_anchor_set(game->stream, id, &player), TRN_RESULT_OK);
    while (atomic_load(&game->running) < 2) {
        game_update(game);
        test_rest_us(100);
    }
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, let_chunks_go_soon, game), 0);
    const double begun_ms = threaded_real_ms();
    assert_int_equal(trn_stream_save(game->stream), TRN_RESULT_OK);
    const double took_ms = threaded_real_ms() - begun_ms;
    assert_true(atomic_load(&game->is_held));
    atomic_store(&game->is_held, false);
    pthread_join(thread, NULL);
    print_message("  %.2f ms\n", took_ms);
    check_saved_block(game, (TrnVoxel){5, 5, 5}, 2);
    assert_int_equal(trn_stream_stats(game->stream).unsaved, 0);
    game_settle(game);
    game_end(game);
    free(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saves_run_on_workers_and_none_is_lost),
        cmocka_unit_test(a_chunk_wanted_again_is_not_saved_twice_at_a_time),
        cmocka_unit_test(a_chunk_removed_during_its_save_is_saved_again),
        cmocka_unit_test(saving_does_not_wait_for_generation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

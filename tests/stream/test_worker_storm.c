// The stream with workers, when all happens at once: a random game, a lock that is taken,
// allocations that fail.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "base/thread.h"
#include "stream_threaded.h"

static _Atomic(bool) is_locked_out;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
bool __real_trn_mutex_try_lock(TrnMutex *mutex);
bool __wrap_trn_mutex_try_lock(TrnMutex *mutex);

/// A try fails as if a worker that the system suspended held the mutex.
bool __wrap_trn_mutex_try_lock(TrnMutex *mutex)
{
    return !atomic_load(&is_locked_out) && __real_trn_mutex_try_lock(mutex);
}
// NOLINTEND(bugprone-reserved-identifier)

/// Work that a timed update could not issue is not forgotten by the next update with units.
static void alternating_timed_and_exact_updates_lose_nothing(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.workers = 2;
    game_create(&game, &def);
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 3, 2);
    const TrnStreamAnchorId id = game_add(&game, player);
    const TrnStreamBudget by_time = {.ms = 2}, by_units = {.units = 4};
    for (uint32_t i = 0; i < 100; i++) {
        player.position.chunk.x += i % 3 == 0;
        assert_int_equal(trn_stream_anchor_set(game.stream, id, &player), TRN_RESULT_OK);
        atomic_store(&is_locked_out, i % 2 == 0);
        assert_int_equal(trn_stream_update(game.stream, i % 2 ? &by_units : &by_time, NULL),
                         TRN_RESULT_OK);
    }
    game_settle(&game);
    assert_int_equal(trn_stream_stats(game.stream).under_way, 0);
    assert_int_equal(trn_stream_stats(game.stream).wanted, trn_stream_stats(game.stream).loaded);
    game_end(&game);
}

// ---- all together ------------------------------------------------------------------------------

typedef struct Storm {
    Game *game;
    TestRandom random;
    TrnStreamAnchor player;
    TrnStreamAnchorId id;
    size_t bytes_max;
} Storm;

/// One random action in or around the stream.
static void storm_act(Storm *storm, uint32_t step)
{
    Game *game = storm->game;
    TestRandom *random = &storm->random;
    TrnStreamAnchor *player = &storm->player;
    switch (test_random_range(random, 0, 15)) {
    case 0:
        player->position.chunk.x += (int32_t)test_random_range(random, -9, 9);
        break;
    case 1:
        player->radius_chunks = (uint32_t)test_random_range(random, 0, 6);
        break;
    case 2:
        game->is_starved = step % 3 == 0;
        break;
    case 3:
        trn_stream_set_scratch(game->stream, step % 2 ? 0 : (size_t)1 << 20);
        break;
    case 4:
        trn_stream_remesh(game->stream);
        break;
    case 5:
        (void)trn_stream_save(game->stream);
        break;
    case 6:
        trn_stream_wait(game->stream);
        break;
    case 7:
        (void)trn_store_remove(game->store, player->position.chunk);
        break;
    case 8:
        atomic_store(&game->fail_every, step % 4 ? 0 : 3);
        game->save_result = step % 5 ? TRN_RESULT_OK : TRN_RESULT_CORRUPT;
        break;
    case 9:
        atomic_store(&is_locked_out, step % 2);
        break;
    default:
        player->position.chunk.x += (int32_t)test_random_range(random, -1, 1);
        player->position.chunk.z += (int32_t)test_random_range(random, -1, 1);
        break;
    }
    TrnBatch *batch;
    if (step % 2 && trn_batch_begin(game->store, NULL, &batch) == TRN_RESULT_OK) {
        trn_batch_fill_sphere(batch, threaded_spot(random, player->position.chunk), 5,
                              (TrnBlock)(step % 5));
        (void)trn_batch_commit(batch, NULL);
    }
}

static void storm_step(Storm *storm, uint32_t step)
{
    TestRandom *random = &storm->random;
    storm_act(storm, step);
    (void)trn_stream_anchor_set(storm->game->stream, storm->id, &storm->player);
    const TrnStreamBudget budget = {
        .ms = (double)test_random_range(random, 0, 3) / 4,
        .units = test_random_range(random, 0, 3) ? 0 : (uint32_t)test_random_range(random, 1, 40),
        .upload_bytes = (size_t)test_random_range(random, 0, 2) * 4000};
    (void)trn_stream_update(storm->game->stream, &budget, NULL);
    const TrnStreamStats stats = trn_stream_stats(storm->game->stream);
    assert_true(!storm->bytes_max || stats.total_bytes <= storm->bytes_max ||
                stats.scratch_bytes > 0);
    assert_true(stats.mesh_bytes <= atomic_load(&storm->game->live_mesh_bytes));
}

/// Timed updates and updates with units, faults, saves, waits, edits, and a lock that is always
/// taken: at the end everything wanted is loaded.
static void random_games_with_workers_load_everything(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(4711);
    for (uint32_t round = 0; round < test_rounds(12, 3); round++) {
        Game *game = malloc(sizeof *game);
        TrnStreamDef def = game_def(game);
        game->is_solid = round % 3 == 1;
        def.workers = 1 + round % 4;
        def.caller_works = round % 2;
        def.queue_bytes = round % 5 ? (size_t)1 << 20 : 1;
        def.bytes_max = round % 3 == 2 ? (size_t)test_random_range(&random, 3, 9) << 20 : 0;
        def.hooks.save = game_save;
        def.hooks.load = game_load;
        game_create(game, &def);
        Storm storm = {game,
                       {test_random_next(&random)},
                       game_anchor((TrnCoord){0, 0, 0}, 4, 2),
                       {0, 0},
                       def.bytes_max};
        storm.id = game_add(game, storm.player);
        for (uint32_t step = 0; step < 400; step++) {
            storm_step(&storm, step);
        }
        game->is_starved = false;
        game->save_result = TRN_RESULT_OK;
        atomic_store(&game->fail_every, 0);
        atomic_store(&is_locked_out, false);
        trn_stream_set_scratch(game->stream, 0);
        game_settle(game);
        const TrnStreamStats stats = trn_stream_stats(game->stream);
        assert_int_equal(stats.wanted, stats.loaded);
        assert_int_equal(stats.under_way, 0);
        game_end(game);
        free(game);
    }
}

/// A flight with two workers in which one allocation fails. @return how many allocations there were
static size_t fly_with_a_failed_allocation(size_t fail_at, bool *has_begun)
{
    Game *game = malloc(sizeof *game);
    TrnStreamDef def = threaded_def(game, 2, (TrnStreamBudget){.ms = 1});
    def.hooks.save = game_save;
    def.hooks.load = game_load;
    game->is_solid = true;
    game->memory.allocations = 0;
    game->memory.fail_at = fail_at;
    *has_begun = game_try_create(game, &def) == TRN_RESULT_OK;
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 2, 1);
    TrnStreamAnchorId id;
    while (*has_begun && trn_stream_anchor_add(game->stream, &player, &id) != TRN_RESULT_OK) {
    }
    for (int32_t step = 0; *has_begun && step < 3; step++) {
        player.position.chunk.x = step * 2;
        assert_int_equal(trn_stream_anchor_set(game->stream, id, &player), TRN_RESULT_OK);
        game_settle(game);
        const TrnStreamStats stats = trn_stream_stats(game->stream);
        assert_int_equal(stats.wanted, stats.loaded);
        (void)trn_store_set_block(game->store, (TrnVoxel){(int64_t)step * 64, 3, 5}, 2, NULL);
    }
    const size_t allocations = game->memory.allocations;
    game->stream = *has_begun ? game->stream : NULL;
    game_end(game);
    free(game);
    return allocations;
}

static void every_allocation_may_fail_with_workers(void **state)
{
    (void)state;
    bool has_begun;
    const size_t allocations = fly_with_a_failed_allocation(0, &has_begun);
    assert_true(has_begun);
    print_message("  some %zu allocations\n", allocations);
    size_t refused = 0;
    const size_t step = test_rounds(1, 15); // each allocation, or some under sanitizers
    for (size_t fail_at = 1; fail_at <= allocations; fail_at += step) {
        (void)fly_with_a_failed_allocation(fail_at, &has_begun);
        refused += !has_begun;
    }
    assert_true(refused > 0 && refused < allocations);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alternating_timed_and_exact_updates_lose_nothing),
        cmocka_unit_test(random_games_with_workers_load_everything),
        cmocka_unit_test(every_allocation_may_fail_with_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

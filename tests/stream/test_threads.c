// The stream with workers: equal worlds at any number of them, cancelled work, runners, and
// destruction at any moment.

#if defined(__linux__)
#define _GNU_SOURCE // NOLINT(bugprone-reserved-identifier): for the size of threads' stacks
#else
#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#endif

#include <pthread.h>
#include <time.h>
#if defined(__linux__)
#include <sys/resource.h>
#endif

#include "base/thread.h"
#include "rest.h"
#include "stream_game.h"
#include "stream_task.h"

static double real_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/// A voxel of ground near an anchor.
static TrnVoxel spot_near(TestRandom *random, TrnCoord chunk)
{
    return (TrnVoxel){(int64_t)chunk.x * 32 + test_random_range(random, -40, 72),
                      test_random_range(random, 0, 12),
                      (int64_t)chunk.z * 32 + test_random_range(random, -40, 72)};
}

/// Returns a def for a game whose work is done by the stream's threads.
static TrnStreamDef threaded_def(Game *game, uint32_t workers, TrnStreamBudget budget)
{
    TrnStreamDef def = game_def(game);
    def.workers = workers;
    def.budget = budget;
    return def;
}

// ---- replay ------------------------------------------------------------------------------------

#define FLIGHT_HASHES 16

/// Two players fly, turn, dig, meet and jump.
/// @param save_seconds  also save loaded chunks, by a clock of the game's
/// @param hashes        receives hashes of the world on the way
static void fly_exactly(uint32_t workers, size_t bytes_max, double save_seconds,
                        uint64_t hashes[FLIGHT_HASHES])
{
    Game *game = malloc(sizeof *game);
    TrnStreamDef def = game_def(game);
    def.workers = workers;
    def.bytes_max = bytes_max;
    def.budget.units = 48;
    def.queue_bytes = 1 << 20;
    def.hooks.save = game_save;
    def.hooks.load = game_load;
    def.source.save_seconds = save_seconds;
    if (save_seconds > 0) {
        def.clock_us = game_clock;
        def.clock_user = game;
    }
    atomic_store(&game->fail_every, 0);
    game_create(game, &def);
    assert_int_equal(trn_stream_stats(game->stream).workers, workers);
    uint32_t saved = 0;
    TestRandom random = {77};
    TrnStreamAnchor players[2] = {game_anchor((TrnCoord){0, 0, 0}, 5, 2),
                                  game_anchor((TrnCoord){40, 0, 3}, 4, 2)};
    TrnStreamAnchorId ids[2] = {game_add(game, players[0]), game_add(game, players[1])};
    for (uint32_t step = 0; step < FLIGHT_HASHES * 20; step++) {
        for (uint32_t p = 0; p < 2; p++) {
            TrnStreamAnchor *player = &players[p];
            player->position.chunk.x += step % 8 == 0 ? (p ? -1 : 1) : 0;
            player->position.chunk.z += step % 16 == 4 ? (p ? 1 : -1) : 0;
            player->velocity[0] = p ? -80 : 80;
            player->view[0] = (double)test_random_range(&random, -100, 100) / 100;
            player->view[2] = (double)test_random_range(&random, -100, 100) / 100;
            if (step % 150 == 149 && p) {
                player->position.chunk.x += 500;
            }
            assert_int_equal(trn_stream_anchor_set(game->stream, ids[p], player), TRN_RESULT_OK);
        }
        if (step % 3 == 0) {
            const TrnVoxel at = spot_near(&random, players[step & 1].position.chunk);
            const TrnBlock block = (TrnBlock)test_random_range(&random, 0, 6);
            TrnBatch *batch; // may be refused where bytes are short
            if (trn_batch_begin(game->store, NULL, &batch) == TRN_RESULT_OK) {
                trn_batch_fill_sphere(batch, at, 5, block);
                (void)trn_batch_commit(batch, NULL);
            }
        }
        game->now_us += 5000;
        const TrnStreamReport report = game_update(game);
        saved += report.saved;
        hashes[step / 20] = game_mix(
            hashes[step / 20], game_mix(report.inserted * 1000003u + report.uploaded,
                                        report.unloaded * 1009u + report.wanted + report.unwanted));
        if (step % 20 == 19) {
            hashes[step / 20] = game_mix(hashes[step / 20], game_hash(game));
            hashes[step / 20] = game_mix(hashes[step / 20], trn_stream_bytes(game->stream));
            hashes[step / 20] = game_mix(hashes[step / 20], saved);
        }
    }
    assert_true(trn_stream_stats(game->stream).groups > 20);
    game_end(game);
    free(game);
}

static void the_same_flight_is_the_same_world_at_any_number_of_workers(void **state)
{
    (void)state;
    const uint32_t workers[] = {0, 2, 8, 1, 4};
    const size_t budgets[] = {0, (size_t)5 << 20, 0};
    const double save_seconds[] = {0, 0, 0.05};
    for (size_t b = 0; b < 3; b++) {
        uint64_t first[FLIGHT_HASHES] = {0};
        for (size_t w = 0; w < test_rounds(5, 2); w++) {
            uint64_t hashes[FLIGHT_HASHES] = {0};
            fly_exactly(workers[w], budgets[b], save_seconds[b], hashes);
            if (w == 0) {
                memcpy(first, hashes, sizeof first);
                print_message("  %016llx\n", (unsigned long long)first[FLIGHT_HASHES - 1]);
            }
            for (uint32_t i = 0; i < FLIGHT_HASHES; i++) {
                assert_true(hashes[i] == first[i]);
            }
        }
    }
}

/// Flies in real time with edits, and comes to rest. @return the hash of the world
static uint64_t fly_freely(uint32_t workers, const TrnStreamRunner *runner, bool caller_works)
{
    Game *game = malloc(sizeof *game);
    TrnStreamDef def = game_def(game);
    def.workers = workers;
    def.runner = runner;
    def.caller_works = caller_works;
    def.budget = (TrnStreamBudget){.ms = 1};
    def.hooks.save = game_save;
    def.hooks.load = game_load;
    game_create(game, &def);
    TestRandom random = {5};
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 4, 2);
    const TrnStreamAnchorId id = game_add(game, player);
    game_settle(game);
    for (uint32_t step = 0; step < 300; step++) {
        player.position.chunk.x = (int32_t)(step / 10);
        assert_int_equal(trn_stream_anchor_set(game->stream, id, &player), TRN_RESULT_OK);
        if (step % 2 == 0) {
            game_dig(game, spot_near(&random, player.position.chunk), (TrnBlock)(step % 5));
        }
        game_update(game);
        test_rest_us(100);
    }
    game_settle(game);
    const TrnStreamStats stats = trn_stream_stats(game->stream);
    assert_int_equal(stats.wanted, stats.loaded);
    assert_int_equal(stats.torn_groups, 0);
    TrnChunk *chunks[512];
    const size_t count =
        trn_store_gather(game->store, trn_box_around(player.position.chunk, 4, 2, 4), chunks, 512);
    uint64_t hash = 0;
    for (size_t i = 0; i < count; i++) {
        // A chunk kept only by hysteresis may never have been shown.
        const TrnCoord at = chunks[i]->coord;
        const int32_t x = at.x - player.position.chunk.x, y = at.y, z = at.z;
        if (x * x + z * z + 4 * y * y <= 16) {
            assert_true(game_mesh_is_right(game, chunks[i]));
            hash += game_mix(game_coord_hash(chunks[i]->coord),
                             trn_snapshot_hash(trn_voxels_snapshot(&chunks[i]->voxels)));
        }
    }
    game_end(game);
    free(game);
    return hash;
}

static void a_flight_in_real_time_ends_in_the_same_world(void **state)
{
    (void)state;
    const uint64_t hash = fly_freely(0, NULL, false);
    assert_true(fly_freely(1, NULL, false) == hash);
    assert_true(fly_freely(2, NULL, true) == hash);
    assert_true(fly_freely(4, NULL, false) == hash);
}

// ---- runners -----------------------------------------------------------------------------------

static bool start_at_once(void *user, void (*work)(void *context), void *context)
{
    (void)user;
    work(context);
    return true;
}

static bool start_never(void *user, void (*work)(void *context), void *context)
{
    (void)user, (void)work, (void)context;
    return false;
}

static bool start_a_thread(void *user, void (*work)(void *context), void *context)
{
    (void)user;
    return stream_task_start(work, context);
}

static void runners_do_the_work_and_the_calling_thread_if_they_refuse(void **state)
{
    (void)state;
    const uint64_t hash = fly_freely(0, NULL, false);
    const TrnStreamRunner at_once = {start_at_once, 2, NULL};
    assert_true(fly_freely(0, &at_once, false) == hash);
    const TrnStreamRunner never = {start_never, 3, NULL};
    assert_true(fly_freely(0, &never, false) == hash);
    const TrnStreamRunner threads = {start_a_thread, 3, NULL};
    assert_true(fly_freely(0, &threads, false) == hash);
}

static void workers_that_cannot_start_are_reported(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    TrnChunkReader *readers[16];
    for (uint32_t i = 0; i < 14; i++) { // two are left
        assert_int_equal(
            trn_chunk_index_reader_create(trn_store_index(game.store), "other", &readers[i]),
            TRN_RESULT_OK);
    }
    def.workers = 5;
    game_create(&game, &def);
    const TrnStreamStats stats = trn_stream_stats(game.stream);
    assert_int_equal(stats.workers, 2);
    assert_int_equal(stats.workers_failed, 3);
    assert_int_equal(game.events[TRN_STREAM_EVENT_NO_WORKER], 3);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 3, 1));
    game_settle(&game);
    for (uint32_t i = 0; i < 14; i++) {
        trn_chunk_index_reader_destroy(readers[i]);
    }
    game_end(&game);
}

// ---- cancelling --------------------------------------------------------------------------------

static void unwanted_work_is_cancelled_before_and_during_it(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 2});
    game_create(&game, &def);
    atomic_store(&game.is_held, true);
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 4, 2);
    const TrnStreamAnchorId id = game_add(&game, player);
    while (atomic_load(&game.running) < 2) { // both workers are busy, and more work waits
        game_update(&game);
        test_rest_us(100);
    }
    player.position.chunk.x = 1000;
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &player), TRN_RESULT_OK);
    while (atomic_load(&game.cancelled_seen) < 2) {
        game_update(&game);
        test_rest_us(100);
    }
    atomic_store(&game.is_held, false);
    game_settle(&game);
    const TrnStreamStats stats = trn_stream_stats(game.stream);
    assert_true(stats.cancelled_during >= 2);
    assert_true(stats.cancelled_before > 10);
    assert_int_equal(stats.wanted, stats.loaded);
    assert_null(trn_store_find(game.store, (TrnCoord){0, 0, 0}));
    game_end(&game);
}

static void a_slow_hook_delays_no_update(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 1, (TrnStreamBudget){.ms = 1});
    game_create(&game, &def);
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 3, 1);
    const TrnStreamAnchorId id = game_add(&game, player);
    game_settle(&game);
    atomic_store(&game.is_held, true);
    player.position.chunk.x = 2;
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &player), TRN_RESULT_OK);
    while (!atomic_load(&game.running)) {
        game_update(&game);
    }
    // The worker is stuck; edits are still shown at once.
    for (int i = 0; i < 50; i++) {
        game_dig(&game, (TrnVoxel){16, 4, 16}, (TrnBlock)(i % 2 ? 0 : 3));
        game_update(&game);
        assert_true(game.uploads_of_update >= 1);
    }
    const TrnStreamExplanation why = trn_stream_explain(game.stream, (TrnCoord){5, 0, 0});
    assert_true(why.state == TRN_STREAM_STATE_GENERATING || why.state == TRN_STREAM_STATE_QUEUED);
    atomic_store(&game.is_held, false);
    game_settle(&game);
    game_end(&game);
}

static void all_meshes_of_an_explosion_appear_in_one_update(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 0.1});
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 6, 3));
    game_settle(&game);
    for (uint32_t i = 0; i < 8; i++) {
        TrnBatch *batch;
        assert_int_equal(trn_batch_begin(game.store, NULL, &batch), TRN_RESULT_OK);
        trn_batch_fill_sphere(batch, (TrnVoxel){0, 0, 0}, 50, (TrnBlock)(i % 4));
        TrnBatchOutcome outcome;
        assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
        assert_true(outcome.changed_chunks > 30);
        uint32_t updates_with_uploads = 0;
        for (bool is_idle = false; !is_idle;) {
            is_idle = game_update(&game).is_idle;
            if (game.uploads_of_update) {
                updates_with_uploads++;
                assert_true(game.uploads_of_update >= outcome.changed_chunks);
            }
            test_rest_us(50);
        }
        assert_int_equal(updates_with_uploads, 1);
    }
    assert_int_equal(trn_stream_stats(game.stream).groups, 8);
    game_end(&game);
}

/// More meshes are touched before every update than workers can build until the next one.
static void continuous_explosions_are_shown(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 0.001});
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 8, 2));
    game_settle(&game);
    uint32_t waited = 0, longest = 0;
    for (uint32_t i = 0; i < test_rounds(300, 100); i++) {
        const uint32_t touched = game_touch_corners(&game, 4, (TrnBlock)(i % 5));
        assert_true(touched >= 100);
        game_update(&game);
        waited++;
        if (game.uploads_of_update) {
            assert_true(game.uploads_of_update >= touched);
            longest = waited > longest ? waited : longest;
            waited = 0;
        }
        assert_true(waited < 64); // the system may suspend workers during one
    }
    print_message("  shown after at most %u updates\n", (unsigned)longest);
    assert_int_equal(trn_stream_stats(game.stream).torn_groups, 0);
    game_settle(&game);
    game_end(&game);
}

static void a_stream_ends_at_any_moment_within_a_tenth_of_a_second(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(31);
    double longest = 0;
    uint32_t over = 0;
    for (uint32_t round = 0; round < test_rounds(60, 15); round++) {
        Game *game = malloc(sizeof *game);
        TrnStreamDef def = game_def(game);
        def.workers = round % 4;
        def.budget = (TrnStreamBudget){.ms = 0.2};
        def.hooks.save = game_save;
        game_create(game, &def);
        TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 6, 3);
        const TrnStreamAnchorId id = game_add(game, player);
        atomic_store(&game->is_held, round % 5 == 4 && def.workers);
        const int64_t updates = test_random_range(&random, 0, 40);
        for (int64_t i = 0; i < updates; i++) {
            player.position.chunk.x += (int32_t)test_random_range(&random, 0, 3);
            assert_int_equal(trn_stream_anchor_set(game->stream, id, &player), TRN_RESULT_OK);
            game_dig(game, spot_near(&random, player.position.chunk), (TrnBlock)(i % 4));
            game_update(game);
        }
        const double begun = real_ms();
        trn_stream_destroy(game->stream);
        const double took = real_ms() - begun;
        longest = took > longest ? took : longest;
        over += took >= 100;
        game->stream = NULL;
        game_end(game);
        free(game);
    }
    // On a busy machine, under a sanitizer, ending threads may wait for a core.
    print_message("  at most %.2f ms\n", longest);
    assert_true(over <= 3);
}

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
    const double begun_ms = real_ms();
    while (atomic_load(&slow->begun) < saves) {
        game_update(&slow->game);
        test_rest_us(200);
        assert_true(real_ms() - begun_ms < 20000);
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

// ---- no endless waits --------------------------------------------------------------------------

/// Stone everywhere. The calling thread takes long enough for workers to be asleep when it is done.
static TrnResult generate_stone(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                bool *uniform)
{
    Game *game = user;
    atomic_fetch_add(&game->generated, 1);
    if (job->worker == 0 && game->cost_us > 0) {
        test_rest_us((uint32_t)game->cost_us);
    }
    blocks[0] = 1;
    *uniform = true;
    return TRN_RESULT_OK;
}

/// The calling thread has the only buffer while the worker looks for one, and returns it
/// afterwards.
static void waiting_ends_when_the_calling_thread_returns_the_last_buffer(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.hooks.generate = generate_stone;
    def.hooks.mesh = NULL;
    def.queue_bytes = 1;
    def.workers = 1;
    def.caller_works = true;
    def.budget = (TrnStreamBudget){.ms = 1};
    game_create(&game, &def);
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 0, 0);
    const TrnStreamAnchorId id = game_add(&game, player);
    game_settle(&game);
    game.cost_us = 3000;
    for (uint32_t i = 0; i < 20; i++) {
        player.position.chunk.x++; // nine chunks, issued at once
        assert_int_equal(trn_stream_anchor_set(game.stream, id, &player), TRN_RESULT_OK);
        game_update(&game);
        trn_stream_wait(game.stream);
    }
    game.cost_us = 0;
    game_settle(&game);
    game_end(&game);
}

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
    const double begun_ms = real_ms();
    assert_int_equal(trn_stream_save(game->stream), TRN_RESULT_OK);
    const double took_ms = real_ms() - begun_ms;
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

// ---- uploads -----------------------------------------------------------------------------------

/// A worker's meshes wait for their upload, which happens once an update here.
static void meshes_waiting_for_upload_count(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 5, .upload_bytes = 1});
    def.mesh_air = true;
    game_create(&game, &def);
    game.mesh_bytes = 20000;
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 6, 3));
    size_t waiting = 0;
    for (uint32_t i = 0; i < 150; i++) {
        game_update(&game);
        trn_stream_wait(game.stream);
        const TrnStreamStats stats = trn_stream_stats(game.stream);
        const size_t live = atomic_load(&game.live_mesh_bytes);
        assert_true(stats.mesh_bytes <= live);
        waiting = stats.mesh_bytes - (size_t)game.uploaded * game.mesh_bytes;
        if (i >= 100) { // as many are issued as are uploaded
            assert_true(live - stats.mesh_bytes <= 8 * game.mesh_bytes);
        }
    }
    assert_true(waiting >= 16 * game.mesh_bytes);
    game_end(&game);
}

/// With a byte budget as well: meshes that wait for their upload are within it.
static void meshes_waiting_for_upload_stay_within_the_budget(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 5, .upload_bytes = 1});
    def.mesh_air = true;
    def.queue_bytes = 256 << 10;
    def.bytes_max = (size_t)4 << 20;
    game_create(&game, &def);
    game.mesh_bytes = 50000;
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 6, 3));
    for (uint32_t i = 0; i < 400; i++) {
        game_update(&game);
        const TrnStreamStats stats = trn_stream_stats(game.stream);
        assert_true(stats.total_bytes <= def.bytes_max);
        assert_int_equal(stats.mesh_bytes % game.mesh_bytes, 0);
        test_rest_us(100);
    }
    assert_true(game.uploaded > 0);
    game_end(&game);
}

static void continuous_edits_starve_no_other_mesh(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 2, .upload_bytes = 1});
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 5, 1));
    game_settle(&game);
    const TrnStreamAnchor far = game_anchor((TrnCoord){9, 0, 0}, 3, 1);
    game_add(&game, far);
    const TrnVoxel there = {INT64_C(12) * 32, 0, 0};
    uint32_t updates = 0;
    while (!trn_stream_readiness(game.stream, there, there).is_shown) {
        game_dig(&game, (TrnVoxel){16, 4, 16}, (TrnBlock)(updates % 2 ? 0 : 3));
        game_update(&game);
        test_rest_us(200);
        assert_true(++updates < 5000);
    }
    game_settle(&game);
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
        trn_batch_fill_sphere(batch, spot_near(random, player->position.chunk), 5,
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

#if defined(__GLIBC__) && !TEST_HAS_SANITIZER // ThreadSanitizer takes most of such a small stack
/// Sets the size of the stack of threads that are created without one. @return the size before
static size_t set_default_stack(size_t bytes)
{
    pthread_attr_t attributes;
    size_t before;
    assert_int_equal(pthread_getattr_default_np(&attributes), 0);
    assert_int_equal(pthread_attr_getstacksize(&attributes, &before), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, bytes), 0);
    assert_int_equal(pthread_setattr_default_np(&attributes), 0);
    pthread_attr_destroy(&attributes);
    return before;
}

static TrnResult generate_deeply(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                 bool *uniform)
{
    volatile unsigned char deep[512 << 10];
    for (size_t i = 0; i < sizeof deep; i += 1024) {
        deep[i] = 1;
    }
    return game_generate(user, job, blocks, uniform);
}

/// Some C libraries give a thread less stack than the terrain needs.
static void workers_have_enough_stack_whatever_the_default(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 1});
    def.hooks.generate = generate_deeply;
    const size_t before = set_default_stack((size_t)128 << 10);
    const TrnResult result = game_try_create(&game, &def);
    (void)set_default_stack(before);
    assert_int_equal(result, TRN_RESULT_OK);
    assert_int_equal(trn_stream_stats(game.stream).workers, 2);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 3, 1));
    game_settle(&game);
    assert_int_equal(trn_stream_stats(game.stream).wanted, trn_stream_stats(game.stream).loaded);
    game_end(&game);
}
#endif

static bool threads_are_refused;

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
bool __real_trn_thread_start(TrnThread *thread, size_t stack_bytes, void (*run)(void *context),
                             void *context);
bool __wrap_trn_thread_start(TrnThread *thread, size_t stack_bytes, void (*run)(void *context),
                             void *context);

bool __wrap_trn_thread_start(TrnThread *thread, size_t stack_bytes, void (*run)(void *context),
                             void *context)
{
    return !threads_are_refused && __real_trn_thread_start(thread, stack_bytes, run, context);
}
// NOLINTEND(bugprone-reserved-identifier)

/// If the system starts no thread, the calling thread does all work.
static void without_threads_the_calling_thread_does_all(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 3, (TrnStreamBudget){.ms = 1});
    threads_are_refused = true;
    const TrnResult result = game_try_create(&game, &def);
    threads_are_refused = false;
    assert_int_equal(result, TRN_RESULT_OK);
    assert_int_equal(trn_stream_stats(game.stream).workers, 0);
    assert_int_equal(trn_stream_stats(game.stream).workers_failed, 3);
    assert_int_equal(game.events[TRN_STREAM_EVENT_NO_WORKER], 3);
    assert_int_equal(game.last_event.result, TRN_RESULT_NO_MEMORY);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 3, 1));
    game_settle(&game);
    assert_int_equal(trn_stream_stats(game.stream).wanted, trn_stream_stats(game.stream).loaded);
    game_end(&game);
}

// ---- the store's memory, filled by workers -----------------------------------------------------

/// Counts payloads that no chunk holds and that wait for no reader.
static uint32_t count_loose_payloads(const Game *game)
{
    TrnChunk *chunks[2048];
    const size_t count = trn_store_gather(game->store, trn_box_everything(), chunks, 2048);
    assert_true(count <= 2048);
    const TrnVoxelHeapStats heap = trn_voxel_heap_stats(trn_store_voxel_heap(game->store));
    uint32_t held = 0;
    for (size_t i = 0; i < count; i++) {
        held += !trn_snapshot_is_uniform(trn_voxels_snapshot(&chunks[i]->voxels));
    }
    assert_true(heap.payloads >= held + heap.retired_payloads);
    return heap.payloads - heap.retired_payloads - held;
}

static void slots_are_stocked_while_workers_request_them(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 0.5});
    game_create(&game, &def);
    game.is_solid = true;
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 4, 2);
    const TrnStreamAnchorId id = game_add(&game, player);
    uint32_t most = 0;
    for (uint32_t step = 0; step < 120; step++) {
        player.position.chunk.x = (int32_t)(step / 3);
        assert_int_equal(trn_stream_anchor_set(game.stream, id, &player), TRN_RESULT_OK);
        game_update(&game);
        trn_stream_wait(game.stream);
        const uint32_t loose = count_loose_payloads(&game);
        most = loose > most ? loose : most;
        test_rest_us(500);
    }
    assert_true(most > 0);
    assert_true(most <= 2 * 1024); // 128 of each class, and results that are not collected yet
    game_settle(&game);
    for (uint32_t i = 0; i < 64; i++) {
        game_update(&game);
    }
    assert_int_equal(count_loose_payloads(&game), 0);
    // Exact replay keeps none, whatever was there before.
    player.position.chunk.x += 3;
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &player), TRN_RESULT_OK);
    for (uint32_t i = 0; i < 3; i++) {
        game_update(&game);
        test_rest_us(500);
    }
    const TrnStreamBudget exact = {.units = 16};
    assert_int_equal(trn_stream_update(game.stream, &exact, NULL), TRN_RESULT_OK);
    assert_int_equal(count_loose_payloads(&game), 0);
    game_end(&game);
}

/// Counts chunks of one block, by looking at each.
static uint32_t count_uniform_chunks(const Game *game)
{
    TrnChunk *chunks[2048];
    const size_t count = trn_store_gather(game->store, trn_box_everything(), chunks, 2048);
    uint32_t uniform = 0;
    for (size_t i = 0; i < count && i < 2048; i++) {
        uniform += trn_snapshot_is_uniform(trn_voxels_snapshot(&chunks[i]->voxels));
    }
    return uniform;
}

static void slots_in_stock_do_not_count_as_chunks(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 0.5});
    game_create(&game, &def);
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 4, 2);
    const TrnStreamAnchorId id = game_add(&game, player);
    uint32_t most = 0;
    for (uint32_t step = 0; step < 120; step++) {
        player.position.chunk.x = (int32_t)(step / 3);
        assert_int_equal(trn_stream_anchor_set(game.stream, id, &player), TRN_RESULT_OK);
        game_update(&game);
        trn_stream_wait(game.stream);
        const uint32_t loose = count_loose_payloads(&game);
        most = loose > most ? loose : most;
        assert_int_equal(trn_store_stats(game.store).uniform_chunks, count_uniform_chunks(&game));
        test_rest_us(300);
    }
    assert_true(most > 0);
    game_end(&game);
}

/// Memory for few chunks: those that leave the view while they wait for memory must not keep it
/// from the others.
static void unwanted_chunks_keep_no_memory_from_waiting_ones(void **state)
{
    (void)state;
    for (size_t more = 100; more < 2500; more += 200) {
        Game game;
        TrnStreamDef def = game_def(&game);
        def.workers = 2;
        def.budget = (TrnStreamBudget){.ms = 0.5};
        def.queue_bytes = 1 << 20;
        game_create(&game, &def);
        const size_t empty = trn_stream_bytes(game.stream);
        trn_stream_destroy(game.stream);
        game.is_solid = true;
        def.bytes_max = empty + (1 << 20) + (more << 10);
        game_create(&game, &def);
        game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 6, 3));
        for (uint32_t i = 0; i < 400; i++) {
            game_update(&game);
            trn_stream_wait(game.stream);
            assert_true(trn_stream_bytes(game.stream) <= def.bytes_max);
        }
        const TrnStreamStats stats = trn_stream_stats(game.stream);
        print_message("  %zu KiB: %u of %u loaded, %u under way, %u loose\n", more,
                      (unsigned)stats.loaded, (unsigned)stats.wanted, (unsigned)stats.under_way,
                      (unsigned)count_loose_payloads(&game));
        assert_true(count_loose_payloads(&game) <= stats.wanted - stats.loaded);
        game_end(&game);
    }
}

#if defined(__linux__)
static _Atomic(int) nice_of_worker;

static TrnResult note_niceness(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    if (job->worker) { // 0 is the calling thread
        atomic_store(&nice_of_worker, getpriority(PRIO_PROCESS, 0));
    }
    return game_generate(user, job, blocks, uniform);
}

static void workers_use_the_nice_levels_of_the_def(void **state)
{
    (void)state;
    const int own = getpriority(PRIO_PROCESS, 0);
    const uint32_t levels[] = {0, 3, 10, 39};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        Game game;
        TrnStreamDef def = game_def(&game);
        def.workers = 1;
        def.budget = (TrnStreamBudget){.ms = 1};
        def.worker_nice = levels[i];
        def.hooks.generate = note_niceness;
        game_create(&game, &def);
        atomic_store(&nice_of_worker, -100);
        game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 2, 1));
        // Sleeps, and ends as soon as it is known: the nicest worker gets little of a busy machine.
        while (atomic_load(&nice_of_worker) == -100) {
            game_update(&game);
            test_rest_us(500);
        }
        const int wanted = own + (int)levels[i] < 19 ? own + (int)levels[i] : 19;
        assert_int_equal(atomic_load(&nice_of_worker), wanted);
        assert_int_equal(getpriority(PRIO_PROCESS, 0), own);
        game_end(&game);
    }
    Game game;
    TrnStreamDef def = game_def(&game);
    def.worker_nice = 40;
    assert_int_equal(game_try_create(&game, &def), TRN_RESULT_BAD_ARGUMENT);
    trn_store_destroy(game.store);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_flight_is_the_same_world_at_any_number_of_workers),
        cmocka_unit_test(a_flight_in_real_time_ends_in_the_same_world),
        cmocka_unit_test(runners_do_the_work_and_the_calling_thread_if_they_refuse),
        cmocka_unit_test(workers_that_cannot_start_are_reported),
        cmocka_unit_test(unwanted_work_is_cancelled_before_and_during_it),
        cmocka_unit_test(a_slow_hook_delays_no_update),
        cmocka_unit_test(all_meshes_of_an_explosion_appear_in_one_update),
        cmocka_unit_test(continuous_explosions_are_shown),
        cmocka_unit_test(a_stream_ends_at_any_moment_within_a_tenth_of_a_second),
        cmocka_unit_test(a_chunk_wanted_again_is_not_saved_twice_at_a_time),
        cmocka_unit_test(a_chunk_removed_during_its_save_is_saved_again),
        cmocka_unit_test(saves_run_on_workers_and_none_is_lost),
        cmocka_unit_test(slots_are_stocked_while_workers_request_them),
        cmocka_unit_test(waiting_ends_when_the_calling_thread_returns_the_last_buffer),
        cmocka_unit_test(saving_does_not_wait_for_generation),
        cmocka_unit_test(meshes_waiting_for_upload_count),
        cmocka_unit_test(meshes_waiting_for_upload_stay_within_the_budget),
        cmocka_unit_test(continuous_edits_starve_no_other_mesh),
        cmocka_unit_test(every_allocation_may_fail_with_workers),
#if defined(__GLIBC__) && !TEST_HAS_SANITIZER
        cmocka_unit_test(workers_have_enough_stack_whatever_the_default),
#endif
        cmocka_unit_test(without_threads_the_calling_thread_does_all),
        cmocka_unit_test(slots_in_stock_do_not_count_as_chunks),
        cmocka_unit_test(unwanted_chunks_keep_no_memory_from_waiting_ones),
        cmocka_unit_test(random_games_with_workers_load_everything),
        cmocka_unit_test(alternating_timed_and_exact_updates_lose_nothing),
#if defined(__linux__)
        cmocka_unit_test(workers_use_the_nice_levels_of_the_def),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The stream with workers: the same flight is the same world at any number of them, and with
// threads of the game.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "stream_task.h"
#include "stream_threaded.h"

#define FLIGHT_HASHES 16

typedef struct Flight {
    size_t bytes_max;    ///< 0: none
    double save_seconds; ///< also save loaded chunks, by a clock of the game's
    bool light;
} Flight;

/// Two players fly, turn, dig, meet and jump.
/// @param hashes  receives hashes of the world on the way
static void fly_exactly(uint32_t workers, const Flight *flight, uint64_t hashes[FLIGHT_HASHES])
{
    Game *game = malloc(sizeof *game);
    TrnStreamDef def = game_def(game);
    def.workers = workers;
    def.bytes_max = flight->bytes_max;
    def.light = flight->light;
    def.budget.units = 48;
    def.queue_bytes = 1 << 20;
    def.hooks.save = game_save;
    def.hooks.load = game_load;
    def.source.save_seconds = flight->save_seconds;
    if (flight->save_seconds > 0) {
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
    for (uint32_t step = 0; step < test_rounds(FLIGHT_HASHES, FLIGHT_HASHES / 2) * 20; step++) {
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
            const TrnVoxel at = threaded_spot(&random, players[step & 1].position.chunk);
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
    const Flight flights[] = {{0},
                              {.bytes_max = (size_t)5 << 20},
                              {.save_seconds = 0.05},
                              {.bytes_max = (size_t)9 << 20, .light = true}};
    for (size_t b = 0; b < sizeof flights / sizeof *flights; b++) {
        uint64_t first[FLIGHT_HASHES] = {0};
        for (size_t w = 0; w < test_rounds(5, 2); w++) {
            uint64_t hashes[FLIGHT_HASHES] = {0};
            fly_exactly(workers[w], &flights[b], hashes);
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
    for (uint32_t step = 0; step < test_rounds(300, 100); step++) {
        player.position.chunk.x = (int32_t)(step / 10);
        assert_int_equal(trn_stream_anchor_set(game->stream, id, &player), TRN_RESULT_OK);
        if (step % 2 == 0) {
            game_dig(game, threaded_spot(&random, player.position.chunk), (TrnBlock)(step % 5));
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

static void runners_do_the_work_and_the_calling_thread_if_they_refuse(void **state)
{
    (void)state;
    const uint64_t hash = fly_freely(0, NULL, false);
    const TrnStreamRunner at_once = {stream_start_at_once, 2, NULL};
    assert_true(fly_freely(0, &at_once, false) == hash);
    const TrnStreamRunner never = {stream_start_never, 3, NULL};
    assert_true(fly_freely(0, &never, false) == hash);
    const TrnStreamRunner threads = {stream_start_thread, 3, NULL};
    assert_true(fly_freely(0, &threads, false) == hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_flight_is_the_same_world_at_any_number_of_workers),
        cmocka_unit_test(a_flight_in_real_time_ends_in_the_same_world),
        cmocka_unit_test(runners_do_the_work_and_the_calling_thread_if_they_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

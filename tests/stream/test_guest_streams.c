// Streams of several levels on the workers of one: equal worlds at any number of workers, one
// scratch a worker, one byte budget.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "game_checks.h"
#include "stream/stream_level.h"
#include "stream_task.h"
#include "stream_threaded.h"

#define LEVELS 3u ///< 0, the host, and two guests

/// A game of one level.
typedef struct Ring {
    Game game; ///< first: the hooks' `user`
    struct Ring *host;
    uint32_t level;
    TrnStreamAnchorId ids[2]; ///< of the host's anchors
    // Of the host, on any thread.
    _Atomic(uint32_t) in_use[TRN_STREAM_WORKER_MAX + 1]; ///< by worker
    _Atomic(uint32_t) violations;                        ///< two hooks with one worker's number
    _Atomic(uint32_t) on_workers;                        ///< hooks of guests
} Ring;

/// The rings of a world, finest first.
typedef struct Rings {
    Ring *at[LEVELS];
    TrnStreamAnchor players[2];
} Rings;

// ---- hooks -------------------------------------------------------------------------------------

static void ring_enter(Ring *ring, const TrnStreamJob *job)
{
    atomic_fetch_add(&ring->host->violations, atomic_exchange(&ring->host->in_use[job->worker], 1));
    atomic_fetch_add(&ring->host->violations, job->level != ring->level);
    atomic_fetch_add(&ring->host->on_workers, job->worker && ring->level);
}

static void ring_leave(Ring *ring, const TrnStreamJob *job)
{
    atomic_store(&ring->host->in_use[job->worker], 0);
}

static TrnResult ring_generate(void *user, const TrnStreamJob *job, TrnBlock *blocks, bool *uniform)
{
    ring_enter(user, job);
    const TrnResult result = game_generate(user, job, blocks, uniform);
    ring_leave(user, job);
    return result;
}

static TrnResult ring_mesh(void *user, const TrnStreamJob *job, const TrnStreamMeshInput *input,
                           TrnStreamMesh *mesh)
{
    ring_enter(user, job);
    const TrnResult result = game_mesh(user, job, input, mesh);
    ring_leave(user, job);
    return result;
}

// ---- rings -------------------------------------------------------------------------------------

/// What a test varies.
typedef struct RingsDef {
    uint32_t workers;
    const TrnStreamRunner *runner;
    TrnStreamBudget budget;
    size_t bytes_max[LEVELS];
} RingsDef;

static TrnStreamDef ring_def(const RingsDef *def, Ring *ring)
{
    TrnStreamDef out = game_def(&ring->game);
    out.hooks.generate = ring_generate;
    out.hooks.mesh = ring_mesh;
    out.workers = def->workers;
    out.runner = def->runner;
    out.budget = def->budget;
    out.bytes_max = def->bytes_max[ring->level];
    out.queue_bytes = 1 << 20;
    return out;
}

static Rings rings_create(const RingsDef *def)
{
    Rings rings = {.players = {game_anchor((TrnCoord){0, 0, 0}, test_rounds(4, 3), 2),
                               game_anchor((TrnCoord){30, 0, 3}, test_rounds(3, 2), 2)}};
    for (uint32_t i = 0; i < LEVELS; i++) {
        Ring *ring = calloc(1, sizeof *ring);
        assert_non_null(ring);
        rings.at[i] = ring;
        ring->host = rings.at[0];
        ring->level = i;
        const TrnStreamDef made = ring_def(def, ring);
        const TrnAllocator allocator = game_allocator(&ring->game);
        TrnStreamDef of_ring = made;
        of_ring.allocator = &allocator;
        assert_int_equal(trn_stream_create_level(&of_ring, i, i ? rings.at[0]->game.stream : NULL,
                                                 &ring->game.stream),
                         TRN_RESULT_OK);
        assert_int_equal(trn_stream_stats(ring->game.stream).workers,
                         def->runner ? def->runner->concurrency : def->workers);
        for (uint32_t p = 0; p < 2; p++) {
            ring->ids[p] = game_add(&ring->game, trn_stream_anchor_at_level(&rings.players[p], i));
        }
    }
    return rings;
}

static void rings_destroy(const Rings *rings)
{
    assert_int_equal(atomic_load(&rings->at[0]->violations), 0);
    for (uint32_t i = LEVELS; i-- > 0;) {
        game_end(&rings->at[i]->game);
        if (i == 1) { // without guests, nothing of theirs counts
            assert_int_equal(trn_stream_stats(rings->at[0]->game.stream).far_bytes, 0);
        }
    }
    for (uint32_t i = 0; i < LEVELS; i++) {
        free(rings->at[i]);
    }
}

/// Gives the guests the host's anchors.
static void rings_follow(const Rings *rings)
{
    for (uint32_t p = 0; p < 2; p++) {
        for (uint32_t i = 0; i < LEVELS; i++) {
            const TrnStreamAnchor anchor = trn_stream_anchor_at_level(&rings->players[p], i);
            assert_int_equal(
                trn_stream_anchor_set(rings->at[i]->game.stream, rings->at[i]->ids[p], &anchor),
                TRN_RESULT_OK);
        }
    }
}

/// Updates all rings. @return whether all are idle
static bool rings_update(const Rings *rings, uint64_t *hash)
{
    bool is_idle = true;
    size_t guests = 0;
    for (uint32_t i = 0; i < LEVELS; i++) {
        Game *game = &rings->at[i]->game;
        const TrnStreamReport report = game_update(game);
        is_idle &= report.is_idle;
        const size_t bytes = trn_stream_bytes(game->stream);
        guests += i ? bytes : 0;
        const TrnStreamStats stats = trn_stream_stats(game->stream);
        assert_true(!i || !stats.bytes_max || bytes <= stats.bytes_max);
        *hash = game_mix(*hash, game_mix(report.inserted * 1000003u + report.uploaded,
                                         report.unloaded * 1009u + report.wanted));
        *hash = game_mix(*hash, bytes);
    }
    const TrnStreamStats host = trn_stream_stats(rings->at[0]->game.stream);
    assert_int_equal(host.far_bytes, guests);
    assert_int_equal(host.total_bytes, host.store_bytes + host.mesh_bytes + host.light_bytes +
                                           host.stream_bytes + host.scratch_bytes + guests);
    return is_idle;
}

static void rings_settle(const Rings *rings)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < 200000; i++) {
        if (rings_update(rings, &hash)) {
            return;
        }
        test_rest_us(20);
    }
    for (uint32_t i = 0; i < LEVELS; i++) {
        const TrnStreamStats stats = trn_stream_stats(rings->at[i]->game.stream);
        print_message("  level %u: loaded %u of %u, %u queued, %u under way, %u shrunk, %u failed, "
                      "%zu of %zu bytes, %zu of guests\n",
                      i, stats.loaded, stats.wanted, stats.queued, stats.under_way,
                      stats.shrunk_views, stats.failed, stats.total_bytes, stats.bytes_max,
                      stats.far_bytes);
    }
    fail_msg("the levels do not come to rest");
}

/// Moves the players, and digs in all rings: a step of a flight.
static void rings_fly(Rings *rings, TestRandom *random, uint32_t step)
{
    for (uint32_t p = 0; p < 2; p++) {
        TrnStreamAnchor *player = &rings->players[p];
        player->position.chunk.x += step % 3 == 0 ? (p ? -1 : 1) : 0;
        player->position.chunk.z += step % 5 == 4 ? (p ? 1 : -1) : 0;
        player->velocity[0] = p ? -80 : 80;
        player->view[0] = (double)test_random_range(random, -100, 100) / 100;
        player->view[2] = (double)test_random_range(random, -100, 100) / 100;
        player->position.chunk.x += step % 30 == 29 ? (p ? 900 : -300) : 0;
    }
    rings_follow(rings);
    for (uint32_t i = 0; i < LEVELS && step % 2 == 0; i++) {
        const TrnStreamAnchor at = trn_stream_anchor_at_level(&rings->players[step / 2 % 2], i);
        const TrnVoxel voxel = threaded_spot(random, at.position.chunk);
        TrnBatch *batch; // may be refused where bytes are short
        if (trn_batch_begin(rings->at[i]->game.store, NULL, &batch) == TRN_RESULT_OK) {
            trn_batch_fill_sphere(batch, voxel, 4, (TrnBlock)test_random_range(random, 0, 6));
            (void)trn_batch_commit(batch, NULL);
        }
    }
}

// ---- exact replay ------------------------------------------------------------------------------

static uint64_t fly_exactly(const RingsDef *def)
{
    Rings rings = rings_create(def);
    TestRandom random = {41};
    uint64_t hash = 0;
    for (uint32_t step = 0; step < test_rounds(200, 20); step++) {
        rings_fly(&rings, &random, step);
        (void)rings_update(&rings, &hash);
        for (uint32_t i = 0; i < LEVELS && step % 20 == 19; i++) {
            hash = game_mix(hash, game_hash(&rings.at[i]->game));
        }
    }
    rings_destroy(&rings);
    return hash;
}

static void the_same_flight_is_the_same_world_on_any_workers(void **state)
{
    (void)state;
    const uint32_t workers[] = {0, 2, 8, 1, 4};
    const TrnStreamRunner runners[] = {{stream_start_thread, 3, NULL},
                                       {stream_start_at_once, 2, NULL},
                                       {stream_start_never, 2, NULL}};
    for (uint32_t is_short = 0; is_short < 2; is_short++) {
        RingsDef def = {.budget = {.units = 40}};
        if (is_short) {
            const size_t bytes[LEVELS] = {(size_t)8 << 20, (size_t)2 << 20, (size_t)2 << 20};
            memcpy(def.bytes_max, bytes, sizeof bytes);
        }
        const uint64_t expected = fly_exactly(&def);
        print_message("  %016llx\n", (unsigned long long)expected);
        for (uint32_t w = 1; w < test_rounds(5, 2); w++) {
            def.workers = workers[w];
            assert_true(fly_exactly(&def) == expected);
        }
        def.workers = 0;
        for (uint32_t r = 0; r < test_rounds(3, 1); r++) {
            def.runner = &runners[r];
            assert_true(fly_exactly(&def) == expected);
        }
    }
}

// ---- in real time ------------------------------------------------------------------------------

static void fly_freely(const RingsDef *def)
{
    Rings rings = rings_create(def);
    TestRandom random = test_random_seeded(3 + def->workers);
    uint64_t hash = 0;
    for (uint32_t step = 0; step < test_rounds(200, 20); step++) {
        rings_fly(&rings, &random, step);
        for (uint32_t i = 0; i < LEVELS; i++) {
            Game *game = &rings.at[i]->game;
            const int64_t act = test_random_range(&random, 0, 19);
            if (act == 0) {
                trn_stream_remesh(game->stream);
            } else if (act == 1) {
                trn_stream_wait(game->stream);
            } else if (act == 2) {
                atomic_store(&game->fail_every, step % 4 ? 0 : 3);
            }
        }
        (void)rings_update(&rings, &hash);
    }
    for (uint32_t i = 0; i < LEVELS; i++) {
        atomic_store(&rings.at[i]->game.fail_every, 0);
    }
    rings_settle(&rings);
    for (uint32_t i = 0; i < LEVELS; i++) {
        for (uint32_t p = 0; p < 2; p++) {
            const TrnStreamAnchor at = trn_stream_anchor_at_level(&rings.players[p], i);
            check_view(&rings.at[i]->game, &at);
        }
    }
    rings_destroy(&rings);
}

static void a_flight_in_real_time_shows_every_level(void **state)
{
    (void)state;
    const TrnStreamRunner runners[] = {{stream_start_thread, 3, NULL},
                                       {stream_start_at_once, 2, NULL},
                                       {stream_start_never, 2, NULL}};
    for (uint32_t workers = 0; workers < 5; workers += test_rounds(2, 4)) {
        fly_freely(&(RingsDef){.workers = workers, .budget = {.ms = 0.5}});
    }
    for (uint32_t r = 0; r < test_rounds(3, 1); r++) {
        fly_freely(&(RingsDef){.runner = &runners[r], .budget = {.ms = 0.5}});
    }
}

static void the_hosts_workers_do_the_work_of_guests(void **state)
{
    (void)state;
    const Rings rings = rings_create(&(RingsDef){.workers = 2, .budget = {.ms = 0.5}});
    rings_settle(&rings);
    uint32_t all = 0;
    for (uint32_t i = 1; i < LEVELS; i++) {
        const Game *game = &rings.at[i]->game;
        all += atomic_load(&game->generated) + atomic_load(&game->meshed);
    }
    assert_int_equal(atomic_load(&rings.at[0]->on_workers), all);
    rings_destroy(&rings);
}

/// Guests are destroyed while workers are in their hooks, at any time.
static void guests_may_end_in_the_middle_of_a_flight(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(12);
    for (uint32_t round = 0; round < test_rounds(30, 6); round++) {
        Rings rings = rings_create(&(RingsDef){.workers = 2, .budget = {.ms = 0.5}});
        const uint32_t steps = (uint32_t)test_random_range(&random, 0, 12);
        uint64_t hash = 0;
        for (uint32_t step = 0; step < steps; step++) {
            rings_fly(&rings, &random, step + 24);
            (void)rings_update(&rings, &hash);
        }
        rings_destroy(&rings);
    }
}

// ---- memory ------------------------------------------------------------------------------------

static void guests_count_against_the_hosts_budget(void **state)
{
    (void)state;
    test_skip_without_threads();
    const TrnStreamBudget budget = {.units = 64};
    const Rings free_rings = rings_create(&(RingsDef){.budget = budget});
    size_t empty[LEVELS], full[LEVELS];
    for (uint32_t i = 0; i < LEVELS; i++) {
        empty[i] = trn_stream_bytes(free_rings.at[i]->game.stream);
    }
    rings_settle(&free_rings);
    for (uint32_t i = 0; i < LEVELS; i++) {
        full[i] = trn_stream_bytes(free_rings.at[i]->game.stream);
        assert_int_equal(trn_stream_stats(free_rings.at[i]->game.stream).shrunk_views, 0);
    }
    rings_destroy(&free_rings);

    // The host could hold its own chunks, but not with those of its guests.
    const size_t guests = full[1] - empty[1] + full[2] - empty[2];
    const size_t own = full[0] - empty[0] - guests;
    assert_true(guests > own / 2);
    const size_t max = full[0] - own / 16;
    const RingsDef def = {.budget = budget, .bytes_max = {max, full[1] * 2, full[2] * 2}};
    const Rings rings = rings_create(&def);
    rings_settle(&rings);
    const TrnStreamStats host = trn_stream_stats(rings.at[0]->game.stream);
    assert_true(host.total_bytes <= max);
    assert_int_equal(host.scratch_bytes, 0);
    assert_true(host.shrunk_views > 0);
    for (uint32_t i = 1; i < LEVELS; i++) {
        assert_int_equal(trn_stream_stats(rings.at[i]->game.stream).shrunk_views, 0);
    }
    rings_destroy(&rings);
}

/// Each level may use a part; a level that is short drops rings, the others do not.
static void a_guest_keeps_to_its_own_budget(void **state)
{
    (void)state;
    test_skip_without_threads();
    const TrnStreamBudget budget = {.units = 64};
    const Rings free_rings = rings_create(&(RingsDef){.budget = budget});
    const size_t empty = trn_stream_bytes(free_rings.at[1]->game.stream);
    rings_settle(&free_rings);
    const size_t full = trn_stream_bytes(free_rings.at[1]->game.stream);
    rings_destroy(&free_rings);
    const RingsDef def = {.budget = budget, .bytes_max = {0, empty + (full - empty) / 2, 0}};
    const Rings rings = rings_create(&def);
    rings_settle(&rings);
    for (uint32_t i = 0; i < LEVELS; i++) {
        assert_int_equal(trn_stream_stats(rings.at[i]->game.stream).shrunk_views > 0, i == 1);
    }
    rings_destroy(&rings);
}

static void scratch_stays_the_games_own(void **state)
{
    (void)state;
    test_skip_without_threads();
    const Rings rings = rings_create(&(RingsDef){.budget = {.units = 64}});
    TrnStream *host = rings.at[0]->game.stream;
    trn_stream_set_scratch(host, 12345);
    rings_settle(&rings);
    assert_int_equal(trn_stream_stats(host).scratch_bytes, 12345);
    trn_stream_set_scratch(rings.at[1]->game.stream, 777); // counts as the guest's
    rings_settle(&rings);
    assert_int_equal(trn_stream_stats(rings.at[1]->game.stream).scratch_bytes, 777);
    assert_int_equal(trn_stream_stats(host).scratch_bytes, 12345);
    rings_destroy(&rings);
}

static void a_guest_without_memory_leaves_its_host_as_it_was(void **state)
{
    (void)state;
    Game host, guest;
    TrnStreamDef def = threaded_def(&host, 2, (TrnStreamBudget){.ms = 0.5});
    game_create(&host, &def);
    game_add(&host, game_anchor((TrnCoord){0, 0, 0}, 3, 1));
    game_settle(&host);
    const size_t before = trn_stream_bytes(host.stream);
    bool is_done = false;
    for (size_t at = 1; !is_done; at++) {
        TrnStreamDef of_guest = game_def(&guest);
        const TrnAllocator allocator = game_allocator(&guest);
        of_guest.allocator = &allocator;
        test_fail(&guest.memory, at, 0);
        const TrnResult result = trn_stream_create_level(&of_guest, 2, host.stream, &guest.stream);
        is_done = guest.memory.allocations < at;
        test_fail(&guest.memory, 0, 0);
        assert_true(result == TRN_RESULT_OK || (!is_done && result == TRN_RESULT_NO_MEMORY));
        assert_int_equal(guest.stream != NULL, result == TRN_RESULT_OK);
        game_end(&guest);
        assert_int_equal(trn_stream_bytes(host.stream), before);
    }
    game_end(&host);
}

static TrnResult mesh_with_light(void *user, const TrnStreamJob *job,
                                 const TrnStreamMeshInput *input, TrnStreamMesh *mesh)
{
    Game *game = user;
    (void)job;
    (void)mesh;
    atomic_fetch_add(&game->meshed, input->sky && input->blocks);
    return TRN_RESULT_OK;
}

/// What a worker solves light with is large, and one set serves all levels.
static void guests_solve_light_with_what_their_host_has(void **state)
{
    (void)state;
    size_t bytes[2]; // of a guest of a host without light, and with it
    for (uint32_t has_light = 0; has_light < 2; has_light++) {
        Game host, guest;
        TrnStreamDef def = threaded_def(&host, 2, (TrnStreamBudget){.ms = 0.5});
        def.light = has_light;
        game_create(&host, &def);
        TrnStreamDef of_guest = game_def(&guest);
        const TrnAllocator allocator = game_allocator(&guest);
        of_guest.allocator = &allocator;
        of_guest.hooks.mesh = mesh_with_light;
        of_guest.light = true;
        assert_int_equal(trn_stream_create_level(&of_guest, 1, host.stream, &guest.stream),
                         TRN_RESULT_OK);
        bytes[has_light] = guest.memory.live_bytes;
        game_add(&host, game_anchor((TrnCoord){0, 0, 0}, 2, 1));
        game_add(&guest, game_anchor((TrnCoord){INT32_MAX >> 1, 0, INT32_MIN >> 1}, 2, 1));
        for (bool is_idle = false; !is_idle;) {
            is_idle = game_update(&host).is_idle;
            is_idle = game_update(&guest).is_idle && is_idle;
        }
        assert_true(atomic_load(&guest.meshed) > 0);
        assert_int_equal(trn_stream_stats(guest.stream).meshed, guest.meshed);
        game_end(&guest);
        game_end(&host);
    }
    assert_true(bytes[0] > bytes[1] + 3 * ((size_t)1 << 20)); // of two workers and the caller
}

/// Allocations of any level fail for a while; afterwards everything is shown.
static void levels_recover_from_failed_allocations(void **state)
{
    (void)state;
    const TrnStreamBudget budgets[] = {{.units = 48}, {.ms = 0.5}};
    for (uint32_t b = 0; b < 2; b++) {
        Rings rings = rings_create(&(RingsDef){.workers = 2, .budget = budgets[b]});
        TestRandom random = test_random_seeded(77);
        uint64_t hash = 0;
        for (uint32_t step = 0; step < test_rounds(200, 30); step++) {
            for (uint32_t i = 0; i < LEVELS; i++) {
                rings.at[i]->game.is_starved = test_random_range(&random, 0, 3) == 0;
            }
            rings_fly(&rings, &random, step);
            (void)rings_update(&rings, &hash);
        }
        for (uint32_t i = 0; i < LEVELS; i++) {
            rings.at[i]->game.is_starved = false;
        }
        rings_settle(&rings);
        for (uint32_t i = 0; i < LEVELS; i++) {
            const TrnStreamStats stats = trn_stream_stats(rings.at[i]->game.stream);
            assert_int_equal(stats.wanted, stats.loaded);
        }
        rings_destroy(&rings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_flight_is_the_same_world_on_any_workers),
        cmocka_unit_test(a_flight_in_real_time_shows_every_level),
        cmocka_unit_test(the_hosts_workers_do_the_work_of_guests),
        cmocka_unit_test(guests_may_end_in_the_middle_of_a_flight),
        cmocka_unit_test(guests_count_against_the_hosts_budget),
        cmocka_unit_test(a_guest_keeps_to_its_own_budget),
        cmocka_unit_test(scratch_stays_the_games_own),
        cmocka_unit_test(a_guest_without_memory_leaves_its_host_as_it_was),
        cmocka_unit_test(guests_solve_light_with_what_their_host_has),
        cmocka_unit_test(levels_recover_from_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

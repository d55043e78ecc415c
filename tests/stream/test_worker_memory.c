// The stream with workers: meshes that wait for upload, and memory that workers fill.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "stream_threaded.h"

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
    for (uint32_t i = 0; i < 400 || !game.uploaded; i++) {
        game_update(&game);
        const TrnStreamStats stats = trn_stream_stats(game.stream);
        assert_true(stats.total_bytes <= def.bytes_max);
        assert_int_equal(stats.mesh_bytes % game.mesh_bytes, 0);
        test_rest_us(100);
        assert_true(i < 100000);
    }
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
        assert_true(++updates < 100000);
    }
    game_settle(&game);
    game_end(&game);
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

/// Flies along x. Checks after each update that the store counts chunks of one block right.
/// @return the most payloads that no chunk had
static uint32_t fly_and_count_loose(Game *game, TrnStreamAnchorId id, TrnStreamAnchor *player)
{
    uint32_t most = 0;
    for (uint32_t step = 0; step < 120; step++) {
        player->position.chunk.x = (int32_t)(step / 3);
        assert_int_equal(trn_stream_anchor_set(game->stream, id, player), TRN_RESULT_OK);
        game_update(game);
        trn_stream_wait(game->stream);
        const uint32_t loose = count_loose_payloads(game);
        most = loose > most ? loose : most;
        assert_int_equal(trn_store_stats(game->store).uniform_chunks, count_uniform_chunks(game));
        test_rest_us(500);
    }
    return most;
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
    const uint32_t most = fly_and_count_loose(&game, id, &player);
    assert_true(most > 0);
    assert_true(most <= 2 * 1024); // 128 of each class, and results that are not collected yet
    game_settle(&game);
    for (uint32_t i = 0; i < 64 || count_loose_payloads(&game); i++) {
        game_update(&game); // takes nothing back while a suspended worker holds the lock
        test_rest_us(50);
        assert_true(i < 100000);
    }
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

static void slots_in_stock_do_not_count_as_chunks(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = threaded_def(&game, 2, (TrnStreamBudget){.ms = 0.5});
    game_create(&game, &def);
    TrnStreamAnchor player = game_anchor((TrnCoord){0, 0, 0}, 4, 2);
    const TrnStreamAnchorId id = game_add(&game, player);
    const uint32_t most = fly_and_count_loose(&game, id, &player);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_waiting_for_upload_count),
        cmocka_unit_test(meshes_waiting_for_upload_stay_within_the_budget),
        cmocka_unit_test(continuous_edits_starve_no_other_mesh),
        cmocka_unit_test(waiting_ends_when_the_calling_thread_returns_the_last_buffer),
        cmocka_unit_test(slots_are_stocked_while_workers_request_them),
        cmocka_unit_test(slots_in_stock_do_not_count_as_chunks),
        cmocka_unit_test(unwanted_chunks_keep_no_memory_from_waiting_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Edits of chunks that are not loaded, in a far view: they are seen from afar, at once and after
// the world was saved and opened again.

#include <terrane/history.h>

#include "far_world.h"

/// Pending edits of level 0, as a game keeps them in its save.
typedef struct Pending {
    TrnCoord *coords;
    size_t count;
    TrnPendingRun **runs; ///< [count]
    size_t *run_counts;
} Pending;

static Pending pending_take(const TrnStore *store)
{
    Pending pending = {.count = trn_pending_chunks(store, NULL, 0)};
    pending.coords = calloc(pending.count + 1, sizeof *pending.coords);
    pending.runs = calloc(pending.count + 1, sizeof(TrnPendingRun *));
    pending.run_counts = calloc(pending.count + 1, sizeof *pending.run_counts);
    assert_true(pending.coords && pending.runs && pending.run_counts);
    (void)trn_pending_chunks(store, pending.coords, pending.count);
    for (size_t i = 0; i < pending.count; i++) {
        const size_t count = trn_pending_get(store, pending.coords[i], NULL, 0);
        pending.runs[i] = calloc(count, sizeof *pending.runs[i]);
        assert_non_null(pending.runs[i]);
        pending.run_counts[i] = trn_pending_get(store, pending.coords[i], pending.runs[i], count);
    }
    return pending;
}

static void pending_give_back(Pending pending, TrnStore *store)
{
    TrnBatch *batch;
    assert_int_equal(trn_batch_begin(store, NULL, &batch), TRN_RESULT_OK);
    for (size_t i = 0; i < pending.count; i++) {
        assert_int_equal(
            trn_batch_set_runs(batch, pending.coords[i], pending.runs[i], pending.run_counts[i]),
            TRN_RESULT_OK);
        free(pending.runs[i]);
    }
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    free(pending.coords);
    free(pending.runs);
    free(pending.run_counts);
}

/// Saves the world as a game does that ends, and opens it again.
static void world_reopen(World *world, TrnCoord chunk)
{
    const TrnStreamSource source = world->game->source;
    assert_int_equal(trn_stream_save(world->game->stream), TRN_RESULT_OK);
    assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_OK);
    const Pending pending = pending_take(world->game->store);
    game_destroy(world->game);
    world->game = game_create_from(0, chunk, &source);
    pending_give_back(pending, world->game->store);
    game_open_far(world->game);
}

static bool is_loaded(const World *world, uint32_t level, TrnVoxel voxel)
{
    const TrnVoxel there = {voxel.x >> level, voxel.y >> level, voxel.z >> level};
    return trn_store_find(trn_far_store(world->game->far_view, level), trn_voxel_chunk(there));
}

/// A tower so far from the anchor that only the coarsest level has it.
static const TrnVoxel tower_min = {320, 40, -84}, tower_max = {327, 90, -77}, top = {324, 88, -80};

// ---- tests -------------------------------------------------------------------------------------

static void pending_edits_are_seen_from_afar(void **state)
{
    (void)state;
    World *world = world_create();
    game_settle(world->game);
    world_fill(world, tower_min, tower_max, TRN_BLOCK_GLOWING_STONE);
    for (uint32_t update = 0; update < 60; update++) {
        game_update(world->game, 64);
    }
    assert_false(is_loaded(world, 0, top) || is_loaded(world, 1, top));
    assert_int_equal(block_at(world, 2, top), TRN_BLOCK_GLOWING_STONE);
    world_check(world);

    world->game->anchor.position.chunk.x = 9; // all levels have it now
    game_settle(world->game);
    assert_true(is_loaded(world, 0, top) && is_loaded(world, 1, top));
    world_check(world);
    world_destroy(world);
}

static void undone_pending_edits_are_not_seen(void **state)
{
    (void)state;
    World *world = world_create();
    game_settle(world->game);
    TrnHistory *history;
    TrnBatch *batch;
    TrnBatchDef def = trn_batch_def();
    assert_int_equal(trn_history_create(world->game->store, NULL, &history), TRN_RESULT_OK);
    def.history = history;
    assert_int_equal(trn_batch_begin(world->game->store, &def, &batch), TRN_RESULT_OK);
    assert_int_equal(trn_batch_fill_box(batch, tower_min, tower_max, TRN_BLOCK_GLOWING_STONE),
                     TRN_RESULT_OK);
    assert_int_equal(trn_batch_commit(batch, NULL), TRN_RESULT_OK);
    game_settle(world->game);
    assert_int_equal(block_at(world, 2, top), TRN_BLOCK_GLOWING_STONE);

    assert_int_equal(trn_history_undo(history, NULL), TRN_RESULT_OK);
    game_settle(world->game);
    world_check(world); // the model knows no edits
    assert_int_equal(trn_history_redo(history, NULL), TRN_RESULT_OK);
    game_settle(world->game);
    assert_int_equal(block_at(world, 2, top), TRN_BLOCK_GLOWING_STONE);

    assert_true(trn_pending_drop(world->game->store, trn_voxel_chunk(top)) > 0);
    game_settle(world->game);
    assert_int_equal(block_at(world, 2, top), TRN_BLOCK_AIR);
    trn_history_destroy(history);
    world_destroy(world);
}

/// The edits of a visit, saved in a row, and others of later that are pending.
static void rows_and_pending_edits_are_seen_together(void **state)
{
    (void)state;
    World *world = world_create();
    game_settle(world->game);
    const TrnVoxel min = {33, 40, -84}, max = {47, 75, -77};
    world_fill(world, min, max, TRN_BLOCK_GLOWING_STONE);
    world->game->anchor.position.chunk.x = -11;
    game_settle(world->game); // only the coarsest level has it still
    assert_false(is_loaded(world, 0, min) || is_loaded(world, 1, min));
    world_check(world);
    world_fill(world, (TrnVoxel){33, 76, -84}, (TrnVoxel){47, 79, -77}, TRN_BLOCK_SNOW);
    game_settle(world->game);
    world_check(world);
    assert_int_equal(block_at(world, 2, (TrnVoxel){40, 72, -80}), TRN_BLOCK_GLOWING_STONE);
    assert_int_equal(block_at(world, 2, (TrnVoxel){40, 76, -80}), TRN_BLOCK_SNOW);
    world_destroy(world);
}

/// What was edited before the game ended is seen without its chunks of level 0.
static void a_saved_world_shows_all_edits_from_afar(void **state)
{
    (void)state;
    World *world = world_create();
    TestRandom random = test_random_seeded(61);
    game_settle(world->game);
    edit_by_chance(world, &random, 5);
    world_fill(world, tower_min, tower_max, TRN_BLOCK_GLOWING_STONE);
    // Beyond all views, and at their rim: their coarse chunks are not loaded, or are being loaded.
    world_fill(world, (TrnVoxel){-900, 60, 300}, (TrnVoxel){-893, 95, 309}, TRN_BLOCK_SNOW);
    world->game->anchor.position.chunk.x -= 7;
    game_update(world->game, 4);
    edit_by_chance(world, &random, 2);

    world_reopen(world, (TrnCoord){-11, 1, -3});
    game_settle(world->game);
    assert_false(is_loaded(world, 0, (TrnVoxel){40, 40, -80}));
    assert_false(is_loaded(world, 1, (TrnVoxel){40, 40, -80}));
    world_check(world);

    world_reopen(world, (TrnCoord){-21, 1, 9});
    game_settle(world->game);
    assert_false(is_loaded(world, 0, (TrnVoxel){-896, 64, 304}));
    assert_int_equal(block_at(world, 2, (TrnVoxel){-896, 80, 304}), TRN_BLOCK_SNOW);
    world_check(world);
    world_destroy(world);
}

/// Edits anywhere, flights, saves and new starts: at rest all levels are what the model says.
static void edits_anywhere_are_seen_everywhere(void **state)
{
    (void)state;
    World *world = world_create();
    TestRandom random = test_random_seeded(62);
    for (uint32_t round = 0; round < test_rounds(14, 5); round++) {
        const uint64_t dice = test_random_next(&random);
        const TrnCoord here = world->game->anchor.position.chunk;
        world->game->anchor.position.chunk = (TrnCoord){
            (int32_t)(dice & 15) - 8, (int32_t)(dice >> 4 & 1), (int32_t)(dice >> 8 & 15) - 8};
        edit_by_chance(world, &random, 3); // around where the anchor goes
        for (uint32_t update = dice >> 16 & 7; update > 0; update--) {
            game_update(world->game, 16);
        }
        if ((dice >> 20) % 4 == 0) {
            world_reopen(world, here);
        } else if ((dice >> 20) % 4 == 1) {
            assert_int_equal(trn_far_save(world->game->far_view), TRN_RESULT_OK);
        }
        if ((dice >> 24) % 2) {
            game_settle(world->game);
            world_check(world);
        }
    }
    game_settle(world->game);
    world_check(world);
    world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pending_edits_are_seen_from_afar),
        cmocka_unit_test(undone_pending_edits_are_not_seen),
        cmocka_unit_test(rows_and_pending_edits_are_seen_together),
        cmocka_unit_test(a_saved_world_shows_all_edits_from_afar),
        cmocka_unit_test(edits_anywhere_are_seen_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

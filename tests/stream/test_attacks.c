// A game that interferes where it hurts most: store listeners that change chunks of the batch that
// the stream is inserting or removing, and edits while a save or a group is half done.

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)

#include "rest.h"
#include "stream_game.h"

#define SETTLE_UPDATES 20000u

/// Updates until the stream is idle, however long hooks take.
static void settle(Game *game)
{
    for (uint32_t i = 0; i < SETTLE_UPDATES; i++) {
        if (game_update(game).is_idle) {
            return;
        }
        trn_stream_wait(game->stream);
    }
    fail_msg("the stream does not come to rest");
}

/// Checks that planes and store agree, and that all meshes of chunks to show are current.
static void check_world(const Game *game)
{
    const TrnChunkIndex *index = trn_stream_index(game->stream);
    const size_t count = trn_store_gather(game->store, trn_box_everything(), NULL, 0);
    TrnChunk **chunks = malloc((count + 1) * sizeof(TrnChunk *));
    uint32_t loaded = 0;
    trn_store_gather(game->store, trn_box_everything(), chunks, count);
    for (size_t i = 0; i < count; i++) {
        const TrnStreamExplanation why = trn_stream_explain(game->stream, chunks[i]->coord);
        loaded += trn_chunk_index_find(index, chunks[i]->coord, NULL);
        assert_true(why.is_loaded);
        if (why.should_show && (!why.is_shown || !game_mesh_is_right(game, chunks[i]))) {
            fail_msg("not shown as it is: %s", why.sentence);
        }
    }
    free(chunks);
    assert_int_equal(trn_stream_stats(game->stream).loaded, loaded);
}

// ---- saves -------------------------------------------------------------------------------------

/// A save hook that blocks on demand.
typedef struct SlowSaves {
    Game game; ///< first: hooks get its address
    _Atomic(bool) is_held;
    _Atomic(uint32_t) begun;
} SlowSaves;

static TrnResult slow_save(void *user, const TrnStreamJob *job, TrnSnapshot voxels)
{
    SlowSaves *slow = user;
    atomic_fetch_add(&slow->begun, 1);
    while (atomic_load(&slow->is_held)) {
        test_rest_us(50);
    }
    return game_save(&slow->game, job, voxels);
}

static void change_while_saving(SlowSaves *slow, bool is_remesh)
{
    Game *game = &slow->game;
    const TrnCoord here = {0, 0, 0};
    TrnStreamDef def = game_def(game);
    def.workers = 1;
    def.budget = (TrnStreamBudget){.ms = 1};
    def.hooks.save = slow_save;
    def.hooks.load = game_load;
    atomic_store(&slow->is_held, false);
    atomic_store(&slow->begun, 0);
    game_create(game, &def);
    TrnStreamAnchor player = game_anchor(here, 2, 1);
    const TrnStreamAnchorId id = game_add(game, player);
    settle(game);
    game_dig(game, (TrnVoxel){16, 4, 16}, 3);
    settle(game);
    atomic_store(&slow->is_held, true);
    player.position.chunk.x = 1000;
    assert_int_equal(trn_stream_anchor_set(game->stream, id, &player), TRN_RESULT_OK);
    while (!atomic_load(&slow->begun)) {
        (void)game_update(game);
        test_rest_us(100);
    }
    player.position.chunk.x = 0;
    assert_int_equal(trn_stream_anchor_set(game->stream, id, &player), TRN_RESULT_OK);
    while (!trn_stream_explain(game->stream, here).should_show) {
        (void)game_update(game);
    }
    assert_int_equal(trn_stream_explain(game->stream, here).state, TRN_STREAM_STATE_SAVING);
    if (is_remesh) {
        trn_stream_remesh(game->stream);
    } else {
        game_dig(game, (TrnVoxel){16, 5, 16}, 4);
    }
    (void)game_update(game);
    atomic_store(&slow->is_held, false);
    settle(game);
    check_world(game);
    assert_int_equal(trn_stream_explain(game->stream, here).is_unsaved, !is_remesh);
    game_end(game);
}

/// A chunk that is edited, or to be meshed again, while it is saved and wanted again.
static void a_chunk_taken_back_while_it_is_saved_is_meshed_again(void **state)
{
    (void)state;
    SlowSaves *slow = calloc(1, sizeof *slow);
    change_while_saving(slow, false);
    change_while_saving(slow, true);
    free(slow);
}

// ---- listeners that change the batch -----------------------------------------------------------

/// What a listener does with one chunk.
typedef struct Meddler {
    Game *game;
    TrnCoord coord;
    uint32_t replacements; ///< how often it replaces the chunk when it is inserted
    bool inserts_removed;  ///< inserts the chunk once when it is removed
    bool removes_inserted; ///< removes that one again
    bool edits_inserted;   ///< edits it before that
} Meddler;

static bool meddler_finds(const Meddler *meddler, const TrnStoreEvent *event)
{
    for (uint32_t i = 0; i < event->count; i++) {
        if (trn_coord_equal(event->chunks[i].coord, meddler->coord)) {
            return true;
        }
    }
    return false;
}

static TrnResult meddle(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    Meddler *meddler = user;
    if (!meddler_finds(meddler, event)) {
        return TRN_RESULT_OK;
    }
    if (event->kind == TRN_EVENT_INSERTED && meddler->replacements) {
        meddler->replacements--;
        assert_int_equal(trn_store_remove(store, meddler->coord), TRN_RESULT_OK);
        assert_int_equal(trn_store_insert_uniform(store, meddler->coord, 5, NULL), TRN_RESULT_OK);
    } else if (event->kind == TRN_EVENT_INSERTED && meddler->removes_inserted) {
        meddler->removes_inserted = false;
        if (meddler->edits_inserted) {
            game_dig(meddler->game, trn_coord_voxel(meddler->coord), 5);
        }
        assert_int_equal(trn_store_remove(store, meddler->coord), TRN_RESULT_OK);
    } else if (event->kind == TRN_EVENT_REMOVED && meddler->inserts_removed) {
        meddler->inserts_removed = false;
        assert_int_equal(trn_store_insert_uniform(store, meddler->coord, 5, NULL), TRN_RESULT_OK);
    }
    return TRN_RESULT_OK;
}

#define MEDDLER_KINDS (TRN_EVENT_BIT(TRN_EVENT_INSERTED) | TRN_EVENT_BIT(TRN_EVENT_REMOVED))

static TrnBlock saved_block(const Game *game, TrnCoord coord)
{
    for (uint32_t i = 0; i < game->save_count; i++) {
        if (trn_coord_equal(game->saves[i].coord, coord)) {
            return game->saves[i].blocks[0];
        }
    }
    return TRN_BLOCK_AIR;
}

/// Generates chunks of more block types than a code holds.
static TrnResult generate_many_types(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                     bool *uniform)
{
    (void)user;
    (void)job;
    for (uint32_t i = 0; i < TRN_CHUNK_VOXELS; i++) {
        blocks[i] = (TrnBlock)(1 + i % 1000);
    }
    *uniform = false;
    return TRN_RESULT_OK;
}

static void replace_in_batch(bool is_before, bool is_plain)
{
    Game *game = calloc(1, sizeof *game);
    TrnStreamDef def = game_def(game);
    def.hooks.save = game_save;
    def.hooks.unload = NULL; // it expects that no other chunk is in place
    def.hooks.generate = is_plain ? generate_many_types : game_generate;
    Meddler meddler = {.game = game, .coord = {1, 0, 0}, .replacements = 1};
    if (is_before) {
        assert_int_equal(trn_store_subscribe(game->store, MEDDLER_KINDS, meddle, &meddler), 0);
    }
    game_create(game, &def);
    if (!is_before) {
        assert_int_equal(trn_store_subscribe(game->store, MEDDLER_KINDS, meddle, &meddler), 0);
    }
    const TrnStreamAnchorId id = game_add(game, game_anchor((TrnCoord){0, 0, 0}, 2, 1));
    settle(game);
    check_world(game);
    TrnChunk *chunk = trn_store_find(game->store, meddler.coord);
    assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), 0), 5);
    assert_true(trn_stream_explain(game->stream, meddler.coord).is_unsaved);
    assert_int_equal(trn_stream_anchor_remove(game->stream, id), TRN_RESULT_OK);
    settle(game);
    assert_int_equal(saved_block(game, meddler.coord), 5);
    game_end(game);
    free(game);
}

/// A listener that removes a chunk and inserts another, inside the event of the batch that brought
/// it: that one is the game's, and is saved.
static void a_chunk_replaced_inside_its_batch_is_the_games(void **state)
{
    (void)state;
    replace_in_batch(true, false);
    replace_in_batch(false, false);
    replace_in_batch(true, true);
    replace_in_batch(false, true);
}

/// A listener that inserts a chunk while the stream removes it, and removes it again.
static void a_chunk_inserted_and_removed_inside_a_removal_is_saved(void **state)
{
    (void)state;
    Game *game = calloc(1, sizeof *game);
    TrnStreamDef def = game_def(game);
    def.hooks.save = game_save;
    def.hooks.unload = NULL; // it expects that no other chunk is in place
    game_create(game, &def);
    Meddler meddler = {.game = game, .coord = {1, 0, 0}};
    assert_int_equal(trn_store_subscribe(game->store, MEDDLER_KINDS, meddle, &meddler), 0);
    const TrnStreamAnchorId id = game_add(game, game_anchor((TrnCoord){0, 0, 0}, 2, 1));
    settle(game);
    meddler.inserts_removed = meddler.removes_inserted = true;
    assert_int_equal(trn_stream_anchor_remove(game->stream, id), TRN_RESULT_OK);
    settle(game);
    assert_false(meddler.removes_inserted);
    assert_int_equal(saved_block(game, meddler.coord), 5);
    assert_int_equal(trn_store_stats(game->store).chunks, 0);
    game_end(game);
    free(game);
}

static void edit_and_remove_in_batch(bool is_pending)
{
    Game *game = calloc(1, sizeof *game);
    TrnStreamDef def = game_def(game);
    def.hooks.save = game_save;
    def.hooks.load = game_load;
    Meddler meddler = {
        .game = game, .coord = {1, 0, 0}, .removes_inserted = true, .edits_inserted = !is_pending};
    assert_int_equal(trn_store_subscribe(game->store, MEDDLER_KINDS, meddle, &meddler), 0);
    game_create(game, &def);
    if (is_pending) {
        game_dig(game, trn_coord_voxel(meddler.coord), 5);
    }
    game_add(game, game_anchor((TrnCoord){0, 0, 0}, 2, 1));
    settle(game);
    check_world(game);
    assert_false(meddler.removes_inserted);
    assert_int_equal(saved_block(game, meddler.coord), 5);
    TrnChunk *chunk = trn_store_find(game->store, meddler.coord); // loaded again, as saved
    assert_int_equal(trn_snapshot_get(trn_voxels_snapshot(&chunk->voxels), 0), 5);
    game_end(game);
    free(game);
}

/// A listener that is called before the stream removes a chunk of the batch, which it has edited,
/// or to which edits were pending.
static void a_chunk_edited_and_removed_inside_its_batch_is_saved(void **state)
{
    (void)state;
    edit_and_remove_in_batch(false);
    edit_and_remove_in_batch(true);
}

// ---- groups ------------------------------------------------------------------------------------

/// Memory of the stream alone, which fails on demand.
typedef struct Starved {
    TestAllocator memory;
    bool is_starved;
} Starved;

static void *starved_alloc(size_t bytes, size_t alignment, void *user)
{
    Starved *starved = user;
    return starved->is_starved ? NULL : counting_alloc(bytes, alignment, &starved->memory);
}

static void starved_free(void *memory, size_t bytes, void *user)
{
    Starved *starved = user;
    counting_free(memory, bytes, &starved->memory);
}

/// Changes the eight chunks at a corner.
static void touch_corner(const Game *game, int64_t x, int64_t z, TrnBlock block)
{
    game_dig(game, (TrnVoxel){x, 0, z}, block);
}

/// An edit touches meshes of an earlier one of which some are finished, and there is no memory to
/// make one group of both.
static void a_group_that_cannot_grow_is_still_shown(void **state)
{
    (void)state;
    for (uint32_t updates = 1; updates <= 3; updates++) {
        Game *game = calloc(1, sizeof *game);
        Starved starved = {.is_starved = false};
        const TrnAllocator allocator = {starved_alloc, starved_free, &starved};
        TrnStreamDef def = game_def(game);
        def.budget = (TrnStreamBudget){.ms = 1e-6};
        def.allocator = &allocator;
        assert_int_equal(trn_stream_create(&def, &game->stream), TRN_RESULT_OK);
        game_add(game, game_anchor((TrnCoord){0, 0, 0}, 3, 2));
        settle(game);
        touch_corner(game, 0, 0, 2); // two groups have capacity for eight members each
        touch_corner(game, 64, 0, 2);
        settle(game);
        touch_corner(game, 0, 0, 3);
        for (uint32_t i = 0; i < updates; i++) {
            (void)game_update(game);
        }
        starved.is_starved = true;
        touch_corner(game, -32, 32, 3);
        starved.is_starved = false;
        settle(game);
        check_world(game);
        assert_int_equal(trn_stream_stats(game->stream).torn_groups, 1);
        game_end(game);
        assert_int_equal(starved.memory.live_bytes, 0);
        free(game);
    }
}

// ---- memory ------------------------------------------------------------------------------------

/// A queue as large as the byte budget still leaves memory for the chunks that are queued in it.
static void a_long_queue_leaves_memory_for_chunks(void **state)
{
    (void)state;
    Game *game = calloc(1, sizeof *game);
    TrnStreamDef def = game_def(game);
    game->is_solid = true;
    def.workers = 1;
    def.budget = (TrnStreamBudget){.ms = 1};
    def.bytes_max = (size_t)8 << 20;
    def.queue_bytes = SIZE_MAX;
    game_create(game, &def);
    for (int32_t i = 0; i < 4; i++) {
        game_add(game, game_anchor((TrnCoord){100 * i, 0, 0}, 2, 1));
    }
    for (uint32_t i = 0; i < 2000; i++) {
        (void)game_update(game);
        trn_stream_wait(game->stream);
    }
    assert_in_range(trn_stream_stats(game->stream).loaded, 27, UINT32_MAX);
    game_end(game);
    free(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chunk_taken_back_while_it_is_saved_is_meshed_again),
        cmocka_unit_test(a_chunk_replaced_inside_its_batch_is_the_games),
        cmocka_unit_test(a_chunk_inserted_and_removed_inside_a_removal_is_saved),
        cmocka_unit_test(a_chunk_edited_and_removed_inside_its_batch_is_saved),
        cmocka_unit_test(a_group_that_cannot_grow_is_still_shown),
        cmocka_unit_test(a_long_queue_leaves_memory_for_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

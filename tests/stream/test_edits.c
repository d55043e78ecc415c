// Edits, remeshes and saves: what is shown afterwards, and when. One thread, in exact steps.

#include "game_checks.h"

// ---- edits -------------------------------------------------------------------------------------

static void all_meshes_of_an_edit_appear_in_one_update(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(4);
    Game game;
    TrnStreamDef def = game_def(&game);
    def.budget.units = 3; // fewer than an edit touches
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 4, 2));
    game_settle(&game);
    for (uint32_t i = 0; i < 30; i++) {
        // A corner of chunks: eight meshes.
        const TrnVoxel at = {32 * test_random_range(&random, -1, 2), 0,
                             32 * test_random_range(&random, -1, 2)};
        TrnBatch *batch;
        assert_int_equal(trn_batch_begin(game.store, NULL, &batch), TRN_RESULT_OK);
        trn_batch_fill_sphere(batch, at, 3, (TrnBlock)(i % 5));
        TrnBatchOutcome outcome;
        assert_int_equal(trn_batch_commit(batch, &outcome), TRN_RESULT_OK);
        uint32_t updates_with_uploads = 0;
        for (uint32_t u = 0; u < 20; u++) {
            const bool is_idle = game_update(&game).is_idle;
            updates_with_uploads += game.uploads_of_update > 0;
            if (game.uploads_of_update) {
                assert_true(game.uploads_of_update >= outcome.changed_chunks);
            }
            if (is_idle) {
                break;
            }
        }
        assert_true(updates_with_uploads <= 1);
        assert_int_equal(updates_with_uploads, outcome.changed_chunks > 0);
        check_meshes(&game, (TrnBox){{-3, -1, -3}, {3, 1, 3}});
    }
    assert_int_equal(trn_stream_stats(game.stream).torn_groups, 0);
    assert_true(trn_stream_stats(game.stream).groups >= 15);
    game_end(&game);
}

static void continuous_digging_delays_no_edit(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.budget = (TrnStreamBudget){.ms = 0.001};
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 4, 2));
    game_settle(&game);
    uint32_t longest = 0, waited = 0;
    for (int32_t i = 0; i < 200; i++) { // alternating sides of a border
        const TrnVoxel at = {i & 1 ? 0 : -1, 3, i % 31};
        TrnBlock block;
        assert_int_equal(trn_store_get_block(game.store, at, &block), TRN_RESULT_OK);
        game_dig(&game, at, (TrnBlock)((block + 1) % 5));
        game_update(&game);
        waited = game.uploads_of_update ? 0 : waited + 1;
        longest = waited > longest ? waited : longest;
    }
    print_message("  at most %u updates\n", (unsigned)longest);
    assert_true(longest <= 8);
    game_settle(&game);
    check_meshes(&game, (TrnBox){{-3, -1, -3}, {3, 1, 3}});
    game_end(&game);
}

static void an_edit_of_meshes_that_failed_shows_them_at_once_and_together(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 4, 2));
    game_settle(&game);
    game.mesh_result = TRN_RESULT_CORRUPT;
    assert_int_equal(game_touch_corners(&game, 0, 2), 4);
    assert_true(game_update(&game).failed >= 4);
    assert_int_equal(game.uploads_of_update, 0);
    game.mesh_result = TRN_RESULT_OK;
    assert_int_equal(game_touch_corners(&game, 0, 3), 4); // long before their retry
    game_update(&game);
    assert_true(game.uploads_of_update >= 4);
    check_meshes(&game, (TrnBox){{-1, 0, -1}, {0, 0, 0}});
    game_settle(&game);
    check_meshes(&game, (TrnBox){{-2, -1, -2}, {2, 1, 2}});
    game_end(&game);
}

/// Touches more meshes before every update than it can build: all must be shown, together, again
/// and again.
static void check_storm(TrnStreamBudget budget)
{
    Game game;
    TrnStreamDef def = game_def(&game);
    def.budget = budget;
    game_create(&game, &def);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 6, 2));
    game_settle(&game);
    uint32_t longest = 0, waited = 0, seen = 0;
    for (uint32_t i = 0; i < 200; i++) {
        const uint32_t touched = game_touch_corners(&game, 2, (TrnBlock)(i % 5));
        assert_true(touched >= 36);
        game_update(&game);
        waited++;
        if (game.uploads_of_update) { // all edits so far: they share their chunks
            assert_true(game.uploads_of_update >= touched);
            check_meshes(&game, (TrnBox){{-3, -1, -3}, {3, 1, 3}});
            longest = waited > longest ? waited : longest;
            waited = 0;
            seen++;
        }
        assert_true(waited <= 5 + (72 + 7) / 8);
    }
    print_message("  seen %u times, after at most %u updates\n", (unsigned)seen, (unsigned)longest);
    assert_int_equal(trn_stream_stats(game.stream).torn_groups, 0);
    game_settle(&game);
    check_meshes(&game, (TrnBox){{-3, -1, -3}, {3, 1, 3}});
    game_end(&game);
}

static void continuous_edits_are_shown_in_time(void **state)
{
    (void)state;
    check_storm((TrnStreamBudget){.ms = 0.001});
    check_storm((TrnStreamBudget){.units = 3});
    check_storm((TrnStreamBudget){.units = 40});
}

static void changes_by_other_callers_are_followed(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(11);
    Game game;
    TrnStreamDef def = game_def(&game);
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 4, 2);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    for (uint32_t i = 0; i < 400; i++) {
        const TrnCoord at = {(int32_t)test_random_range(&random, -5, 5),
                             (int32_t)test_random_range(&random, -2, 2),
                             (int32_t)test_random_range(&random, -5, 5)};
        TrnChunk *chunk = trn_store_find(game.store, at);
        switch (test_random_range(&random, 0, 5)) {
        case 0:
            (void)trn_store_insert_uniform(game.store, at, 2, NULL);
            break;
        case 1:
            (void)trn_store_remove(game.store, at);
            break;
        case 2:
            if (chunk) {
                (void)trn_store_fill(game.store, chunk, (TrnBlock)(i % 4));
            }
            break;
        case 3:
            anchor.position.chunk.x = (int32_t)test_random_range(&random, -3, 3);
            trn_stream_anchor_set(game.stream, id, &anchor);
            break;
        default:
            game_dig(&game, trn_coord_voxel(at), (TrnBlock)(i % 3));
        }
        if (i % 3 == 0) {
            game_update(&game);
        }
    }
    game_settle(&game);
    const TrnStreamStats stats = trn_stream_stats(game.stream);
    assert_int_equal(stats.wanted, stats.loaded);
    check_meshes(&game, trn_box_around(anchor.position.chunk, 4, 2, 4));
    check_view(&game, &anchor);
    game_end(&game);
}

/// A listener of the game that removes every inserted chunk and inserts one next to it.
static TrnResult meddle(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    uint32_t *left = user;
    for (uint32_t i = 0; i < event->count && *left; i++) {
        const TrnCoord coord = event->chunks[i].coord;
        if (coord.x == 1 && coord.y == 0 && coord.z == 1) {
            --*left;
            (void)trn_store_remove(store, coord);
        } else if (coord.x == -1 && coord.y == 0 && coord.z == 0) {
            (void)trn_store_insert_uniform(store, (TrnCoord){-2, 0, 0}, 3, NULL);
        }
    }
    return TRN_RESULT_OK;
}

static void listeners_may_change_the_store_during_events(void **state)
{
    (void)state;
    for (uint32_t order = 0; order < 2; order++) {
        Game game;
        TrnStreamDef def = game_def(&game);
        uint32_t left = 5;
        const uint32_t kinds = TRN_EVENT_BIT(TRN_EVENT_INSERTED);
        if (order) {
            game_create(&game, &def);
        }
        assert_int_equal(trn_store_subscribe(game.store, kinds, meddle, &left), TRN_RESULT_OK);
        if (!order) {
            game_create(&game, &def);
        }
        TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 3, 1);
        const TrnStreamAnchorId id = game_add(&game, anchor);
        game_settle(&game);
        assert_int_equal(left, 0);
        check_view(&game, &anchor);
        TrnBlock block;
        assert_int_equal(trn_store_get_block(game.store, (TrnVoxel){-40, 20, 0}, &block),
                         TRN_RESULT_OK);
        assert_int_equal(block, 3);
        assert_true(trn_stream_explain(game.stream, (TrnCoord){-2, 0, 0}).is_unsaved);
        assert_int_equal(trn_stream_anchor_remove(game.stream, id), TRN_RESULT_OK);
        game_settle(&game);
        assert_int_equal(trn_store_stats(game.store).chunks, 0);
        game_end(&game);
    }
}

/// Changes the store in each event, until the store tells listeners no more: in turn a chunk of the
/// view and one outside, or removes one.
typedef struct Nesting {
    TrnChunk *changed[2];
    TrnCoord removed;
    uint32_t calls, remove_at; ///< the call that removes
} Nesting;

static TrnResult change_deeply(TrnStore *store, const TrnStoreEvent *event, void *user)
{
    (void)event;
    Nesting *nesting = user;
    if (++nesting->calls == nesting->remove_at) {
        assert_int_equal(trn_store_remove(store, nesting->removed), TRN_RESULT_OK);
    } else {
        trn_store_fill(store, nesting->changed[nesting->calls % 2], (TrnBlock)nesting->calls);
    }
    return TRN_RESULT_OK;
}

static void changes_that_the_stream_missed_are_followed(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    game_create(&game, &def);
    const TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 3, 1);
    game_add(&game, anchor);
    game_settle(&game);
    Nesting nesting = {.removed = {-1, 0, 0}};
    TrnChunk *far;
    assert_int_equal(trn_store_insert_uniform(game.store, (TrnCoord){50, 0, 0}, 1, &far),
                     TRN_RESULT_OK);
    assert_int_equal(
        trn_store_subscribe(game.store, TRN_EVENT_BIT(TRN_EVENT_CHANGED), change_deeply, &nesting),
        TRN_RESULT_OK);
    uint64_t missed = 0;
    for (uint32_t round = 0; round < 3; round++) { // misses one chunk, the other, a removal
        nesting.changed[round % 2] = far;
        nesting.changed[1 - round % 2] = trn_store_find(game.store, (TrnCoord){1, 0, 0});
        nesting.remove_at = round == 2 ? nesting.calls : 0;
        nesting.calls = 0;
        game_dig(&game, (TrnVoxel){5, 5, 5}, (TrnBlock)(7 + round));
        assert_true(trn_store_stats(game.store).missed_events > missed);
        missed = trn_store_stats(game.store).missed_events;
        if (round == 2) {
            assert_null(trn_store_find(game.store, nesting.removed));
            trn_store_unsubscribe(game.store, change_deeply, &nesting);
            game_dig(&game, (TrnVoxel){6, 5, 5}, 7); // the stream learns that it missed something
        }
        game_settle(&game);
        assert_non_null(trn_store_find(game.store, nesting.removed)); // generated again
        check_view(&game, &anchor);
    }
    game_end(&game);
}

static void edits_are_saved_before_unloading_and_loaded_again(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.hooks.save = game_save;
    def.hooks.load = game_load;
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 3, 1);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    game_settle(&game);
    game_dig(&game, (TrnVoxel){5, 2, 5}, 0);
    game_dig(&game, (TrnVoxel){40, 2, 5}, 3);
    game_settle(&game);
    assert_int_equal(trn_stream_stats(game.stream).unsaved, 2);

    game.save_result = TRN_RESULT_CORRUPT; // the disk is full
    anchor.position.chunk.z = 50;
    trn_stream_anchor_set(game.stream, id, &anchor);
    for (uint32_t i = 0; i < 300; i++) {
        game_update(&game);
    }
    assert_non_null(trn_store_find(game.store, (TrnCoord){0, 0, 0})); // stays loaded
    assert_non_null(trn_store_find(game.store, (TrnCoord){1, 0, 0}));
    assert_null(trn_store_find(game.store, (TrnCoord){0, 0, 1}));
    const TrnStreamExplanation why = trn_stream_explain(game.stream, (TrnCoord){0, 0, 0});
    assert_int_equal(why.state, TRN_STREAM_STATE_FAILED);
    assert_int_equal(why.failure, TRN_RESULT_CORRUPT);
    assert_true(why.tries > 1);
    assert_non_null(strstr(why.sentence, "Chunk 0, 0, 0 failed"));
    assert_non_null(strstr(why.sentence, trn_result_text(TRN_RESULT_CORRUPT))); // all of it
    assert_null(strstr(why.sentence, ".."));

    game.save_result = TRN_RESULT_OK;
    game_settle(&game);
    assert_int_equal(game.save_count, 2);
    assert_null(trn_store_find(game.store, (TrnCoord){0, 0, 0}));

    anchor.position.chunk.z = 0;
    trn_stream_anchor_set(game.stream, id, &anchor);
    game_settle(&game);
    TrnBlock block;
    assert_int_equal(trn_store_get_block(game.store, (TrnVoxel){40, 2, 5}, &block), TRN_RESULT_OK);
    assert_int_equal(block, 3);
    assert_int_equal(trn_stream_stats(game.stream).unsaved, 0);
    assert_int_equal(atomic_load(&game.loaded), 2);
    // A chunk that another caller removes is saved too, as is what is loaded at the end.
    game_dig(&game, (TrnVoxel){-5, 2, 5}, 0);
    assert_int_equal(trn_store_remove(game.store, (TrnCoord){-1, 0, 0}), TRN_RESULT_OK);
    assert_int_equal(game.save_count, 3);
    game_dig(&game, (TrnVoxel){7, 2, 40}, 0);
    assert_int_equal(trn_stream_save(game.stream), TRN_RESULT_OK);
    assert_int_equal(game.save_count, 4);
    assert_int_equal(trn_stream_stats(game.stream).unsaved, 0);
    game_end(&game);
}

// ---- remesh -------------------------------------------------------------------------------------

static void remesh_shows_all_again_and_meshes_nothing_twice(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    game_create(&game, &def);
    const TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 4, 2);
    game_add(&game, anchor);
    trn_stream_remesh(game.stream); // nothing is shown yet
    game_settle(&game);
    for (uint32_t round = 0; round < 3; round++) {
        const TrnStreamStats before = trn_stream_stats(game.stream);
        const uint32_t uploaded = game.uploaded;
        const int32_t meshes = atomic_load(&game.live_meshes);
        assert_true(uploaded > 0 && meshes > 0);
        trn_stream_remesh(game.stream);
        trn_stream_remesh(game.stream);
        assert_int_equal(trn_stream_stats(game.stream).shown, 0);
        assert_int_equal(atomic_load(&game.live_meshes), meshes); // until new ones replace them
        game_settle(&game);
        const TrnStreamStats after = trn_stream_stats(game.stream);
        assert_int_equal(after.shown, before.shown);
        assert_int_equal(after.generated, before.generated);
        assert_int_equal(after.saved, before.saved);
        assert_int_equal(after.loaded, before.loaded);
        assert_int_equal(atomic_load(&game.live_meshes), meshes);
        assert_true(game.uploaded >= uploaded + (uint32_t)meshes);
        check_view(&game, &anchor);
        game_dig(&game, (TrnVoxel){0, 3, (int64_t)round}, 4); // also while an edit is pending
        game_update(&game);
    }
    trn_stream_remesh(NULL);
    game_settle(&game);
    check_view(&game, &anchor);
    game_end(&game);
}

// ---- edits during saves -------------------------------------------------------------------------

typedef struct HeldRunner {
    bool is_held;
    void (*work)(void *context);
    void *context;
} HeldRunner;

static bool held_start(void *user, void (*work)(void *context), void *context)
{
    HeldRunner *runner = user;
    if (runner->is_held) {
        if (runner->work) {
            return false;
        }
        runner->work = work;
        runner->context = context;
    } else {
        work(context);
    }
    return true;
}

static void save_then(bool edits, bool remeshes)
{
    Game game;
    TrnStreamDef def = game_def(&game);
    game.is_solid = true;
    HeldRunner held = {0};
    const TrnStreamRunner runner = {held_start, 1, &held};
    def.runner = &runner;
    def.hooks.save = game_save;
    def.hooks.load = game_load;
    def.hysteresis_chunks = 0;
    def.budget = (TrnStreamBudget){.ms = 0};
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 3, 1);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    game_settle(&game);
    const TrnCoord at = {-3, 0, 0};
    game_dig(&game, (TrnVoxel){-3 * 32 + 5, 5, 5}, TRN_BLOCK_AIR);
    game_settle(&game);
    assert_true(trn_stream_explain(game.stream, at).is_shown);
    assert_true(trn_stream_explain(game.stream, at).is_unsaved);
    held.is_held = true;
    anchor.position.chunk.x = 2;
    trn_stream_anchor_set(game.stream, id, &anchor);
    game_update(&game); // wants the new
    game_update(&game); // unwants the old, begins saving
    assert_int_equal(trn_stream_explain(game.stream, at).state, TRN_STREAM_STATE_SAVING);
    anchor.position.chunk.x = 0;
    trn_stream_anchor_set(game.stream, id, &anchor);
    game_update(&game);
    assert_int_equal(trn_stream_explain(game.stream, at).state, TRN_STREAM_STATE_SAVING);
    if (edits) {
        game_dig(&game, (TrnVoxel){-3 * 32 + 9, 5, 5}, TRN_BLOCK_AIR);
    }
    if (remeshes) {
        trn_stream_remesh(game.stream);
    }
    game_update(&game);
    held.is_held = false;
    if (held.work) {
        held.work(held.context);
    }
    game_settle(&game);
    const TrnStreamExplanation why = trn_stream_explain(game.stream, at);
    print_message("  %s\n", why.sentence);
    TrnChunk *chunk = trn_store_find(game.store, at);
    print_message("  shown %d, mesh is right %d\n", why.is_shown, game_mesh_is_right(&game, chunk));
    assert_true(why.is_shown);
    game_end(&game);
}

static void an_edit_of_a_chunk_wanted_again_during_its_save_is_shown(void **state)
{
    (void)state;
    save_then(true, false);
}

static void remesh_includes_a_chunk_wanted_again_during_its_save(void **state)
{
    (void)state;
    save_then(false, true);
}

static void a_failed_save_does_not_delay_the_mesh_of_a_chunk_wanted_again(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    game.is_solid = true;
    def.hooks.save = game_save;
    def.hooks.load = game_load;
    def.hysteresis_chunks = 0;
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 3, 1);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    game_settle(&game);
    const TrnCoord at = {-4, 0, 0}; // loaded as a neighbour, not shown
    game_dig(&game, (TrnVoxel){-4 * 32 + 5, 5, 5}, TRN_BLOCK_AIR);
    game_settle(&game);
    game.save_result = TRN_RESULT_BUSY;
    anchor.position.chunk.x = 2;
    trn_stream_anchor_set(game.stream, id, &anchor);
    for (int i = 0; i < 1100; i++) {
        game_update(&game);
    }
    print_message("  %s\n", trn_stream_explain(game.stream, at).sentence);
    game.save_result = TRN_RESULT_OK;
    anchor.position.chunk.x = -2; // now it should be shown
    trn_stream_anchor_set(game.stream, id, &anchor);
    uint32_t updates = 0;
    while (!trn_stream_explain(game.stream, at).is_shown && updates < 3000) {
        game_update(&game);
        if (++updates == 60) {
            print_message("  %s\n", trn_stream_explain(game.stream, at).sentence);
        }
    }
    print_message("  shown after %u updates\n", updates);
    assert_true(updates < 60);
    game_end(&game);
}

static void an_edit_of_a_finished_mesh_that_no_view_holds_is_shown(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    game.is_solid = true;
    def.hysteresis_chunks = 0;
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 3, 1);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    game_settle(&game);
    const TrnCoord at = {-3, 0, 0};
    game_dig(&game, (TrnVoxel){-2 * 32 - 1, 5, 5}, TRN_BLOCK_AIR); // touches -3 and -2
    anchor.position.chunk.x = 2;
    trn_stream_anchor_set(game.stream, id, &anchor);
    const TrnStreamBudget one = {.units = 1}; // meshes -3, which waits for -2
    assert_int_equal(trn_stream_update(game.stream, &one, NULL), TRN_RESULT_OK);
    print_message("  %s\n", trn_stream_explain(game.stream, at).sentence);
    trn_stream_anchor_remove(game.stream, id); // no view holds -3 now
    print_message("  %s\n", trn_stream_explain(game.stream, at).sentence);
    game_dig(&game, (TrnVoxel){-3 * 32 + 9, 5, 5}, TRN_BLOCK_AIR);
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 3, 1));
    game_settle(&game);
    const TrnStreamExplanation why = trn_stream_explain(game.stream, at);
    print_message("  %s\n", why.sentence);
    assert_true(why.is_shown);
    assert_true(game_mesh_is_right(&game, trn_store_find(game.store, at)));
    game_end(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_meshes_of_an_edit_appear_in_one_update),
        cmocka_unit_test(continuous_digging_delays_no_edit),
        cmocka_unit_test(an_edit_of_meshes_that_failed_shows_them_at_once_and_together),
        cmocka_unit_test(continuous_edits_are_shown_in_time),
        cmocka_unit_test(changes_by_other_callers_are_followed),
        cmocka_unit_test(listeners_may_change_the_store_during_events),
        cmocka_unit_test(changes_that_the_stream_missed_are_followed),
        cmocka_unit_test(edits_are_saved_before_unloading_and_loaded_again),
        cmocka_unit_test(remesh_shows_all_again_and_meshes_nothing_twice),
        cmocka_unit_test(an_edit_of_a_chunk_wanted_again_during_its_save_is_shown),
        cmocka_unit_test(remesh_includes_a_chunk_wanted_again_during_its_save),
        cmocka_unit_test(a_failed_save_does_not_delay_the_mesh_of_a_chunk_wanted_again),
        cmocka_unit_test(an_edit_of_a_finished_mesh_that_no_view_holds_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

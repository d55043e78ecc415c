// Limits on bytes, chunks and time, and views that shrink and grow with them. One thread, in
// exact steps.

#include "game_checks.h"

/// A clock that advances by a fixed time with each reading.
typedef struct TickingClock {
    double now_us, tick_us;
} TickingClock;

static double ticking_clock(void *user)
{
    TickingClock *clock = user;
    return clock->now_us += clock->tick_us;
}

static void growing_leaves_half_of_an_updates_time(void **state)
{
    (void)state;
    for (int is_slow = 0; is_slow < 2; is_slow++) {
        Game game;
        TickingClock clock = {1e9, is_slow ? 50 : 0.01};
        TrnStreamDef def = game_def(&game);
        def.budget = (TrnStreamBudget){.ms = 0.4};
        def.clock_us = ticking_clock;
        def.clock_user = &clock;
        game_create(&game, &def);
        const TrnStreamAnchorId id = game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 16, 4));
        TrnStreamView view;
        game_update(&game);
        assert_int_equal(trn_stream_view(game.stream, id, &view), TRN_RESULT_OK);
        assert_true(is_slow ? view.rings >= 1 && view.rings <= 5 : view.rings > 8);
        game_settle(&game);
        assert_int_equal(trn_stream_view(game.stream, id, &view), TRN_RESULT_OK);
        assert_int_equal(view.rings, 16);
        game_end(&game);
    }
}

static void accounted_bytes_never_pass_the_budget_and_the_view_shrinks(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    game.is_solid = true; // every chunk takes memory
    game.mesh_bytes = 8000;
    def.bytes_max = (size_t)16 << 20;
    def.queue_bytes = 256 << 10;
    def.budget.units = 128;
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 12, 6);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    TrnStreamView view = {0};
    uint32_t shrinks_of_rest = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        game_update(&game);
        const size_t bytes = game.memory.live_bytes + atomic_load(&game.live_mesh_bytes);
        assert_true(trn_stream_bytes(game.stream) <= def.bytes_max);
        assert_true(bytes <= def.bytes_max);
        if (i == 1500) {
            shrinks_of_rest = game.events[TRN_STREAM_EVENT_SHRANK];
        }
    }
    assert_int_equal(trn_stream_view(game.stream, id, &view), TRN_RESULT_OK);
    print_message("  %u rings\n", (unsigned)view.rings);
    assert_true(view.is_shrunk);
    assert_true(view.rings >= 4 && view.rings < 12);
    assert_int_equal(trn_stream_stats(game.stream).shrunk_views, 1);
    // Complete and at rest: what fits is shown, and nothing is unloaded and generated again.
    assert_true(game_update(&game).is_idle);
    assert_true(game.events[TRN_STREAM_EVENT_SHRANK] - shrinks_of_rest <= 1);
    check_meshes(&game, trn_box_around((TrnCoord){0, 0, 0}, (int32_t)view.rings / 2, 0,
                                       (int32_t)view.rings / 2));
    const uint32_t generated = atomic_load(&game.generated);
    for (uint32_t i = 0; i < 200; i++) {
        game_update(&game);
    }
    assert_int_equal(atomic_load(&game.generated), generated);

    // A flight within the same budget.
    for (int32_t x = 1; x < 60; x++) {
        anchor.position.chunk.x = x;
        trn_stream_anchor_set(game.stream, id, &anchor);
        for (uint32_t i = 0; i < 4; i++) {
            game_update(&game);
            assert_true(trn_stream_bytes(game.stream) <= def.bytes_max);
            assert_true(game.memory.live_bytes + atomic_load(&game.live_mesh_bytes) <=
                        def.bytes_max);
        }
    }
    game_end(&game);
}

/// Chunks near the middle have meshes much larger than the others.
static TrnResult mesh_large_in_the_middle(void *user, const TrnStreamJob *job,
                                          const TrnStreamMeshInput *input, TrnStreamMesh *mesh)
{
    Game *game = user;
    const TrnResult result = game_mesh(user, job, input, mesh);
    const bool is_middle =
        abs(job->coord.x) <= 2 && abs(job->coord.y) <= 2 && abs(job->coord.z) <= 2;
    const size_t bytes = is_middle ? 40000 : 100;
    atomic_fetch_add(&game->live_mesh_bytes, bytes - mesh->bytes);
    mesh->bytes = bytes;
    return result;
}

/// Settles a view with as many rings as fit. @return bytes
static size_t settle_with_a_large_middle(size_t bytes_max, TrnStreamView *view)
{
    Game game;
    TrnStreamDef def = game_def(&game);
    def.bytes_max = bytes_max;
    def.queue_bytes = 256 << 10;
    def.hooks.mesh = mesh_large_in_the_middle;
    game_create(&game, &def);
    const TrnStreamAnchorId id = game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 9, 9));
    game_settle(&game);
    assert_int_equal(trn_stream_view(game.stream, id, view), TRN_RESULT_OK);
    const size_t bytes = trn_stream_stats(game.stream).total_bytes_peak;
    game_end(&game);
    return bytes;
}

static void a_view_that_fits_is_whole_though_its_first_chunks_are_large(void **state)
{
    (void)state;
    TrnStreamView view = {0};
    const size_t bytes = settle_with_a_large_middle(0, &view);
    assert_int_equal(view.rings, 9);
    settle_with_a_large_middle(bytes + bytes / 2, &view);
    print_message("  %zu KiB: %u rings\n", bytes >> 10, (unsigned)view.rings);
    assert_int_equal(view.rings, 9);
    assert_false(view.is_shrunk);
}

static void a_view_grows_again_when_memory_allows(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    game.is_solid = true;
    def.bytes_max = (size_t)12 << 20;
    def.queue_bytes = 256 << 10;
    def.scratch_bytes = (size_t)8 << 20;
    def.budget.units = 256;
    game_create(&game, &def);
    const TrnStreamAnchorId id = game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 7, 3));
    for (uint32_t i = 0; i < 600; i++) {
        game_update(&game);
    }
    TrnStreamView small, large;
    trn_stream_view(game.stream, id, &small);
    assert_true(small.is_shrunk);
    trn_stream_set_scratch(game.stream, 0);
    for (uint32_t i = 0; i < 9000; i++) {
        game_update(&game);
    }
    trn_stream_view(game.stream, id, &large);
    print_message("  %u rings, then %u\n", (unsigned)small.rings, (unsigned)large.rings);
    assert_true(large.rings > small.rings);
    trn_stream_set_scratch(game.stream, (size_t)15 << 20); // hooks use more than ever
    for (uint32_t i = 0; i < 2000; i++) {
        game_update(&game);
    }
    trn_stream_view(game.stream, id, &small);
    assert_true(small.is_shrunk && small.rings < large.rings);
    game_end(&game);
}

#define BAND_CHUNKS 80  // along x, from one rough band to the next
#define BAND_ROUGH 24   // rough chunks at the end of a band
#define BAND_UPDATES 15 // for a chunk: 128 blocks a second

/// Land on which every chunk takes as much memory as it can, between land that takes little.
static TrnResult generate_rough_bands(void *user, const TrnStreamJob *job, TrnBlock *blocks,
                                      bool *uniform)
{
    static const Game flat = {0}, rough = {.is_solid = true};
    const bool is_rough =
        job->coord.x > 0 && job->coord.x % BAND_CHUNKS >= BAND_CHUNKS - BAND_ROUGH;
    (void)user;
    game_blocks(is_rough ? &rough : &flat, job->coord, blocks, uniform);
    return TRN_RESULT_OK;
}

/// Chunks that are not shown, summed over updates.
typedef struct Missing {
    uint32_t late;
    uint32_t refused; ///< did not fit the budget; tried again after 8, then 16, then 32 updates
} Missing;

static void count_missing(Missing *missing, const Game *game, TrnCoord coord)
{
    const TrnPlane shown = trn_chunk_index_plane(trn_stream_index(game->stream), "shown");
    if (!trn_chunk_index_plane_test(trn_stream_index(game->stream), shown, coord)) {
        const TrnStreamExplanation why = trn_stream_explain(game->stream, coord);
        const bool is_refused = why.wait == TRN_STREAM_WAIT_RETRY && why.failure == TRN_RESULT_FULL;
        missing->refused += is_refused;
        missing->late += !is_refused;
    }
}

/// Counts the chunks ahead, towards greater x, that are within 3/4 of the remaining view and not
/// shown.
static void count_missing_ahead(Missing *missing, const Game *game, const TrnStreamAnchor *anchor,
                                TrnStreamView view)
{
    const double part = 0.75 * view.rings / view.rings_wanted;
    const double across = part * anchor->radius_chunks, up = part * anchor->height_chunks;
    const int32_t reach = (int32_t)across, high = (int32_t)up;
    for (int32_t y = -high; y <= high; y++) {
        for (int32_t z = -reach; z <= reach; z++) {
            for (int32_t x = 0; x <= reach; x++) {
                if ((x * x + z * z) / (across * across) + y * y / (up * up) <= 1) {
                    count_missing(missing, game, trn_coord_add(anchor->position.chunk, x, y, z));
                }
            }
        }
    }
}

static void a_view_that_shrank_over_rough_land_grows_back_beyond_it(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.hooks.generate = generate_rough_bands;
    def.bytes_max = (size_t)33 << 18;
    def.queue_bytes = 256 << 10;
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 12, 4);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    for (uint32_t i = 0; i < 400; i++) {
        game_update(&game);
    }
    TrnStreamView before;
    trn_stream_view(game.stream, id, &before);
    TrnStreamView view = before;
    Missing missing = {0};
    int32_t grown = 0; // updates since the view gained a ring
    for (int32_t band = 0; band < 5; band++) {
        uint32_t least = before.rings, rings = 0;
        for (int32_t i = 0; i < BAND_CHUNKS * BAND_UPDATES; i++) {
            anchor.position.chunk.x = band * BAND_CHUNKS + i / BAND_UPDATES;
            trn_stream_anchor_set(game.stream, id, &anchor);
            game_update(&game);
            const uint32_t rings_before = view.rings;
            trn_stream_view(game.stream, id, &view);
            least = view.rings < least ? view.rings : least;
            grown = view.rings > rings_before ? 0 : grown + 1;
            if (grown >= BAND_UPDATES) { // the ring it gained may take as long as a chunk's way
                count_missing_ahead(&missing, &game, &anchor, view);
            }
            if (i == (BAND_CHUNKS - BAND_ROUGH - 8) * BAND_UPDATES) {
                rings = view.rings; // the last flat one
            }
        }
        print_message("  %u rings over flat land, at least %u\n", (unsigned)rings, (unsigned)least);
        assert_true(least > 0 && least < before.rings);
        assert_true(rings + 1 >= before.rings);
    }
    assert_int_equal(missing.late, 0);
    assert_true(missing.refused < 200); // 0 here; up to 41 with budgets of 8 to 10.5 MiB
    assert_true(trn_stream_stats(game.stream).shrinks <= 40); // no oscillation
    game_end(&game);
}

/// "As much as there is to do" is a valid budget.
static void an_update_with_a_huge_budget_does_everything(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.budget.units = UINT32_MAX;
    def.hysteresis_chunks = 0;
    game_create(&game, &def);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 4, 2);
    const TrnStreamAnchorId id = game_add(&game, anchor);
    assert_true(game_settle(&game) <= 3);
    anchor.position.chunk.x = 1000;
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &anchor), TRN_RESULT_OK);
    assert_true(game_settle(&game) <= 3);
    assert_int_equal(trn_stream_stats(game.stream).loaded, trn_stream_stats(game.stream).wanted);
    game_end(&game);
}

/// Hooks may report any number of bytes: then nothing fits until they report another.
static void hooks_that_use_all_bytes_break_nothing(void **state)
{
    (void)state;
    const size_t absurd[] = {SIZE_MAX, SIZE_MAX - 4096, SIZE_MAX / 2 + 1, (size_t)16 << 20};
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        Game game;
        TrnStreamDef def = game_def(&game);
        def.bytes_max = (size_t)16 << 20;
        def.queue_bytes = 256 << 10;
        def.scratch_bytes = absurd[i];
        assert_int_equal(game_try_create(&game, &def), TRN_RESULT_FULL);
        def.scratch_bytes = 0;
        game_create(&game, &def);
        const TrnStreamAnchorId id = game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 5, 2));
        game_settle(&game);
        TrnStreamView view;
        trn_stream_set_scratch(game.stream, absurd[i]);
        assert_true(trn_stream_bytes(game.stream) > def.bytes_max);
        for (uint32_t u = 0; u < 400; u++) {
            game_update(&game);
        }
        assert_int_equal(trn_stream_view(game.stream, id, &view), TRN_RESULT_OK);
        assert_true(view.is_shrunk && view.rings == 0);
        trn_stream_set_scratch(game.stream, 0);
        for (uint32_t u = 0; u < 6000; u++) {
            game_update(&game);
        }
        assert_int_equal(trn_stream_view(game.stream, id, &view), TRN_RESULT_OK);
        assert_int_equal(view.rings, 5);
        game_end(&game);
    }
}

static void a_cap_on_chunks_shrinks_the_view_too(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    trn_store_destroy(game.store);
    const TrnAllocator allocator = game_allocator(&game);
    TrnStoreDef store = trn_store_def();
    store.user_bytes = sizeof(void *);
    store.chunk_max = 500;
    store.allocator = &allocator;
    assert_int_equal(trn_store_create(&store, &game.store), TRN_RESULT_OK);
    def.store = game.store;
    game_create(&game, &def);
    const TrnStreamAnchorId id = game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 9, 5));
    for (uint32_t i = 0; i < 1500; i++) {
        game_update(&game);
    }
    TrnStreamView view;
    trn_stream_view(game.stream, id, &view);
    print_message("  %u rings\n", (unsigned)view.rings);
    assert_true(view.is_shrunk && view.rings >= 2);
    assert_true(trn_store_stats(game.store).chunks <= 500);
    assert_true(
        trn_stream_readiness(game.stream, (TrnVoxel){0, 0, 0}, (TrnVoxel){31, 31, 31}).is_shown);
    game_end(&game);
}

static void an_update_ends_after_the_work_begun_in_time(void **state)
{
    (void)state;
    Game game;
    TrnStreamDef def = game_def(&game);
    def.budget = (TrnStreamBudget){.ms = 1};
    def.clock_us = game_clock; // advances only by what generate adds
    def.clock_user = &game;
    game_create(&game, &def);
    game.now_us = 1e9;
    game.cost_us = 300;
    game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 3, 1));
    uint32_t updates = 0;
    for (bool is_idle = false; !is_idle; updates++) {
        const uint32_t before = atomic_load(&game.generated);
        const TrnStreamReport report = game_update(&game);
        const uint32_t generated = atomic_load(&game.generated) - before;
        assert_true(generated <= 4);
        assert_true(generated == 4 || report.us < 1000);
        assert_true(report.us == generated * 300.0);
        is_idle = report.is_idle;
    }
    const TrnStreamStats stats = trn_stream_stats(game.stream);
    assert_true(updates >= stats.generated / 4);
    const TrnStreamTimes *generate = &stats.times[TRN_STREAM_STAGE_GENERATE];
    assert_true(generate->p50 >= 300 && generate->p50 < 300 * 1.07);
    assert_true(generate->max == 300 && generate->mean == 300);
    game_end(&game);
}

static void meshes_wait_for_the_bytes_of_the_next_update_and_edits_do_not(void **state)
{
    (void)state;
    for (uint32_t workers = 0; workers < 3; workers++) {
        Game game;
        TrnStreamDef def = game_def(&game);
        game.is_solid = true;
        game.mesh_bytes = 8000;
        def.workers = workers;
        def.budget = (TrnStreamBudget){.upload_bytes = 3 * game.mesh_bytes - 1};
        game_create(&game, &def);
        game_add(&game, game_anchor((TrnCoord){0, 0, 0}, 4, 2));
        uint32_t full = 0;
        for (bool is_idle = false; !is_idle;) {
            trn_stream_wait(game.stream); // however slow the workers are, more is done than fits
            const TrnStreamReport report = game_update(&game);
            assert_int_equal(report.upload_bytes, report.uploaded * game.mesh_bytes);
            assert_in_range(report.uploaded, 0, 3);
            full += report.uploaded == 3;
            is_idle = report.is_idle;
        }
        assert_true(full > 20);
        check_meshes(&game, (TrnBox){{-3, -1, -3}, {3, 1, 3}});
        // Eight chunks meet in a corner and must be shown together.
        game_dig(&game, (TrnVoxel){0, 0, 0}, TRN_BLOCK_AIR);
        uint32_t most = 0;
        for (bool is_idle = false; !is_idle;) {
            const TrnStreamReport report = game_update(&game);
            most = report.uploaded > most ? report.uploaded : most;
            is_idle = report.is_idle;
        }
        assert_int_equal(most, 8);
        assert_int_equal(trn_stream_stats(game.stream).torn_groups, 0);
        game_end(&game);
    }
}

// ---- views that grow again ----------------------------------------------------------------------

/// Creates a view of 6 by 6 chunks that becomes wanted whole, then loses rings because chunks
/// cannot be allocated.
static TrnStreamAnchorId starve_to_rings(Game *game, TrnStreamAnchor anchor, uint32_t rings)
{
    TrnStreamDef def = game_def(game);
    game->is_solid = true;
    def.budget.units = 2;
    game_create(game, &def);
    const TrnStreamAnchorId id = game_add(game, anchor);
    TrnStreamView view = {0};
    for (uint32_t i = 0; i < 10 && view.rings < anchor.radius_chunks; i++) {
        game_update(game);
        assert_int_equal(trn_stream_view(game->stream, id, &view), TRN_RESULT_OK);
    }
    assert_int_equal(view.rings, anchor.radius_chunks);
    game->is_starved = true;
    for (uint32_t i = 0; i < 5000 && view.rings > rings; i++) {
        game_update(game);
        assert_int_equal(trn_stream_view(game->stream, id, &view), TRN_RESULT_OK);
    }
    game->is_starved = false;
    assert_true(view.is_started && view.is_shrunk && view.rings <= rings);
    return id;
}

static void a_shrunk_view_is_whole_when_less_is_asked_for(void **state)
{
    (void)state;
    Game game;
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 6, 6);
    const TrnStreamAnchorId id = starve_to_rings(&game, anchor, 4);
    TrnStreamView view;
    assert_int_equal(trn_stream_view(game.stream, id, &view), TRN_RESULT_OK);
    anchor.radius_chunks = anchor.height_chunks = view.rings;
    assert_int_equal(trn_stream_anchor_set(game.stream, id, &anchor), TRN_RESULT_OK);
    game_settle(&game);
    assert_int_equal(trn_stream_view(game.stream, id, &view), TRN_RESULT_OK);
    assert_int_equal(view.rings, view.rings_wanted);
    assert_false(view.is_shrunk);
    assert_int_equal(trn_stream_stats(game.stream).shrunk_views, 0);
    check_view(&game, &anchor);
    game_end(&game);
}

static void a_view_grows_soon_after_memory_is_back(void **state)
{
    (void)state;
    Game game;
    const TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 6, 6);
    const TrnStreamAnchorId id = starve_to_rings(&game, anchor, 0);
    print_message("  %u rings lost\n", (unsigned)trn_stream_stats(game.stream).shrinks);
    TrnStreamView view = {0};
    uint32_t updates = 0;
    for (; view.rings < anchor.radius_chunks && updates < 20000; updates++) {
        game_update(&game);
        assert_int_equal(trn_stream_view(game.stream, id, &view), TRN_RESULT_OK);
    }
    print_message("  whole after %u updates\n", (unsigned)updates);
    assert_false(view.is_shrunk);
    assert_true(updates < 1000);
    game_settle(&game);
    check_view(&game, &anchor);
    game_end(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(growing_leaves_half_of_an_updates_time),
        cmocka_unit_test(accounted_bytes_never_pass_the_budget_and_the_view_shrinks),
        cmocka_unit_test(a_view_that_fits_is_whole_though_its_first_chunks_are_large),
        cmocka_unit_test(a_view_grows_again_when_memory_allows),
        cmocka_unit_test(a_view_that_shrank_over_rough_land_grows_back_beyond_it),
        cmocka_unit_test(an_update_with_a_huge_budget_does_everything),
        cmocka_unit_test(hooks_that_use_all_bytes_break_nothing),
        cmocka_unit_test(a_cap_on_chunks_shrinks_the_view_too),
        cmocka_unit_test(an_update_ends_after_the_work_begun_in_time),
        cmocka_unit_test(meshes_wait_for_the_bytes_of_the_next_update_and_edits_do_not),
        cmocka_unit_test(a_shrunk_view_is_whole_when_less_is_asked_for),
        cmocka_unit_test(a_view_grows_soon_after_memory_is_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Views that grow, move and are removed, without a stream.

#include "views_desk.h"

// ---- the model ---------------------------------------------------------------------------------

static uint64_t host_wanted_count(const Host *host)
{
    uint64_t count = 0;
    for (size_t i = 0; i < CELLS; i++) {
        count += host->wanted[i];
    }
    return count;
}

// ---- growing -----------------------------------------------------------------------------------

static void a_view_grows_ring_by_ring(void **state)
{
    (void)state;
    const uint32_t sizes[][2] = {{6, 3}, {3, 7}, {0, 4}, {5, 0}, {0, 0}, {4, 4}};
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        Desk *desk = desk_begin(-30, 2);
        Host *host = desk->host;
        host->may_grow = false; // asked after the first ring of an update
        const TrnStreamAnchor anchor =
            desk_anchor(desk, 32, 32, 32, sizes[size][0], sizes[size][1]);
        const uint32_t wanted = sizes[size][0] > sizes[size][1] ? sizes[size][0] : sizes[size][1];
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        assert_true(host_is_empty(host)); // "takes effect with the next update"
        assert_false(desk_view(desk, id).is_started);
        for (uint32_t ring = 0; ring <= wanted; ring++) {
            assert_true(trn_stream_views_have_work(&desk->views));
            assert_false(trn_stream_views_are_idle(&desk->views));
            host_reset(host);
            assert_int_equal(desk_update(desk), TRN_RESULT_OK);
            desk_check_exact(desk);
            assert_int_equal(host->entered, host->want_calls); // each chunk once
            assert_true(host->grew == 1 && host->event_ring == ring && !host->left);
            assert_true(trn_coord_equal(host->event_centre, anchor.position.chunk));
            const TrnStreamView view = desk_view(desk, id);
            assert_true(view.is_started && view.rings == ring && !view.is_shrunk);
            assert_int_equal(view.rings_wanted, wanted);
        }
        assert_false(trn_stream_views_have_work(&desk->views));
        TrnStreamStats stats = {0};
        trn_stream_views_count(&desk->views, &stats);
        assert_true(stats.anchors == 1 && stats.grows == wanted + 1 && !stats.shrunk_views);
        desk_remove_last(desk, id);
        desk_end(desk);
    }
}

/// An update wants no more than a ring beyond the limit, and a dissolving view leaves as gently.
static void an_update_changes_a_limited_number_of_chunks(void **state)
{
    (void)state;
    Desk *desk = desk_begin(0, 2);
    Host *host = desk->host;
    const TrnStreamAnchor anchor = desk_anchor(desk, 31, 31, 31, 24, 24);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    uint32_t most = 0, updates = 0;
    for (; trn_stream_views_have_work(&desk->views); updates++) {
        host_reset(host);
        desk_update(desk);
        most = host->entered > most ? host->entered : most;
    }
    const uint32_t limit = 2048 + 4 * 28 * 28 * 3; // and the largest ring
    assert_true(most > 2048 && most <= limit && updates > 8);
    assert_int_equal(trn_stream_views_remove(&desk->views, id), TRN_RESULT_OK);
    uint64_t left = host_wanted_count(host);
    for (updates = 0; trn_stream_views_have_work(&desk->views); updates++) {
        host_reset(host);
        desk_update(desk);
        assert_true(host->left <= limit);
        left -= host->left;
    }
    assert_true(left == 0 && updates > 8 && host_is_empty(host));
    desk_end(desk);
}

/// Neither a dissolving view nor another anchor keeps a view from starting.
static void all_views_start_at_once(void **state)
{
    (void)state;
    Desk *desk = desk_begin(0, 2);
    TrnStreamAnchor anchor = desk_anchor(desk, 28, 31, 31, 24, 24);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    desk_settle(desk);
    anchor.position.chunk.x += 7;
    desk_set(desk, id, &anchor);
    desk_update(desk);
    const TrnStreamView view = desk_view(desk, id);
    assert_true(view.is_started);
    const TrnStreamAnchor second = desk_anchor(desk, 31, 31, 35, 24, 24);
    const TrnStreamAnchorId other = desk_add(desk, &second);
    desk_update(desk);
    assert_true(desk_view(desk, other).is_started);
    desk_update(desk);
    assert_true(desk_view(desk, other).rings && desk_view(desk, id).rings);
    desk_settle(desk);
    desk_end(desk);
}

static void views_may_be_told_not_to_grow(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 1);
    TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 5, 5);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    assert_int_equal(trn_stream_views_update(&desk->views, ++desk->update, false), TRN_RESULT_OK);
    assert_true(host_is_empty(desk->host) && !desk_view(desk, id).is_started);
    desk_settle(desk);
    anchor.position.chunk.x += 2; // a step is not growth
    desk_set(desk, id, &anchor);
    trn_stream_views_update(&desk->views, ++desk->update, false);
    desk_check(desk);
    assert_int_equal(desk_view(desk, id).rings, 5);
    anchor.position.chunk.x += 9;
    desk_set(desk, id, &anchor);
    for (uint32_t i = 0; i < 12; i++) {
        trn_stream_views_update(&desk->views, ++desk->update, false);
        desk_check(desk);
    }
    assert_true(host_is_empty(desk->host) && !desk_view(desk, id).is_started);
    assert_false(trn_stream_views_are_dropping(&desk->views));
    desk_settle(desk);
    desk_check_exact(desk);
    desk_end(desk);
}

// ---- moving ------------------------------------------------------------------------------------

/// In the update of a step what differs enters, and nothing leaves; in the next one leaves what the
/// view does not keep.
static void steps_change_only_what_differs(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(12);
    for (uint32_t hysteresis = 0; hysteresis <= 3; hysteresis++) {
        Desk *desk = desk_begin(-30, hysteresis);
        Host *host = desk->host;
        TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 6, 4);
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        desk_settle(desk);
        uint8_t *before = malloc(CELLS), *wanted = malloc(CELLS);
        assert_true(before && wanted);
        for (uint32_t i = 0; i < 40; i++) {
            memcpy(before, desk->model, CELLS);
            memcpy(wanted, host->wanted, CELLS);
            const TrnCoord home = {host->base.x + 32, host->base.y + 32, host->base.z + 32};
            int32_t *at[3] = {&anchor.position.chunk.x, &anchor.position.chunk.y,
                              &anchor.position.chunk.z};
            const int32_t centre[3] = {home.x, home.y, home.z};
            for (int axis = 0; axis < 3; axis++) {
                const int32_t off = *at[axis] - centre[axis];
                *at[axis] +=
                    (int32_t)test_random_range(&random, off < -10 ? 0 : -2, off > 10 ? 0 : 2);
            }
            desk_set(desk, id, &anchor);
            host_reset(host);
            assert_int_equal(desk_update(desk), TRN_RESULT_OK);
            assert_int_equal(host->unwanted, 0);
            assert_int_equal(desk_view(desk, id).rings, 6);
            uint32_t entered = 0;
            for (size_t cell = 0; cell < CELLS; cell++) {
                const bool is_new = model_has(desk->model[cell], TRN_STREAM_SHAPE_LOAD);
                entered += is_new && !model_has(before[cell], TRN_STREAM_SHAPE_LOAD);
                assert_int_equal(host->wanted[cell], wanted[cell] || is_new);
                wanted[cell] |= is_new;
            }
            assert_int_equal(host->want_calls, entered);
            host_reset(host);
            desk_update(desk);
            assert_true(host->want_calls == 0 && !trn_stream_views_have_work(&desk->views));
            for (size_t cell = 0; cell < CELLS; cell++) {
                assert_int_equal(host->wanted[cell],
                                 wanted[cell] &&
                                     model_has(desk->model[cell], TRN_STREAM_SHAPE_KEEP));
            }
        }
        free(wanted);
        free(before);
        desk_remove_last(desk, id);
        desk_end(desk);
    }
}

static void hysteresis_keeps_what_a_view_comes_back_to(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 2);
    TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 6, 4);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    desk_settle(desk);
    for (uint32_t i = 0; i < 20; i++) {
        host_reset(desk->host);
        anchor.position.chunk.x += i % 2 ? -1 : 1;
        desk_set(desk, id, &anchor);
        desk_settle(desk);
        assert_true(i == 0 || (!desk->host->entered && !desk->host->left));
    }
    trn_stream_views_drop_kept(&desk->views);
    desk_check_exact(desk);
    // For example, from stream.h: radius 6 to 3 with a hysteresis of 2.
    anchor.radius_chunks = anchor.height_chunks = 6;
    desk_set(desk, id, &anchor);
    desk_settle(desk);
    anchor.radius_chunks = anchor.height_chunks = 3;
    desk_set(desk, id, &anchor);
    desk_settle(desk);
    uint32_t shown = 0;
    for (size_t i = 0; i < CELLS; i++) {
        shown += desk->host->shown[i];
    }
    assert_int_equal(shown, 515);
    assert_int_equal(host_wanted_count(desk->host), 1141);
    desk_end(desk);
}

/// After a jump the old view dissolves from outside while a new one grows; what only the old view
/// showed is hidden at once.
static void a_jump_dissolves_the_old_view(void **state)
{
    (void)state;
    for (int32_t distance = 3; distance <= 24; distance += 3) {
        Desk *desk = desk_begin(-30, 2);
        Host *host = desk->host;
        TrnStreamAnchor anchor = desk_anchor(desk, 16, 32, 32, 6, 4);
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        desk_settle(desk);
        host->may_grow = false; // a ring an update
        anchor.position.chunk.x += distance;
        desk_set(desk, id, &anchor);
        assert_int_equal(desk_view(desk, id).rings, 6);
        for (uint32_t update = 0, rings = 0; trn_stream_views_have_work(&desk->views); update++) {
            assert_true(update <= 10);
            desk_update(desk);
            TrnStreamStats stats = {0};
            trn_stream_views_count(&desk->views, &stats);
            assert_true(stats.anchors == 1 && stats.dissolving <= 1);
            const TrnStreamView view = desk_view(desk, id);
            assert_true(view.is_started && view.rings >= (update ? 1 : 0) && view.rings >= rings);
            rings = view.rings;
            for (size_t i = 0; i < CELLS; i++) {
                assert_true(!host->shown[i] ||
                            model_has(desk->model[i], TRN_STREAM_SHAPE_KEEP_SHOW));
            }
        }
        desk_remove_last(desk, id);
        desk_end(desk);
    }
}

static void views_resize(void **state)
{
    (void)state;
    // Each keeps the proportion of the one before, or not.
    const uint32_t sizes[][2] = {{6, 3}, {4, 2}, {2, 1}, {6, 3}, {6, 6}, {3, 3}, {0, 0}, {0, 5},
                                 {0, 2}, {5, 0}, {5, 1}, {1, 5}, {7, 3}, {0, 0}, {7, 2}, {14, 4}};
    Desk *desk = desk_begin(-30, 2);
    TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 1, 1);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        anchor.radius_chunks = sizes[i][0];
        anchor.height_chunks = sizes[i][1];
        desk_set(desk, id, &anchor);
        assert_true(trn_stream_views_have_work(&desk->views));
        desk_settle(desk);
        assert_int_equal(desk_view(desk, id).rings, desk_view(desk, id).rings_wanted);
        trn_stream_views_drop_kept(&desk->views);
        desk_check_exact(desk);
    }
    // In proportion, the centre stays shown all the time.
    anchor.radius_chunks = 7;
    anchor.height_chunks = 2;
    desk_set(desk, id, &anchor);
    while (trn_stream_views_have_work(&desk->views)) {
        desk_update(desk);
        assert_true(desk_view(desk, id).rings >= 7);
    }
    // Also while it moves.
    anchor.radius_chunks = 14;
    anchor.height_chunks = 4;
    anchor.position.chunk.x++;
    desk_set(desk, id, &anchor);
    desk_update(desk);
    assert_true(desk_view(desk, id).rings >= 7);
    desk_settle(desk);
    desk_remove_last(desk, id);
    desk_end(desk);
}

static void views_stop_at_the_ends_of_the_world(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        Desk *desk = desk_begin(side ? INT32_MAX - EDGE + 1 : INT32_MIN, 2);
        const int32_t end = side ? EDGE - 1 : 0, inwards = side ? -1 : 1;
        TrnStreamAnchor anchor = desk_anchor(desk, end, end, end, 5, 3);
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        assert_false(trn_stream_views_touch_end(&desk->views));
        desk_settle(desk);
        desk_check_exact(desk);
        assert_true(trn_stream_views_touch_end(&desk->views));
        for (uint32_t i = 0; i < 14; i++) {
            anchor.position.chunk.x += inwards * (i % 3 ? 1 : 2);
            anchor.position.chunk.y += inwards;
            anchor.position.chunk.z += inwards * 2;
            desk_set(desk, id, &anchor);
            desk_settle(desk);
        }
        assert_false(trn_stream_views_touch_end(&desk->views));
        anchor = desk_anchor(desk, end, end, end, 5, 3);
        desk_set(desk, id, &anchor);
        desk_settle(desk);
        desk_remove_last(desk, id);
        desk_end(desk);
    }
}

/// From one end of the world to the other: nothing wraps around.
static void a_jump_through_the_world_wraps_nowhere(void **state)
{
    (void)state;
    Desk *desk = desk_begin(INT32_MIN, 2);
    TrnStreamAnchor anchor = desk_anchor(desk, 0, 0, 0, 4, 4);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    desk_settle(desk);
    anchor.position.chunk = (TrnCoord){INT32_MAX, INT32_MAX, INT32_MAX};
    desk_set(desk, id, &anchor);
    assert_int_equal(trn_stream_views_update(&desk->views, ++desk->update, false), TRN_RESULT_OK);
    const double far = trn_stream_views_distance(&desk->views, desk->host->base);
    assert_true(fabs(far / (sqrt(3) * UINT32_MAX) - 1) < 1e-12);
    assert_int_equal(trn_stream_views_remove(&desk->views, id), TRN_RESULT_OK);
    for (uint32_t i = 0; i < 10; i++) {
        trn_stream_views_update(&desk->views, ++desk->update, false);
    }
    assert_true(host_is_empty(desk->host));
    desk_end(desk);
}

// ---- anchors -----------------------------------------------------------------------------------

static void ids_of_removed_anchors_are_stale(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 2);
    const TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 3, 3);
    TrnStreamAnchorId old[8];
    for (uint32_t i = 0; i < 8; i++) {
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        if (i % 2) {
            desk_settle(desk);
        }
        assert_int_equal(trn_stream_views_remove(&desk->views, id), TRN_RESULT_OK);
        if (i % 3) {
            desk_settle(desk); // its slot is used again
        }
        old[i] = id;
        const TrnStreamAnchorId live = desk_add(desk, &anchor);
        for (uint32_t j = 0; j <= i; j++) {
            TrnStreamView view;
            assert_int_equal(trn_stream_views_get(&desk->views, old[j], &view),
                             TRN_RESULT_STALE_ID);
            assert_int_equal(trn_stream_views_set(&desk->views, old[j], &anchor),
                             TRN_RESULT_STALE_ID);
            assert_int_equal(trn_stream_views_remove(&desk->views, old[j]), TRN_RESULT_STALE_ID);
        }
        assert_int_equal(trn_stream_views_remove(&desk->views, live), TRN_RESULT_OK);
    }
    const TrnStreamAnchorId null = {0, 0};
    assert_int_equal(trn_stream_views_remove(&desk->views, null), TRN_RESULT_STALE_ID);
    desk_settle(desk);
    assert_true(host_is_empty(desk->host));
    desk_end(desk);
}

static void bad_anchors_are_refused(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 2);
    const TrnStreamAnchor good = desk_anchor(desk, 32, 32, 32, 3, 3);
    const TrnStreamAnchorId id = desk_add(desk, &good);
    desk_settle(desk);
    TrnStreamAnchor bad[9];
    for (uint32_t i = 0; i < 9; i++) {
        bad[i] = good;
    }
    bad[0].position.offset[0] = -0.1;
    bad[1].position.offset[1] = TRN_CHUNK_EDGE;
    bad[2].position.offset[2] = NAN;
    bad[3].velocity[0] = INFINITY;
    bad[4].velocity[2] = NAN;
    bad[5].view[1] = -INFINITY;
    bad[6].view[0] = NAN;
    bad[7].radius_chunks = TRN_STREAM_RADIUS_MAX + 1;
    bad[8].height_chunks = UINT32_MAX;
    TrnStreamAnchorId out = {7, 7};
    for (uint32_t i = 0; i < 9; i++) {
        assert_int_equal(trn_stream_views_add(&desk->views, &bad[i], &out),
                         TRN_RESULT_BAD_ARGUMENT);
        assert_int_equal(trn_stream_views_set(&desk->views, id, &bad[i]), TRN_RESULT_BAD_ARGUMENT);
    }
    assert_int_equal(trn_stream_views_add(&desk->views, NULL, &out), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_stream_views_add(&desk->views, &good, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_int_equal(trn_stream_views_set(&desk->views, id, NULL), TRN_RESULT_BAD_ARGUMENT);
    assert_true(out.index1 == 7 && out.generation == 7);
    assert_int_equal(desk->views.all.count, 1);
    assert_false(trn_stream_views_have_work(&desk->views));
    desk_set(desk, id, &good); // the same anchor is no work either
    assert_false(trn_stream_views_have_work(&desk->views));
    desk_end(desk);
}

/// Whether every chunk of a view, as another run computed it, is wanted and shown.
static void check_still_there(const Desk *desk, const uint8_t *kept)
{
    for (size_t i = 0; i < CELLS; i++) {
        assert_true(!model_has(kept[i], TRN_STREAM_SHAPE_LOAD) || desk->host->wanted[i]);
        assert_true(!model_has(kept[i], TRN_STREAM_SHAPE_SHOW) || desk->host->shown[i]);
    }
}

static void overlapping_views_keep_each_others_chunks(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 1);
    const TrnStreamAnchor still = desk_anchor(desk, 32, 32, 32, 5, 4);
    const TrnStreamAnchorId first = desk_add(desk, &still);
    desk_settle(desk);
    uint8_t *kept = malloc(CELLS);
    assert_non_null(kept);
    memcpy(kept, desk->model, CELLS);
    TrnStreamAnchor walker = desk_anchor(desk, 16, 30, 32, 5, 5);
    const TrnStreamAnchorId second = desk_add(desk, &walker);
    for (uint32_t i = 0; i < 17; i++) { // through the other one
        walker.position.chunk.x += i == 9 ? 5 : 2;
        if (i == 9) {
            walker.position.chunk.x -= 12;
        }
        desk_set(desk, second, &walker);
        desk_update(desk);
        check_still_there(desk, kept);
    }
    desk_settle(desk);
    walker.position.chunk = still.position.chunk;
    desk_set(desk, second, &walker);
    desk_settle(desk);
    assert_int_equal(trn_stream_views_remove(&desk->views, second), TRN_RESULT_OK);
    while (trn_stream_views_have_work(&desk->views)) {
        desk_update(desk);
        check_still_there(desk, kept);
    }
    trn_stream_views_drop_kept(&desk->views);
    desk_check_exact(desk);
    free(kept);
    desk_remove_last(desk, first);
    desk_end(desk);
}

// ---- random actions ----------------------------------------------------------------------------

#define ANCHORS 4u

typedef struct Crowd {
    Desk *desk;
    TestRandom random;
    int32_t low, high; ///< where anchors may be, from the lowest corner of the box
    TrnStreamAnchorId ids[ANCHORS];
    TrnStreamAnchor anchors[ANCHORS];
    bool is_used[ANCHORS];
} Crowd;

static int64_t crowd_range(Crowd *crowd, int64_t low, int64_t high)
{
    return test_random_range(&crowd->random, low, high);
}

static void crowd_place(Crowd *crowd, TrnStreamAnchor *anchor)
{
    *anchor = desk_anchor(crowd->desk, (int32_t)crowd_range(crowd, crowd->low, crowd->high),
                          (int32_t)crowd_range(crowd, crowd->low, crowd->high),
                          (int32_t)crowd_range(crowd, crowd->low, crowd->high),
                          (uint32_t)crowd_range(crowd, 0, 5), (uint32_t)crowd_range(crowd, 0, 5));
}

static int32_t crowd_step(Crowd *crowd, int32_t at, int32_t base)
{
    const int64_t to = (int64_t)at - base + crowd_range(crowd, -2, 2);
    return base + (int32_t)(to < crowd->low ? crowd->low : to > crowd->high ? crowd->high : to);
}

static void crowd_move(Crowd *crowd, uint32_t i)
{
    const TrnCoord base = crowd->desk->host->base;
    TrnStreamAnchor *anchor = &crowd->anchors[i];
    TrnCoord *at = &anchor->position.chunk;
    const int64_t kind = crowd_range(crowd, 0, 19);
    if (kind == 0) { // jumps, and may be resized
        crowd_place(crowd, anchor);
    } else if (kind == 1) {
        const uint32_t times = anchor->radius_chunks < 3 && anchor->height_chunks < 3 ? 2 : 1;
        anchor->radius_chunks *= times;
        anchor->height_chunks *= times;
    } else if (kind == 2 && anchor->radius_chunks % 2 == 0 && anchor->height_chunks % 2 == 0) {
        anchor->radius_chunks /= 2;
        anchor->height_chunks /= 2;
    } else {
        *at = (TrnCoord){crowd_step(crowd, at->x, base.x), crowd_step(crowd, at->y, base.y),
                         crowd_step(crowd, at->z, base.z)};
    }
    desk_set(crowd->desk, crowd->ids[i], anchor);
}

static void crowd_fail_something(Crowd *crowd)
{
    Host *host = crowd->desk->host;
    host->failure = crowd_range(crowd, 0, 1) ? TRN_RESULT_FULL : TRN_RESULT_NO_MEMORY;
    if (crowd_range(crowd, 0, 3) == 0) {
        host->fail_at = host->calls + (uint32_t)crowd_range(crowd, 1, 60);
        host->fail_to = host->fail_at + (uint32_t)crowd_range(crowd, 0, 40);
    }
    if (crowd_range(crowd, 0, 3) == 0) {
        const size_t at = (size_t)crowd_range(crowd, 1, 3);
        test_fail(&crowd->desk->state, at, at + (size_t)crowd_range(crowd, 0, 1));
    }
    host->fit = (TrnStreamFit)(crowd_range(crowd, 0, 9) ? 0 : crowd_range(crowd, 0, 2));
    host->may_grow = crowd_range(crowd, 0, 4) > 0;
}

static void crowd_change(Crowd *crowd)
{
    Desk *desk = crowd->desk;
    const uint32_t i = (uint32_t)crowd_range(crowd, 0, ANCHORS - 1);
    if (!crowd->is_used[i]) {
        crowd_place(crowd, &crowd->anchors[i]);
        crowd->is_used[i] =
            trn_stream_views_add(&desk->views, &crowd->anchors[i], &crowd->ids[i]) == TRN_RESULT_OK;
    } else if (crowd_range(crowd, 0, 24) == 0) {
        assert_int_equal(trn_stream_views_remove(&desk->views, crowd->ids[i]), TRN_RESULT_OK);
        assert_int_equal(trn_stream_views_remove(&desk->views, crowd->ids[i]), TRN_RESULT_STALE_ID);
        crowd->is_used[i] = false;
    } else {
        crowd_move(crowd, i);
    }
}

/// One random update, and now and then what the stream does when memory runs short.
static void crowd_update(Crowd *crowd)
{
    Desk *desk = crowd->desk;
    const int64_t kind = crowd_range(crowd, 0, 39);
    if (kind == 0) {
        trn_stream_views_drop_kept(&desk->views);
        desk_check(desk);
    } else if (kind == 1) {
        trn_stream_views_shrink(&desk->views, (uint32_t)crowd_range(crowd, 1, 100));
        desk_check(desk);
    }
    trn_stream_views_update(&desk->views, ++desk->update, crowd_range(crowd, 0, 9) > 0);
    desk_check(desk);
}

static void crowd_run(int32_t base, int32_t low, int32_t high, uint64_t steps)
{
    Crowd *crowd = calloc(1, sizeof *crowd);
    assert_non_null(crowd);
    crowd->random = test_random_seeded((uint64_t)(int64_t)base + 77);
    crowd->low = low;
    crowd->high = high;
    crowd->desk = desk_begin(base, (uint32_t)crowd_range(crowd, 0, 2));
    Host *host = crowd->desk->host;
    for (uint64_t step = 0; step < steps; step++) {
        const bool is_calm = step / 64 % 3 == 0; // now and then nothing fails, and all come to rest
        if (is_calm) {
            host->fail_at = host->fit = 0;
            test_fail(&crowd->desk->state, 0, 0);
            host->may_grow = true;
        } else {
            crowd_fail_something(crowd);
        }
        if (step % 192 == 0) {
            desk_settle(crowd->desk);
        }
        for (int64_t changes = crowd_range(crowd, 0, 2); changes > 0; changes--) {
            crowd_change(crowd);
        }
        crowd_update(crowd);
    }
    host->fail_at = host->fit = 0;
    test_fail(&crowd->desk->state, 0, 0);
    for (uint32_t i = 0; i < ANCHORS; i++) {
        if (crowd->is_used[i]) {
            trn_stream_views_remove(&crowd->desk->views, crowd->ids[i]);
        }
    }
    desk_settle(crowd->desk);
    assert_true(host_is_empty(host) && crowd->desk->views.all.count == 0);
    desk_end(crowd->desk);
    free(crowd);
}

static void anything_leaves_no_holes_and_no_leaks(void **state)
{
    (void)state;
    crowd_run(-30, 12, 50, test_rounds(4000, 1000));
    crowd_run(INT32_MAX - EDGE + 1, 45, EDGE - 1, test_rounds(1500, 500));
    crowd_run(INT32_MIN, 0, 18, test_rounds(1500, 500));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_view_grows_ring_by_ring),
        cmocka_unit_test(an_update_changes_a_limited_number_of_chunks),
        cmocka_unit_test(all_views_start_at_once),
        cmocka_unit_test(views_may_be_told_not_to_grow),
        cmocka_unit_test(steps_change_only_what_differs),
        cmocka_unit_test(hysteresis_keeps_what_a_view_comes_back_to),
        cmocka_unit_test(a_jump_dissolves_the_old_view),
        cmocka_unit_test(views_resize),
        cmocka_unit_test(views_stop_at_the_ends_of_the_world),
        cmocka_unit_test(a_jump_through_the_world_wraps_nowhere),
        cmocka_unit_test(ids_of_removed_anchors_are_stale),
        cmocka_unit_test(bad_anchors_are_refused),
        cmocka_unit_test(overlapping_views_keep_each_others_chunks),
        cmocka_unit_test(anything_leaves_no_holes_and_no_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

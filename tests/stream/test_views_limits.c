// Views without memory, and views that do not fit, without a stream.

#include "views_desk.h"

// ---- the model ---------------------------------------------------------------------------------

static uint64_t model_count(const Desk *desk, TrnStreamViewShape which)
{
    uint64_t count = 0;
    for (size_t i = 0; i < CELLS; i++) {
        count += model_has(desk->model[i], which);
    }
    return count;
}

// ---- memory that runs short --------------------------------------------------------------------

/// One anchor's life: grows, steps, jumps, is resized. Checked after each update.
static TrnStreamAnchorId script_run(Desk *desk)
{
    TrnStreamAnchor anchor = desk_anchor(desk, 20, 32, 32, 4, 3);
    TrnStreamAnchorId id;
    while (trn_stream_views_add(&desk->views, &anchor, &id) != TRN_RESULT_OK) {
        assert_int_equal(desk->views.all.count, 0);
    }
    for (uint32_t step = 0; step < 8; step++) {
        const uint32_t rests = step == 3 || step == 5 ? 1 : 3; // also before it has all rings
        for (uint32_t i = 0; i < rests; i++) {
            const TrnResult result = desk_update(desk);
            assert_true(result == TRN_RESULT_OK || result == desk->host->failure);
        }
        anchor.position.chunk.x += step == 4 ? 9 : 1;
        anchor.position.chunk.z += step % 2 ? 2 : -1;
        anchor.radius_chunks = step == 6 ? 2 : 4;
        desk_set(desk, id, &anchor);
    }
    return id;
}

/// The last call of want or show that a script makes when nothing fails.
static uint32_t script_calls(uint32_t hysteresis)
{
    Desk *desk = desk_begin(-30, hysteresis);
    script_run(desk);
    const uint32_t calls = desk->host->calls;
    desk_end(desk);
    return calls;
}

static void wants_that_fail_leave_no_holes(void **state)
{
    (void)state;
    const TrnResult failures[] = {TRN_RESULT_NO_MEMORY, TRN_RESULT_FULL};
    for (uint32_t hysteresis = 0; hysteresis <= 2; hysteresis += 2) {
        const uint32_t calls = script_calls(hysteresis);
        print_message("  %u calls\n", calls);
        for (uint32_t at = 1; at <= calls + 1; at += at < 60 ? 1 : test_rounds(5, 25)) {
            for (uint32_t variant = 0; variant < 4; variant++) {
                Desk *desk = desk_begin(-30, hysteresis);
                desk->host->failure = failures[variant % 2];
                desk->host->fail_at = at;
                desk->host->fail_to = variant < 2 ? 0 : at + 12;
                const TrnStreamAnchorId id = script_run(desk);
                desk_settle(desk); // the failed ring is tried again
                const TrnStreamView view = desk_view(desk, id);
                assert_true(view.rings == view.rings_wanted && !view.is_shrunk);
                desk_remove_last(desk, id);
                desk_end(desk);
            }
        }
    }
}

/// A failed ring is reported, and the view waits some updates before it tries again.
static void a_ring_that_fails_is_tried_again(void **state)
{
    (void)state;
    for (int full = 0; full < 2; full++) {
        Desk *desk = desk_begin(-30, 2);
        Host *host = desk->host;
        host->may_grow = false;
        host->failure = full ? TRN_RESULT_FULL : TRN_RESULT_NO_MEMORY;
        const TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 5, 5);
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        desk_update(desk);
        desk_update(desk);
        host_reset(host);
        test_fail(&desk->state, 0, 0);
        host->fail_at = host->calls + 3;
        host->fail_to = UINT32_MAX;
        assert_int_equal(desk_update(desk), host->failure);
        assert_int_equal(desk_view(desk, id).rings, 1);
        assert_int_equal(desk_view(desk, id).is_shrunk, full);
        assert_int_equal(host->grew + host->shrank, 0);
        const uint32_t calls = host->calls;
        desk_update(desk);
        assert_int_equal(host->calls, calls);
        host->fail_at = 0;
        uint32_t waited = 1;
        for (; desk_view(desk, id).rings == 1; waited++) {
            assert_int_equal(desk_update(desk), TRN_RESULT_OK);
        }
        assert_true(waited >= 4 && waited <= 16);
        desk_settle(desk);
        assert_false(desk_view(desk, id).is_shrunk);
        desk_remove_last(desk, id);
        desk_end(desk);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t at = 1;; at++) { // while creating
        Desk *desk = desk_begin_bare(-30);
        const TrnStreamViewHost host = desk_host(desk->host);
        test_fail(&desk->state, at, 0);
        const TrnResult result = trn_stream_views_create(&desk->views, &host, 2, &desk->allocator);
        const bool is_done = desk->state.allocations < at;
        assert_int_equal(result, is_done ? TRN_RESULT_OK : TRN_RESULT_NO_MEMORY);
        desk_end(desk);
        if (is_done) {
            break;
        }
    }
    for (size_t at = 1, last = 0; !last; at++) { // once, and from there on for long
        for (size_t more = 0; more < 2; more++) {
            Desk *desk = desk_begin(-30, 2);
            test_fail(&desk->state, at, more * 2 + at);
            TrnStreamAnchor crowd = desk_anchor(desk, 24, 32, 32, 1, 1);
            TrnStreamAnchorId ids[20];
            uint32_t count = 0;
            const TrnStreamAnchorId id = script_run(desk);
            for (uint32_t i = 0; i < 20; i++) { // needs more than a block of slots
                count += trn_stream_views_add(&desk->views, &crowd, &ids[count]) == TRN_RESULT_OK;
                crowd.position.chunk.x++;
            }
            for (uint32_t round = 0; round < 3; round++) {
                for (uint32_t i = 0; i < count; i++) {
                    crowd.position.chunk.x = desk->host->base.x + 24 + (int32_t)i;
                    crowd.position.chunk.z = desk->host->base.z + 24 + (int32_t)(round * 4);
                    desk_set(desk, ids[i], &crowd);
                }
                desk_update(desk);
            }
            desk_settle(desk);
            for (uint32_t i = 0; i < count; i++) {
                assert_int_equal(desk_view(desk, ids[i]).rings, 1);
                assert_true(trn_stream_views_have(&desk->views,
                                                  (TrnCoord){desk->host->base.x + 24 + (int32_t)i,
                                                             crowd.position.chunk.y,
                                                             crowd.position.chunk.z},
                                                  TRN_STREAM_SHAPE_SHOW));
                assert_int_equal(trn_stream_views_remove(&desk->views, ids[i]), TRN_RESULT_OK);
            }
            last = desk->state.allocations < at;
            desk_remove_last(desk, id);
            desk_end(desk);
        }
        assert_true(at < 1000);
    }
}

/// Moves the last of some anchors while all allocations fail, and wants as well if it steps.
static void check_move_without_memory(uint32_t count, int32_t distance, bool is_removed)
{
    Desk *desk = desk_begin(-30, 0); // hysteresis would keep what a step leaves
    TrnStreamAnchorId ids[20];
    for (uint32_t i = 0; i + 1 < count; i++) { // far from the last one
        const TrnStreamAnchor other = desk_anchor(desk, 5 + (int32_t)i * 3, 5, 5, 0, 0);
        ids[i] = desk_add(desk, &other);
    }
    TrnStreamAnchor anchor = desk_anchor(desk, 20, 32, 32, 4, 4);
    ids[count - 1] = desk_add(desk, &anchor);
    desk_settle(desk);
    const TrnStreamAnchorId id = ids[count - 1];
    anchor.position.chunk.x += distance;
    desk_set(desk, id, &anchor);
    test_fail(&desk->state, 1, 1000);
    desk->host->fail_at = desk->host->calls + 1;
    desk->host->fail_to = UINT32_MAX;
    desk_update(desk);
    if (is_removed) {
        assert_int_equal(trn_stream_views_remove(&desk->views, id), TRN_RESULT_OK);
        desk_check(desk);
    }
    desk_update(desk);
    test_fail(&desk->state, 0, 0);
    desk->host->fail_at = 0;
    desk_settle(desk);
    for (uint32_t i = 0; i < count - is_removed; i++) {
        assert_int_equal(desk_view(desk, ids[i]).rings, i + 1 < count ? 0 : 4);
        assert_int_equal(trn_stream_views_remove(&desk->views, ids[i]), TRN_RESULT_OK);
    }
    desk_settle(desk);
    assert_true(host_is_empty(desk->host));
    desk_end(desk);
}

/// A move needs up to two slots; the numbers of anchors include those where either is missing.
static void moves_without_memory_lose_nothing(void **state)
{
    (void)state;
    for (uint32_t count = 1; count <= 18; count++) {
        for (int32_t variant = 0; variant < 4; variant++) {
            check_move_without_memory(count, variant % 2 ? 2 : 8, variant / 2);
        }
    }
}

// ---- what does not fit -------------------------------------------------------------------------

static void what_does_not_fit_is_asked_again_later(void **state)
{
    (void)state;
    for (int estimated = 0; estimated < 2; estimated++) {
        Desk *desk = desk_begin(-30, 2);
        Host *host = desk->host;
        host->fit = estimated ? TRN_STREAM_FIT_ESTIMATED : TRN_STREAM_FIT_NO;
        const TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 5, 4);
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        assert_int_equal(desk_update(desk), TRN_RESULT_OK); // the first two rings are tried
        const TrnStreamView view = desk_view(desk, id);
        assert_true(view.is_shrunk && view.is_started && view.rings == 1 && host->asked == 1);
        assert_false(host->asked_cautious);
        assert_true(trn_stream_views_have_work(&desk->views));
        assert_int_equal(trn_stream_views_are_idle(&desk->views), !estimated);
        TrnStreamStats stats = {0};
        trn_stream_views_count(&desk->views, &stats);
        assert_int_equal(stats.shrunk_views, 1);
        const uint64_t had = model_count(desk, TRN_STREAM_SHAPE_LOAD);
        uint32_t updates = 0;
        for (; host->asked == 1; updates++) {
            desk_update(desk);
        }
        assert_true(estimated ? updates >= 4 && updates <= 16 : updates >= 30 && updates <= 120);
        assert_int_equal(desk_view(desk, id).rings, 1);
        host->fit = TRN_STREAM_FIT_YES;
        host->may_grow = false;
        const uint64_t asked = host->asked_chunks;
        while (desk_view(desk, id).rings == 1) {
            desk_update(desk);
        }
        // What the ring adds, and some of what hysteresis may keep.
        const uint64_t more = model_count(desk, TRN_STREAM_SHAPE_LOAD) - had;
        assert_true(asked >= more && asked <= model_count(desk, TRN_STREAM_SHAPE_KEEP));
        assert_false(desk_view(desk, id).is_shrunk);
        desk_settle(desk);
        assert_int_equal(desk_view(desk, id).rings, 5);
        desk_end(desk);
    }
}

/// Updates until a shrunk view has grown by a ring. @return after how many
static uint32_t updates_until_growth(Desk *desk, TrnStreamAnchorId id)
{
    const uint32_t rings = desk_view(desk, id).rings;
    for (uint32_t updates = 1; updates < 1000; updates++) {
        desk_update(desk);
        if (desk_view(desk, id).rings != rings) {
            assert_int_equal(desk_view(desk, id).rings, rings + 1);
            return updates;
        }
    }
    fail_msg("the view does not grow again");
    return 0;
}

static void a_view_that_shrinks_grows_again_later_each_time(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 2);
    Host *host = desk->host;
    assert_false(trn_stream_views_shrink(&desk->views, 480));
    TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 6, 3);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    desk_settle(desk);
    const uint32_t waits[] = {60, 120, 240, 300, 300};
    for (uint32_t i = 0; i < 5; i++) {
        host_reset(host);
        assert_true(trn_stream_views_shrink(&desk->views, 300));
        desk_check_exact(desk); // also what only hysteresis kept has left
        assert_true(host->shrank == 1 && host->event_ring == 5);
        assert_true(desk_view(desk, id).is_shrunk && desk_view(desk, id).rings == 5);
        assert_true(trn_stream_views_are_idle(&desk->views));
        host_reset(host);
        assert_int_equal(updates_until_growth(desk, id), waits[i]);
        assert_true(host->asked_cautious && host->grew == 1);
        assert_false(desk_view(desk, id).is_shrunk);
    }
    // Several rings come back one at a time.
    trn_stream_views_shrink(&desk->views, 100);
    trn_stream_views_shrink(&desk->views, 100);
    trn_stream_views_shrink(&desk->views, 100);
    assert_int_equal(updates_until_growth(desk, id), 100);
    assert_true(desk_view(desk, id).is_shrunk);
    assert_int_equal(updates_until_growth(desk, id), 60);
    assert_int_equal(updates_until_growth(desk, id), 60);
    assert_false(desk_view(desk, id).is_shrunk);
    // After it has moved as far as it reaches, it tries at once.
    trn_stream_views_shrink(&desk->views, 300);
    for (uint32_t i = 0; desk_view(desk, id).rings < 6; i++) {
        assert_true(i <= 5);
        anchor.position.chunk.x++;
        desk_set(desk, id, &anchor);
        desk_update(desk);
        assert_true(i >= 4 || desk_view(desk, id).rings == 5);
    }
    trn_stream_views_shrink(&desk->views, 300); // and the backoff is short again
    assert_int_equal(updates_until_growth(desk, id), 60);
    // Down to its first ring.
    for (uint32_t rings = 6; rings; rings--) {
        assert_true(trn_stream_views_shrink(&desk->views, 300));
        desk_check_exact(desk);
    }
    assert_false(trn_stream_views_shrink(&desk->views, 300));
    assert_true(desk_view(desk, id).is_started && desk_view(desk, id).is_shrunk);
    TrnStreamStats stats = {0};
    trn_stream_views_count(&desk->views, &stats);
    assert_true(stats.shrinks == 5 + 3 + 1 + 1 + 6 && stats.shrunk_views == 1);
    desk_remove_last(desk, id);
    desk_end(desk);
}

/// A view that lost rings counts as shrunk until it has them again, whatever fails meanwhile.
static void a_shrunk_view_stays_shrunk_if_allocations_fail(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 2);
    Host *host = desk->host;
    const TrnStreamAnchor anchor = desk_anchor(desk, 32, 32, 32, 4, 4);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    desk_settle(desk);
    trn_stream_views_shrink(&desk->views, 1);
    trn_stream_views_shrink(&desk->views, 1);
    host->fail_at = host->calls + 3;
    assert_int_equal(desk_update(desk), TRN_RESULT_NO_MEMORY);
    assert_true(desk_view(desk, id).is_shrunk && desk_view(desk, id).rings == 2);
    assert_true(updates_until_growth(desk, id) >= 4); // one ring
    assert_true(desk_view(desk, id).is_shrunk && host->asked_cautious);
    updates_until_growth(desk, id);
    assert_false(desk_view(desk, id).is_shrunk);
    desk_remove_last(desk, id);
    desk_end(desk);
}

static void the_largest_view_shrinks(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 1);
    const TrnStreamAnchor small = desk_anchor(desk, 20, 32, 32, 3, 3);
    const TrnStreamAnchor large = desk_anchor(desk, 40, 32, 32, 6, 2);
    const TrnStreamAnchorId first = desk_add(desk, &small), second = desk_add(desk, &large);
    desk_settle(desk);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(trn_stream_views_shrink(&desk->views, 300));
        desk_check(desk);
    }
    assert_int_equal(desk_view(desk, first).rings + desk_view(desk, second).rings, 5);
    desk_check_exact(desk);
    assert_int_equal(trn_stream_views_remove(&desk->views, second), TRN_RESULT_OK);
    uint32_t rings = 0; // a dissolving view does not shrink for memory
    while (trn_stream_views_shrink(&desk->views, 300)) {
        rings++;
    }
    assert_true(rings >= 2 && desk_view(desk, first).rings == 0);
    desk_settle(desk);
    desk_end(desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wants_that_fail_leave_no_holes),
        cmocka_unit_test(a_ring_that_fails_is_tried_again),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(moves_without_memory_lose_nothing),
        cmocka_unit_test(what_does_not_fit_is_asked_again_later),
        cmocka_unit_test(a_view_that_shrinks_grows_again_later_each_time),
        cmocka_unit_test(a_shrunk_view_stays_shrunk_if_allocations_fail),
        cmocka_unit_test(the_largest_view_shrinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// Many views: what a tree of them answers is what asking each of them answers, bit for bit.

#include "views_desk.h"

#define CROWD 120u

/// How the nearest anchor sees a chunk, by asking all in the order in which they were added.
static TrnStreamRank rank_of_all(const TrnStreamViews *views, TrnCoord coord)
{
    TrnStreamRank nearest = {INFINITY, false};
    for (uint32_t i = 0; i < views->all.count; i++) {
        const TrnStreamViewSlot *view = views->all.items[i].view;
        if (view->life != TRN_STREAM_VIEW_DISSOLVING) {
            const TrnStreamRank rank = trn_stream_sight_rank(&view->sight, coord);
            nearest = rank.distance < nearest.distance ? rank : nearest;
        }
    }
    return nearest;
}

static bool any_of_all(const TrnStreamViews *views, TrnCoord coord, TrnStreamViewShape which,
                       bool anchors_only)
{
    for (uint32_t i = 0; i < views->all.count; i++) {
        const TrnStreamViewSlot *view = views->all.items[i].view;
        if ((!anchors_only || view->life != TRN_STREAM_VIEW_DISSOLVING) &&
            trn_stream_shape_has(&view->shapes[which], coord)) {
            return true;
        }
    }
    return false;
}

static void check_chunk(const Desk *desk, TrnCoord coord)
{
    const TrnStreamViews *views = &desk->views;
    const TrnStreamRank rank = trn_stream_views_rank(views, coord);
    const TrnStreamRank expected = rank_of_all(views, coord);
    assert_memory_equal(&rank.distance, &expected.distance, sizeof rank.distance);
    assert_int_equal(rank.is_visible, expected.is_visible);
    for (int which = 0; which < TRN_STREAM_SHAPE_COUNT; which++) {
        for (int anchors_only = 0; anchors_only < 2; anchors_only++) {
            assert_int_equal(
                trn_stream_view_any_has(views, coord, (TrnStreamViewShape)which, anchors_only),
                any_of_all(views, coord, (TrnStreamViewShape)which, anchors_only));
        }
    }
}

static void check_chunks(const Desk *desk, TestRandom *random)
{
    const TrnCoord base = desk->host->base;
    for (uint32_t i = 0; i < 40; i++) {
        check_chunk(desk, (TrnCoord){base.x + (int32_t)test_random_range(random, 0, EDGE - 1),
                                     base.y + (int32_t)test_random_range(random, 0, EDGE - 1),
                                     base.z + (int32_t)test_random_range(random, 0, EDGE - 1)});
    }
    for (uint32_t i = 0; i < 8; i++) { // anywhere in the world
        check_chunk(desk, (TrnCoord){(int32_t)test_random_range(random, INT32_MIN, INT32_MAX),
                                     (int32_t)test_random_range(random, INT32_MIN, INT32_MAX),
                                     (int32_t)test_random_range(random, INT32_MIN, INT32_MAX)});
    }
}

/// Some stand in the same spot, and look the same way or another.
static TrnStreamAnchor random_anchor(const Desk *desk, TestRandom *random)
{
    const bool is_together = test_random_range(random, 0, 2) == 0;
    const int32_t low = is_together ? 30 : 10, high = is_together ? 31 : 53;
    TrnStreamAnchor anchor = desk_anchor(desk, (int32_t)test_random_range(random, low, high),
                                         (int32_t)test_random_range(random, low, high),
                                         (int32_t)test_random_range(random, low, high),
                                         (uint32_t)test_random_range(random, 0, 4),
                                         (uint32_t)test_random_range(random, 0, 4));
    for (int axis = 0; axis < 3; axis++) {
        if (!is_together) {
            anchor.position.offset[axis] = (double)test_random_range(random, 0, 3199) / 100;
            anchor.velocity[axis] = (double)test_random_range(random, -60, 60);
        }
        anchor.view[axis] = (double)test_random_range(random, -1, 1);
    }
    return anchor;
}

/// A step, a jump, or a turn in place.
static TrnStreamAnchor moved_anchor(const Desk *desk, TestRandom *random, TrnStreamAnchor anchor)
{
    const TrnCoord base = desk->host->base;
    const int64_t way = test_random_range(random, 0, 9);
    if (way == 0) {
        return random_anchor(desk, random);
    }
    if (way < 7) {
        const int32_t x = anchor.position.chunk.x - base.x;
        anchor.position.chunk.x += x < 12 ? 1 : x > 50 ? -1 : (int32_t)(way % 3) - 1;
    }
    anchor.view[way % 3] = (double)test_random_range(random, -1, 1);
    return anchor;
}

static void a_tree_of_views_answers_as_all_of_them(int32_t base)
{
    TestRandom random = test_random_seeded((uint64_t)(base + INT64_C(1)));
    Desk *desk = desk_begin(base, 1);
    TrnStreamAnchorId ids[CROWD];
    TrnStreamAnchor anchors[CROWD];
    uint32_t count = 0;
    for (uint32_t round = 0; round < 400; round++) {
        const uint32_t wanted = round < 200 ? round : 400 - round; // they come, then go
        while (count < wanted && count < CROWD) {
            anchors[count] = random_anchor(desk, &random);
            ids[count] = desk_add(desk, &anchors[count]);
            count++;
        }
        while (count > wanted) {
            const uint32_t at = (uint32_t)test_random_range(&random, 0, count - 1);
            assert_int_equal(trn_stream_views_remove(&desk->views, ids[at]), TRN_RESULT_OK);
            ids[at] = ids[--count];
            anchors[at] = anchors[count];
        }
        for (uint32_t i = 0; i < count; i++) {
            if (test_random_range(&random, 0, 3) == 0 || round % 16 == 0) {
                anchors[i] = moved_anchor(desk, &random, anchors[i]);
                desk_set(desk, ids[i], &anchors[i]);
            }
        }
        check_chunks(desk, &random);
        trn_stream_views_update(&desk->views, ++desk->update, true);
        check_chunks(desk, &random);
    }
    desk_end(desk);
}

static void trees_answer_as_all_views_anywhere(void **state)
{
    (void)state;
    a_tree_of_views_answers_as_all_of_them(-30);
    a_tree_of_views_answers_as_all_of_them(INT32_MIN);
    a_tree_of_views_answers_as_all_of_them(INT32_MAX - EDGE + 1);
}

/// Each allocation of growing views fails once: the anchor is refused, the others stay.
static void anchors_refused_for_memory_change_nothing(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(5);
    Desk *desk = desk_begin(-30, 1);
    uint32_t refused = 0;
    for (uint32_t count = 0; count < CROWD; count++) {
        const TrnStreamAnchor anchor = random_anchor(desk, &random);
        TrnStreamAnchorId id;
        for (uint32_t fail_at = 1;; fail_at++) {
            test_fail(&desk->state, fail_at, 0);
            const TrnResult result = trn_stream_views_add(&desk->views, &anchor, &id);
            test_fail(&desk->state, 0, 0);
            if (result == TRN_RESULT_OK) {
                break;
            }
            assert_int_equal(result, TRN_RESULT_NO_MEMORY);
            assert_int_equal(desk->views.all.count, count);
            check_chunks(desk, &random);
            refused++;
        }
        trn_stream_views_update(&desk->views, ++desk->update, true);
        check_chunks(desk, &random);
    }
    assert_true(refused > 10);
    desk_end(desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_answer_as_all_views_anywhere),
        cmocka_unit_test(anchors_refused_for_memory_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The order that views give to the queue, without a stream.

#include "views_desk.h"

// ---- the order of the queue --------------------------------------------------------------------

/// Distance of a point to a segment, by halving the segment.
static double path_distance(const double from[3], const double ahead[3], const double to[3])
{
    double low = 0, high = 1;
    double distances[2] = {0, 0};
    for (uint32_t i = 0; i < 200; i++) {
        const double parts[2] = {low + (high - low) / 3, high - (high - low) / 3};
        for (int end = 0; end < 2; end++) {
            double squares = 0;
            for (int axis = 0; axis < 3; axis++) {
                const double off = to[axis] - from[axis] - parts[end] * ahead[axis];
                squares += off * off;
            }
            distances[end] = sqrt(squares);
        }
        *(distances[0] < distances[1] ? &high : &low) = parts[distances[0] < distances[1]];
    }
    return distances[0];
}

typedef struct Seen {
    double distance;
    bool is_visible, is_certain;
} Seen;

/// How an anchor sees the centre of a chunk: from stream_views.h.
static Seen model_rank(const TrnStreamAnchor *anchor, TrnCoord coord)
{
    const double reach = (anchor->radius_chunks > anchor->height_chunks ? anchor->radius_chunks
                                                                        : anchor->height_chunks) /
                         2.0;
    const TrnCoord chunk = anchor->position.chunk;
    const double to[3] = {(double)coord.x - chunk.x + 0.5, (double)coord.y - chunk.y + 0.5,
                          (double)coord.z - chunk.z + 0.5};
    double from[3], ahead[3], dot = 0, view = 0, squares = 0;
    for (int axis = 0; axis < 3; axis++) {
        from[axis] = anchor->position.offset[axis] / 32;
        const double second = anchor->velocity[axis] / 32;
        ahead[axis] = second > reach ? reach : second < -reach ? -reach : second;
        dot += (to[axis] - from[axis]) * anchor->view[axis];
        view += anchor->view[axis] * anchor->view[axis];
        squares += (to[axis] - from[axis]) * (to[axis] - from[axis]);
    }
    Seen seen = {.distance = path_distance(from, ahead, to), .is_certain = true};
    if (view == 0) {
        seen.is_visible = true;
        return seen;
    }
    const double cosine = squares > 0 ? dot / sqrt(view * squares) : 1;
    seen.is_visible = cosine >= 0.5 || seen.distance <= 1.5;
    seen.is_certain = fabs(cosine - 0.5) > 1e-9 && fabs(seen.distance - 1.5) > 1e-6;
    return seen;
}

static TrnStreamAnchor random_sight(const Desk *desk, TestRandom *random)
{
    TrnStreamAnchor anchor = desk_anchor(
        desk, (int32_t)test_random_range(random, 12, 50),
        (int32_t)test_random_range(random, 12, 50), (int32_t)test_random_range(random, 12, 50),
        (uint32_t)test_random_range(random, 0, 4), (uint32_t)test_random_range(random, 0, 4));
    const int64_t speed = test_random_range(random, 0, 2) * 60;
    const int64_t looks = test_random_range(random, 0, 3) * 7;
    for (int axis = 0; axis < 3; axis++) {
        anchor.position.offset[axis] = (double)test_random_range(random, 0, 3199) / 100;
        anchor.velocity[axis] = (double)test_random_range(random, -speed, speed);
        anchor.view[axis] = (double)test_random_range(random, -looks, looks);
    }
    return anchor;
}

static void ranks_are_distances_to_paths(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(13);
    Desk *desk = desk_begin(-30, 1);
    const TrnCoord origin = {0, 0, 0};
    assert_true(isinf(trn_stream_views_rank(&desk->views, origin).distance));
    assert_false(trn_stream_views_rank(&desk->views, origin).is_visible);
    assert_true(isinf(trn_stream_views_distance(&desk->views, origin)));
    TrnStreamAnchor anchors[3];
    TrnStreamAnchorId ids[3];
    for (uint32_t i = 0; i < 3; i++) {
        anchors[i] = random_sight(desk, &random);
        ids[i] = desk_add(desk, &anchors[i]);
    }
    uint32_t visible = 0, hidden = 0;
    for (uint32_t round = 0; round < 200; round++) {
        anchors[round % 3] = random_sight(desk, &random);
        desk_set(desk, ids[round % 3], &anchors[round % 3]);
        trn_stream_views_update(&desk->views, ++desk->update, true);
        for (uint32_t i = 0; i < 30; i++) {
            const TrnCoord coord = {(int32_t)test_random_range(&random, -30, 33),
                                    (int32_t)test_random_range(&random, -30, 33),
                                    (int32_t)test_random_range(&random, -30, 33)};
            Seen nearest = {.distance = INFINITY};
            double straight = INFINITY;
            bool is_tied = false;
            for (uint32_t a = 0; a < 3; a++) {
                const Seen seen = model_rank(&anchors[a], coord);
                is_tied |= fabs(seen.distance - nearest.distance) < 1e-6;
                nearest = seen.distance < nearest.distance ? seen : nearest;
                const TrnCoord at = anchors[a].position.chunk;
                straight = fmin(straight, sqrt(pow(coord.x - at.x, 2) + pow(coord.y - at.y, 2) +
                                               pow(coord.z - at.z, 2)));
            }
            const TrnStreamRank rank = trn_stream_views_rank(&desk->views, coord);
            assert_true(fabs(rank.distance - nearest.distance) < 1e-6);
            assert_true(fabs(trn_stream_views_distance(&desk->views, coord) - straight) < 1e-9);
            if (nearest.is_certain && !is_tied) {
                assert_int_equal(rank.is_visible, nearest.is_visible);
                visible += rank.is_visible;
                hidden += !rank.is_visible;
            }
        }
    }
    assert_true(visible > 500 && hidden > 500);
    for (uint32_t i = 0; i < 3; i++) { // dissolving views see nothing
        assert_int_equal(trn_stream_views_remove(&desk->views, ids[i]), TRN_RESULT_OK);
    }
    assert_true(isinf(trn_stream_views_rank(&desk->views, origin).distance));
    assert_true(isinf(trn_stream_views_distance(&desk->views, origin)));
    desk_end(desk);
}

/// Sets an anchor, updates, and returns how far the queue must be sorted.
static double sorted_after(Desk *desk, TrnStreamAnchorId id, const TrnStreamAnchor *anchor)
{
    desk_set(desk, id, anchor);
    trn_stream_views_update(&desk->views, ++desk->update, true);
    const double distance = trn_stream_views_take_unsorted(&desk->views);
    assert_true(trn_stream_views_take_unsorted(&desk->views) == 0); // taken
    return distance;
}

static void the_queue_is_sorted_after_turns_steps_and_jumps(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 1);
    TrnStreamAnchor anchor = desk_anchor(desk, 20, 30, 30, 4, 4);
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    assert_true(isinf(sorted_after(desk, id, &anchor))); // a new anchor
    assert_true(sorted_after(desk, id, &anchor) == 0);
    anchor.position.offset[0] = 3;
    assert_true(sorted_after(desk, id, &anchor) == 0); // in the same chunk
    anchor.view[2] = 100;
    assert_true(isinf(sorted_after(desk, id, &anchor))); // from all around to a direction
    double angle = 0;
    for (uint32_t i = 0; i < 4; i++) { // small turns add up
        assert_true(sorted_after(desk, id, &anchor) == 0);
        angle += 2.4;
        anchor.view[2] = cos(angle * 3.14159265358979 / 180);
        anchor.view[0] = sin(angle * 3.14159265358979 / 180);
    }
    assert_true(sorted_after(desk, id, &anchor) == 0);
    anchor.view[0] += 0.05;
    assert_true(isinf(sorted_after(desk, id, &anchor)));
    anchor.view[0] = anchor.view[2] = 0;
    assert_true(isinf(sorted_after(desk, id, &anchor)));
    anchor.velocity[1] = 15; // less than half a chunk a second
    assert_true(sorted_after(desk, id, &anchor) == 0);
    anchor.velocity[1] = 17;
    assert_true(isinf(sorted_after(desk, id, &anchor)));
    anchor.velocity[1] = 33;
    assert_true(sorted_after(desk, id, &anchor) == 0);
    uint32_t all = 0;
    for (uint32_t i = 0; i < 16; i++) { // steps: what is near each time, all now and then
        anchor.position.chunk.x += i % 2 ? 2 : 1;
        anchor.position.chunk.z += i % 3 ? -1 : 1;
        const double distance = sorted_after(desk, id, &anchor);
        assert_true(distance >= 8);
        all += isinf(distance) != 0;
    }
    assert_int_equal(all, 4);
    anchor.position.chunk.x -= 5;
    assert_true(isinf(sorted_after(desk, id, &anchor)));
    desk_end(desk);
}

/// What is queued for other anchors may be near a new one, also at the world's origin, and is not
/// near one that is removed.
static void anchors_that_come_and_go_sort_the_queue(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 1);
    const TrnStreamAnchor still = desk_anchor(desk, 20, 30, 30, 4, 4);
    const TrnStreamAnchorId other = desk_add(desk, &still);
    assert_true(isinf(sorted_after(desk, other, &still)));
    for (int32_t x = 28; x < 33; x++) {
        const TrnStreamAnchor anchor = desk_anchor(desk, x, 30, 30, 4, 4);
        const TrnStreamAnchorId id = desk_add(desk, &anchor);
        assert_true(isinf(sorted_after(desk, id, &anchor)));
        assert_true(sorted_after(desk, id, &anchor) == 0);
        trn_stream_views_remove(&desk->views, id);
        assert_true(isinf(sorted_after(desk, other, &still)));
    }
    desk_end(desk);
}

/// How much nearer a chunk ahead counts than one behind, for an anchor without a velocity.
static double lead(const Desk *desk, TrnCoord at)
{
    const TrnCoord ahead = trn_coord_add(at, 3, 0, 0), behind = trn_coord_add(at, -3, 0, 0);
    return trn_stream_views_rank(&desk->views, behind).distance -
           trn_stream_views_rank(&desk->views, ahead).distance;
}

static void anchors_without_velocity_look_where_they_go(void **state)
{
    (void)state;
    Desk *desk = desk_begin(-30, 1);
    TrnStreamAnchor anchor = desk_anchor(desk, 20, 30, 30, 4, 4);
    anchor.position.offset[0] = 16;
    const TrnStreamAnchorId id = desk_add(desk, &anchor);
    desk_update(desk);
    assert_true(fabs(lead(desk, anchor.position.chunk)) < 1e-9);
    for (uint32_t i = 0; i < 20; i++) { // 60 voxels a second, every other update
        anchor.position.offset[0] += i % 2 ? 1.5 : 0;
        assert_int_equal(trn_stream_views_set(&desk->views, id, &anchor), TRN_RESULT_OK);
        desk_update(desk);
        assert_true(i < 3 || lead(desk, anchor.position.chunk) > 1);
    }
    for (uint32_t i = 0; i < 31; i++) { // it stops
        desk_update(desk);
    }
    assert_true(fabs(lead(desk, anchor.position.chunk)) < 2);
    assert_true(!trn_stream_views_have_work(&desk->views) || desk_settle(desk) < 10);
    for (uint32_t i = 0; i < 2; i++) { // a jump is no motion, nor is one move alone
        anchor.position.chunk.x += i ? 0 : 7;
        anchor.position.offset[0] = i ? 10 : 16;
        assert_int_equal(trn_stream_views_set(&desk->views, id, &anchor), TRN_RESULT_OK);
        desk_update(desk);
        assert_true(fabs(lead(desk, anchor.position.chunk)) < 0.5);
    }
    desk_settle(desk);
    desk_end(desk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_distances_to_paths),
        cmocka_unit_test(the_queue_is_sorted_after_turns_steps_and_jumps),
        cmocka_unit_test(anchors_that_come_and_go_sort_the_queue),
        cmocka_unit_test(anchors_without_velocity_look_where_they_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

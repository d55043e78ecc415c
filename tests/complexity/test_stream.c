// Work of a stream's updates when anchors ask for much, move far or are many.

#include "work.h"

#include "stream/stream_game.h"

#include <math.h>

static Game *stream_of(uint32_t units)
{
    Game *game = malloc(sizeof *game);
    assert_non_null(game);
    TrnStreamDef def = game_def(game);
    def.budget = (TrnStreamBudget){.units = units};
    game_create(game, &def);
    return game;
}

static void stream_end(Game *game)
{
    game_end(game);
    free(game);
}

/// The first updates of a view of a radius.
static uint64_t work_of_radius(uint32_t radius)
{
    Game *game = stream_of(64);
    game_add(game, game_anchor((TrnCoord){0, 0, 0}, radius, radius));
    const uint64_t start = work_start();
    for (int i = 0; i < 20; i++) {
        (void)game_update(game);
    }
    const uint64_t work = work_since(start);
    stream_end(game);
    return work;
}

static void updates_take_the_work_of_their_budget_whatever_the_radius(void **state)
{
    (void)state;
    assert_work_grows(work_of_radius, 64, 8, WORK_CONSTANT);
}

/// An anchor that is far from where it was in each update.
static uint64_t work_of_teleports(uint32_t count)
{
    Game *game = stream_of(64);
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 16, 16);
    const TrnStreamAnchorId id = game_add(game, anchor);
    const uint64_t start = work_start();
    for (uint32_t i = 0; i < count; i++) {
        anchor.position.chunk.x = (int32_t)((i + 1) * UINT32_C(0x9E3779B1));
        assert_int_equal(trn_stream_anchor_set(game->stream, id, &anchor), TRN_RESULT_OK);
        (void)game_update(game);
    }
    const uint64_t work = work_since(start);
    stream_end(game);
    return work;
}

static void teleports_take_constant_work_each(void **state)
{
    (void)state;
    assert_work_grows(work_of_teleports, 25, 3, WORK_LINEAR);
}

/// `count` anchors, a distance apart in rows of 16; each moves back and forth.
static uint64_t work_of_anchors(uint32_t count, int32_t apart)
{
    enum { ANCHORS_MAX = 512 };
    TrnStreamAnchorId ids[ANCHORS_MAX];
    Game *game = stream_of(32 * count); // no queue builds up
    TrnStreamAnchor anchor = game_anchor((TrnCoord){0, 0, 0}, 2, 2);
    for (uint32_t i = 0; i < count; i++) {
        anchor.position.chunk = (TrnCoord){(int32_t)(i % 16) * apart, 0, (int32_t)(i / 16) * apart};
        ids[i] = game_add(game, anchor);
    }
    game_settle(game);
    const uint64_t start = work_start();
    for (int32_t step = 0; step < 8; step++) {
        for (uint32_t i = 0; i < count; i++) {
            anchor.position.chunk =
                (TrnCoord){(int32_t)(i % 16) * apart + step % 2, 0, (int32_t)(i / 16) * apart};
            assert_int_equal(trn_stream_anchor_set(game->stream, ids[i], &anchor), TRN_RESULT_OK);
        }
        (void)game_update(game);
    }
    const uint64_t work = work_since(start);
    stream_end(game);
    return work;
}

static uint64_t work_of_anchors_together(uint32_t count)
{
    return work_of_anchors(count, 0);
}

static uint64_t work_of_anchors_apart(uint32_t count)
{
    return work_of_anchors(count, 12);
}

/// A chunk is compared only with the views near it.
static void moving_anchors_take_linear_work(void **state)
{
    (void)state;
    // Not doubling by doubling: more pages than the scan of meshes lists are scanned all at once.
    const uint64_t few = work_of_anchors_apart(64), many = work_of_anchors_apart(512);
    assert_true(few > 0 && (double)many < 8 * WORK_CONSTANT * WORK_CONSTANT * (double)few);
    assert_work_grows(work_of_anchors_together, 32, 4, WORK_LINEAR);
}

static void anchors_that_are_nowhere_or_want_too_much_are_refused(void **state)
{
    (void)state;
    Game *game = stream_of(64);
    const TrnStreamAnchor good = game_anchor((TrnCoord){0, 0, 0}, 2, 2);
    const TrnStreamAnchorId id = game_add(game, good);
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e300};
    const uint64_t start = work_start();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        TrnStreamAnchor anchors[4] = {good, good, good, good};
        anchors[0].position.offset[1] = bad[i];
        anchors[1].velocity[2] = i < 3 ? bad[i] : NAN;
        anchors[2].view[0] = i < 3 ? bad[i] : NAN;
        anchors[3].radius_chunks = TRN_STREAM_RADIUS_MAX + 1 + (uint32_t)i;
        for (int k = 0; k < 4; k++) {
            assert_int_equal(trn_stream_anchor_set(game->stream, id, &anchors[k]),
                             TRN_RESULT_BAD_ARGUMENT);
        }
    }
    assert_true(work_since(start) < 2000);
    TrnStreamAnchor edge = good;
    edge.position.chunk = (TrnCoord){INT32_MAX, INT32_MIN, INT32_MAX};
    edge.velocity[0] = 1e300;
    edge.radius_chunks = edge.height_chunks = TRN_STREAM_RADIUS_MAX;
    assert_int_equal(trn_stream_anchor_set(game->stream, id, &edge), TRN_RESULT_OK);
    const uint64_t there = work_start();
    for (int i = 0; i < 20; i++) {
        (void)game_update(game);
    }
    assert_true(work_since(there) < 10 * work_of_radius(64));
    stream_end(game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(updates_take_the_work_of_their_budget_whatever_the_radius),
        cmocka_unit_test(teleports_take_constant_work_each),
        cmocka_unit_test(moving_anchors_take_linear_work),
        cmocka_unit_test(anchors_that_are_nowhere_or_want_too_much_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

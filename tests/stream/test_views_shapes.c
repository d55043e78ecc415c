// Shapes of views and their differences, against the formula.

#include "views_desk.h"

// ---- shapes ------------------------------------------------------------------------------------

typedef struct Rows {
    Desk *desk;
    uint64_t chunks, rows, rows_max;
} Rows;

static bool rows_take(void *context, TrnCoord first, int32_t last)
{
    Rows *rows = context;
    for (int64_t x = first.x; x <= last; x++) {
        uint8_t *cell =
            &rows->desk
                 ->past[host_cell(rows->desk->host, (TrnCoord){(int32_t)x, first.y, first.z})];
        assert_int_equal(*cell, 0); // each chunk once
        *cell = 1;
        rows->chunks++;
    }
    return ++rows->rows != rows->rows_max;
}

static TrnStreamViewExtent shape_extent(const Desk *desk, TestRandom *random, int32_t low,
                                        int32_t high)
{
    const TrnCoord base = desk->host->base;
    TrnStreamViewExtent extent = {
        .centre = {base.x + (int32_t)test_random_range(random, low, high),
                   base.y + (int32_t)test_random_range(random, low, high),
                   base.z + (int32_t)test_random_range(random, low, high)},
        .radius = (uint32_t)test_random_range(random, 0, 12),
        .height = (uint32_t)test_random_range(random, 0, 12)};
    const uint32_t rings = extent.radius > extent.height ? extent.radius : extent.height;
    extent.ring = test_random_range(random, -1, rings);
    return extent;
}

static TrnStreamShape shape_of(const Desk *desk, const TrnStreamViewExtent *extent, int which)
{
    const bool keeps = which == TRN_STREAM_SHAPE_KEEP || which == TRN_STREAM_SHAPE_KEEP_SHOW;
    return trn_stream_shape(extent->centre, extent->radius, extent->height, extent->ring,
                            keeps ? desk->views.hysteresis : 0,
                            which == TRN_STREAM_SHAPE_LOAD || which == TRN_STREAM_SHAPE_KEEP);
}

/// Checks the difference of two shapes chunk by chunk.
static void check_difference(Desk *desk, const TrnStreamShape *a, const uint8_t *in_a,
                             const TrnStreamShape *b, const uint8_t *in_b, int bit)
{
    memset(desk->past, 0, CELLS);
    Rows rows = {.desk = desk};
    assert_true(trn_stream_shape_minus(a, b, rows_take, &rows));
    uint64_t count = 0;
    for (size_t i = 0; i < CELLS; i++) {
        const bool is_in_a = in_a[i] >> bit & 1, is_in_b = in_b[i] >> bit & 1;
        assert_int_equal(desk->past[i], is_in_a && !is_in_b);
        count += is_in_a;
        if (is_in_a || is_in_b) {
            assert_int_equal(trn_stream_shape_has(a, host_coord(desk->host, i)), is_in_a);
        }
    }
    assert_int_equal(trn_stream_shape_count(a), count);
    if (rows.rows > 1) { // stops where the callback says so
        memset(desk->past, 0, CELLS);
        Rows some = {.desk = desk, .rows_max = rows.rows - 1};
        assert_false(trn_stream_shape_minus(a, b, rows_take, &some));
        assert_int_equal(some.rows, rows.rows - 1);
    }
}

static void shapes_and_differences_match_the_formula(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(11);
    const int32_t bases[] = {-20, INT32_MIN, INT32_MAX - EDGE + 1};
    for (uint32_t round = 0; round < 60; round++) {
        Desk *desk = desk_begin(bases[round % 3], round / 3 % 4);
        uint8_t *other = calloc(CELLS, 1);
        assert_non_null(other);
        const int32_t low = bases[round % 3] == INT32_MIN ? 0 : 17;
        const int32_t high = bases[round % 3] > 0 ? EDGE - 1 : EDGE - 18;
        const TrnStreamViewExtent a = shape_extent(desk, &random, low, high);
        const TrnStreamViewExtent b = shape_extent(desk, &random, low, high);
        model_mark(desk, desk->model, &a, true);
        model_mark(desk, other, &b, true);
        for (int which = 0; which < TRN_STREAM_SHAPE_COUNT; which++) {
            const TrnStreamShape its = shape_of(desk, &a, which),
                                 others = shape_of(desk, &b, which);
            check_difference(desk, &its, desk->model, &others, other, which);
        }
        free(other);
        desk_end(desk);
    }
}

/// Reaching an end may be reported one chunk early, never late.
static void shapes_know_the_ends_of_the_world(void **state)
{
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int side = 0; side < 2; side++) {
            for (int32_t from_end = 0; from_end < 12; from_end++) {
                int32_t at[3] = {0, 0, 0};
                at[axis] = side ? INT32_MAX - from_end : INT32_MIN + from_end;
                const TrnStreamShape shape =
                    trn_stream_shape((TrnCoord){at[0], at[1], at[2]}, 4, 4, 4, 2, true);
                const bool touches = trn_stream_shape_touches_end(&shape);
                assert_true(touches || from_end > 7);
                assert_true(!touches || from_end <= 8);
            }
        }
    }
    const TrnStreamShape empty = trn_stream_shape((TrnCoord){INT32_MAX, 0, 0}, 4, 4, -1, 2, true);
    assert_false(trn_stream_shape_touches_end(&empty));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_and_differences_match_the_formula),
        cmocka_unit_test(shapes_know_the_ends_of_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "testing.h"

#include <math.h>

#include <series/series.h>

static SeriesFrame frame_with(Series series, double value)
{
    SeriesFrame frame = series_frame();
    frame.values[series] = value;
    return frame;
}

static void what_is_older_than_the_time_kept_is_gone(void **state)
{
    (void)state;
    SeriesRing ring;
    assert_true(series_ring_create(&ring, 10));
    for (int i = 0; i <= 30; i++) { // one a second
        const SeriesFrame frame = frame_with(SERIES_CULL, i);
        series_ring_add(&ring, i, &frame);
    }
    const SeriesRingSummary of = series_ring_summary(&ring, SERIES_CULL);
    assert_int_equal(of.count, 11); // 20..30
    assert_true(of.last == 30 && of.max == 30 && of.p50 == 25 && of.p99 == 30);
    assert_int_equal(series_ring_summary(&ring, SERIES_FRAME).count, 0);
    series_ring_free(&ring);
}

/// However long the parts of a frame that are measured take.
static void the_rate_counts_frames_that_were_added(void **state)
{
    (void)state;
    SeriesRing ring;
    assert_true(series_ring_create(&ring, 10));
    const SeriesFrame frame = frame_with(SERIES_FRAME, 5);
    assert_true(series_ring_rate(&ring) == 0);
    series_ring_add(&ring, 3, &frame);
    assert_true(series_ring_rate(&ring) == 0);
    series_ring_add(&ring, 3, &frame);
    assert_true(series_ring_rate(&ring) == 0);
    for (int i = 1; i <= 200; i++) {
        series_ring_add(&ring, 3 + i / 8.0, &frame);
    }
    assert_true(series_ring_rate(&ring) == 8);
    series_ring_free(&ring);
}

static void a_ring_that_is_full_keeps_the_newest(void **state)
{
    (void)state;
    SeriesRing ring;
    assert_true(series_ring_create(&ring, 1e9));
    const int frames = (int)SERIES_RING_FRAMES * 2 + 77;
    for (int i = 0; i < frames; i++) {
        const SeriesFrame frame = frame_with(SERIES_QUADS, i);
        series_ring_add(&ring, i, &frame);
    }
    const SeriesRingSummary of = series_ring_summary(&ring, SERIES_QUADS);
    assert_int_equal(of.count, SERIES_RING_FRAMES);
    assert_true(of.last == frames - 1 && of.max == frames - 1);
    const int half = (int)SERIES_RING_FRAMES / 2;
    assert_true(of.p50 == frames - half - 1);
    series_ring_free(&ring);
}

/// Compared with all frames, each put into its column by a loop.
static void columns_hold_the_least_and_the_most_of_their_time(void **state)
{
    (void)state;
    enum { COLUMNS = 37, FRAMES = 900 };
    TestRandom random = test_random_seeded(22);
    SeriesRing ring;
    assert_true(series_ring_create(&ring, 10));
    double at[FRAMES], value[FRAMES], now = 100;
    for (int i = 0; i < FRAMES; i++) {
        now += (double)test_random_range(&random, 1, 40) * 1e-3;
        at[i] = now;
        // Some values are not measured.
        value[i] = test_random_range(&random, 0, 9) ? (double)test_random_range(&random, 0, 999)
                                                    : (double)NAN;
        const SeriesFrame frame = frame_with(SERIES_FRAME, value[i]);
        series_ring_add(&ring, now, &frame);
    }
    float low[COLUMNS], high[COLUMNS];
    series_ring_columns(&ring, SERIES_FRAME, now, COLUMNS, low, high);
    const double each = 10.0 / COLUMNS, end = floor(now / each) + 1;
    for (int c = 0; c < COLUMNS; c++) {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < FRAMES; i++) {
            const double column = floor(at[i] / each) - (end - COLUMNS);
            if (column == c && now - at[i] <= 10 && !isnan(value[i])) {
                least = fmin(least, value[i]);
                most = fmax(most, value[i]);
            }
        }
        assert_true(isinf(least) ? isnan(low[c]) && isnan(high[c])
                                 : (double)low[c] == least && (double)high[c] == most);
    }
    series_ring_free(&ring);
}

static void a_graph_moves_on_by_whole_columns(void **state)
{
    (void)state;
    enum { COLUMNS = 10 };
    SeriesRing ring;
    assert_true(series_ring_create(&ring, 10));
    const SeriesFrame frame = frame_with(SERIES_FRAME, 5);
    series_ring_add(&ring, 100.5, &frame);
    for (int step = 0; step < 100; step++) {
        float low[COLUMNS], high[COLUMNS];
        const double now = 100.5 + step * 0.1;
        series_ring_columns(&ring, SERIES_FRAME, now, COLUMNS, low, high);
        const int there = COLUMNS - 1 - (int)(floor(now + 1e-9) - 100);
        for (int c = 0; c < COLUMNS && fabs(now - round(now)) > 1e-6; c++) {
            assert_int_equal(!isnan(high[c]), c == there);
        }
    }
    series_ring_free(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_older_than_the_time_kept_is_gone),
        cmocka_unit_test(the_rate_counts_frames_that_were_added),
        cmocka_unit_test(a_ring_that_is_full_keeps_the_newest),
        cmocka_unit_test(columns_hold_the_least_and_the_most_of_their_time),
        cmocka_unit_test(a_graph_moves_on_by_whole_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// The histogram of times: percentiles against a sorted array.

#include <math.h>

#include "stream/stream_schedule.h"
#include "testing.h"

#define TIMES 5000

static int times_compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/// Checks that a percentile is the time at a place of the sorted ones, or up to 6.25 % more, since
/// times that are close share a counter.
static void check_percentile(const double *sorted, size_t count, double part, double us)
{
    const double exact = sorted[(size_t)ceil(part * (double)count) - 1];
    const double ns = floor(exact * 1e3); // counters hold whole nanoseconds
    assert_true(us * 1e3 >= ns - 1e-6 * ns);
    assert_true(us * 1e3 <= ns * 1.0625 + 1);
    assert_true(us <= sorted[count - 1]);
}

static void percentiles_are_at_most_a_sixteenth_too_large(void **state)
{
    (void)state;
    TestRandom random = test_random_seeded(31);
    static double sorted[TIMES];
    const double orders[] = {0.01, 1, 1e3, 1e6}; // of the largest time in microseconds
    for (size_t order = 0; order < sizeof orders / sizeof *orders; order++) {
        static TrnStreamHistogram times;
        times = (TrnStreamHistogram){0};
        double sum = 0;
        for (size_t i = 0; i < TIMES; i++) {
            const double part = (double)test_random_range(&random, 0, 1000000) * 1e-6;
            sorted[i] = orders[order] * part * part * part; // most are small
            sum += sorted[i];
            trn_stream_times_add(&times, sorted[i]);
        }
        qsort(sorted, TIMES, sizeof *sorted, times_compare);
        const TrnStreamTimes out = trn_stream_times_of(&times);
        assert_int_equal(out.count, TIMES);
        assert_true(out.max == sorted[TIMES - 1]);
        assert_true(fabs(out.mean - sum / TIMES) <= sum * 1e-9);
        check_percentile(sorted, TIMES, 0.5, out.p50);
        check_percentile(sorted, TIMES, 0.99, out.p99);
        check_percentile(sorted, TIMES, 0.999, out.p999);
    }
}

static void times_out_of_range_count_as_none_or_as_the_longest(void **state)
{
    (void)state;
    static TrnStreamHistogram times;
    times = (TrnStreamHistogram){0};
    const TrnStreamTimes none = trn_stream_times_of(&times);
    assert_int_equal(none.count, 0);
    assert_true(none.p50 == 0 && none.p999 == 0 && none.mean == 0 && none.max == 0);
    trn_stream_times_add(&times, NAN);
    trn_stream_times_add(&times, -1);
    TrnStreamTimes out = trn_stream_times_of(&times);
    assert_int_equal(out.count, 2);
    assert_true(out.p999 == 0 && out.mean == 0 && out.max == 0);
    trn_stream_times_add(&times, 1e12); // eleven days
    out = trn_stream_times_of(&times);
    assert_true(out.max == 1e12);
    assert_true(out.p50 == 0);
    assert_true(out.p99 > 3600e6 && out.p999 > 3600e6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_are_at_most_a_sixteenth_too_large),
        cmocka_unit_test(times_out_of_range_count_as_none_or_as_the_longest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

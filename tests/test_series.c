#include "testing.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "series.h"

static void every_series_has_a_name_of_its_own_fit_for_csv(void **state)
{
    (void)state;
    for (int i = 0; i < SERIES_COUNT; i++) {
        const SeriesInfo info = series_info((Series)i);
        assert_non_null(info.name);
        assert_true(strlen(info.text) > 0);
        for (const char *c = info.name; *c; c++) {
            assert_true(islower((unsigned char)*c) || *c == '_');
        }
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(info.name, series_info((Series)j).name);
        }
    }
}

static void a_time_ends_in_its_unit(void **state)
{
    (void)state;
    for (int i = 0; i < SERIES_COUNT; i++) {
        const SeriesInfo info = series_info((Series)i);
        if (info.is_time) {
            const size_t unit = strlen(info.unit), name = strlen(info.name);
            assert_true(unit == 2 && name > unit + 1);
            assert_string_equal(info.name + name - unit, info.unit);
        }
    }
}

static void a_summary_takes_the_nearest_rank_of_what_was_measured(void **state)
{
    (void)state;
    SeriesLog log = {0};
    for (int i = 2000; i > 0; i--) {
        SeriesFrame frame = series_frame();
        if (i <= 1000) {
            frame.values[SERIES_QUADS] = i;
        }
        assert_true(series_log_add(&log, &frame));
    }
    SeriesSummary summary;
    assert_true(series_log_summary(&log, SERIES_QUADS, &summary));
    assert_int_equal(summary.count, 1000);
    assert_true(summary.p50 == 500 && summary.p95 == 950 && summary.p99 == 990);
    assert_true(summary.p999 == 999 && summary.max == 1000);
    assert_true(series_log_summary(&log, SERIES_CULL, &summary));
    assert_true(summary.count == 0 && summary.max == 0);
    series_log_free(&log);
    assert_true(log.count == 0 && !log.frames);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_series_has_a_name_of_its_own_fit_for_csv),
        cmocka_unit_test(a_time_ends_in_its_unit),
        cmocka_unit_test(a_summary_takes_the_nearest_rank_of_what_was_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

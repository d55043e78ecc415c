#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "place.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include <unistd.h>

#include "series/series.h"
#include "whole_file.h"

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

static void csv_has_a_row_a_frame_and_nothing_where_nothing_was_measured(void **state)
{
    (void)state;
    Place place;
    char path[PLACE_PATH], text[4096];
    assert_true(place_begin(&place));
    place_path(&place, "a.csv", path);
    SeriesLog log = {0};
    for (int i = 0; i < 3; i++) {
        SeriesFrame frame = series_frame();
        frame.values[SERIES_FRAME] = 1.25 * i;
        frame.values[SERIES_QUADS] = 16777217;
        assert_true(series_log_add(&log, &frame));
    }
    WholeFile file;
    Message problem;
    assert_true(series_file_open(&file, path, &problem));
    assert_int_equal(access(path, F_OK), -1); // not before it is whole
    assert_true(series_file_finish(&file, &log, &problem));
    series_log_free(&log);
    FILE *read = fopen(path, "r");
    assert_non_null(read);
    text[fread(text, 1, sizeof text - 1, read)] = '\0';
    fclose(read);
    size_t rows = 0, commas = 0;
    for (const char *c = text; *c; c++) {
        rows += *c == '\n';
        commas += *c == ',';
    }
    assert_int_equal(rows, 4);
    assert_int_equal(commas, 4 * SERIES_COUNT);
    assert_int_equal(strncmp(text, "frame,frame_ms,", 15), 0);
    assert_non_null(strstr(text, "\n2,2.5000,,"));
    assert_non_null(strstr(text, ",16777217,"));
    assert_null(strstr(text, "nan"));
    unlink(path);
    assert_true(place_end(&place));
}

static void csv_that_cannot_be_written_is_told_with_its_path(void **state)
{
    (void)state;
    static const char *const paths[] = {"/tmp", "/tmp/no/such/a.csv", "/proc/a.csv"};
    Message problem;
    WholeFile file;
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_false(series_file_open(&file, paths[i], &problem));
        assert_non_null(strstr(problem.text, paths[i]));
    }
    SeriesLog log = {0};
    const SeriesFrame frame = series_frame();
    assert_true(series_log_add(&log, &frame));
    assert_true(series_file_open(&file, "/dev/full", &problem));
    assert_false(series_file_finish(&file, &log, &problem));
    assert_non_null(strstr(problem.text, "make room"));
    series_log_free(&log);
}

// ---- the verdict on gathers ---------------------------------------------------------------------

static void the_verdict_compares_with_the_fastest_map_asked_its_faster_way(void **state)
{
    (void)state;
    double medians[SERIES_COUNT] = {0};
    medians[SERIES_GATHERED] = 4181;
    medians[SERIES_GATHER_INDEX] = 4;
    medians[SERIES_GATHER_ARRAY] = 6;
    medians[SERIES_GATHER_FLAT_MAP] = 80;
    medians[SERIES_GATHER_FLAT_MAP_FILTERED] = 24;
    medians[SERIES_GATHER_MAP] = 500;
    medians[SERIES_GATHER_MAP_FILTERED] = 40;
    GatherVerdict verdict = gather_verdict(medians);
    assert_int_equal(verdict.best, SERIES_GATHER_FLAT_MAP_FILTERED);
    assert_int_equal(verdict.flat_map, SERIES_GATHER_FLAT_MAP_FILTERED);
    assert_int_equal(verdict.map, SERIES_GATHER_MAP_FILTERED);
    assert_true(verdict.by_best == 6 && verdict.by_map == 10 && verdict.by_array == 1.5);
    assert_false(verdict.is_small);
    assert_string_equal(gather_way_name(verdict.best), "boost flat map, filtered");

    medians[SERIES_GATHER_FLAT_MAP_FILTERED] = 81; // many chunks lie outside the box
    medians[SERIES_GATHER_MAP_FILTERED] = 501;
    verdict = gather_verdict(medians);
    assert_int_equal(verdict.best, SERIES_GATHER_FLAT_MAP);
    assert_int_equal(verdict.map, SERIES_GATHER_MAP);
    assert_true(verdict.by_best == 20 && verdict.by_map == 125);
}

static void without_boost_the_verdict_compares_with_the_standard_map(void **state)
{
    (void)state;
    double medians[SERIES_COUNT] = {0};
    assert_true(gather_verdict(medians).by_best == 0); // nothing was measured
    medians[SERIES_GATHERED] = 499;
    medians[SERIES_GATHER_INDEX] = 2;
    medians[SERIES_GATHER_MAP] = 9;
    medians[SERIES_GATHER_MAP_FILTERED] = 7;
    const GatherVerdict verdict = gather_verdict(medians);
    assert_int_equal(verdict.best, SERIES_GATHER_MAP_FILTERED);
    assert_int_equal(verdict.map, verdict.best);
    assert_true(verdict.by_best == 3.5 && verdict.by_map == 3.5 && verdict.by_array == 0);
    assert_true(verdict.is_small);
}

static void percentiles_are_of_nearest_rank(void **state)
{
    (void)state;
    Samples samples = {0};
    assert_true(samples_percentile(&samples, 50) == 0);
    for (int i = 100; i >= 1; i--) {
        assert_true(samples_add(&samples, i));
    }
    assert_true(samples_percentile(&samples, 0) == 1);
    assert_true(samples_percentile(&samples, 50) == 50);
    assert_true(samples_percentile(&samples, 95) == 95);
    assert_true(samples_percentile(&samples, 100) == 100);
    samples_free(&samples);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_series_has_a_name_of_its_own_fit_for_csv),
        cmocka_unit_test(a_time_ends_in_its_unit),
        cmocka_unit_test(a_summary_takes_the_nearest_rank_of_what_was_measured),
        cmocka_unit_test(csv_has_a_row_a_frame_and_nothing_where_nothing_was_measured),
        cmocka_unit_test(csv_that_cannot_be_written_is_told_with_its_path),
        cmocka_unit_test(the_verdict_compares_with_the_fastest_map_asked_its_faster_way),
        cmocka_unit_test(without_boost_the_verdict_compares_with_the_standard_map),
        cmocka_unit_test(percentiles_are_of_nearest_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#define _XOPEN_SOURCE 700 // NOLINT(bugprone-reserved-identifier)
#include "series/series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "whole_file.h"

SeriesInfo series_info(Series series)
{
    static const SeriesInfo infos[SERIES_COUNT] = {
        [SERIES_FRAME] = {"frame_ms", "frame", "ms", true},
        [SERIES_WORK] = {"work_ms", "the processor's part", "ms", true},
        [SERIES_PLAYER] = {"player_us", "moving the body", "us", true},
        [SERIES_DEBRIS] = {"debris_us", "moving debris", "us", true},
        [SERIES_UPDATE] = {"update_ms", "loading and meshing", "ms", true},
        [SERIES_GATHER] = {"gather_us", "the frame's own gather", "us", true},
        [SERIES_CULL] = {"cull_us", "culling and sorting", "us", true},
        [SERIES_CULL_CPU] = {"cull_cpu_us", "culling and sorting, processor time", "us", true},
        [SERIES_UPLOAD] = {"upload_us", "uploads", "us", true},
        [SERIES_PANEL] = {"panel_us", "panels", "us", true},
        [SERIES_RECORD] = {"record_us", "recording", "us", true},
        [SERIES_COMPARE] = {"compare_us", "the comparison", "us", true},
        [SERIES_GATHER_INDEX] = {"gather_index_us", "gather, Terrane", "us", true},
        [SERIES_GATHER_ARRAY] = {"gather_array_us", "gather, flat spatial array", "us", true},
        [SERIES_GATHER_FLAT_MAP] = {"gather_flat_map_us", "gather, boost flat map, probed", "us",
                                    true},
        [SERIES_GATHER_FLAT_MAP_FILTERED] = {"gather_flat_map_filtered_us",
                                             "gather, boost flat map, filtered", "us", true},
        [SERIES_GATHER_MAP] = {"gather_map_us", "gather, std::unordered_map, probed", "us", true},
        [SERIES_GATHER_MAP_FILTERED] = {"gather_map_filtered_us",
                                        "gather, std::unordered_map, filtered", "us", true},
        [SERIES_GATHERED] = {"gathered", "chunks gathered", "", false},
        [SERIES_THERE] = {"there", "chunks there", "", false},
        [SERIES_SHOWN] = {"shown", "chunks shown", "", false},
        [SERIES_QUEUED] = {"queued", "chunks waiting", "", false},
        [SERIES_SEEN] = {"seen", "chunks drawn", "", false},
        [SERIES_BEHIND_LAND] = {"behind_land", "chunks behind nearer land", "", false},
        [SERIES_QUADS] = {"quads", "quads drawn", "", false},
        [SERIES_DRAW_CALLS] = {"draw_calls", "draw calls", "", false},
        [SERIES_UPLOADED] = {"uploaded_kib", "quads to the graphics card", "KiB", false},
        [SERIES_MOVED] = {"moved_kib", "quads moved there", "KiB", false},
        [SERIES_BITS] = {"bits", "bits of debris", "", false},
        [SERIES_BYTES] = {"memory_mib", "memory", "MiB", false},
        [SERIES_CARD_PERCENT] = {"card_percent", "memory there, of 8 bytes a quad", "%", false},
        [SERIES_CARD_BYTES] = {"card_mib", "quads on the graphics card", "MiB", false},
    };
    return infos[series];
}

SeriesFrame series_frame(void)
{
    SeriesFrame frame;
    for (int i = 0; i < SERIES_COUNT; i++) {
        frame.values[i] = NAN;
    }
    return frame;
}

bool series_log_add(SeriesLog *log, const SeriesFrame *frame)
{
    if (log->count == log->capacity) {
        const size_t capacity = log->capacity ? log->capacity * 2 : 256;
        SeriesFrame *frames = realloc(log->frames, capacity * sizeof *frames);
        if (!frames) {
            return false;
        }
        log->frames = frames;
        log->capacity = capacity;
    }
    log->frames[log->count++] = *frame;
    return true;
}

void series_log_free(SeriesLog *log)
{
    free(log->frames);
    *log = (SeriesLog){0};
}

bool series_log_summary(const SeriesLog *log, Series series, SeriesSummary *summary)
{
    Samples samples = {0};
    bool good = true;
    for (size_t i = 0; i < log->count && good; i++) {
        const double value = log->frames[i].values[series];
        good = isnan(value) || samples_add(&samples, value);
    }
    *summary = (SeriesSummary){.count = samples.count,
                               .p50 = samples_percentile(&samples, 50),
                               .p95 = samples_percentile(&samples, 95),
                               .p99 = samples_percentile(&samples, 99),
                               .p999 = samples_percentile(&samples, 99.9),
                               .max = samples_percentile(&samples, 100)};
    samples_free(&samples);
    return good;
}

// ---- samples ------------------------------------------------------------------------------------

bool samples_add(Samples *samples, double value)
{
    if (samples->count == samples->capacity) {
        size_t capacity = samples->capacity ? samples->capacity * 2 : 256;
        double *values = realloc(samples->values, capacity * sizeof *values);
        if (!values) {
            return false;
        }
        samples->values = values;
        samples->capacity = capacity;
    }
    samples->values[samples->count++] = value;
    return true;
}

static int series_compare_values(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double samples_percentile(Samples *samples, double percent)
{
    if (samples->count == 0) {
        return 0;
    }
    qsort(samples->values, samples->count, sizeof *samples->values, series_compare_values);
    double rank = ceil(percent * (double)samples->count / 100);
    size_t index = rank < 1 ? 0 : (size_t)rank - 1;
    return samples->values[index < samples->count ? index : samples->count - 1];
}

void samples_free(Samples *samples)
{
    free(samples->values);
    *samples = (Samples){0};
}

// ---- series file --------------------------------------------------------------------------------

static bool series_file_csv_problem(const char *path, int error, Message *problem)
{
    const bool is_full = whole_file_lacks_space(error);
    return message_set(problem, "Cannot write the figures %s: %s; %s.", message_short(path).text,
                       strerror(error),
                       error == EISDIR ? "name a file"
                       : is_full       ? "make room, or choose another place"
                                       : "choose another place");
}

bool series_file_open(WholeFile *whole, const char *path, Message *problem)
{
    const int error = whole_file_open(whole, path);
    return !error || series_file_csv_problem(path, error, problem);
}

static void series_file_write_value(FILE *file, Series series, double value)
{
    if (isnan(value)) {
        (void)fputc(',', file);
    } else if (series_info(series).is_time) {
        (void)fprintf(file, ",%.4f", value);
    } else {
        (void)fprintf(file, ",%.10g", value);
    }
}

static void series_file_write_rows(FILE *file, const SeriesLog *log)
{
    (void)fputs("frame", file);
    for (int i = 0; i < SERIES_COUNT; i++) {
        (void)fprintf(file, ",%s", series_info((Series)i).name);
    }
    for (size_t row = 0; row < log->count; row++) {
        (void)fprintf(file, "\n%zu", row);
        for (int i = 0; i < SERIES_COUNT; i++) {
            series_file_write_value(file, (Series)i, log->frames[row].values[i]);
        }
    }
    (void)fputc('\n', file);
}

bool series_file_finish(WholeFile *whole, const SeriesLog *log, Message *problem)
{
    series_file_write_rows(whole->file, log);
    const int error = whole_file_finish(whole);
    return !error || series_file_csv_problem(whole->path, error, problem);
}

// ---- series ring --------------------------------------------------------------------------------

bool series_ring_create(SeriesRing *ring, double seconds_kept)
{
    *ring = (SeriesRing){.seconds_kept = seconds_kept};
    ring->seconds = malloc(SERIES_RING_FRAMES * sizeof *ring->seconds);
    ring->values = malloc((size_t)SERIES_COUNT * SERIES_RING_FRAMES * sizeof *ring->values);
    ring->scratch = malloc(SERIES_RING_FRAMES * sizeof *ring->scratch);
    if (!ring->seconds || !ring->values || !ring->scratch) {
        series_ring_free(ring);
        return false;
    }
    return true;
}

void series_ring_free(SeriesRing *ring)
{
    free(ring->seconds);
    free(ring->values);
    free(ring->scratch);
    *ring = (SeriesRing){.count = 0};
}

static size_t series_ring_slot_of(const SeriesRing *ring, size_t place)
{
    return (ring->first + place) % SERIES_RING_FRAMES;
}

static const float *series_ring_values_of(const SeriesRing *ring, Series series)
{
    return ring->values + (size_t)series * SERIES_RING_FRAMES;
}

static void series_ring_drop_first(SeriesRing *ring)
{
    ring->first = series_ring_slot_of(ring, 1);
    ring->count--;
}

void series_ring_add(SeriesRing *ring, double seconds, const SeriesFrame *frame)
{
    while (ring->count && (ring->count == SERIES_RING_FRAMES ||
                           ring->seconds[ring->first] < seconds - ring->seconds_kept)) {
        series_ring_drop_first(ring);
    }
    const size_t slot = series_ring_slot_of(ring, ring->count++);
    ring->seconds[slot] = seconds;
    for (size_t i = 0; i < SERIES_COUNT; i++) {
        ring->values[i * SERIES_RING_FRAMES + slot] = (float)frame->values[i];
    }
}

double series_ring_rate(const SeriesRing *ring)
{
    if (ring->count < 2) {
        return 0;
    }
    const double span = ring->seconds[series_ring_slot_of(ring, ring->count - 1)] -
                        ring->seconds[series_ring_slot_of(ring, 0)];
    return span > 0 ? (double)(ring->count - 1) / span : 0;
}

static int series_ring_compare_floats(const void *a, const void *b)
{
    const float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

static double series_ring_nearest_rank(const float *sorted, size_t count, double percent)
{
    const size_t rank = (size_t)ceil(percent / 100 * (double)count);
    return (double)sorted[rank ? rank - 1 : 0];
}

SeriesRingSummary series_ring_summary(const SeriesRing *ring, Series series)
{
    const float *values = series_ring_values_of(ring, series);
    SeriesRingSummary summary = {.count = 0};
    for (size_t i = 0; i < ring->count; i++) {
        const float value = values[series_ring_slot_of(ring, i)];
        if (!isnan(value)) {
            ring->scratch[summary.count++] = value;
            summary.last = (double)value;
        }
    }
    if (summary.count) {
        qsort(ring->scratch, summary.count, sizeof *ring->scratch, series_ring_compare_floats);
        summary.p50 = series_ring_nearest_rank(ring->scratch, summary.count, 50);
        summary.p99 = series_ring_nearest_rank(ring->scratch, summary.count, 99);
        summary.max = (double)ring->scratch[summary.count - 1];
    }
    return summary;
}

void series_ring_columns(const SeriesRing *ring, Series series, double now, size_t columns,
                         float *low, float *high)
{
    const float *values = series_ring_values_of(ring, series);
    const double each = ring->seconds_kept / (double)columns;
    const double first = floor(now / each) - (double)columns + 1;
    for (size_t i = 0; i < columns; i++) {
        low[i] = high[i] = NAN;
    }
    for (size_t i = 0; i < ring->count; i++) {
        const size_t slot = series_ring_slot_of(ring, i);
        const double column = floor(ring->seconds[slot] / each) - first;
        if (column < 0 || column >= (double)columns || isnan(values[slot])) {
            continue;
        }
        const size_t at = (size_t)column;
        low[at] = fminf(low[at], values[slot]); // fminf ignores a NAN operand
        high[at] = fmaxf(high[at], values[slot]);
    }
}

// ---- gather verdict -----------------------------------------------------------------------------

/// Returns the measured series with the smaller median.
static Series series_gather_faster(const double *medians, Series a, Series b)
{
    const bool b_is_faster = medians[b] > 0 && (medians[a] <= 0 || medians[b] < medians[a]);
    return b_is_faster ? b : a;
}

static double series_gather_times_of(const double *medians, Series series)
{
    const double index = medians[SERIES_GATHER_INDEX];
    return index > 0 && medians[series] > 0 ? medians[series] / index : 0;
}

GatherVerdict gather_verdict(const double medians[SERIES_COUNT])
{
    GatherVerdict verdict = {
        .flat_map =
            series_gather_faster(medians, SERIES_GATHER_FLAT_MAP, SERIES_GATHER_FLAT_MAP_FILTERED),
        .map = series_gather_faster(medians, SERIES_GATHER_MAP, SERIES_GATHER_MAP_FILTERED),
        .by_array = series_gather_times_of(medians, SERIES_GATHER_ARRAY),
        .is_small = medians[SERIES_GATHERED] > 0 && medians[SERIES_GATHERED] < GATHER_FEW_CHUNKS,
    };
    verdict.best = series_gather_faster(medians, verdict.flat_map, verdict.map);
    verdict.by_best = series_gather_times_of(medians, verdict.best);
    verdict.by_map = series_gather_times_of(medians, verdict.map);
    return verdict;
}

const char *gather_way_name(Series gather)
{
    switch (gather) {
    case SERIES_GATHER_ARRAY:
        return "flat array";
    case SERIES_GATHER_FLAT_MAP:
        return "boost flat map, probed";
    case SERIES_GATHER_FLAT_MAP_FILTERED:
        return "boost flat map, filtered";
    case SERIES_GATHER_MAP:
        return "std::unordered_map, probed";
    case SERIES_GATHER_MAP_FILTERED:
        return "std::unordered_map, filtered";
    default:
        return "Terrane";
    }
}

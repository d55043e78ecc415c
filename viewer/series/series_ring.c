#include "series/series_ring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static size_t slot_of(const SeriesRing *ring, size_t place)
{
    return (ring->first + place) % SERIES_RING_FRAMES;
}

static const float *values_of(const SeriesRing *ring, Series series)
{
    return ring->values + (size_t)series * SERIES_RING_FRAMES;
}

static void drop_first(SeriesRing *ring)
{
    ring->first = slot_of(ring, 1);
    ring->count--;
}

void series_ring_add(SeriesRing *ring, double seconds, const SeriesFrame *frame)
{
    while (ring->count && (ring->count == SERIES_RING_FRAMES ||
                           ring->seconds[ring->first] < seconds - ring->seconds_kept)) {
        drop_first(ring);
    }
    const size_t slot = slot_of(ring, ring->count++);
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
    const double span =
        ring->seconds[slot_of(ring, ring->count - 1)] - ring->seconds[slot_of(ring, 0)];
    return span > 0 ? (double)(ring->count - 1) / span : 0;
}

static int compare_floats(const void *a, const void *b)
{
    const float left = *(const float *)a, right = *(const float *)b;
    return (left > right) - (left < right);
}

static double nearest_rank(const float *sorted, size_t count, double percent)
{
    const size_t rank = (size_t)ceil(percent / 100 * (double)count);
    return (double)sorted[rank ? rank - 1 : 0];
}

SeriesRingSummary series_ring_summary(const SeriesRing *ring, Series series)
{
    const float *values = values_of(ring, series);
    SeriesRingSummary summary = {.count = 0};
    for (size_t i = 0; i < ring->count; i++) {
        const float value = values[slot_of(ring, i)];
        if (!isnan(value)) {
            ring->scratch[summary.count++] = value;
            summary.last = (double)value;
        }
    }
    if (summary.count) {
        qsort(ring->scratch, summary.count, sizeof *ring->scratch, compare_floats);
        summary.p50 = nearest_rank(ring->scratch, summary.count, 50);
        summary.p99 = nearest_rank(ring->scratch, summary.count, 99);
        summary.max = (double)ring->scratch[summary.count - 1];
    }
    return summary;
}

void series_ring_columns(const SeriesRing *ring, Series series, double now, size_t columns,
                         float *low, float *high)
{
    const float *values = values_of(ring, series);
    const double each = ring->seconds_kept / (double)columns;
    const double first = floor(now / each) - (double)columns + 1;
    for (size_t i = 0; i < columns; i++) {
        low[i] = high[i] = NAN;
    }
    for (size_t i = 0; i < ring->count; i++) {
        const size_t slot = slot_of(ring, i);
        const double column = floor(ring->seconds[slot] / each) - first;
        if (column < 0 || column >= (double)columns || isnan(values[slot])) {
            continue;
        }
        const size_t at = (size_t)column;
        low[at] = fminf(low[at], values[slot]); // of a number and a NAN: the number
        high[at] = fmaxf(high[at], values[slot]);
    }
}

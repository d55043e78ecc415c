// A histogram of times: a few hundred counters hold a flight of any length, and a percentile is a
// walk over them. After G. Tene's HdrHistogram.

#include "stream_times.h"

#define TIMES_PART (1u << TRN_STREAM_TIMES_BITS)
#define TIMES_LARGEST ((UINT64_C(1) << 42) - 1) // 73 minutes in ns

/// Small numbers have a counter each; larger ones share one by their top bits.
static uint32_t times_counter(uint64_t ns)
{
    if (ns < TIMES_PART) {
        return (uint32_t)ns;
    }
    const uint32_t top = 63u - (uint32_t)__builtin_clzll(ns);
    const uint32_t shift = top - TRN_STREAM_TIMES_BITS;
    return ((shift + 1) << TRN_STREAM_TIMES_BITS) | ((uint32_t)(ns >> shift) & (TIMES_PART - 1));
}

/// The largest number that a counter stands for.
static double times_us_of(uint32_t counter)
{
    if (counter < TIMES_PART) {
        return counter * 1e-3;
    }
    const uint32_t shift = (counter >> TRN_STREAM_TIMES_BITS) - 1;
    const uint64_t low = (uint64_t)(TIMES_PART | (counter & (TIMES_PART - 1))) << shift;
    return (double)(low + (UINT64_C(1) << shift) - 1) * 1e-3;
}

void trn_stream_times_add(TrnStreamHistogram *times, double us)
{
    us = us > 0 ? us : 0; // also NaN
    const double ns = us * 1e3;
    times->counters[times_counter(ns < (double)TIMES_LARGEST ? (uint64_t)ns : TIMES_LARGEST)]++;
    times->count++;
    times->sum += us;
    times->max = us > times->max ? us : times->max;
}

TrnStreamTimes trn_stream_times_of(const TrnStreamHistogram *times)
{
    TrnStreamTimes out = {.count = times->count, .max = times->max};
    if (!times->count) {
        return out;
    }
    out.mean = times->sum / (double)times->count;
    const double parts[3] = {0.5, 0.99, 0.999};
    double *const percentiles[3] = {&out.p50, &out.p99, &out.p999};
    uint64_t passed = 0;
    uint32_t next = 0;
    for (uint32_t i = 0; i < TRN_STREAM_TIMES_COUNTERS && next < 3; i++) {
        passed += times->counters[i];
        while (next < 3 && (double)passed >= parts[next] * (double)times->count) {
            const double us = times_us_of(i);
            *percentiles[next++] = us < times->max ? us : times->max;
        }
    }
    return out;
}

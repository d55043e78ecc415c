/// Private: a histogram of times.
#ifndef TERRANE_STREAM_STREAM_TIMES_H
#define TERRANE_STREAM_STREAM_TIMES_H

#include <terrane/stream.h>

/// Sixteen counters for every doubling of a nanosecond: percentiles are at most 6.25 % too large.
#define TRN_STREAM_TIMES_BITS 4
#define TRN_STREAM_TIMES_COUNTERS ((43 - TRN_STREAM_TIMES_BITS) << TRN_STREAM_TIMES_BITS)

typedef struct TrnStreamHistogram {
    uint64_t count;
    double sum, max;
    uint32_t counters[TRN_STREAM_TIMES_COUNTERS];
} TrnStreamHistogram;

/// Adds a time. @param us  negative or NaN counts as 0, more than an hour as an hour
void trn_stream_times_add(TrnStreamHistogram *times, double us);

/// Returns count, mean, percentiles and maximum. Cost: O(counters).
TrnStreamTimes trn_stream_times_of(const TrnStreamHistogram *times);

#endif

/// The series of the last seconds, for graphs whose axis is time and not the number of frames.
#ifndef TERRANE_VIEWER_SERIES_RING_H
#define TERRANE_VIEWER_SERIES_RING_H

#include "series/series.h"

#ifdef __cplusplus
extern "C" {
#endif

/// With more frames than these in that time, the oldest go sooner.
#define SERIES_RING_FRAMES 8192u

typedef struct SeriesRing {
    double seconds_kept;
    double *seconds; ///< [SERIES_RING_FRAMES] when each frame was
    float *values;   ///< [SERIES_COUNT][SERIES_RING_FRAMES]
    float *scratch;  ///< [SERIES_RING_FRAMES]
    size_t first, count;
} SeriesRing;

/// @param seconds_kept  how far back it reaches
/// @return false when there is no memory (1 MiB)
bool series_ring_create(SeriesRing *ring, double seconds_kept);
void series_ring_free(SeriesRing *ring);

/// @param seconds  on a clock that never goes backwards
/// Cost: some 100 ns.
void series_ring_add(SeriesRing *ring, double seconds, const SeriesFrame *frame);

typedef struct SeriesRingSummary {
    size_t count; ///< frames in which it was measured; all else is 0 where there are none
    double last, p50, p99, max;
} SeriesRingSummary;

/// Percentiles by nearest rank.
/// Cost: O(frames), some 10 us for 600.
SeriesRingSummary series_ring_summary(const SeriesRing *ring, Series series);

/// The least and the most in each of the parts of equal length that make up the time up to now.
/// Parts begin at multiples of their length, so that a graph moves on and does not flicker.
/// @param now        seconds; no frame is later
/// @param low,high   [columns] receive them; NAN where nothing was measured
/// Cost: O(frames + columns).
void series_ring_columns(const SeriesRing *ring, Series series, double now, size_t columns,
                         float *low, float *high);

#ifdef __cplusplus
}
#endif
#endif

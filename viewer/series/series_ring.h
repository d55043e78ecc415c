/// The figures of the last seconds, for graphs over time rather than over frames.
#ifndef TERRANE_VIEWER_SERIES_RING_H
#define TERRANE_VIEWER_SERIES_RING_H

#include "series/series.h"

#ifdef __cplusplus
extern "C" {
#endif

/// If more frames occur in that time, the oldest are dropped earlier.
#define SERIES_RING_FRAMES 8192u

typedef struct SeriesRing {
    double seconds_kept;
    double *seconds; ///< [SERIES_RING_FRAMES] time of each frame
    float *values;   ///< [SERIES_COUNT][SERIES_RING_FRAMES]
    float *scratch;  ///< [SERIES_RING_FRAMES]
    size_t first, count;
} SeriesRing;

/// @param seconds_kept  how far back the ring reaches
/// @return false without memory (1 MiB)
bool series_ring_create(SeriesRing *ring, double seconds_kept);
void series_ring_free(SeriesRing *ring);

/// @param seconds  of a clock that never goes backwards
/// Cost: some 100 ns.
void series_ring_add(SeriesRing *ring, double seconds, const SeriesFrame *frame);

/// Frames a second in the time that the ring reaches back, by when they were added: the frames that
/// are shown, with all that they wait for. @return 0 with fewer than two frames
double series_ring_rate(const SeriesRing *ring);

typedef struct SeriesRingSummary {
    size_t count; ///< frames in which it was measured; if 0, all other fields are 0
    double last, p50, p99, max;
} SeriesRingSummary;

/// Percentiles by nearest rank.
/// Cost: O(frames), some 10 us for 600.
SeriesRingSummary series_ring_summary(const SeriesRing *ring, Series series);

/// Returns the least and the greatest value in each of the equal intervals up to now. Intervals
/// begin at multiples of their length, so that a graph scrolls without flicker.
/// @param now        in seconds; no frame is later
/// @param low,high   [columns] receive them; NAN if nothing was measured
/// Cost: O(frames + columns).
void series_ring_columns(const SeriesRing *ring, Series series, double now, size_t columns,
                         float *low, float *high);

#ifdef __cplusplus
}
#endif
#endif

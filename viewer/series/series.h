/// The figures of every frame by name: what panels draw as graphs, what recordings write as CSV and
/// reports sum up.
///
/// A time is called one, since times differ from run to run; all else is the same whenever the same
/// flight is flown in steps.
#ifndef TERRANE_VIEWER_SERIES_H
#define TERRANE_VIEWER_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum Series {
    SERIES_FRAME,    ///< ms from frame to frame, without what stands below as outside
    SERIES_WORK,     ///< ms of it, on the processor
    SERIES_PLAYER,   ///< us of it, moving the body
    SERIES_DEBRIS,   ///< us of it, moving debris
    SERIES_UPDATE,   ///< ms of it, loading and meshing
    SERIES_GATHER,   ///< us of it, the frame's own gather
    SERIES_CULL,     ///< us of it, finding what is seen
    SERIES_CULL_CPU, ///< us, the same as this thread's own time on a core
    SERIES_UPLOAD,   ///< us of it, quads on their way to the graphics card
    // Outside the frame.
    SERIES_PANEL,        ///< us, the panels, without what the driver takes for them
    SERIES_RECORD,       ///< us, recording
    SERIES_COMPARE,      ///< us, all of the comparison
    SERIES_GATHER_INDEX, ///< us, and the same for the others
    SERIES_GATHER_ARRAY,
    SERIES_GATHER_FLAT_MAP,
    SERIES_GATHER_FLAT_MAP_FILTERED,
    SERIES_GATHER_MAP,
    SERIES_GATHER_MAP_FILTERED,
    // What there is.
    SERIES_GATHERED, ///< chunks in the view's box
    SERIES_THERE,    ///< chunks
    SERIES_SHOWN,
    SERIES_QUEUED,
    SERIES_SEEN,         ///< chunks drawn
    SERIES_QUADS,        ///< drawn
    SERIES_DRAW_CALLS,   ///< of the world
    SERIES_UPLOADED,     ///< KiB in this frame
    SERIES_MOVED,        ///< KiB in this frame, on the graphics card
    SERIES_BITS,         ///< of debris
    SERIES_BYTES,        ///< MiB of all that follows the view
    SERIES_CARD_PERCENT, ///< of 8 bytes a quad
    SERIES_CARD_BYTES,   ///< MiB of quads on the graphics card
    SERIES_COUNT
} Series;

typedef struct SeriesInfo {
    const char *name; ///< as in CSV: lower case, with underscores and the unit at its end
    const char *text; ///< for people
    const char *unit; ///< "ms", "us", "MiB", ... ; "" for a number of things
    bool is_time;     ///< differs from run to run
} SeriesInfo;

SeriesInfo series_info(Series series);

/// One frame. What was not measured is NAN.
typedef struct SeriesFrame {
    double values[SERIES_COUNT];
} SeriesFrame;

/// A frame in which nothing was measured.
SeriesFrame series_frame(void);

/// Frames one after the other. All zeroes is empty.
typedef struct SeriesLog {
    SeriesFrame *frames; ///< [count]
    size_t count, capacity;
} SeriesLog;

/// False when there is no memory; the log is then as it was.
bool series_log_add(SeriesLog *log, const SeriesFrame *frame);
void series_log_free(SeriesLog *log);

typedef struct SeriesSummary {
    size_t count; ///< frames in which it was measured; all else is 0 where there are none
    double p50, p95, p99, p999, max;
} SeriesSummary;

/// Percentiles by nearest rank. @return false when there is no memory
/// Cost: sorts a copy.
bool series_log_summary(const SeriesLog *log, Series series, SeriesSummary *summary);

#ifdef __cplusplus
}
#endif
#endif

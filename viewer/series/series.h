/// The figures of each frame by name: panels draw them as graphs, recordings write them as CSV, and
/// reports summarise them.
///
/// Times differ between runs and are marked as times; all other figures are equal whenever the same
/// flight is flown in steps.
#ifndef TERRANE_VIEWER_SERIES_H
#define TERRANE_VIEWER_SERIES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum Series {
    SERIES_FRAME,    ///< ms between frames, without the times outside the frame below
    SERIES_WORK,     ///< ms of it on the processor
    SERIES_PLAYER,   ///< us of it for moving the body
    SERIES_DEBRIS,   ///< us of it for moving debris
    SERIES_UPDATE,   ///< ms of it for loading and meshing
    SERIES_GATHER,   ///< us of it for the frame's own gather
    SERIES_CULL,     ///< us of it for culling
    SERIES_CULL_CPU, ///< us, culling in CPU time of the thread
    SERIES_UPLOAD,   ///< us of it for uploading quads
    // Outside the frame.
    SERIES_PANEL,        ///< us for the panels, without the driver
    SERIES_RECORD,       ///< us for recording
    SERIES_COMPARE,      ///< us for the whole comparison
    SERIES_GATHER_INDEX, ///< us for the index's gather; the others follow
    SERIES_GATHER_ARRAY,
    SERIES_GATHER_FLAT_MAP,
    SERIES_GATHER_FLAT_MAP_FILTERED,
    SERIES_GATHER_MAP,
    SERIES_GATHER_MAP_FILTERED,
    // What there is.
    SERIES_GATHERED, ///< chunks in the view's box
    SERIES_THERE,    ///< loaded chunks
    SERIES_SHOWN,
    SERIES_QUEUED,
    SERIES_SEEN,         ///< chunks drawn
    SERIES_BEHIND_LAND,  ///< chunks not drawn because nearer land hides them
    SERIES_QUADS,        ///< drawn quads
    SERIES_DRAW_CALLS,   ///< for the world
    SERIES_UPLOADED,     ///< KiB uploaded in this frame
    SERIES_MOVED,        ///< KiB moved on the graphics card in this frame
    SERIES_BITS,         ///< bits of debris
    SERIES_BYTES,        ///< MiB of everything that grows with the view
    SERIES_CARD_PERCENT, ///< memory of quads, compared with 8 bytes a quad
    SERIES_CARD_BYTES,   ///< MiB of quads on the graphics card
    SERIES_COUNT
} Series;

typedef struct SeriesInfo {
    const char *name; ///< as in CSV: lower case, with underscores and the unit at its end
    const char *text; ///< for people
    const char *unit; ///< "ms", "us", "MiB", ... ; "" for a number of things
    bool is_time;     ///< is a time, so it differs between runs
} SeriesInfo;

SeriesInfo series_info(Series series);

/// One frame. Figures that were not measured are NAN.
typedef struct SeriesFrame {
    double values[SERIES_COUNT];
} SeriesFrame;

/// Returns a frame without measured figures.
SeriesFrame series_frame(void);

/// The figures of consecutive frames. All zeroes is empty.
typedef struct SeriesLog {
    SeriesFrame *frames; ///< [count]
    size_t count, capacity;
} SeriesLog;

/// Appends a frame. @return false without memory; the log is then unchanged
bool series_log_add(SeriesLog *log, const SeriesFrame *frame);
void series_log_free(SeriesLog *log);

typedef struct SeriesSummary {
    size_t count; ///< frames in which it was measured; if 0, all other fields are 0
    double p50, p95, p99, p999, max;
} SeriesSummary;

/// Percentiles by nearest rank. @return false without memory
/// Cost: sorts a copy.
bool series_log_summary(const SeriesLog *log, Series series, SeriesSummary *summary);

#ifdef __cplusplus
}
#endif
#endif

/// The figures of each frame by name: panels draw them as graphs, CSV files store them, and reports
/// summarise them.
///
/// Times differ between runs and are marked as times. All other figures are equal whenever the same
/// flight is flown in fixed steps.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct WholeFile WholeFile;

typedef enum Series {
    SERIES_FRAME,    ///< ms between frames, without the work outside the frame (below)
    SERIES_WORK,     ///< ms of the frame on the processor
    SERIES_PLAYER,   ///< us of the frame for moving the body
    SERIES_DEBRIS,   ///< us of the frame for moving debris
    SERIES_UPDATE,   ///< ms of the frame for loading and meshing
    SERIES_GATHER,   ///< us of the frame for its own gather
    SERIES_CULL,     ///< us of the frame for culling
    SERIES_CULL_CPU, ///< us of CPU time of the thread for culling
    SERIES_UPLOAD,   ///< us of the frame for uploading quads
    // Outside the frame.
    SERIES_PANEL,        ///< us for the panels, without the driver
    SERIES_RECORD,       ///< us for recording
    SERIES_COMPARE,      ///< us for the whole comparison
    SERIES_GATHER_INDEX, ///< us for the index's gather; then the other contenders
    SERIES_GATHER_ARRAY,
    SERIES_GATHER_FLAT_MAP,
    SERIES_GATHER_FLAT_MAP_FILTERED,
    SERIES_GATHER_MAP,
    SERIES_GATHER_MAP_FILTERED,
    // Counts and sizes.
    SERIES_GATHERED, ///< chunks in the view's box
    SERIES_THERE,    ///< loaded chunks
    SERIES_SHOWN,
    SERIES_QUEUED,
    SERIES_SEEN,         ///< chunks drawn
    SERIES_BEHIND_LAND,  ///< chunks culled because nearer land hides them
    SERIES_QUADS,        ///< drawn quads
    SERIES_DRAW_CALLS,   ///< for the world
    SERIES_UPLOADED,     ///< KiB uploaded in this frame
    SERIES_MOVED,        ///< KiB moved on the graphics card in this frame
    SERIES_BITS,         ///< bits of debris
    SERIES_BYTES,        ///< MiB of everything that grows with the view
    SERIES_CARD_PERCENT, ///< memory of quads, as a percentage of 8 bytes a quad
    SERIES_CARD_BYTES,   ///< MiB of quads on the graphics card
    SERIES_COUNT
} Series;

typedef struct SeriesInfo {
    const char *name; ///< as in CSV: lower case, with underscores and the unit at its end
    const char *text; ///< for people
    const char *unit; ///< "ms", "us", "MiB", ...; "" for counts
    bool is_time;     ///< a time, so it differs between runs
} SeriesInfo;

SeriesInfo series_info(Series series);

/// The figures of one frame; NAN: not measured.
typedef struct SeriesFrame {
    double values[SERIES_COUNT];
} SeriesFrame;

/// Returns a frame with no figure measured.
SeriesFrame series_frame(void);

/// The figures of consecutive frames. All zeroes is empty.
typedef struct SeriesLog {
    SeriesFrame *frames; ///< [count]
    size_t count, capacity;
} SeriesLog;

/// Appends a frame. @return false if out of memory; the log is then unchanged
bool series_log_add(SeriesLog *log, const SeriesFrame *frame);
void series_log_free(SeriesLog *log);

typedef struct SeriesSummary {
    size_t count; ///< frames with a measured figure; if 0, all other fields are 0
    double p50, p95, p99, p999, max;
} SeriesSummary;

/// Percentiles by nearest rank. @return false if out of memory
/// Cost: sorts a copy.
bool series_log_summary(const SeriesLog *log, Series series, SeriesSummary *summary);

// ---- samples ------------------------------------------------------------------------------------

// Measured values and their percentiles.

/// All zeroes is an empty list.
typedef struct Samples {
    double *values;
    size_t count, capacity;
} Samples;

/// Appends a value. @return false if out of memory; the list is then unchanged
bool samples_add(Samples *samples, double value);

/// Returns the smallest value with at least `percent` of all values at or below it (nearest rank);
/// 0 if the list is empty. Sorts the list in place.
/// @param percent  0..100
double samples_percentile(Samples *samples, double percent);

void samples_free(Samples *samples);

// ---- series file --------------------------------------------------------------------------------

// Series as CSV: one row for each frame, one column for each series, with names in the first row.
// Figures that were not measured are empty.

/// Opens the file, so that an unwritable path is reported before the flight.
/// @param whole  finish or drop it
/// @param path   borrowed until then
bool series_file_open(WholeFile *whole, const char *path, Message *problem);

/// Writes all frames and renames the file into place; on failure no file is left.
bool series_file_finish(WholeFile *whole, const SeriesLog *log, Message *problem);

// ---- series ring --------------------------------------------------------------------------------

// The figures of the last seconds, for graphs over time.

/// Capacity; with more frames in that time, the oldest are dropped.
#define SERIES_RING_FRAMES 8192u

typedef struct SeriesRing {
    double seconds_kept;
    double *seconds; ///< [SERIES_RING_FRAMES] time of each frame
    float *values;   ///< [SERIES_COUNT][SERIES_RING_FRAMES]
    float *scratch;  ///< [SERIES_RING_FRAMES]
    size_t first, count;
} SeriesRing;

/// @param seconds_kept  time range of the ring
/// @return false if out of memory (1 MiB)
bool series_ring_create(SeriesRing *ring, double seconds_kept);
void series_ring_free(SeriesRing *ring);

/// @param seconds  on a monotonic clock
/// Cost: some 100 ns.
void series_ring_add(SeriesRing *ring, double seconds, const SeriesFrame *frame);

/// Returns the frame rate over the ring's time range, from the times of the frames: shown frames,
/// including waits. @return 0 with fewer than two frames
double series_ring_rate(const SeriesRing *ring);

typedef struct SeriesRingSummary {
    size_t count; ///< frames with a measured figure; if 0, all other fields are 0
    double last, p50, p99, max;
} SeriesRingSummary;

/// Percentiles by nearest rank.
/// Cost: O(frames), some 10 us for 600.
SeriesRingSummary series_ring_summary(const SeriesRing *ring, Series series);

/// Returns the least and greatest value in each of equal intervals up to now. Intervals begin at
/// multiples of their length, so that a graph scrolls without flicker.
/// @param now        in seconds; not before the last frame
/// @param low,high   [columns] receive the values; NAN if nothing was measured
/// Cost: O(frames + columns).
void series_ring_columns(const SeriesRing *ring, Series series, double now, size_t columns,
                         float *low, float *high);

// ---- gather verdict -----------------------------------------------------------------------------

// Compares Terrane's gathers with those of the maps. Each map counts with its faster query: probing
// every coordinate, or walking the whole map and filtering by the box.

/// With fewer chunks, every query takes some microseconds, and the difference does not matter.
#define GATHER_FEW_CHUNKS 500.0

typedef struct GatherVerdict {
    Series flat_map; ///< the faster query of boost::unordered_flat_map
    Series map;      ///< the faster query of std::unordered_map
    Series best;     ///< the faster of these two
    double by_best;  ///< median of `best` divided by Terrane's; 0 if either was not measured
    double by_map;   ///< the same for std::unordered_map
    double by_array; ///< the same for the flat spatial array
    bool is_small;   ///< fewer than GATHER_FEW_CHUNKS
} GatherVerdict;

/// @param medians  [SERIES_COUNT] of the gathers, us, and of SERIES_GATHERED; 0: not measured
GatherVerdict gather_verdict(const double medians[SERIES_COUNT]);

/// Returns a name such as "boost flat map, filtered". @param gather  SERIES_GATHER_INDEX to
/// SERIES_GATHER_MAP_FILTERED
const char *gather_way_name(Series gather);

#ifdef __cplusplus
}
#endif

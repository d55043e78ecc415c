/// The table that a headless flight ends with.
#ifndef TERRANE_VIEWER_REPORT_H
#define TERRANE_VIEWER_REPORT_H

#include <stdio.h>

#include "viewer.h"

/// What was measured of every frame of a flight.
typedef struct ReportSamples {
    Samples frame_ms;
    Samples update_ms;    ///< of it, loading and meshing
    Samples cull_us;      ///< of it, finding the quads in the picture
    Samples cull_cpu_us;  ///< the same, as the thread's own time on a core
    Samples upload_kib;   ///< quads that went to the graphics card
    Samples move_kib;     ///< quads that moved there
    Samples card_percent; ///< what is held there, of 8 bytes for each quad
} ReportSamples;

void report_print(FILE *stream, Viewer *viewer, ReportSamples *samples);

void report_samples_free(ReportSamples *samples);

#endif

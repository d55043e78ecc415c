/// The report page of flights: one HTML file with all pictures and plots embedded.
#pragma once

#include <stdint.h>

#include "message.h"
#include "series/series.h"

#define REPORT_PAGE_FILE "report.html"
#define REPORT_PICTURES 3
#define REPORT_PLOTS 4

/// One flight. Texts are borrowed.
typedef struct ReportFlight {
    const char *name;               ///< used in file names: [a-z0-9-]
    const char *title;              ///< shown to people
    char land[256];                 ///< such as "seed 13, preset default"
    int view_distance, view_height; ///< chunks
    size_t frames;
    SeriesSummary series[SERIES_COUNT];
    uint64_t compared, equal;      ///< frames; those in which all answers were equal
    size_t edits;                  ///< replayed
    int pictures[REPORT_PICTURES]; ///< frames of NAME-FRAME.png; -1: none
    bool has_plots;                ///< NAME-times.svg and the other plots exist
} ReportFlight;

typedef struct ReportMachine {
    char processor[128], system[256], driver[256], compiler[128], date[64];
    long cores;
    double memory_gib;
} ReportMachine;

typedef struct ReportPage {
    const ReportFlight *flights; ///< [count]
    size_t count;
    ReportMachine machine;
    int width, height;    ///< pixels of the flights' pictures
    unsigned workers;     ///< threads that generated chunks
    const char *no_plots; ///< reason why there are no plots; NULL: there are
} ReportPage;

/// Returns this machine's properties, without driver and date.
ReportMachine report_machine(void);

/// Writes the script for a flight's plots into FOLDER/NAME.gnuplot. It reads NAME.csv, and must run
/// in that folder.
bool report_write_script(const char *folder, const ReportFlight *flight, Message *problem);

/// Writes FOLDER/report.html with the plots and pictures of the folder; missing ones are left out.
/// @return false if writing failed; then an earlier page stays
bool report_write_page(const char *folder, const ReportPage *page, Message *problem);

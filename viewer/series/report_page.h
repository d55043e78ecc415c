/// The page about flights: one HTML file with everything in it, pictures and plots too.
#ifndef TERRANE_VIEWER_REPORT_PAGE_H
#define TERRANE_VIEWER_REPORT_PAGE_H

#include <stdint.h>

#include "message.h"
#include "series/series.h"

#define REPORT_PAGE_FILE "report.html"
#define REPORT_PICTURES 3
#define REPORT_PLOTS 4

/// One flight. Texts are borrowed.
typedef struct ReportFlight {
    const char *name;               ///< of its files: [a-z0-9-]
    const char *title;              ///< for people
    char land[256];                 ///< such as "seed 13, preset default"
    int view_distance, view_height; ///< chunks
    size_t frames;
    SeriesSummary series[SERIES_COUNT];
    uint64_t compared, equal;      ///< frames; in which all answers were the same
    size_t edits;                  ///< repeated
    int pictures[REPORT_PICTURES]; ///< frames of NAME-FRAME.png; -1: none
    bool has_plots;                ///< NAME-times.svg and so on are there
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
    unsigned workers;     ///< threads that made chunks
    const char *no_plots; ///< why there are none; NULL: there are
} ReportPage;

/// What this machine is, but its driver and its date.
ReportMachine report_machine(void);

/// Writes the script for a flight's plots into FOLDER/NAME.gnuplot. It reads NAME.csv, and is to be
/// run in that folder.
bool report_write_script(const char *folder, const ReportFlight *flight, Message *problem);

/// Writes FOLDER/report.html, with the plots and pictures that lie in the folder; those that are
/// missing are left out.
/// @return false when it could not be written; what was there before stays then
bool report_write_page(const char *folder, const ReportPage *page, Message *problem);

#endif

/// Collects what the panels show.
#ifndef TERRANE_VIEWER_FIGURES_H
#define TERRANE_VIEWER_FIGURES_H

#include "panels/panel.h"
#include "player/person.h"
#include "viewer.h"

/// Where from. Times of the last frame are the caller's; what was not measured is NAN.
typedef struct FiguresSource {
    const Viewer *viewer;
    const Person *person;
    const TrnStreamReport *update; ///< of this frame
    double budget_ms;              ///< that it had
    double seconds;                ///< as PanelFigures.seconds
    SeriesFrame times;             ///< frame, work, panel, compare, record, player, debris
    const char *hint;              ///< as PanelFigures.hint; or NULL
    bool is_shown;                 ///< otherwise nothing is collected that has no history
} FiguresSource;

/// What the figures borrow texts from, from frame to frame. All zeroes to begin with.
typedef struct FiguresTexts {
    Message looked_at;
    char why_shown[320], why_there[256];
    double due; ///< seconds: they stand long enough to be read
    bool has_any;
} FiguresTexts;

/// Cost: some 20 us at a view distance of 16, most of them for the stream's queues and percentiles.
PanelFigures figures_collect(const FiguresSource *source, FiguresTexts *texts);

#endif

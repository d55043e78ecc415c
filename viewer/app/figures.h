/// Collects the figures of a session that the panels show.
#pragma once

#include "app/session.h"
#include "panels/panel.h"

/// Texts that the figures borrow for several frames. All zeroes to begin with.
typedef struct FiguresTexts {
    Message looked_at;
    char why_shown[320], why_there[256];
    double due; ///< seconds; the time of the next update: texts stay long enough to be read
    bool has_any;
} FiguresTexts;

/// Leaves out figures that are hidden and have no graph.
/// @param hint  as PanelFigures.hint; borrowed
/// Cost: some 20 us at a view distance of 16, most of them for the stream's queues and percentiles.
PanelFigures figures_collect(const Session *session, const char *hint, FiguresTexts *texts);

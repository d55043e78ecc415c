/// Flies without a visible window, exactly the same every time, and reports what it measured.
#ifndef TERRANE_VIEWER_HEADLESS_H
#define TERRANE_VIEWER_HEADLESS_H

#include "flight/flight.h"
#include "options.h"
#include "series/series.h"
#include "viewer.h"

/// Writes the picture flight.png, and whatever else the options ask for, and prints the figures on
/// stdout.
bool headless_run(Settings *settings, const Flight *flight, Message *problem);

/// A flight for a caller that records its figures.
typedef struct HeadlessDef {
    Settings *settings;
    const Flight *flight;
    /// Frames are 1/60 s apart for plans as well, which are otherwise spread over Settings.frames
    bool by_clock;
    /// Called with each frame that was drawn, outside its times. NULL: not called
    bool (*drawn)(void *user, const Viewer *viewer, int frame, Message *problem);
    /// Called at the end, while everything is still there. NULL: not called
    bool (*flown)(void *user, const Viewer *viewer, const SeriesLog *log, Message *problem);
    void *user;
} HeadlessDef;

/// Flies, without the picture at its end.
bool headless_fly(const HeadlessDef *def, Message *problem);

/// How many frames a flight has.
int headless_frames(const HeadlessDef *def);

#endif

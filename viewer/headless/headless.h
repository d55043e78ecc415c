/// Flies without a visible window, exactly the same in every run, and reports measurements.
#pragma once

#include <stdio.h>

#include "flight/flight.h"
#include "scene/viewer.h"
#include "series/series.h"
#include "settings/command_line.h"

/// Writes flight.png and the files that the options ask for, and prints the figures on stdout.
bool headless_run(Settings *settings, const Flight *flight, Message *problem);

/// A flight whose measurements the caller records.
typedef struct HeadlessDef {
    Settings *settings;
    const Flight *flight;
    /// frames are 1/60 s apart for plans too, which are otherwise spread over Settings.frames
    bool by_clock;
    /// Called for each drawn frame, outside its times. NULL: not called
    bool (*drawn)(void *user, const Viewer *viewer, int frame, Message *problem);
    /// Called at the end, before anything is freed. NULL: not called
    bool (*flown)(void *user, const Viewer *viewer, const SeriesLog *log, Message *problem);
    void *user;
} HeadlessDef;

/// Flies without drawing the final picture.
bool headless_fly(const HeadlessDef *def, Message *problem);

/// Returns the number of frames of a flight.
int headless_frames(const HeadlessDef *def);

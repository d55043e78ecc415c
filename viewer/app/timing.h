/// Frame times, and the launch times: until the first picture, until the player can walk, and until
/// the whole view is shown.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "series/series.h"

typedef enum LaunchStep {
    LAUNCH_WINDOW,  ///< window, shaders and textures are created
    LAUNCH_PICTURE, ///< the first picture is shown
    LAUNCH_GROUND,  ///< the land around the start is shown: the player can walk
    LAUNCH_VIEW,    ///< the whole view is shown
    LAUNCH_STEP_COUNT
} LaunchStep;

typedef struct LaunchTime {
    double seconds;     ///< since timing_begin; 0: step not reached
    double cpu_seconds; ///< processor time of all threads since timing_begin
} LaunchTime;

typedef struct Timing {
    double launched_us, launched_cpu;
    LaunchTime launch[LAUNCH_STEP_COUNT];
    double clock;    ///< seconds of all frames so far, pauses included
    double begun_us; ///< start of the current frame; 0: no frame yet
    // Of the last frame:
    double frame_us;     ///< without panels and comparison
    double work_us;      ///< updating and drawing
    double player_us;    ///< moving the camera
    double panel_us;     ///< drawing the panels
    double panel_own_us; ///< the part of panel_us that this thread worked outside the driver
    double compare_us;   ///< comparing containers
} Timing;

/// Starts measuring the launch.
Timing timing_begin(void);

/// Begins a frame. @return seconds since the last frame began, at most 0.1: after a stall the
/// camera must not jump far
double timing_begin_frame(Timing *timing);

/// Writes the times of the last frame into their series.
void timing_measure(const Timing *timing, SeriesFrame *frame);

/// Records that a launch step is reached. @return whether for the first time
bool timing_reach(Timing *timing, LaunchStep step);
bool timing_has_reached(const Timing *timing, LaunchStep step);

/// Prints the launch times: "Launch: window 0.41 s (CPU 0.38), first picture 0.60 s (CPU 0.71),
/// ...".
void timing_print_launch(const Timing *timing);

#include "app/timing.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "clock.h"

#define TIMING_STEP_MAX 0.1 // seconds

/// Processor time of all threads, in seconds.
static double timing_cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

Timing timing_begin(void)
{
    return (Timing){.launched_us = clock_us(), .launched_cpu = timing_cpu_seconds()};
}

double timing_begin_frame(Timing *timing)
{
    const double now = clock_us(), past_us = timing->begun_us > 0 ? now - timing->begun_us : 0;
    const double step = fmin(past_us * 1e-6, TIMING_STEP_MAX);
    timing->frame_us = past_us - timing->compare_us - timing->panel_us;
    timing->begun_us = now;
    timing->clock += step;
    return step;
}

void timing_measure(const Timing *timing, SeriesFrame *frame)
{
    frame->values[SERIES_FRAME] = timing->frame_us * 1e-3;
    frame->values[SERIES_WORK] = timing->work_us * 1e-3;
    frame->values[SERIES_PLAYER] = timing->player_us;
    frame->values[SERIES_PANEL] = timing->panel_own_us;
    frame->values[SERIES_COMPARE] = timing->compare_us;
}

bool timing_has_reached(const Timing *timing, LaunchStep step)
{
    return timing->launch[step].seconds > 0;
}

bool timing_reach(Timing *timing, LaunchStep step)
{
    if (timing_has_reached(timing, step)) {
        return false;
    }
    timing->launch[step] = (LaunchTime){fmax((clock_us() - timing->launched_us) * 1e-6, 1e-9),
                                        timing_cpu_seconds() - timing->launched_cpu};
    return true;
}

void timing_print_launch(const Timing *timing)
{
    static const char *const names[LAUNCH_STEP_COUNT] = {"window", "first picture", "ground",
                                                         "whole view"};
    const char *before = "Launch: ";
    for (int i = 0; i < LAUNCH_STEP_COUNT; i++) {
        if (timing_has_reached(timing, (LaunchStep)i)) {
            printf("%s%s %.2f s (CPU %.2f)", before, names[i], timing->launch[i].seconds,
                   timing->launch[i].cpu_seconds);
            before = ", ";
        }
    }
    printf("\n");
    (void)fflush(stdout);
}

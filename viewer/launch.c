#include "launch.h"

#include <stdio.h>
#include <time.h>

#include "clock.h"

/// Seconds of processor time of all threads.
static double cpu_seconds(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

Launch launch_begin(void)
{
    return (Launch){.begun_us = clock_us(), .begun_cpu = cpu_seconds()};
}

bool launch_reach(Launch *launch, LaunchStep step)
{
    if (launch->is_reached[step]) {
        return false;
    }
    launch->is_reached[step] = true;
    launch->times[step] =
        (LaunchTime){(clock_us() - launch->begun_us) * 1e-6, cpu_seconds() - launch->begun_cpu};
    return true;
}

void launch_describe(const Launch *launch, char *text, size_t size)
{
    static const char *const names[LAUNCH_STEP_COUNT] = {"window", "first picture", "ground",
                                                         "whole view"};
    size_t length = (size_t)snprintf(text, size, "Launch:");
    const char *between = " ";
    for (int i = 0; i < LAUNCH_STEP_COUNT; i++) {
        if (launch->is_reached[i] && length < size) {
            const LaunchTime *time = &launch->times[i];
            length += (size_t)snprintf(text + length, size - length, "%s%s %.2f s (CPU %.2f)",
                                       between, names[i], time->seconds, time->cpu_seconds);
            between = ", ";
        }
    }
}

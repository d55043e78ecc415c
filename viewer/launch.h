/// How long it takes from the beginning until there is something to see, to walk on, and all of the
/// view: by the clock, and of the processor. The window prints it once, for people and tests.
#ifndef TERRANE_VIEWER_LAUNCH_H
#define TERRANE_VIEWER_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>

typedef enum LaunchStep {
    LAUNCH_WINDOW,  ///< window, shaders and textures are made
    LAUNCH_PICTURE, ///< the first picture is shown
    LAUNCH_GROUND,  ///< the land around the start is shown: one can walk
    LAUNCH_VIEW,    ///< all of the view is shown
    LAUNCH_STEP_COUNT
} LaunchStep;

typedef struct LaunchTime {
    double seconds;     ///< since launch_begin
    double cpu_seconds; ///< of all threads of the process in that time
} LaunchTime;

typedef struct Launch {
    double begun_us, begun_cpu;
    LaunchTime times[LAUNCH_STEP_COUNT];
    bool is_reached[LAUNCH_STEP_COUNT];
} Launch;

Launch launch_begin(void);

/// Notes a step, once. @return whether it is reached for the first time
bool launch_reach(Launch *launch, LaunchStep step);

/// Writes what was reached: "Launch: window 0.41 s (CPU 0.38), first picture 0.60 s (CPU 0.71),
/// ...".
void launch_describe(const Launch *launch, char *text, size_t size);

#endif

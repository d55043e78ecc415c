/// Progress of a long job on one line of a terminal: percent and time left.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Progress {
    FILE *stream;     ///< NULL: shows nothing
    const char *name; ///< stands before the figures
    int64_t done, total;
    double start_us, shown_us;
    bool is_shown; ///< the terminal shows a line
} Progress;

/// Starts the clock. @param stream  shows nothing if it is no terminal; @param name  borrowed
Progress progress_start(FILE *stream, const char *name, int64_t total);

/// Counts a step. After a second it shows a line, and updates it five times a second.
/// Cost: about 30 ns.
void progress_step(Progress *progress);

/// Says how much is done. @param total  0: unknown; then it shows the time that has passed
void progress_set(Progress *progress, int64_t done, int64_t total);

/// As progress_step, at a given time on clock_us().
void progress_step_at(Progress *progress, double now_us);

/// Erases the line.
void progress_end(Progress *progress);

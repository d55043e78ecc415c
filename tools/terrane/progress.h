/// How far a long piece of work is, on one line of a terminal: percent, and the time that is left.
#ifndef TERRANE_TOOL_PROGRESS_H
#define TERRANE_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct Progress {
    FILE *stream;     ///< NULL: nothing is shown
    const char *name; ///< stands before the figures
    int64_t done, total;
    double start_us, shown_us;
    bool is_shown; ///< a line stands there
} Progress;

/// Starts the clock. @param stream  what is no terminal is shown nothing; @param name  borrowed
Progress progress_start(FILE *stream, const char *name, int64_t total);

/// One more step is done. Shows a line once a second has passed, and a new one five times a second.
/// Cost: about 30 ns.
void progress_step(Progress *progress);

/// As progress_step, at a given time on clock_us().
void progress_step_at(Progress *progress, double now_us);

/// Takes the line away.
void progress_end(Progress *progress);

#endif

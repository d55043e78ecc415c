/// Makes the benchmark's report while the start screen keeps running: this program runs once more
/// beside it, with --benchmark.
///
/// Threads: one thread at a time may call these functions.
#pragma once

#include "message.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Reporter Reporter;

typedef struct ReporterNow {
    bool has_ended, is_stopped;
    float part;  ///< 0..1
    char at[96]; ///< what is flown: "flight 2 of 5, fast: frame 120 of 600"; empty: not begun
} ReporterNow;

/// @param program  the viewer's path
/// @param folder   of the report; created if it is missing
/// @return NULL if the program cannot be started
Reporter *reporter_begin(const char *program, const char *folder, Message *problem);

/// Returns the progress; call it once a frame. Does not wait.
ReporterNow reporter_now(Reporter *reporter);

/// Asks the program to stop. reporter_now says when it has.
void reporter_stop(Reporter *reporter);

/// Stops the program if it still runs, and frees it.
/// @param problem  receives why there is no report: the last that the program has said
/// @return whether the report is complete
bool reporter_end(Reporter *reporter, Message *problem);

#ifdef __cplusplus
}
#endif

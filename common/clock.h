/// Clocks for measuring.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Microseconds of a clock that never jumps (CLOCK_MONOTONIC), from an arbitrary start.
double clock_us(void);

/// Waits for the next step of clock_us. @return the time after it
double clock_next_us(void);

/// The least by which clock_us advances, in microseconds: some 0.03 on a machine, 5 to 100 in a
/// browser. Waits for 20 steps.
double clock_step_us(void);

/// Processor time of this thread in microseconds; that of clock_us where a platform has no such
/// clock (Emscripten).
double clock_thread_us(void);

#ifdef __cplusplus
}
#endif

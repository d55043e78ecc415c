/// Time for measuring.
#ifndef TERRANE_COMMON_CLOCK_H
#define TERRANE_COMMON_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/// Microseconds on a clock that never jumps (CLOCK_MONOTONIC), from an arbitrary start.
double clock_us(void);

/// Microseconds that this thread has run: not those in which others had its core.
double clock_thread_us(void);

#ifdef __cplusplus
}
#endif

#endif

/// Clocks for work that is timed step by step.
#pragma once

#include <ctime>

/// Nanoseconds of a clock: CLOCK_MONOTONIC, or CLOCK_THREAD_CPUTIME_ID for the calling thread's
/// own time.
double clock_ns(clockid_t clock);

/// clock_step_us in nanoseconds, measured once.
double clock_step_ns();

/// Nanoseconds that one call of `work` takes.
template <class Work> double ns_of(const Work &work, clockid_t clock = CLOCK_MONOTONIC)
{
    const double start = clock_ns(clock);
    work();
    return clock_ns(clock) - start;
}

/// Sleeps until CLOCK_MONOTONIC reaches a time in nanoseconds.
void sleep_until_ns(double ns);

/// Makes the compiler believe that a value is used, so that it computes it.
template <class Value> inline void keep(const Value &value)
{
    asm volatile("" : : "r,m"(value) : "memory");
}

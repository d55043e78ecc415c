/// Clocks, and measuring the time of a call.
#pragma once

#include <ctime>

/// Nanoseconds of a clock: CLOCK_MONOTONIC, or CLOCK_THREAD_CPUTIME_ID for the calling thread's
/// processor time.
double clock_ns(clockid_t clock);

/// clock_step_us in nanoseconds, measured once.
double clock_step_ns();

/// The shortest time that reading the clock takes. Every measured time includes it.
inline double clock_cost_ns()
{
    double least = 1e9;
    for (int i = 0; i < 1000; i++) {
        const double start = clock_ns(CLOCK_MONOTONIC);
        const double ns = clock_ns(CLOCK_MONOTONIC) - start;
        least = ns < least ? ns : least;
    }
    return least;
}

/// Nanoseconds that one call of `work` takes.
template <class Work> double ns_of(const Work &work, clockid_t clock = CLOCK_MONOTONIC)
{
    const double start = clock_ns(clock);
    work();
    return clock_ns(clock) - start;
}

/// Sleeps until CLOCK_MONOTONIC reaches a time in nanoseconds.
void sleep_until_ns(double ns);

/// Prevents the compiler from optimising away the computation of a value.
template <class Value> inline void keep(const Value &value)
{
    asm volatile("" : : "r,m"(value) : "memory");
}

#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#include "clock.h"

#include <time.h>

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

double clock_us(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double clock_thread_us(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

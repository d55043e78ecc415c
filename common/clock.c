#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#include "clock.h"

#include <time.h>

static double clock_in_us(struct timespec time)
{
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

double clock_us(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return clock_in_us(now);
}

double clock_next_us(void)
{
    const double before = clock_us();
    double now = before;
    while (now == before) {
        now = clock_us();
    }
    return now;
}

double clock_step_us(void)
{
    double least = 1e6;
    for (int i = 0; i < 20; i++) {
        const double before = clock_us(), step = clock_next_us() - before;
        least = step < least ? step : least;
    }
    return least;
}

double clock_thread_us(void)
{
    struct timespec now;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0 ? clock_in_us(now) : clock_us();
}

#include "base/system.h"

#include "base/clock.h"

#if defined(_WIN32)

double trn_clock_us(void)
{
    LARGE_INTEGER ticks, ticks_a_second; // neither call fails since Windows XP
    (void)QueryPerformanceCounter(&ticks);
    (void)QueryPerformanceFrequency(&ticks_a_second);
    return (double)ticks.QuadPart * 1e6 / (double)ticks_a_second.QuadPart;
}

#else

#include <time.h>

double trn_clock_us(void)
{
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

#endif

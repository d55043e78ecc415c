#define _POSIX_C_SOURCE 200809L // NOLINT(bugprone-reserved-identifier)
#include "clock.h"

#include <time.h>

double clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

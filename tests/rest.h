/// Sleeping in tests. _POSIX_C_SOURCE must be 200809L, or _XOPEN_SOURCE 700.
#pragma once

#include <stdint.h>
#include <time.h>

/// Sleeps at least so long; on Windows, whose nanosleep rounds down, at least a millisecond.
static inline void test_rest_us(uint32_t us)
{
#if defined(_WIN32)
    us = us < 1000 ? 1000 : us;
#endif
    const struct timespec time = {(time_t)(us / 1000000), (long)(us % 1000000) * 1000};
    nanosleep(&time, NULL);
}

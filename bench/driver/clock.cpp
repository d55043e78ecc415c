#include "driver/clock.hpp"

#include "clock.h"

double clock_ns(clockid_t clock)
{
    timespec now = {};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double clock_step_ns()
{
    static const double step_ns = clock_step_us() * 1000;
    return step_ns;
}

void sleep_until_ns(double ns)
{
    const double left_ns = ns - clock_ns(CLOCK_MONOTONIC);
    if (left_ns > 0) {
        const auto whole = static_cast<long long>(left_ns);
        const timespec left = {static_cast<std::time_t>(whole / 1000000000),
                               static_cast<long>(whole % 1000000000)};
        nanosleep(&left, nullptr);
    }
}

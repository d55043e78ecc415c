#include "driver/clock.hpp"

double clock_ns(clockid_t clock)
{
    std::timespec time = {};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

void sleep_until_ns(double ns)
{
    const double left_ns = ns - clock_ns(CLOCK_MONOTONIC);
    if (left_ns > 0) {
        const auto whole = static_cast<long>(left_ns);
        const std::timespec time = {whole / 1000000000, whole % 1000000000};
        nanosleep(&time, nullptr);
    }
}

#include "driver/progress.hpp"

#include <cstdio>

#include <unistd.h>

namespace bench {

void show_progress(const std::string &line)
{
    if (isatty(STDERR_FILENO)) {
        std::fprintf(stderr, "\r  %-60.60s", line.c_str());
    }
}

void wipe_progress()
{
    if (isatty(STDERR_FILENO)) {
        std::fprintf(stderr, "\r%62s\r", "");
    }
}

} // namespace bench

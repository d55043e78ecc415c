#include "environment.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <sys/utsname.h>
#include <thread>

#include <terrane/base.h>

#include "commit.h"
#include "timing.hpp"

namespace {

/// The value behind a key in /proc/cpuinfo, of the first processor; empty where there is none.
std::string cpuinfo(const char *key)
{
    std::string value;
    if (std::FILE *file = std::fopen("/proc/cpuinfo", "r")) {
        char line[512];
        while (value.empty() && std::fgets(line, sizeof line, file)) {
            const char *colon = std::strchr(line, ':');
            const std::size_t length = std::strlen(key);
            const bool is_key =
                std::strncmp(line, key, length) == 0 &&
                (line[length] == '\t' || line[length] == ' ' || line[length] == ':');
            if (colon && is_key) {
                value = colon + 1;
                value.erase(0, value.find_first_not_of(' '));
                value.erase(value.find_last_not_of(" \n") + 1);
            }
        }
        std::fclose(file);
    }
    return value;
}

std::string processor()
{
    const std::string model = cpuinfo("model name");
    return (model.empty() ? "unknown" : model) + ", family " + cpuinfo("cpu family") + " model " +
           cpuinfo("model") + ", " + std::to_string(std::thread::hardware_concurrency()) +
           " processors";
}

std::string system_name()
{
    utsname name;
    return uname(&name) == 0 ? std::string(name.sysname) + " " + name.release + " " + name.machine
                             : "unknown";
}

std::string date()
{
    const std::time_t now = std::time(nullptr);
    std::tm utc = {};
    char text[32] = "";
    if (gmtime_r(&now, &utc)) {
        std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
    }
    return text;
}

std::string steadiness_text()
{
    const double ratio = Steadiness::instance().ratio();
    char text[64];
    std::snprintf(text, sizeof text, "slow tenth %.2f times the fastest", ratio);
    return std::isfinite(ratio) ? text : "not probed";
}

} // namespace

std::vector<std::pair<std::string, std::string>> environment()
{
    return {{"version", trn_version()}, {"commit", TERRANE_COMMIT},
            {"date", date()},           {"compiler", TERRANE_COMPILER " " __VERSION__},
            {"flags", TERRANE_FLAGS},   {"system", system_name()},
            {"processor", processor()}, {"steadiness", steadiness_text()}};
}

// ---- steadiness --------------------------------------------------------------------------------

Steadiness &Steadiness::instance()
{
    static Steadiness the_one;
    return the_one;
}

void Steadiness::probe()
{
    const double start = clock_ns(CLOCK_MONOTONIC);
    volatile std::uint64_t seed = 1;
    std::uint64_t x = seed;
    for (int i = 0; i < 100000; i++) {
        x = x * UINT64_C(6364136223846793005) +
            1442695040888963407u; // each waits for the one before
    }
    seed = x;
    times.push_back(clock_ns(CLOCK_MONOTONIC) - start);
}

double Steadiness::ratio() const
{
    if (times.size() < 10) {
        return std::nan("");
    }
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() * 9 / 10] / sorted.front();
}

void Steadiness::warn() const
{
    const double limit = 1.15;
    if (ratio() > limit) {
        std::fprintf(
            stderr,
            "terrane-bench: this machine was not steady: in a tenth of the run, a loop that "
            "always does the same took %.2f times\nas long as at best. Trust ratios, not small "
            "differences; stop what else runs, or pin the bench: taskset -c 1 terrane-bench ...\n",
            ratio());
    }
}

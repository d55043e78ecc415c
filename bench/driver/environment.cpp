#include "driver/environment.hpp"

#include <cstdio>
#include <cstring>
#include <ctime>

#include <thread>

#include <terrane/base.h>

#include "commit.h"
#include "driver/machine.hpp"
#include "system.h"

namespace {

/// The first processor's value of a key in /proc/cpuinfo; empty if missing.
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
    return std::string(system_facts().processor) + ", family " + cpuinfo("cpu family") + " model " +
           cpuinfo("model") + ", " + std::to_string(std::thread::hardware_concurrency()) +
           " processors";
}

std::string date()
{
    const std::time_t now = std::time(nullptr);
    char text[32] = "";
    if (const std::tm *utc = std::gmtime(&now)) {
        std::strftime(text, sizeof text, "%Y-%m-%d", utc);
    }
    return text;
}

/// The load average when the figures are written.
std::string load()
{
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", busy_processes());
    return text;
}

} // namespace

std::vector<std::pair<std::string, std::string>> environment()
{
    return {{"version", trn_version()},
            {"commit", TERRANE_COMMIT},
            {"date", date()},
            {"compiler", TERRANE_COMPILER " " __VERSION__},
            {"flags", TERRANE_FLAGS},
            {"system", system_facts().name},
            {"processor", processor()},
            {"huge pages", huge_page_mode()},
            {"load", load()}};
}

/// The parts of topic `stream` beside flights.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driver/report.hpp"

/// A cold start: from an empty world to every chunk made and meshed.
struct ColdStart {
    std::string problem; ///< why there are no figures; empty where there are
    double cpu_ms = 0;   ///< of all threads
    double all_ms = 0, ground_ms = 0;
    double bytes_peak = 0, rss_bytes = 0;
    double parts_bytes[4] = {}; ///< in the end: store, meshes, the stream's own, what hooks take
    std::size_t chunks = 0;
    std::vector<std::pair<double, double>> shown; ///< ms, and chunks that are shown by then
};

/// @param alone  sixty updates a second with the def's budget and workers; otherwise one update
///               after the other, in which the calling thread works as well
ColdStart start_cold(std::uint32_t radius, std::uint32_t height, std::size_t bytes_max, bool alone);

/// Flies the same flights, edits and teleports at 0, 1, 2, 4 and 8 workers, and prints the hashes
/// of voxels and meshes.
/// @return whether all are the same
bool replays_agree();

/// An hour in step time, in circles that take less than a minute, digging.
struct HourFigures {
    std::string problem;
    std::vector<double> bytes, rss_bytes; ///< the most of each minute
    double seconds = 0;                   ///< that it took
};
HourFigures fly_an_hour(double minutes);

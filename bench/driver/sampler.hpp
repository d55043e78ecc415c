/// Takes samples of many measurements in turn, within a time budget.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// How long and how often to measure.
struct Pace {
    double sample_ns;       ///< about how long one sample takes
    std::size_t least = 3;  ///< samples of each turn to take before least_end_ns
    std::size_t usual = 15; ///< samples of each turn to take before end_ns
    // Times of CLOCK_MONOTONIC.
    double end_ns;         ///< until then `usual` samples are taken
    double least_end_ns;   ///< until then `least` samples are taken
    double hard_end_ns;    ///< until then each turn's first sample is taken, and none after it
    bool is_quick = false; ///< no turn takes more than `usual` samples
};

/// One measurement that is repeated.
struct Turn {
    /// Takes one sample of about `ns`. @return false when no more can be taken
    std::function<bool(double ns)> take;
    std::size_t samples_max = 0; ///< 0: Pace::usual
    std::size_t taken = 0;
    double last_ns = 0; ///< how long the last sample took
};

/// Takes samples of all turns in rounds. The order changes from round to round, so that a slow
/// second of the machine affects all contenders alike.
/// @param where  start of the progress line
void take_turns(std::vector<Turn> &turns, const Pace &pace, const std::string &where = {});

/// A turn for work that can be repeated without preparation. Determines how many calls fill a
/// sample.
/// @param work  outlives the turn
/// @param times  receives nanoseconds a call; outlives the turn
Turn turn_of_work(const std::function<void()> &work, std::vector<double> &times);

/// A turn for work that times itself. @param calls how many are averaged for a sample; 0: as many
/// as fit
Turn turn_of_measure(const std::function<double()> &measure, std::size_t calls,
                     std::vector<double> &times);

} // namespace bench

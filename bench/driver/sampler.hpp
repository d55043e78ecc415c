/// Takes samples of many measurements in turn, within a time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

/// How long and how often to measure.
struct Pace {
    double sample_ns;       ///< about how long one sample takes
    std::size_t least = 3;  ///< samples of each turn, if there is a little time
    std::size_t usual = 15; ///< samples of each turn, if there is more
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

/// Takes samples of all turns in rounds, in an order that changes from round to round, so that a
/// slow second of the machine does not fall on one contender alone.
/// @param where  begins the line of progress
void take_turns(std::vector<Turn> &turns, const Pace &pace, const std::string &where = {});

/// A turn for work that can be repeated at once. Finds out how many calls fill a sample.
/// @param work  outlives the turn
/// @param times  receives nanoseconds a call; outlives the turn
Turn turn_of_work(const std::function<void()> &work, std::vector<double> &times);

/// A turn for work that measures itself. @param calls  averaged for a sample; 0: as many as fit
Turn turn_of_measure(const std::function<double()> &measure, std::size_t calls,
                     std::vector<double> &times);

} // namespace bench

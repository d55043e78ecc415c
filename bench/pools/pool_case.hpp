/// One measurement of topic `pools`, whatever part of the topic it comes from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "options.hpp"

struct PoolCase {
    std::string question, world, contender;
    std::string unit; ///< "ns" or "us"
    bool is_baseline = false;
    std::size_t count = 0;      ///< objects, pieces or particles that live
    std::size_t parts = 1;      ///< what a call's time is divided by: objects, frames
    std::function<void()> work; ///< one call; may be called any number of times
    /// Called once before anything is timed: whether the contender's answers are those of a simple
    /// model.
    std::function<bool()> is_right;

    std::string name() const
    {
        return question + " | " + world + " | " + contender;
    }
};

/// Which contenders of a scene to measure: none where the filter passes none, otherwise the first,
/// which is the baseline, and those that pass.
inline std::vector<std::string> wanted_contenders(const BenchOptions &options,
                                                  const std::string &question,
                                                  const std::string &world,
                                                  const std::vector<std::string> &contenders)
{
    std::vector<std::string> wanted;
    bool is_any_wanted = false;
    for (const std::string &contender : contenders) {
        const bool wants = options.wants(question, world, contender);
        is_any_wanted = is_any_wanted || wants;
        if (wants || contender == contenders.front()) {
            wanted.push_back(contender);
        }
    }
    return is_any_wanted ? wanted : std::vector<std::string>();
}

/// A number from a number, as good as random: a step of splitmix64 (Steele, Lea, Flood, 2014).
inline std::uint64_t mixed_bits(std::uint64_t value)
{
    value += UINT64_C(0x9E3779B97F4A7C15); // so that 0 does not stay 0
    value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
    return value ^ value >> 31;
}

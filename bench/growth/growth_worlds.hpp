/// The worlds of topic `growth`: the order in which chunks come and go.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <terrane/coord.h>

/// Chunks that all come, or all go, one after the other: a range of GrowthWorld::chunks.
struct GrowthBatch {
    std::size_t first, count;
    bool goes;
};

struct GrowthWorld {
    std::string name; ///< "ball R=16"
    /// Each stands here once when it comes, and once more when it goes. None comes twice.
    std::vector<TrnCoord> chunks;
    std::vector<GrowthBatch> batches;
    std::vector<TrnCoord> present; ///< those that are there in the end
    std::size_t come = 0;          ///< how many ever come
    std::size_t cells = 0;         ///< of the box around all that ever come
    bool is_long = false;          ///< measured less often
};

/// Balls and a flattened one, nearest chunk first, and walks that keep or drop what lies behind.
/// @param is_quick  leaves the worlds out that take seconds
std::vector<GrowthWorld> make_growth_worlds(bool is_quick);

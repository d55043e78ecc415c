/// The worlds of topic `growth`: the order in which chunks are inserted and removed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <terrane/coord.h>

/// Chunks that are all inserted, or all removed: a range of GrowthWorld::chunks.
struct GrowthBatch {
    std::size_t first, count;
    bool goes;
};

struct GrowthWorld {
    std::string name; ///< "ball R=16"
    /// Each chunk is listed once for its insert and once for its removal. None is inserted twice.
    std::vector<TrnCoord> chunks;
    std::vector<GrowthBatch> batches;
    std::vector<TrnCoord> present; ///< chunks at the end
    std::size_t come = 0;          ///< how many inserts
    std::size_t cells = 0;         ///< cells of the box around all chunks ever inserted
    bool is_long = false;          ///< fewer samples are taken
};

/// Balls, one of them flattened, nearest chunk first; and walks that keep or drop the chunks
/// behind.
/// @param is_quick  leaves out the worlds that take seconds
std::vector<GrowthWorld> make_growth_worlds(bool is_quick);

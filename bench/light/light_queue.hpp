/// Light as in fast engines: a breadth-first queue over a region, started only where light can
/// spread.
#pragma once

#include <cstdint>
#include <vector>

#include "light_region.hpp"

class LightQueue {
  public:
    explicit LightQueue(const LightRegion &lit);

    /// Sky light: 15 in each column down to the first voxel that is not clear. The queue starts at
    /// lit voxels below the top of a neighbouring column's ground.
    void sky();
    /// Block light. The queue starts at each source.
    void blocks();
    /// Adds one source, after blocks().
    void add(LightSource source);
    /// Removes a source that add() added.
    void remove(LightSource source);

    std::vector<std::uint8_t> levels; ///< [light_voxels]

  private:
    void find_heights();
    void fill_sky();
    void start(std::size_t at, std::uint8_t level);
    void visit(std::size_t at, std::uint8_t level);
    void darken(std::size_t at, std::uint8_t level);
    template <class Each> void for_each_beside(std::size_t at, const Each &each);
    void spread();

    const LightRegion &region;
    std::vector<std::int16_t> heights;   ///< by column: the lowest voxel open to the sky
    std::vector<std::uint32_t> queue;    ///< a ring buffer
    std::vector<LightSource> removed;    ///< what remove() darkens: voxels and their old levels
    std::vector<std::uint32_t> brighter; ///< voxels whose light gets into what was darkened
    std::size_t first = 0, count = 0;
};

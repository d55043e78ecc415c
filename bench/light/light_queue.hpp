/// Light as good engines do it: one queue over a region, started only where light can spread.
#pragma once

#include <cstdint>
#include <vector>

#include "light_region.hpp"

class LightQueue {
  public:
    explicit LightQueue(const LightRegion &lit);

    /// Light of the sky: columns down to the first voxel that is not clear are 15. The queue starts
    /// at the voxels of a column that are below the top of a neighbouring column's ground.
    void sky();
    /// Light of blocks: the queue starts at each source.
    void blocks();
    /// Adds one source, after blocks().
    void add(LightSource source);

    std::vector<std::uint8_t> levels; ///< [light_voxels]

  private:
    void find_heights();
    void fill_sky();
    void start(std::size_t at, std::uint8_t level);
    void visit(std::size_t at, std::uint8_t level);
    void spread();

    const LightRegion &region;
    std::vector<std::int16_t> heights; ///< of each column: the lowest voxel that is open to the sky
    std::vector<std::uint32_t> queue;  ///< a ring
    std::size_t first = 0, count = 0;
};

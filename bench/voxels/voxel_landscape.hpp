/// The lands for measurements of memory.
#pragma once

#include <array>
#include <vector>

#include <terrane/noise.h>
#include <terrane/terrain.h>

#include "voxel_fixture.hpp"

enum class Land {
    generated, ///< the built-in terrain
    caves,     ///< the same with tunnels, and with four ores in the stone
    flat       ///< flat: grass on dirt on stone
};

/// Generates chunks of each kind of land. Equal arguments give equal blocks.
class Landscape {
  public:
    explicit Landscape(const VoxelTypes &block_types);

    /// @param blocks  [TRN_CHUNK_VOXELS] every element is written
    void make(Land land, TrnCoord coord, TrnBlock *blocks);

  private:
    void generate(TrnCoord coord, TrnBlock *blocks);
    void carve(TrnCoord coord, TrnBlock *blocks);

    static const std::size_t noise_count = 2 + VoxelTypes::ore_count; ///< 2 for tunnels, 1 per ore
    const VoxelTypes &types;
    std::array<TrnNoise, noise_count> noises;
    std::array<std::vector<float>, noise_count> values; ///< of a chunk's voxels
    Owned<TrnTerrain, trn_terrain_destroy> terrain;
};

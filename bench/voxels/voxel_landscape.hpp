/// The lands that memory is measured on.
#pragma once

#include <terrane/terrain.h>

#include "voxel_fixture.hpp"

enum class Land {
    generated, ///< the built-in terrain
    caves,     ///< the same with tunnels, and with four ores in the stone
    flat       ///< grass upon dirt upon stone, level
};

/// Makes chunks of any land, the same at every call.
class Landscape {
  public:
    explicit Landscape(const VoxelTypes &block_types);

    /// @param blocks  [TRN_CHUNK_VOXELS], written all
    void make(Land land, TrnCoord coord, TrnBlock *blocks);

  private:
    void generate(TrnCoord coord, TrnBlock *blocks);
    void carve(TrnCoord coord, TrnBlock *blocks) const;

    const VoxelTypes &types;
    Owned<TrnTerrain, trn_terrain_destroy> terrain;
};

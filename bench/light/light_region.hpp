/// A region of chunks to light, for every contender alike.
#pragma once

#include <cstdint>
#include <vector>

#include <terrane/store.h>

#include "owned.hpp"

/// What there is in a region.
enum class LightLand {
    hills, ///< the built-in terrain: sky above ground
    caves, ///< the same ground full of caverns, with torches in them
    rooms  ///< a building of many floors, with a lamp in each room
};

/// The edges of a region in chunks, and in voxels.
const int light_chunks[3] = {8, 4, 8};
const int light_edge[3] = {8 * 32, 4 * 32, 8 * 32};
const std::size_t light_voxels =
    static_cast<std::size_t>(light_edge[0]) * light_edge[1] * light_edge[2];

/// The place of a voxel in an array of the region: x fastest, then z, then y.
inline std::size_t light_at(int x, int y, int z)
{
    return (static_cast<std::size_t>(y) * light_edge[2] + z) * light_edge[0] + x;
}

/// A voxel that emits light.
struct LightSource {
    std::uint32_t at; ///< light_at
    std::uint8_t level;
};

/// Around it lies opaque ground, and above it open sky.
class LightRegion {
  public:
    explicit LightRegion(LightLand land);

    /// The chunk and its neighbours, of a chunk that is in the region.
    void around(TrnCoord coord, TrnSnapshot *snapshots) const;

    Owned<TrnBlockTypes, trn_block_types_destroy> types; ///< outlives the store
    Owned<TrnStore, trn_store_destroy> store;
    std::vector<TrnCoord> surface;      ///< chunks that are not of one block
    std::vector<std::uint8_t> is_clear; ///< [light_voxels] light passes
    std::vector<LightSource> sources;   ///< that emit
    TrnBlock torch = 0;

  private:
    void generate(LightLand land, std::vector<TrnBlock> &blocks);
    void insert(const std::vector<TrnBlock> &blocks);
};

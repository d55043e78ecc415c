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
const std::size_t light_row = std::size_t{8} * 32, light_slice = light_row * 8 * 32; ///< voxels
const std::size_t light_voxels = light_slice * 4 * 32;

/// The place of a voxel in an array of the region: x fastest, then z, then y.
inline std::size_t light_at(int x, int y, int z)
{
    return static_cast<std::size_t>(y) * light_slice + static_cast<std::size_t>(z) * light_row +
           static_cast<std::size_t>(x);
}

/// The voxel of a chunk with a linear index.
inline std::size_t light_at(const TrnCoord &chunk, std::size_t index)
{
    const int i = static_cast<int>(index);
    return light_at(chunk.x * 32 + i % 32, chunk.y * 32 + i / 1024, chunk.z * 32 + i / 32 % 32);
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
    /// Puts a block at a voxel of the store alone. @return the block that was there
    TrnBlock put(int x, int y, int z, TrnBlock block);
    /// Which columns are open above them, as a game keeps it for each chunk: for trn_light_sky.
    void open_above(TrnCoord coord, const std::uint32_t **rows) const;

    Owned<TrnBlockTypes, trn_block_types_destroy> types; ///< outlives the store
    Owned<TrnStore, trn_store_destroy> store;
    std::vector<TrnCoord> surface;      ///< chunks that are not of one block
    std::vector<std::uint8_t> is_clear; ///< [light_voxels] light passes
    std::vector<LightSource> sources;   ///< that emit
    TrnBlock torch = 0;

  private:
    void generate(LightLand land, std::vector<TrnBlock> &blocks);
    void insert(const std::vector<TrnBlock> &blocks);
    void find_open();
    const std::uint32_t *open_at(int x, int y, int z) const;

    std::vector<std::uint32_t> open; ///< [light_chunks, a slice more] 32 rows: open above a chunk
};

/// A region of chunks to light, shared by all contenders.
#pragma once

#include <cstdint>
#include <vector>

#include <terrane/store.h>

#include "owned.hpp"

/// The content of a region.
enum class LightLand {
    hills,      ///< the built-in terrain: sky above ground
    caves,      ///< the same ground full of caverns, with torches in them
    rooms,      ///< a building of many floors, with a lamp in each room
    dark_caves, ///< caves without torches
    dark_rooms  ///< rooms without lamps
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

/// The place in the region's array of a chunk's voxel. @param index linear index
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

/// A region. It is surrounded by opaque ground, with open sky above.
class LightRegion {
  public:
    explicit LightRegion(LightLand land);

    /// Takes snapshots of a chunk of the region and its neighbours.
    void around(TrnCoord coord, TrnSnapshot *snapshots) const;
    /// Sets a voxel in the store only. @return its previous block
    TrnBlock put(int x, int y, int z, TrnBlock block);
    /// The rows of open columns above a chunk and its neighbours, for trn_light_sky. A game would
    /// store them for each chunk.
    void open_above(TrnCoord coord, const std::uint32_t **rows) const;

    Owned<TrnBlockTypes, trn_block_types_destroy> types; ///< outlives the store
    Owned<TrnStore, trn_store_destroy> store;
    std::vector<TrnCoord> surface;      ///< chunks that are not uniform
    std::vector<std::uint8_t> is_clear; ///< [light_voxels] whether light passes
    std::vector<LightSource> sources;   ///< all voxels that emit light
    TrnBlock torch = 0;

  private:
    void generate(LightLand land, std::vector<TrnBlock> &blocks);
    void insert(const std::vector<TrnBlock> &blocks);
    void find_open();
    const std::uint32_t *open_at(int x, int y, int z) const;

    std::vector<std::uint32_t> open; ///< [light_chunks, a slice more] 32 rows: columns open above
};

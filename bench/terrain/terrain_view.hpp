/// The view that topic `terrain` generates: its chunks, their classes and their hashes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <terrane/terrain.h>

#include "owned.hpp"
#include "worlds.hpp"

constexpr std::size_t layer_voxels = std::size_t{TRN_CHUNK_EDGE} * TRN_CHUNK_EDGE;
constexpr std::size_t chunk_voxels = layer_voxels * TRN_CHUNK_EDGE;

/// A terrain that uses one set of kernels.
class Land {
  public:
    /// @param kernels  "AVX2", "scalar"; empty: the fastest. The machine must support them
    explicit Land(const std::string &kernels = "");
    TrnTerrain *get() const
    {
        return terrain.get();
    }

    /// A hash of a chunk's blocks and of its flag `uniform`.
    std::uint64_t hash(TrnCoord coord, std::uint32_t level = 0) const;

  private:
    Owned<TrnTerrain, trn_terrain_destroy> terrain;
};

/// The class of a chunk's content; the first that fits. Uniform classes are for chunks that the
/// generator reports as uniform without writing voxels.
enum ChunkClass {
    uniform_air,
    uniform_water,
    uniform_rock,
    surface_rich, ///< the ground's top in some column of voxels, a tree or cactus, and caves
    surface_plain,
    above_ground, ///< no ground: treetops or the sea's surface
    below_hollow, ///< no ground's top, and caves
    below_solid,
    chunk_class_count
};

/// "uniform: air above the land"
const char *name_of(ChunkClass kind);

inline bool is_uniform(ChunkClass kind)
{
    return kind <= uniform_rock;
}

/// A view: a flattened ball of chunks at sea level.
struct TerrainView {
    TerrainView(int radius, int radius_y);

    World world;
    std::vector<TrnCoord> columns;     ///< y is 0
    std::vector<ChunkClass> classes;   ///< by chunk of the world
    std::vector<std::uint64_t> hashes; ///< by chunk of the world, by the scalar kernels
    std::size_t missed = 0;            ///< uniform chunks that the generator wrote voxel by voxel
    double cave_share = 0;             ///< caves in all voxels from cave_floor to the surface

    /// Chunks of a class, evenly picked from the view. @param most  0: all
    std::vector<std::size_t> chunks_of(ChunkClass kind, std::size_t most = 0) const;

  private:
    void survey_column(const Land &land, TrnCoord column, const std::vector<std::size_t> &chunks);

    std::uint64_t rock = 0, caves = 0;
};

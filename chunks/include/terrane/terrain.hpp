/// Generators, their features and the built-in terrain for C++17 and later (terrane/generator.h,
/// terrane/features.h, terrane/terrain.h). terrane/terrane.hpp says how results and handles work.
///
/// Tier: that of the C functions.
#ifndef TERRANE_TERRAIN_HPP
#define TERRANE_TERRAIN_HPP

#include <cstdint>

#include <terrane/base.hpp>
#include <terrane/features.h>
#include <terrane/generator.h>
#include <terrane/terrain.h>
#include <terrane/voxels.hpp>

namespace trn {

/// Makes a generator of a function object: generate(TrnCoord, std::uint32_t level, Span<TrnBlock>
/// blocks, bool &uniform). Threads: several may call it at once.
/// @param generate   borrowed
/// @param level_max  the coarsest level of detail that it generates
template <class Generate> TrnGenerator generator(Generate &generate, std::uint32_t level_max = 0)
{
    TrnGenerator made{};
    made.generate = [](void *user, TrnCoord coord, std::uint32_t level, TrnBlock *blocks,
                       bool *uniform) {
        *uniform = false;
        return detail::call([&] {
            return (*static_cast<Generate *>(user))(coord, level,
                                                    Span<TrnBlock>(blocks, chunk_voxels), *uniform);
        });
    };
    made.user = &generate;
    made.level_max = level_max;
    return made;
}

/// Borrows a sink, which takes the voxels of features (terrane/features.h).
class FeatureSinkRef : public Borrowed<TrnFeatureSink> {
  public:
    FeatureSinkRef(TrnFeatureSink *c) noexcept : Borrowed(c)
    {
    }
    /// Returns the level of detail that is generated.
    std::uint32_t level() const
    {
        return trn_feature_level(c_);
    }
    /// Writes a block, whatever the land has there.
    void set(TrnVoxel voxel, TrnBlock block)
    {
        trn_feature_set(c_, voxel, block);
    }
    /// Writes a block where air is.
    void add(TrnVoxel voxel, TrnBlock block)
    {
        trn_feature_add(c_, voxel, block);
    }
};

/// Makes features of a function object: place(TrnCoord, FeatureSinkRef). Threads: several may call
/// it at once. trn_features_generator() makes a generator of them.
/// @param place  borrowed
template <class Place>
TrnFeatures features(TrnGenerator ground, Place &place, std::uint32_t reach_chunks = 1,
                     std::uint32_t level_max = 0)
{
    TrnFeatures made{};
    made.ground = ground;
    made.place = [](void *user, TrnCoord coord, TrnFeatureSink *sink) {
        return detail::call(
            [&] { return (*static_cast<Place *>(user))(coord, FeatureSinkRef(sink)); });
    };
    made.user = &place;
    made.reach_chunks = reach_chunks;
    made.level_max = level_max;
    return made;
}

/// Owns the built-in terrain of one seed (terrane/terrain.h). Any thread may generate with it.
class Terrain : public Owned<Borrowed<TrnTerrain>, trn_terrain_destroy> {
  public:
    using Owned::Owned;
    static Result<Terrain> create(const TrnTerrainDef &def = trn_terrain_def())
    {
        return detail::handle_of<Terrain>(trn_terrain_create, &def);
    }
    /// For a stream. Borrows the terrain.
    TrnGenerator generator() const
    {
        return trn_terrain_generator(c_);
    }
    /// @param blocks  [TRN_CHUNK_VOXELS] or more; BAD_ARGUMENT if it is shorter
    /// @return whether every voxel is blocks[0]; the others are then undefined
    Result<bool> generate(TrnCoord coord, Span<TrnBlock> blocks, std::uint32_t level = 0) const
    {
        if (blocks.size() < chunk_voxels) {
            return TRN_RESULT_BAD_ARGUMENT;
        }
        return detail::value_of<bool>(trn_terrain_generate_level, c_, coord, level, blocks.data());
    }
    /// The y of the topmost ground voxel.
    Result<std::int64_t> height(std::int64_t x, std::int64_t z) const
    {
        return detail::value_of<std::int64_t>(trn_terrain_height, c_, x, z);
    }
    Result<TrnTerrainSample> sample(std::int64_t x, std::int64_t z) const
    {
        return detail::value_of<TrnTerrainSample>(trn_terrain_sample, c_, x, z);
    }
};

} // namespace trn

#endif

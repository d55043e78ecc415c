#include "terrain_view.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "terrain/terrain_test_hooks.h"

namespace {

/// Rock below this chunk does not count for the share of caves, since caves taper off there.
const std::int32_t cave_floor_chunk = (TRN_TERRAIN_LOWEST + 64) / TRN_CHUNK_EDGE;
const std::int32_t top_chunk = TRN_TERRAIN_HIGHEST / TRN_CHUNK_EDGE;
const TrnBlock untouched = 0xFFFF;

/// A hash of a chunk, with four independent sums of 8-byte words. Costs a twentieth of generating
/// the chunk.
std::uint64_t hash_of(const TrnBlock *blocks, bool is_uniform)
{
    std::array<std::uint64_t, 4> sums = {1, 2, 3, is_uniform ? 4u : 5u};
    std::array<std::uint64_t, 4> words;
    for (std::size_t i = 0; i < chunk_voxels; i += sizeof words / sizeof *blocks) {
        std::memcpy(words.data(), blocks + i, sizeof words);
        for (std::size_t lane = 0; lane < 4; lane++) {
            sums[lane] = (sums[lane] ^ words[lane]) * 0x9E3779B97F4A7C15u;
            sums[lane] ^= sums[lane] >> 29;
        }
    }
    std::uint64_t hash = 0;
    for (const std::uint64_t sum : sums) {
        hash = (hash ^ sum) * 0xD6E8FEB86659FD93u;
    }
    return hash ^ hash >> 32;
}

bool is_grown(TrnBlock block)
{
    return block >= TRN_BLOCK_OAK_LOG && block <= TRN_BLOCK_CACTUS;
}

bool is_ground(TrnBlock block)
{
    return block != TRN_BLOCK_AIR && block != TRN_BLOCK_WATER && block != TRN_BLOCK_ICE &&
           block < TRN_BLOCK_OAK_LOG;
}

/// Classifies the chunks of a column from the top down.
struct Descent {
    std::array<bool, layer_voxels> is_below = {}; ///< whether ground is above, by x and z
    std::size_t rock = 0, caves = 0;              ///< so far
    // Of the last chunk:
    bool has_tops = false, has_growth = false, has_hollows = false, is_all_below = false,
         is_none_below = false;

    void take(const TrnBlock *blocks)
    {
        has_tops = has_growth = has_hollows = false;
        for (std::size_t y = TRN_CHUNK_EDGE; y-- > 0;) {
            for (std::size_t i = 0; i < layer_voxels; i++) {
                take_voxel(blocks[y * layer_voxels + i], i);
            }
        }
        const auto below = std::count(is_below.begin(), is_below.end(), true);
        is_all_below = below == layer_voxels;
        is_none_below = below == 0;
    }

    ChunkClass kind() const
    {
        if (is_none_below) {
            return above_ground;
        }
        if (has_tops || !is_all_below) {
            return has_growth && has_hollows ? surface_rich : surface_plain;
        }
        return has_hollows ? below_hollow : below_solid;
    }

  private:
    void take_voxel(TrnBlock block, std::size_t place)
    {
        const bool is_hollow = is_below[place] && block == TRN_BLOCK_AIR;
        has_tops = has_tops || (!is_below[place] && is_ground(block));
        has_growth = has_growth || is_grown(block);
        has_hollows = has_hollows || is_hollow;
        is_below[place] = is_below[place] || is_ground(block);
        caves += is_hollow;
        rock += is_below[place] && !is_hollow;
    }
};

ChunkClass uniform_class(TrnBlock block)
{
    return block == TRN_BLOCK_AIR     ? uniform_air
           : block == TRN_BLOCK_WATER ? uniform_water
                                      : uniform_rock;
}

} // namespace

// ---- one terrain --------------------------------------------------------------------------------

Land::Land(const std::string &kernels)
{
    create_owned(terrain, trn_terrain_create, nullptr);
    if (!kernels.empty()) {
        (void)trn_terrain_use_kernels(terrain.get(), kernels.c_str());
    }
}

std::uint64_t Land::hash(TrnCoord coord, std::uint32_t level) const
{
    std::vector<TrnBlock> blocks(chunk_voxels);
    bool is_uniform = false;
    (void)trn_terrain_generate_level(get(), coord, level, blocks.data(), &is_uniform);
    if (is_uniform) {
        std::fill(blocks.begin(), blocks.end(), TrnBlock{blocks[0]});
    }
    return hash_of(blocks.data(), is_uniform);
}

// ---- the view -----------------------------------------------------------------------------------

const char *name_of(ChunkClass kind)
{
    static const std::array<const char *, chunk_class_count> names = {
        "uniform: air above the land",
        "uniform: water",
        "uniform: rock",
        "surface with caves and trees",
        "other surface",
        "no ground: crowns, the sea's surface",
        "below, with caves",
        "below, without caves",
    };
    return names[kind];
}

TerrainView::TerrainView(int radius, int radius_y)
    : world(world_ellipsoid("flattened ball R=" + std::to_string(radius), radius, radius_y)),
      classes(world.chunks.size()), hashes(world.chunks.size())
{
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::size_t>> by_column;
    for (std::size_t i = 0; i < world.chunks.size(); i++) {
        by_column[{world.chunks[i].x, world.chunks[i].z}].push_back(i);
    }
    const Land land("scalar");
    for (const auto &[place, chunks] : by_column) {
        columns.push_back({place.first, 0, place.second});
        survey_column(land, columns.back(), chunks);
    }
    cave_share = static_cast<double>(caves) / static_cast<double>(caves + rock);
}

void TerrainView::survey_column(const Land &land, TrnCoord column,
                                const std::vector<std::size_t> &chunks)
{
    std::vector<TrnBlock> blocks(chunk_voxels);
    Descent descent;
    for (std::int32_t y = top_chunk; y >= cave_floor_chunk; y--) {
        const TrnCoord coord = {column.x, y, column.z};
        blocks.back() = untouched;
        bool uniform = false;
        (void)trn_terrain_generate(land.get(), coord, blocks.data(), &uniform);
        const bool is_proved = uniform && blocks.back() == untouched;
        if (uniform) {
            std::fill(blocks.begin(), blocks.end(), TrnBlock(blocks[0]));
        }
        descent.take(blocks.data());
        const auto at = std::find_if(chunks.begin(), chunks.end(),
                                     [&](std::size_t chunk) { return world.chunks[chunk].y == y; });
        if (at != chunks.end()) {
            classes[*at] = is_proved ? uniform_class(blocks[0]) : descent.kind();
            hashes[*at] = hash_of(blocks.data(), uniform);
            missed += uniform && !is_proved;
        }
    }
    rock += descent.rock;
    caves += descent.caves;
}

std::vector<std::size_t> TerrainView::chunks_of(ChunkClass kind, std::size_t most) const
{
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < classes.size(); i++) {
        if (classes[i] == kind) {
            all.push_back(i);
        }
    }
    if (most == 0 || all.size() <= most) {
        return all;
    }
    std::vector<std::size_t> picked;
    for (std::size_t i = 0; i < most; i++) {
        picked.push_back(all[i * all.size() / most]);
    }
    return picked;
}

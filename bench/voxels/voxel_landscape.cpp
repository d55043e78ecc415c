#include "voxel_landscape.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace {

const int edge = TRN_CHUNK_EDGE;
/// of the topmost voxel, so that the surface lies within a chunk
const std::int64_t flat_height = 12;

/// Value noise: a random number at every `period`-th voxel, blended between. `period` divides a
/// chunk's edge.
class ValueNoise {
  public:
    ValueNoise(std::uint64_t noise_seed, int voxels) : seed(noise_seed), period(voxels)
    {
    }

    /// A row along x of a chunk, values 0..1.
    void row(TrnVoxel first, float out[edge]) const
    {
        const float y = blend_at(first.y), z = blend_at(first.z);
        for (int cell = 0; cell < edge / period; cell++) {
            const std::int64_t x = first.x + static_cast<std::int64_t>(cell) * period;
            const float left = across({x, first.y, first.z}, y, z);
            const float right = across({x + period, first.y, first.z}, y, z);
            for (int i = 0; i < period; i++) {
                out[cell * period + i] = left + (right - left) * blend_at(i);
            }
        }
    }

  private:
    /// How far a voxel is on its way to the next number, smoothly.
    float blend_at(std::int64_t at) const
    {
        const float t = static_cast<float>(at & (period - 1)) / static_cast<float>(period);
        return t * t * (3 - 2 * t);
    }
    /// Between the four numbers around a row, in the plane of x.
    float across(TrnVoxel at, float y, float z) const
    {
        const float low = lerp(number(at, 0, 0), number(at, 0, 1), z);
        const float high = lerp(number(at, 1, 0), number(at, 1, 1), z);
        return lerp(low, high, y);
    }
    static float lerp(float from, float to, float weight)
    {
        return from + (to - from) * weight;
    }
    /// The number of a lattice point, 0..1: SplitMix64's last step over the coordinates.
    float number(TrnVoxel at, int up, int ahead) const
    {
        const auto cell = [this](std::int64_t voxel, int further) {
            return static_cast<std::uint64_t>((voxel & -static_cast<std::int64_t>(period)) +
                                              static_cast<std::int64_t>(further) * period);
        };
        std::uint64_t mixed = seed + cell(at.x, 0) * 0x9E3779B97F4A7C15u +
                              cell(at.y, up) * 0xC2B2AE3D27D4EB4Fu +
                              cell(at.z, ahead) * 0x165667B19E3779F9u;
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
        return static_cast<float>((mixed ^ mixed >> 31) >> 40) / static_cast<float>(1 << 24);
    }
    std::uint64_t seed;
    int period;
};

/// Tunnels run where two noises are both near their middle: the lines in which two wavy sheets
/// cross.
const float tunnel_width = 0.07F;
const ValueNoise tunnel_noises[2] = {{11, 16}, {12, 16}};

const float ore_threshold = 0.80F; ///< of one in 30 voxels of stone or so
const std::array<ValueNoise, VoxelTypes::ore_count> ore_noises = {
    {{21, 8}, {22, 8}, {23, 8}, {24, 8}}};

bool is_tunnel(float a, float b)
{
    return std::fabs(a - 0.5F) < tunnel_width && std::fabs(b - 0.5F) < tunnel_width;
}

bool is_ground(TrnBlock block)
{
    return block != TRN_BLOCK_AIR && block != TRN_BLOCK_WATER;
}

/// Of a row along x: what the ground becomes. `ores` are the noises' values.
void carve_row(const VoxelTypes &types, const float tunnels[2][edge],
               const float ores[VoxelTypes::ore_count][edge], TrnBlock *row)
{
    for (int x = 0; x < edge; x++) {
        if (!is_ground(row[x])) {
            continue;
        }
        for (std::size_t ore = 0; row[x] == TRN_BLOCK_STONE && ore < VoxelTypes::ore_count; ore++) {
            row[x] = ores[ore][x] > ore_threshold ? types.ores[ore] : row[x];
        }
        row[x] = is_tunnel(tunnels[0][x], tunnels[1][x]) ? TrnBlock{TRN_BLOCK_AIR} : row[x];
    }
}

TrnBlock flat_block(std::int64_t y)
{
    return y > flat_height       ? TRN_BLOCK_AIR
           : y == flat_height    ? TRN_BLOCK_GRASS
           : y > flat_height - 4 ? TRN_BLOCK_DIRT
                                 : TRN_BLOCK_STONE;
}

void make_flat(TrnCoord coord, TrnBlock *blocks)
{
    for (int y = 0; y < edge; y++) {
        std::fill_n(blocks + static_cast<std::ptrdiff_t>(y) * edge * edge, edge * edge,
                    flat_block(trn_coord_voxel(coord).y + y));
    }
}

} // namespace

Landscape::Landscape(const VoxelTypes &block_types) : types(block_types)
{
    TrnTerrain *made = nullptr;
    voxel_demand(trn_terrain_create(nullptr, &made));
    terrain.reset(made);
}

void Landscape::generate(TrnCoord coord, TrnBlock *blocks)
{
    bool is_uniform = false;
    voxel_demand(trn_terrain_generate(terrain.get(), coord, blocks, &is_uniform));
    if (is_uniform) {
        std::fill_n(blocks, TRN_CHUNK_VOXELS, TrnBlock{blocks[0]});
    }
}

void Landscape::carve(TrnCoord coord, TrnBlock *blocks) const
{
    for (int row = 0; row < TRN_CHUNK_ROWS; row++) {
        TrnBlock *const at = blocks + static_cast<std::ptrdiff_t>(row) * edge;
        if (std::none_of(at, at + edge, is_ground)) {
            continue;
        }
        TrnVoxel first = trn_coord_voxel(coord);
        first.y += row / edge;
        first.z += row % edge;
        float tunnels[2][edge], ores[VoxelTypes::ore_count][edge];
        for (std::size_t i = 0; i < 2; i++) {
            tunnel_noises[i].row(first, tunnels[i]);
        }
        for (std::size_t i = 0; i < VoxelTypes::ore_count; i++) {
            ore_noises[i].row(first, ores[i]);
        }
        carve_row(types, tunnels, ores, at);
    }
}

void Landscape::make(Land land, TrnCoord coord, TrnBlock *blocks)
{
    if (land == Land::flat) {
        make_flat(coord, blocks);
        return;
    }
    generate(coord, blocks);
    if (land == Land::caves) {
        carve(coord, blocks);
    }
}

#include "voxel_landscape.hpp"

#include <algorithm>
#include <cmath>

namespace {

const std::int64_t flat_height = 12; ///< y of the topmost voxel; the surface lies inside a chunk
const float tunnel_width = 0.07F;
const float ore_threshold = 0.48F; ///< about one in 30 voxels of stone exceeds it, for four ores

/// One layer of gradient noise, with values around 0.
TrnNoise noise_layer(std::uint32_t stream, float wavelength)
{
    TrnNoiseDef def = trn_noise_def(TRN_NOISE_FRACTAL, 3);
    def.stream = stream;
    def.octaves = 1;
    std::fill_n(def.wavelength, 3, wavelength);
    TrnNoise noise = {};
    require(trn_noise_compile(&def, &noise));
    return noise;
}

bool is_ground(TrnBlock block)
{
    return block != TRN_BLOCK_AIR && block != TRN_BLOCK_WATER;
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
    const std::size_t layer = voxel_count / TRN_CHUNK_EDGE;
    for (std::size_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        std::fill_n(blocks + y * layer, layer,
                    flat_block(trn_coord_voxel(coord).y + static_cast<std::int64_t>(y)));
    }
}

} // namespace

Landscape::Landscape(const VoxelTypes &block_types) : types(block_types)
{
    create_owned(terrain, trn_terrain_create, nullptr);
    for (std::uint32_t i = 0; i < noise_count; i++) {
        noises[i] = noise_layer(i, i < 2 ? 24 : 12);
        values[i].resize(voxel_count);
    }
}

void Landscape::generate(TrnCoord coord, TrnBlock *blocks)
{
    bool is_uniform = false;
    require(trn_terrain_generate(terrain.get(), coord, blocks, &is_uniform));
    if (is_uniform) {
        std::fill_n(blocks, voxel_count, TrnBlock{blocks[0]});
    }
}

void Landscape::carve(TrnCoord coord, TrnBlock *blocks)
{
    if (std::none_of(blocks, blocks + voxel_count, is_ground)) {
        return;
    }
    const TrnNoiseGrid grid = {trn_coord_voxel(coord), 0, TRN_CHUNK_EDGE, TRN_CHUNK_EDGE,
                               TRN_CHUNK_EDGE};
    for (std::size_t i = 0; i < noise_count; i++) {
        require(trn_noise_fill(&noises[i], &grid, values[i].data()));
    }
    for (std::size_t at = 0; at < voxel_count; at++) {
        for (std::size_t i = 0; blocks[at] == TRN_BLOCK_STONE && i < VoxelTypes::ore_count; i++) {
            blocks[at] = values[2 + i][at] > ore_threshold ? types.ores[i] : blocks[at];
        }
        // Tunnels follow the lines where two surfaces of zero noise intersect.
        const float farther = std::max(std::fabs(values[0][at]), std::fabs(values[1][at]));
        if (is_ground(blocks[at]) && farther < tunnel_width) {
            blocks[at] = TRN_BLOCK_AIR;
        }
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

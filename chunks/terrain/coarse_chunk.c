// Chunks above level 0: heights compared with y.

#include <string.h>

#include "terrain/coarse_impl.h"
#include "terrain/volume_impl.h"

/// A column in units of its level, from the chunk's lowest layer, in arrays so that writing a layer
/// takes a few vector operations.
typedef struct CoarseRows {
    int16_t grounds[TRN_LAYER_VOXELS]; ///< topmost layer of ground
    int16_t crowns[TRN_LAYER_VOXELS];  ///< topmost layer of trees; the ground's without them
    int16_t rocks[TRN_LAYER_VOXELS];   ///< topmost layer of rock
    TrnBlock tops[TRN_LAYER_VOXELS], fillers[TRN_LAYER_VOXELS], leaves[TRN_LAYER_VOXELS];
    int16_t crown, ground; ///< the greatest
} CoarseRows;

static void coarse_unpack(const TrnCoarseColumn *column, TrnCoord coord, uint32_t level,
                          CoarseRows *rows)
{
    const int32_t bottom = coord.y * TRN_CHUNK_EDGE;
    rows->crown = rows->ground = INT16_MIN;
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const TrnCoverBlocks cover = trn_cover_blocks[column->covers[i]];
        const int32_t layers = trn_coarse_cover_layers(column->covers[i], level);
        const int32_t crown = trn_coarse_crown(column->covers[i]) >> level;
        const int32_t ground = (column->heights[i] >> level) - bottom;
        rows->grounds[i] = (int16_t)ground;
        rows->crowns[i] = (int16_t)(ground + crown);
        rows->rocks[i] = (int16_t)(ground - layers);
        rows->tops[i] = crown > 0 ? cover.filler : cover.top;
        rows->fillers[i] = cover.filler;
        rows->leaves[i] = cover.top;
        rows->ground = rows->grounds[i] > rows->ground ? rows->grounds[i] : rows->ground;
        rows->crown = rows->crowns[i] > rows->crown ? rows->crowns[i] : rows->crown;
    }
}

/// Writes what is above the ground in one layer: air, water or ice.
/// @param height  of the layer, in units of the level
static void coarse_write_open(const TrnCoarseColumn *column, int32_t height, TrnBlock *blocks)
{
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const TrnBlock sea = column->seas[i];
        const TrnBlock below = sea ? TRN_BLOCK_WATER : TRN_BLOCK_AIR;
        const int32_t surface = column->waters[i];
        blocks[i] = height > surface ? (TrnBlock)TRN_BLOCK_AIR : height == surface ? sea : below;
    }
}

/// Writes the rock of one layer.
static void coarse_write_rock(const TrnTerrain *terrain, const TrnCoarseColumn *column,
                              int64_t voxel_y, TrnBlock *restrict out)
{
    const int16_t *restrict shifts = column->strata_shifts;
    const TrnSlabRock rock = trn_volume_rock(terrain, column->strata_shift_range, voxel_y);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        out[i] = shifts[i] < rock.change ? rock.low : rock.high;
    }
    for (size_t i = 0; rock.is_mixed && i < TRN_LAYER_VOXELS; i++) {
        out[i] = terrain->strata[(uint8_t)(rock.y + shifts[i])];
    }
}

/// Writes trees and ground of one layer over `blocks`.
static void coarse_write_ground(const CoarseRows *restrict rows, int16_t y,
                                const TrnBlock *restrict rock, TrnBlock *restrict blocks)
{
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int16_t ground = rows->grounds[i], crown = rows->crowns[i], deep = rows->rocks[i];
        const TrnBlock top = rows->tops[i], filler = rows->fillers[i], leaf = rows->leaves[i];
        const TrnBlock stone = rock[i], open = blocks[i];
        TrnBlock block = y <= crown ? leaf : open;
        block = y <= ground ? top : block;
        block = y < ground ? filler : block;
        blocks[i] = y <= deep ? stone : block;
    }
}

/// Rock that no coarse chunk shows is stone throughout, without strata.
bool trn_coarse_is_uniform(const TrnCoarseBounds *bounds, int32_t y, TrnBlock *block)
{
    const int64_t bottom = (int64_t)y * TRN_CHUNK_EDGE, top = bottom + TRN_CHUNK_EDGE - 1;
    const bool is_open = bottom > bounds->top;
    if (is_open && (bottom > TRN_TERRAIN_SEA_LEVEL || !bounds->has_sea)) {
        *block = TRN_BLOCK_AIR;
        return true;
    }
    if (is_open && top < TRN_TERRAIN_SEA_LEVEL && !bounds->has_dry_pits) {
        *block = TRN_BLOCK_WATER;
        return true;
    }
    if (top <= bounds->rock) {
        *block = TRN_BLOCK_STONE;
        return true;
    }
    return false;
}

bool trn_coarse_write(const TrnTerrain *terrain, const TrnCoarseColumn *column, TrnCoord coord,
                      uint32_t level, TrnBlock *blocks)
{
    CoarseRows rows;
    coarse_unpack(column, coord, level, &rows);
    TrnBlock rock[TRN_LAYER_VOXELS];
    for (int16_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        TrnBlock *layer = &blocks[trn_local_index(0, (uint32_t)y, 0)];
        const int32_t height = coord.y * TRN_CHUNK_EDGE + y;
        coarse_write_open(column, height, layer);
        if (y <= rows.ground) {
            coarse_write_rock(terrain, column, (int64_t)height * ((int64_t)1 << level), rock);
        }
        if (y <= rows.crown) {
            coarse_write_ground(&rows, y, rock, layer);
        }
    }
    return memcmp(blocks, blocks + 1, (TRN_CHUNK_VOXELS - 1) * sizeof *blocks) == 0;
}

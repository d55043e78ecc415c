// Chunks: the part of the land that 3D noise describes. What lowers the surface (overhangs) and
// what carves the rock (caves) is sampled on a lattice of every fourth voxel along each axis
// (volume_lattice.c) and interpolated.

#include <string.h>

#include "terrain/trees_impl.h"
#include "terrain/volume_impl.h"

/// One horizontal layer of samples.
typedef struct VolumeLayer {
    float overhang[TRN_LAYER_VOXELS];  ///< offset of the surface in voxels; 0 or less
    float depths[TRN_LAYER_VOXELS];    ///< voxels below the surface; negative above
    uint8_t in_cave[TRN_LAYER_VOXELS]; ///< 1 in a cave
} VolumeLayer;

static void volume_begin(TrnVolume *volume, const TrnTerrain *terrain, const TrnColumn *column,
                         TrnCoord coord, uint32_t level)
{
    const TrnVoxel base = trn_coord_voxel(coord);
    const int64_t step = (int64_t)1 << level;
    *volume = (TrnVolume){.terrain = terrain,
                          .column = column,
                          .origin = {base.x * step, base.y * step, base.z * step},
                          .level = level,
                          .shift = level < TRN_LAND_SHIFT ? TRN_LAND_SHIFT - level : 0,
                          .lowest = column->lowest};
    volume->points = ((uint32_t)TRN_CHUNK_EDGE >> volume->shift) + 1;
    volume->points_y = volume->points + 1;
    volume->extra_layers = level < TRN_LAND_SHIFT ? (uint32_t)TRN_COVER_DEPTH_MAX >> level : 1;
    const float bottom = (float)volume->origin.y;
    const float top =
        (float)(volume->origin.y + (TRN_CHUNK_EDGE + (int64_t)volume->extra_layers) * step);
    volume->has_overhangs = column->has_overhangs && bottom <= column->highest &&
                            top >= column->lowest - TRN_LAND_SURFACE_DEPTH;
    volume->has_caves = terrain->shape.caves > 0.0f && bottom <= column->highest &&
                        top >= (float)TRN_TERRAIN_LOWEST;
}

static void volume_assign_arrays(TrnVolume *volume, float *floats)
{
    const size_t rows = (size_t)volume->points * volume->points_y;
    for (int i = 0; i < TRN_VOLUME_FIELD_COUNT; i++, floats += rows * volume->points) {
        volume->lattice[i] = floats;
    }
    for (int i = 0; i < TRN_VOLUME_FIELD_COUNT; i++, floats += rows * TRN_CHUNK_EDGE) {
        volume->rows[i] = floats;
    }
}

// ---- layers -------------------------------------------------------------------------------------

/// Interpolates a field over one layer.
static void volume_interpolate_layer(const TrnVolume *volume, int field, uint32_t y, float *out)
{
    const uint32_t cell = 1u << volume->shift, mask = cell - 1;
    const float part = 1.0f / (float)cell;
    const size_t plane = (size_t)volume->points * TRN_CHUNK_EDGE;
    const float *below = volume->rows[field] + (y >> volume->shift) * plane;
    const float *above = below + plane;
    const float weight = (float)(y & mask) * part;
    float between[TRN_LAND_POINTS_MAX * TRN_CHUNK_EDGE];
    for (size_t i = 0; i < plane; i++) {
        between[i] = trn_land_lerp(below[i], above[i], weight);
    }
    for (uint32_t z = 0; z < TRN_CHUNK_EDGE; z++) {
        const float *near = between + (size_t)(z >> volume->shift) * TRN_CHUNK_EDGE;
        const float *far = near + TRN_CHUNK_EDGE;
        const float weight_z = (float)(z & mask) * part;
        float *row = out + (size_t)z * TRN_CHUNK_EDGE;
        for (uint32_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): trn_volume_sample wrote all rows
            row[x] = trn_land_lerp(near[x], far[x], weight_z);
        }
    }
}

/// Marks the samples of one row of lattice cells that are in a cave, if they are rock.
static void volume_find_caves_row(const TrnVolume *volume, uint32_t y, uint32_t cell_z,
                                  uint8_t *in_cave)
{
    const uint32_t cell = 1u << volume->shift;
    const float part = 1.0f / (float)cell;
    const float weight = (float)(y & (cell - 1)) * part;
    const size_t row = ((size_t)(y >> volume->shift) * volume->points + cell_z) * TRN_CHUNK_EDGE;
    const size_t plane = (size_t)volume->points * TRN_CHUNK_EDGE;
    float ends[3][2 * TRN_CHUNK_EDGE]; // interpolated along y, at both ends of the cells along z
    for (int field = 0; field < 3; field++) {
        const float *below = volume->rows[TRN_VOLUME_TUNNEL_A + field] + row;
        for (size_t i = 0; i < (size_t)2 * TRN_CHUNK_EDGE; i++) {
            ends[field][i] = trn_land_lerp(below[i], below[i + plane], weight);
        }
    }
    for (uint32_t z = 0; z < cell; z++, in_cave += TRN_CHUNK_EDGE) {
        const float weight_z = (float)z * part;
        for (size_t x = 0; x < TRN_CHUNK_EDGE; x++) {
            const float a = trn_land_lerp(ends[0][x], ends[0][x + TRN_CHUNK_EDGE], weight_z);
            const float b = trn_land_lerp(ends[1][x], ends[1][x + TRN_CHUNK_EDGE], weight_z);
            const float cavern = trn_land_lerp(ends[2][x], ends[2][x + TRN_CHUNK_EDGE], weight_z);
            in_cave[x] = (uint8_t)((a * a + b * b < 1.0f) | (cavern > 0.0f));
        }
    }
}

/// Marks the samples of a layer that are in a cave, if they are rock.
/// @return false if there are none
static bool volume_find_caves(const TrnVolume *volume, uint32_t y, int64_t voxel_y,
                              uint8_t *in_cave)
{
    bool is_any = false;
    memset(in_cave, 0, TRN_LAYER_VOXELS);
    if (!volume->has_caves || voxel_y < TRN_TERRAIN_LOWEST) {
        return false;
    }
    const uint8_t *may_be = volume->may_hold_cave + (size_t)(y >> volume->shift) * volume->points;
    for (uint32_t z = 0; z < (uint32_t)TRN_CHUNK_EDGE >> volume->shift; z++) {
        if (may_be[z]) {
            is_any = true;
            volume_find_caves_row(volume, y, z,
                                  in_cave + ((size_t)z << volume->shift) * TRN_CHUNK_EDGE);
        }
    }
    return is_any;
}

/// Computes depths below the surface and caves of a layer.
static void volume_sample_layer(const TrnVolume *volume, uint32_t y, int64_t voxel_y,
                                VolumeLayer *layer)
{
    const TrnColumn *column = volume->column;
    const float height = (float)voxel_y;
    const bool is_any = volume_find_caves(volume, y, voxel_y, layer->in_cave);
    if (volume->has_overhangs) {
        volume_interpolate_layer(volume, TRN_VOLUME_OVERHANG, y, layer->overhang);
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            layer->depths[i] = column->heights[i] - height + layer->overhang[i];
        }
    } else {
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            layer->depths[i] = column->heights[i] - height;
        }
    }
    for (size_t i = 0; is_any && i < TRN_LAYER_VOXELS; i++) {
        const int is_roofed = layer->depths[i] > (float)column->roofs[i];
        layer->in_cave[i] = (uint8_t)(layer->in_cave[i] & is_roofed);
    }
}

// ---- blocks -------------------------------------------------------------------------------------

/// A column's covers in arrays, so that writing a layer takes a few vector operations.
typedef struct VolumeCovers {
    TrnBlock tops[TRN_LAYER_VOXELS], fillers[TRN_LAYER_VOXELS];
    /// Depth of top and filler in samples; 0 where the cover is bare rock.
    uint16_t thick[TRN_LAYER_VOXELS];
    uint16_t runs[TRN_LAYER_VOXELS]; ///< ground samples from the top down to the current one
} VolumeCovers;

static void volume_unpack_covers(const TrnVolume *volume, VolumeCovers *covers)
{
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const TrnCoverBlocks cover = trn_cover_blocks[volume->column->covers[i]];
        const uint32_t round_up = (1u << volume->level) - 1;
        const uint32_t thick = (cover.depth + round_up) >> volume->level;
        covers->tops[i] = cover.top;
        covers->fillers[i] = cover.filler;
        covers->thick[i] = (uint16_t)(cover.depth == 0 ? 0 : thick);
        covers->runs[i] = 0;
    }
}

/// Updates the runs of ground, bounded just above the deepest cover. Ground below the surface's
/// reach counts as deeper than any cover.
static void volume_count_runs(const VolumeLayer *restrict layer, uint32_t level,
                              uint16_t *restrict runs)
{
    // Cave floors have cover only near the surface.
    const float reach = 8.0f + (float)((uint32_t)1 << level);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int is_ground = (layer->depths[i] >= 0.0f) & !layer->in_cave[i];
        const int more = layer->depths[i] < reach ? 1 : TRN_COVER_DEPTH_MAX + 1;
        const int run = runs[i] + more;
        const int most = TRN_COVER_DEPTH_MAX + 1;
        runs[i] = (uint16_t)(is_ground ? (run < most ? run : most) : 0);
    }
}

/// Reads all inputs before it chooses; otherwise compilers do not vectorise the loop.
static void volume_choose_blocks(const VolumeCovers *restrict covers,
                                 const VolumeLayer *restrict layer, const TrnBlock *restrict rock,
                                 TrnBlock open, TrnBlock *restrict blocks)
{
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const uint16_t run = covers->runs[i], thick = covers->thick[i], in_cave = layer->in_cave[i];
        const TrnBlock top = covers->tops[i], filler = covers->fillers[i], stone = rock[i];
        TrnBlock block = run <= thick ? filler : stone;
        block = ((run == 1) & (thick != 0)) ? top : block;
        const TrnBlock empty = in_cave ? (TrnBlock)TRN_BLOCK_AIR : open;
        blocks[i] = run == 0 ? empty : block;
    }
}

/// Turns the surface of a cold sea to ice.
static void volume_freeze(const TrnColumn *column, TrnBlock *blocks)
{
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        if (blocks[i] == TRN_BLOCK_WATER && column->plants[i] == TRN_BLOCK_ICE) {
            blocks[i] = TRN_BLOCK_ICE;
        }
    }
}

/// Voxel y of a layer.
static int64_t volume_layer_y(const TrnVolume *volume, uint32_t y)
{
    return volume->origin.y + ((int64_t)y << volume->level);
}

/// Writes the layers above the surface, of air or water alone, from the top down.
/// @return index + 1 of the first layer that the surface may cross
static uint32_t volume_write_above(const TrnVolume *volume, TrnBlock *blocks)
{
    uint32_t y = TRN_CHUNK_EDGE + volume->extra_layers;
    for (; y > 0 && (float)volume_layer_y(volume, y - 1) > volume->column->highest; y--) {
        if (y > TRN_CHUNK_EDGE) {
            continue;
        }
        const TrnBlock open = volume_layer_y(volume, y - 1) <= TRN_TERRAIN_SEA_LEVEL
                                  ? TRN_BLOCK_WATER
                                  : TRN_BLOCK_AIR;
        TrnBlock *out = &blocks[trn_local_index(0, y - 1, 0)];
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            out[i] = open;
        }
    }
    return y;
}

/// Writes a layer that the surface may cross or that lies just below it.
static void volume_write_surface_layer(const TrnVolume *volume, uint32_t y, VolumeCovers *covers,
                                       TrnBlock *blocks)
{
    VolumeLayer layer;
    TrnBlock rock[TRN_LAYER_VOXELS];
    const int64_t voxel_y = volume_layer_y(volume, y);
    volume_sample_layer(volume, y, voxel_y, &layer);
    volume_count_runs(&layer, volume->level, covers->runs);
    if (y < TRN_CHUNK_EDGE) {
        trn_volume_rock(volume, voxel_y, rock);
        volume_choose_blocks(covers, &layer, rock,
                             voxel_y <= TRN_TERRAIN_SEA_LEVEL ? TRN_BLOCK_WATER : TRN_BLOCK_AIR,
                             &blocks[trn_local_index(0, y, 0)]);
    }
}

/// Writes the layers that the surface may cross and those just below it.
/// @return index + 1 of the first layer of rock and caves alone
static uint32_t volume_write_surface(const TrnVolume *volume, uint32_t y, TrnBlock *blocks)
{
    const float deep =
        volume->lowest - TRN_LAND_SURFACE_DEPTH - (float)((uint32_t)1 << volume->level);
    if (y == 0 || (float)volume_layer_y(volume, y - 1) < deep) {
        return y;
    }
    VolumeCovers covers;
    volume_unpack_covers(volume, &covers);
    for (; y > 0 && (float)volume_layer_y(volume, y - 1) >= deep; y--) {
        volume_write_surface_layer(volume, y - 1, &covers, blocks);
    }
    return y;
}

/// Writes a layer of rock and caves alone.
static void volume_write_rock_layer(const TrnVolume *volume, uint32_t y, TrnBlock *blocks)
{
    uint8_t in_cave[TRN_LAYER_VOXELS];
    const int64_t voxel_y = volume_layer_y(volume, y);
    trn_volume_rock(volume, voxel_y, blocks);
    if (volume_find_caves(volume, y, voxel_y, in_cave)) {
        for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
            blocks[i] = in_cave[i] ? (TrnBlock)TRN_BLOCK_AIR : blocks[i];
        }
    }
}

/// Writes all layers of a chunk from the top down, without ores, plants and trees.
static void volume_write_layers(const TrnVolume *volume, TrnBlock *blocks)
{
    uint32_t y = volume_write_surface(volume, volume_write_above(volume, blocks), blocks);
    for (y = y < TRN_CHUNK_EDGE ? y : TRN_CHUNK_EDGE; y > 0; y--) {
        volume_write_rock_layer(volume, y - 1, &blocks[trn_local_index(0, y - 1, 0)]);
    }
    const int64_t sea = TRN_TERRAIN_SEA_LEVEL - volume->origin.y;
    if (sea >= 0 && sea < (int64_t)TRN_CHUNK_EDGE << volume->level) {
        volume_freeze(volume->column,
                      &blocks[trn_local_index(0, (uint32_t)(sea >> volume->level), 0)]);
    }
}

static void volume_write_plants(const TrnVolume *volume, TrnBlock *blocks)
{
    const TrnColumn *column = volume->column;
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int64_t y = trn_land_floor(column->heights[i]) + 1 - volume->origin.y;
        if (column->plants[i] && column->plants[i] != TRN_BLOCK_ICE && y >= 0 &&
            y < TRN_CHUNK_EDGE) {
            TrnBlock *at = &blocks[(size_t)y * TRN_LAYER_VOXELS + i];
            *at = *at == TRN_BLOCK_AIR ? column->plants[i] : *at;
        }
    }
}

/// Whether the column's bounds show that a chunk is one block.
static bool volume_is_uniform(const TrnVolume *volume, TrnBlock *block)
{
    const int64_t bottom = volume->origin.y;
    const int64_t top = bottom + ((int64_t)(TRN_CHUNK_EDGE - 1) << volume->level);
    const TrnColumn *column = volume->column;
    if (bottom > column->top && bottom > TRN_TERRAIN_SEA_LEVEL) {
        *block = TRN_BLOCK_AIR;
        return true;
    }
    if ((float)bottom > column->highest && top < TRN_TERRAIN_SEA_LEVEL) {
        *block = TRN_BLOCK_WATER;
        return true;
    }
    return false;
}

/// Writes a chunk.
/// @return whether it is uniform
static bool volume_write(TrnVolume *volume, float *floats, TrnBlock *blocks)
{
    volume_assign_arrays(volume, floats);
    trn_volume_sample(volume);
    volume_write_layers(volume, blocks);
    trn_volume_write_ores(volume, blocks);
    if (volume->level == 0) {
        volume_write_plants(volume, blocks);
        trn_trees_write(volume->column, volume->origin.y, blocks);
    }
    // Each block equals the next: the chunk is uniform.
    return memcmp(blocks, blocks + 1, (TRN_CHUNK_VOXELS - 1) * sizeof *blocks) == 0;
}

bool trn_volume_generate(const TrnTerrain *terrain, const TrnColumn *column, TrnCoord coord,
                         TrnBlock *blocks)
{
    float floats[(TRN_LAND_POINTS * (TRN_LAND_POINTS + 1) * (TRN_LAND_POINTS + TRN_CHUNK_EDGE)) *
                 TRN_VOLUME_FIELD_COUNT];
    TrnVolume volume;
    volume_begin(&volume, terrain, column, coord, 0);
    return volume_is_uniform(&volume, &blocks[0]) || volume_write(&volume, floats, blocks);
}

size_t trn_volume_scratch_bytes(uint32_t level)
{
    const uint32_t shift = level < TRN_LAND_SHIFT ? TRN_LAND_SHIFT - level : 0;
    const uint32_t points = ((uint32_t)TRN_CHUNK_EDGE >> shift) + 1;
    const size_t rows = (size_t)points * (points + 1);
    return rows * (points + TRN_CHUNK_EDGE) * TRN_VOLUME_FIELD_COUNT * sizeof(float);
}

bool trn_volume_generate_level(const TrnTerrain *terrain, const TrnColumn *column, TrnCoord coord,
                               uint32_t level, void *scratch, TrnBlock *blocks)
{
    TrnVolume volume;
    volume_begin(&volume, terrain, column, coord, level);
    return volume_is_uniform(&volume, &blocks[0]) || volume_write(&volume, scratch, blocks);
}

// Chunks: the part of the land that 3D noise describes. What lowers the surface (overhangs) and
// what carves the rock (caves) is sampled on a lattice of every fourth voxel along each axis
// (volume_lattice.c) and interpolated.

#include <string.h>

#include "terrain/trees_impl.h"
#include "terrain/volume_impl.h"

static void volume_begin(TrnVolume *volume, const TrnTerrain *terrain, const TrnColumn *column,
                         TrnCoord coord)
{
    *volume = (TrnVolume){.terrain = terrain,
                          .column = column,
                          .origin = trn_coord_voxel(coord),
                          .lowest = column->lowest};
    const float bottom = (float)volume->origin.y;
    const float top = (float)(volume->origin.y + TRN_CHUNK_EDGE + TRN_VOLUME_EXTRA_LAYERS);
    volume->has_overhangs = column->has_overhangs && bottom <= column->highest &&
                            top >= column->lowest - TRN_LAND_SURFACE_DEPTH;
    volume->has_caves = terrain->shape.caves > 0.0f && bottom <= column->highest &&
                        top >= (float)TRN_TERRAIN_LOWEST;
}

static void volume_assign_arrays(TrnVolume *volume, float *floats)
{
    const size_t rows = TRN_VOLUME_ROWS;
    for (int i = 0; i < TRN_VOLUME_FIELD_COUNT; i++, floats += rows * TRN_LAND_POINTS) {
        volume->lattice[i] = floats;
    }
    for (int i = 0; i < TRN_VOLUME_FIELD_COUNT; i++, floats += rows * TRN_CHUNK_EDGE) {
        volume->rows[i] = floats;
    }
}

// ---- slabs --------------------------------------------------------------------------------------

/// A slab of a chunk and the kernels that write it.
typedef struct VolumeSlab {
    const TrnVolume *volume;
    const TrnSlabKernels *kernels;
    const TrnSlabRock *rocks; ///< [TRN_CHUNK_EDGE]
    uint32_t cell_z;
    size_t first;          ///< sample
    float lowest, highest; ///< bounds of the surface
    float least_overhang;
    TrnSlab samples;
} VolumeSlab;

/// Voxel y of a layer.
static int64_t volume_layer_y(const TrnVolume *volume, uint32_t y)
{
    return volume->origin.y + y;
}

static TrnBlock volume_open_block(int64_t voxel_y)
{
    return voxel_y <= TRN_TERRAIN_SEA_LEVEL ? TRN_BLOCK_WATER : TRN_BLOCK_AIR;
}

static void volume_unpack_covers(VolumeSlab *slab)
{
    const uint8_t *covers = slab->volume->column->covers + slab->first;
    TrnSlab *samples = &slab->samples;
    for (size_t i = 0; i < TRN_SLAB_SAMPLES; i++) {
        const TrnCoverBlocks cover = trn_cover_blocks[covers[i]];
        samples->tops[i] = cover.top;
        samples->fillers[i] = cover.filler;
        samples->thick[i] = cover.depth;
        samples->runs[i] = 0;
    }
}

/// Begins a slab and bounds its surface.
static void volume_begin_slab(VolumeSlab *slab, uint32_t cell_z)
{
    const TrnVolume *volume = slab->volume;
    const TrnColumn *column = volume->column;
    const size_t first = cell_z * TRN_SLAB_SAMPLES;
    const float near = volume->least_overhangs[cell_z], far = volume->least_overhangs[cell_z + 1];
    slab->cell_z = cell_z;
    slab->first = first;
    slab->least_overhang = near < far ? near : far;
    slab->samples.heights = column->heights + first;
    slab->samples.roofs = column->roofs + first;
    slab->samples.shifts = column->strata_shifts + first;
    slab->samples.strata = volume->terrain->strata;
    slab->kernels->bound(&slab->samples);
    const float lowest = slab->samples.least + slab->least_overhang - TRN_LAND_ROUNDING_MARGIN;
    slab->lowest = lowest > volume->lowest ? lowest : volume->lowest;
    slab->highest = slab->samples.most + TRN_LAND_ROUNDING_MARGIN;
}

static TrnSlabLayer volume_slab_layer(const VolumeSlab *slab, uint32_t y)
{
    const TrnVolume *volume = slab->volume;
    const size_t cells = (size_t)(y / TRN_LAND_STEP) * TRN_LAND_POINTS + slab->cell_z;
    const size_t row = cells * TRN_CHUNK_EDGE;
    const int64_t voxel_y = volume_layer_y(volume, y);
    TrnSlabLayer layer = {.y = (float)voxel_y,
                          .weight = (float)(y % TRN_LAND_STEP) * (1.0f / (float)TRN_LAND_STEP),
                          .open = volume_open_block(voxel_y)};
    if (y < TRN_CHUNK_EDGE) {
        layer.rock = slab->rocks[y];
    }
    if (slab->least_overhang < 0.0f) {
        layer.overhang = volume->rows[TRN_VOLUME_OVERHANG] + row;
    }
    if (volume->may_hold_cave[cells] && voxel_y >= TRN_TERRAIN_LOWEST) {
        for (int i = 0; i < 3; i++) {
            layer.caves[i] = volume->rows[TRN_VOLUME_TUNNEL_A + i] + row;
        }
    }
    return layer;
}

/// Writes the layers above the surface, of air or water alone, from the top down.
/// @return index + 1 of the first layer that the surface may cross
static uint32_t volume_write_above(const VolumeSlab *slab, TrnBlock *blocks)
{
    const TrnVolume *volume = slab->volume;
    uint32_t y = TRN_CHUNK_EDGE + TRN_VOLUME_EXTRA_LAYERS;
    for (; y > 0 && (float)volume_layer_y(volume, y - 1) > slab->highest; y--) {
        if (y > TRN_CHUNK_EDGE) {
            continue;
        }
        const TrnBlock open = volume_open_block(volume_layer_y(volume, y - 1));
        TrnBlock *out = &blocks[trn_local_index(0, y - 1, 0)];
        for (size_t i = 0; i < TRN_SLAB_SAMPLES; i++) {
            out[i] = open;
        }
    }
    return y;
}

/// Writes the layers that the surface may cross and those just below it.
/// @return index + 1 of the first layer of rock and caves alone
static uint32_t volume_write_surface(VolumeSlab *slab, uint32_t y, TrnBlock *blocks)
{
    const TrnVolume *volume = slab->volume;
    const float deep = trn_volume_deep(slab->lowest);
    if (y == 0 || (float)volume_layer_y(volume, y - 1) < deep) {
        return y;
    }
    volume_unpack_covers(slab);
    for (; y > 0 && (float)volume_layer_y(volume, y - 1) >= deep; y--) {
        const TrnSlabLayer layer = volume_slab_layer(slab, y - 1);
        slab->kernels->surface(&slab->samples, &layer,
                               y > TRN_CHUNK_EDGE ? NULL : &blocks[trn_local_index(0, y - 1, 0)]);
    }
    return y;
}

/// Writes all layers of a slab from the top down.
/// @param blocks  at the slab's first sample
static void volume_write_slab(VolumeSlab *slab, TrnBlock *blocks)
{
    uint32_t y = volume_write_surface(slab, volume_write_above(slab, blocks), blocks);
    for (y = y < TRN_CHUNK_EDGE ? y : TRN_CHUNK_EDGE; y > 0; y--) {
        const TrnSlabLayer layer = volume_slab_layer(slab, y - 1);
        slab->kernels->rock(&slab->samples, &layer, &blocks[trn_local_index(0, y - 1, 0)]);
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

/// Writes all layers of a chunk, without ores, plants and trees.
static void volume_write_layers(const TrnVolume *volume, TrnBlock *blocks)
{
    TrnSlabRock rocks[TRN_CHUNK_EDGE];
    for (uint32_t y = 0; y < TRN_CHUNK_EDGE; y++) {
        rocks[y] = trn_volume_rock(volume->terrain, volume->column->strata_shift_range,
                                   volume_layer_y(volume, y));
    }
    VolumeSlab slab;
    slab.volume = volume;
    slab.kernels = trn_kernels_at(&trn_slab_kernels, trn_cpu_features(), volume->terrain->kernels);
    slab.rocks = rocks;
    for (uint32_t cell_z = 0; cell_z + 1 < TRN_LAND_POINTS; cell_z++) {
        volume_begin_slab(&slab, cell_z);
        volume_write_slab(&slab, blocks + slab.first);
    }
    const int64_t sea = TRN_TERRAIN_SEA_LEVEL - volume->origin.y;
    if (sea >= 0 && sea < TRN_CHUNK_EDGE) {
        volume_freeze(volume->column, &blocks[trn_local_index(0, (uint32_t)sea, 0)]);
    }
}

/// Closes caves that would open next to a fall.
static void volume_seal_falls(const TrnVolume *volume, TrnBlock *blocks)
{
    const TrnColumn *column = volume->column;
    for (uint32_t k = 0; k < column->seal_count; k++) {
        const TrnSeal seal = column->seals[k];
        const int64_t low = seal.bottom - volume->origin.y;
        const int64_t high = trn_land_floor(column->heights[seal.index]) - volume->origin.y;
        for (int64_t y = low < 0 ? 0 : low; y <= high && y < TRN_CHUNK_EDGE; y++) {
            TrnBlock *at = &blocks[(size_t)y * TRN_LAYER_VOXELS + seal.index];
            *at = *at == TRN_BLOCK_AIR ? TRN_BLOCK_STONE : *at;
        }
    }
}

/// Fills rivers and lakes above the sea.
static void volume_fill_rivers(const TrnVolume *volume, TrnBlock *blocks)
{
    const TrnColumn *column = volume->column;
    if (column->water_top <= TRN_TERRAIN_SEA_LEVEL || volume->origin.y > column->water_top) {
        return;
    }
    volume_seal_falls(volume, blocks);
    for (size_t i = 0; i < TRN_LAYER_VOXELS; i++) {
        const int64_t surface = column->waters[i], last = volume->origin.y + TRN_CHUNK_EDGE - 1;
        if (surface <= TRN_TERRAIN_SEA_LEVEL || !trn_column_is_wet(column, i)) {
            continue;
        }
        int64_t y = trn_land_floor(column->heights[i]) + 1;
        for (y = y < volume->origin.y ? volume->origin.y : y; y <= surface && y <= last; y++) {
            const bool is_ice = y == surface && column->plants[i] == TRN_BLOCK_ICE;
            blocks[(size_t)(y - volume->origin.y) * TRN_LAYER_VOXELS + i] =
                is_ice ? TRN_BLOCK_ICE : TRN_BLOCK_WATER;
        }
    }
}

static void volume_write_plants(const TrnVolume *volume, TrnBlock *blocks)
{
    const TrnColumn *column = volume->column;
    if ((float)volume->origin.y > column->highest + 1.0f ||
        (float)(volume->origin.y + TRN_CHUNK_EDGE) < column->lowest_height) {
        return;
    }
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
    const int64_t top = bottom + TRN_CHUNK_EDGE - 1;
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
    volume_fill_rivers(volume, blocks);
    volume_write_plants(volume, blocks);
    trn_trees_write(volume->terrain, volume->column, volume->origin.y, blocks);
    // Each block equals the next: the chunk is uniform.
    return memcmp(blocks, blocks + 1, (TRN_CHUNK_VOXELS - 1) * sizeof *blocks) == 0;
}

bool trn_volume_generate(const TrnTerrain *terrain, const TrnColumn *column, TrnCoord coord,
                         TrnBlock *blocks)
{
    float floats[TRN_VOLUME_FIELD_COUNT * TRN_VOLUME_ROWS * (TRN_LAND_POINTS + TRN_CHUNK_EDGE)];
    TrnVolume volume;
    volume_begin(&volume, terrain, column, coord);
    return volume_is_uniform(&volume, &blocks[0]) || volume_write(&volume, floats, blocks);
}

// The rock of a chunk: strata and ore veins.

#include "terrain/volume_impl.h"

/// Each cube of this many voxels along an edge holds at most one vein.
#define VOLUME_VEIN_CELL 16
#define VOLUME_VEIN_RADIUS 2

TrnSlabRock trn_volume_rock(const TrnTerrain *terrain, const int32_t range[2], int64_t voxel_y)
{
    const TrnBlock *strata = terrain->strata;
    const uint32_t mask = TRN_STRATA_PERIOD - 1, y = (uint32_t)voxel_y;
    if (voxel_y < TRN_TERRAIN_LOWEST) {
        return (TrnSlabRock){.low = TRN_BLOCK_STONE, .high = TRN_BLOCK_STONE};
    }
    const TrnBlock low = strata[(y + (uint32_t)range[0]) & mask];
    const TrnBlock high = strata[(y + (uint32_t)range[1]) & mask];
    int32_t change = range[0]; // first shift outside the lowest stratum
    while (change <= range[1] && strata[(y + (uint32_t)change) & mask] == low) {
        change++;
    }
    int32_t end = change;
    while (end <= range[1] && strata[(y + (uint32_t)end) & mask] == high) {
        end++;
    }
    return (TrnSlabRock){.is_mixed = end <= range[1],
                         .y = (uint8_t)(y & mask),
                         .change = (int16_t)change,
                         .low = low,
                         .high = high};
}

/// An ore vein: a lump around a position inside its cell.
typedef struct VolumeVein {
    int64_t at[3];
    TrnBlock block;
    uint64_t hash;
} VolumeVein;

static bool volume_find_vein(const TrnTerrain *terrain, const int64_t cell[3], VolumeVein *vein)
{
    const uint64_t hash = trn_land_hash(terrain->seed ^ 0x4F5245, cell[0], cell[1], cell[2]);
    const uint32_t draw = (uint32_t)(hash >> 56);
    const int64_t range = VOLUME_VEIN_CELL - 2 * VOLUME_VEIN_RADIUS;
    for (int axis = 0; axis < 3; axis++) {
        vein->at[axis] = cell[axis] * VOLUME_VEIN_CELL + VOLUME_VEIN_RADIUS +
                         (int64_t)((hash >> (8 * axis) & 0xFF) % (uint64_t)range);
    }
    const int64_t y = vein->at[1];
    vein->hash = hash;
    vein->block = draw < 110   ? TRN_BLOCK_COAL_ORE
                  : draw < 170 ? TRN_BLOCK_IRON_ORE
                               : TRN_BLOCK_GOLD_ORE;
    if (y < TRN_TERRAIN_LOWEST + VOLUME_VEIN_CELL || draw >= 200) {
        return false;
    }
    return draw < 110 || (draw < 170 ? y < 70 : y < -30);
}

static bool volume_is_rock(TrnBlock block)
{
    return block == TRN_BLOCK_STONE || (block >= TRN_BLOCK_SLATE && block <= TRN_BLOCK_GRANITE);
}

/// Whether a vein fills a voxel. Bits of the hash make its surface irregular.
/// @param i  number of the voxel in the vein's box
static bool volume_vein_fills(const VolumeVein *vein, int32_t i, int32_t distance2)
{
    return distance2 <= 5 && distance2 <= 2 + (int32_t)(vein->hash >> (i % 41 + 8) & 3);
}

/// Writes a vein into the rock of a chunk.
static void volume_write_vein(const TrnVolume *volume, const VolumeVein *vein, TrnBlock *blocks)
{
    const int32_t reach = VOLUME_VEIN_RADIUS;
    const int32_t at[3] = {(int32_t)(vein->at[0] - volume->origin.x),
                           (int32_t)(vein->at[1] - volume->origin.y),
                           (int32_t)(vein->at[2] - volume->origin.z)};
    int32_t i = 0;
    for (int32_t y = -reach; y <= reach; y++) {
        for (int32_t z = -reach; z <= reach; z++) {
            for (int32_t x = -reach; x <= reach; x++, i++) {
                const int32_t to[3] = {at[0] + x, at[1] + y, at[2] + z};
                if (!volume_vein_fills(vein, i, x * x + y * y + z * z)) {
                    continue;
                }
                TrnBlock *block =
                    &blocks[trn_local_index((uint32_t)to[0], (uint32_t)to[1], (uint32_t)to[2])];
                *block = volume_is_rock(*block) ? vein->block : *block;
            }
        }
    }
}

void trn_volume_write_ores(const TrnVolume *volume, TrnBlock *blocks)
{
    const int64_t cells = TRN_CHUNK_EDGE / VOLUME_VEIN_CELL;
    for (int64_t i = 0; i < cells * cells * cells; i++) {
        const int64_t cell[3] = {volume->origin.x / VOLUME_VEIN_CELL + i % cells,
                                 volume->origin.y / VOLUME_VEIN_CELL + i / (cells * cells),
                                 volume->origin.z / VOLUME_VEIN_CELL + i / cells % cells};
        VolumeVein vein;
        if (volume_find_vein(volume->terrain, cell, &vein) &&
            (float)(vein.at[1] - VOLUME_VEIN_RADIUS) <= volume->column->highest) {
            volume_write_vein(volume, &vein, blocks);
        }
    }
}

/// Private: the part of the land that 3D noise describes: overhangs, caves and rock of a chunk.
#ifndef TERRANE_TERRAIN_VOLUME_H
#define TERRANE_TERRAIN_VOLUME_H

#include "terrain/slab_kernels.h"
#include "terrain/terrain_impl.h"

/// Fields that are interpolated between lattice points.
enum {
    TRN_VOLUME_OVERHANG, ///< offset of the surface in voxels; 0 or less
    TRN_VOLUME_TUNNEL_A, ///< a voxel is in a tunnel where A squared plus B squared is below 1
    TRN_VOLUME_TUNNEL_B,
    TRN_VOLUME_CAVERN, ///< a voxel is in a cavern where positive
    TRN_VOLUME_FIELD_COUNT
};

/// Caves narrow towards TRN_TERRAIN_LOWEST over this many voxels.
#define TRN_VOLUME_CAVE_TAPER 40.0f

/// Overhangs fade out towards sea level over this many voxels.
#define TRN_VOLUME_OVERHANG_FADE 16.0f

/// Weight of overhangs at a height. They end above the sea, or water would fill them.
static inline float trn_volume_overhang_fade(float y)
{
    const float sea = (float)TRN_TERRAIN_SEA_LEVEL;
    return trn_land_ramp(sea, sea + TRN_VOLUME_OVERHANG_FADE, y);
}

/// Converts noise to the offset of the surface in voxels.
/// @param reach  the column's reach times trn_volume_overhang_fade
static inline float trn_volume_overhang(float noise, float reach)
{
    return trn_land_clamp(noise - TRN_OVERHANG_THRESHOLD, -TRN_OVERHANG_NOISE_MAX, 0.0f) * reach;
}

/// Width of tunnels, in units of noise.
#define TRN_VOLUME_TUNNEL_WIDTH 0.05f

/// Width of caves at a height.
typedef struct TrnVolumeCaves {
    float narrowness; ///< of tunnels: 1 / the noise at their walls
    float threshold;  ///< of caverns
} TrnVolumeCaves;

static inline TrnVolumeCaves trn_volume_caves(const TrnTerrain *terrain, float y)
{
    const float caves = terrain->shape.caves;
    const float low = (float)TRN_TERRAIN_LOWEST;
    const float taper = trn_land_ramp(low, low + TRN_VOLUME_CAVE_TAPER, y);
    const float width = TRN_VOLUME_TUNNEL_WIDTH * (0.4f + 0.6f * caves) * taper + 0.001f;
    return (TrnVolumeCaves){1.0f / width, 0.36f - 0.06f * caves + (1.0f - taper) * 0.6f};
}

/// Threshold of caverns below a ground height: caverns are smaller and rare near the surface.
static inline float trn_volume_cavern_threshold(TrnVolumeCaves caves, float ground, float y)
{
    const float shallow = trn_land_clamp((140.0f - (ground - y)) * 0.0125f, 0.0f, 1.0f);
    return caves.threshold + shallow * 0.32f;
}

/// Returns the rock of one layer of voxels.
/// @param range  least and greatest shift of the strata
TrnSlabRock trn_volume_rock(const TrnTerrain *terrain, const int32_t range[2], int64_t voxel_y);

/// Generates a chunk of level 0 from its column.
/// @return whether it is uniform; then only blocks[0] is defined
bool trn_volume_generate(const TrnTerrain *terrain, const TrnColumn *column, TrnCoord coord,
                         TrnBlock *blocks);

/// Computes the topmost ground voxel of a voxel column, exactly as chunks of level 0 hold it.
/// @param column  of level 0
/// @param index   z * TRN_CHUNK_EDGE + x
int32_t trn_volume_height(const TrnTerrain *terrain, const TrnColumn *column, uint32_t index);

#endif

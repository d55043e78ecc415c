/// Private: how volume.c, volume_lattice.c, volume_rock.c and volume_height.c look at the land in
/// space.
#ifndef TERRANE_TERRAIN_VOLUME_IMPL_H
#define TERRANE_TERRAIN_VOLUME_IMPL_H

#include "terrain/terrain_impl.h"

/// What is interpolated between lattice points.
enum {
    TRN_VOLUME_OVERHANG, ///< voxels by which the ground's surface is moved up: never more than 0
    TRN_VOLUME_TUNNEL_A, ///< a tunnel's inside is where the squares of both sum up to less than one
    TRN_VOLUME_TUNNEL_B,
    TRN_VOLUME_CAVERN, ///< a cavern's inside is where it is positive
    TRN_VOLUME_FIELD_COUNT
};

/// Caves get narrower towards the bottom of the world of caves, over so many voxels.
#define TRN_VOLUME_CAVE_TAPER 40.0f

/// Overhangs fade out towards the sea's level, over so many voxels.
#define TRN_VOLUME_OVERHANG_FADE 16.0f

/// A chunk that is being made.
typedef struct TrnVolume {
    const TrnTerrain *terrain;
    const TrnColumn *column;
    TrnVoxel origin; ///< of the first voxel
    uint32_t level;  ///< samples are 2^level voxels apart
    uint32_t shift;  ///< samples to a lattice cell: 2^shift
    uint32_t points; ///< of the lattice, along x and z
    uint32_t points_y;
    uint32_t extra_layers; ///< samples above the chunk that are looked at, to know what lies on top
    bool has_overhangs, has_caves;
    float lowest; ///< no ground's surface lies lower in this chunk
    /// [points_y][points] whether the row of lattice cells that begins here may hold a cave.
    uint8_t may_hold_cave[(TRN_LAND_POINTS_MAX + 1) * TRN_LAND_POINTS_MAX];
    /// [points_y][points] whether a row of lattice points bounds such cells.
    uint8_t is_cave_row[(TRN_LAND_POINTS_MAX + 1) * TRN_LAND_POINTS_MAX];
    float *lattice[TRN_VOLUME_FIELD_COUNT]; ///< [points_y][points][points]
    /// [points_y][points][TRN_CHUNK_EDGE], interpolated along x
    float *rows[TRN_VOLUME_FIELD_COUNT];
} TrnVolume;

/// How much of overhangs there is at a height. They end above the sea, or hollows would fill with
/// water.
static inline float trn_volume_overhang_fade(float y)
{
    const float sea = (float)TRN_TERRAIN_SEA_LEVEL;
    return trn_land_ramp(sea, sea + TRN_VOLUME_OVERHANG_FADE, y);
}

/// Brings a noise to the voxels by which it moves the surface.
/// @param reach  of the column, times trn_volume_overhang_fade
static inline float trn_volume_overhang(float noise, float reach)
{
    return trn_land_clamp(noise - TRN_OVERHANG_THRESHOLD, -TRN_OVERHANG_NOISE_MAX, 0.0f) * reach;
}

/// How wide caves are at a height.
typedef struct TrnVolumeCaves {
    float narrowness; ///< of tunnels: one over the noise at their walls
    float threshold;  ///< of caverns
} TrnVolumeCaves;

static inline TrnVolumeCaves trn_volume_caves(const TrnTerrain *terrain, float y)
{
    const float caves = terrain->shape.caves;
    const float low = (float)TRN_TERRAIN_LOWEST;
    const float taper = trn_land_ramp(low, low + TRN_VOLUME_CAVE_TAPER, y);
    const float width = 0.058f * (0.4f + 0.6f * caves) * taper + 0.001f;
    return (TrnVolumeCaves){1.0f / width, 0.325f - 0.09f * caves + (1.0f - taper) * 0.6f};
}

/// The threshold of caverns below a height of the ground: they get smaller towards the surface.
static inline float trn_volume_cavern_threshold(TrnVolumeCaves caves, float ground, float y)
{
    const float shallow = trn_land_clamp((34.0f - (ground - y)) * 0.04f, 0.0f, 1.0f);
    return caves.threshold + shallow * 0.12f;
}

/// Fills the lattices of a chunk, bounds what may be in_cave, and interpolates along x. Narrows
/// volume->lowest.
void trn_volume_sample(TrnVolume *volume);

/// The rock of one layer of voxels. @param rock  [TRN_LAYER_VOXELS]
void trn_volume_rock(const TrnVolume *volume, int64_t voxel_y, TrnBlock *rock);

/// Writes the ores of a chunk into its rock, at levels 0 and 1.
void trn_volume_write_ores(const TrnVolume *volume, TrnBlock *blocks);

#endif

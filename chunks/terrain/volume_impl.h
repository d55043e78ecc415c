/// Private: what volume*.c share to generate chunks.
#ifndef TERRANE_TERRAIN_VOLUME_IMPL_H
#define TERRANE_TERRAIN_VOLUME_IMPL_H

#include "terrain/terrain_impl.h"
#include "terrain/volume_slab.h"

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

/// A chunk that is being generated.
typedef struct TrnVolume {
    const TrnTerrain *terrain;
    const TrnColumn *column;
    TrnVoxel origin; ///< of the first voxel
    uint32_t level;  ///< samples are 2^level voxels apart
    uint32_t shift;  ///< 2^shift samples per lattice cell
    uint32_t points; ///< lattice points along x and z
    uint32_t points_y;
    /// layers above the chunk that are sampled to find what covers its top
    uint32_t extra_layers;
    bool has_overhangs, has_caves;
    float lowest; ///< lower bound of the surface in this chunk
    /// [points] least overhang of a row of lattice points, over all heights; 0 or less
    float least_overhangs[TRN_LAND_POINTS_MAX];
    /// [points_y][points] whether the row of lattice cells that begins here may hold a cave
    uint8_t may_hold_cave[(TRN_LAND_POINTS_MAX + 1) * TRN_LAND_POINTS_MAX];
    /// [points_y][points] whether a row of lattice points bounds such cells
    uint8_t is_cave_row[(TRN_LAND_POINTS_MAX + 1) * TRN_LAND_POINTS_MAX];
    float *lattice[TRN_VOLUME_FIELD_COUNT]; ///< [points_y][points][points]
    /// [points_y][points][TRN_CHUNK_EDGE]: the lattice, interpolated along x
    float *rows[TRN_VOLUME_FIELD_COUNT];
} TrnVolume;

/// Layers below this height hold only rock and caves.
/// @param lowest  lower bound of the surface
static inline float trn_volume_deep(const TrnVolume *volume, float lowest)
{
    return lowest - TRN_LAND_SURFACE_DEPTH - (float)((uint32_t)1 << volume->level);
}

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

/// Fills the lattices of a chunk, finds where caves are possible, and interpolates along x. Raises
/// volume->lowest to the chunk's own bound.
void trn_volume_sample(TrnVolume *volume);

/// Returns the rock of one layer of voxels.
/// @param range  least and greatest shift of the strata
TrnSlabRock trn_volume_rock(const TrnTerrain *terrain, const int32_t range[2], int64_t voxel_y);

/// Writes the ore veins of a chunk into its rock, at levels 0 and 1.
void trn_volume_write_ores(const TrnVolume *volume, TrnBlock *blocks);

#endif

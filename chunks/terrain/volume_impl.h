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

/// Layers above the chunk that are sampled to find what covers its top.
#define TRN_VOLUME_EXTRA_LAYERS TRN_COVER_DEPTH_MAX

/// Lattice points along y, up to the extra layers, and rows of points in all planes.
#define TRN_VOLUME_POINTS_Y (TRN_LAND_POINTS + TRN_VOLUME_EXTRA_LAYERS / TRN_LAND_STEP)
#define TRN_VOLUME_ROWS ((size_t)TRN_VOLUME_POINTS_Y * TRN_LAND_POINTS)

/// A chunk that is being generated.
typedef struct TrnVolume {
    const TrnTerrain *terrain;
    const TrnColumn *column;
    TrnVoxel origin; ///< of the first voxel
    bool has_overhangs, has_caves;
    float lowest; ///< lower bound of the surface in this chunk
    /// least overhang of a row of lattice points, over all heights; 0 or less
    float least_overhangs[TRN_LAND_POINTS];
    /// by y, then z: whether the row of lattice cells that begins here may hold a cave
    uint8_t may_hold_cave[TRN_VOLUME_ROWS];
    /// by y, then z: whether a row of lattice points bounds such cells
    uint8_t is_cave_row[TRN_VOLUME_ROWS];
    float *lattice[TRN_VOLUME_FIELD_COUNT]; ///< [TRN_VOLUME_ROWS][TRN_LAND_POINTS]
    /// [TRN_VOLUME_ROWS][TRN_CHUNK_EDGE]: the lattice, interpolated along x
    float *rows[TRN_VOLUME_FIELD_COUNT];
} TrnVolume;

/// Layers below this height hold only rock and caves.
/// @param lowest  lower bound of the surface
static inline float trn_volume_deep(float lowest)
{
    return lowest - TRN_LAND_SURFACE_DEPTH - 1.0f;
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

/// Writes the ore veins of a chunk into its rock.
void trn_volume_write_ores(const TrnVolume *volume, TrnBlock *blocks);

#endif

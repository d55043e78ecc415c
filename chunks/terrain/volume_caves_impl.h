/// Private: how wide caves are: tunnels and caverns, by height and depth below the ground. The
/// lattice of a chunk and the height of a column both use it.
#ifndef TERRANE_TERRAIN_VOLUME_CAVES_IMPL_H
#define TERRANE_TERRAIN_VOLUME_CAVES_IMPL_H

#include "terrain/volume_impl.h"

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
    const float width = 0.058f * (0.4f + 0.6f * caves) * taper + 0.001f;
    return (TrnVolumeCaves){1.0f / width, 0.325f - 0.09f * caves + (1.0f - taper) * 0.6f};
}

/// Threshold of caverns below a ground height: caverns are smaller near the surface.
static inline float trn_volume_cavern_threshold(TrnVolumeCaves caves, float ground, float y)
{
    const float shallow = trn_land_clamp((34.0f - (ground - y)) * 0.04f, 0.0f, 1.0f);
    return caves.threshold + shallow * 0.12f;
}

#endif
